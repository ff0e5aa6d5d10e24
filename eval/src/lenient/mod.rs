//! The lenient judge: accepts what a person accepts although its rows are not the gold's.
//!
//! - *ties*: with a limit, other rows whose sort key equals that of the last row; or all of them
//! - *names*: names instead of keys, where the stored rows relate each key to one name and back
//! - *repeated*: rows that only one side repeats
//! - *empty groups*: rows with NULL, or groups of zero, that only one side has
//!
//! A limit that nobody asked for is never accepted.

mod names;
mod ties;

use wherefore_sql::tree::{Body, Expr, Query, SelectItem};
use wherefore_sql::{ReadDialect, read};

use super::rows::{Agreement, Cell, Rows, compare, equal};
use super::source::Source;

/// Maximum number of column assignments tried.
const TRIES: usize = 200;

/// What the lenient judge forgave.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Forgiven {
    /// NULL rows, or groups of zero.
    EmptyGroups,
    /// Names instead of keys.
    Names,
    /// Repeated rows.
    Repeated,
    /// Other rows with the same sort key at a limit.
    Ties,
}

/// A statement with its tree and its rows.
struct Side<'a> {
    query: Query,
    rows: &'a Rows,
}

/// What has to be forgiven so that a statement answers as its gold does; `None` when it does not.
pub(crate) fn forgiven(source: &Source, sql: &str, gold: &str) -> Option<Forgiven> {
    let ours_rows = source.run(sql)?;
    let gold_rows = source.rows(gold).filter(|rows| !rows.rows.is_empty())?;
    let ours = Side { query: read(sql, ReadDialect::Sqlite).ok()?, rows: &ours_rows };
    let gold = Side { query: read(gold, ReadDialect::Sqlite).ok()?, rows: &gold_rows };
    if ours.rows.rows.is_empty() || !is_ordered_like(&ours.query, &gold.query) {
        return None;
    }
    if let Some(forgiven) = without_names(source, &ours, &gold) {
        return Some(forgiven);
    }
    let renamed = names::renamed(source, &ours, &gold)?;
    let named = renamed.apply(gold.rows);
    if matches!(ours.rows.agreement(&named), Some(Agreement::Same | Agreement::More(_))) {
        return Some(Forgiven::Names);
    }
    if let Some(ranked) = ties::of(source, &gold.query)
        && assigned(&named, ours.rows, |part| ranked.map(|rows| renamed.apply(rows)).admits(part))
    {
        return Some(Forgiven::Names);
    }
    let named = Side { rows: &named, ..gold };
    unlimited(&ours, &named)
        .then(|| is_repeated(&ours, &named))
        .filter(|same| *same)
        .map(|_| Forgiven::Names)
}

/// What has to be forgiven when the columns of both sides hold the same.
fn without_names(source: &Source, ours: &Side<'_>, gold: &Side<'_>) -> Option<Forgiven> {
    if let Some(ranked) = ties::of(source, &gold.query)
        && assigned(gold.rows, ours.rows, |part| ranked.admits(part))
    {
        return Some(Forgiven::Ties);
    }
    if ties::is_first_only(&ours.query)
        && let Some(ranked) = ties::of(source, &ours.query)
        && assigned(gold.rows, &ranked.all(), |part| same_rows(part, gold.rows))
    {
        return Some(Forgiven::Ties);
    }
    if !unlimited(ours, gold) {
        return None;
    }
    if is_repeated(ours, gold) {
        return Some(Forgiven::Repeated);
    }
    let grouped = is_grouped(&ours.query) || is_grouped(&gold.query);
    let full_gold = full(gold.rows, grouped);
    (!full_gold.rows.is_empty()
        && assigned(gold.rows, ours.rows, |part| {
            let kept = full(part, grouped);
            kept.rows.len() == full_gold.rows.len()
                && kept.rows.len() * 2 > part.rows.len().max(gold.rows.rows.len())
                && same_rows(&kept, &full_gold)
        }))
    .then_some(Forgiven::EmptyGroups)
}

/// Whether two statements without aggregates and with the same columns differ only in how often a row is returned.
fn is_repeated(ours: &Side<'_>, gold: &Side<'_>) -> bool {
    ours.rows.width == gold.rows.width
        && !aggregates(&ours.query)
        && !aggregates(&gold.query)
        && assigned(gold.rows, ours.rows, |part| same_rows(part, gold.rows))
}

/// Whether a statement computes an output.
fn aggregates(query: &Query) -> bool {
    let Body::Select(select) = &query.body else { return false };
    let calls =
        |item: &SelectItem| matches!(item, SelectItem::Expr { expr: Expr::Function(_), .. });
    select.items.iter().any(calls)
}

/// Whether no side ends at a limit that the other does not have.
fn unlimited(ours: &Side<'_>, gold: &Side<'_>) -> bool {
    ours.query.limit.is_some() == gold.query.limit.is_some()
}

/// Whether the gold asks for no order, or both sides order in the same direction.
pub(crate) fn is_ordered_like(ours: &Query, gold: &Query) -> bool {
    let direction = |query: &Query| query.order_by.first().map(|item| item.descending);
    gold.limit.is_some() || direction(gold).is_none_or(|wanted| direction(ours) == Some(wanted))
}

fn is_grouped(query: &Query) -> bool {
    matches!(&query.body, Body::Select(select) if !select.group_by.is_empty())
}

/// Rows without NULL, and without zero in a statement that groups.
fn full(rows: &Rows, grouped: bool) -> Rows {
    let empty = |cell: &Cell| match cell {
        Cell::Null => true,
        Cell::Number(number) => grouped && *number == 0.0,
        Cell::Text(_) => false,
    };
    let kept = rows.rows.iter().filter(|row| !row.iter().any(empty));
    Rows { width: rows.width, rows: kept.cloned().collect() }
}

/// Whether two results hold the same rows, however often.
fn same_rows(one: &Rows, other: &Rows) -> bool {
    let (one, other) = (distinct(one), distinct(other));
    one.len() == other.len() && one.iter().zip(&other).all(|(one, other)| equal_rows(one, other))
}

/// The different rows, sorted.
fn distinct(rows: &Rows) -> Vec<&Vec<Cell>> {
    let mut sorted: Vec<&Vec<Cell>> = rows.rows.iter().collect();
    sorted.sort_by(|one, other| {
        let mut pairs = one.iter().zip(other.iter());
        pairs
            .find_map(|(one, other)| Some(compare(one, other)).filter(|order| order.is_ne()))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    sorted.dedup_by(|one, other| equal_rows(one, other));
    sorted
}

fn equal_rows(one: &[Cell], other: &[Cell]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
}

/// Whether some choice of columns of `wide`, one for each column of `narrow`, passes a test.
fn assigned(narrow: &Rows, wide: &Rows, test: impl Fn(&Rows) -> bool) -> bool {
    let mut tries = 0;
    narrow.width > 0 && choose(narrow.width, wide, &mut Vec::new(), &mut tries, &test)
}

fn choose(
    width: usize,
    wide: &Rows,
    chosen: &mut Vec<usize>,
    tries: &mut usize,
    test: &impl Fn(&Rows) -> bool,
) -> bool {
    if chosen.len() == width {
        *tries += 1;
        let cells =
            |row: &Vec<Cell>| chosen.iter().filter_map(|at| row.get(*at).cloned()).collect();
        return test(&Rows { width, rows: wide.rows.iter().map(cells).collect() });
    }
    for column in 0..wide.width {
        if chosen.contains(&column) || *tries >= TRIES {
            continue;
        }
        chosen.push(column);
        if choose(width, wide, chosen, tries, test) {
            return true;
        }
        chosen.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shops, their orders, and a shop without orders.
    fn source() -> Source {
        let source = Source::in_memory(
            "CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, size INTEGER);
             CREATE TABLE orders (id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shop (id));
             INSERT INTO shop VALUES (1, 'Elm', 5), (2, 'Oak', 5), (3, 'Ash', 2), (4, 'Fir', NULL);
             INSERT INTO orders VALUES (1, 1), (2, 1), (3, 2), (4, 3);",
        );
        source.unwrap()
    }

    fn found(sql: &str, gold: &str) -> Option<Forgiven> {
        forgiven(&source(), sql, gold)
    }

    #[test]
    fn either_of_two_tied_rows_is_right_and_so_are_both() {
        let gold = "SELECT name FROM shop ORDER BY size DESC LIMIT 1";
        for ours in
            ["SELECT name FROM shop WHERE name = 'Oak'", "SELECT name FROM shop WHERE size = 5"]
        {
            assert_eq!(found(ours, gold), Some(Forgiven::Ties), "{ours}");
        }
        assert_eq!(found("SELECT name FROM shop WHERE name = 'Ash'", gold), None);
        let all = "SELECT name FROM shop WHERE size = (SELECT max(size) FROM shop)";
        assert_eq!(found(gold, all), Some(Forgiven::Ties));
    }

    #[test]
    fn a_limit_that_nobody_asked_for_is_wrong() {
        assert_eq!(
            found("SELECT name FROM shop ORDER BY name LIMIT 3", "SELECT name FROM shop"),
            None
        );
    }

    #[test]
    fn names_stand_for_keys() {
        let gold = "SELECT shop_id, count(*) FROM orders GROUP BY shop_id";
        let ours = "SELECT shop.name, count(*) FROM orders JOIN shop ON shop.id = orders.shop_id \
                    GROUP BY shop.name";
        assert_eq!(found(ours, gold), Some(Forgiven::Names));
        let other = "SELECT shop.size, count(*) FROM orders JOIN shop ON shop.id = orders.shop_id \
                     GROUP BY shop.id, shop.size";
        assert_eq!(found(other, gold), None);
    }

    #[test]
    fn repeated_rows_and_empty_groups_are_forgiven() {
        assert_eq!(
            found("SELECT DISTINCT shop_id FROM orders", "SELECT shop_id FROM orders"),
            Some(Forgiven::Repeated)
        );
        let gold = "SELECT shop_id, count(*) FROM orders GROUP BY shop_id";
        let ours = "SELECT shop.id, count(orders.id) FROM shop LEFT JOIN orders \
                    ON shop.id = orders.shop_id GROUP BY shop.id";
        assert_eq!(found(ours, gold), Some(Forgiven::EmptyGroups));
        let wider = "SELECT shop_id, id FROM orders";
        assert_eq!(found(wider, "SELECT DISTINCT shop_id FROM orders"), None);
    }

    #[test]
    fn other_rows_are_wrong() {
        assert_eq!(found("SELECT name FROM shop", "SELECT name FROM shop WHERE size = 5"), None);
    }
}
