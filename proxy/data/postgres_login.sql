WITH me AS (
    SELECT oid, rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
    FROM pg_catalog.pg_roles
    WHERE rolname = current_user
), schemas AS (
    SELECT oid, nspname
    FROM pg_catalog.pg_namespace
    WHERE nspname NOT LIKE 'pg\_%' AND nspname <> 'information_schema'
), relations AS (
    SELECT c.oid, c.relowner, format('%I.%I', s.nspname, c.relname) AS name
    FROM pg_catalog.pg_class AS c
    JOIN schemas AS s ON s.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
)
SELECT 'login_is_superuser', rolname::text FROM me WHERE rolsuper
UNION ALL
SELECT 'login_bypasses_row_security', rolname::text FROM me WHERE rolbypassrls AND NOT rolsuper
UNION ALL
SELECT 'login_creates_roles', rolname::text FROM me WHERE rolcreaterole AND NOT rolsuper
UNION ALL
SELECT 'login_creates_databases', rolname::text FROM me WHERE rolcreatedb AND NOT rolsuper
UNION ALL
SELECT 'login_replicates', rolname::text FROM me WHERE rolreplication AND NOT rolsuper
UNION ALL
SELECT CASE WHEN r.rolname IN ('pg_monitor', 'pg_read_all_data', 'pg_read_all_settings',
                               'pg_read_all_stats', 'pg_stat_scan_tables')
            THEN 'login_reads_everything' ELSE 'login_holds_server_role' END,
       r.rolname::text
FROM me, pg_catalog.pg_roles AS r
WHERE NOT me.rolsuper
  AND r.rolname LIKE 'pg\_%'
  AND r.rolname <> 'pg_database_owner'
  AND pg_has_role(me.oid, r.oid, 'MEMBER')
UNION ALL
SELECT 'login_may_write', r.name
FROM me, relations AS r
WHERE NOT me.rolsuper
  AND (has_table_privilege(me.oid, r.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')
       OR has_any_column_privilege(me.oid, r.oid, 'INSERT, UPDATE'))
UNION ALL
SELECT 'login_owns_tables', r.name
FROM me, relations AS r
WHERE NOT me.rolsuper AND pg_has_role(me.oid, r.relowner, 'MEMBER')
UNION ALL
SELECT 'login_may_create', s.nspname::text
FROM me, schemas AS s
WHERE NOT me.rolsuper AND has_schema_privilege(me.oid, s.oid, 'CREATE')
