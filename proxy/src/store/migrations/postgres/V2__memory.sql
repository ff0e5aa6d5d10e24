CREATE TABLE memory (
    person TEXT PRIMARY KEY,
    patterns TEXT NOT NULL
);
