//! Canonical form of a statement, equal for statements that differ only in spelling.

use serde_json::{Value, json};
use wherefore_sql::{Dialect, ReadDialect, print_for, read_for};

/// Canonical form of a statement of dialect `target`; `None` when it cannot be parsed.
pub(super) fn form(sql: &str, target: Dialect) -> Option<Value> {
    let from = ReadDialect::from(target);
    // sqlparser does not know VARIADIC; the array after it is a JSON path, like that of `#>`.
    let sql = &sql.replace("VARIADIC '", "'variadic ");
    let query = match target {
        // SQLite's date functions stay function calls.
        Dialect::Sqlite => wherefore_sql::read(sql, from).ok()?,
        Dialect::Postgres => read_for(sql, from).ok()?,
    };
    match serde_json::to_value(&query) {
        Ok(mut value) => {
            rewrite(&mut value, target);
            Some(value)
        }
        // The tree cannot be serialised: compare the printed text instead.
        Err(_) => print_for(&query, target.into()).ok().map(Value::String),
    }
}

/// Rewrites every node, bottom-up.
fn rewrite(value: &mut Value, target: Dialect) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite(item, target)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| rewrite(field, target));
            order(value, target);
            name(value, target);
            node(value, target);
        }
        _ => {}
    }
}

/// Makes the default position of NULLs explicit.
fn order(value: &mut Value, target: Dialect) {
    let Some(descending) = value.get("descending").and_then(Value::as_bool) else { return };
    let default = match target {
        Dialect::Postgres => descending,
        Dialect::Sqlite => !descending,
    };
    if value["nulls_first"].is_null() {
        value["nulls_first"] = json!(default);
    }
}

/// Case-insensitive names in lower case.
fn name(value: &mut Value, target: Dialect) {
    let (Some(text), Some(quoted)) = (
        value.get("name").and_then(Value::as_str).map(str::to_owned),
        value.get("quoted").and_then(Value::as_bool),
    ) else {
        return;
    };
    let lower = text.to_ascii_lowercase();
    if target == Dialect::Sqlite || !quoted {
        value["name"] = json!(lower);
        value["quoted"] = json!(false);
    } else if lower == text {
        value["quoted"] = json!(false);
    }
}

fn node(value: &mut Value, target: Dialect) {
    for rule in [
        typed_literal,
        negative_number,
        interval,
        interval_sum,
        now,
        json_path,
        division,
        flat,
        not_null,
        true_join,
        own_name,
        within_group,
    ] {
        rule(value);
    }
    renamed(value, target);
}

fn text_of<'a>(value: &'a Value, kind: &str) -> Option<&'a str> {
    value.get("literal")?.get(kind)?.as_str()
}

/// `DATE 'x'` → `CAST('x' AS DATE)`.
fn typed_literal(value: &mut Value) {
    for kind in ["date", "timestamp"] {
        if let Some(text) = text_of(value, kind).map(str::to_owned) {
            *value = json!({"cast": {
                "operand": {"literal": {"string": text}},
                "to": {"name": kind, "arguments": []},
            }});
        }
    }
}

/// `-(1)` → `-1`.
fn negative_number(value: &mut Value) {
    let Some(unary) = value.get("unary") else { return };
    if unary["negative"] == json!(true)
        && let Some(number) = text_of(&unary["operand"], "number").map(str::to_owned)
    {
        *value = json!({"literal": {"number": format!("-{number}")}});
    }
}

/// Units in the singular and in lower case; a quarter is three months.
fn interval(value: &mut Value) {
    let Some(text) = text_of(value, "interval") else { return };
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let mut written = Vec::new();
    for pair in words.chunks(2) {
        let (count, unit) = match pair {
            [count, unit] => (*count, unit.strip_suffix('s').unwrap_or(unit)),
            other => (other.first().copied().unwrap_or_default(), ""),
        };
        match count.parse::<i64>() {
            Ok(number) if unit == "quarter" => written.push(format!("{} month", number * 3)),
            Ok(number) => written.push(format!("{number} {unit}")),
            Err(_) => written.push(format!("{count} {unit}")),
        }
    }
    *value = json!({"literal": {"interval": written.join(" ")}});
}

/// `x - INTERVAL '1 day'` → `x + INTERVAL '-1 day'`, `n * INTERVAL …` → `INTERVAL … * n`.
fn interval_sum(value: &mut Value) {
    let Some(binary) = value.get_mut("binary") else { return };
    if binary["operator"] == "multiply" && text_of(&binary["right"], "interval").is_some() {
        let left = binary["left"].take();
        binary["left"] = binary["right"].take();
        binary["right"] = left;
    }
    if binary["operator"] == "minus"
        && let Some(text) = text_of(&binary["right"], "interval")
        && let Some((count, unit)) = text.split_once(' ')
        && !unit.contains(' ')
        && let Ok(count) = count.parse::<i64>()
    {
        let text = format!("{} {unit}", -count);
        binary["operator"] = json!("plus");
        binary["right"] = json!({"literal": {"interval": text}});
    }
}

/// `now()` → `CURRENT_TIMESTAMP`.
fn now(value: &mut Value) {
    if let Some(call) = value.get_mut("function")
        && call["name"] == "now"
        && call["arguments"] == json!([])
    {
        call["name"] = json!("current_timestamp");
    }
}

/// `json_extract_path(x, 'a', 'b')` → `x #> '{a,b}'`; likewise `x -> 'a'` with one key.
fn json_path(value: &mut Value) {
    if let Some(call) = value.get("function") {
        let operator = match call["name"].as_str() {
            Some("json_extract_path") => "json_path",
            Some("json_extract_path_text") => "json_path_text",
            _ => return,
        };
        let Some(arguments) = call["arguments"].as_array() else { return };
        let keys: Option<Vec<&str>> = arguments
            .iter()
            .skip(1)
            .map(|key| text_of(&key["expr"], "string").filter(|key| is_key(key)))
            .collect();
        let variadic = match arguments.as_slice() {
            [_, path] => {
                text_of(&path["expr"], "string").and_then(|path| path.strip_prefix("variadic "))
            }
            _ => None,
        };
        let path = match (variadic, keys) {
            (Some(path), _) => path.to_owned(),
            (None, Some(keys)) => format!("{{{}}}", keys.join(",")),
            (None, None) => return,
        };
        let left = arguments.first().map(|first| first["expr"].clone()).unwrap_or_default();
        *value = json!({"binary": {
            "operator": operator, "left": left, "right": {"literal": {"string": path}},
        }});
        return;
    }
    let Some(binary) = value.get_mut("binary") else { return };
    let operator = match binary["operator"].as_str() {
        Some("json_get") => "json_path",
        Some("json_get_text") => "json_path_text",
        _ => return,
    };
    if let Some(key) = text_of(&binary["right"], "string").filter(|key| is_key(key)) {
        let path = format!("{{{key}}}");
        binary["operator"] = json!(operator);
        binary["right"] = json!({"literal": {"string": path}});
    }
}

/// Whether a text is a plain key: not an index and without path syntax.
fn is_key(key: &str) -> bool {
    !key.is_empty() && key.parse::<i64>().is_err() && !key.contains(['{', '}', ',', '"', '\\', '$'])
}

/// `nullif(2, 0)` → `2`.
fn division(value: &mut Value) {
    let Some(call) = value.get("function") else { return };
    if call["name"] != "nullif" || text_of(&call["arguments"][1]["expr"], "number") != Some("0") {
        return;
    }
    let number = text_of(&call["arguments"][0]["expr"], "number");
    if number.is_some_and(|number| number.contains(|c: char| matches!(c, '1'..='9'))) {
        *value = call["arguments"][0]["expr"].clone();
    }
}

/// Flattens nested ANDs and nested ORs.
fn flat(value: &mut Value) {
    for kind in ["and", "or"] {
        let Some(parts) = value.get(kind).and_then(Value::as_array) else { continue };
        let mut flattened = Vec::new();
        for part in parts {
            match part.get(kind).and_then(Value::as_array) {
                Some(inner) => flattened.extend(inner.iter().cloned()),
                None => flattened.push(part.clone()),
            }
        }
        *value = json!({kind: flattened});
    }
}

/// `NOT x IS NULL` → `x IS NOT NULL`; likewise for the other tests.
fn not_null(value: &mut Value) {
    let Some(inner) = value.get("not") else { return };
    for kind in ["is_null", "between", "in_list", "in_query", "exists", "like"] {
        if let Some(test) = inner.get(kind) {
            let mut test = test.clone();
            test["negated"] = json!(test["negated"] != json!(true));
            *value = json!({kind: test});
            return;
        }
    }
}

/// `JOIN … ON TRUE` → `CROSS JOIN`.
fn true_join(value: &mut Value) {
    if value.get("kind").and_then(Value::as_str) == Some("inner")
        && value["condition"] == json!({"on": {"literal": {"boolean": true}}})
    {
        value["kind"] = json!("cross");
        value["condition"] = json!("none");
    }
}

/// `a AS a` is `a`.
fn own_name(value: &mut Value) {
    let Some(item) = value.get_mut("expr") else { return };
    if item.get("alias").is_some()
        && item["alias"]["name"] == item["expr"]["column"]["name"]["name"]
        && item["expr"]["column"].is_object()
    {
        item["alias"] = Value::Null;
    }
}

/// Drops the NULLS position: ordered-set aggregates ignore NULLs.
fn within_group(value: &mut Value) {
    if let Some(items) = value.get_mut("within_group").and_then(Value::as_array_mut) {
        for item in items {
            item["nulls_first"] = Value::Null;
        }
    }
}

/// Gives functions with two names one name.
fn renamed(value: &mut Value, target: Dialect) {
    let Some(call) = value.get_mut("function") else { return };
    let name = match (target, call["name"].as_str().unwrap_or_default()) {
        (_, "substr") => "substring",
        (_, "ceiling") => "ceil",
        (Dialect::Postgres, "char_length" | "character_length") => "length",
        (Dialect::Postgres, "pow") => "power",
        (Dialect::Sqlite, "string_agg") => "group_concat",
        (Dialect::Sqlite, "ifnull") => "coalesce",
        _ => return,
    };
    call["name"] = json!(name);
}
