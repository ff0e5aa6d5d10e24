//! Rows of two tables that nothing links, or that are of one kind, listed as one; a condition beside them is said of both or of one.

use super::build::compose;
use super::context::{Composer, Failure};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::DataType;
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::failure::FailureCode;
use crate::intent::{Expression, QueryTree, Selection};
use crate::linking::{ColumnId, Lexical, Mention, Named, Reading, TableId, Target};
use crate::reading::{Attachment, Coordination, Frame};

/// Words that say whose rows are listed.
const OWNERS: [&str; 4] = ["corresponding", "its", "respective", "their"];
/// Texts that rows of one kind have in common, at least.
const SHARED: usize = 2;
/// The same for rows that refer to each other.
const SHARED_BY_RELATED: usize = 5;

/// Two tables whose rows are listed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed {
    coordination: Coordination,
    tables: (TableId, TableId),
}

impl Listed {
    /// Whether a condition at this place is beside the tables.
    fn beside(&self, at: usize) -> bool {
        if self.coordination.leads {
            at + 1 == self.coordination.first
        } else {
            at > self.coordination.last
        }
    }
}

impl Composer<'_> {
    /// Two tables that are listed and that no foreign keys link.
    pub(super) fn listed_apart(&self, frame: &Frame) -> Option<Listed> {
        let coordination = frame.coordination?;
        let tables = coordination.tables?;
        let plain = frame.groups.is_empty() && frame.superlative.is_none() && frame.trend.is_none();
        let apart = !self.is_linked(tables.0, tables.1)
            || self.is_one_kind(&coordination, tables)
            || self.is_said_of_both(frame, &coordination, tables);
        (plain && apart).then_some(Listed { coordination, tables })
    }

    /// "Cities of customers and employees": a column is asked of two tables that have one each, and no row of which belongs
    /// to one of the other.
    fn is_said_of_both(
        &self,
        frame: &Frame,
        coordination: &Coordination,
        (one, other): (TableId, TableId),
    ) -> bool {
        let belongs = |from: TableId, to: TableId| {
            self.schema.distance(from, to).is_some_and(|(_, to_many)| !to_many)
        };
        let has = |at: usize| match self.target(at) {
            Some(Target::Label(_)) => true,
            Some(Target::Column(column)) => {
                [one, other].iter().all(|table| self.column_alike(column, *table).is_some())
            }
            _ => false,
        };
        let [column] = frame.outputs[..] else { return false };
        column < coordination.first
            && has(column)
            && self.mentions.get(column + 1).is_some_and(|next| next.is(Lexical::Of))
            && !belongs(one, other)
            && !belongs(other, one)
    }

    /// Whether rows of two tables are of one kind, so that they are listed below each other: "customers and suppliers".
    ///
    /// Rows that refer to each other are only where they have most of their columns in common, and no word says whose
    /// they are: "customers and their orders".
    fn is_one_kind(&self, coordination: &Coordination, (one, other): (TableId, TableId)) -> bool {
        let owned = (coordination.first..coordination.last).any(|at| {
            let phrase = self.phrase(at + 1).to_lowercase();
            phrase.split(' ').any(|word| OWNERS.contains(&word))
        });
        let (first, second) = (self.schema.profile(one), self.schema.profile(other));
        let labels = first.label.len() == second.label.len() && !first.label.is_empty();
        if owned || !labels || first.is_bridge || second.is_bridge {
            return false;
        }
        let columns = |table: TableId| {
            let columns = 0..self.catalog.table_at(table).columns.len() as u16;
            columns.map(move |column| ColumnId { table, column })
        };
        let told = |column: &ColumnId| {
            self.catalog.column_at(*column).data_type == DataType::Text && !self.is_foreign(*column)
        };
        let shared = columns(one)
            .filter(told)
            .filter(|column| {
                columns(other)
                    .filter(told)
                    .any(|twin| self.schema.stems_of(twin) == self.schema.stems_of(*column))
            })
            .count();
        let refers = self.schema.edges(one).iter().any(|edge| edge.to == other);
        shared >= if refers { SHARED_BY_RELATED } else { SHARED }
    }

    /// The rows of both tables, with the conditions where they belong.
    pub(super) fn union(&mut self, frame: &Frame, listed: Listed) -> Result<QueryTree, Failure> {
        let (first, last) = listed.tables;
        let conditions = frame.conditions.iter().any(|condition| listed.beside(condition.at()))
            || frame.times.iter().any(|time| listed.beside(time.at))
            || frame.vague.iter().any(|term| listed.beside(term.at));
        let nearest = if listed.coordination.leads { first } else { last };
        let held = match listed.coordination.attachment {
            _ if !conditions => vec![first, last],
            Some(Attachment::All) => vec![first, last],
            Some(Attachment::Nearest) => vec![nearest],
            None => self.decide_tables(&listed, nearest),
        };
        let mut tree = self.side(frame, &listed, first, last, held.contains(&first))?;
        let mut other = self.side(frame, &listed, last, first, held.contains(&last))?;
        if tree.select.len() != other.select.len() && frame.outputs.is_empty() {
            tree.select = self.names(first);
            other.select = self.names(last);
        }
        if tree.select.len() != other.select.len() {
            return Err(self.fail(
                FailureCode::NotComposable,
                "rows of two tables with different columns are not listed as one".to_owned(),
                "ask for one of them at a time",
                Some(listed.coordination.last),
            ));
        }
        if let ([one], [another]) = (tree.select.as_mut_slice(), other.select.as_mut_slice()) {
            let name = self.name_of_both(one, another);
            for item in [one, another] {
                let own = matches!(&item.expression, Expression::Column { column }
                    if column.column == name);
                item.alias = (!own).then(|| name.clone());
            }
        }
        tree.also.push(other);
        Ok(tree)
    }

    /// Name of the only column of two lists: the one that both have, else "name".
    fn name_of_both(&self, one: &Selection, other: &Selection) -> String {
        match (&one.expression, &other.expression) {
            (Expression::Column { column }, Expression::Column { column: twin })
                if column.column.eq_ignore_ascii_case(&twin.column) =>
            {
                column.column.clone()
            }
            _ => "name".to_owned(),
        }
    }

    /// Tree of the rows of one of the tables.
    fn side(
        &mut self,
        frame: &Frame,
        listed: &Listed,
        table: TableId,
        other: TableId,
        held: bool,
    ) -> Result<QueryTree, Failure> {
        let mut frame = frame.clone();
        frame.head = Some((table, usize::MAX));
        frame.output_tables.clear();
        frame.coordination = None;
        frame.distribution = None;
        if !held {
            frame.conditions.retain(|condition| !listed.beside(condition.at()));
            frame.times.retain(|time| !listed.beside(time.at));
            frame.vague.retain(|term| !listed.beside(term.at));
        }
        let mentions: Vec<Mention> =
            self.mentions.iter().map(|mention| self.twin(mention, table, other)).collect();
        let mut composer = Composer {
            mentions: &mentions,
            open: std::mem::take(&mut self.open),
            given: self.given.clone(),
            through: self.through.clone(),
            ..*self
        };
        let composed = compose(&mut composer, &frame);
        let (open, joined) = (std::mem::take(&mut composer.open), composer.joined);
        self.open = open;
        self.joined = joined;
        let mut tree = composed?;
        if frame.outputs.is_empty() {
            tree.select = self.names(table);
        }
        tree.order_by.clear();
        Ok(tree)
    }

    /// The mention as read for one of two tables: a column of the other table is replaced by the one of the same name.
    fn twin(&self, mention: &Mention, table: TableId, other: TableId) -> Mention {
        let first = mention.readings.first().map(|reading| &reading.target);
        let of_other = match first {
            Some(Target::Column(column)) if column.table == other => Some(*column),
            _ => None,
        };
        let mut own = of_table(mention, table, other);
        let known = own.readings.iter().any(|reading| reading.target.table() == Some(table));
        let twin = of_other.filter(|_| !known).and_then(|column| self.column_alike(column, table));
        if let (Some(twin), Some(reading)) = (twin, mention.readings.first()) {
            own.readings.insert(0, Reading { target: Target::Column(twin), ..reading.clone() });
        }
        own
    }

    /// The column of a table whose name has the same stems.
    fn column_alike(&self, column: ColumnId, table: TableId) -> Option<ColumnId> {
        let columns = 0..self.catalog.table_at(table).columns.len() as u16;
        columns
            .map(|column| ColumnId { table, column })
            .find(|twin| self.schema.stems_of(*twin) == self.schema.stems_of(column))
    }

    fn names(&self, table: TableId) -> Vec<Selection> {
        let telling =
            self.telling_text(table).filter(|_| self.schema.profile(table).label.is_empty());
        let named = telling.map_or_else(|| self.label(table), |column| vec![column]);
        named.into_iter().map(|column| self.selection(column)).collect()
    }

    fn decide_tables(&mut self, listed: &Listed, nearest: TableId) -> Vec<TableId> {
        let (first, last) = listed.tables;
        let words = |composer: &Self, table| composer.table_rows(table);
        let key = |composer: &Self, table| composer.schema.profile(table).key.clone();
        let start = if listed.coordination.leads { 0 } else { listed.coordination.last + 1 };
        let end =
            if listed.coordination.leads { listed.coordination.first } else { self.mentions.len() };
        // A further sentence, such as "Show them in one table.", says nothing of the rows.
        let end = (start..end)
            .find(|at| self.mentions.get(*at).is_some_and(|mention| mention.is(Lexical::List)))
            .unwrap_or(end);
        let said = (start..end).filter(|at| {
            self.mentions.get(*at).is_some_and(|mention| {
                !mention.readings.is_empty() || mention.number.is_some() || mention.time.is_some()
            })
        });
        let (from, to) = (said.clone().min().unwrap_or(start), said.max().unwrap_or(start));
        let span = self.span(from).zip(self.span(to)).map(|(from, to)| from.union(to));
        let option = |id: &str, label: String, description: String, tables: Vec<String>| {
            ClarificationOption {
                id: id.to_owned(),
                label,
                description,
                binding: OptionBinding::Attachment { tables },
                confidence: None,
            }
        };
        let options = vec![
            option(
                "all",
                format!("both {} and {}", words(self, first), words(self, last)),
                "the condition holds for both".to_owned(),
                vec![key(self, first), key(self, last)],
            ),
            option(
                "nearest",
                format!("only {}", words(self, nearest)),
                format!("all {}", words(self, if nearest == first { last } else { first })),
                vec![key(self, nearest)],
            ),
        ];
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Condition,
            severity: Severity::Important,
            phrase: span.map_or_else(String::new, |span| span.of(self.question).to_owned()),
            span,
            relation: Relation::AppliesTo,
            reason: "it can apply to both or only to the nearest".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Attachment { tables } => {
                tables.iter().filter_map(|key| self.schema.table(key)).collect()
            }
            _ => vec![first, last],
        }
    }
}

/// A mention as it reads beside one of the tables: what belongs to the other is left out.
pub(super) fn of_table(mention: &Mention, table: TableId, other: TableId) -> Mention {
    let mut mention = mention.clone();
    let own = mention.readings.iter().any(|reading| reading.target.table() == Some(table));
    if own {
        mention.readings.retain(|reading| reading.target.table() == Some(table));
    } else {
        mention.readings.retain(|reading| reading.target.table() != Some(other));
    }
    mention
}
