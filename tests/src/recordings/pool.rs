//! A pool that stores each large part of JSON values once, since replies repeat most of earlier ones.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

/// Name of the only member of an object that refers to a part of the pool.
const PART: &str = "$";
/// Minimum length of a part in the pool, in characters.
const SHORTEST: usize = 60;
/// Length counted for a reference, the same for all numbers, so that equal values are packed equally.
const REFERENCE: usize = 8;

/// Parts, each of which can refer to earlier ones.
#[derive(Debug, Default)]
pub(super) struct Pool {
    parts: Vec<Value>,
    places: HashMap<String, usize>,
}

impl Pool {
    /// The value with its large parts replaced with references.
    pub(super) fn pack(&mut self, value: &Value) -> Value {
        self.packed(value).0
    }

    fn packed(&mut self, value: &Value) -> (Value, usize) {
        let (own, length) = match value {
            Value::Array(items) => {
                let mut length = 2;
                let mut packed = Vec::with_capacity(items.len());
                for item in items {
                    let (item, more) = self.packed(item);
                    packed.push(item);
                    length += more + 1;
                }
                (Value::Array(packed), length)
            }
            Value::Object(members) => {
                assert!(!members.contains_key(PART), "a member is called {PART}: {value}");
                let mut names: Vec<&String> = members.keys().collect();
                names.sort();
                let mut length = 2;
                let mut packed = Map::new();
                for name in names {
                    let (member, more) = self.packed(&members[name]);
                    packed.insert(name.clone(), member);
                    length += name.len() + more + 4;
                }
                (Value::Object(packed), length)
            }
            Value::String(text) => (value.clone(), text.len() + 2),
            _ => (value.clone(), value.to_string().len()),
        };
        if length < SHORTEST { (own, length) } else { (self.put(own), REFERENCE) }
    }

    /// Adds a part whose own parts are packed already; returns a reference to it.
    pub(super) fn put(&mut self, part: Value) -> Value {
        let next = self.parts.len();
        let place = *self.places.entry(part.to_string()).or_insert(next);
        if place == next {
            self.parts.push(part);
        }
        json!({ PART: place })
    }

    /// The part that a reference refers to, or the value itself; its members may be references.
    pub(super) fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        reference(value).map_or(value, |place| &self.parts[place])
    }

    /// The value with all references resolved.
    pub(super) fn whole(&self, value: &Value) -> Value {
        match self.resolve(value) {
            Value::Array(items) => items.iter().map(|item| self.whole(item)).collect(),
            Value::Object(members) => {
                let whole = |(name, member): (&String, &Value)| (name.clone(), self.whole(member));
                Value::Object(members.iter().map(whole).collect())
            }
            scalar => scalar.clone(),
        }
    }

    /// All parts; each refers only to earlier ones.
    pub(super) fn parts(&self) -> &[Value] {
        &self.parts
    }
}

/// Index of the part that a value refers to; `None` if it is not a reference.
pub(super) fn reference(value: &Value) -> Option<usize> {
    value.as_object()?.get(PART)?.as_u64().map(|place| place as usize)
}

/// The value with its references replaced with those in `places`.
pub(super) fn moved(value: &Value, places: &[Value]) -> Value {
    if let Some(place) = reference(value) {
        return places[place].clone();
    }
    match value {
        Value::Array(items) => items.iter().map(|item| moved(item, places)).collect(),
        Value::Object(members) => {
            let moved = |(name, member): (&String, &Value)| (name.clone(), moved(member, places));
            Value::Object(members.iter().map(moved).collect())
        }
        scalar => scalar.clone(),
    }
}
