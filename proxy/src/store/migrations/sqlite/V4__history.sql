ALTER TABLE sessions ADD COLUMN question_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0;

-- A question with its outcome; what was said is emptied where no history is kept, so that the figures stay.
CREATE TABLE questions (
    id TEXT PRIMARY KEY NOT NULL,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    kept INTEGER NOT NULL,
    variant TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending_clarification', 'clarified', 'completed', 'abandoned')),
    question TEXT NOT NULL,
    clarifications TEXT NOT NULL,
    sql TEXT,
    outcome TEXT NOT NULL,
    problem TEXT,
    rounds INTEGER NOT NULL,
    row_count INTEGER,
    working_ms INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    ended_at INTEGER,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX questions_by_owner ON questions (tenant, owner, asked_at);
CREATE INDEX questions_by_time ON questions (tenant, asked_at);
CREATE INDEX questions_waiting ON questions (status, expires_at);

-- A place of a question that was asked about, or decided without asking.
CREATE TABLE ambiguities (
    question_id TEXT NOT NULL,
    clarification_id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    at INTEGER NOT NULL,
    ambiguity TEXT NOT NULL,
    phrase TEXT NOT NULL,
    asked INTEGER NOT NULL,
    source TEXT,
    choice TEXT,
    mark TEXT CHECK (mark IN ('helpful', 'needless')),
    PRIMARY KEY (question_id, clarification_id)
) STRICT;

CREATE INDEX ambiguities_by_phrase ON ambiguities (tenant, owner, ambiguity, phrase);
CREATE INDEX ambiguities_by_time ON ambiguities (tenant, at);

-- Questions that clients gave an id, with the answer that a repetition gets.
CREATE TABLE requests (
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    hash BLOB NOT NULL,
    status INTEGER,
    content_type TEXT,
    body TEXT,
    held_until INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, owner, id)
) STRICT;

CREATE INDEX requests_by_expiry ON requests (expires_at);
