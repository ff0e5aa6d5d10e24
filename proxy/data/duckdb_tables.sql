SELECT schema_name, table_name, 'table' AS kind, comment, CAST(estimated_size AS varchar) AS estimate
FROM duckdb_tables()
WHERE NOT internal AND NOT temporary AND database_name = current_database()
UNION ALL
SELECT schema_name, view_name, 'view', comment, NULL
FROM duckdb_views()
WHERE NOT internal AND NOT temporary AND database_name = current_database()
ORDER BY 1, 2
