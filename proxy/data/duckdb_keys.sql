SELECT schema_name, table_name, number, kind, column_name
FROM (
    SELECT
        schema_name, table_name, CAST(constraint_index AS varchar) AS number,
        CASE constraint_type WHEN 'PRIMARY KEY' THEN 'primary' ELSE 'unique' END AS kind,
        unnest(constraint_column_names) AS column_name,
        generate_subscripts(constraint_column_names, 1) AS place
    FROM duckdb_constraints()
    WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')
) AS keys
ORDER BY schema_name, table_name, number, place
