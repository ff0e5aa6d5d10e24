//! Results compared as multisets of rows, independent of the order and number of columns.

use std::cmp::Ordering;
use std::rc::Rc;

/// Largest difference of two equal numbers; relative to the larger one when it exceeds 1.
const TOLERANCE: f64 = 1e-6;
/// Maximum number of column assignments tried.
const TRIES: usize = 2_000;

/// A cell of a result.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// NULL.
    Null,
    /// A number.
    Number(f64),
    /// Text, or bytes converted to text.
    Text(String),
}

/// A result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// Number of columns.
    pub(crate) width: usize,
    /// The rows, in the order returned.
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// How the columns of two results with equal rows compare.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Agreement {
    /// The same columns.
    Same,
    /// This many columns more than the gold result.
    More(usize),
    /// This many columns fewer than the gold result.
    Fewer(usize),
}

impl Agreement {
    /// Number of columns that only one side has.
    pub(crate) fn distance(self) -> usize {
        match self {
            Self::Same => 0,
            Self::More(columns) | Self::Fewer(columns) => columns,
        }
    }
}

impl Rows {
    /// How these rows agree with the gold result; `None` when rows differ or either side is empty.
    pub(crate) fn agreement(&self, gold: &Self) -> Option<Agreement> {
        if self.rows.is_empty() || self.rows.len() != gold.rows.len() {
            return None;
        }
        let (found, agreement) = match self.width.cmp(&gold.width) {
            Ordering::Equal => (embeds(gold, self, false), Agreement::Same),
            Ordering::Greater => {
                (embeds(gold, self, false), Agreement::More(self.width - gold.width))
            }
            Ordering::Less => {
                (embeds(self, gold, false), Agreement::Fewer(gold.width - self.width))
            }
        };
        found.then_some(agreement)
    }

    /// Whether the rows are also in the order of the gold result.
    pub(crate) fn in_order_of(&self, gold: &Self) -> bool {
        self.rows.len() == gold.rows.len()
            && if self.width < gold.width {
                embeds(self, gold, true)
            } else {
                embeds(gold, self, true)
            }
    }

    fn column(&self, index: usize) -> Vec<&Cell> {
        let mut cells: Vec<&Cell> = self.rows.iter().filter_map(|row| row.get(index)).collect();
        cells.sort_by(|one, other| compare(one, other));
        cells
    }
}

/// Whether some choice of columns of `wide` has the same rows as `narrow`.
fn embeds(narrow: &Rows, wide: &Rows, ordered: bool) -> bool {
    if narrow.width == 0 || narrow.width > wide.width {
        return false;
    }
    let wide_columns: Vec<Vec<&Cell>> = (0..wide.width).map(|index| wide.column(index)).collect();
    let candidates: Vec<Vec<usize>> = (0..narrow.width)
        .map(|index| {
            let column = narrow.column(index);
            (0..wide.width).filter(|other| all_equal(&column, &wide_columns[*other])).collect()
        })
        .collect();
    let mut search =
        Search { narrow, wide, candidates: &candidates, ordered, chosen: Vec::new(), tries: 0 };
    search.run()
}

struct Search<'a> {
    narrow: &'a Rows,
    wide: &'a Rows,
    candidates: &'a [Vec<usize>],
    ordered: bool,
    chosen: Vec<usize>,
    tries: usize,
}

impl Search<'_> {
    fn run(&mut self) -> bool {
        let Some(candidates) = self.candidates.get(self.chosen.len()) else {
            self.tries += 1;
            return self.fits();
        };
        for &column in candidates {
            if self.chosen.contains(&column) || self.tries >= TRIES {
                continue;
            }
            self.chosen.push(column);
            if self.run() {
                return true;
            }
            self.chosen.pop();
        }
        false
    }

    fn fits(&self) -> bool {
        let mut left: Vec<Vec<&Cell>> =
            self.narrow.rows.iter().map(|row| row.iter().collect()).collect();
        let mut right: Vec<Vec<&Cell>> = self
            .wide
            .rows
            .iter()
            .map(|row| self.chosen.iter().filter_map(|index| row.get(*index)).collect())
            .collect();
        if !self.ordered {
            left.sort_by(|one, other| compare_rows(one, other));
            right.sort_by(|one, other| compare_rows(one, other));
        }
        left.iter().zip(&right).all(|(one, other)| all_equal(one, other))
    }
}

fn compare_rows(one: &[&Cell], other: &[&Cell]) -> Ordering {
    one.iter()
        .zip(other)
        .map(|(one, other)| compare(one, other))
        .find(|ordering| ordering.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Total order of cells: NULL, numbers, texts.
pub(crate) fn compare(one: &Cell, other: &Cell) -> Ordering {
    match (one, other) {
        (Cell::Number(one), Cell::Number(other)) => one.total_cmp(other),
        (Cell::Text(one), Cell::Text(other)) => one.cmp(other),
        _ => rank(one).cmp(&rank(other)),
    }
}

fn rank(cell: &Cell) -> u8 {
    match cell {
        Cell::Null => 0,
        Cell::Number(_) => 1,
        Cell::Text(_) => 2,
    }
}

fn all_equal(one: &[&Cell], other: &[&Cell]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
}

/// Whether two cells are equal, within the tolerance of numbers.
pub(crate) fn equal(one: &Cell, other: &Cell) -> bool {
    match (one, other) {
        (Cell::Number(one), Cell::Number(other)) => {
            (one - other).abs() <= TOLERANCE * one.abs().max(1.0)
        }
        _ => compare(one, other) == Ordering::Equal,
    }
}

/// Indexes of the gold results with equal rows whose columns differ least.
pub(crate) fn nearest(found: &Rows, golds: &[Option<Rc<Rows>>]) -> Vec<(usize, Agreement)> {
    let agreements: Vec<(usize, Agreement)> = golds
        .iter()
        .enumerate()
        .filter_map(|(index, gold)| Some((index, found.agreement(gold.as_ref()?)?)))
        .collect();
    let least = agreements.iter().map(|(_, agreement)| agreement.distance()).min();
    agreements.into_iter().filter(|(_, agreement)| Some(agreement.distance()) == least).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Rows {
        let rows: Vec<Vec<Cell>> = text
            .split(';')
            .filter(|row| !row.is_empty())
            .map(|row| {
                row.split(',')
                    .map(|cell| match cell {
                        "-" => Cell::Null,
                        _ => cell.parse().map_or_else(|_| Cell::Text(cell.into()), Cell::Number),
                    })
                    .collect()
            })
            .collect();
        Rows { width: rows.first().map_or(0, Vec::len), rows }
    }

    #[test]
    fn results_agree_as_multisets_whatever_the_order_of_columns() {
        for (ours, gold, expected) in [
            ("a,1;b,2", "2,b;1,a", Some(Agreement::Same)),
            ("a,1;b,2", "1,b;2,a", None),
            ("a;a;b", "a;b;b", None),
            ("a;a;b", "a;b", None),
            ("1.0000001", "1", Some(Agreement::Same)),
            ("1.001", "1", None),
            ("-;x", "x;-", Some(Agreement::Same)),
            ("-", "0", None),
            ("", "", None),
            ("7,a,1;8,b,2", "a,1;b,2", Some(Agreement::More(1))),
            ("a;b", "a,1;b,2", Some(Agreement::Fewer(1))),
            ("a,x;b,y", "a,1;b,2", None),
            ("1,1,2;1,2,2", "1,2,1;2,2,1", Some(Agreement::Same)),
        ] {
            assert_eq!(rows(ours).agreement(&rows(gold)), expected, "{ours} | {gold}");
        }
    }

    #[test]
    fn order_counts_where_it_is_asked_for() {
        assert!(rows("a,1;b,2").in_order_of(&rows("1;2")));
        assert!(!rows("b,2;a,1").in_order_of(&rows("1;2")));
    }

    #[test]
    fn a_result_counts_for_the_gold_that_is_nearest() {
        let golds = ["a;b", "1;2", "a,1;b,2"].map(|text| Some(Rc::new(rows(text))));
        let positions = |text: &str| -> Vec<usize> {
            nearest(&rows(text), &golds).into_iter().map(|(index, _)| index).collect()
        };
        assert_eq!(positions("a;b"), [0]);
        assert_eq!(positions("a,1;b,2"), [2]);
        assert_eq!(positions("a,x;b,y"), [0]);
        assert!(positions("c;d").is_empty());
        assert_eq!(nearest(&rows("a;b"), &[None, golds[0].clone()]), [(1, Agreement::Same)]);
    }
}
