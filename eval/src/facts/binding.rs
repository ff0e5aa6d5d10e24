//! Facts of an option: the names in its binding. They are found in its JSON, so new kinds of binding need no code here.

use serde_json::Value;
use wherefore_engine::clarification::OptionBinding;

use super::logic::Logic;
use super::{Facts, column, plain, restricted, table, value};

/// Facts of a binding; empty for one that adds nothing.
pub(crate) fn of_binding(binding: &OptionBinding) -> Facts {
    let mut facts = Facts::new();
    let json = serde_json::to_value(binding).unwrap_or_default();
    let logic = read(&json, &mut facts);
    logic.relate(&mut facts);
    facts
}

/// Collects the names in a part of a binding and returns the logical structure of its conditions.
fn read(json: &Value, facts: &mut Facts) -> Logic {
    match json {
        Value::Array(parts) => Logic::All(parts.iter().map(|part| read(part, facts)).collect()),
        Value::Object(fields) => {
            let text = |name: &str| fields.get(name).and_then(Value::as_str);
            let kind = text("type").unwrap_or_default();
            let named = ["common", "every", "universal"].iter().any(|word| kind.contains(word));
            if named || text("scope") == Some("all") {
                facts.insert("every".to_owned());
            }
            if kind == "attachment" {
                let tables = fields.get("tables").and_then(Value::as_array).into_iter().flatten();
                facts.extend(tables.filter_map(Value::as_str).map(restricted));
            }
            if let (Some(of), Some(name)) = (text("table"), text("column")) {
                facts.insert(column(of, name));
            }
            for name in ["table", "from_table", "to_table"] {
                facts.extend(text(name).map(table));
            }
            for (of, names) in [("from_table", "from_columns"), ("to_table", "to_columns")] {
                let names = fields.get(names).and_then(Value::as_array).into_iter().flatten();
                let of = text(of).unwrap_or_default();
                facts.extend(names.filter_map(Value::as_str).map(|name| column(of, name)));
            }
            facts.extend(text("function").map(|name| format!("aggregate:{name}")));
            facts.extend(text("grain").map(|name| format!("grain:{name}")));
            let mut parts = Vec::new();
            for name in ["value", "text", "start", "end"] {
                if let Some(text) = text(name) {
                    facts.insert(value(text));
                    parts.push(Logic::Leaf(plain(text)));
                }
            }
            if let Some(values) = fields.get("values").and_then(Value::as_array) {
                let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
                facts.extend(texts.iter().map(|text| value(text)));
                parts.push(Logic::Any(texts.iter().map(|text| Logic::Leaf(plain(text))).collect()));
            }
            for part in fields.values() {
                let inner = read(part, facts);
                match inner {
                    Logic::All(inner) if kind == "any" && !inner.is_empty() => {
                        parts.push(Logic::Any(inner));
                    }
                    inner => parts.push(inner),
                }
            }
            Logic::All(parts)
        }
        _ => Logic::none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(json: &str) -> Vec<String> {
        of_binding(&serde_json::from_str(json).unwrap()).into_iter().collect()
    }

    #[test]
    fn an_option_names_what_it_binds() {
        let column = r#"{"type":"column","column":{"table":"Orders","column":"Total"}}"#;
        assert_eq!(facts(column), ["column:orders.total", "table:orders"]);
        assert_eq!(facts(r#"{"type":"table","table":"Orders"}"#), ["table:orders"]);
        assert_eq!(facts(r#"{"type":"aggregate","function":"sum"}"#), ["aggregate:sum"]);
        assert!(facts(r#"{"type":"ignore"}"#).is_empty());
    }

    #[test]
    fn scope_and_attachment_are_named() {
        let common = r#"{"type":"scope","table":"Orders","scope":"all"}"#;
        assert_eq!(facts(common), ["every", "table:orders"]);
        let each = r#"{"type":"scope","table":"Orders","scope":"each"}"#;
        assert_eq!(facts(each), ["table:orders"]);
        let both = r#"{"type":"attachment","tables":["Halls","Rooms"]}"#;
        assert_eq!(facts(both), ["restricted:halls", "restricted:rooms"]);
    }

    #[test]
    fn conditions_of_an_option_hang_together_as_they_are_bracketed() {
        let is = |name: &str| {
            format!(
                r#"{{"type":"one_of","column":{{"table":"t","column":"c"}},"values":["{name}"]}}"#
            )
        };
        let narrow = format!(
            r#"{{"type":"predicate","predicate":{{"type":"any","conditions":[{},
               {{"type":"all","conditions":[{},{}]}}]}}}}"#,
            is("Hall"),
            is("Room"),
            is("200")
        );
        let found = facts(&narrow);
        for fact in ["or:200|hall", "or:hall|room", "and:200|room", "value:hall"] {
            assert!(found.iter().any(|found| found == fact), "{fact} in {found:?}");
        }
    }
}
