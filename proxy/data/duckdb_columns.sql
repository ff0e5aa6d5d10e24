SELECT schema_name, table_name, column_name, data_type, CAST(is_nullable AS varchar) AS nullable, comment
FROM duckdb_columns()
WHERE NOT internal AND database_name = current_database()
ORDER BY schema_name, table_name, column_index
