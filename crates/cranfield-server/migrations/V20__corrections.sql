-- The scoring that a preview is compared with; none if it is the first one.
ALTER TABLE scoring ADD COLUMN previous INTEGER;

-- What organisers tell everyone on the page of a campaign.
CREATE TABLE notice (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaign,
  at INTEGER NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TRIGGER notice_u BEFORE UPDATE ON notice BEGIN SELECT RAISE(ABORT, 'notices are a record'); END;
CREATE TRIGGER notice_d BEFORE DELETE ON notice BEGIN SELECT RAISE(ABORT, 'notices are a record'); END;

CREATE INDEX job_scoring ON job (scoring, state);
