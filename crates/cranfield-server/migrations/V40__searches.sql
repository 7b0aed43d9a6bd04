-- Baselines that the server makes: a search of a collection for the topics of a campaign, with one run for each model.
-- The collection is a name below the folder of collections, or files that were uploaded.
CREATE TABLE search (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaign,
  by INTEGER NOT NULL REFERENCES person,
  collection TEXT,
  documents TEXT REFERENCES blob,
  documents_name TEXT,
  topics TEXT REFERENCES blob,
  topics_name TEXT,
  models TEXT NOT NULL,
  fields TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
  message TEXT NOT NULL DEFAULT '',
  created INTEGER NOT NULL,
  ended INTEGER
) STRICT;
CREATE INDEX search_state ON search (state, id);
