//! Phrases for comparisons, ranges, patterns and NULL tests.

use super::names::{Called, Teller, done};
use super::range::{End, end, exact, is_value};
use super::said::Said;
use crate::bind::Kind;
use crate::tree::{BinaryOperator, Expr};
use wherefore_english::with_article;

impl Teller<'_> {
    /// A test of a boolean column.
    pub(super) fn flag_said(&self, operand: &Expr, value: bool, block: usize) -> Said {
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

    pub(super) fn comparison(
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
                "{} matches the pattern {}",
                self.noun(left, block),
                self.written(right)
            )),
            Op::NotRegex | Op::NotRegexInsensitive => Said::plain(format!(
                "{} does not match the pattern {}",
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

    /// A range with a lower bound, an upper bound or both.
    pub(super) fn range(
        &self,
        low: Option<&End<'_>>,
        high: Option<&End<'_>>,
        block: usize,
    ) -> Said {
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
            (true, true, true) => "alphabetically at or after",
            (true, false, true) => "alphabetically after",
            (false, true, true) => "alphabetically at or before",
            (false, false, true) => "alphabetically before",
        };
        let value = self.value(first.value, first.operand, block);
        Said::plain(format!("{words} is {how} {value}"))
    }

    /// A condition on a date or timestamp, such as `created in the last 30 days`.
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

    pub(super) fn missing(&self, operand: &Expr, negated: bool, block: usize) -> Said {
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

/// The meaning of a LIKE pattern; `None` unless its only wildcards are `%` at its ends.
pub(super) fn like(pattern: &str, escape: Option<char>, negated: bool) -> Option<String> {
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
