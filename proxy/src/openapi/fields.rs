//! Notation of fields and parameters in `routes.toml` and `schemas.toml`, as JSON schemas.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use wherefore_engine::writing::WritingFlags;

const TYPES: &str = include_str!("types.toml");
/// Flags of a question besides those of writing.
const OWN_FLAGS: [&str; 5] = ["clarification", "composer", "confirm_joins", "learning", "model"];

/// Fields by name, each as `type: description`.
pub(super) type Fields = BTreeMap<String, String>;

/// Named types, and members that are merged into named schemas.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Types {
    types: BTreeMap<String, Value>,
    pub(super) merged: BTreeMap<String, Map<String, Value>>,
}

/// A field or parameter.
pub(super) struct Field<'a> {
    /// Schema; of a value other than null.
    schema: Value,
    pub(super) required: bool,
    nullable: bool,
    sentence: &'a str,
}

impl Types {
    /// The types of `types.toml`, and those that are generated from types of the engine.
    pub(super) fn read() -> Result<Self, Box<dyn std::error::Error>> {
        let mut types: Self = toml::from_str(TYPES)?;
        let flags = serde_json::to_value(WritingFlags::default())?;
        let of_writing: Vec<&str> =
            flags.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        types.types.insert("writing_flags".to_owned(), switches(&of_writing));
        types.types.insert("flags".to_owned(), switches(&[&of_writing[..], &OWN_FLAGS].concat()));
        Ok(types)
    }

    /// Schema of a body: a named type, or a schema of `schemas.toml`.
    pub(super) fn body(&self, name: &str) -> Value {
        self.types.get(name).cloned().unwrap_or_else(|| reference(name))
    }

    /// Parses `type: description`. A type is that of JSON, the name of one in `types.toml`, or `#` and that of a
    /// schema. `[]` makes it a list and `[+]` one that is not empty; `?` marks what can be absent or null, and `~`
    /// what can only be absent.
    pub(super) fn field<'a>(&self, told: &'a str) -> Field<'a> {
        let (kind, sentence) = told.split_once(": ").unwrap_or((told, ""));
        let (kind, can_be_null) = kind.strip_suffix('?').map_or((kind, false), |kind| (kind, true));
        let (kind, absent) = kind.strip_suffix('~').map_or((kind, false), |kind| (kind, true));
        let (kind, list) = kind.strip_suffix("[]").map_or((kind, None), |kind| (kind, Some(0)));
        let (kind, list) = kind.strip_suffix("[+]").map_or((kind, list), |kind| (kind, Some(1)));
        let single = match (kind.strip_prefix('#'), self.types.get(kind)) {
            (Some(name), _) => reference(name),
            (None, Some(schema)) => schema.clone(),
            (None, None) if kind == "any" => json!({}),
            (None, None) => json!({ "type": kind }),
        };
        let schema = match list {
            None => single,
            Some(0) => json!({ "type": "array", "items": single }),
            Some(least) => json!({ "type": "array", "items": single, "minItems": least }),
        };
        let nullable = can_be_null && list.is_none();
        Field { schema, required: !can_be_null && !absent, nullable, sentence }
    }

    /// Schema of an object with these fields.
    pub(super) fn object(&self, fields: &Fields) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for (name, told) in fields {
            let field = self.field(told);
            if field.required {
                required.push(name);
            }
            properties.insert(name.clone(), field.property());
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }

    /// A parameter of a route.
    pub(super) fn parameter(&self, place: &str, name: &str, told: &str) -> Value {
        let Field { schema, required, sentence, .. } = self.field(told);
        json!({
            "name": name, "in": place, "required": required, "schema": schema,
            "description": sentence,
        })
    }
}

impl Field<'_> {
    /// The field as a property of an object.
    fn property(self) -> Value {
        let Self { mut schema, nullable, sentence, .. } = self;
        if nullable {
            schema = match schema.get("type").and_then(Value::as_str) {
                Some(kind) if schema.as_object().is_some_and(|it| it.len() == 1) => {
                    json!({ "type": [kind, "null"] })
                }
                _ => json!({ "anyOf": [schema, { "type": "null" }] }),
            };
        }
        schema["description"] = json!(sentence);
        schema
    }
}

pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Schema of an object that turns these switches on and off.
fn switches(names: &[&str]) -> Value {
    let switches = names.iter().map(|name| ((*name).to_owned(), json!({ "type": "boolean" })));
    let properties: Map<String, Value> = switches.collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

#[cfg(test)]
mod tests {
    use wherefore_engine::ambiguity::AmbiguityKind;

    use super::*;

    #[test]
    fn listed_values_are_those_of_the_engine() {
        let types = Types::read().unwrap();
        for kind in types.types["ambiguity"]["enum"].as_array().unwrap() {
            serde_json::from_value::<AmbiguityKind>(kind.clone()).unwrap();
        }
    }
}
