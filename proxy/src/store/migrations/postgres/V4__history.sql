ALTER TABLE sessions ADD COLUMN question_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN held_until BIGINT NOT NULL DEFAULT 0;

-- A question with its outcome; what was said is emptied where no history is kept, so that the figures stay.
CREATE TABLE questions (
    id TEXT PRIMARY KEY,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    kept BIGINT NOT NULL,
    variant TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending_clarification', 'clarified', 'completed', 'abandoned')),
    question TEXT NOT NULL,
    clarifications TEXT NOT NULL,
    sql TEXT,
    outcome TEXT NOT NULL,
    problem TEXT,
    rounds BIGINT NOT NULL,
    row_count BIGINT,
    working_ms BIGINT NOT NULL,
    asked_at BIGINT NOT NULL,
    ended_at BIGINT,
    expires_at BIGINT NOT NULL
);

CREATE INDEX questions_by_owner ON questions (tenant, owner, asked_at);
CREATE INDEX questions_by_time ON questions (tenant, asked_at);
CREATE INDEX questions_waiting ON questions (status, expires_at);

-- A place of a question that was asked about, or decided without asking.
CREATE TABLE ambiguities (
    question_id TEXT NOT NULL,
    clarification_id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    at BIGINT NOT NULL,
    ambiguity TEXT NOT NULL,
    phrase TEXT NOT NULL,
    asked BIGINT NOT NULL,
    source TEXT,
    choice TEXT,
    mark TEXT CHECK (mark IN ('helpful', 'needless')),
    PRIMARY KEY (question_id, clarification_id)
);

CREATE INDEX ambiguities_by_phrase ON ambiguities (tenant, owner, ambiguity, phrase);
CREATE INDEX ambiguities_by_time ON ambiguities (tenant, at);

-- Questions that clients gave an id, with the answer that a repetition gets.
CREATE TABLE requests (
    tenant TEXT NOT NULL,
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    hash BYTEA NOT NULL,
    status BIGINT,
    content_type TEXT,
    body TEXT,
    held_until BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, owner, id)
);

CREATE INDEX requests_by_expiry ON requests (expires_at);
