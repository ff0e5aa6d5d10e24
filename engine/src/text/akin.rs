//! Words akin to each other: one is derived from the other, or both from one root.

use super::stem::stem;

/// Endings that make a noun of a verb and the other way round, behind the stem.
const ENDINGS: [&str; 13] =
    ["", "al", "ance", "ation", "ence", "er", "ery", "ing", "ion", "ment", "or", "ure", "y"];

/// Shortest stem that two words can have in common, in letters.
const SHORTEST: usize = 3;

/// Whether two folded words have one root: "pay" and "payment", "directed" and "director".
pub(crate) fn akin(one: &str, other: &str) -> bool {
    let (one, other) = (stem(one), stem(other));
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    if short == long {
        return short.len() >= SHORTEST;
    }
    let root = Some(short.trim_end_matches(['e', 'i', 'y'])).filter(|root| root.len() >= SHORTEST);
    let root = root.unwrap_or(short);
    // The stemmer leaves "i" for "y": "deliveri", "suppli".
    let derived = |rest: &str| {
        let written = rest.strip_suffix('i').map(|start| format!("{start}y"));
        let inner = rest.strip_prefix('i').unwrap_or(rest);
        ENDINGS.contains(&inner) || ENDINGS.contains(&written.as_deref().unwrap_or(rest))
    };
    let ends = |long: &str| long.strip_prefix(root).is_some_and(derived);
    root.len() >= SHORTEST && ends(long) && derived(&short[root.len()..])
}

#[cfg(test)]
mod tests {
    use super::akin;

    #[test]
    fn one_root() {
        for (one, other) in [
            ("pay", "payment"),
            ("directed", "director"),
            ("ships", "shipping"),
            ("delivered", "delivery"),
            ("treat", "treatment"),
            ("supplied", "supplier"),
            ("stock", "stock"),
        ] {
            assert!(akin(one, other) && akin(other, one), "{one} and {other}");
        }
    }

    #[test]
    fn other_words() {
        for (one, other) in [
            ("at", "action"),
            ("order", "ordinal"),
            ("part", "partner"),
            ("late", "latitude"),
            ("car", "care"),
        ] {
            assert!(!akin(one, other), "{one} and {other}");
        }
    }
}
