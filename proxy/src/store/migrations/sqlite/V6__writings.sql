-- What models have been asked for so far, for a brief that is under way; the key is a digest of whose it is and of what.
CREATE TABLE writings (
    key BLOB PRIMARY KEY NOT NULL,
    state TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX writings_by_expiry ON writings (expires_at);
