-- Codes for assistants, observers and members of one team. They have numbers, so that they can be listed and revoked.

CREATE TABLE new_code (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  campaign INTEGER NOT NULL REFERENCES campaign,
  role TEXT NOT NULL CHECK (role IN ('assistant', 'participant', 'observer')),
  team INTEGER REFERENCES team,
  uses INTEGER NOT NULL DEFAULT 0,
  most_uses INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  revoked INTEGER
) STRICT;
INSERT INTO new_code (hash, campaign, role, uses, most_uses, expires, revoked)
  SELECT hash, campaign, role, uses, most_uses, expires, revoked FROM join_code;
DROP TABLE join_code;
ALTER TABLE new_code RENAME TO join_code;
CREATE INDEX join_code_campaign ON join_code (campaign, id);

-- Why an entry was rejected, for its team.
ALTER TABLE submission ADD COLUMN rejection TEXT NOT NULL DEFAULT '';
