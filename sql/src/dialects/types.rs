//! Types of other dialects.

use crate::read::ReadDialect;
use crate::tree::CastType;

use super::tables;

/// The tree's type for a type name of a dialect. `None` if the name has its PostgreSQL meaning; `Err` with the name if
/// the tree has no equivalent type.
pub(crate) fn foreign_type(text: &str, dialect: ReadDialect) -> Option<Result<CastType, String>> {
    let text = text.to_ascii_lowercase();
    let (name, arguments) = split(&text);
    let known = tables::type_of(&text, dialect).or_else(|| tables::type_of(&name, dialect))?;
    if known == "!" {
        return Some(Err(name));
    }
    let (known, keeps) = match known.strip_suffix('*') {
        Some(known) => (known, true),
        None => (known, false),
    };
    let (known, own) = split(known);
    let Some(own) = numbers(&own) else { return Some(Err(name)) };
    let arguments = match (keeps, numbers(&arguments)) {
        (false, _) => own,
        // PostgreSQL's `text` has no length, and its timestamps have at most six fractional digits.
        (true, Some(arguments)) if known == "text" && !arguments.is_empty() => {
            return Some(Ok(CastType { name: "varchar".to_owned(), arguments }));
        }
        (true, Some(arguments)) if known.starts_with("timestamp") => {
            arguments.into_iter().filter(|digits| *digits <= 6).collect()
        }
        (true, Some(arguments)) => arguments,
        (true, None) => return Some(Err(text)),
    };
    Some(Ok(CastType { name: known, arguments }))
}

/// Splits a type into its name and the text in parentheses.
fn split(text: &str) -> (String, String) {
    let Some((head, rest)) = text.split_once('(') else { return (text.to_owned(), String::new()) };
    let (arguments, tail) = rest.split_once(')').unwrap_or((rest, ""));
    (format!("{}{tail}", head.trim_end()), arguments.to_owned())
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|part| part.trim().parse().ok()).collect()
}
