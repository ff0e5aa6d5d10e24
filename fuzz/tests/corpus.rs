//! Checks the invariants on every input of the fuzzer's corpus, and on hand-written hard inputs.

#[test]
fn the_corpus_of_the_fuzzer_breaks_nothing() {
    let inputs = wherefore_fuzz::corpus::read().unwrap();
    assert!(inputs.len() >= 1_742, "inputs of the corpus are lost: {}", inputs.len());
    for input in inputs {
        wherefore_fuzz::sql(&input.bytes);
    }
}

#[test]
fn brackets_and_chains_without_end_are_refused() {
    let open = ["(", "[", "1+", "NOT ", "- ", "CASE WHEN ", "coalesce(", "(SELECT "];
    let closed = [("1+", "1"), ("1 UNION SELECT ", "1"), ("NOT ", "true"), ("1,", "1")];
    for (part, end) in open.map(|part| (part, "")).into_iter().chain(closed) {
        for times in [8_000, 66_000 / part.len()] {
            for start in ["pSELECT ", "sSELECT ", "tSELECT 1 FROM ", "m"] {
                let text = format!("{start}{}{end}", part.repeat(times));
                assert!(!wherefore_fuzz::sql(text.as_bytes()), "{start}{part} × {times}");
            }
        }
    }
}

#[test]
fn a_zero_or_no_statement_is_refused() {
    for text in [&b"pSELECT \0"[..], b"p\0", b"", b"p", b"s\xed\xa0\x80"] {
        assert!(!wherefore_fuzz::sql(text), "{text:?}");
    }
}

#[test]
fn zeros_in_quotes_and_broken_letters_break_nothing() {
    for text in [&b"pSELECT '\0'"[..], b"pSELECT \xff\xfe", b"sSELECT '\xff'"] {
        wherefore_fuzz::sql(text);
    }
}
