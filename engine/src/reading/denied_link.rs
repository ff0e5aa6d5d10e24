//! What is denied of two things that one table links: none may be linked.
//!
//! Valid: "shops that do not have any devices in stock" (`stock` links shops and devices), "technicians that have not been
//! assigned to repair machines". Invalid: further conditions on the linked rows ("devices of type B in stock").

use super::frame::{Related, TableUse};
use super::parse::Parser;
use crate::linking::{Lexical, TableId, Target};

impl Parser<'_> {
    /// Settles what is denied of rows: once only, and of linked things that they are linked.
    pub(super) fn settle_denied(&mut self) {
        self.drop_denied_twice();
        self.deny_links();
    }

    /// Denies the rows of the table that links those asked about with the others of the same clause.
    fn deny_links(&mut self) {
        let Some((head, _)) = self.frame.head else { return };
        let is_denied = |related: &&Related| related.how == TableUse::Without;
        let Some(denied) = self.frame.related.iter().find(is_denied).copied() else { return };
        let of_clause = |related: &&Related| {
            related.at > denied.at
                && related.how != TableUse::Without
                && !(denied.at + 1..related.at).any(|between| self.begins_another(between))
        };
        let others: Vec<Related> = self.frame.related.iter().filter(of_clause).copied().collect();
        let said: Vec<TableId> =
            std::iter::once(denied.table).chain(others.iter().map(|other| other.table)).collect();
        let links = |table: &TableId| {
            let refers = |to: TableId| {
                self.index.edges(*table).iter().any(|edge| edge.forward && edge.to == to)
            };
            let other = |of: &TableId| of == table || refers(*of);
            said.len() > 1 && refers(head) && said.iter().all(other)
        };
        let Some(link) = said.iter().copied().find(links) else { return };
        // Where another table links the same things too, the words say which one is meant.
        let tables = (0..self.catalog.tables.len()).filter_map(|at| u16::try_from(at).ok());
        let ends = |table: TableId| {
            let refers = |to: TableId| {
                self.index.edges(table).iter().any(|edge| edge.forward && edge.to == to)
            };
            refers(head) && said.iter().all(|of| *of == link || refers(*of))
        };
        if tables.map(TableId).filter(|table| ends(*table)).count() > 1 {
            return;
        }
        let told = |table: TableId| {
            table != link
                && self.frame.conditions.iter().any(|condition| {
                    self.target(condition.at()).and_then(Target::table) == Some(table)
                })
        };
        if said.iter().any(|table| told(*table)) {
            return;
        }
        let places: Vec<usize> = others.iter().map(|other| other.at).collect();
        let linked = others.iter().rev().find(|other| other.table != link).unwrap_or(&denied);
        let missing = Related { how: TableUse::Without, ..*linked };
        self.frame.related.retain(|related| !places.contains(&related.at) && *related != denied);
        self.frame.related.push(missing);
    }

    /// Whether a further condition begins at a mention: "and", "or", "but", "with".
    fn begins_another(&self, at: usize) -> bool {
        let begins = [Lexical::And, Lexical::Or, Lexical::Where, Lexical::Without, Lexical::Not];
        begins.iter().any(|kind| self.mentions[at].is(*kind))
    }
}
