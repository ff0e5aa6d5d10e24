//! Reads a text as a follow-up to earlier ones.

use crate::day::Date;

use super::interpreter::Interpreter;
use super::linked::Linked;
use super::verdict::{Interpretation, Material, Verdict};
use crate::compose::{Decisions, Failure, Settled};
use crate::conversation::{
    Cue, Turn, has_any, is_all_shown, is_figure_to_rank_by, merge, rows_beside, stands_alone,
    told_from,
};
use crate::failure::FailureCode;
use crate::intent::{Expression, QueryTree};
use crate::linking::{Mention, TableId, Target, ValueIndex, holds_persons};
use crate::reading::{Frame, Group, Part, parse, parse_list};
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
        let alone = self.cues.of_whole(text);
        if !self.may_change(text) {
            let about = self.earlier_rows(&alone, earlier.tree);
            let read = self.turn(&alone, self.today, found, typing, about);
            if stands_alone(&read, &alone, about) || self.asks_for_others(&read, &alone, about) {
                return None;
            }
        }
        let mut said = earlier.said.iter();
        let (first, today) = said.next()?;
        let first_words = Cue { text: first.clone(), ..Cue::default() };
        let mut whole = self.turn(&first_words, *today, found, false, None);
        let mut lead = first.len() + 1;
        for (text, today) in said {
            let (cue, next, about) = self.next(&whole, (text, *today), found, false, earlier.tree);
            whole = merge(self.catalog, whole, moved(next, lead), &cue, (earlier.tree, about));
            lead += text.len() + 1;
        }
        let (cue, last, about) = self.next(&whole, (text, self.today), found, typing, earlier.tree);
        if stands_alone(&last, &cue, about) {
            return None;
        }
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
        let stays = match &interpretation.verdict {
            Verdict::Tree(tree) => **tree == *earlier.tree,
            _ => false,
        };
        // A text that changes nothing was not understood.
        if stays && !typing && interpretation.questions().next().is_none() {
            interpretation.verdict = Verdict::Failed(Failure {
                code: FailureCode::NotComposable,
                message: "the answer would stay the same".to_owned(),
                hint: "say what is to change".to_owned(),
                span: None,
            });
        }
        Some(interpretation)
    }

    /// "Who has MRSA" behind products: persons are asked for, which the earlier rows are not, and nothing points back.
    fn asks_for_others(&self, turn: &Turn, cue: &Cue, about: Option<TableId>) -> bool {
        let words = cue.text.to_lowercase();
        let mut words = words.split_whitespace();
        let asks = match words.next() {
            Some("who" | "who's" | "who’s") => true,
            Some("does" | "do" | "did" | "is" | "are" | "has" | "have") => {
                matches!(words.next(), Some("anybody" | "anyone" | "somebody" | "someone"))
            }
            _ => false,
        };
        let persons = about.is_some_and(|about| holds_persons(self.schema, about));
        let named = turn.mentions.iter().zip(&turn.parts).any(|(mention, part)| {
            let first = mention.readings.first().and_then(|first| first.target.table());
            *part == Part::Schema && first.is_some() && first != about
        });
        asks && named && !persons && !cue.pronoun && cue.mode.is_none()
    }

    /// Reads a text behind earlier ones: its cue, what it says, and the table of the earlier rows.
    fn next(
        &self,
        before: &Turn,
        (text, today): (&str, Date),
        found: &ValueIndex,
        typing: bool,
        tree: &QueryTree,
    ) -> (Cue, Turn, Option<TableId>) {
        let mut cue = self.cues.of(text);
        if let Some(rejected) = &cue.rejected {
            let reader = Interpreter { today, ..*self };
            let gone = reader.linked(rejected, found, typing, None).mentions;
            if has_any(before, &gone) {
                cue.gone = gone;
            } else {
                cue = self.cues.of_whole(text);
            }
        }
        let about = self.earlier_rows(&cue, tree);
        if let Some(text) = self.cues.hidden(&cue) {
            let reader = Interpreter { today, ..*self };
            let gone = reader.linked(&text, found, typing, about).mentions;
            if is_all_shown(before, &gone) {
                let hides = Cue { text: " ".repeat(text.len()), hides: true, gone, ..cue };
                let read = self.turn(&hides, today, found, typing, about);
                return (hides, read, about);
            }
        }
        if let Some((cue, read)) = self.list_beside(before, &cue, (today, found, typing), tree) {
            return (cue, read, about);
        }
        if let Some(text) = self.cues.figure_to_rank_by(&cue) {
            let ranks = Cue { text, ranks: true, ..cue.clone() };
            let read = self.turn(&ranks, today, found, typing, about);
            if is_figure_to_rank_by(&before.frame, &read.frame) {
                return (ranks, read, about);
            }
        }
        let mut read = self.turn(&cue, today, found, typing, about);
        // "Per week", also where a column is called so.
        if let Some(text) = self.cues.grouped(&cue) {
            let grouped = Cue { text, ..cue.clone() };
            let by = self.turn(&grouped, today, found, typing, about);
            if matches!(by.frame.groups.as_slice(), [Group::Period { .. }]) {
                (cue, read) = (grouped, by);
            }
        }
        let read = self.told_from(before, read, &cue, about);
        (cue, read, about)
    }

    /// Reads a text as a list of what is shown beside the earlier rows or groups; none where it is no such list.
    fn list_beside(
        &self,
        before: &Turn,
        cue: &Cue,
        (today, found, typing): (Date, &ValueIndex, bool),
        tree: &QueryTree,
    ) -> Option<(Cue, Turn)> {
        let text = self.cues.shown(cue)?;
        let rows = rows_beside(before).or_else(|| self.schema.table(&tree.from))?;
        let reader = Interpreter { today, ..*self };
        let Linked { mentions, parts, .. } = reader.linked(&text, found, typing, Some(rows));
        let frame = parse_list(
            self.catalog,
            self.schema,
            self.lexicon,
            self.units,
            (&mentions, &parts),
            rows,
        )?;
        let cue = Cue { text, listed: true, ..cue.clone() };
        Some((cue, Turn { mentions, parts, frame }))
    }

    /// Whether a text may change the earlier question although it would be complete without it.
    fn may_change(&self, text: &str) -> bool {
        let cue = self.cues.of(text);
        self.cues.grouped(&cue).is_some()
            || cue.rejected.is_some()
            || self.cues.figure_to_rank_by(&cue).is_some()
            || self.cues.hidden(&cue).is_some()
            || self.cues.shown(&cue).is_some()
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
            about.filter(|_| cue.among || cue.owned || cue.with),
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
