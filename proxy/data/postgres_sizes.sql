SELECT c.oid, pg_relation_size(c.oid)
FROM pg_catalog.pg_class AS c
WHERE c.oid = ANY ($1) AND c.relkind IN ('r', 'm') AND NOT c.relhassubclass
