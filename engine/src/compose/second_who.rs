//! Persons asked for by "who" where rows of others are listed: "who made the latest order", "invoices over 1000, and who
//! they were for".

use super::context::Composer;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{Decision, OptionBinding, Relation};
use crate::linking::{Lexical, Mention, TableId, Target, holds_persons};
use crate::reading::{Blocked, Condition, Frame, Group};
use crate::text::{fold, stem};

const WHO: [&str; 3] = ["who", "whom", "whose"];
const IS: [&str; 4] = ["are", "is", "was", "were"];
const BACK: [&str; 7] = ["it", "that", "this", "they", "they're", "them", "those"];

impl Composer<'_> {
    /// Shows the names of those that the rows asked about refer to, where "and who …" at the end says nothing else of
    /// them; several that it may mean are decided on, and where there are none, the question is refused.
    pub(crate) fn show_second_who(&mut self, frame: &mut Frame) {
        let Some(at) = self.second_who(frame).or_else(|| self.who_of_one(frame)) else { return };
        let head = frame.head.map(|(head, _)| head).or(match frame.groups.as_slice() {
            [Group::Table(table, _)] => Some(*table),
            _ => None,
        });
        let shown = |table: &TableId| frame.output_tables.iter().any(|(known, _)| known == table);
        // Showing the persons beside a figure would group it by them.
        let listed =
            frame.conditions.iter().any(|condition| matches!(condition, Condition::Measure { .. }));
        if !listed && !frame.measures.is_empty() {
            frame.blocked.push(Blocked { at, reason: "who is behind a figure takes two steps" });
            return;
        }
        let persons = head.map(|head| self.who_of(head, at)).unwrap_or_default();
        if persons.iter().any(shown) {
            return;
        }
        match persons.as_slice() {
            [] => frame.blocked.push(Blocked { at, reason: "it is not clear who is asked for" }),
            [only] => frame.output_tables.push((*only, at)),
            [first, ..] => {
                let options = persons.iter().map(|table| self.table_option(*table)).collect();
                let chosen = self.decide(Decision {
                    kind: AmbiguityKind::Table,
                    severity: Severity::Important,
                    span: self.span(at),
                    phrase: self.phrase(at).to_owned(),
                    relation: Relation::Means,
                    reason: "the rows belong to several of them".to_owned(),
                    options,
                    recommended: None,
                    custom: None,
                });
                let chosen = match chosen {
                    OptionBinding::Table { table } => self.schema.table(&table),
                    _ => None,
                };
                frame.output_tables.push((chosen.unwrap_or(*first), at));
            }
        }
    }

    /// Position of the "who" at the start of a question that lists one row of a table without persons and shows none: "who
    /// made the latest order".
    fn who_of_one(&self, frame: &Frame) -> Option<usize> {
        let first = self.mentions.first()?.phrase.to_lowercase();
        let (head, _) = frame.head?;
        let superlative = frame.superlative.as_ref()?;
        let counts = superlative.counted || superlative.by_count || superlative.by.is_some();
        let alone = frame.measures.is_empty()
            && frame.outputs.is_empty()
            && frame.output_tables.is_empty()
            && frame.groups.is_empty()
            && !counts;
        let stems = &self.schema.profile(head).stems;
        let last = stems.last();
        let acts = last.is_some_and(|last| self.lexicon.is_agent(last));
        // "Who treated the oldest patient" asks for those who treat.
        let verb = self.mentions.get(1).map(|next| fold(&next.phrase)).unwrap_or_default();
        let mut doers = verb.split(' ').flat_map(|word| self.lexicon.doers_of(word)).map(stem);
        let others = doers.next().is_some_and(|first| {
            last.is_none_or(|last| first != *last && doers.all(|doer| doer != *last))
        });
        let persons = holds_persons(self.schema, head) || acts;
        // "Who is the oldest person" names whom it asks for.
        let who = first.split(' ').next() == Some("who");
        let named = first.split(' ').skip(1).chain([verb.as_str()]).any(|word| IS.contains(&word));
        (alone && who && !named && (!persons || others)).then_some(0)
    }

    /// Mention of a "who" behind "and" or a comma, behind which only the rows before are pointed at.
    fn second_who(&self, frame: &Frame) -> Option<usize> {
        let words = |at: usize| self.phrase(at).to_lowercase();
        let at = (1..self.mentions.len()).rev().find(|at| {
            let phrase = words(*at);
            let before = &self.mentions[at - 1];
            let joined = before.is(Lexical::And)
                || before.tokens.end < self.mentions[*at].tokens.start
                || phrase.starts_with("and ");
            joined && phrase.split(' ').any(|word| WHO.contains(&word))
        })?;
        // A follow-up stands behind a gap.
        let adjoins =
            |next: &usize| self.mentions[*next].tokens.start == self.mentions[next - 1].tokens.end;
        let ends = at + 1 + (at + 1..self.mentions.len()).take_while(adjoins).count();
        let behind = at..ends;
        let back =
            behind.clone().any(|at| words(at).split([' ', '’']).any(|it| BACK.contains(&it)));
        let says_more = behind.skip(1).any(|at| {
            let mention = &self.mentions[at];
            let own = |target: &Target| target.table() == frame.head.map(|(head, _)| head);
            mention.time.is_some()
                || mention.number.is_some()
                || mention.lexical.is_empty()
                    && mention.readings.first().is_some_and(|first| !own(&first.target))
        });
        (back && !says_more).then_some(at)
    }

    /// Those that rows refer to and that can act: as the words behind "who" say, else all of them.
    fn who_of(&self, rows: TableId, at: usize) -> Vec<TableId> {
        let stems = |table: &TableId| self.schema.profile(*table).stems.clone();
        let mut persons: Vec<TableId> = self
            .schema
            .edges(rows)
            .iter()
            .filter(|edge| edge.to_one && edge.forward && edge.to != rows)
            .map(|edge| edge.to)
            .filter(|table| {
                holds_persons(self.schema, *table)
                    || self.lexicon.names_makers(&stems(table))
                    || stems(table).last().is_some_and(|last| self.lexicon.is_agent(last))
            })
            .collect();
        persons.sort_unstable();
        persons.dedup();
        let behind: Vec<&Mention> = self.mentions[at..].iter().collect();
        let agents: Vec<String> = behind
            .iter()
            .flat_map(|mention| {
                fold(&mention.phrase).split(' ').map(str::to_owned).collect::<Vec<_>>()
            })
            .flat_map(|word| self.lexicon.doers_of(&word).map(stem).collect::<Vec<_>>())
            .collect();
        let by = behind.last().is_some_and(|last| last.is(Lexical::By));
        let narrowed: Vec<TableId> = persons
            .iter()
            .copied()
            .filter(|table| {
                let stems = stems(table);
                stems.last().is_some_and(|last| agents.contains(last))
                    || by && self.lexicon.names_makers(&stems)
            })
            .collect();
        if narrowed.is_empty() { persons } else { narrowed }
    }
}
