CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    expires REAL NOT NULL
) WITHOUT ROWID;

CREATE INDEX sessions_expires ON sessions (expires);
