//! Matches phrases with stored values.

use wherefore_english::singular;

use super::element::{ColumnId, Target};
use super::lexicon::Lexical;
use super::linker::Linker;
use super::mention::Mention;
use super::values::ValueIndex;
use crate::confidence::Method;
use crate::data::Role;
use crate::text::{Token, TokenKind, letters_of, stem};

/// Articles, folded.
pub(super) const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// Adds the stored values that a phrase can refer to, by the most reliable way of matching first.
pub(super) fn value_readings(linker: &Linker<'_>, words: &[Token], mention: &mut Mention) {
    // "Got an A" is a grade, where one is stored so.
    let letter = is_stored_letter(linker, words, mention);
    if letter {
        mention.lexical.clear();
    } else if is_structure(words, mention) || only_leads(linker, words, mention) {
        return;
    }
    let letters: String = words.iter().map(|token| letters_of(&token.raw)).collect();
    if letters.is_empty() {
        return;
    }
    let indexes = [linker.values, linker.found];
    // "Parking" is no `theme_parks`, where it is stored as it is said.
    let gerund = matches!(words, [word] if word.folded.ends_with("ing"));
    let named = mention
        .readings
        .iter()
        .any(|reading| reading.score >= 0.8 && !(gerund && reading.method == Method::Head));
    let damp = if named && !mention.quoted { 0.75 } else { 1.0 };
    let exact = add_exact(linker, words, (&letters, damp), mention)
        || without_articles(words)
            .is_some_and(|letters| add_exact(linker, words, (&letters, damp), mention));
    let whole = mention.readings.iter().any(|reading| reading.score > Method::ValueFuzzy.base());
    // "An A" is no misspelt "Ana".
    let led =
        matches!(words, [first, next] if is_indefinite(first) && next.kind == TokenKind::Word);
    if exact || led || named && (whole || words.len() == 1) {
        return;
    }
    add_other_forms(indexes, &letters, mention);
    if let Some(long) = written_out(linker, words) {
        add_other_forms(indexes, &format!("{long}s"), mention);
    }
    if names_nothing(words, mention) {
        if is_misspelt(linker, words) && !is_part_of_values(indexes, words) {
            add_similar(indexes, &letters, mention);
        }
        if let [word] = words {
            add_negated(linker.values, word, mention);
        }
    }
    if let [word] = words
        && mention.readings.is_empty()
        && mention.vague.is_none()
        && mention.concept.is_none()
        && mention.number.is_none()
        && !linker.units.knows(&word.folded)
        && (word.raw != word.folded || !linker.lexicon.is_verb(&word.folded))
    {
        add_containing(indexes, word, mention);
        add_posts(linker, indexes, word, mention);
        if mention.readings.is_empty() {
            add_words(linker, word, mention);
        }
    }
}

/// Whether a phrase is one capital letter that is stored as a value, and not the first word of the question.
fn is_stored_letter(linker: &Linker<'_>, words: &[Token], mention: &Mention) -> bool {
    let [word] = words else { return false };
    let capital =
        word.raw.len() == 1 && word.raw.starts_with(|letter: char| letter.is_ascii_uppercase());
    let indexes = [linker.values, linker.found];
    let stored = || {
        let mut values = indexes.iter().flat_map(|index| index.by_letters(&word.folded));
        values.any(|(_, value)| *value == word.raw)
    };
    capital && mention.tokens.start > 0 && !mention.lexical.is_empty() && stored()
}

/// Whether a phrase is a structure word or a period rather than a value. Capital letters indicate a value, except at
/// the start of the question.
fn is_structure(words: &[Token], mention: &Mention) -> bool {
    let capitalised = words.iter().all(|token| {
        token.kind == TokenKind::Number || token.raw.chars().next().is_some_and(char::is_uppercase)
    });
    // "Available beds" are those whose state is called so, where one is.
    let structural = !mention.lexical.is_empty() && mention.lexical != [Lexical::Everything]
        || mention.grain.is_some()
        || mention.time.is_some();
    let noun = mention.lexical == [Lexical::Generic];
    !mention.quoted
        && structural
        && !(capitalised && mention.tokens.start > 0 && (words.len() > 1 || noun))
}

/// Whether several words are only prepositions and articles, which no value consists of: "as a" is not "Åsa".
fn only_leads(linker: &Linker<'_>, words: &[Token], mention: &Mention) -> bool {
    let leads = |word: &Token| {
        word.raw == word.folded
            && (ARTICLES.contains(&word.folded.as_str())
                || linker.lexicon.is_preposition(&word.folded))
    };
    !mention.quoted && words.len() > 1 && words.iter().all(leads)
}

fn is_indefinite(word: &Token) -> bool {
    ["a", "an"].contains(&word.folded.as_str())
}

/// Normalised letters of a phrase without its inner articles, if it has any: "on the road" matches "On Road".
fn without_articles(words: &[Token]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    let kept = |word: &&Token| !ARTICLES.contains(&word.folded.as_str());
    let shorter = rest.iter().any(|word| !kept(&word)) && rest.last().is_some_and(|it| kept(&it));
    let letters = std::iter::once(first).chain(rest.iter().filter(kept));
    shorter.then(|| letters.map(|word| letters_of(&word.raw)).collect())
}

/// Adds the values with this normalised text; returns whether there are any.
fn add_exact(
    linker: &Linker<'_>,
    words: &[Token],
    (letters, damp): (&str, f64),
    mention: &mut Mention,
) -> bool {
    let indexes = [linker.values, linker.found];
    let phrase = mention.phrase.to_lowercase();
    let names = named_in_parts(linker, indexes, words);
    let led =
        matches!(words, [first, next, ..] if is_indefinite(first) && next.kind == TokenKind::Word);
    // "go" is no track called "Go".
    let verb = matches!(words, [word] if word.raw == word.folded
        && !mention.quoted
        && linker.lexicon.is_verb(&word.folded));
    let titled = |(column, value): &(ColumnId, String)| {
        value.starts_with(char::is_uppercase)
            && linker.schema.profile(column.table).label.contains(column)
            && !linker.schema.has_role(*column, Role::Status)
    };
    let found: Vec<&(ColumnId, String)> = indexes
        .iter()
        .flat_map(|index| index.by_letters(letters))
        .filter(|(_, value)| !names || value.contains(char::is_whitespace))
        // "An A" is not "Ana".
        .filter(|(_, value)| !led || value.contains(char::is_whitespace))
        .filter(|found| !(verb && titled(found)))
        .collect();
    // "Luís" is not "Luis" where both are stored.
    let accented = found.iter().any(|(_, value)| value.to_lowercase() == phrase);
    // "A" is not "A+" where both are stored.
    let mark = |text: &str| text.chars().next_back().filter(|last| "+-#".contains(*last));
    let marked = |value: &str| mark(value) != mark(&phrase);
    for (column, value) in &found {
        if accented && value.to_lowercase() != phrase && marked(value) {
            continue;
        }
        let other = accented && value.to_lowercase() != phrase && has_accents(&phrase, value);
        let score = Method::ValueExact.base() * damp - if other { 0.1 } else { 0.0 };
        mention.add(Target::Value(*column, value.clone()), Method::ValueExact, score);
    }
    names || !found.is_empty()
}

/// Whether two words are the first and last name of people, who may have a login of the same letters as well.
fn named_in_parts(linker: &Linker<'_>, indexes: [&ValueIndex; 2], words: &[Token]) -> bool {
    let part = |word: &Token| {
        let letters = letters_of(word.raw.trim_end_matches("'s").trim_end_matches("’s"));
        indexes.iter().flat_map(|index| index.by_letters(&letters)).find_map(|(column, _)| {
            let label = &linker.schema.profile(column.table).label;
            (label.len() > 1 && label.contains(column)).then_some(*column)
        })
    };
    match words {
        [first, last] => match (part(first), part(last)) {
            (Some(first), Some(last)) => first.table == last.table && first != last,
            _ => false,
        },
        _ => false,
    }
}

/// Whether one of two spellings that are alike but for accents has any.
fn has_accents(phrase: &str, value: &str) -> bool {
    let accented =
        |text: &str| text.chars().any(|letter| letter.is_alphabetic() && !letter.is_ascii());
    accented(phrase) || accented(value)
}

/// Normalised letters of a phrase with its abbreviations expanded and its last word in the singular, so that "sales reps"
/// matches the stored value "Sales Representative".
fn written_out(linker: &Linker<'_>, words: &[Token]) -> Option<String> {
    let long = |word: &Token| linker.schema.long_form(&singular(&word.folded)).map(str::to_owned);
    let known = words.len() > 1 && words.iter().any(|word| long(word).is_some());
    known.then(|| {
        words.iter().map(|word| letters_of(&long(word).unwrap_or(word.raw.clone()))).collect()
    })
}

/// Adds the values that are the singular, a plural or the `-ing` form of a phrase.
fn add_other_forms(indexes: [&ValueIndex; 2], letters: &str, mention: &mut Mention) {
    let mut forms = vec![format!("{letters}s"), format!("{letters}es")];
    if let Some(singular) = letters.strip_suffix("ies") {
        forms.push(format!("{singular}y"));
    }
    for suffix in ["es", "s"] {
        forms.extend(letters.strip_suffix(suffix).filter(|form| form.len() > 2).map(str::to_owned));
    }
    forms.extend(
        letters.strip_suffix("ed").filter(|base| base.len() > 3).map(|base| format!("{base}ing")),
    );
    forms.push(stem(letters));
    for index in indexes {
        for (column, value) in forms.iter().flat_map(|form| index.by_letters(form)) {
            let target = Target::Value(*column, value.clone());
            mention.add(target, Method::ValueFuzzy, Method::ValueFuzzy.base());
        }
    }
}

/// Adds the values with a small edit distance from a phrase.
fn add_similar(indexes: [&ValueIndex; 2], letters: &str, mention: &mut Mention) {
    for index in indexes {
        for (column, value) in index.similar(letters) {
            let target = Target::Value(*column, value.clone());
            mention.add(target, Method::ValueFuzzy, Method::ValueFuzzy.base() - 0.05);
        }
    }
}

/// Adds the values that a word with the prefix "un-" negates: "unpaid" for "paid".
fn add_negated(values: &ValueIndex, word: &Token, mention: &mut Mention) {
    let Some(rest) = word.folded.strip_prefix("un").filter(|rest| rest.len() > 2) else { return };
    for (column, value) in values.by_letters(rest) {
        mention.negated = true;
        let target = Target::Value(*column, value.clone());
        mention.add(target, Method::ValueFuzzy, Method::ValueFuzzy.base());
    }
}

/// Whether stored values contain a word as it is written, so that it is not misspelt.
fn is_part_of_values(indexes: [&ValueIndex; 2], words: &[Token]) -> bool {
    let [word] = words else { return false };
    indexes.iter().any(|index| !index.by_word(&word.folded).is_empty())
}

/// Adds the values that contain a word.
fn add_containing(indexes: [&ValueIndex; 2], word: &Token, mention: &mut Mention) {
    for index in indexes {
        for (column, value) in index.by_word(&word.folded) {
            let target = Target::Value(*column, value.clone());
            mention.add(target, Method::ValuePart, Method::ValuePart.base() - 0.02);
        }
    }
}

/// Adds the columns that name rows and of which several values contain a word in the singular or the plural: "gloves" for
/// products called "Cut Glove Large". A word of more than half of the values tells no rows apart.
fn add_words(linker: &Linker<'_>, word: &Token, mention: &mut Mention) {
    let one = singular(&word.folded);
    if one.len() < 4 || linker.lexicon.is_agent(&stem(&one)) {
        return;
    }
    let many = wherefore_english::plural(&one);
    for (column, count) in linker.values.columns_with(&[one.as_str(), many.as_str()]) {
        let label = linker.schema.profile(column.table).label.contains(&column);
        let all = linker.values.count_of(column);
        let post = linker.schema.tells_a_post(column);
        if label && !post && count > 1 && count * 2 <= all {
            let target = Target::Value(column, one.clone());
            mention.add(target, Method::ValueWord, Method::ValueWord.base());
        }
    }
}

/// Adds the posts of persons that contain the singular of a word: "nurses" for "Wound Nurse". Words for those who do what
/// verbs say, such as "agents", mean rows.
fn add_posts(linker: &Linker<'_>, indexes: [&ValueIndex; 2], word: &Token, mention: &mut Mention) {
    let one = singular(&word.folded);
    if one == word.folded || linker.lexicon.is_agent(&stem(&one)) {
        return;
    }
    for (column, value) in indexes.iter().flat_map(|index| index.by_word(&one)) {
        if linker.schema.tells_a_persons_post(*column) {
            let target = Target::Value(*column, value.clone());
            mention.add(target, Method::ValuePart, Method::ValuePart.base() - 0.02);
        }
    }
}

/// Whether a phrase of up to three complete words has no match so far.
fn names_nothing(words: &[Token], mention: &Mention) -> bool {
    mention.readings.is_empty()
        && mention.lexical.is_empty()
        && mention.vague.is_none()
        && mention.concept.is_none()
        && mention.number.is_none()
        && words.iter().all(|token| token.kind == TokenKind::Word)
        && words.len() <= 3
        && !mention.unfinished
}

/// Whether a phrase is likely misspelled: its words are unknown, or words of stored values occur next to unknown ones.
fn is_misspelt(linker: &Linker<'_>, words: &[Token]) -> bool {
    let named = |word: &Token| {
        linker.lexicon.knows(&word.folded)
            || words.len() > 1
                && (linker.schema.knows(&word.stem)
                    || !linker.schema.by_stems(&word.stem).is_empty())
    };
    let stored = |word: &Token| linker.values.holds(&word.folded);
    !words.iter().any(named) && (words.len() == 1 || words.iter().any(stored))
}
