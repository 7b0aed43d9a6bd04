-- What organisers may want to ask a team about an entry: it is the file or the ranking of an earlier entry of another team, or has very high values.
CREATE TABLE question (
  submission INTEGER NOT NULL REFERENCES submission,
  kind TEXT NOT NULL CHECK (kind IN ('same-file', 'same-ranking', 'too-good')),
  other INTEGER REFERENCES submission,
  PRIMARY KEY (submission, kind)
) STRICT;
