//! The kind of a server, and the settings of a session that depend on it.

use std::time::Duration;

use wherefore_sql::MysqlServer;

/// Modes of SQL that the printer and the engine assume: backslash escapes, no double-quoted names, differences of unsigned
/// numbers that can be negative, and no columns that the groups do not determine.
const SQL_MODE: &str =
    "STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_UNSIGNED_SUBTRACTION,ONLY_FULL_GROUP_BY";
/// Maximum length of an aggregated text, in bytes.
const AGGREGATED_TEXT: u32 = 16 << 20;
/// Time beyond the statement timeout for which the server waits until a row is read.
const READER: Duration = Duration::from_mins(1);

/// Makes every later transaction of the session read-only.
pub(super) const READ_ONLY: &str =
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
pub(super) const BEGIN: &str = "START TRANSACTION READ ONLY";

/// The kind of a server with this version text.
pub(super) fn kind(version: &str) -> MysqlServer {
    if version.to_ascii_lowercase().contains("mariadb") {
        MysqlServer::Mariadb
    } else {
        MysqlServer::Mysql
    }
}

/// Statement that sets what a statement of a question, or one of the proxy's own, depends on. `rows` is the maximum number
/// of rows of a SELECT without a limit of its own.
pub(super) fn settings(server: MysqlServer, timeout: Duration, rows: Option<u32>) -> String {
    let collation = server.exact_collation();
    let rows = rows.map_or_else(|| "DEFAULT".to_owned(), |rows| (u64::from(rows) + 1).to_string());
    let sending = (timeout + READER).as_secs();
    let limits = match server {
        MysqlServer::Mariadb => format!(
            "max_statement_time = {:.3}, idle_readonly_transaction_timeout = 60",
            timeout.as_secs_f64().max(0.001)
        ),
        MysqlServer::Mysql => format!("max_execution_time = {}", timeout.as_millis().max(1)),
    };
    format!(
        "SET SESSION sql_mode = '{SQL_MODE}', time_zone = '+00:00', character_set_client = utf8mb4, \
         character_set_results = utf8mb4, character_set_connection = utf8mb4, \
         collation_connection = {collation}, group_concat_max_len = {AGGREGATED_TEXT}, \
         lock_wait_timeout = 1, innodb_lock_wait_timeout = 1, net_write_timeout = {sending}, \
         sql_select_limit = {rows}, {limits}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_server_has_its_own_limit_and_collation() {
        let timeout = Duration::from_millis(1_500);
        let mariadb = settings(kind("10.11.19-MariaDB-0+deb12u1"), timeout, Some(10));
        for part in ["max_statement_time = 1.500", "utf8mb4_nopad_bin", "sql_select_limit = 11,"] {
            assert!(mariadb.contains(part), "{mariadb}");
        }
        let mysql = settings(kind("8.4.3"), timeout, None);
        for part in ["max_execution_time = 1500", "utf8mb4_0900_bin", "sql_select_limit = DEFAULT,"]
        {
            assert!(mysql.contains(part), "{mysql}");
        }
    }
}
