SELECT CAST(table_name AS CHAR), CAST(table_type AS CHAR), CAST(table_rows AS UNSIGNED), CAST(table_comment AS CHAR)
FROM information_schema.tables
WHERE table_schema = DATABASE()
  AND table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')
ORDER BY table_name
