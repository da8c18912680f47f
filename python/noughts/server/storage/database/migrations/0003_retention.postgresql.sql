CREATE TABLE clock (
    seconds DOUBLE PRECISION NOT NULL
);

INSERT INTO clock VALUES (extract(epoch FROM now()));

CREATE TABLE visits (
    game TEXT PRIMARY KEY,
    seconds DOUBLE PRECISION NOT NULL
);

CREATE INDEX visits_seconds ON visits (seconds);

INSERT INTO visits SELECT id, extract(epoch FROM now()) FROM games;

CREATE TABLE results (
    body TEXT NOT NULL
);

DROP TRIGGER events_are_final ON events;

CREATE TRIGGER events_are_final BEFORE UPDATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_are_final();

CREATE FUNCTION events_go_with_their_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM games WHERE id = OLD.game) THEN
        RAISE EXCEPTION 'events are never deleted without their game';
    END IF;
    RETURN OLD;
END
$$;

CREATE TRIGGER events_go_with_their_game BEFORE DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION events_go_with_their_game();
