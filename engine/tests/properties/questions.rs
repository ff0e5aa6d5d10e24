//! Random questions from words of the catalog, structure words and arbitrary text.

use proptest::prelude::*;
use wherefore_engine::catalog::Catalog;

/// Numbers, dates, times and symbols for questions.
const OTHER_WORDS: &str = include_str!("../data/question_words.txt");

/// Words of the lexicon and the dictionary.
fn structure_words() -> Vec<String> {
    let lexicon: toml::Table =
        toml::from_str(include_str!("../../data/lexicon.toml")).expect("the lexicon is TOML");
    let mut words: Vec<String> = lexicon
        .values()
        .filter_map(toml::Value::as_array)
        .flatten()
        .filter_map(toml::Value::as_str)
        .map(str::to_owned)
        .collect();
    for pack in [
        include_str!("../../data/dictionary/general.toml"),
        include_str!("../../data/dictionary/healthcare.toml"),
    ] {
        let pack: toml::Table = toml::from_str(pack).expect("a pack is TOML");
        let terms = pack["terms"].as_array().expect("a pack lists its terms");
        words.extend(terms.iter().filter_map(|term| term["term"].as_str()).map(str::to_owned));
    }
    words
}

/// Names and stored values of a catalog, as people write them.
fn catalog_words(catalog: &Catalog) -> Vec<String> {
    let mut words = Vec::new();
    for table in &catalog.tables {
        words.push(table.name.replace('_', " "));
        words.extend(table.synonyms.iter().cloned());
        for column in &table.columns {
            words.push(column.name.replace('_', " "));
            words.extend(column.values.iter().flat_map(|list| list.values.clone()));
        }
    }
    words
}

/// Questions of up to eight parts: mostly words of the catalog, many structure words, some other words.
pub(crate) fn questions(catalog: &Catalog) -> impl Strategy<Value = String> + use<> {
    let other: Vec<String> = OTHER_WORDS.lines().map(str::to_owned).collect();
    let piece = prop_oneof![
        4 => prop::sample::select(catalog_words(catalog)),
        3 => prop::sample::select(structure_words()),
        2 => prop::sample::select(other),
        1 => "[a-z]{2,8}",
    ];
    prop::collection::vec(piece, 1..8).prop_map(|pieces| pieces.join(" "))
}

/// Arbitrary text between meaningful words.
pub(crate) fn texts(catalog: &Catalog) -> impl Strategy<Value = String> + use<> {
    let noise = prop_oneof![
        any::<String>(),
        "[\\u{0}-\\u{1f}\\u{7f}-\\u{9f}]{1,6}",
        "[\\u{200b}-\\u{200f}\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}\\u{feff}]{1,6}",
        "[\\u{300}-\\u{36f}a-zà-ÿ]{1,12}",
        "[\\u{4e00}-\\u{4eff}\\u{600}-\\u{6ff}\\u{400}-\\u{4ff}\\u{1f300}-\\u{1f5ff}]{1,12}",
        "['\"`“”‘’%_\\\\;()\\[\\]<>=.,:/+*-]{1,10}",
        "[0-9]{1,40}",
    ];
    prop::collection::vec(prop_oneof![1 => questions(catalog), 2 => noise], 0..5)
        .prop_map(|pieces| pieces.concat())
}
