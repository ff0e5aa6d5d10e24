//! Passes a draft through the guard: as it is, with other databases' functions rewritten, translated from another
//! dialect, or corrected (`docs/spec.md` §10).

use super::WritingSettings;
use super::facts::Facts;
use super::rank::neighbours;
use crate::catalog::{Catalog, Table};
use wherefore_sql::repair::autocorrect;
use wherefore_sql::{CheckedSql, Code, GuardLimits, ReadDialect, adopt, check_text};

/// Maximum number of tables whose columns a repair is limited to.
const CONCERNED: usize = 8;

/// Why the guard rejects a statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rejection {
    /// Messages of the guard.
    pub(super) faults: Vec<String>,
    /// Keys of the tables whose columns the statement may mean; empty unless it names unknown columns.
    pub(super) concerned: Vec<String>,
}

/// Checks a statement in the dialect of the data source or, if that fails, in another one.
pub(super) fn admit(
    catalog: &Catalog,
    settings: &WritingSettings,
    sql: &str,
    corrected: &mut Vec<String>,
) -> Result<CheckedSql, Rejection> {
    let own: ReadDialect = catalog.dialect.into();
    // Functions of other databases are rewritten before the guard judges them.
    let adopted = settings.flags.dialect_normalisation.then(|| adopt(sql, catalog)).flatten();
    let sql = adopted.as_ref().map_or(sql, |adopted| adopted.sql.as_str());
    let rewritten = adopted.iter().flat_map(|adopted| adopted.rewritten.iter().cloned());
    let check =
        |dialect| check_text(sql, dialect, catalog, catalog.dialect, &GuardLimits::default());
    let first = match check(own) {
        Ok(checked) => {
            corrected.extend(rewritten);
            return Ok(checked);
        }
        Err(diagnostics) => diagnostics,
    };
    // Another dialect is tried only for syntax errors: it could read unknown names as strings.
    let foreign = first.iter().all(|fault| fault.code == Code::Syntax);
    if settings.flags.dialect_normalisation && foreign {
        let others = [
            ReadDialect::Postgres,
            ReadDialect::Sqlite,
            ReadDialect::Mysql,
            ReadDialect::Mssql,
            ReadDialect::Bigquery,
            ReadDialect::Duckdb,
        ];
        let quoted = sql.contains('"');
        let texts = [ReadDialect::Mysql, ReadDialect::Bigquery];
        let read = others
            .into_iter()
            .filter(|dialect| *dialect != own && !(quoted && texts.contains(dialect)))
            .find_map(|dialect| check(dialect).ok());
        if let Some(checked) = read {
            return Ok(checked);
        }
    }
    let mended = settings.flags.autocorrection.then(|| autocorrect(sql, catalog, None));
    // A correction that involves another dialect requires its flag too.
    let mended = mended.filter(|mended| {
        let anew = ["D01", "D02"];
        settings.flags.dialect_normalisation
            || !mended.made.iter().any(|made| anew.contains(&made.rule))
    });
    let checked = mended.and_then(|mended| {
        let limits = GuardLimits::default();
        let checked = check_text(&mended.sql, own, catalog, catalog.dialect, &limits).ok()?;
        Some((checked, mended.made))
    });
    if let Some((checked, made)) = checked {
        corrected.extend(rewritten);
        corrected.extend(made.into_iter().map(|made| made.title));
        return Ok(checked);
    }
    let unknown = first.iter().any(|fault| fault.code == Code::UnknownColumn);
    Err(Rejection {
        faults: first.iter().map(ToString::to_string).collect(),
        concerned: if unknown { concerned(catalog, sql) } else { Vec::new() },
    })
}

/// Tables that an unknown column may belong to: those of the statement, then their neighbours (`docs/spec.md` §10).
fn concerned(catalog: &Catalog, sql: &str) -> Vec<String> {
    let Ok(query) = wherefore_sql::read(sql, catalog.dialect.into()) else { return Vec::new() };
    let mut keys = Facts::of(&query, catalog).tables;
    let positions =
        keys.iter().filter_map(|key| catalog.tables.iter().position(|it| it.has_key(key)));
    let beside = neighbours(catalog, positions);
    let beside = beside.into_iter().filter_map(|at| catalog.tables.get(at)).map(Table::key);
    let beside: Vec<String> = beside.filter(|key| !keys.contains(key)).collect();
    keys.extend(beside);
    keys.truncate(CONCERNED);
    keys
}
