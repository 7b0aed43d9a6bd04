-- When a token was last used, to within some minutes.
ALTER TABLE token ADD COLUMN used INTEGER;
