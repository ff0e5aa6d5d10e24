SELECT CAST(table_name AS CHAR), CAST(index_name AS CHAR), CASE WHEN sub_part IS NULL THEN CAST(column_name AS CHAR) END
FROM information_schema.statistics
WHERE table_schema = DATABASE()
  AND non_unique = 0
ORDER BY table_name, index_name, seq_in_index
