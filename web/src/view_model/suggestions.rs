//! Which questions are suggested after an answer.

use wherefore_engine::catalog::Area;

use super::sql_tokens::{SqlTokenKind, tokenize};

/// Maximum number of suggestions.
pub const SUGGESTIONS: usize = 3;

/// Candidates for a suggestion, best first: those of the engine, the others of their area, then those of other areas.
pub fn candidates(found: &[String], areas: &[Area]) -> Vec<String> {
    let is_near = |area: &&Area| area.suggestions.iter().any(|known| found.contains(known));
    let (near, far): (Vec<&Area>, Vec<&Area>) = areas.iter().partition(is_near);
    let longest = far.iter().map(|area| area.suggestions.len()).max().unwrap_or(0);
    let far = (0..longest)
        .flat_map(|at| far.iter().filter_map(move |area| area.suggestions.get(at)))
        .collect::<Vec<_>>();
    let near = near.into_iter().flat_map(|area| &area.suggestions);
    let mut all: Vec<String> = Vec::new();
    for question in found.iter().chain(near).chain(far) {
        if !all.contains(question) {
            all.push(question.clone());
        }
    }
    all
}

/// Up to three candidates that were not asked, neither in the same words nor, as `is_answered` says, in others.
pub fn unasked(
    candidates: Vec<String>,
    asked: &[String],
    is_answered: impl Fn(&str) -> bool,
) -> Vec<String> {
    let asked: Vec<String> = asked.iter().map(|question| words(question)).collect();
    candidates
        .into_iter()
        .filter(|question| !asked.contains(&words(question)) && !is_answered(question))
        .take(SUGGESTIONS)
        .collect()
}

/// A statement without the names that it gives to columns and tables; equal for statements with the same rows.
pub fn shape(sql: &str) -> String {
    let tokens = || tokenize(sql).into_iter().filter(|(kind, _)| *kind != SqlTokenKind::Space);
    let names = || tokens().zip(tokens().skip(1));
    let aliases: Vec<&str> = names()
        .filter(|((_, before), (kind, _))| is_as(before) && *kind == SqlTokenKind::Name)
        .map(|(_, (_, alias))| alias)
        .collect();
    let shown = tokens().map(|(_, token)| match aliases.iter().position(|alias| *alias == token) {
        Some(index) => format!("#{index}"),
        None => token.to_owned(),
    });
    shown.collect::<Vec<_>>().join(" ")
}

fn is_as(token: &str) -> bool {
    token.eq_ignore_ascii_case("as")
}

/// The words of a question in lower case, without punctuation.
fn words(question: &str) -> String {
    let lower = question.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{candidates, shape, unasked};
    use wherefore_engine::catalog::Area;

    fn list(questions: &[&str]) -> Vec<String> {
        questions.iter().map(|question| (*question).to_owned()).collect()
    }

    fn area(questions: &[&str]) -> Area {
        Area { suggestions: list(questions), ..Area::default() }
    }

    #[test]
    fn the_question_just_asked_is_not_suggested_in_any_spelling() {
        let found = list(&["orders by status", "revenue by month"]);
        for asked in ["orders by status", "Orders, by status?", " ORDERS by  status "] {
            let left = unasked(found.clone(), &list(&[asked]), |_| false);
            assert_eq!(left, ["revenue by month"], "{asked}");
        }
    }

    #[test]
    fn a_question_with_the_same_statement_is_not_suggested() {
        let found = list(&["orders per status", "revenue by month"]);
        let left = unasked(found, &[], |question| question.starts_with("orders"));
        assert_eq!(left, ["revenue by month"]);
    }

    #[test]
    fn the_rest_of_the_area_fills_up_before_other_areas_in_turn() {
        let areas = [area(&["far 1", "far 2"]), area(&["a", "b", "c"]), area(&["other 1"])];
        let all = candidates(&list(&["b"]), &areas);
        assert_eq!(all, ["b", "a", "c", "far 1", "other 1", "far 2"]);
    }

    #[test]
    fn there_are_three_at_most() {
        assert_eq!(unasked(list(&["a", "b", "c", "d"]), &list(&["b"]), |_| false), ["a", "c", "d"]);
        assert_eq!(unasked(list(&["a", "b", "c", "d"]), &[], |_| false).len(), 3);
    }

    #[test]
    fn statements_that_differ_in_names_only_have_the_same_shape() {
        let sql = |alias: &str, column: &str| {
            format!(
                "SELECT {column}, count(*) AS {alias} FROM orders GROUP BY {column} ORDER BY {alias} DESC"
            )
        };
        assert_eq!(
            shape(&sql("order_volume", "status")),
            shape(&sql("number_of_orders", "status"))
        );
        assert_ne!(shape(&sql("n", "status")), shape(&sql("n", "city")));
    }
}
