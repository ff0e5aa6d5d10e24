//! Phrases for function calls: aggregates, date parts, and functions with a phrase in the data.

use super::figure::{decimals, is_number};
use super::moment::Unit;
use super::names::Teller;
use super::phrases::{has_phrase, phrase};
use crate::bind::Kind;
use crate::tree::{Argument, BinaryOperator, Expr, FunctionCall, Literal};
use crate::walk::arguments;
use wherefore_english::{name_words, plural};

impl Teller<'_> {
    /// A call as a noun phrase; without a phrase, its SQL.
    pub(super) fn call(&self, call: &FunctionCall, expr: &Expr, block: usize) -> String {
        if call.over.is_some() {
            return self.window(call, expr, block);
        }
        if crate::guard::is_aggregate(call, self.dialect) {
            let figure = self.aggregate(call, expr, block);
            return match &call.filter {
                Some(filter) => format!("{figure} where {}", self.condition(filter, block).clause),
                None => figure,
            };
        }
        let list: Vec<&Expr> = arguments(call).collect();
        match (call.name.as_str(), list.as_slice()) {
            ("coalesce" | "ifnull", [first, rest @ ..]) if !rest.is_empty() => {
                let first = self.noun(first, block);
                let others = rest.iter().map(|it| self.noun(it, block)).collect::<Vec<_>>();
                format!("{first}, or {} where that is missing", others.join(", or "))
            }
            ("nullif", [first, second]) if is_number(second, 0.0) => self.noun(first, block),
            ("nullif", [first, second]) => {
                let (first, second) = (self.noun(first, block), self.noun(second, block));
                format!("{first}, or nothing where it is {second}")
            }
            ("round" | "trunc", [first, Expr::Literal(Literal::Number(digits), _)]) => {
                let how = if call.name == "round" { "rounded" } else { "truncated" };
                match digits.parse() {
                    Ok(digits) => {
                        let of = self.noun(first, block);
                        let comma = if of.contains(" as a ") || of.contains(" divided ") {
                            ","
                        } else {
                            ""
                        };
                        format!("{of}{comma} {how} to {}", decimals(digits))
                    }
                    Err(_) => self.written(expr),
                }
            }
            ("iif", [when, then, otherwise]) => {
                let then = self.noun(then, block);
                let when = self.condition(when, block).clause;
                format!("{then} if {when}, otherwise {}", self.noun(otherwise, block))
            }
            ("greatest", [_, ..]) | ("max", [_, _, ..]) => self.among("largest", &list, block),
            ("least", [_, ..]) | ("min", [_, _, ..]) => self.among("smallest", &list, block),
            ("date_trunc", [Expr::Literal(Literal::String(unit), _), of, ..]) => {
                match Unit::read(unit) {
                    Some(unit) => format!("{} of {}", unit.word(), self.noun(of, block)),
                    None => self.written(expr),
                }
            }
            ("date_part", [Expr::Literal(Literal::String(field), _), of]) => {
                let of = self.noun(of, block);
                self.part_of(&field.to_ascii_lowercase(), &of).unwrap_or_else(|| self.written(expr))
            }
            ("strftime", [Expr::Literal(Literal::String(format), _), of]) => {
                let of = self.noun(of, block);
                strftime(format, &of).unwrap_or_else(|| self.written(expr))
            }
            ("to_char", [of, Expr::Literal(Literal::String(format), _)])
                if self.kind(of).is_some_and(Kind::is_temporal) =>
            {
                let of = self.noun(of, block);
                to_char(format, &of)
            }
            ("date", [of]) => format!("day of {}", self.noun(of, block)),
            ("concat", [_, ..]) => {
                let parts: Vec<String> = list.iter().map(|it| self.noun(it, block)).collect();
                format!("{} joined into one text", wherefore_english::and_list(&parts))
            }
            ("substr" | "substring", [of, start, length]) if is_number(start, 1.0) => {
                let (of, length) = (self.noun(of, block), self.noun(length, block));
                format!("first {length} characters of {of}")
            }
            (name, list) if has_phrase(name, list.len()) => {
                let words: Vec<String> = list.iter().map(|it| self.noun(it, block)).collect();
                phrase(name, &words).unwrap_or_else(|| self.written(expr))
            }
            _ => self.written(expr),
        }
    }

    fn among(&self, which: &str, list: &[&Expr], block: usize) -> String {
        let parts: Vec<String> = list.iter().map(|it| self.noun(it, block)).collect();
        format!("the {which} of {}", wherefore_english::and_list(&parts))
    }

    /// A part of a date.
    pub(super) fn part_of(&self, field: &str, of: &str) -> Option<String> {
        Some(match field {
            "year" | "isoyear" => format!("year of {of}"),
            "month" => format!("number of the month of {of}"),
            "quarter" => format!("number of the quarter of {of}"),
            "week" => format!("number of the week of {of}"),
            "day" => format!("day of the month of {of}"),
            "doy" => format!("day of the year of {of}"),
            "dow" => format!("weekday of {of} (0 is Sunday)"),
            "isodow" => format!("weekday of {of} (1 is Monday)"),
            "hour" | "minute" | "second" | "decade" | "century" => format!("{field} of {of}"),
            "epoch" => format!("seconds of {of}"),
            _ => return None,
        })
    }

    /// An aggregate, ignoring its FILTER.
    fn aggregate(&self, call: &FunctionCall, expr: &Expr, block: usize) -> String {
        let first = arguments(call).next();
        if let Some(figure) = first.and_then(|first| self.conditional(call, first, block)) {
            return figure;
        }
        let of = || first.map_or_else(|| "rows".to_owned(), |first| self.noun(first, block));
        let different = if call.distinct { "different " } else { "" };
        match call.name.as_str() {
            "count" => self.count(call, block),
            "sum" | "total" => total(&of(), different),
            "avg" => format!("average {}", after_word(&of(), first, different)),
            "max" | "min" => {
                let word = match (call.name.as_str(), first.and_then(|first| self.kind(first))) {
                    ("max", Some(Kind::Date | Kind::Timestamp | Kind::Time)) => "latest",
                    ("min", Some(Kind::Date | Kind::Timestamp | Kind::Time)) => "earliest",
                    ("max", Some(Kind::Text)) => "alphabetically last",
                    ("min", Some(Kind::Text)) => "alphabetically first",
                    ("max", _) => "highest",
                    _ => "lowest",
                };
                format!("{word} {}", after_word(&of(), first, ""))
            }
            "median" => format!("median of {}", of()),
            "mode" => match call.within_group.first() {
                Some(item) => format!("most frequent {}", self.noun(&item.expr, block)),
                None => self.written(expr),
            },
            "percentile_cont" | "percentile_disc" => self.percentile(call, expr, block),
            "string_agg" | "group_concat" | "array_agg" | "json_group_array" | "json_agg"
            | "jsonb_agg" => {
                let order = match call.order_by.as_slice() {
                    [] => String::new(),
                    items => format!(" (by {})", self.order(items, block)),
                };
                let items = first.map_or_else(|| "rows".to_owned(), |it| self.plural_of(it, block));
                format!("list of {different}{items}{order}")
            }
            "bool_and" | "every" => format!("whether all have {}", of()),
            "bool_or" => format!("whether any has {}", of()),
            "any_value" => format!("any one {}", of()),
            "stddev" | "stddev_samp" | "stddev_pop" => format!("standard deviation of {}", of()),
            "variance" | "var_samp" | "var_pop" => format!("variance of {}", of()),
            "corr" => match (first, arguments(call).nth(1)) {
                (Some(one), Some(other)) => {
                    let (one, other) = (self.noun(one, block), self.noun(other, block));
                    format!("correlation of {one} and {other}")
                }
                _ => self.written(expr),
            },
            _ => self.written(expr),
        }
    }

    /// `sum(CASE WHEN … THEN 1 ELSE 0 END)` and the like: an aggregate of the rows that meet a condition.
    fn conditional(&self, call: &FunctionCall, first: &Expr, block: usize) -> Option<String> {
        let Expr::Case { operand: None, branches, otherwise } = first else { return None };
        let [(when, then)] = branches.as_slice() else { return None };
        let is_null = matches!(otherwise.as_deref(), None | Some(Expr::Literal(Literal::Null, _)));
        let is_zero = otherwise.as_deref().is_some_and(|it| is_number(it, 0.0));
        let where_so = || self.condition(when, block).clause;
        match call.name.as_str() {
            "sum" | "total" if is_number(then, 1.0) && (is_zero || is_null) && !call.distinct => {
                Some(format!("number of {} where {}", self.counted(block), where_so()))
            }
            "count" if is_null && matches!(then, Expr::Literal(..)) && !call.distinct => {
                Some(format!("number of {} where {}", self.counted(block), where_so()))
            }
            "count" if is_null && call.distinct => {
                let of = self.different(then, block);
                Some(format!("number of different {of} where {}", where_so()))
            }
            "sum" | "total" if is_zero || is_null => {
                let of = total(&self.noun(then, block), "");
                Some(format!("{of} where {}", where_so()))
            }
            "avg" | "min" | "max" if is_null => {
                let word = match call.name.as_str() {
                    "avg" => "average",
                    "max" => "highest",
                    _ => "lowest",
                };
                Some(format!("{word} {} where {}", self.noun(then, block), where_so()))
            }
            _ => None,
        }
    }

    fn count(&self, call: &FunctionCall, block: usize) -> String {
        let counted = match call.arguments.first() {
            Some(Argument::Expr(first)) if call.distinct => {
                return format!("number of different {}", self.different(first, block));
            }
            Some(Argument::Expr(first)) => match self.bound.column_of(first) {
                Some(place) if self.is_key(place) => self.called(place.block, place.source).rows,
                Some(place) if !self.bound.is_nullable(place) => self.counted(block),
                Some(place) if self.is_always_given(place) => {
                    self.called(place.block, place.source).rows
                }
                _ => match first {
                    Expr::Literal(literal, _) if *literal != Literal::Null => self.counted(block),
                    _ => format!("{} with {}", self.counted(block), self.article(first, block)),
                },
            },
            Some(Argument::Star) | None => self.counted(block),
        };
        format!("number of {counted}")
    }

    /// Whether the column is NOT NULL, so that only an outer join can make it NULL.
    fn is_always_given(&self, place: crate::bind::ColumnPlace) -> bool {
        self.bound.source(place.block, place.source).is_some_and(|source| {
            source.table.is_some()
                && source.columns.get(place.column).is_some_and(|column| !column.is_nullable)
        })
    }

    fn article(&self, expr: &Expr, block: usize) -> String {
        wherefore_english::with_article(&self.noun(expr, block))
    }

    /// Phrase for the distinct values of an expression; for a key or foreign key, the rows that it identifies.
    pub(super) fn different(&self, expr: &Expr, block: usize) -> String {
        if let Some(place) = self.bound.column_of(expr)
            && let Some(origin) = self.bound.origin(place)
        {
            if self.is_key(place) {
                return self.called(place.block, place.source).rows;
            }
            let key = origin.table.key();
            let target = self.catalog.foreign_keys.iter().find(|it| {
                it.from_table == key && it.from_columns == [origin.column.name.as_str()]
            });
            let words = name_words(&origin.column.name);
            if let Some(role) = words.strip_suffix(" id").filter(|_| target.is_some()) {
                return plural(role);
            }
            if let Some(table) = target.and_then(|key| self.catalog.table(&key.to_table)) {
                return plural(&name_words(&table.name));
            }
        }
        self.plural_of(expr, block)
    }

    fn plural_of(&self, expr: &Expr, block: usize) -> String {
        let words = self.noun(expr, block);
        match expr {
            Expr::Column { .. } if !words.contains(['`', '“', '\'']) => plural(&words),
            _ => format!("values of {words}"),
        }
    }

    fn percentile(&self, call: &FunctionCall, expr: &Expr, block: usize) -> String {
        let (point, of) = match (call.within_group.first(), call.arguments.as_slice()) {
            (Some(item), [Argument::Expr(point)]) => (point, &item.expr),
            (None, [Argument::Expr(of), Argument::Expr(point)]) => (point, of),
            _ => return self.written(expr),
        };
        let Expr::Literal(Literal::Number(text), _) = point else { return self.written(expr) };
        let Ok(share) = text.parse::<f64>() else { return self.written(expr) };
        let words = self.noun(of, block);
        if (share - 0.5).abs() < f64::EPSILON {
            return format!("median {words}");
        }
        let percent = (share * 10_000.0).round() / 100.0;
        format!("{words} that {percent} % of the values do not exceed")
    }

    /// Plural noun for what one row of a SELECT represents.
    pub(super) fn counted(&self, block: usize) -> String {
        match self.grain(block) {
            Some(source) => self.called(block, source).rows,
            None => self.subject(block).rows,
        }
    }
}

fn total(of: &str, different: &str) -> String {
    let is_plain = !of.contains(['×', '+', '−', '(', ',']) && !of.contains(" divided by ");
    if is_plain && !of.split(' ').any(|word| word == "total" || word == "sum" || word == "of") {
        format!("total {different}{of}")
    } else {
        format!("sum of {different}{of}")
    }
}

fn after_word(of: &str, expr: Option<&Expr>, different: &str) -> String {
    let is_operation = matches!(
        expr,
        Some(Expr::Binary {
            operator: BinaryOperator::Plus
                | BinaryOperator::Minus
                | BinaryOperator::Multiply
                | BinaryOperator::Divide,
            ..
        })
    );
    if is_operation { format!("of {different}{of}") } else { format!("{different}{of}") }
}

/// Date part by SQLite's `strftime` format.
fn strftime(format: &str, of: &str) -> Option<String> {
    Some(match format {
        "%Y" => format!("year of {of}"),
        "%Y-%m" => format!("month of {of}"),
        "%Y-%m-%d" | "%F" => format!("day of {of}"),
        "%m" => format!("number of the month of {of}"),
        "%d" => format!("day of the month of {of}"),
        "%H" => format!("hour of {of}"),
        "%w" => format!("weekday of {of} (0 is Sunday)"),
        "%W" | "%V" | "%U" => format!("number of the week of {of}"),
        "%Y-%W" | "%G-%V" | "%G-W%V" | "%Y-W%W" => format!("week of {of}"),
        "%j" => format!("day of the year of {of}"),
        _ => return None,
    })
}

/// Date part by PostgreSQL's `to_char` format.
fn to_char(format: &str, of: &str) -> String {
    match format {
        "YYYY" | "IYYY" => format!("year of {of}"),
        "YYYY-MM" | "YYYY/MM" | "Mon YYYY" | "Month YYYY" => format!("month of {of}"),
        "YYYY-MM-DD" => format!("day of {of}"),
        "YYYY-\"Q\"Q" | "YYYY-Q" => format!("quarter of {of}"),
        "IYYY-IW" | "IYYY-\"W\"IW" => format!("week of {of}"),
        "Month" | "FMMonth" | "Mon" => format!("name of the month of {of}"),
        "Day" | "FMDay" | "Dy" => format!("name of the weekday of {of}"),
        _ => format!("{of} written as `{format}`"),
    }
}
