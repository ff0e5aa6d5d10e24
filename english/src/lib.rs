//! English for generated text: plurals, names as words, articles, lists and counts.
//!
//! Every function is pure: plain text in, plain text out, without knowledge of databases.
//!
//! ```
//! use wherefore_english::{counted, name_words, or_list, plural};
//!
//! let rows = plural(&name_words("OrderLine"));
//! assert_eq!(rows, "order lines");
//! assert_eq!(counted(1_204, "order line"), "1,204 order lines");
//! assert_eq!(or_list(&["billing city", "shipping city"]), "billing city or shipping city");
//! ```

mod list;
mod name;
mod noun;
mod number;
mod sentence;
mod verb;

pub use list::{and_list, list, or_list};
pub use name::{heading, name_parts, name_words};
pub use noun::{plural, possessive, singular, with_article};
pub use number::{counted, grouped, ordinal};
pub use sentence::{capitalised, sentence};

/// Base form of an irregular noun or verb form in lower case: `people` gives `person`, `sold` gives `sell`.
///
/// `None` for regular forms, and for base forms.
pub fn base_form(word: &str) -> Option<&'static str> {
    noun::irregular_singular(word).or_else(|| verb::irregular_base(word))
}

/// Base form of an irregular verb form in lower case: `sold` gives `sell`; `None` for regular and base forms.
pub fn verb_base(word: &str) -> Option<&'static str> {
    verb::irregular_base(word)
}

/// Pairs of words in a data file: one pair per line; `#` starts a comment line.
fn pairs(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '))
}

#[cfg(test)]
mod tests {
    use super::{base_form, noun, verb};

    #[test]
    fn irregular_forms_lead_to_their_base() {
        for (form, base) in [("people", "person"), ("indices", "index"), ("sold", "sell")] {
            assert_eq!(base_form(form), Some(base));
        }
        for regular in ["orders", "person", "sell", ""] {
            assert_eq!(base_form(regular), None);
        }
    }

    #[test]
    fn data_files_hold_sorted_pairs_of_lower_case_words() {
        for file in [noun::IRREGULAR_FILE, verb::IRREGULAR_FILE] {
            let lines: Vec<&str> = file.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(lines.is_sorted(), "the lines are not sorted");
            for line in lines {
                let words: Vec<&str> = line.split(' ').collect();
                let [form, base] = words.as_slice() else { panic!("not two words: {line}") };
                for word in [form, base] {
                    assert!(
                        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase()),
                        "not a lower-case word: {line}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_word_is_an_irregular_form_of_two_others() {
        let nouns = super::pairs(noun::IRREGULAR_FILE);
        let verbs = super::pairs(verb::IRREGULAR_FILE);
        let mut forms: Vec<&str> = nouns.chain(verbs).map(|(form, _)| form).collect();
        forms.sort_unstable();
        let twice: Vec<&[&str]> = forms.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
