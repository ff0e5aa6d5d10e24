//! Signals of the words that tie to nothing: what they are, and where they stand.

use super::super::interpreter::Interpreter;
use super::{Evidence, Signals};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::data::Role;
use crate::linking::{ColumnId, Lexical, Mention, Named as _, TableId, Target};
use crate::reading::Part;
use crate::text::stem;

pub(super) fn add(signals: &mut Signals, interpreter: &Interpreter<'_>, evidence: &Evidence<'_>) {
    let unread = &evidence.frame.unread;
    let mut counts = NAMES.map(|name| (name, 0_usize));
    for word in words(interpreter, evidence) {
        for ((_, count), holds) in
            counts.iter_mut().zip(word.kind().into_iter().chain(word.place()))
        {
            *count += usize::from(holds);
        }
    }
    signals.count("unread words", said(evidence), 5);
    for (name, count) in counts {
        signals.count(name, count, 3);
    }
    let states = !unread.is_empty() && stands_beside_states(interpreter, evidence);
    signals.flag("unread beside states", states);
    let kept = !unread.is_empty() && may_pick_rows(interpreter, evidence);
    signals.flag("unread words that may pick rows", kept);
}

/// Names of the signals of the kind of a [`Word`], then of its place.
const NAMES: [&str; 17] = [
    "unread: capitalised",
    "unread: digit",
    "unread: past verb",
    "unread: verb",
    "unread: participle",
    "unread: plural",
    "unread: short",
    "unread: related to a name",
    "unread: part of a name",
    "unread: behind a thing",
    "unread: before a thing",
    "unread: between things",
    "unread: before a preposition",
    "unread: last",
    "unread: beside an end of an order",
    "unread: behind a word of groups",
    "unread: behind and",
];

/// Whether the unread words of a question may say which rows are meant, or what of them, so that they are never left out
/// unasked.
pub(in super::super) fn may_pick_rows(
    interpreter: &Interpreter<'_>,
    evidence: &Evidence<'_>,
) -> bool {
    said(evidence) > 1
        || has_far_verb(evidence)
        || stands_beside_states(interpreter, evidence)
        || words(interpreter, evidence).any(|word| word.may_pick_rows())
}

/// Number of words that are unread.
fn said(evidence: &Evidence<'_>) -> usize {
    let unread = evidence.frame.unread.iter().filter_map(|at| evidence.mentions.get(*at));
    unread.map(|(mention, _)| mention.phrase.split_whitespace().count()).sum()
}

fn words<'a>(
    interpreter: &'a Interpreter<'a>,
    evidence: &'a Evidence<'a>,
) -> impl Iterator<Item = Word<'a>> {
    evidence.frame.unread.iter().filter_map(|at| {
        let (mention, _) = evidence.mentions.get(*at)?;
        Some(Word { interpreter, evidence, mention, at: *at })
    })
}

/// An unread word and where it stands.
struct Word<'a> {
    interpreter: &'a Interpreter<'a>,
    evidence: &'a Evidence<'a>,
    mention: &'a Mention,
    at: usize,
}

impl Word<'_> {
    fn kind(&self) -> [bool; 9] {
        let lexicon = self.interpreter.lexicon;
        let schema = self.interpreter.schema;
        let phrase = self.mention.phrase.to_lowercase();
        let word = phrase.split(' ').next_back().unwrap_or_default();
        let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
        let root = stem(word);
        let past = lexicon.is_used_as_past(word);
        [
            self.is_name(),
            self.has_digit(),
            past,
            lexicon.is_used_as_verb(word) && !past,
            ends(&["ing", "ed"]),
            ends(&["s"]) && !ends(&["ss", "us", "is"]),
            word.len() <= 3,
            !schema.related(&root).is_empty(),
            schema.knows(&root),
        ]
    }

    fn place(&self) -> [bool; 8] {
        let (before, after) = (self.before(), self.after());
        let (follows, leads) = (self.is_tied(before), self.is_tied(after));
        [
            follows,
            leads,
            follows && leads,
            self.interpreter.lexicon.is_preposition(&self.follow()),
            after.is_none(),
            self.is_end(before) || self.is_end(after),
            self.is_any(before, &[Lexical::Group, Lexical::Distributive, Lexical::By]),
            self.is_any(before, &[Lexical::And, Lexical::Or]),
        ]
    }

    /// Whether the word is a number, a quotation or a name; or stands beside a number or an end of an order, before a
    /// thing that it may be a property of, or behind a table that may have it as a property, a preposition, a word of
    /// groups or "and".
    fn may_pick_rows(&self) -> bool {
        use Lexical::{And, By, Distributive, Group, Or};
        let mention = self.mention;
        let (before, after) = (self.before(), self.after());
        let number = |near: Option<usize>| {
            near.is_some_and(|at| self.evidence.mentions[at].1 == Part::Number)
        };
        mention.number.is_some()
            || mention.time.is_some()
            || mention.quoted
            || mention.phrase.contains(['"', '\'', '“', '”', '‘', '’'])
            || self.has_digit()
            || self.is_name()
            || number(before)
            || number(after)
            || self.is_end(before)
            || self.is_end(after)
            || self.is_tied(after)
            || self.is_property()
            || self.interpreter.lexicon.is_preposition(&self.lead())
            || self.is_any(before, &[And, By, Distributive, Group, Or])
    }

    /// Whether the word, no verb, follows the name of a table: "the author email".
    fn is_property(&self) -> bool {
        let before = self.before().and_then(|at| self.evidence.mentions.get(at));
        let reading = before.and_then(|(mention, _)| mention.readings.first());
        let of_table = reading
            .is_some_and(|reading| matches!(reading.target, Target::Table(_) | Target::Label(_)));
        let word = self.mention.phrase.to_lowercase();
        let verb = self.interpreter.lexicon.is_used_as_verb(&word) || word.ends_with("ed");
        self.is_tied(self.before()) && of_table && !verb
    }

    fn has_digit(&self) -> bool {
        self.mention.phrase.bytes().any(|byte| byte.is_ascii_digit())
    }

    /// Whether the word begins with a capital letter where no sentence does.
    fn is_name(&self) -> bool {
        let start = self.mention.span.start as usize;
        let before = self.evidence.question.get(..start).unwrap_or_default().trim_end();
        let begins = before.is_empty() || before.ends_with(['.', '?', '!', ':']);
        let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
        self.mention.phrase.split_whitespace().skip(usize::from(begins)).any(capital)
    }

    fn is_tied(&self, near: Option<usize>) -> bool {
        let part = near.and_then(|at| self.evidence.mentions.get(at)).map(|(_, part)| part);
        matches!(part, Some(Part::Schema | Part::Concept(_)))
    }

    /// Whether a mention names an end of an order: "most", "oldest".
    fn is_end(&self, near: Option<usize>) -> bool {
        use Lexical::{Bottom, Fewest, Maximum, Minimum, Most, Top};
        let part = near.and_then(|at| self.evidence.mentions.get(at)).map(|(_, part)| part);
        matches!(part, Some(Part::Superlative(_)))
            || self.is_any(near, &[Bottom, Fewest, Maximum, Minimum, Most, Top])
    }

    fn is_any(&self, near: Option<usize>, kinds: &[Lexical]) -> bool {
        let near = near.and_then(|at| self.evidence.mentions.get(at));
        near.is_some_and(|(mention, _)| kinds.iter().any(|kind| mention.is(*kind)))
    }

    /// The word before, articles aside, folded.
    fn lead(&self) -> String {
        let start = self.mention.span.start as usize;
        let before = self.evidence.question.get(..start).unwrap_or_default();
        let mut words = before.split_whitespace().rev().map(str::to_lowercase);
        words.find(|word| !ARTICLES.contains(&word.as_str())).unwrap_or_default()
    }

    /// The word behind, folded.
    fn follow(&self) -> String {
        let end = self.mention.span.end as usize;
        let behind = self.evidence.question.get(end..).unwrap_or_default();
        behind.split_whitespace().next().unwrap_or_default().to_lowercase()
    }

    fn before(&self) -> Option<usize> {
        (0..self.at).rev().find(|at| !self.is_filler(*at))
    }

    fn after(&self) -> Option<usize> {
        (self.at + 1..self.evidence.mentions.len()).find(|at| !self.is_filler(*at))
    }

    fn is_filler(&self, at: usize) -> bool {
        let (mention, part) = &self.evidence.mentions[at];
        *part == Part::Lexical && mention.is(Lexical::Filler)
    }
}

/// Words that say nothing of what stands before a noun.
const ARTICLES: [&str; 8] = ["a", "all", "an", "any", "each", "every", "some", "the"];

/// Tables that the words name.
fn tables<'a>(evidence: &'a Evidence<'_>) -> impl Iterator<Item = TableId> + use<'a> {
    let tied = evidence.mentions.iter().filter(|(_, part)| *part == Part::Schema);
    let readings = tied.filter_map(|(mention, _)| mention.readings.first());
    readings.filter_map(|reading| reading.target.table())
}

fn stands_beside_states(interpreter: &Interpreter<'_>, evidence: &Evidence<'_>) -> bool {
    tables(evidence).any(|table| interpreter.has_states(table))
}

impl Interpreter<'_> {
    /// Whether a table has a status or a flag.
    fn has_states(&self, table: TableId) -> bool {
        let columns = self.catalog.table_at(table).columns.len();
        (0..columns).filter_map(|column| u16::try_from(column).ok()).any(|column| {
            let column = ColumnId { table, column };
            self.schema.is_flag(column) || self.schema.has_role(column, Role::Status)
        })
    }
}

/// Whether a verb is asked about because it stands between things that are far apart.
fn has_far_verb(evidence: &Evidence<'_>) -> bool {
    let asked = evidence.open.iter().filter(|place| {
        place.clarification.ambiguity == AmbiguityKind::UnknownTerm
            && place.clarification.severity == Severity::Critical
    });
    let words = asked.map(|place| place.clarification.phrase.matches("”, “").count() + 1);
    words.sum::<usize>() > evidence.frame.unread.len()
}
