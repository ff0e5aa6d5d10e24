//! Units of measure and their conversion.

use super::identifier::words_of_identifier;
use crate::catalog::Column;
pub(crate) use crate::data::Units;

impl Units {
    /// Whether a word is a unit.
    pub(crate) fn knows(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.quantities
            .iter()
            .flat_map(|quantity| &quantity.units)
            .any(|unit| unit.names.contains(&word))
    }

    /// Whether a word makes a unit of area or volume of the unit behind it.
    pub(crate) fn is_power(&self, word: &str) -> bool {
        self.powers.contains(&word.to_lowercase())
    }

    /// Unit of a column: the catalog's, else a word of its name.
    pub(crate) fn of_column(&self, column: &Column) -> Option<String> {
        column.unit.clone().or_else(|| {
            words_of_identifier(&column.name)
                .into_iter()
                .find(|word| word.len() > 1 && self.knows(word))
        })
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
    #[test]
    fn units_of_one_quantity_convert_and_others_do_not() {
        let units = crate::Words::BUILT_IN.units();
        assert_eq!(units.factor("minutes", "milliseconds"), Some(60_000.0));
        assert_eq!(units.factor("cm", "mm"), Some(10.0));
        assert_eq!(units.factor("kg", "minutes"), None);
        assert!(units.knows("Hours") && !units.knows("customers"));
    }
}
