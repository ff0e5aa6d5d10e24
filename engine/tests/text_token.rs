//! Tokens of questions.

use proptest::prelude::*;
use wherefore_engine::text::{TokenKind, tokenize};

/// Tokens as `folded` with a letter for the kind: w, n, q, s or p.
fn tokens(text: &str) -> String {
    tokenize(text)
        .iter()
        .map(|token| {
            let kind = match token.kind {
                TokenKind::Number => 'n',
                TokenKind::Punctuation => 'p',
                TokenKind::Quoted => 'q',
                TokenKind::Symbol => 's',
                TokenKind::Word => 'w',
            };
            format!("{kind}:{}", token.folded)
        })
        .collect::<Vec<_>>()
        .join(" | ")
}

#[test]
fn questions_fall_into_tokens() {
    for (text, expected) in [
        ("how many customers?", "w:how | w:many | w:customers | p:?"),
        ("albums by AC/DC", "w:albums | w:by | w:ac/dc"),
        ("the customer's orders", "w:the | w:customer | w:orders"),
        ("the customer’s orders", "w:the | w:customer | w:orders"),
        ("the customers' orders", "w:the | w:customers | w:orders"),
        ("invoices of O'Neil", "w:invoices | w:of | w:o'neil"),
        ("country is 'Brazil'", "w:country | w:is | q:brazil"),
        ("name is 'O'Neil'", "w:name | w:is | q:o'neil"),
        ("name is 'O''Neil'", "w:name | w:is | q:o'neil"),
        ("“Let There Be Rock” by AC/DC", "q:let there be rock | w:by | w:ac/dc"),
        ("named ‘Rock’ or \"Pop\"", "w:named | q:rock | w:or | q:pop"),
        ("don't show São Paulo", "w:don't | w:show | w:sao | w:paulo"),
        ("full-thickness wounds", "w:full-thickness | w:wounds"),
        ("total per billing_country", "w:total | w:per | w:billing_country"),
        ("AT&T and R & D", "w:at&t | w:and | w:r | s:& | w:d"),
        ("orders.total >= 5", "w:orders.total | s:>= | n:5"),
        ("over $1,000.50, or €5", "w:over | n:$1,000.50 | p:, | w:or | n:€5"),
        ("10k, 2M, 50%, 5 %", "n:10k | p:, | n:2m | p:, | n:50% | p:, | n:5 | s:%"),
        ("1,2,3", "n:1 | p:, | n:2 | p:, | n:3"),
        ("1,234,567", "n:1,234,567"),
        ("between -5 and .5", "w:between | n:-5 | w:and | n:.5"),
        ("wounds over 5cm", "w:wounds | w:over | n:5 | w:cm"),
        (
            "wounds over 5\" and under 10\"",
            "w:wounds | w:over | n:5 | p:\" | w:and | w:under | n:10 | p:\"",
        ),
        ("30-day stays", "n:30 | p:- | w:day | w:stays"),
        ("on 2025-03-01.", "w:on | n:2025-03-01 | p:."),
        ("at 2025-03-01T10:30:00Z", "w:at | n:2025-03-01t10:30:00z"),
        (
            "in 2023-05, 05/01/2023 and 1.5.2023",
            "w:in | n:2023-05 | p:, | n:05/01/2023 | w:and | n:1.5.2023",
        ),
        ("2021-2023", "n:2021 | p:- | n:2023"),
        ("2021–2023", "n:2021 | p:– | n:2023"),
        ("the '90s and the '80s", "w:the | p:' | w:90s | w:and | w:the | p:' | w:80s"),
        ("the 5th, Q2 and 1990s", "w:the | n:5th | p:, | w:q2 | w:and | w:1990s"),
        ("version 1.2.3", "w:version | w:1.2.3"),
        ("2023's sales at 10:30", "n:2023 | w:sales | w:at | n:10:30"),
        ("mail jo@example.com.", "w:mail | w:jo@example.com | p:."),
        ("zero\u{200b}width \u{202e}rtl", "w:zerowidth | w:rtl"),
        ("日本語 の 注文", "w:日本語 | w:の | w:注文"),
        ("a😀b", "w:a | s:😀 | w:b"),
        ("''", "p:' | p:'"),
        ("", ""),
        ("\u{0}\u{7}\t\n", ""),
    ] {
        assert_eq!(tokens(text), expected, "{text}");
    }
}

#[test]
fn quoted_literals_keep_their_text_and_span_their_marks() {
    let text = "name is \"Ján 'X'\"";
    let token = tokenize(text).pop().unwrap();
    assert_eq!(token.raw, "Ján 'X'");
    assert_eq!(token.span.of(text), "\"Ján 'X'\"");
}

#[test]
fn words_offer_their_parts() {
    let tokens = tokenize("full-thickness billing_country AC/DC");
    let parts: Vec<Vec<&str>> = tokens.iter().map(|token| token.parts().collect()).collect();
    assert_eq!(parts, [["full", "thickness"], ["billing", "country"], ["ac", "dc"]]);
}

#[test]
fn a_long_text_of_open_quotes_is_read() {
    assert_eq!(tokenize(&"'a ".repeat(33_000)).len(), 66_000);
}

proptest! {
    #[test]
    fn any_text_falls_into_ordered_tokens(text in "\\PC{0,80}|[ -~]{0,80}|.{0,80}|['\"‘’“”0-9a-z,./:$%-]{0,60}") {
        let mut end = 0;
        for token in tokenize(&text) {
            prop_assert!(token.span.start >= end);
            prop_assert!(token.span.end > token.span.start);
            prop_assert!(!token.span.of(&text).is_empty());
            end = token.span.end;
        }
    }
}
