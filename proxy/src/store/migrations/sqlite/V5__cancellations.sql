-- Questions that their askers stopped, told to the proxy that works on them.
CREATE TABLE cancellations (
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, owner, id)
) STRICT;

CREATE INDEX sessions_by_question ON sessions (question_id);
