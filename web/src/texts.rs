//! Texts of the page in its language. `build.rs` makes a function of each message in `locales/*.ftl`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::view_model::cell_text::grouped;
use crate::view_model::pseudo::pseudo;

include!(concat!(env!("OUT_DIR"), "/messages.rs"));

/// Language of the page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(u8)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// English with accents, brackets and more length, which shows texts that are not translated or have no room.
    Pseudo,
    /// The same from right to left.
    RightToLeft,
}

impl Language {
    /// All languages in the order of their numbers.
    const ALL: [Self; 4] = [Self::English, Self::German, Self::Pseudo, Self::RightToLeft];

    /// The supported language of a tag of BCP 47.
    pub fn of_tag(tag: &str) -> Option<Self> {
        match tag.split(['-', '_']).next()? {
            primary if primary.eq_ignore_ascii_case("en") => Some(Self::English),
            primary if primary.eq_ignore_ascii_case("de") => Some(Self::German),
            _ => None,
        }
    }

    /// A language for trials, which is named in the address of the page.
    pub fn of_trial(name: &str) -> Option<Self> {
        match name {
            "pseudo" => Some(Self::Pseudo),
            "rtl" => Some(Self::RightToLeft),
            name => Self::of_tag(name),
        }
    }

    /// Tag of the language.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Pseudo => "en-XA",
            Self::RightToLeft => "ar-XB",
        }
    }

    /// Direction of the text.
    pub fn direction(self) -> &'static str {
        if self == Self::RightToLeft { "rtl" } else { "ltr" }
    }

    /// The language of the page; English in tests outside a browser.
    pub fn current() -> Self {
        Self::ALL[usize::from(LANGUAGE.load(Ordering::Relaxed)) % Self::ALL.len()]
    }

    /// Makes this the language of all texts that are made from now on.
    pub fn choose(self) {
        LANGUAGE.store(self as u8, Ordering::Relaxed);
    }
}

static LANGUAGE: AtomicU8 = AtomicU8::new(0);

/// An argument of a message.
enum Argument<'a> {
    /// A number that is shown with separators, and chooses the plural.
    Count(usize),
    /// Any text.
    Text(&'a str),
}

fn message(index: usize) -> &'static str {
    static PSEUDO: OnceLock<Vec<String>> = OnceLock::new();
    match Language::current() {
        Language::English => EN[index],
        Language::German => DE[index],
        Language::Pseudo | Language::RightToLeft => {
            &PSEUDO.get_or_init(|| EN.iter().map(|text| pseudo(text)).collect())[index]
        }
    }
}

fn filled(index: usize, arguments: &[Argument<'_>]) -> String {
    fill(message(index), arguments)
}

/// Fills a packed message; `build.rs` describes the form.
fn fill(packed: &str, arguments: &[Argument<'_>]) -> String {
    let mut text = String::with_capacity(packed.len() + 16);
    let mut characters = packed.chars();
    // Whether what follows is the form of the plural that was not chosen.
    let mut is_skipped = false;
    let mut is_one = false;
    while let Some(character) = characters.next() {
        match character {
            '\u{1}' | '\u{2}' => {
                let place = characters.next().and_then(|digit| digit.to_digit(10));
                let argument = place.and_then(|place| arguments.get(place as usize));
                match argument {
                    Some(Argument::Count(count)) if character == '\u{2}' => {
                        is_one = is_singular(*count);
                        is_skipped = !is_one;
                    }
                    _ if is_skipped => {}
                    Some(Argument::Count(count)) => text.push_str(&grouped(*count)),
                    Some(Argument::Text(argument)) => text.push_str(argument),
                    None => {}
                }
            }
            '\u{3}' => is_skipped = is_one,
            '\u{4}' => is_skipped = false,
            _ if is_skipped => {}
            character => text.push(character),
        }
    }
    text
}

/// Whether the language has the singular for a number.
#[cfg(target_arch = "wasm32")]
fn is_singular(count: usize) -> bool {
    let locales = js_sys::Array::of1(&Language::current().tag().into());
    let rules = js_sys::Intl::PluralRules::new(&locales, &js_sys::Object::new());
    rules.select(count as f64) == "one"
}

/// The rule of English and German, for tests outside a browser.
#[cfg(not(target_arch = "wasm32"))]
fn is_singular(count: usize) -> bool {
    count == 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::{Argument, DE, EN, KEYS, Language, fill};
    use crate::view_model::pseudo::pseudo;

    #[test]
    fn the_plural_is_chosen_by_the_number() {
        let packed = "\u{2}0one \u{1}1\u{3}\u{1}0 of \u{1}1\u{4}.";
        let with = |count| fill(packed, &[Argument::Count(count), Argument::Text("x")]);
        assert_eq!(with(1), "one x.");
        assert_eq!(with(1_200), "1,200 of x.");
    }

    #[test]
    fn tags_and_trials_name_languages() {
        assert_eq!(Language::of_tag("de-AT"), Some(Language::German));
        assert_eq!(Language::of_tag("fr"), None);
        assert_eq!(Language::of_trial("rtl"), Some(Language::RightToLeft));
        assert_eq!(Language::of_trial("klingon"), None);
    }

    #[test]
    fn a_pseudo_message_keeps_its_marks() {
        let marks = |text: &str| {
            let marks =
                text.chars().filter(|letter| letter.is_control() || letter.is_ascii_digit());
            marks.collect::<String>()
        };
        for text in EN {
            assert_eq!(marks(&pseudo(text)), marks(text));
        }
    }

    #[test]
    fn each_message_is_used() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut code = String::new();
        let mut folders = vec![source];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    code += &fs::read_to_string(path).expect("source text");
                }
            }
        }
        let words: BTreeSet<&str> =
            code.split(|c: char| !c.is_ascii_alphanumeric() && !"_:".contains(c)).collect();
        let unused = KEYS.iter().filter(|key| {
            let call = format!("texts::{}", key.replace('-', "_"));
            !words.contains(call.as_str())
        });
        assert_eq!(unused.collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn german_messages_are_not_english_ones() {
        let same = EN.iter().zip(DE).filter(|(english, german)| *english == german);
        let same: Vec<_> =
            same.map(|(english, _)| *english).filter(|text| text.len() > 12).collect();
        assert_eq!(same, Vec::<&str>::new());
    }
}
