//! Steps for joins.

use std::collections::BTreeSet;

use super::names::Teller;
use super::place::joined;
use super::said::{Said, tail};
use super::step::{Step, StepKind};
use crate::bind::{ColumnPlace, Equality, Joined};
use crate::tree::{Expr, JoinKind, SqlSpan};
use crate::walk::conjuncts;
use wherefore_english::with_article;

/// An equality between a column of a source and one of an earlier source.
struct Link {
    own: ColumnPlace,
    other: ColumnPlace,
}

impl Teller<'_> {
    /// The step that joins a source; adds the addresses of the WHERE conditions that it covers to `said`.
    pub(super) fn join(&self, block: usize, at: usize, said: &mut BTreeSet<usize>) -> Step {
        let sources = self.sources(block);
        let (kind, on) = match sources[at].join {
            Joined::Join(kind, on) => (kind, on),
            Joined::Comma | Joined::First => (JoinKind::Cross, None),
        };
        let (links, from_where) = self.links(block, at, kind);
        for equal in &from_where {
            said.insert(address(equal));
        }
        let kind =
            if kind == JoinKind::Cross && !links.is_empty() { JoinKind::Inner } else { kind };
        let mut span = sources[at].span;
        if let Some(name) = sources[at].name {
            span = joined(span, name.span);
        }
        let in_on: Vec<&Expr> = on.map(conjuncts).unwrap_or_default().iter().collect();
        span = in_on.iter().fold(span, |span, part| joined(span, self.places.of(part)));
        self.step(StepKind::Join, span, || {
            let linking: BTreeSet<usize> = self.linking(block, at);
            let rest: Vec<&Expr> =
                in_on.iter().copied().filter(|part| !linking.contains(&address(part))).collect();
            let mut further = Vec::new();
            self.parts(&rest, block, &mut |part| further.push(part().said));
            self.join_words(block, at, kind, &links, &further)
        })
    }

    /// Equalities that link a source to earlier ones, and the WHERE conditions among them.
    fn links(&self, block: usize, at: usize, kind: JoinKind) -> (Vec<Link>, Vec<&Expr>) {
        let Some(here) = self.bound.blocks.get(block) else { return (Vec::new(), Vec::new()) };
        let mut links = Vec::new();
        let mut from_where = Vec::new();
        for equal in &here.equalities {
            let Some(link) = link(equal, block, at) else { continue };
            match equal.source {
                Some(source) if source == at => links.push(link),
                None if kind == JoinKind::Cross => {
                    from_where.push(equal.expr);
                    links.push(link);
                }
                _ => {}
            }
        }
        // A link by a key describes the relation best.
        links.sort_by_key(|link| !(self.is_key(link.own) || self.is_key(link.other)));
        (links, from_where)
    }

    fn linking(&self, block: usize, at: usize) -> BTreeSet<usize> {
        let Some(here) = self.bound.blocks.get(block) else { return BTreeSet::new() };
        here.equalities
            .iter()
            .filter(|equal| equal.source == Some(at) && link(equal, block, at).is_some())
            .map(|equal| address(equal.expr))
            .collect()
    }

    fn join_words(
        &self,
        block: usize,
        at: usize,
        kind: JoinKind,
        links: &[Link],
        further: &[Said],
    ) -> (String, String) {
        let own = self.called(block, at);
        let after = tail(further);
        let after = if after.is_empty() { after } else { format!(" {after}") };
        let Some(Link { own: column, other }) = links.first() else {
            return self.unlinked(block, at, kind, &after);
        };
        let whose = self.called(other.block, other.source);
        let is_one = self.is_key(*column) && links.len() == 1;
        let is_many = !is_one && self.is_key(*other) && links.len() == 1;
        let row = &whose.row;
        let (what, clause) = if is_one {
            (format!("add the {} of each {row}{after}", own.row), format!("their {}", own.row))
        } else if is_many && own.is_table {
            (format!("add the {} of each {row}{after}", own.rows), format!("their {}", own.rows))
        } else {
            let same: Vec<String> = links.iter().map(|link| self.link_words(link)).collect();
            let fit = format!("{} {}", own.rows, wherefore_english::and_list(&same));
            let words = match further {
                [] => format!("add to each {row} the {fit}"),
                _ => format!(
                    "add to each {row} the {fit}{}",
                    after.replacen(" where ", " and where ", 1)
                ),
            };
            (words, format!("the {fit}"))
        };
        let can_lack = self.bound.is_nullable(*other) || !is_one || !further.is_empty();
        let end = match kind {
            JoinKind::Left if is_one => ", where there is one".to_owned(),
            JoinKind::Left => format!(", and keep {} that have none", whose.rows),
            JoinKind::Right => {
                format!(", and keep all {}, also those without {}", own.rows, with_article(row))
            }
            JoinKind::Full => ", and keep unmatched rows of both sides".to_owned(),
            JoinKind::Inner | JoinKind::Cross if can_lack => {
                format!(
                    " ({} without {} are dropped)",
                    whose.rows,
                    if is_one { "one" } else { "any" }
                )
            }
            JoinKind::Inner | JoinKind::Cross => String::new(),
        };
        let clause_end = match kind {
            JoinKind::Left | JoinKind::Full => " (if any)",
            _ => "",
        };
        (format!("{what}{end}"), format!("with {clause}{after}{clause_end}"))
    }

    fn link_words(&self, link: &Link) -> String {
        let (one, other) = (self.bare_column(link.own), self.bare_column(link.other));
        if one == other {
            return format!("with the same {one}");
        }
        let whose = self.called(link.other.block, link.other.source);
        format!("whose {one} is the {other} of the {}", whose.row)
    }

    fn unlinked(&self, block: usize, at: usize, kind: JoinKind, after: &str) -> (String, String) {
        let own = self.called(block, at);
        let source = &self.sources(block)[at];
        if source.is_lateral && after.is_empty() {
            let keep = if kind == JoinKind::Left { ", where there are any" } else { "" };
            return (
                format!("add to each row the {} calculated for it{keep}", own.rows),
                format!("with the {} of each", own.rows),
            );
        }
        if self.is_one_row(block, at) {
            return (
                format!("add the single {} to every row{after}", own.row),
                format!("with the single {}", own.row),
            );
        }
        if after.is_empty() {
            (
                format!("pair every row so far with every {}", own.row),
                format!("each paired with every {}", own.row),
            )
        } else {
            let keep = match kind {
                JoinKind::Left => ", and keep rows that have none",
                JoinKind::Right | JoinKind::Full => ", and keep those without a match",
                _ => "",
            };
            (
                format!("add to each row the {}{after}{keep}", own.rows),
                format!("with the {}{after}", own.rows),
            )
        }
    }

    /// Whether a source is a query that returns a single row.
    fn is_one_row(&self, block: usize, at: usize) -> bool {
        let inner = self.sources(block).get(at).and_then(|source| source.block);
        inner.and_then(|inner| self.bound.blocks.get(inner)).is_some_and(|inner| {
            inner.aggregates && inner.select.group_by.is_empty() && inner.select.having.is_none()
        })
    }

    /// The source whose rows correspond one to one to the rows of the joined result; `None` if there is none.
    pub(super) fn grain(&self, block: usize) -> Option<usize> {
        let sources = self.sources(block);
        let mut grain = sources.first().map(|_| 0)?;
        for (at, source) in sources.iter().enumerate().skip(1) {
            let kind = match source.join {
                Joined::Join(kind, _) => kind,
                _ => JoinKind::Cross,
            };
            let (links, _) = self.links(block, at, kind);
            let is_inner = matches!(kind, JoinKind::Inner | JoinKind::Cross);
            if links.iter().any(|link| self.is_key(link.own))
                && (is_inner || kind == JoinKind::Left)
                || self.is_one_row(block, at)
            {
                continue;
            }
            let is_of_grain = |link: &Link| link.other.source == grain && self.is_key(link.other);
            if is_inner && links.iter().any(is_of_grain) && source.table.is_some() {
                grain = at;
            } else {
                return None;
            }
        }
        sources[grain].table.map(|_| grain)
    }

    /// Span of a source in the text.
    pub(super) fn source_span(&self, block: usize, at: usize) -> SqlSpan {
        let Some(source) = self.sources(block).get(at) else { return SqlSpan::default() };
        source.name.map_or(source.span, |name| joined(source.span, name.span))
    }
}

fn link(equal: &Equality<'_>, block: usize, at: usize) -> Option<Link> {
    let is_own = |place: ColumnPlace| place.block == block && place.source == at;
    let is_before = |place: ColumnPlace| place.block == block && place.source < at;
    if is_own(equal.left) && is_before(equal.right) {
        Some(Link { own: equal.left, other: equal.right })
    } else if is_own(equal.right) && is_before(equal.left) {
        Some(Link { own: equal.right, other: equal.left })
    } else {
        None
    }
}

/// Address of an expression, used only to identify it within one run; never part of the output.
pub(super) fn address(expr: &Expr) -> usize {
    std::ptr::from_ref(expr).addr()
}
