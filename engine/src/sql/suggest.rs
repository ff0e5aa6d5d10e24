//! Did-you-mean: the known name nearest to an unknown one.

/// Nearest candidate within a third of the letters; equal names in another case come first.
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest_of(&Wanted::new(wanted), &mut candidates.into_iter())
}

/// One body for all kinds of iterators: each would be compiled anew.
fn nearest_of<'a>(
    wanted: &Wanted,
    candidates: &mut dyn Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let near = candidates.filter_map(|candidate| Some((wanted.distance(candidate)?, candidate)));
    near.min().map(|(_, candidate)| candidate)
}

/// Letters by which two names differ, plurals aside; none where they differ by more than a third.
#[cfg(feature = "sql")]
pub(crate) fn distance(wanted: &str, candidate: &str) -> Option<usize> {
    Wanted::new(wanted).distance(candidate)
}

/// A name that others are compared with.
struct Wanted {
    folded: String,
    letters: u64,
    allowed: usize,
}

impl Wanted {
    fn new(name: &str) -> Self {
        let folded = stem(name).to_ascii_lowercase();
        let allowed = (folded.chars().count() / 3).clamp(1, 4);
        Self { letters: letters(&folded), folded, allowed }
    }

    /// Optimal string alignment distance, where it is small.
    fn distance(&self, candidate: &str) -> Option<usize> {
        let candidate = stem(candidate);
        // A letter that only one side has costs an edit, and an edit changes at most one letter of each side: most
        // names are told apart without the table of the distance. A character has at most four bytes.
        let other = letters(candidate);
        let apart = (self.letters & !other).count_ones().max((other & !self.letters).count_ones());
        let longer = self.folded.len().abs_diff(candidate.len());
        if apart as usize > self.allowed || longer > self.allowed * 4 {
            return None;
        }
        let distance = strsim::osa_distance(&self.folded, &candidate.to_ascii_lowercase());
        (distance <= self.allowed).then_some(distance)
    }
}

/// Which letters, digits and marks a name has, case aside: a bit for each, and one for all that are not ASCII.
fn letters(name: &str) -> u64 {
    name.bytes().fold(0, |seen, byte| {
        let bit = if byte.is_ascii() { byte.to_ascii_lowercase() % 63 } else { 63 };
        seen | 1 << bit
    })
}

/// `did you mean …`, without addressing anyone.
pub(crate) fn hint(name: Option<&str>) -> Option<String> {
    name.map(|name| format!("perhaps {name:?} is meant"))
}

/// A name without the mark of the plural.
fn stem(name: &str) -> &str {
    name.strip_suffix(['s', 'S']).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_found_and_a_far_one_is_not() {
        let names = ["CustomerId", "Country", "Company"];
        assert_eq!(nearest("customerid", names), Some("CustomerId"));
        assert_eq!(nearest("Contry", names), Some("Country"));
        assert_eq!(nearest("companies", names), Some("Company"));
        assert_eq!(nearest("weight", names), None);
    }
}
