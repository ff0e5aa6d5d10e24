//! Answers to clarifications, and their JSON form.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// Take the recommended option, or the first, as an assumption.
    BestGuess,
    /// A typed date range; both dates are inclusive.
    DateRange {
        /// First day, `yyyy-mm-dd`.
        #[serde(default)]
        start: Option<String>,
        /// Last day, `yyyy-mm-dd`.
        #[serde(default)]
        end: Option<String>,
    },
    /// A typed number.
    Number {
        /// The number.
        value: f64,
    },
    /// One of the options.
    Option {
        /// Its id.
        option_id: String,
    },
    /// Typed text.
    Text {
        /// The text.
        text: String,
    },
}

/// JSON form of an answer. Serde buffers internally tagged enums, which costs 10 kB of WebAssembly.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "type")]
    kind: Kind,
    start: Option<String>,
    end: Option<String>,
    value: Option<f64>,
    option_id: Option<String>,
    text: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    BestGuess,
    DateRange,
    Number,
    Option,
    Text,
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let own: &[&str] = match written.kind {
            Kind::BestGuess => &[],
            Kind::DateRange => &["start", "end"],
            Kind::Number => &["value"],
            Kind::Option => &["option_id"],
            Kind::Text => &["text"],
        };
        let given = [
            ("start", written.start.is_some()),
            ("end", written.end.is_some()),
            ("value", written.value.is_some()),
            ("option_id", written.option_id.is_some()),
            ("text", written.text.is_some()),
        ];
        if let Some((name, _)) = given.iter().find(|(name, given)| *given && !own.contains(name)) {
            return Err(D::Error::custom(format!("unknown field `{name}` in this type of answer")));
        }
        match written.kind {
            Kind::BestGuess => Some(Self::BestGuess),
            Kind::DateRange => Some(Self::DateRange { start: written.start, end: written.end }),
            Kind::Number => written.value.map(|value| Self::Number { value }),
            Kind::Option => written.option_id.map(|option_id| Self::Option { option_id }),
            Kind::Text => written.text.map(|text| Self::Text { text }),
        }
        .ok_or_else(|| D::Error::custom(format!("missing field `{}`", own.join("` or `"))))
    }
}

#[cfg(test)]
mod tests {
    use super::Answer;

    #[test]
    fn answers_are_read_as_they_are_written() {
        for answer in [
            Answer::BestGuess,
            Answer::DateRange { start: Some("2025-01-01".to_owned()), end: None },
            Answer::Number { value: 2.5 },
            Answer::Option { option_id: "all".to_owned() },
            Answer::Text { text: "more than 5".to_owned() },
        ] {
            let text = serde_json::to_string(&answer).unwrap();
            assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), answer);
        }
    }

    #[test]
    fn what_does_not_belong_to_an_answer_is_refused() {
        for text in [
            r#"{"type": "best_guess", "text": "x"}"#,
            r#"{"type": "option"}"#,
            r#"{"type": "option", "option_id": "a", "other": 1}"#,
            r#"{"type": "number", "value": "5"}"#,
            r#"{"type": "guess"}"#,
            r#"{"text": "x"}"#,
        ] {
            assert!(serde_json::from_str::<Answer>(text).is_err(), "{text}");
        }
    }
}
