CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    expires DOUBLE PRECISION NOT NULL
);

CREATE INDEX sessions_expires ON sessions (expires);
