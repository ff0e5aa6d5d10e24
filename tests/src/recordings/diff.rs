//! Differences between two JSON values, leaf by leaf.

use serde_json::Value;

use super::pool::{Pool, reference};

/// A leaf that differs; if a subtree exists on one side only, there is one for each of its leaves.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    /// Name of the record and path of the leaf.
    pub(super) path: String,
    /// Committed value; `None` if absent.
    pub(super) old: Option<Value>,
    /// Current value; `None` if absent.
    pub(super) new: Option<Value>,
}

/// Appends the differences between two values, which may contain references to the pool.
pub(super) fn differences(
    pool: &Pool,
    path: &str,
    old: Option<&Value>,
    new: Option<&Value>,
    found: &mut Vec<Difference>,
) {
    if let (Some(one), Some(other)) = (old.and_then(reference), new.and_then(reference))
        && one == other
    {
        return;
    }
    let (old, new) = (old.map(|value| pool.resolve(value)), new.map(|value| pool.resolve(value)));
    match (old, new) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let added = other.keys().filter(|name| !one.contains_key(*name));
            for name in one.keys().chain(added) {
                let path = format!("{path} / {name}");
                differences(pool, &path, one.get(name), other.get(name), found);
            }
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            for place in 0..one.len().max(other.len()) {
                let path = format!("{path} / {place}");
                differences(pool, &path, one.get(place), other.get(place), found);
            }
        }
        (Some(Value::Object(members)), None) | (None, Some(Value::Object(members)))
            if !members.is_empty() =>
        {
            for (name, member) in members {
                let path = format!("{path} / {name}");
                let (one, other) = (old.map(|_| member), new.map(|_| member));
                differences(pool, &path, one, other, found);
            }
        }
        (Some(Value::Array(items)), None) | (None, Some(Value::Array(items)))
            if !items.is_empty() =>
        {
            for (place, item) in items.iter().enumerate() {
                let path = format!("{path} / {place}");
                let (one, other) = (old.map(|_| item), new.map(|_| item));
                differences(pool, &path, one, other, found);
            }
        }
        _ if old != new => found.push(Difference {
            path: path.to_owned(),
            old: old.map(|value| pool.whole(value)),
            new: new.map(|value| pool.whole(value)),
        }),
        _ => {}
    }
}

impl Difference {
    /// Both sides for display: texts without their common first and last lines, other values as JSON.
    pub(super) fn told(&self) -> (String, String) {
        let text = |value: Option<&Value>| match value {
            None => "(absent)".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
        };
        let (old, new) = (text(self.old.as_ref()), text(self.new.as_ref()));
        let (one, other): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let pairs = || one.iter().zip(&other);
        let before = pairs().take_while(|(one, other)| one == other).count();
        let shorter = one.len().min(other.len());
        let backwards = one.iter().rev().zip(other.iter().rev());
        let after =
            backwards.take(shorter - before).take_while(|(one, other)| one == other).count();
        let part = |lines: &[&str]| {
            let part = lines[before..lines.len() - after].join("\n");
            let mark = |lines: usize, mark: &'static str| if lines > 0 { mark } else { "" };
            format!("{}{part}{}", mark(before, "… "), mark(after, " …"))
        };
        (part(&one), part(&other))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_are_found_leaf_by_leaf() {
        let mut pool = Pool::default();
        let old = json!({"a": [1, {"long": "x".repeat(80)}], "b": "same", "c": 1});
        let new = json!({"a": [1, {"long": "y".repeat(80)}, 3], "b": "same"});
        let (old, new) = (pool.pack(&old), pool.pack(&new));
        let mut found = Vec::new();
        differences(&pool, "record", Some(&old), Some(&new), &mut found);
        let paths: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(paths, ["record / a / 1 / long", "record / a / 2", "record / c"]);
    }

    #[test]
    fn texts_are_told_by_the_lines_that_differ() {
        let [old, new] = ["a\nb\nc", "a\nx\ny\nc"].map(|text| Some(json!(text)));
        let difference = Difference { path: String::new(), old, new };
        assert_eq!(difference.told(), ("… b …".to_owned(), "… x\ny …".to_owned()));
        let [old, new] = ["a\na", "a"].map(|text| Some(json!(text)));
        let difference = Difference { path: String::new(), old, new };
        assert_eq!(difference.told(), ("… a".to_owned(), "… ".to_owned()));
    }
}
