-- The campaign that an organiser previews in this session: as a participant, of a team or of none, or as a reader.
ALTER TABLE session ADD COLUMN preview INTEGER REFERENCES campaign;
ALTER TABLE session ADD COLUMN preview_role TEXT CHECK (preview_role IN ('participant'));
ALTER TABLE session ADD COLUMN preview_team INTEGER REFERENCES team;
