//! The question of a clarification: one sentence of at most 15 words that names the likeliest option first.

use wherefore_english::with_article;

use crate::ambiguity::AmbiguityKind;
use crate::clarification::Relation;

/// Most words of a question.
const WORDS: usize = 15;
/// Most options that a question names; of more, it names the likeliest.
const LISTED: usize = 3;
/// Words of a long phrase that are repeated.
const PHRASE_WORDS: usize = 4;
/// Separator of phrases that stand apart in the question.
const APART: &str = "”, “";

/// What a question is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// Kind of ambiguity.
    pub(super) kind: AmbiguityKind,
    /// How the phrase and an option are connected.
    pub(super) relation: Relation,
    /// Words of the question that are ambiguous, or a word for what is missing.
    pub(super) phrase: &'a str,
    /// Whether the phrase is not in the question.
    pub(super) missing: bool,
    /// Labels of the options, likeliest first; empty where no option defines the phrase.
    pub(super) labels: &'a [&'a str],
}

impl Asked<'_> {
    /// Whether the question starts with "Which".
    fn asks_which(&self) -> bool {
        let named = matches!(
            self.kind,
            AmbiguityKind::Aggregation
                | AmbiguityKind::Column
                | AmbiguityKind::Table
                | AmbiguityKind::Value
        );
        self.relation == Relation::Means && self.missing && named
    }

    /// Words for the options that are not named.
    fn another(&self) -> &'static str {
        match self.relation {
            _ if self.asks_which() => "another one",
            Relation::GoesBy => "by something else",
            Relation::Period => "another period",
            _ => "something else",
        }
    }
}

/// The question in one sentence.
pub(super) fn question(asked: Asked<'_>) -> String {
    if asked.kind == AmbiguityKind::UnknownTerm {
        if asked.relation == Relation::Unplaced {
            return unplaced(asked.phrase);
        }
        return unknown(asked.phrase, asked.labels.len() > 1);
    }
    let short = shortened(asked.phrase);
    let named: Vec<String> =
        asked.labels.iter().map(|label| named(asked.kind, asked.relation, label)).collect();
    let listed = Some(alternatives(&named)).filter(|_| (1..=LISTED).contains(&named.len()));
    let first = named.first();
    let others = first.filter(|_| named.len() > 1);
    let others = others.map(|first| format!("{first}, or {}", asked.another()));
    let written = [
        (listed.as_ref(), asked.phrase),
        (others.as_ref(), asked.phrase),
        (first, asked.phrase),
        (others.as_ref(), &short),
        (first, &short),
    ];
    written
        .into_iter()
        .filter_map(|(options, phrase)| Some(about(asked, phrase, options?)))
        .find(|question| question.split_whitespace().count() <= WORDS)
        .unwrap_or_else(|| open(asked, &short))
}

/// The question about some options.
fn about(asked: Asked<'_>, phrase: &str, options: &str) -> String {
    match (asked.kind, asked.relation) {
        (AmbiguityKind::Intent, _) => format!("Show {options}?"),
        (AmbiguityKind::Join, Relation::Means) if asked.missing && asked.labels.len() == 1 => {
            format!("Are {phrase} {options}?")
        }
        (_, Relation::Instead) => format!("{} Do you mean {options}?", unusable(phrase)),
        (_, Relation::ComparesWith) => format!("Should “{phrase}” cover {options}?"),
        (_, Relation::GoesBy) => format!("Does “{phrase}” go by {options}?"),
        (_, Relation::Right) => {
            format!("Is {} right?", asked.labels.first().copied().unwrap_or(options))
        }
        (_, Relation::Period) => format!("Should this cover {options}?"),
        _ if asked.asks_which() => format!("Which {phrase} do you mean: {options}?"),
        (_, Relation::AppliesTo) => format!("Does “{phrase}” apply to {options}?"),
        (_, Relation::RefersTo) => format!("Does “{phrase}” refer to {options}?"),
        (_, Relation::Is) => format!("Is “{phrase}” {options}?"),
        (AmbiguityKind::Column | AmbiguityKind::Table, Relation::Means) => {
            format!("By “{phrase}”, do you mean {options}?")
        }
        (_, Relation::Means | Relation::Unplaced) => format!("Does “{phrase}” mean {options}?"),
    }
}

/// The question without options.
fn open(asked: Asked<'_>, phrase: &str) -> String {
    match (asked.kind, asked.relation) {
        (AmbiguityKind::Intent, _) if asked.labels.len() == 1 => {
            "Is this what you mean?".to_owned()
        }
        (AmbiguityKind::Intent, _) => "What should be shown?".to_owned(),
        (_, Relation::Right) => format!("Is this right for “{phrase}”?"),
        (_, Relation::Instead) => format!("{} What should be used instead?", unusable(phrase)),
        (_, Relation::Period) => "Which period should this cover?".to_owned(),
        (_, Relation::AppliesTo) => format!("What does “{phrase}” apply to?"),
        (AmbiguityKind::VagueTerm, _) if asked.labels.is_empty() => {
            format!("“{phrase}” is not defined in this data. Leave it out?")
        }
        _ if asked.missing => format!("Which {phrase} do you mean?"),
        _ => format!("What does “{phrase}” mean here?"),
    }
}

fn unusable(phrase: &str) -> String {
    format!("“{phrase}” cannot be used here.")
}

/// The question about words that are names in the data, and that the question has no place for.
fn unplaced(phrase: &str) -> String {
    let words: Vec<String> = distinct_words(phrase).into_iter().map(quoted).collect();
    match words.as_slice() {
        [one] => format!("It is unclear what {one} means here. Leave it out?"),
        words => {
            let all = wherefore_english::and_list(words);
            format!("It is unclear what {all} mean here. Leave them out?")
        }
    }
}

/// The question about words that nothing in the data is named like; three are listed, or the first two of more. With
/// `offered` the options include columns that a single word may mean.
fn unknown(phrase: &str, offered: bool) -> String {
    let words = distinct_words(phrase);
    let listed = match words.as_slice() {
        [] => return String::new(),
        [number] if number.starts_with(|first: char| first.is_ascii_digit()) => {
            return format!("It is unclear what “{}” refers to. Leave it out?", shortened(number));
        }
        [one] if offered => {
            return format!("“{}” is not in this data. What does it mean?", shortened(one));
        }
        [one] => return format!("“{}” is not in this data. Leave it out?", shortened(one)),
        [first, second, _, rest @ ..] if !rest.is_empty() => {
            vec![quoted(first), quoted(second), format!("{} more", rest.len() + 1)]
        }
        words => words.iter().map(|word| quoted(word)).collect(),
    };
    format!("{} are not in this data. Leave them out?", wherefore_english::and_list(&listed))
}

/// The distinct parts of a phrase whose parts stand apart in the question.
pub(crate) fn distinct_words(phrase: &str) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for word in phrase.split(APART) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// A text in quotation marks.
fn quoted(text: &str) -> String {
    format!("“{text}”")
}

/// Labels with `or` before the last; with a comma before it where a label contains `and` or `or` itself.
fn alternatives(labels: &[String]) -> String {
    let joined = labels.iter().any(|label| label.contains(" and ") || label.contains(" or "));
    match labels.split_last() {
        Some((last, rest)) if joined && !rest.is_empty() => {
            format!("{}, or {last}", rest.join(", "))
        }
        _ => wherefore_english::or_list(labels),
    }
}

/// The label of an option as it reads within the question.
fn named(kind: AmbiguityKind, relation: Relation, label: &str) -> String {
    let label = match label {
        "both of them" | "both matches" => return "both".to_owned(),
        "all of them" => return "all".to_owned(),
        label => label,
    };
    let figure = ["number of ", "sum of ", "average ", "highest ", "lowest "]
        .iter()
        .any(|start| label.starts_with(start));
    match relation {
        Relation::Means if kind == AmbiguityKind::Aggregation && figure => format!("the {label}"),
        Relation::Means if kind == AmbiguityKind::Value && label.ends_with('”') => {
            format!("the {label}")
        }
        Relation::RefersTo => format!("the {label}"),
        Relation::Is => with_article(label),
        _ => label.to_owned(),
    }
}

/// The first words of a long phrase.
fn shortened(phrase: &str) -> String {
    let words: Vec<&str> = phrase.split_whitespace().collect();
    match words.get(..PHRASE_WORDS) {
        Some(first) if words.len() > PHRASE_WORDS => format!("{} …", first.join(" ")),
        _ => phrase.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked<'a>(
        kind: AmbiguityKind,
        relation: Relation,
        phrase: &'a str,
        labels: &'a [&'a str],
    ) -> Asked<'a> {
        Asked { kind, relation, phrase, missing: false, labels }
    }

    #[test]
    fn the_likeliest_option_is_named_first_and_few_are_listed() {
        let vague =
            |labels| question(asked(AmbiguityKind::VagueTerm, Relation::Means, "large", labels));
        assert_eq!(vague(&["over 5"]), "Does “large” mean over 5?");
        assert_eq!(vague(&["over 5", "over 9"]), "Does “large” mean over 5 or over 9?");
        assert_eq!(vague(&["a", "b", "c"]), "Does “large” mean a, b or c?");
        assert_eq!(vague(&["a", "b", "c", "d"]), "Does “large” mean a, or something else?");
        assert_eq!(vague(&[]), "“large” is not defined in this data. Leave it out?");
    }

    #[test]
    fn each_relation_has_its_own_sentence() {
        let said = |kind, relation, phrase, labels: &[&str]| {
            question(asked(kind, relation, phrase, labels))
        };
        let pair = ["billing city", "shipping city"];
        for (relation, sentence) in [
            (Relation::Is, "Is “Graz” a billing city or a shipping city?"),
            (Relation::RefersTo, "Does “Graz” refer to the billing city or the shipping city?"),
            (Relation::AppliesTo, "Does “Graz” apply to billing city or shipping city?"),
            (Relation::Period, "Should this cover billing city or shipping city?"),
            (
                Relation::Instead,
                "“Graz” cannot be used here. Do you mean billing city or shipping city?",
            ),
            (Relation::Right, "Is billing city right?"),
            (Relation::GoesBy, "Does “Graz” go by billing city or shipping city?"),
            (Relation::ComparesWith, "Should “Graz” cover billing city or shipping city?"),
            (Relation::Means, "Does “Graz” mean billing city or shipping city?"),
        ] {
            assert_eq!(said(AmbiguityKind::Condition, relation, "Graz", &pair), sentence);
        }
        assert_eq!(
            said(AmbiguityKind::Intent, Relation::Means, "", &["orders", "people"]),
            "Show orders or people?"
        );
    }

    #[test]
    fn labels_with_a_conjunction_are_set_apart_by_a_comma() {
        let labels = ["both dogs and cats", "only cats"];
        let applies = asked(AmbiguityKind::Condition, Relation::AppliesTo, "old", &labels);
        assert_eq!(question(applies), "Does “old” apply to both dogs and cats, or only cats?");
    }

    #[test]
    fn an_option_that_leaves_no_room_for_others_is_asked_about_alone() {
        let labels = ["both day helpers and night helpers", "only night helpers"];
        let applies =
            asked(AmbiguityKind::Condition, Relation::AppliesTo, "hourly rate of 20", &labels);
        assert_eq!(
            question(applies),
            "Does “hourly rate of 20” apply to both day helpers and night helpers?"
        );
    }

    #[test]
    fn what_is_missing_is_asked_for() {
        let missing = |kind, phrase, labels| {
            question(Asked { missing: true, ..asked(kind, Relation::Means, phrase, labels) })
        };
        assert_eq!(
            missing(AmbiguityKind::Value, "region", &["north", "south"]),
            "Which region do you mean: north or south?"
        );
        assert_eq!(
            missing(AmbiguityKind::Value, "region", &["a", "b", "c", "d"]),
            "Which region do you mean: a, or another one?"
        );
        assert_eq!(
            missing(AmbiguityKind::Join, "orders and people", &["joined by person id"]),
            "Are orders and people joined by person id?"
        );
    }

    #[test]
    fn unknown_words_are_listed_up_to_three() {
        let unknown = |phrase| {
            question(asked(AmbiguityKind::UnknownTerm, Relation::Means, phrase, &["leave it out"]))
        };
        assert_eq!(unknown("x"), "“x” is not in this data. Leave it out?");
        assert_eq!(unknown("4"), "It is unclear what “4” refers to. Leave it out?");
        assert_eq!(unknown("x”, “y"), "“x” and “y” are not in this data. Leave them out?");
        assert_eq!(unknown("x”, “x"), "“x” is not in this data. Leave it out?");
        assert_eq!(
            unknown("x”, “y”, “z"),
            "“x”, “y” and “z” are not in this data. Leave them out?"
        );
        assert_eq!(
            unknown("x”, “y”, “z”, “w"),
            "“x”, “y” and 2 more are not in this data. Leave them out?"
        );
    }

    #[test]
    fn no_question_is_longer_than_fifteen_words() {
        let long = "one two three four five six seven eight nine ten eleven twelve";
        let kinds = [AmbiguityKind::Intent, AmbiguityKind::Column, AmbiguityKind::UnknownTerm];
        let relations = [
            Relation::AppliesTo,
            Relation::ComparesWith,
            Relation::GoesBy,
            Relation::RefersTo,
            Relation::Instead,
            Relation::Is,
            Relation::Means,
            Relation::Period,
            Relation::Right,
        ];
        let all: [&[&str]; 4] = [&[], &["a"], &[long, "b"], &["a b c d e f", "g h i j k l"]];
        for kind in kinds {
            for relation in relations {
                for labels in all {
                    for missing in [true, false] {
                        let asked = Asked { missing, ..asked(kind, relation, long, labels) };
                        let question = question(asked);
                        let words = question.split_whitespace().count();
                        assert!(words <= WORDS && question.ends_with('?'), "{question}");
                    }
                }
            }
        }
    }
}
