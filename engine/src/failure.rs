//! Stable codes of all failures of the engine.

use std::fmt;

/// Defines [`FailureCode`], one line per code: meaning, name, text.
macro_rules! failure_codes {
    ($($doc:literal $name:ident $text:literal;)*) => {
        /// Stable code of a failure of the engine. Hosts may rely on the text; messages may change.
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum FailureCode {
            $(#[doc = $doc] $name,)*
        }

        impl FailureCode {
            /// Every code, in alphabetical order of the texts.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Text in views and on the wire, in snake case.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Meaning of the code, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)*
                }
            }
        }
    };
}

failure_codes! {
    "The formula of a metric in the pack cannot be read." BrokenMetric "broken_metric";
    "Composing is switched off and no template fits." ComposerOff "composer_off";
    "The text of a correction contains no name of a table, column or value." CorrectionEmpty "correction_empty";
    "The corrected element cannot be used in the question." CorrectionUnused "correction_unused";
    "The query does not use the answer to a clarification." DecisionLost "decision_lost";
    "The entered condition is ambiguous." DefinitionAmbiguous "definition_ambiguous";
    "The entered condition contains no words." DefinitionEmpty "definition_empty";
    "The entered text is not only a condition on the rows." DefinitionNotACondition "definition_not_a_condition";
    "The entered condition contains a construct that is not supported." DefinitionNotComposable "definition_not_composable";
    "The entered condition exceeds the length limit." DefinitionTooLong "definition_too_long";
    "The entered condition contains unknown words; `span` is their position." DefinitionUnread "definition_unread";
    "The entered condition contains a vague term." DefinitionVague "definition_vague";
    "Grouping would multiply the rows that are summed." FanOut "fan_out";
    "The answer is not an option, or does not fit what can be entered." InvalidAnswer "invalid_answer";
    "The asker's date is not of the form yyyy-mm-dd." InvalidToday "invalid_today";
    "The memory was written by a later version." MemoryNewer "memory_newer";
    "The text is not a memory." MemoryUnreadable "memory_unreadable";
    "The rows have no date that a time expression could mean." NoDateColumn "no_date_column";
    "No foreign keys connect the tables." NoJoinPath "no_join_path";
    "The table has no number to compute with." NoMeasure "no_measure";
    "The table has no primary key of one column." NoSingleKey "no_single_key";
    "A number is given in a unit that the column cannot be converted to." NoSuchUnit "no_such_unit";
    "No text column could contain the words." NoTextColumn "no_text_column";
    "The words are not a column." NotAColumn "not_a_column";
    "A column that is computed or compared does not hold numbers." NotANumber "not_a_number";
    "The words are not a stored value." NotAValue "not_a_value";
    "The construct, such as a ratio of two groups, is recognised but not supported." NotComposable "not_composable";
    "According to the model, the data does not contain what is asked for." NotInData "not_in_data";
    "None of the model's statements passes the checks." NotRepaired "not_repaired";
    "No statement could be written, and no better reason is known." NotWritten "not_written";
    "The question does not say what to show." NothingAsked "nothing_asked";
    "No word of the question matches this data." NothingRecognised "nothing_recognised";
    "A comparison has no column or figure to compare with." NothingToCompare "nothing_to_compare";
    "It is not clear what is counted." NothingToCount "nothing_to_count";
    "It is not clear what is computed, or from what." NothingToMeasure "nothing_to_measure";
    "It is not clear what the rows are ranked by." NothingToOrder "nothing_to_order";
    "The question is empty." QuestionEmpty "question_empty";
    "The question exceeds the length limit." QuestionTooLong "question_too_long";
    "The composed query does not say what the question says." ReadingDoubtful "reading_doubtful";
    "The snapshot was written by a later version." SnapshotNewer "snapshot_newer";
    "The text is not a snapshot." SnapshotUnreadable "snapshot_unreadable";
    "The session cannot be written as text." SnapshotUnwritable "snapshot_unwritable";
    "The database rejected the statement while it ran." StatementFailed "statement_failed";
    "The question was corrected three times." TooManyCorrections "too_many_corrections";
    "The interpretation is below the confidence needed to run." TooUnsure "too_unsure";
    "Nothing in this data records the metric that is named." UndefinedMeasure "undefined_measure";
    "The event does not fit the state of the session." UnexpectedEvent "unexpected_event";
    "No open clarification or assumption has this id." UnknownClarification "unknown_clarification";
    "No column of this data has this name." UnknownColumn "unknown_column";
    "No effect with this id is pending: its result is late, or was given before." UnknownEffect "unknown_effect";
    "No table or column of this data has this name." UnknownName "unknown_name";
    "No table of this data has this name." UnknownTable "unknown_table";
    "The dialect of the data source cannot express the query." Unprintable "unprintable";
    "The answer of the language model does not have the expected form." UnreadableAnswer "unreadable_answer";
    "The file of words is none, or is incomplete." WordsInvalid "words_invalid";
    "The file of words belongs to another version of the engine." WordsOfAnotherVersion "words_of_another_version";
    "The question asks to change data, but access is read-only." WriteRequested "write_requested";
}

impl fmt::Display for FailureCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::FailureCode;

    #[test]
    fn texts_are_sorted_snake_case_and_meanings_are_sentences() {
        let texts: Vec<&str> = FailureCode::ALL.iter().map(|code| code.as_str()).collect();
        assert!(texts.is_sorted_by(|one, next| one < next), "{texts:?}");
        for code in FailureCode::ALL {
            let text = code.as_str();
            assert!(text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{text}");
            assert!(code.meaning().ends_with('.'), "{text}");
        }
    }
}
