//! Numbers in questions.

use proptest::prelude::*;
use wherefore_engine::text::{numbers, tokenize};

/// Numbers as their value with `th`, `%` or currency, and `?` if the words may not be a number.
fn found(text: &str) -> String {
    numbers(&tokenize(text))
        .iter()
        .map(|mention| {
            format!(
                "{}{}{}{}{}",
                mention.value,
                if mention.ordinal { "th" } else { "" },
                if mention.percent { "%" } else { "" },
                mention.currency.as_deref().unwrap_or_default(),
                if mention.weak { "?" } else { "" },
            )
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn numbers_are_read() {
    for (text, expected) in [
        ("top 5 artists", "5"),
        ("over 1,000", "1000"),
        ("1 234 567 no-break is not blank", "1 234 567"),
        ("1\u{a0}234\u{a0}567", "1234567"),
        ("10k", "10000"),
        ("2M and 1.5bn", "2000000 1500000000"),
        ("1.5 million", "1500000"),
        ("between 5 and 10 thousand", "5000 10000"),
        ("5 to 10 million", "5000000 10000000"),
        ("between 900 and 2 thousand", "900 2000"),
        ("5 and 10 thousand", "5 10000"),
        ("$3 million", "3000000USD"),
        ("$1,000.50", "1000.5USD"),
        ("€5", "5EUR"),
        ("5 €", "5EUR"),
        ("€ 5", "5EUR"),
        ("USD 20", "20USD"),
        ("20 dollars", "20USD"),
        ("50% or 50 percent or 7 per cent", "50% 50% 7%"),
        ("-5", "-5"),
        ("-0", "0"),
        (".5", "0.5"),
        ("007", "7"),
        ("1.50", "1.5"),
        ("5th and fifth", "5th 5th"),
        ("twenty-five customers", "25"),
        ("twenty five", "25"),
        ("twenty-first", "21th"),
        ("a hundred and five", "105"),
        ("one hundred and fifty-two", "152"),
        ("fifteen hundred", "1500"),
        ("two thousand three hundred and four", "2304"),
        ("one million two hundred thousand", "1200000"),
        ("two and a half million", "2500000"),
        ("two and a half", "2.5"),
        ("half a million", "500000"),
        ("a dozen or two dozen", "12 24"),
        ("half a dozen", "6"),
        ("between one hundred and two hundred", "100 200"),
        ("between one hundred and fifty", "100 50"),
        ("between one hundred and fifty and two hundred", "150 200"),
        ("five and ten", "5 10"),
        ("twenty twelve", "20 12"),
        ("one", "1?"),
        ("the first and the second", "1th? 2th?"),
        ("a couple of invoices", "2?"),
        ("hundred customers", "100?"),
        ("5cm", "5"),
        ("wounds > 25 cm²", "25"),
        ("a customer, an order", ""),
        ("on 2025-03-01 at 10:30", ""),
        ("named '5 dollars'", ""),
        ("half of the orders", ""),
        ("Q2, 90s, v1.2.3, A-5", ""),
        ("٣ commandes", ""),
        (&"9".repeat(41), ""),
    ] {
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn the_span_holds_what_belongs_to_the_number() {
    let text = "more than 2.5 million dollars today";
    let mention = &numbers(&tokenize(text))[0];
    assert_eq!(mention.span.of(text), "2.5 million dollars");
    assert_eq!(mention.tokens, 2..5);
    assert!((mention.number - 2_500_000.0).abs() < f64::EPSILON);
}

proptest! {
    #[test]
    fn any_text_gives_decimal_text(
        text in "\\PC{0,60}|.{0,60}|[-+0-9.,$%kmst ]{0,60}|((a|half|and|one|two|twenty|hundred|thousand|million|trillion|dozen|fifth|between|5|-)[ -]){0,30}"
    ) {
        for mention in numbers(&tokenize(&text)) {
            prop_assert!(mention.number.is_finite());
            let digits = mention.value.strip_prefix('-').unwrap_or(&mention.value);
            prop_assert!(digits.chars().all(|digit| digit.is_ascii_digit() || digit == '.'), "{}", digits);
            prop_assert!(!mention.span.of(&text).is_empty());
        }
    }
}
