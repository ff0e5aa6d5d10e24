//! Logical structure of conditions: which connective joins each pair of them.

use super::Facts;

/// Conditions joined by AND and OR; a leaf is identified by its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Logic {
    /// All hold.
    All(Vec<Logic>),
    /// At least one holds.
    Any(Vec<Logic>),
    /// A condition, by its value.
    Leaf(String),
}

impl Logic {
    /// The empty structure.
    pub(super) fn none() -> Self {
        Self::All(Vec::new())
    }

    /// Whether the structure contains any condition.
    pub(super) fn says_something(&self) -> bool {
        !self.leaves().is_empty()
    }

    /// Adds a fact for each pair of leaves: the connective of their lowest common ancestor.
    pub(super) fn relate(&self, facts: &mut Facts) {
        let (parts, connective) = match self {
            Self::All(parts) => (parts, "and"),
            Self::Any(parts) => (parts, "or"),
            Self::Leaf(_) => return,
        };
        let leaves: Vec<Vec<&str>> = parts.iter().map(Self::leaves).collect();
        for (index, part) in parts.iter().enumerate() {
            part.relate(facts);
            for other in &leaves[index + 1..] {
                for one in &leaves[index] {
                    for two in other {
                        let (first, last) = if one < two { (one, two) } else { (two, one) };
                        facts.insert(format!("{connective}:{first}|{last}"));
                    }
                }
            }
        }
    }

    fn leaves(&self) -> Vec<&str> {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::leaves).collect(),
            Self::Leaf(name) => vec![name],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(name: &str) -> Logic {
        Logic::Leaf(name.into())
    }

    #[test]
    fn the_place_of_a_bracket_shows_in_the_facts() {
        let either = Logic::Any(vec![leaf("hall"), leaf("room")]);
        let wide = Logic::All(vec![either, leaf("200")]);
        let narrow = Logic::Any(vec![leaf("hall"), Logic::All(vec![leaf("room"), leaf("200")])]);
        let facts = |logic: &Logic| {
            let mut facts = Facts::new();
            logic.relate(&mut facts);
            facts.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(facts(&wide), ["and:200|hall", "and:200|room", "or:hall|room"]);
        assert_eq!(facts(&narrow), ["and:200|room", "or:200|hall", "or:hall|room"]);
    }
}
