//! Order of the rows of a result by one of its columns.

use std::borrow::Cow;
use std::cmp::Ordering;

use wherefore_engine::session::{Cell, ResultSet};

use super::column_format::{ColumnFormat, ColumnKind, decimal_text};
use super::decimal::Decimal;
use super::order;
use crate::texts;

/// Direction of an order.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

/// A column and the direction in which its cells order the rows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Sort {
    /// Index of the column.
    pub column: usize,
    /// Direction.
    pub direction: Direction,
}

impl Sort {
    /// The order after a column's header is activated: ascending, then descending, then the order of the rows.
    pub fn next(current: Option<Self>, column: usize) -> Option<Self> {
        match current.filter(|sort| sort.column == column).map(|sort| sort.direction) {
            None => Some(Self { column, direction: Direction::Ascending }),
            Some(Direction::Ascending) => Some(Self { column, direction: Direction::Descending }),
            Some(Direction::Descending) => None,
        }
    }

    /// Value of `aria-sort` for the header of a column.
    pub fn aria(current: Option<Self>, column: usize) -> &'static str {
        match current.filter(|sort| sort.column == column).map(|sort| sort.direction) {
            None => "none",
            Some(Direction::Ascending) => "ascending",
            Some(Direction::Descending) => "descending",
        }
    }

    /// The order in words, such as `sorted by total (EUR), largest first`.
    pub fn words(self, format: &ColumnFormat) -> String {
        let (least, most) = match format.kind {
            _ if format.numeric => (texts::smallest_first(), texts::largest_first()),
            ColumnKind::Moment(_) => (texts::earliest_first(), texts::latest_first()),
            _ => (texts::a_to_z(), texts::z_to_a()),
        };
        let order = if self.direction == Direction::Ascending { least } else { most };
        texts::sorted_by(&format.label(), order)
    }
}

/// What a cell is compared by.
enum Key {
    Boolean(bool),
    /// Exact digits decide between numbers that are equal as floating-point numbers.
    Number {
        about: f64,
        exact: String,
    },
    /// In lower case.
    Text(String),
    Missing,
}

impl Key {
    fn of(cell: &Cell, numeric: bool) -> Self {
        match cell {
            Cell::Null => Self::Missing,
            Cell::Boolean(value) => Self::Boolean(*value),
            Cell::Text(text) if !numeric => Self::Text(text.to_lowercase()),
            cell => {
                let exact = match cell {
                    Cell::Number(value) => value.to_string(),
                    cell => decimal_text(cell).unwrap_or_default(),
                };
                match exact.parse() {
                    Ok(about) => Self::Number { about, exact },
                    Err(_) => Self::Text(exact.to_lowercase()),
                }
            }
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Boolean(_) => 0,
            Self::Number { .. } => 1,
            Self::Text(_) => 2,
            Self::Missing => 3,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Boolean(one), Self::Boolean(other)) => one.cmp(other),
            (Self::Number { about: a, exact: one }, Self::Number { about: b, exact: other }) => {
                let exactly = || Some(Decimal::parse(one)?.compare(&Decimal::parse(other)?));
                match a.partial_cmp(b) {
                    Some(Ordering::Equal) => exactly().unwrap_or(Ordering::Equal),
                    Some(order) => order,
                    None => a.total_cmp(b),
                }
            }
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (one, other) => one.rank().cmp(&other.rank()),
        }
    }
}

/// Indices of rows in the order of a column; NULL is last in both directions, and equal rows keep their order.
pub fn sorted(rows: &[Vec<Cell>], picked: Vec<u32>, sort: Sort, numeric: bool) -> Vec<u32> {
    let key = |row: &u32| {
        let cell = rows.get(*row as usize).and_then(|cells| cells.get(sort.column));
        Key::of(cell.unwrap_or(&Cell::Null), numeric)
    };
    let keyed: Vec<(Key, u32)> = picked.into_iter().map(|row| (key(&row), row)).collect();
    let keyed = order::sorted(keyed, |(one, _), (other, _)| {
        let missing = |key: &Key| matches!(key, Key::Missing);
        match (missing(one), missing(other)) {
            (false, false) if sort.direction == Direction::Descending => other.compare(one),
            (false, false) => one.compare(other),
            (one, other) => one.cmp(&other),
        }
    });
    keyed.into_iter().map(|(_, row)| row).collect()
}

/// A result whose rows are in the order that the user made, all of them. `is_numeric` says so of a column.
pub fn in_order(
    result: &ResultSet,
    sort: Option<Sort>,
    is_numeric: impl FnOnce(usize) -> bool,
) -> Cow<'_, ResultSet> {
    let Some(sort) = sort else { return Cow::Borrowed(result) };
    let all = (0..result.rows.len() as u32).collect();
    let order = sorted(&result.rows, all, sort, is_numeric(sort.column));
    let rows = order.into_iter().filter_map(|row| result.rows.get(row as usize).cloned()).collect();
    Cow::Owned(ResultSet {
        columns: result.columns.clone(),
        rows,
        truncated: result.truncated,
        cut_count: result.cut_count,
        ..ResultSet::default()
    })
}

#[cfg(test)]
mod tests {
    use super::{Direction, Sort, in_order, sorted};
    use wherefore_engine::session::{Cell, ResultSet};

    fn text(text: &str) -> Cell {
        Cell::Text(text.into())
    }

    fn order(cells: Vec<Cell>, direction: Direction, numeric: bool) -> Vec<u32> {
        let rows: Vec<Vec<Cell>> = cells.into_iter().map(|cell| vec![cell]).collect();
        let all = (0..rows.len() as u32).collect();
        sorted(&rows, all, Sort { column: 0, direction }, numeric)
    }

    #[test]
    fn a_header_goes_through_both_directions_and_back_to_the_order_of_the_rows() {
        let first = Sort::next(None, 2);
        assert_eq!(Sort::aria(first, 2), "ascending");
        assert_eq!(Sort::aria(first, 1), "none");
        let second = Sort::next(first, 2);
        assert_eq!(Sort::aria(second, 2), "descending");
        assert_eq!(Sort::next(second, 2), None);
        assert_eq!(Sort::aria(Sort::next(second, 0), 0), "ascending");
    }

    #[test]
    fn a_result_takes_the_order_of_the_user_and_stays_as_incomplete_as_it_is() {
        let rows = [2, 10, 9].map(|number| vec![text(&number.to_string())]);
        let result = ResultSet {
            rows: rows.to_vec(),
            truncated: true,
            cut_count: 3,
            ..ResultSet::default()
        };
        assert_eq!(*in_order(&result, None, |_| true), result);
        let sort = Sort { column: 0, direction: Direction::Descending };
        let ordered = in_order(&result, Some(sort), |_| true);
        assert_eq!(ordered.rows, ["10", "9", "2"].map(|number| vec![text(number)]));
        assert_eq!((ordered.truncated, ordered.cut_count), (true, 3));
    }

    #[test]
    fn null_is_last_in_both_directions() {
        let cells = || vec![Cell::Null, Cell::Integer(2), Cell::Integer(1)];
        assert_eq!(order(cells(), Direction::Ascending, true), [2, 1, 0]);
        assert_eq!(order(cells(), Direction::Descending, true), [1, 2, 0]);
    }

    #[test]
    fn numbers_are_compared_by_all_their_digits() {
        let cells = vec![
            text("9007199254740993.2"),
            text("9007199254740993.10"),
            text("-9007199254740993"),
            text("9007199254740992"),
            text("100"),
            text("20.5"),
        ];
        assert_eq!(order(cells, Direction::Ascending, true), [2, 5, 4, 3, 1, 0]);
    }

    #[test]
    fn numbers_and_infinities_have_a_place() {
        let cells = vec![
            Cell::Number(f64::INFINITY),
            Cell::Number(1e300),
            Cell::Number(-0.5),
            Cell::Number(f64::NEG_INFINITY),
        ];
        assert_eq!(order(cells, Direction::Ascending, true), [3, 2, 1, 0]);
    }

    #[test]
    fn text_is_compared_without_case_and_not_as_a_number() {
        let cells = vec![text("b"), text("A"), text("10"), text("9"), text("")];
        assert_eq!(order(cells, Direction::Ascending, false), [4, 2, 3, 1, 0]);
    }

    #[test]
    fn equal_rows_keep_their_order_in_both_directions() {
        let cells = || vec![text("a"), text("b"), text("A")];
        assert_eq!(order(cells(), Direction::Ascending, false), [0, 2, 1]);
        assert_eq!(order(cells(), Direction::Descending, false), [1, 0, 2]);
    }
}
