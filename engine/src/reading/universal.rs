//! What holds for all related rows: "departments where everybody earns over 40000", "patients with only healed wounds".

use super::parse::Parser;

/// Words behind which all rows are meant.
const PLACES: [&str; 3] = ["where", "which", "whose"];
/// Words for all rows.
const ALL: [&str; 6] = ["all", "each", "every", "everybody", "everyone", "everything"];
/// Verbs behind which "all" is said of the rows before.
const BE: [&str; 6] = ["are", "has", "have", "is", "was", "were"];
/// Words behind which "only" says that all of the rows are so.
const HAVING: [&str; 8] = ["with", "have", "has", "had", "having", "who", "that", "which"];

impl Parser<'_> {
    /// Notes from where on conditions hold for all related rows of each row, and not for some of them.
    ///
    /// Invalid, so that it is refused: periods and vague terms there, which no condition denies.
    pub(super) fn find_universals(&mut self) {
        if let Some(word) = self.frame.universal {
            let said = self.frame.conditions.iter().filter(|condition| condition.at() > word);
            if said.count() > 1 {
                self.block(word, "what holds for all related rows takes two steps");
            }
            return;
        }
        let Some(at) = self.universal_word() else { return };
        let frame = &self.frame;
        let loose = frame.times.iter().map(|time| time.at);
        let loose = loose.chain(frame.vague.iter().map(|term| term.at)).any(|said| said > at);
        let held = frame.conditions.iter().any(|condition| condition.at() > at);
        if loose || !held {
            self.block(at, "what holds for all related rows takes two steps");
        } else {
            self.frame.universal = Some(at);
        }
    }

    /// Mention of the word that says that all related rows are meant.
    fn universal_word(&self) -> Option<usize> {
        let words: Vec<(String, usize)> = self
            .mentions
            .iter()
            .enumerate()
            .flat_map(|(at, mention)| {
                let phrase = mention.phrase.to_lowercase();
                phrase.split(' ').map(|word| (word.to_owned(), at)).collect::<Vec<_>>()
            })
            .collect();
        // "All of whose" has no "all" in "half of whose".
        let of_all = |place: usize| place > 0 && words[place - 1].0 == "all";
        // "With only one wound" is a number.
        let number = |place: usize| {
            words.get(place).is_some_and(|(_, at)| self.mentions[*at].number.is_some())
        };
        let said = |place: usize, first: &str, then: &str| {
            let all = PLACES.contains(&first) && ALL.contains(&then)
                || ["all", "of"].contains(&first)
                    && then == "whose"
                    && (first != "of" || of_all(place));
            // "whose products are all discontinued"
            let whose = || words[..place].iter().any(|(word, _)| PLACES.contains(&word.as_str()));
            let after_verb = BE.contains(&first) && then == "all" && whose();
            all || after_verb || HAVING.contains(&first) && then == "only" && !number(place + 2)
        };
        let found = words.windows(2).enumerate().find(|(place, pair)| {
            *place > 0 && said(*place, pair[0].0.as_str(), pair[1].0.as_str())
        });
        found.map(|(_, pair)| pair[1].1)
    }
}
