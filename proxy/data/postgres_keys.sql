SELECT i.indrelid, i.indisprimary,
       ARRAY(SELECT a.attname::text
             FROM unnest(i.indkey) WITH ORDINALITY AS k(attnum, place)
             JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
             WHERE k.place <= i.indnkeyatts
             ORDER BY k.place)
FROM pg_catalog.pg_index AS i
WHERE i.indrelid = ANY ($1)
  AND i.indisunique AND i.indisvalid
  AND i.indpred IS NULL AND i.indexprs IS NULL
ORDER BY i.indrelid, i.indexrelid
