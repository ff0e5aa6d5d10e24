//! Passes a draft through the guard: as it is, with other databases' functions rewritten, translated from another
//! dialect, or corrected (`docs/spec.md` §10).

use super::WritingSettings;
use super::facts::Facts;
use super::rank::neighbours;
use crate::catalog::Catalog;
use wherefore_sql::repair::autocorrect;
use wherefore_sql::{CheckedSql, Code, GuardLimits, ReadDialect, adopt, check_text};

/// Maximum number of tables whose columns are suggested for an unknown column.
const WHITELISTED: usize = 8;

/// Checks a statement in the dialect of the data source or, if that fails, in another one.
pub(super) fn admit(
    catalog: &Catalog,
    settings: &WritingSettings,
    sql: &str,
    corrected: &mut Vec<String>,
) -> Result<CheckedSql, Vec<String>> {
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
    let mut faults: Vec<String> = first.iter().map(ToString::to_string).collect();
    let unknown = first.iter().rposition(|fault| fault.code == Code::UnknownColumn);
    if let Some(fault) = unknown.and_then(|at| faults.get_mut(at))
        && let Some(known) = whitelist(catalog, sql)
    {
        *fault = format!("{fault}; {known}");
    }
    Err(faults)
}

/// Columns that may replace an unknown one: those of the tables of the statement and of their neighbours
/// (`docs/spec.md` §10).
fn whitelist(catalog: &Catalog, sql: &str) -> Option<String> {
    let query = wherefore_sql::read(sql, catalog.dialect.into()).ok()?;
    let read = Facts::of(&query, catalog).tables;
    let positions =
        read.iter().filter_map(|key| catalog.tables.iter().position(|it| it.has_key(key)));
    let mut known: Vec<usize> = positions.collect();
    let beside = neighbours(catalog, known.iter().copied());
    known.extend(beside.into_iter().filter(|at| !read.contains(&catalog.tables[*at].key())));
    let named =
        known.into_iter().take(WHITELISTED).filter_map(|at| catalog.tables.get(at)).map(|table| {
            let columns: Vec<&str> =
                table.columns.iter().map(|column| column.name.as_str()).collect();
            format!("{}({})", table.key(), columns.join(", "))
        });
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| format!("only these columns may be used: {}", named.join("; ")))
}
