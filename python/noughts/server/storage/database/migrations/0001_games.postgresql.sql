CREATE TABLE games (
    id TEXT PRIMARY KEY,
    watch_id TEXT NOT NULL UNIQUE
);

CREATE TABLE events (
    game TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    key TEXT,
    PRIMARY KEY (game, version)
);

CREATE UNIQUE INDEX events_key ON events (game, key) WHERE key IS NOT NULL;

CREATE FUNCTION events_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are never changed or deleted';
END
$$;

CREATE TRIGGER events_are_final BEFORE UPDATE OR DELETE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_are_final();

CREATE TABLE snapshots (
    game TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    body TEXT NOT NULL
);
