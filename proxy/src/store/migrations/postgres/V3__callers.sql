ALTER TABLE sessions
    ADD COLUMN tenant TEXT NOT NULL,
    ADD COLUMN owner TEXT NOT NULL,
    ADD CHECK (status IN ('open', 'answered', 'completed'));

ALTER TABLE memory ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    hash BYTEA NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT,
    last_used_at BIGINT
);

CREATE TABLE sign_ins (
    hash BYTEA PRIMARY KEY,
    key_id TEXT,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);
