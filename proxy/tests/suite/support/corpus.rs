//! The test corpus of the guard: statements with the expected verdict.

/// Dialect, verdict, statement and reason of each case.
const CASES: &str = include_str!("../../../../sql/tests/data/guard.tsv");

/// A case.
pub struct Case {
    /// Dialect, as named in the file.
    pub dialect: &'static str,
    /// Whether the guard allows the statement.
    pub allowed: bool,
    /// The statement.
    pub sql: String,
}

/// Every case.
pub fn cases() -> impl Iterator<Item = Case> {
    CASES.lines().skip(1).filter(|line| !line.is_empty()).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        Case { dialect: fields[0], allowed: fields[1] == "allow", sql: unescaped(fields[2]) }
    })
}

/// Statements of a dialect that must be rejected.
pub fn hostile(dialect: &str) -> Vec<String> {
    let of_dialect = cases().filter(|case| case.dialect == dialect && !case.allowed);
    of_dialect.map(|case| case.sql).collect()
}

/// Unescapes a statement of the file.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        plain.push(match characters.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('0') => '\0',
            Some(other) => other,
            None => '\\',
        });
    }
    plain
}
