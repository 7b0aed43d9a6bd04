-- The log of each campaign is a chain of its own, so that it can be exported whole. Rows of a campaign that was imported name people by the
-- numbers of the server it came from.
ALTER TABLE audit ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
CREATE INDEX audit_campaign ON audit (campaign, id);
