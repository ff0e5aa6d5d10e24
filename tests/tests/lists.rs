//! Checks the format of word lists, because readers skip lines that they cannot split.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use wherefore_tests::workspace::root;

/// Folders that contain lists.
const FOLDERS: [&str; 5] =
    ["engine/data/text", "english/data", "proxy/data", "sql/data", "web/data"];

/// Each list with its field separator, the kinds of its fields, and the number of leading fields that form a unique
/// key.
///
/// Kinds: `w` a text, `o` an optional text, `n` an integer, `a` a number of arguments (`bare`, `2`, `2+`); `+`
/// repeats the last kind. A list without a separator has one field per line.
const LISTS: [(&str, &str, &str, usize); 38] = [
    ("catalog/data/sensitive_names.txt", "", "w", 1),
    ("engine/data/text/currencies.txt", " ", "ww", 1),
    ("engine/data/text/letters.txt", " ", "ww", 1),
    ("engine/data/text/magnitudes.txt", " ", "wn", 1),
    ("engine/data/text/number_words.txt", " ", "wwn", 1),
    ("engine/data/text/time_phrases.txt", " ", "ww+", 9),
    ("engine/data/text/time_words.txt", " ", "wwn", 2),
    ("engine/data/text/units.txt", " ", "w", 1),
    ("english/data/irregular_nouns.txt", " ", "ww", 1),
    ("english/data/irregular_verbs.txt", " ", "ww", 1),
    ("proxy/data/model_errors.tsv", "\t", "ww", 2),
    ("proxy/data/sheet_headers.txt", ": ", "ww", 1),
    ("proxy/data/sqlite_functions.txt", " ", "w", 1),
    ("sql/data/collations.txt", " ", "ww", 2),
    ("sql/data/convert_styles.tsv", "\t", "nw", 1),
    ("sql/data/date_formats.tsv", "\t", "wwwwwwww", 8),
    ("sql/data/date_parts.tsv", "\t", "www", 2),
    ("sql/data/function_equivalents.tsv", "\t", "www", 1),
    ("sql/data/functions_drafts.tsv", "\t", "wwaw", 3),
    ("sql/data/functions_foreign.tsv", "\t", "wwaw", 3),
    ("sql/data/functions_known.txt", " ", "ww+", 99),
    ("sql/data/functions_other_targets.txt", " ", "ww+", 99),
    ("sql/data/functions_postgres.txt", " ", "ww+", 99),
    ("sql/data/functions_sqlite.txt", " ", "ww+", 99),
    ("sql/data/functions_targets.tsv", "\t", "wwaw", 3),
    ("sql/data/hidden_columns.txt", " ", "w", 1),
    ("sql/data/methods_tsql.txt", " ", "w", 1),
    ("sql/data/own_syntax_calls.txt", " ", "w", 1),
    ("sql/data/own_syntax_words.txt", " ", "w", 1),
    ("sql/data/phrases.tsv", "\t", "wnw", 2),
    ("sql/data/reserved_mysql.txt", " ", "w", 1),
    ("sql/data/reserved_postgres.txt", " ", "w", 1),
    ("sql/data/reserved_sqlite.txt", " ", "w", 1),
    ("sql/data/signatures.tsv", "\t", "wwow", 2),
    ("sql/data/types.tsv", "\t", "wwwn", 1),
    ("sql/data/types_foreign.tsv", "\t", "www", 2),
    ("sql/data/types_targets.tsv", "\t", "wwwwwww", 1),
    ("web/data/sql_keywords.txt", " ", "w", 1),
];

#[test]
fn every_line_of_every_list_has_the_fields_that_its_reader_takes() {
    for (path, separator, kinds, key) in LISTS {
        let text = fs::read_to_string(root().join(path)).unwrap();
        if let Some(fault) = fault(&text, separator, kinds, key) {
            panic!("{path}: {fault}");
        }
    }
}

#[test]
fn every_list_has_a_form() {
    let listed: BTreeSet<&str> = LISTS.iter().map(|(path, ..)| *path).collect();
    for folder in FOLDERS {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = PathBuf::from(entry.unwrap().file_name());
            let is_list = name.extension().is_some_and(|kind| kind == "txt" || kind == "tsv");
            let path = format!("{folder}/{}", name.display());
            assert!(!is_list || listed.contains(path.as_str()), "{path} has no form in this test");
        }
    }
}

#[test]
fn a_line_with_a_field_too_few_or_of_another_kind_or_twice_is_a_fault() {
    for (text, separator, kinds, reason) in [
        ("# Words.\nk 3\nm\n", " ", "wn", "“m” has another number of fields than 2"),
        ("k 3 4\n", " ", "wn", "“k 3 4” has another number of fields than 2"),
        ("k\tthree\n", "\t", "wn", "“three” is no number"),
        ("lower\ttwo\tupper\n", "\t", "waw", "“two” is no number of arguments"),
        ("lower\t\tupper\n", "\t", "www", "“lower\t\tupper” has an empty field"),
        ("k 3\n\nk 4\n", " ", "wn", "“k 4” says again what “k 3” says"),
    ] {
        assert_eq!(fault(text, separator, kinds, 1).as_deref(), Some(reason));
    }
    assert_eq!(fault("one two three\n", " ", "ww+", 1), None);
}

/// The first invalid line, with the reason.
fn fault(text: &str, separator: &str, kinds: &str, key: usize) -> Option<String> {
    let kinds: Vec<char> = kinds.chars().collect();
    let open = kinds.last() == Some(&'+');
    let kinds = &kinds[..kinds.len() - usize::from(open)];
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut seen: Vec<(Vec<&str>, &str)> = Vec::new();
    for line in lines {
        let fields: Vec<&str> = match separator {
            "" => vec![line],
            " " => line.split_whitespace().collect(),
            separator => line.split(separator).collect(),
        };
        if fields.len() < kinds.len() || fields.len() > kinds.len() && !open {
            return Some(format!("“{line}” has another number of fields than {}", kinds.len()));
        }
        for (at, field) in fields.iter().enumerate() {
            let is_number = |text: &str| text.parse::<i32>().is_ok();
            let fault = match kinds[at.min(kinds.len() - 1)] {
                kind if field.trim().is_empty() && kind != 'o' => {
                    Some(format!("“{line}” has an empty field"))
                }
                'n' if !is_number(field) => Some(format!("“{field}” is no number")),
                'a' if *field != "bare" && !is_number(field.trim_end_matches('+')) => {
                    Some(format!("“{field}” is no number of arguments"))
                }
                _ => None,
            };
            if fault.is_some() {
                return fault;
            }
        }
        let own = fields[..fields.len().min(key)].to_vec();
        if let Some((_, other)) = seen.iter().find(|(other, _)| *other == own) {
            return Some(format!("“{line}” says again what “{other}” says"));
        }
        seen.push((own, line));
    }
    None
}
