SELECT c.conrelid, c.confrelid,
       ARRAY(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k(attnum, place)
             JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = k.attnum
             ORDER BY k.place),
       ARRAY(SELECT a.attname::text FROM unnest(c.confkey) WITH ORDINALITY AS k(attnum, place)
             JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.confrelid AND a.attnum = k.attnum
             ORDER BY k.place)
FROM pg_catalog.pg_constraint AS c
WHERE c.contype = 'f' AND c.conrelid = ANY ($1) AND c.confrelid = ANY ($1) AND c.conparentid = 0
ORDER BY c.conrelid, c.conname
