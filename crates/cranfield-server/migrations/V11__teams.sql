-- A team asks another one to merge; when both have asked, they are one.
CREATE TABLE team_merge (
  team INTEGER NOT NULL REFERENCES team,
  other INTEGER NOT NULL REFERENCES team,
  by INTEGER NOT NULL REFERENCES person,
  at INTEGER NOT NULL,
  PRIMARY KEY (team, other)
) STRICT;

-- Entries beyond the limits of the campaign.
CREATE TABLE team_grant (
  id INTEGER PRIMARY KEY,
  team INTEGER NOT NULL REFERENCES team,
  entries INTEGER NOT NULL,
  reason TEXT NOT NULL,
  by INTEGER NOT NULL REFERENCES person,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX team_grant_team ON team_grant (team);

-- When the name of a team or what it is part of changed.
ALTER TABLE team ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
