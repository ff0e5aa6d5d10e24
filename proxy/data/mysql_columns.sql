SELECT CAST(table_name AS CHAR), CAST(column_name AS CHAR), LOWER(CAST(data_type AS CHAR)), CAST(column_type AS CHAR),
       CAST(is_nullable AS CHAR), CAST(column_comment AS CHAR)
FROM information_schema.columns
WHERE table_schema = DATABASE()
  AND LOWER(CAST(privileges AS CHAR)) LIKE '%select%'
ORDER BY table_name, ordinal_position
