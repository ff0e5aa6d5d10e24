//! Patterns of text parameters: regular expressions that a whole value must match.

use std::fmt;

use regex_lite::{Regex, RegexBuilder};

/// Maximum length of a pattern, in bytes.
pub const MAX_PATTERN_BYTES: usize = 200;
/// Maximum length of a value that can match a pattern, in bytes.
pub const MAX_MATCHED_BYTES: usize = 200;
/// Maximum size of a compiled pattern, in bytes; bounds repetitions such as `(a{99}){99}`.
const MAX_COMPILED_BYTES: usize = 1 << 16;
/// Maximum depth of nested groups.
const MAX_NESTING: u32 = 20;

/// A regular expression that a whole value must match; takes time linear in the length of the value.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    whole: Regex,
}

/// Why a pattern is rejected.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PatternFault {
    /// It is empty, so only an empty value would match.
    Empty,
    /// It is not a regular expression, or too large when compiled.
    Malformed {
        /// What is wrong, in words.
        reason: String,
    },
    /// It is longer than [`MAX_PATTERN_BYTES`].
    TooLong {
        /// Its length, in bytes.
        bytes: usize,
    },
}

impl Pattern {
    /// Compiles a pattern.
    pub fn new(text: &str) -> Result<Self, PatternFault> {
        if text.is_empty() {
            return Err(PatternFault::Empty);
        }
        if text.len() > MAX_PATTERN_BYTES {
            return Err(PatternFault::TooLong { bytes: text.len() });
        }
        // Alone first: `a)(b` would only be balanced within the group.
        compile(text)?;
        Ok(Self { text: text.to_owned(), whole: compile(&format!(r"\A(?:{text})\z"))? })
    }

    /// Whether the whole value matches; a value of more than [`MAX_MATCHED_BYTES`] never does.
    pub fn admits(&self, value: &str) -> bool {
        value.len() <= MAX_MATCHED_BYTES && self.whole.is_match(value)
    }

    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for PatternFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                formatter.write_str("the pattern is empty; leave it out to take any value")
            }
            Self::Malformed { reason } => {
                write!(formatter, "the pattern is not a regular expression: {reason}")
            }
            Self::TooLong { bytes } => write!(
                formatter,
                "a pattern has at most {MAX_PATTERN_BYTES} bytes; this one has {bytes}"
            ),
        }
    }
}

fn compile(text: &str) -> Result<Regex, PatternFault> {
    RegexBuilder::new(text)
        .size_limit(MAX_COMPILED_BYTES)
        .nest_limit(MAX_NESTING)
        .build()
        .map_err(|error| PatternFault::Malformed { reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MAX_MATCHED_BYTES, MAX_PATTERN_BYTES, Pattern, PatternFault};

    fn admits(pattern: &str, value: &str) -> bool {
        Pattern::new(pattern).unwrap().admits(value)
    }

    #[test]
    fn the_whole_value_must_match() {
        assert!(admits("[A-Z]{2}-[0-9]{4}", "AB-1234"));
        for value in ["xAB-1234", "AB-12345", "AB-1234\n", "ab-1234", ""] {
            assert!(!admits("[A-Z]{2}-[0-9]{4}", value), "{value}");
        }
        assert!(admits("a|ab", "ab"), "each alternative is tried on the whole value");
        assert!(!admits("a|b", "ab"));
        assert!(!admits("(?m)a$", "a\nb"));
    }

    #[test]
    fn malformed_patterns_are_refused() {
        for pattern in ["[A-Z", "(", "a)(b", "a)|(?:b", "*", r"\p{Greek}", "(a{999}){999}"] {
            let fault = Pattern::new(pattern).unwrap_err();
            assert!(matches!(fault, PatternFault::Malformed { .. }), "{pattern}: {fault}");
        }
        assert!(Pattern::new("(?x)a # a comment").is_err(), "the comment would hide the end");
        assert_eq!(Pattern::new("").unwrap_err(), PatternFault::Empty);
        let nested = format!("{}a{}", "(".repeat(50), ")".repeat(50));
        assert!(Pattern::new(&nested).is_err());
    }

    #[test]
    fn patterns_and_values_are_bounded() {
        let long = "a".repeat(MAX_PATTERN_BYTES + 1);
        assert_eq!(Pattern::new(&long).unwrap_err(), PatternFault::TooLong { bytes: 201 });
        assert!(admits("a*", &"a".repeat(MAX_MATCHED_BYTES)));
        assert!(!admits("a*", &"a".repeat(MAX_MATCHED_BYTES + 1)));
    }

    proptest! {
        #[test]
        fn no_pattern_and_no_value_panics(pattern: String, value: String) {
            if let Ok(pattern) = Pattern::new(&pattern) {
                pattern.admits(&value);
            }
        }
    }
}
