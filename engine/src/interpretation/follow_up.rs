//! Reads a text as a follow-up to earlier ones.

use crate::day::Date;

use super::interpreter::Interpreter;
use super::linked::Linked;
use super::verdict::{Interpretation, Material};
use crate::compose::{Decisions, Settled};
use crate::conversation::{Cue, Turn, merge, stands_alone, told_from};
use crate::intent::{Expression, QueryTree};
use crate::linking::{Mention, TableId, Target, ValueIndex};
use crate::reading::{Frame, Part, parse};
use crate::text::Span;

/// The conversation before a text: the first text is a complete question, the others modify it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier<'a> {
    /// Texts with their dates, oldest first.
    pub(crate) said: &'a [(String, Date)],
    /// The resulting query tree.
    pub(crate) tree: &'a QueryTree,
}

impl Earlier<'_> {
    /// The earlier texts and this one, one per line; ids of clarifications refer to this text.
    pub(crate) fn joined(&self, text: &str) -> String {
        let mut lines: Vec<&str> = self.said.iter().map(|(said, _)| said.as_str()).collect();
        lines.push(text);
        lines.join("\n")
    }
}

impl Interpreter<'_> {
    /// Reads a text as a follow-up; `None` if it is a complete question.
    ///
    /// Spans of the interpretation refer to the text; parts that come from earlier texts have no span.
    pub(crate) fn follow(
        &self,
        earlier: Earlier<'_>,
        text: &str,
        decisions: &Decisions,
        found: &ValueIndex,
        typing: bool,
    ) -> Option<Interpretation> {
        let cue = self.cues.of(text);
        let about = self.earlier_rows(&cue, earlier.tree);
        let last = self.turn(&cue, self.today, found, typing, about);
        if stands_alone(&last, &cue, about) {
            return None;
        }
        let mut said = earlier.said.iter();
        let (first, today) = said.next()?;
        let first_words = Cue { text: first.clone(), ..Cue::default() };
        let mut whole = self.turn(&first_words, *today, found, false, None);
        let mut lead = first.len() + 1;
        for (text, today) in said {
            let cue = self.cues.of(text);
            let next = self.turn(&cue, *today, found, false, about);
            let next = self.told_from(&whole, next, &cue, about);
            whole = merge(self.catalog, whole, moved(next, lead), &cue, (earlier.tree, about));
            lead += text.len() + 1;
        }
        let last = self.told_from(&whole, last, &cue, about);
        let whole = merge(self.catalog, whole, moved(last, lead), &cue, (earlier.tree, about));
        let joined = earlier.joined(text);
        let material = Material {
            tokens: Vec::new(),
            read: Settled { mentions: whole.mentions, parts: whole.parts },
            merged: Some(whole.frame),
            lead,
            lonely: false,
        };
        let mut interpretation = self.conclude(&joined, &material, decisions, found);
        interpretation.localise(lead);
        Some(interpretation)
    }

    fn turn(
        &self,
        cue: &Cue,
        today: Date,
        found: &ValueIndex,
        typing: bool,
        about: Option<TableId>,
    ) -> Turn {
        let text = &cue.text;
        let reader = Interpreter { today, ..*self };
        let reworded = if about.is_none() { reader.reworded(text, found) } else { None };
        let settled = if let Some(reworded) = reworded {
            reader.material_of(&reworded, found).read
        } else {
            let Linked { mut mentions, parts, .. } = reader.linked(text, found, typing, about);
            if let Some(table) = about.filter(|_| cue.lead) {
                prefer_state(&mut mentions, &parts, table);
            }
            Settled { mentions, parts }
        };
        let frame = self.parsed(&settled, cue, about);
        Turn { mentions: settled.mentions, parts: settled.parts, frame }
    }

    /// Table of the earlier rows: what was grouped, where words say something of the groups, else what was counted.
    fn earlier_rows(&self, cue: &Cue, tree: &QueryTree) -> Option<TableId> {
        let grouped = tree.group_by.iter().find_map(|key| match key {
            Expression::Column { column } => {
                let table = self.catalog.table(&column.table)?;
                table.primary_key.contains(&column.column).then_some(column.table.as_str())
            }
            _ => None,
        });
        let table = grouped.filter(|_| cue.among || cue.owned).unwrap_or(&tree.from);
        self.schema.table(table)
    }

    /// Frame of a text; of the earlier rows where it says something of some of them.
    fn parsed(&self, read: &Settled, cue: &Cue, about: Option<TableId>) -> Frame {
        parse(
            self.catalog,
            self.schema,
            self.lexicon,
            self.units,
            (&read.mentions, &read.parts),
            about.filter(|_| cue.among || cue.owned),
        )
    }

    /// Reads the periods of a text as told from the only period asked about before.
    fn told_from(&self, before: &Turn, mut turn: Turn, cue: &Cue, about: Option<TableId>) -> Turn {
        let [time] = before.frame.times.as_slice() else { return turn };
        if told_from(self.cues, &mut turn, &time.range) {
            let read = Settled { mentions: turn.mentions, parts: turn.parts };
            turn.frame = self.parsed(&read, cue, about);
            (turn.mentions, turn.parts) = (read.mentions, read.parts);
        }
        turn
    }
}

/// Where a follow-up says one word only ("only shipped", "and delivered?"), and a column of the table asked about stores
/// it, this is meant rather than a column with that word in its name.
fn prefer_state(mentions: &mut [Mention], parts: &[Part], table: TableId) {
    let said = |part: &Part| !matches!(part, Part::Lexical);
    let mut said = parts.iter().enumerate().filter(|(_, part)| said(part)).map(|(at, _)| at);
    let (Some(at), None) = (said.next(), said.next()) else { return };
    let mention = &mut mentions[at];
    if mention.tokens.len() > 1 {
        return;
    }
    let stored = mention.readings.iter().position(
        |reading| matches!(&reading.target, Target::Value(column, _) if column.table == table),
    );
    if let Some(stored) = stored {
        mention.readings[..=stored].rotate_right(1);
    }
}

/// The turn with all spans moved by `lead` bytes.
fn moved(mut turn: Turn, lead: usize) -> Turn {
    let Span { start: by, .. } = Span::new(lead, lead);
    for mention in &mut turn.mentions {
        mention.span.start = mention.span.start.saturating_add(by);
        mention.span.end = mention.span.end.saturating_add(by);
    }
    turn
}

impl Interpretation {
    /// Makes spans relative to byte `lead`, and drops those before it.
    fn localise(&mut self, lead: usize) {
        let Span { start: by, .. } = Span::new(lead, lead);
        let local = |span: Span| {
            Some(Span { start: span.start.checked_sub(by)?, end: span.end.checked_sub(by)? })
        };
        self.mentions = std::mem::take(&mut self.mentions)
            .into_iter()
            .filter_map(|(mut mention, part)| {
                mention.span = local(mention.span)?;
                Some((mention, part))
            })
            .collect();
        self.unread = self.unread.iter().copied().filter_map(local).collect();
        for open in &mut self.open {
            open.clarification.span = open.clarification.span.and_then(local);
        }
        self.verdict.localise(local);
    }
}
