-- Texts and corrections that lead to the statement of a question, as JSON; empty for questions of earlier versions.
ALTER TABLE questions ADD COLUMN said TEXT NOT NULL DEFAULT '';
ALTER TABLE questions ADD COLUMN corrections TEXT NOT NULL DEFAULT '';
