SELECT CAST(table_name AS CHAR), CAST(constraint_name AS CHAR), CAST(column_name AS CHAR),
       CAST(referenced_table_name AS CHAR), CAST(referenced_column_name AS CHAR)
FROM information_schema.key_column_usage
WHERE table_schema = DATABASE()
  AND referenced_table_schema = DATABASE()
  AND referenced_table_name IS NOT NULL
ORDER BY table_name, constraint_name, ordinal_position
