//! Rows of the table that shows which words made which clause.

use wherefore_engine::text::Span;
use wherefore_engine::{Account, RemainderKind};

/// Words with the clause that they made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Row {
    /// The words; empty if no words ask for the clause.
    pub words: String,
    /// The clause, or how words without one were read.
    pub clause: String,
    /// Whether words ask for the clause.
    pub asked_for: bool,
}

/// A row for each clause, then one for each way in which other words were read; punctuation is left out.
pub fn rows(question: &str, account: &Account) -> Vec<Row> {
    let clauses = account.clauses.iter().map(|clause| {
        let words = joined(question, clause.spans.iter().copied());
        let reason = clause.default.map(|default| format!(" ({})", default.reason()));
        let asked_for = !words.is_empty();
        Row { words, clause: clause.text.clone() + &reason.unwrap_or_default(), asked_for }
    });
    let mut rows: Vec<Row> = clauses.collect();
    let mut told: Vec<RemainderKind> = vec![RemainderKind::Punctuation];
    for rest in &account.rest {
        if told.contains(&rest.reading) {
            continue;
        }
        told.push(rest.reading);
        let alike = account.rest.iter().filter(|other| other.reading == rest.reading);
        let words = joined(question, alike.map(|other| other.span));
        rows.push(Row { words, clause: rest.reading.words().to_owned(), asked_for: false });
    }
    rows
}

/// Words of a question, with dots where other words stand between them.
fn joined(question: &str, spans: impl Iterator<Item = Span>) -> String {
    let words: Vec<&str> = spans.map(|span| span.of(question)).collect();
    words.join(" … ")
}

#[cfg(test)]
mod tests {
    use super::{Row, rows};
    use wherefore_engine::text::Span;
    use wherefore_engine::{Account, Clause, ClauseDefault, ClauseKind, Remainder, RemainderKind};

    #[test]
    fn words_of_one_kind_share_a_row() {
        let rest = |start, end, reading| Remainder { span: Span::new(start, end), reading };
        let clause = |spans: Vec<Span>, default| Clause {
            kind: ClauseKind::Rows,
            text: "orders".to_owned(),
            spans,
            default,
        };
        let account = Account {
            clauses: vec![
                clause(vec![Span::new(4, 10)], None),
                clause(Vec::new(), Some(ClauseDefault::Join)),
            ],
            rest: vec![
                rest(0, 3, RemainderKind::Structure),
                rest(11, 13, RemainderKind::Structure),
                rest(13, 14, RemainderKind::Punctuation),
            ],
        };
        let row = |words: &str, clause: &str, asked_for| Row {
            words: words.to_owned(),
            clause: clause.to_owned(),
            asked_for,
        };
        assert_eq!(
            rows("the orders of?", &account),
            [
                row("orders", "orders", true),
                row("", "orders (joins two tables)", false),
                row("the … of", "structure of the sentence", false),
            ]
        );
    }
}
