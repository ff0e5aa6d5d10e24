//! LIKE patterns of SQL Server with sets of characters, such as `'[a-c]%'`.

use crate::tree::{BinaryOperator, Expr, FunctionCall, Literal};

use super::template::plain_arguments;

/// LIKE with a pattern that contains a set of characters as a call of `_like_set(operand, pattern, escape)`, where an
/// empty text means no escape character; `None` for other patterns.
pub(super) fn with_set(node: &Expr) -> Option<Expr> {
    let Expr::Like { operand, pattern, negated, escape, .. } = node else { return None };
    let Expr::Literal(Literal::String(text), _) = &**pattern else { return None };
    if !text.contains('[') {
        return None;
    }
    let escape = Expr::string(escape.map(String::from).unwrap_or_default());
    let call = Expr::call("_like_set", vec![(**operand).clone(), (**pattern).clone(), escape]);
    Some(if *negated { Expr::Not(Box::new(call)) } else { call })
}

/// A part of a pattern.
#[derive(Debug, Eq, PartialEq)]
enum Piece {
    /// `%`.
    Any,
    /// A character that stands for itself.
    Letter(char),
    /// `_`.
    One,
    /// A set: whether it is negated, and its characters and ranges, of which an escaped character is no range.
    Set(bool, Vec<(char, Option<char>)>),
}

/// The parts of a pattern; `None` if a set is empty or not closed, or the pattern ends with its escape character.
fn pieces(pattern: &str, escape: Option<char>) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = pattern.chars().peekable();
    while let Some(character) = rest.next() {
        pieces.push(match character {
            escaping if Some(escaping) == escape => Piece::Letter(rest.next()?),
            '%' => Piece::Any,
            '_' => Piece::One,
            '[' => {
                let negated = rest.next_if_eq(&'^').is_some();
                let mut set: Vec<(char, Option<char>)> = Vec::new();
                loop {
                    let (character, literal) = match rest.next()? {
                        ']' => break,
                        escaping if Some(escaping) == escape => (rest.next()?, true),
                        character => (character, false),
                    };
                    let is_range = character == '-' && !literal;
                    match (set.last_mut(), rest.peek()) {
                        (Some((_, end @ None)), Some(next)) if is_range && *next != ']' => {
                            *end = Some(*next);
                            rest.next();
                        }
                        _ => set.push((character, None)),
                    }
                }
                if set.is_empty() {
                    return None;
                }
                Piece::Set(negated, set)
            }
            character => Piece::Letter(character),
        });
    }
    Some(pieces)
}

/// The operand and the parts of a call of `_like_set`.
fn parts(call: &FunctionCall) -> Option<(Expr, Vec<Piece>)> {
    let [operand, pattern, escape] = plain_arguments(call)?.try_into().ok()?;
    let (Expr::Literal(Literal::String(pattern), _), Expr::Literal(Literal::String(escape), _)) =
        (pattern, escape)
    else {
        return None;
    };
    Some((operand, pieces(&pattern, escape.chars().next())?))
}

/// The match as a regular expression that ignores case.
pub(super) fn as_regex(call: &FunctionCall) -> Option<Expr> {
    let (operand, pieces) = parts(call)?;
    let quoted = |character: char| match character {
        character if character.is_alphanumeric() || character == ' ' => character.to_string(),
        mark => format!("\\{mark}"),
    };
    let mut regex = "^".to_owned();
    for piece in pieces {
        match piece {
            Piece::Any => regex.push_str(".*"),
            Piece::One => regex.push('.'),
            Piece::Letter(letter) => regex.push_str(&quoted(letter)),
            Piece::Set(negated, set) => {
                regex.push_str(if negated { "[^" } else { "[" });
                for (start, end) in set {
                    regex.push_str(&quoted(start));
                    if let Some(end) = end {
                        regex.push('-');
                        regex.push_str(&quoted(end));
                    }
                }
                regex.push(']');
            }
        }
    }
    regex.push('$');
    Some(Expr::binary(operand, BinaryOperator::RegexInsensitive, Expr::string(regex)))
}

/// The match as GLOB of lower-case texts; `None` if a set has a character with a meaning in GLOB.
pub(super) fn as_glob(call: &FunctionCall) -> Option<Expr> {
    let (operand, pieces) = parts(call)?;
    let mut glob = String::new();
    for piece in pieces {
        match piece {
            Piece::Any => glob.push('*'),
            Piece::One => glob.push('?'),
            Piece::Letter(mark @ ('*' | '?' | '[')) => {
                glob.push('[');
                glob.push(mark);
                glob.push(']');
            }
            Piece::Letter(letter) => glob.push(letter.to_ascii_lowercase()),
            Piece::Set(negated, set) => {
                glob.push_str(if negated { "[^" } else { "[" });
                for (start, end) in set {
                    if [Some(start), end].iter().any(|it| matches!(it, Some(']' | '^' | '-'))) {
                        return None;
                    }
                    glob.push(start.to_ascii_lowercase());
                    if let Some(end) = end {
                        glob.push('-');
                        glob.push(end.to_ascii_lowercase());
                    }
                }
                glob.push(']');
            }
        }
    }
    let lower = Expr::call("lower", vec![operand]);
    Some(Expr::binary(lower, BinaryOperator::Glob, Expr::string(glob)))
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[test]
    fn an_escape_character_also_counts_inside_a_set() {
        let set = Piece::Set(true, vec![('a', Some('c')), ('-', None), (']', None)]);
        assert_eq!(
            pieces("![[^a-c!-!]]_!%", Some('!')),
            Some(vec![Piece::Letter('['), set, Piece::One, Piece::Letter('%')])
        );
    }

    #[test]
    fn an_unfinished_pattern_is_none() {
        assert_eq!(pieces("[a", None), None);
        assert_eq!(pieces("[]", None), None);
        assert_eq!(pieces("a!", Some('!')), None);
    }
}
