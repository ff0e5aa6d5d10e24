//! What holds for all related rows: "departments where everybody earns over 40000".

use super::parse::Parser;

impl Parser<'_> {
    /// Refuses what is said of all related rows of each row, which would else be read as said of some of them.
    pub(super) fn block_universals(&mut self) {
        let words: Vec<(String, usize)> = self
            .mentions
            .iter()
            .enumerate()
            .flat_map(|(at, mention)| {
                let phrase = mention.phrase.to_lowercase();
                phrase.split(' ').map(|word| (word.to_owned(), at)).collect::<Vec<_>>()
            })
            .collect();
        let said = |first: &str, then: &str| {
            let places = ["where", "which", "whose"].contains(&first);
            let all = ["all", "each", "every", "everybody", "everyone", "everything"];
            places && all.contains(&then) || ["all", "of"].contains(&first) && then == "whose"
        };
        // "All of whose" has no "all" in "half of whose".
        let all = |place: usize| place > 0 && words[place - 1].0 == "all";
        let found = words.windows(2).enumerate().find(|(place, pair)| {
            let (first, then) = (pair[0].0.as_str(), pair[1].0.as_str());
            *place > 0 && said(first, then) && (first != "of" || all(*place))
        });
        if let Some((_, pair)) = found {
            self.block(pair[1].1, "what holds for all related rows takes two steps");
        }
    }
}
