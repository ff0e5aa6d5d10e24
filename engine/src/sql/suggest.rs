//! Did-you-mean: the known name nearest to an unknown one.

/// Nearest candidate within a third of the letters; equal names in another case come first.
pub(crate) fn nearest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let folded = singular(wanted);
    let allowed = (folded.chars().count() / 3).clamp(1, 4);
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&folded, &singular(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Letters by which two names differ, plurals aside; none where they differ by more than a third.
#[cfg(feature = "sql")]
pub(crate) fn distance(wanted: &str, candidate: &str) -> Option<usize> {
    let folded = singular(wanted);
    let allowed = (folded.chars().count() / 3).clamp(1, 4);
    Some(strsim::osa_distance(&folded, &singular(candidate))).filter(|far| *far <= allowed)
}

/// `did you mean …`, without addressing anyone.
pub(crate) fn hint(name: Option<&str>) -> Option<String> {
    name.map(|name| format!("perhaps {name:?} is meant"))
}

fn singular(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    lower.strip_suffix('s').unwrap_or(&lower).to_owned()
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
