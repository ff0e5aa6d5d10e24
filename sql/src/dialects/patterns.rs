//! LIKE patterns of SQL Server with sets of characters, such as `'[a-c]%'`.

use crate::tree::{BinaryOperator, Expr, FunctionCall, Literal};

use super::template::plain_arguments;

/// LIKE with a pattern that contains a set of characters as a call of `_like_set`; `None` for other patterns.
pub(super) fn with_set(node: &Expr) -> Option<Expr> {
    let Expr::Like { operand, pattern, negated, escape: None, .. } = node else { return None };
    let Expr::Literal(Literal::String(text), _) = &**pattern else { return None };
    if !text.contains('[') {
        return None;
    }
    let call = Expr::call("_like_set", vec![(**operand).clone(), (**pattern).clone()]);
    Some(if *negated { Expr::Not(Box::new(call)) } else { call })
}

/// The match as a regular expression that ignores case.
pub(super) fn as_regex(call: &FunctionCall) -> Option<Expr> {
    let arguments = plain_arguments(call)?;
    let [operand, Expr::Literal(Literal::String(pattern), _)] = arguments.as_slice() else {
        return None;
    };
    let mut regex = "^".to_owned();
    let mut rest = pattern.chars();
    while let Some(character) = rest.next() {
        match character {
            '%' => regex.push_str(".*"),
            '_' => regex.push('.'),
            '[' => {
                let set: String = rest.by_ref().take_while(|inner| *inner != ']').collect();
                let (start, set) = match set.strip_prefix('^') {
                    Some(set) => ("[^", set),
                    None => ("[", set.as_str()),
                };
                regex.push_str(start);
                regex.push_str(&set.replace('\\', "\\\\").replace('[', "\\["));
                regex.push(']');
            }
            letter if letter.is_alphanumeric() || letter == ' ' => regex.push(letter),
            mark => {
                regex.push('\\');
                regex.push(mark);
            }
        }
    }
    regex.push('$');
    Some(Expr::binary(operand.clone(), BinaryOperator::RegexInsensitive, Expr::string(regex)))
}
