SELECT schema_name, table_name, number, column_name, referenced_table, referenced_column
FROM (
    SELECT
        schema_name, table_name, CAST(constraint_index AS varchar) AS number, referenced_table,
        unnest(constraint_column_names) AS column_name,
        unnest(referenced_column_names) AS referenced_column,
        generate_subscripts(constraint_column_names, 1) AS place
    FROM duckdb_constraints()
    WHERE database_name = current_database() AND constraint_type = 'FOREIGN KEY'
) AS keys
ORDER BY schema_name, table_name, number, place
