//! Phrases for conditions.

use std::collections::BTreeMap;

use super::compared::like;
use super::names::Teller;
use super::range::{End, end, is_value};
use super::said::{Part, Said};
use crate::bind::Meaning;
use crate::tree::{Expr, Literal};
use crate::walk::walk;

impl Teller<'_> {
    /// Describes conjuncts; the two bounds of a range become one phrase.
    pub(super) fn parts<'e>(
        &self,
        parts: &[&'e Expr],
        block: usize,
        make: &mut dyn FnMut(&dyn Fn() -> Part),
    ) {
        let ends: Vec<Option<End<'e>>> =
            parts.iter().map(|part| end(part).filter(|end| is_value(end.value))).collect();
        let mut open: BTreeMap<(String, bool), usize> = BTreeMap::new();
        let mut partner: Vec<Option<usize>> = vec![None; parts.len()];
        for (at, found) in ends.iter().enumerate() {
            let Some(found) = found else { continue };
            let key = self.places.text_of(self.places.of(found.operand)).to_ascii_lowercase();
            if let Some(other) = open.remove(&(key.clone(), !found.is_low)) {
                partner[at] = Some(other);
                partner[other] = Some(at);
            } else {
                open.insert((key, found.is_low), at);
            }
        }
        for (at, part) in parts.iter().enumerate() {
            match partner[at] {
                Some(other) if other < at => {}
                Some(other) => {
                    let (one, two) = (ends[at].as_ref(), ends[other].as_ref());
                    let (low, high) =
                        if one.is_some_and(|it| it.is_low) { (one, two) } else { (two, one) };
                    make(&|| {
                        let source = self.source_of(part, block);
                        Part {
                            said: self.of_source(block, source, || self.range(low, high, block)),
                            span: super::place::joined(
                                self.places.of(part),
                                self.places.of(parts[other]),
                            ),
                            source,
                        }
                    });
                }
                None => make(&|| {
                    let source = self.source_of(part, block);
                    Part {
                        said: self.of_source(block, source, || self.conjunct(part, block)),
                        span: self.places.of(part),
                        source,
                    }
                }),
            }
        }
    }

    /// A conjunct next to others; an OR is put in parentheses.
    fn conjunct(&self, part: &Expr, block: usize) -> Said {
        let said = self.condition(part, block);
        match part {
            Expr::Or(_) => Said::plain(format!("({})", said.clause)),
            _ => said,
        }
    }

    /// The only source of a SELECT whose columns an expression uses, ignoring its subqueries.
    pub(super) fn source_of(&self, expr: &Expr, block: usize) -> Option<usize> {
        let mut found = None;
        let mut several = false;
        walk(expr, &mut |part| {
            if let Expr::Column { name, .. } = part {
                match self.bound.use_of(name).map(|it| &it.meaning) {
                    Some(Meaning::Column(place)) if place.block == block => {
                        several |= found.is_some_and(|other| other != place.source);
                        found = Some(place.source);
                    }
                    _ => several = true,
                }
            }
        });
        found.filter(|_| !several)
    }

    /// Describes a condition; each subexpression is described once.
    pub(super) fn condition(&self, expr: &Expr, block: usize) -> Said {
        if !self.may_say() {
            return Said::plain(format!("{} holds", self.written(expr)));
        }
        match expr {
            Expr::And(list) => {
                let mut clauses = Vec::new();
                let parts: Vec<&Expr> = list.iter().collect();
                self.parts(&parts, block, &mut |part| clauses.push(part().said.clause));
                Said::plain(clauses.join(" and "))
            }
            Expr::Or(list) => {
                let clauses: Vec<String> = list
                    .iter()
                    .map(|part| {
                        let clause = self.condition(part, block).clause;
                        if matches!(part, Expr::And(_)) && list.len() > 1 {
                            format!("({clause})")
                        } else {
                            clause
                        }
                    })
                    .collect();
                Said::plain(clauses.join(" or "))
            }
            Expr::Not(operand) => match &**operand {
                Expr::Column { .. } => self.flag_said(operand, false, block),
                Expr::Exists { query, negated } => self.exists(query, !negated),
                _ => Said::plain(format!(
                    "it is not true that {}",
                    self.condition(operand, block).clause
                )),
            },
            Expr::Column { .. } => self.flag_said(expr, true, block),
            Expr::Binary { operator, left, right } => {
                self.comparison(*operator, left, right, expr, block)
            }
            Expr::IsNull { operand, negated } => self.missing(operand, *negated, block),
            Expr::IsBoolean { operand, value, negated: false }
                if matches!(**operand, Expr::Column { .. }) =>
            {
                self.flag_said(operand, *value, block)
            }
            Expr::IsBoolean { operand, value, negated } => {
                let word = if *value { "true" } else { "false" };
                let not = if *negated { "not " } else { "" };
                Said::plain(format!("{} is {not}{word}", self.noun(operand, block)))
            }
            Expr::Between { operand, low, high, negated: false } => {
                let ends = [(low, true), (high, false)].map(|(value, is_low)| End {
                    operand,
                    value,
                    is_low,
                    is_included: true,
                });
                self.range(Some(&ends[0]), Some(&ends[1]), block)
            }
            Expr::Between { operand, low, high, negated: true } => {
                let words = self.noun(operand, block);
                let (low, high) =
                    (self.value(low, operand, block), self.value(high, operand, block));
                Said::plain(format!("{words} is less than {low} or more than {high}"))
            }
            Expr::InList { operand, list, negated } => {
                let words = self.noun(operand, block);
                let choice = self.choice(list, operand, *negated, block);
                let not = match (negated, list.len()) {
                    (true, 1) => "not ",
                    (true, _) => "neither ",
                    (false, _) => "",
                };
                Said::plain(format!("{words} is {not}{choice}"))
            }
            Expr::InQuery { operand, query, negated } => {
                self.in_query(operand, query, *negated, block)
            }
            Expr::Exists { query, negated } => self.exists(query, *negated),
            Expr::Like { operand, pattern, case_insensitive, negated, escape } => {
                let Expr::Literal(Literal::String(text), _) = &**pattern else {
                    return Said::plain(format!("{} holds", self.written(expr)));
                };
                let words = self.noun(operand, block);
                let case = if *case_insensitive { " (ignoring case)" } else { "" };
                let fits = if *negated { "does not match" } else { "matches" };
                let verb = like(text, *escape, *negated)
                    .unwrap_or_else(|| format!("{fits} the pattern “{text}”"));
                Said::plain(format!("{words} {verb}{case}"))
            }
            Expr::Literal(Literal::Boolean(true), _) => Said::plain("anything is allowed"),
            Expr::Literal(Literal::Boolean(false), _) => Said::plain("nothing is allowed"),
            _ => Said::plain(format!("{} holds", self.noun_or_written(expr, block))),
        }
    }

    fn noun_or_written(&self, expr: &Expr, block: usize) -> String {
        match expr {
            Expr::Function(_) | Expr::Case { .. } | Expr::Cast { .. } => self.written(expr),
            _ => self.noun(expr, block),
        }
    }
}
