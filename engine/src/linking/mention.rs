//! Mentions: phrases of a question with all their candidate interpretations.

use std::ops::Range;

use super::element::{ColumnId, TableId, Target};
use super::lexicon::Lexical;
use crate::confidence::Method;
use crate::intent::TimeGrain;
use crate::order;
use crate::text::{NumberMention, Span, TimeMention};

/// A phrase of a question with its candidate interpretations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mention {
    /// Indices of the tokens in the phrase.
    pub(crate) tokens: Range<usize>,
    /// Span in the question.
    pub(crate) span: Span,
    /// The text of the span.
    pub(crate) phrase: String,
    /// Possible functions of the phrase as a structure word.
    pub(crate) lexical: Vec<Lexical>,
    /// Catalog elements that the phrase can refer to, best first.
    pub(crate) readings: Vec<Reading>,
    /// Index of the vague dictionary term that the phrase matches.
    pub(crate) vague: Option<usize>,
    /// Index of the concept that the phrase matches, such as "sales".
    pub(crate) concept: Option<usize>,
    /// Table whose rows the concept is said of: "order value".
    pub(crate) worth: Option<TableId>,
    /// Table whose goods in stock the concept is said of: "stock value".
    pub(crate) stocked: Option<TableId>,
    /// Index of the superlative that the phrase matches.
    pub(crate) superlative: Option<usize>,
    /// The time expression, if the phrase is one.
    pub(crate) time: Option<TimeMention>,
    /// Period that the phrase names, such as "month".
    pub(crate) grain: Option<TimeGrain>,
    /// The number, if the phrase is one.
    pub(crate) number: Option<NumberMention>,
    /// Further numbers of which it may be one instead: "4 or 5".
    pub(crate) or_numbers: Vec<String>,
    /// Set if the phrase means the time up to its date: "healing time".
    pub(crate) duration: Option<Duration>,
    /// The event by which the phrase refers to rows, if it does.
    pub(crate) act: Option<Act>,
    /// Whether the phrase negates its value ("unpaid").
    pub(crate) negated: bool,
    /// Whether the phrase can be incomplete, because the user is still typing.
    pub(crate) unfinished: bool,
    /// Whether the phrase is in quotes.
    pub(crate) quoted: bool,
}

/// An event by which a phrase refers to rows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Act {
    /// An event with a date column of its own: "shipments" of orders.
    Dated(ColumnId),
    /// An event that the rows only plan: "came" of appointments.
    Planned,
}

/// The time up to a date.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Duration {
    /// Start date, if the question states one.
    pub(crate) from: Option<ColumnId>,
    /// Whether the duration is an age: the time from its date to today, in years.
    pub(crate) age: bool,
}

/// A catalog element that a phrase can refer to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// The element.
    pub(crate) target: Target,
    /// How the phrase matches the element.
    pub(crate) method: Method,
    /// Score from 0 to 1, before context is considered.
    pub(crate) score: f64,
}

impl Mention {
    /// Whether the mention can have this function as a structure word.
    pub(crate) fn is(&self, lexical: Lexical) -> bool {
        self.lexical.contains(&lexical)
    }

    /// Whether one of the words is a form of the auxiliary "do", behind which a verb follows in its base form.
    pub(crate) fn has_do(&self) -> bool {
        let phrase = self.phrase.to_lowercase();
        phrase.split(' ').any(|word| ["do", "does", "did"].contains(&word))
    }

    /// Adds a reading; if there is one for the same element, raises its score instead.
    pub(super) fn add(&mut self, target: Target, method: Method, score: f64) {
        let reading = Reading { target, method, score };
        match self.readings.iter_mut().find(|known| known.target == reading.target) {
            Some(known) if known.score < reading.score => *known = reading,
            Some(_) => {}
            None => self.readings.push(reading),
        }
    }

    /// Sorts the readings by descending score.
    pub(crate) fn rank(&mut self) {
        order::by(&mut self.readings, |a, b| {
            b.score.total_cmp(&a.score).then_with(|| a.target.cmp(&b.target))
        });
    }

    /// Whether the phrase matches nothing at all.
    pub(crate) fn is_unknown(&self) -> bool {
        self.lexical.is_empty()
            && self.readings.is_empty()
            && self.vague.is_none()
            && self.concept.is_none()
            && self.superlative.is_none()
            && self.time.is_none()
            && self.grain.is_none()
            && self.number.is_none()
    }
}
