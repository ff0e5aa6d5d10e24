//! The words that every engine needs: built in, or read from the word file that is published with the npm package.

use std::borrow::Cow;

use super::bundle;
use crate::failure::FailureCode;

/// What is built in: only small files without feature `thesaurus`.
#[cfg(feature = "words")]
static BUILT_IN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/built_in.txt"));

/// Data files of the engine, in the form of a word file.
#[derive(Clone, Debug)]
pub struct Words(Cow<'static, [u8]>);

/// Why a word file is rejected.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WordsError {
    /// The bytes are no word file, or not all of one.
    #[error("these bytes are no word file of wherefore, or not all of one")]
    Invalid,
    /// The word file belongs to another version of the engine.
    #[error("the word file has version {found}; this module needs {}", Words::VERSION)]
    OtherVersion {
        /// Version of the file.
        found: String,
    },
}

impl WordsError {
    /// Stable code.
    pub fn code(&self) -> FailureCode {
        match self {
            Self::Invalid => FailureCode::WordsInvalid,
            Self::OtherVersion { .. } => FailureCode::WordsOfAnotherVersion,
        }
    }
}

impl Words {
    /// The version of the word file that this build needs.
    pub const VERSION: &str = env!("WHEREFORE_WORDS");

    /// Words of a program that contains them.
    #[cfg(feature = "words")]
    pub const BUILT_IN: Self = Self(Cow::Borrowed(BUILT_IN));

    /// The words of a word file.
    pub fn read(file: Vec<u8>) -> Result<Self, WordsError> {
        let (version, rest) = bundle::parts(&file).ok_or(WordsError::Invalid)?;
        if version != Self::VERSION {
            return Err(WordsError::OtherVersion { found: version.escape_default().to_string() });
        }
        if !bundle::is_complete(version, rest) {
            return Err(WordsError::Invalid);
        }
        Ok(Self(Cow::Owned(file)))
    }

    /// A data file that is text; empty if these words lack it.
    pub(crate) fn text(&self, name: &str) -> &str {
        let bytes = bundle::find(&self.0, name).unwrap_or_default();
        str::from_utf8(bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word file that is published.
    const PUBLISHED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/words.txt"));

    #[test]
    fn the_published_file_holds_what_is_built_in() {
        let words = Words::read(PUBLISHED.to_vec()).expect("a word file of this version");
        for name in ["lexicon", "dictionary/general"] {
            assert_eq!(words.text(name), Words::BUILT_IN.text(name), "{name}");
            assert!(!words.text(name).is_empty(), "{name}");
        }
        assert_eq!(words.text("thesaurus/wordnet.txt"), "");
        assert_eq!(Words::BUILT_IN.text("thesaurus/frequent.txt"), "");
        assert_eq!(words.text("lexico"), "");
    }

    #[test]
    fn a_file_of_another_version_is_named() {
        let other = bundle::write([("lexicon", &b"{}"[..])]);
        let found = bundle::parts(&other).expect("a word file").0.to_owned();
        assert_eq!(Words::read(other.clone()).err(), Some(WordsError::OtherVersion { found }));
    }

    #[test]
    fn a_file_that_is_damaged_or_no_word_file_is_refused() {
        let mut changed = PUBLISHED.to_vec();
        *changed.last_mut().expect("a byte") ^= 1;
        let cut = PUBLISHED[..PUBLISHED.len() - 1].to_vec();
        for file in
            [changed, cut, Vec::new(), b"<!doctype html>".to_vec(), PUBLISHED[..20].to_vec()]
        {
            assert_eq!(Words::read(file).err(), Some(WordsError::Invalid));
        }
    }

    #[test]
    fn files_are_found_by_name() {
        let file = bundle::write([("a", &b"one\ntwo"[..]), ("b c", b""), ("d", b"\n\xff")]);
        for (name, bytes) in [("a", &b"one\ntwo"[..]), ("b c", b""), ("d", b"\n\xff")] {
            assert_eq!(bundle::find(&file, name), Some(bytes), "{name}");
        }
        assert_eq!(bundle::find(&file, "two"), None);
    }
}
