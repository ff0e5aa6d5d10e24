CREATE TABLE sessions_of_callers (
    id TEXT PRIMARY KEY NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'answered', 'completed')),
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    question TEXT NOT NULL,
    snapshot TEXT,
    expires_at INTEGER NOT NULL
) STRICT;

INSERT INTO sessions_of_callers (id, status, tenant, owner, question, snapshot, expires_at)
SELECT id, status, 'default', '', question, snapshot, expires_at FROM sessions;

DROP TABLE sessions;

ALTER TABLE sessions_of_callers RENAME TO sessions;

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

ALTER TABLE memory ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER
) STRICT;

CREATE TABLE sign_ins (
    hash BLOB PRIMARY KEY NOT NULL,
    key_id TEXT,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);
