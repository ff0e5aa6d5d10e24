//! The pseudo-locale: English texts with accents, in brackets, and a third longer.

/// Letters with accents, by the letters that they replace.
const ACCENTS: [(char, char); 12] = [
    ('a', 'á'),
    ('e', 'é'),
    ('i', 'í'),
    ('o', 'ö'),
    ('u', 'ü'),
    ('c', 'ç'),
    ('n', 'ñ'),
    ('s', 'š'),
    ('A', 'Å'),
    ('E', 'É'),
    ('S', 'Š'),
    ('U', 'Û'),
];

/// Makes a pseudo text; control characters and the digits after them stay.
pub fn pseudo(text: &str) -> String {
    let letters = text.chars().map(|letter| {
        let accent = ACCENTS.iter().find(|(plain, _)| *plain == letter);
        accent.map_or(letter, |(_, accent)| *accent)
    });
    let longer = (text.chars().count() * 35).div_ceil(100);
    let filler = "~".repeat(longer.saturating_sub(2));
    format!("[{}{filler}]", letters.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::pseudo;

    #[test]
    fn a_pseudo_text_is_longer_and_in_brackets() {
        assert_eq!(pseudo("Ask"), "[Åšk]");
        assert_eq!(pseudo("Questions first"), "[Qüéštíöñš fíršt~~~~]");
    }
}
