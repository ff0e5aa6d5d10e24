-- Tokens of the language model that a question used, and when the answer to a clarification came.
ALTER TABLE questions ADD COLUMN tokens BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ambiguities ADD COLUMN answered_at BIGINT;
