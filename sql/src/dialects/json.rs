//! JSON paths: `_json(value, key, …)` yields JSON, `_json_text(value, key, …)` yields text.

use crate::tree::{Expr, FunctionCall, Literal};

use super::template::plain_arguments;

/// Merges nested calls of `_json` into one path.
pub(crate) fn flattened_path(expr: Expr) -> Expr {
    let Expr::Function(call) = expr else { return expr };
    let mut arguments = plain_arguments(&call).unwrap_or_default();
    match arguments.first() {
        Some(Expr::Function(inner)) if inner.name == "_json" => {
            let mut all = plain_arguments(inner).unwrap_or_default();
            all.extend(arguments.split_off(1));
            Expr::call(&call.name, all)
        }
        _ => Expr::Function(call),
    }
}

/// The keys of a JSON path such as `$.a.b[0]` or `$."a b"`; the leading `$` is optional.
pub(super) fn keys(path: &str) -> Option<Vec<Expr>> {
    let mut rest = path.strip_prefix('$').unwrap_or(path);
    let mut keys = Vec::new();
    let mut is_first = !path.starts_with('$');
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']')?;
            let key =
                match index.strip_prefix(['"', '\'']).and_then(|k| k.strip_suffix(['"', '\''])) {
                    Some(key) => Expr::string(key),
                    None => Expr::number(index.parse::<u32>().ok()?.to_string()),
                };
            keys.push(key);
            rest = after;
            is_first = false;
            continue;
        }
        rest = match rest.strip_prefix('.') {
            Some(rest) => rest,
            None if is_first => rest,
            None => return None,
        };
        is_first = false;
        if let Some(quoted) = rest.strip_prefix('"') {
            let (key, after) = quoted.split_once('"')?;
            keys.push(Expr::string(key));
            rest = after;
            continue;
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        if key.is_empty() || !key.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        keys.push(Expr::string(key));
        rest = after;
    }
    Some(keys)
}

/// A call of `_json` or `_json_text` for a constant path.
pub(super) fn at(name: &str, value: Expr, path: &Expr) -> Option<Expr> {
    let Expr::Literal(Literal::String(path), _) = path else { return None };
    let mut arguments = vec![value];
    arguments.extend(keys(path)?);
    Some(flattened_path(Expr::call(name, arguments)))
}

/// The value and the JSON path (`$.a.b[0]`) of a call of `_json` or `_json_text`.
pub(super) fn path(call: &FunctionCall) -> Option<(Expr, String)> {
    let arguments = plain_arguments(call)?;
    let (value, keys) = arguments.split_first()?;
    let mut path = "$".to_owned();
    for key in keys {
        match key {
            Expr::Literal(Literal::String(key), _) if is_plain(key) => {
                path.push('.');
                path.push_str(key);
            }
            Expr::Literal(Literal::String(key), _) if !key.contains('"') => {
                path.push_str(".\"");
                path.push_str(key);
                path.push('"');
            }
            Expr::Literal(Literal::Number(index), _) => {
                path.push('[');
                path.push_str(index);
                path.push(']');
            }
            _ => return None,
        }
    }
    Some((value.clone(), path))
}

/// Keys as the text of a PostgreSQL array: `{a,b,0}`.
pub(super) fn array(keys: &[Expr]) -> Option<String> {
    let keys: Option<Vec<String>> = keys
        .iter()
        .map(|key| match key {
            Expr::Literal(Literal::String(key), _) if is_plain(key) => Some(key.clone()),
            Expr::Literal(Literal::String(key), _) => {
                Some(format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\"")))
            }
            Expr::Literal(Literal::Number(index), _) => Some(index.clone()),
            _ => None,
        })
        .collect();
    Some(format!("{{{}}}", keys?.join(",")))
}

fn is_plain(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !key.eq_ignore_ascii_case("null")
}
