CREATE TABLE clock (
    seconds REAL NOT NULL
);

INSERT INTO clock VALUES (unixepoch('subsec'));

CREATE TABLE visits (
    game TEXT PRIMARY KEY,
    seconds REAL NOT NULL
) WITHOUT ROWID;

CREATE INDEX visits_seconds ON visits (seconds);

INSERT INTO visits SELECT id, unixepoch('subsec') FROM games;

CREATE TABLE results (
    body TEXT NOT NULL
);

DROP TRIGGER events_are_final_delete;

CREATE TRIGGER events_are_final_delete BEFORE DELETE ON events WHEN EXISTS (SELECT 1 FROM games WHERE id = OLD.game) BEGIN
    SELECT RAISE(ABORT, 'events are never deleted without their game');
END;
