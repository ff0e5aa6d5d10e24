//! Did-you-mean suggestions: the known name closest to an unknown one.

/// The closest candidate whose edit distance is at most a third of the name's length; candidates that differ only in
/// case come first.
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest_of(&Wanted::new(wanted), &mut candidates.into_iter())
}

/// Takes a trait object so that it is compiled once rather than for every iterator type.
fn nearest_of<'a>(
    wanted: &Wanted,
    candidates: &mut dyn Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let near = candidates.filter_map(|candidate| Some((wanted.distance(candidate)?, candidate)));
    near.min().map(|(_, candidate)| candidate)
}

/// Edit distance of two names, ignoring a plural `s`; `None` if it exceeds a third of the name's length.
pub(crate) fn distance(wanted: &str, candidate: &str) -> Option<usize> {
    Wanted::new(wanted).distance(candidate)
}

/// The unknown name, prepared for comparison with candidates.
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

    /// Optimal string alignment distance, if it is within the allowed maximum.
    fn distance(&self, candidate: &str) -> Option<usize> {
        let candidate = stem(candidate);
        // Cheap lower bounds avoid most distance computations. A character that occurs on one side only costs an edit,
        // and an edit removes at most one such character from each side. A character has at most four bytes.
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

/// Bit set of the characters in a name, ignoring case: a bit for each ASCII character, and one for all others.
fn letters(name: &str) -> u64 {
    name.bytes().fold(0, |seen, byte| {
        let bit = if byte.is_ascii() { byte.to_ascii_lowercase() % 63 } else { 63 };
        seen | 1 << bit
    })
}

/// The suggestion as a hint.
pub(crate) fn hint(name: Option<&str>) -> Option<String> {
    name.map(|name| format!("did you mean {name:?}?"))
}

/// A name without a trailing plural `s`.
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
