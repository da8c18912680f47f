CREATE TABLE games (
    id TEXT PRIMARY KEY,
    watch_id TEXT NOT NULL UNIQUE
) WITHOUT ROWID;

CREATE TABLE events (
    game TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    key TEXT,
    PRIMARY KEY (game, version)
) WITHOUT ROWID;

CREATE UNIQUE INDEX events_key ON events (game, key) WHERE key IS NOT NULL;

CREATE TRIGGER events_are_final_update BEFORE UPDATE ON events BEGIN
    SELECT RAISE(ABORT, 'events are never changed');
END;

CREATE TRIGGER events_are_final_delete BEFORE DELETE ON events BEGIN
    SELECT RAISE(ABORT, 'events are never deleted');
END;

CREATE TABLE snapshots (
    game TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;
