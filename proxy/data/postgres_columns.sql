SELECT a.attrelid, a.attname::text, format_type(a.atttypid, a.atttypmod),
       format_type(b.oid, NULL), b.typcategory::text, b.typtype::text,
       NOT a.attnotnull, col_description(a.attrelid, a.attnum::int),
       CASE WHEN b.typtype = 'e' THEN (
           SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
           FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = b.oid) END
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
JOIN pg_catalog.pg_type AS b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
WHERE a.attrelid = ANY ($1)
  AND a.attnum > 0
  AND NOT a.attisdropped
  AND has_column_privilege(a.attrelid, a.attnum, 'SELECT')
ORDER BY a.attrelid, a.attnum
