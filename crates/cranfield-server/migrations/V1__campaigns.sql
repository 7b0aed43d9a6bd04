-- Times are milliseconds since 1970 in UTC. Rows of the tables marked as a record are never changed: triggers abort.

CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  login TEXT NOT NULL,
  login_key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password TEXT NOT NULL,
  admin INTEGER NOT NULL DEFAULT 0,
  must_change INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  wait_until INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE session (
  hash BLOB PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES person,
  created INTEGER NOT NULL,
  seen INTEGER NOT NULL,
  expires INTEGER NOT NULL
) STRICT;

CREATE TABLE token (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  person INTEGER NOT NULL REFERENCES person,
  campaign INTEGER REFERENCES campaign,
  name TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  revoked INTEGER
) STRICT;

CREATE TABLE campaign (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  settings INTEGER NOT NULL,
  scoring INTEGER,
  published INTEGER,
  frozen INTEGER,
  released INTEGER,
  created INTEGER NOT NULL
) STRICT;

-- A record.
CREATE TABLE settings (
  campaign INTEGER NOT NULL REFERENCES campaign,
  version INTEGER NOT NULL,
  json TEXT NOT NULL,
  by INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (campaign, version)
) STRICT;

CREATE TABLE member (
  campaign INTEGER NOT NULL REFERENCES campaign,
  person INTEGER NOT NULL REFERENCES person,
  role TEXT NOT NULL CHECK (role IN ('organiser', 'assistant', 'participant', 'observer')),
  PRIMARY KEY (campaign, person)
) STRICT;

CREATE TABLE join_code (
  hash BLOB PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaign,
  role TEXT NOT NULL CHECK (role IN ('participant', 'observer')),
  uses INTEGER NOT NULL DEFAULT 0,
  most_uses INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  revoked INTEGER
) STRICT;

CREATE TABLE team (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaign,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('team', 'baseline')),
  created INTEGER NOT NULL,
  merged_into INTEGER REFERENCES team,
  UNIQUE (campaign, number),
  UNIQUE (campaign, name_key)
) STRICT;

CREATE TABLE team_member (
  campaign INTEGER NOT NULL REFERENCES campaign,
  person INTEGER NOT NULL REFERENCES person,
  team INTEGER NOT NULL REFERENCES team,
  PRIMARY KEY (campaign, person)
) STRICT;

CREATE TABLE topic (
  campaign INTEGER NOT NULL REFERENCES campaign,
  place INTEGER NOT NULL,
  id TEXT NOT NULL,
  title TEXT NOT NULL,
  PRIMARY KEY (campaign, place),
  UNIQUE (campaign, id)
) STRICT;

CREATE TABLE blob (
  hash TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;

-- A record.
CREATE TABLE qrels (
  campaign INTEGER NOT NULL REFERENCES campaign,
  version INTEGER NOT NULL,
  blob TEXT NOT NULL REFERENCES blob,
  reason TEXT NOT NULL,
  by INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (campaign, version)
) STRICT;

-- A record. `public` has one byte for each topic of the campaign in its order: 1 public, 0 private.
CREATE TABLE split (
  campaign INTEGER NOT NULL REFERENCES campaign,
  version INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  nonce BLOB NOT NULL,
  commitment TEXT NOT NULL,
  public BLOB NOT NULL,
  PRIMARY KEY (campaign, version)
) STRICT;

-- Judgements, split and settings that scores depend on. The scoring in force is that of the campaign.
CREATE TABLE scoring (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaign,
  qrels INTEGER NOT NULL,
  split INTEGER NOT NULL,
  settings INTEGER NOT NULL,
  engine TEXT NOT NULL,
  created INTEGER NOT NULL,
  applied INTEGER,
  cancelled INTEGER
) STRICT;

-- `shown` is the time from which the state may be seen; see `jobs.rs`.
CREATE TABLE submission (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaign,
  team INTEGER NOT NULL REFERENCES team,
  entry INTEGER NOT NULL,
  by INTEGER NOT NULL REFERENCES person,
  received INTEGER NOT NULL,
  blob TEXT NOT NULL REFERENCES blob,
  file TEXT NOT NULL,
  description TEXT NOT NULL,
  automatic INTEGER NOT NULL,
  idem TEXT,
  late INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('received', 'valid', 'invalid', 'failed', 'scored')),
  findings TEXT NOT NULL DEFAULT '[]',
  shown INTEGER,
  withdrawn INTEGER,
  rejected INTEGER,
  UNIQUE (team, entry),
  UNIQUE (team, idem)
) STRICT;
CREATE INDEX submission_campaign ON submission (campaign, shown);

-- A record. Values by topic are 64-bit floats, little-endian, in the order of the topics; NaN is undefined.
CREATE TABLE score (
  scoring INTEGER NOT NULL REFERENCES scoring,
  submission INTEGER NOT NULL REFERENCES submission,
  measure INTEGER NOT NULL,
  public REAL,
  private REAL,
  overall REAL,
  topics BLOB NOT NULL,
  PRIMARY KEY (scoring, submission, measure)
) STRICT;

CREATE TABLE pick (
  team INTEGER NOT NULL REFERENCES team,
  submission INTEGER NOT NULL REFERENCES submission,
  at INTEGER NOT NULL,
  PRIMARY KEY (team, submission)
) STRICT;

CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  submission INTEGER NOT NULL REFERENCES submission,
  scoring INTEGER,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
  tries INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL,
  error TEXT
) STRICT;
CREATE INDEX job_state ON job (state, id);

-- A record, chained by hashes.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor INTEGER,
  campaign INTEGER,
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  details TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TRIGGER settings_u BEFORE UPDATE ON settings BEGIN SELECT RAISE(ABORT, 'settings are a record'); END;
CREATE TRIGGER settings_d BEFORE DELETE ON settings BEGIN SELECT RAISE(ABORT, 'settings are a record'); END;
CREATE TRIGGER qrels_u BEFORE UPDATE ON qrels BEGIN SELECT RAISE(ABORT, 'qrels are a record'); END;
CREATE TRIGGER qrels_d BEFORE DELETE ON qrels BEGIN SELECT RAISE(ABORT, 'qrels are a record'); END;
CREATE TRIGGER split_u BEFORE UPDATE ON split BEGIN SELECT RAISE(ABORT, 'splits are a record'); END;
CREATE TRIGGER split_d BEFORE DELETE ON split BEGIN SELECT RAISE(ABORT, 'splits are a record'); END;
CREATE TRIGGER score_u BEFORE UPDATE ON score BEGIN SELECT RAISE(ABORT, 'scores are a record'); END;
CREATE TRIGGER score_d BEFORE DELETE ON score BEGIN SELECT RAISE(ABORT, 'scores are a record'); END;
CREATE TRIGGER audit_u BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the log is a record'); END;
CREATE TRIGGER audit_d BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the log is a record'); END;
CREATE TRIGGER submission_d BEFORE DELETE ON submission BEGIN SELECT RAISE(ABORT, 'entries are kept'); END;
