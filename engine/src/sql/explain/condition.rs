//! Conditions in words.

use std::collections::BTreeMap;

use super::names::{Called, Teller, done};
use super::noun::{join_and, with_article};
use super::range::{End, end, exact, is_value};
use crate::sql::bind::{Kind, Meaning};
use crate::sql::tree::{BinaryOperator, Expr, Literal, SqlSpan};
use crate::sql::walk::walk;

/// A condition in words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// To stand after the rows, such as `created in the last 30 days`, where it can be said so.
    pub(super) attach: Option<String>,
    /// To stand after `where`.
    pub(super) clause: String,
}

/// A part of a condition that holds together with others.
pub(super) struct Part {
    pub(super) said: Said,
    pub(super) span: SqlSpan,
    /// The only source that it is about.
    pub(super) source: Option<usize>,
}

impl Said {
    fn plain(clause: impl Into<String>) -> Self {
        Self { attach: None, clause: clause.into() }
    }

    /// As it stands after the rows that it is about.
    pub(super) fn after_rows(&self) -> String {
        match &self.attach {
            Some(attach) => attach.clone(),
            None => format!("where {}", self.clause),
        }
    }
}

/// Conditions as they stand after the rows that they are about.
pub(super) fn tail(parts: &[Said]) -> String {
    let attached: Vec<String> = parts.iter().filter_map(|part| part.attach.clone()).collect();
    let clauses: Vec<String> =
        parts.iter().filter(|part| part.attach.is_none()).map(|part| part.clause.clone()).collect();
    let mut words = join_and(&attached);
    if !clauses.is_empty() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str("where ");
        words.push_str(&clauses.join(" and "));
    }
    words
}

impl Teller<'_> {
    /// Parts that all hold, both ends of one range as one.
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

    /// A part that holds together with others: alternatives stand in brackets.
    fn conjunct(&self, part: &Expr, block: usize) -> Said {
        let said = self.condition(part, block);
        match part {
            Expr::Or(_) => Said::plain(format!("({})", said.clause)),
            _ => said,
        }
    }

    /// The only source of a SELECT whose columns an expression names outside its queries.
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

    /// A condition in words; each expression inside it is said once.
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
                    "it is not so that {}",
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
                let case = if *case_insensitive { " (in capital or small letters)" } else { "" };
                let fits = if *negated { "does not fit" } else { "fits" };
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

    /// A column that says yes or no.
    fn flag_said(&self, operand: &Expr, value: bool, block: usize) -> Said {
        let words = self.noun(operand, block);
        let not = if value { "" } else { "not " };
        let place = self.bound.column_of(operand);
        for verb in ["is", "has", "was"] {
            let Some(place) = place else { break };
            let bare = self.bare_column(place);
            let Some(rest) = bare.strip_prefix(verb).and_then(|rest| rest.strip_prefix(' ')) else {
                continue;
            };
            let row = self.called(place.block, place.source).row;
            let (many, one) = match verb {
                "is" => (format!("that are {not}{rest}"), format!("{row} is {not}{rest}")),
                "was" => (format!("that were {not}{rest}"), format!("{row} was {not}{rest}")),
                _ => {
                    let no = if value { "" } else { "no " };
                    (format!("that have {no}{rest}"), format!("{row} has {no}{rest}"))
                }
            };
            return Said { attach: Some(many), clause: one };
        }
        Said::plain(format!("{words} is {}", if value { "yes" } else { "no" }))
    }

    fn comparison(
        &self,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
        block: usize,
    ) -> Said {
        use BinaryOperator as Op;
        if let Some(found) = end(expr) {
            let (low, high) =
                if found.is_low { (Some(&found), None) } else { (None, Some(&found)) };
            return self.range(low, high, block);
        }
        let turned = is_value(left) && !is_value(right);
        let (left, right) = if turned { (right, left) } else { (left, right) };
        let negated = matches!(operator, Op::NotEqual | Op::IsDistinctFrom);
        match operator {
            Op::Equal | Op::NotEqual | Op::IsDistinctFrom | Op::IsNotDistinctFrom => {
                if let Some(value) = self.flag(left, right) {
                    return self.flag_said(left, value != negated, block);
                }
                if self.is_temporal(left, right) && is_value(right) {
                    return self.on_moment(left, right, negated, block);
                }
                let not = if negated { "not " } else { "" };
                let words = self.noun(left, block);
                let same = self.bound.column_of(left).zip(self.bound.column_of(right));
                if let Some((one, other)) = same
                    && one.block == block
                    && other.block != block
                    && self.bare_column(one) == self.bare_column(other)
                {
                    let kind = if negated { "another" } else { "the same" };
                    let bare = self.bare_column(one);
                    return Said {
                        attach: Some(format!("with {kind} {bare}")),
                        clause: format!(
                            "{bare} is {not}that of the {}",
                            self.called(other.block, other.source).row
                        ),
                    };
                }
                Said::plain(format!("{words} is {not}{}", self.value(right, left, block)))
            }
            Op::Regex | Op::RegexInsensitive | Op::Glob => Said::plain(format!(
                "{} fits the pattern {}",
                self.noun(left, block),
                self.written(right)
            )),
            Op::NotRegex | Op::NotRegexInsensitive => Said::plain(format!(
                "{} does not fit the pattern {}",
                self.noun(left, block),
                self.written(right)
            )),
            _ => Said::plain(format!("{} holds", self.written(expr))),
        }
    }

    fn on_moment(&self, left: &Expr, right: &Expr, negated: bool, block: usize) -> Said {
        let words = exact(&self.moment(right, block));
        if self.kind(left) == Some(Kind::Date) && !negated && words.starts_with(char::is_numeric) {
            return self.timed(left, &format!("on {words}"), block);
        }
        let not = if negated { "not " } else { "" };
        Said::plain(format!("{} is {not}{words}", self.noun(left, block)))
    }

    /// A range with one end or two.
    fn range(&self, low: Option<&End<'_>>, high: Option<&End<'_>>, block: usize) -> Said {
        let Some(first) = low.or(high) else { return Said::plain("anything is allowed") };
        if self.is_temporal(first.operand, first.value) {
            return self.timed(first.operand, &self.time_range(low, high, block), block);
        }
        let words = self.noun(first.operand, block);
        if let (Some(low), Some(high)) = (low, high) {
            return Said::plain(format!("{words} is {}", self.plain_range(low, high, block)));
        }
        let is_text = self.kind(first.operand) == Some(Kind::Text);
        let how = match (first.is_low, first.is_included, is_text) {
            (true, true, false) => "at least",
            (true, false, false) => "more than",
            (false, true, false) => "at most",
            (false, false, false) => "less than",
            (true, true, true) => "at or after, in the alphabet,",
            (true, false, true) => "after, in the alphabet,",
            (false, true, true) => "at or before, in the alphabet,",
            (false, false, true) => "before, in the alphabet,",
        };
        let value = self.value(first.value, first.operand, block);
        Said::plain(format!("{words} is {how} {value}"))
    }

    /// What is said of a day or a moment: `created in the last 30 days`.
    fn timed(&self, operand: &Expr, range: &str, block: usize) -> Said {
        let place = self.bound.column_of(operand).filter(|place| place.block == block);
        let Some(place) = place else {
            return Said::plain(format!("{} is {range}", self.noun(operand, block)));
        };
        let bare = self.column_words(place);
        let called = self.called(place.block, place.source);
        if let Some(stem) = done(&bare).filter(|_| called.is_table) {
            return Said {
                attach: Some(format!("{stem} {range}")),
                clause: format!("{} was {stem} {range}", called.row),
            };
        }
        let own = bare == "date" || bare.strip_suffix(" date").is_some_and(|it| it == called.row);
        let attach = match (own, range.strip_prefix("in ")) {
            (true, Some(period)) => format!("of {period}"),
            (true, None) => range.to_owned(),
            (false, _) => format!("with {} {range}", with_article(&bare)),
        };
        Said { attach: Some(attach), clause: format!("{} is {range}", self.noun(operand, block)) }
    }

    fn missing(&self, operand: &Expr, negated: bool, block: usize) -> Said {
        if let Some(place) = self.bound.column_of(operand).filter(|place| place.block == block)
            && let Some(source) = self.bound.source(place.block, place.source)
            && source.is_nullable
            && source.columns.get(place.column).is_some_and(|it| !it.is_nullable)
        {
            let Called { row, .. } = self.called(place.block, place.source);
            let has = if negated {
                format!("that have {}", with_article(&row))
            } else {
                format!("that have no {row}")
            };
            let clause = if negated {
                format!("there is {}", with_article(&row))
            } else {
                format!("there is no {row}")
            };
            return Said { attach: Some(has), clause };
        }
        let words = self.noun(operand, block);
        let is = if negated { "is given" } else { "is missing" };
        Said::plain(format!("{words} {is}"))
    }
}

/// What LIKE asks for, where the pattern is a plain one.
fn like(pattern: &str, escape: Option<char>, negated: bool) -> Option<String> {
    let mut text = String::new();
    let mut marks = Vec::new();
    let mut characters = pattern.chars();
    let mut at = 0;
    while let Some(character) = characters.next() {
        if Some(character) == escape {
            text.push(characters.next()?);
        } else if character == '_' {
            return None;
        } else if character == '%' {
            marks.push(at);
            continue;
        } else {
            text.push(character);
        }
        at += 1;
    }
    let has = |at: usize| marks.contains(&at);
    if marks.iter().any(|mark| *mark != 0 && *mark != at) {
        return None;
    }
    let not = if negated { "does not " } else { "" };
    let verb = |one: &str, many: &str| if negated { one.to_owned() } else { many.to_owned() };
    Some(match (has(0), has(at)) {
        _ if text.is_empty() && !marks.is_empty() => {
            if negated {
                "is missing".to_owned()
            } else {
                "is given".to_owned()
            }
        }
        (true, true) => format!("{not}{} “{text}”", verb("contain", "contains")),
        (false, true) => format!("{not}{} with “{text}”", verb("start", "starts")),
        (true, false) => format!("{not}{} with “{text}”", verb("end", "ends")),
        (false, false) => {
            format!("is {}“{text}”", if negated { "not " } else { "" })
        }
    })
}
