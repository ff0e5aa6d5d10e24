//! Which charts suit a result.

use wherefore_engine::session::ResultSet;

use super::chart::{Chart, ChartKind, Wording};
use super::chart_plan::{Plan, Roles, SERIES, Series, exact, shown};
use super::column_format::{ColumnFormat, ColumnKind};
use super::order::count_distinct;
use super::periods::positions;
use super::sql_tokens::{SqlTokenKind, tokenize};

/// Words in names of measures whose sum means nothing.
const NOT_ADDITIVE: [&str; 9] =
    ["average", "avg", "mean", "median", "minimum", "maximum", "rate", "ratio", "distinct"];

/// The charts that suit a result, the most suitable first; none if the table alone says more.
pub fn charts(
    result: &ResultSet,
    formats: &[ColumnFormat],
    sql: &str,
    wording: &Wording,
) -> Vec<Chart> {
    if result.truncated || result.cut_count > 0 || !is_grouped(sql) {
        return Vec::new();
    }
    let roles = Roles::of(result, formats);
    roles.plans(result).into_iter().filter_map(|plan| plan.chart(&roles, wording)).collect()
}

impl<'a> Roles<'a> {
    fn of(result: &'a ResultSet, formats: &'a [ColumnFormat]) -> Self {
        let is_measure = |at: &usize| matches!(formats[*at].kind, ColumnKind::Quantity { .. });
        let (measures, mut names): (Vec<usize>, Vec<usize>) =
            (0..formats.len()).partition(is_measure);
        // A key says nothing to a person where there is a name.
        let is_code = |at: &usize| formats[*at].kind == ColumnKind::Code;
        if !names.iter().all(is_code) {
            names.retain(|at| !is_code(at));
        }
        Self { result, formats, names, measures }
    }

    /// The rules: periods give a line, shares parts of a whole, one measure bars, two measures a scatter plot, two
    /// groups a series for each value of one of them.
    fn plans(&self, result: &ResultSet) -> Vec<Plan> {
        use ChartKind::{Bars, Grouped, Line, Scatter, Whole};
        let names = &self.names;
        let one = |kind: ChartKind, measure: usize| Plan {
            kind,
            categories: names.clone(),
            measure,
            series: Series::One,
        };
        let is_share = |at: usize| {
            let format = &self.formats[at];
            format.is_percent() && format.name.to_lowercase().contains("share")
        };
        let is_percent = |at: usize| self.formats[at].is_percent();
        let periods = matches!(names.as_slice(), [only] if self.positions(*only).is_some());
        match (names.as_slice(), self.measures.as_slice()) {
            ([], _) | (_, []) => Vec::new(),
            ([first, second], [measure]) => {
                let mut plans = self.two_groups(result, *first, *second, *measure);
                plans.push(one(if is_share(*measure) { Whole } else { Bars }, *measure));
                plans
            }
            (_, [measure]) if periods => vec![one(Line, *measure), one(Bars, *measure)],
            // Growth beside its figure is of another unit.
            (_, [measure, growth]) if periods && is_percent(*growth) => {
                vec![one(Line, *measure), one(Bars, *measure), one(Line, *growth)]
            }
            (_, [measure]) if is_share(*measure) => vec![one(Whole, *measure), one(Bars, *measure)],
            (_, [measure]) => vec![one(Bars, *measure)],
            (_, [first, ..]) if self.measures_are_comparable() => {
                let across =
                    |kind: ChartKind| Plan { series: Series::Measures, ..one(kind, *first) };
                let mut plans = vec![across(if periods { Line } else { Grouped })];
                if periods {
                    plans.push(across(Grouped));
                }
                if let ([_, second], false) = (self.measures.as_slice(), periods) {
                    plans.push(one(Scatter, *second));
                }
                plans
            }
            (_, [first, second]) if periods => vec![one(Line, *first), one(Line, *second)],
            (_, [first, second]) => {
                vec![one(Scatter, *second), one(Bars, *first), one(Bars, *second)]
            }
            _ => Vec::new(),
        }
    }

    /// Charts with a series for each value of one of two groups: that with fewer values, and no period.
    fn two_groups(
        &self,
        result: &ResultSet,
        first: usize,
        second: usize,
        measure: usize,
    ) -> Vec<Plan> {
        use ChartKind::{Grouped, Line, Stacked};
        let distinct = |at: usize| {
            let values: Vec<String> =
                result.rows.iter().map(|row| shown(&row[at], &self.formats[at])).collect();
            count_distinct(&values)
        };
        let (in_first, in_second) = (distinct(first), distinct(second));
        let (category, series, count) =
            match (self.positions(first).is_some(), self.positions(second).is_some()) {
                (true, false) => (first, second, in_second),
                (false, true) => (second, first, in_first),
                _ if in_first < in_second => (second, first, in_first),
                _ => (first, second, in_second),
            };
        let is_person = |at: usize| self.formats[at].title.ends_with("irst name");
        // Groups that hardly ever meet, such as two names of the same thing, are no series.
        let meets = result.rows.len() * 2 >= count * 3;
        if !SERIES.contains(&count) || !meets || is_person(first) || is_person(second) {
            return Vec::new();
        }
        let plan = |kind: ChartKind| Plan {
            kind,
            categories: vec![category],
            measure,
            series: Series::Column(series),
        };
        let mut kinds = vec![Stacked, Grouped];
        if self.positions(category).is_some() {
            kinds.insert(0, Line);
        }
        kinds.into_iter().map(plan).collect()
    }

    /// Whether all measures have the same unit, so that they can share an axis.
    fn measures_are_comparable(&self) -> bool {
        let mut units = self.measures.iter().map(|at| &self.formats[*at].unit);
        let Some(Some(first)) = units.next() else { return false };
        SERIES.contains(&self.measures.len()) && units.all(|unit| unit.as_ref() == Some(first))
    }

    /// Positions of the values of a column, if they are periods.
    pub(super) fn positions(&self, column: usize) -> Option<Vec<f64>> {
        let texts: Vec<String> = self.result.rows.iter().map(|row| exact(&row[column])).collect();
        positions(texts.iter().map(String::as_str))
    }

    pub(super) fn is_additive(&self, measure: usize) -> bool {
        let format = &self.formats[measure];
        let title = format.title.to_lowercase();
        !format.is_percent() && !title.split(' ').any(|word| NOT_ADDITIVE.contains(&word))
    }
}

/// Whether the rows of a statement are groups: it has `GROUP BY` outside parentheses.
pub(super) fn is_grouped(sql: &str) -> bool {
    let mut depth = 0_i32;
    for (kind, text) in tokenize(sql) {
        match kind {
            SqlTokenKind::Symbol if text == "(" => depth += 1,
            SqlTokenKind::Symbol if text == ")" => depth -= 1,
            SqlTokenKind::Keyword if depth == 0 && text.eq_ignore_ascii_case("group") => {
                return true;
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests;
