//! The corpus of statements that the guard must judge: those of one dialect, with what is expected.

const CASES: &str = include_str!("../../../../engine/tests/data/guard.tsv");

/// Statements of a dialect that must be refused.
pub fn hostile(dialect: &str) -> Vec<String> {
    CASES
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|fields| fields[0] == dialect && fields[1] == "reject")
        .map(|fields| unescaped(fields[2]))
        .collect()
}

/// Undoes the escapes of the file.
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
