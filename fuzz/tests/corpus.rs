//! Every input that the fuzzer kept, and those that are known to be hard.

use std::path::Path;

#[test]
fn the_corpus_of_the_fuzzer_breaks_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/sql");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        wherefore_fuzz::sql(&std::fs::read(entry.unwrap().path()).unwrap());
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn brackets_and_chains_without_end_are_refused() {
    for part in ["(", "[", "1+", "NOT ", "- ", "CASE WHEN ", "coalesce(", "(SELECT "] {
        for times in [100, 8_000, 66_000 / part.len()] {
            for start in ["pSELECT ", "sSELECT ", "tSELECT 1 FROM ", "m"] {
                wherefore_fuzz::sql(format!("{start}{}", part.repeat(times)).as_bytes());
            }
        }
    }
}

#[test]
fn zeros_and_broken_letters_are_refused() {
    for text in [&b"pSELECT '\0'"[..], b"pSELECT \xff\xfe", b"p\0", b"", b"p", b"s\xed\xa0\x80"] {
        wherefore_fuzz::sql(text);
    }
}
