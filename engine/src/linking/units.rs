//! Units of measure and their conversion.

use serde::Deserialize;

/// Units with their conversion factors, from `data/units.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Units {
    quantities: Vec<Quantity>,
}

#[derive(Clone, Debug, Deserialize)]
struct Quantity {
    #[expect(dead_code, reason = "read so that a quantity without a name is refused")]
    name: String,
    units: Vec<Unit>,
}

#[derive(Clone, Debug, Deserialize)]
struct Unit {
    names: Vec<String>,
    size: u64,
}

impl Units {
    /// Built-in units; empty only if the data file is invalid, which a test rules out.
    pub(crate) fn built_in() -> Self {
        serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/units.json")))
            .unwrap_or_default()
    }

    /// Whether a word is a unit.
    pub(crate) fn knows(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.quantities
            .iter()
            .flat_map(|quantity| &quantity.units)
            .any(|unit| unit.names.contains(&word))
    }

    /// Number of `to` units in one `from` unit; `None` if they measure different quantities.
    pub(crate) fn factor(&self, from: &str, to: &str) -> Option<f64> {
        let (from, to) = (from.to_lowercase(), to.to_lowercase());
        if from == to {
            return Some(1.0);
        }
        self.quantities.iter().find_map(|quantity| {
            let size = |name: &str| {
                let name = name.to_owned();
                quantity.units.iter().find(|unit| unit.names.contains(&name)).map(|unit| unit.size)
            };
            Some(size(&from)? as f64 / size(&to)? as f64)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Units;

    #[test]
    fn units_of_one_quantity_convert_and_others_do_not() {
        let units = Units::built_in();
        assert_eq!(units.factor("minutes", "milliseconds"), Some(60_000.0));
        assert_eq!(units.factor("cm", "mm"), Some(10.0));
        assert_eq!(units.factor("kg", "minutes"), None);
        assert!(units.knows("Hours") && !units.knows("customers"));
    }
}
