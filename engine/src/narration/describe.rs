//! Words for conditions and whole query trees.

use std::fmt::Write;

use wherefore_english::{and_list, capitalised, name_words, plural, singular};

use super::name;
use super::range::range_words;
use crate::catalog::{Catalog, ColumnRef};
use crate::clarification::{ClarificationOption, OptionBinding};
use crate::intent::{
    AgainstMean, Aggregate, ArithmeticOperator, Comparison, Expression, JoinStep, Literal,
    Ordering, Predicate, QueryTree, Selection, TextMatch, TimeGrain, TopOfEach,
};
use crate::text::weekday_words;

/// Says parts of a query tree in words.
#[derive(Debug)]
pub(crate) struct Describer<'a> {
    pub(crate) catalog: &'a Catalog,
}

impl Describer<'_> {
    /// Table of a way whose rows are many for each row of its start; what they refer to is said of them.
    fn related<'b>(&self, joins: &'b [JoinStep]) -> &'b str {
        let many = joins.iter().rev().find(|step| !self.is_to_one(step));
        many.or(joins.last()).map_or("", |step| step.to_table.as_str())
    }

    /// Related rows that must exist or, with `negated`, must not.
    fn related_rows(&self, joins: &[JoinStep], conditions: &[Predicate], negated: bool) -> String {
        if let Some(said) = self.said_of_parent(joins, conditions).filter(|_| !negated) {
            return said;
        }
        let rows = self.rows(self.related(joins));
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" with {}", self.joined(conditions, " and "))
        };
        match joins {
            [step] if step.from_table == step.to_table && self.is_to_one(step) => {
                let column = |name: &String| self.column(&ColumnRef::new(&step.from_table, name));
                let key: Vec<String> = step.from_columns.iter().map(column).collect();
                let refers = if negated { "does not refer" } else { "refers" };
                format!("{} {refers} to {rows}{filter}", key.join(" and "))
            }
            [step] if step.from_table == step.to_table && step.from_columns == step.to_columns => {
                let column = |name: &String| self.column(&ColumnRef::new(&step.from_table, name));
                let shared: Vec<String> = step.from_columns.iter().map(column).collect();
                let is = if negated { "is not that" } else { "is that" };
                format!("{} {is} of {rows}{filter}", shared.join(" and "))
            }
            [step] if step.from_table == step.to_table => {
                let name = step.to_columns.first().map_or("", String::as_str);
                let key = self.column(&ColumnRef::new(&step.to_table, name));
                let key = key.strip_suffix(" id").unwrap_or(&key);
                let some = if negated { "no" } else { "some" };
                format!("{some} {rows}{filter} have it as {key}")
            }
            _ => {
                let same = match joins {
                    [step] => self.same_value(step),
                    _ => String::new(),
                };
                let are = if negated { "are no" } else { "are" };
                format!("there {are} {rows}{filter}{same}")
            }
        }
    }

    /// What rows of two tables have in common that no key links: ` with the same city`.
    fn same_value(&self, step: &JoinStep) -> String {
        let ([from], [to]) = (step.from_columns.as_slice(), step.to_columns.as_slice()) else {
            return String::new();
        };
        let keyed = |table: &str, column: &String| {
            let declared = self.catalog.foreign_keys.iter().any(|key| {
                key.from_table == table && key.from_columns.contains(column)
                    || key.to_table == table && key.to_columns.contains(column)
            });
            declared
                || self
                    .catalog
                    .tables
                    .iter()
                    .any(|known| known.key() == table && known.primary_key.contains(column))
        };
        if from != to || keyed(&step.from_table, from) || keyed(&step.to_table, to) {
            return String::new();
        }
        format!(" with the same {}", name_words(from))
    }

    /// Whether a step follows a foreign key to the row that it refers to.
    fn is_to_one(&self, step: &JoinStep) -> bool {
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == step.from_table
                && key.to_table == step.to_table
                && key.from_columns == step.from_columns
        })
    }

    /// What a query tree asks for, part by part: what is shown, groups, conditions, order.
    pub(crate) fn parts(&self, tree: &QueryTree) -> Vec<String> {
        let mut parts = vec![self.shown(tree)];
        let groups = self.shown_groups(tree);
        if !groups.is_empty() {
            parts.push(format!("for each {}", and_list(&groups)));
        }
        parts.extend(tree.filters.iter().map(|predicate| self.predicate(predicate)));
        parts.extend(tree.having.iter().map(|predicate| self.group_condition(tree, predicate)));
        parts.extend(tree.against_mean.as_ref().map(|mean| self.against_mean(tree, mean)));
        parts.extend(self.ranked(tree));
        parts
    }

    /// The rows at one end of an order, or the order alone where somebody asked for it.
    fn ranked(&self, tree: &QueryTree) -> Option<String> {
        let order = tree.order_by.first()?;
        if tree.over_groups.is_some() {
            return None;
        }
        if let Some(top) = &tree.top {
            return Some(self.first_of_each(tree, top));
        }
        let shown = tree.select.iter().find(|item| item.expression == order.expression);
        let key = self.named(shown.and_then(|item| item.alias.as_deref()), &order.expression);
        let end = if order.descending { "highest" } else { "lowest" };
        match tree.limit {
            Some(1) => Some(format!("the one with the {end} {key}")),
            Some(limit) => Some(format!("the {limit} with the {end} {key}")),
            None if self.is_key(&order.expression) => None,
            None if matches!(order.expression, Expression::Period { .. }) => None,
            None => Some(self.order(tree, order)),
        }
    }

    /// An order: `highest revenue first`.
    pub(crate) fn order(&self, tree: &QueryTree, order: &Ordering) -> String {
        let shown = tree.select.iter().find(|item| item.expression == order.expression);
        let key = self.named(shown.and_then(|item| item.alias.as_deref()), &order.expression);
        let end = if order.descending { "highest" } else { "lowest" };
        format!("{end} {key} first")
    }

    /// The first rows of each group: `the 3 with the highest revenue of each category`.
    pub(crate) fn first_of_each(&self, tree: &QueryTree, top: &TopOfEach) -> String {
        let partition = QueryTree { group_by: top.partition.clone(), ..QueryTree::default() };
        let groups = and_list(&self.groups(&partition));
        let rows = match top.count {
            1 => "the one".to_owned(),
            count => format!("the {count}"),
        };
        let of_each = if top.partition.is_empty() {
            format!(" of all {}", self.rows(&tree.from))
        } else {
            format!(" of each {groups}")
        };
        let Some(order) = tree.order_by.first() else { return format!("{rows}{of_each}") };
        let shown = tree.select.iter().find(|item| item.expression == order.expression);
        let key = self.named(shown.and_then(|item| item.alias.as_deref()), &order.expression);
        let end = if order.descending { "highest" } else { "lowest" };
        format!("{rows} with the {end} {key}{of_each}")
    }

    /// One sentence for a whole query tree.
    pub(crate) fn sentence(&self, tree: &QueryTree) -> String {
        let shown = self.shown(tree);
        let mut sentence = capitalised(&shown);
        let groups = self.shown_groups(tree);
        if !groups.is_empty() && tree.select.iter().any(|item| item.expression.is_aggregate()) {
            let _ = write!(sentence, " for each {}", and_list(&groups));
        }
        let several = tree.filters.len() + tree.having.len() > 1;
        let conditions: Vec<String> = tree
            .filters
            .iter()
            .map(|predicate| self.one_of(predicate, several))
            .chain(tree.having.iter().map(|predicate| self.group_condition(tree, predicate)))
            .chain(tree.against_mean.as_ref().map(|mean| self.against_mean(tree, mean)))
            .collect();
        if !conditions.is_empty() {
            let _ = write!(sentence, ", where {}", conditions.join(" and "));
        }
        if let Some(top) = &tree.top {
            let _ = write!(sentence, ": {}", self.first_of_each(tree, top));
        }
        if let (Some(order), Some(limit)) = (tree.order_by.first(), tree.limit) {
            let shown = tree.select.iter().find(|item| item.expression == order.expression);
            let key = self.named(shown.and_then(|item| item.alias.as_deref()), &order.expression);
            let end = if order.descending { "highest" } else { "lowest" };
            let rows = if limit == 1 { "the one".to_owned() } else { format!("the {limit}") };
            let _ = write!(sentence, ": {rows} with the {end} {key}");
        }
        let listed = tree.group_by.is_empty() && tree.limit.is_none() && !tree.distinct;
        if listed && let Some(order) = self.ranked(tree).filter(|_| tree.top.is_none()) {
            let _ = write!(sentence, ": {order}");
        }
        sentence.push('.');
        for further in &tree.also {
            let _ = write!(sentence, " And: {}", self.sentence(further));
        }
        sentence
    }

    /// An output column in words.
    pub(crate) fn shown_item(&self, tree: &QueryTree, item: &Selection) -> String {
        let rows = self.rows(&tree.from);
        if let Expression::Partial { aggregate, conditions } = &item.expression {
            // "revenue in 2025": the name of a figure of one period ends with the period.
            if let ([Predicate::InRange { range, .. }], Some(alias)) =
                (conditions.as_slice(), &item.alias)
                && let Some(year) = range.start.as_ref().and_then(|start| start.get(..4))
                && let Some(end) = alias.rfind(&format!("_{year}"))
            {
                return format!("{} {}", name_words(&alias[..end]), range_words(range));
            }
            return self.partial(aggregate, conditions, &rows);
        }
        self.share(&item.expression, &rows)
            .unwrap_or_else(|| self.named(item.alias.as_deref(), &item.expression))
    }

    /// A comparison of groups with a mean: `total spent is above the average of all customers`.
    pub(crate) fn against_mean(&self, tree: &QueryTree, mean: &AgainstMean) -> String {
        let shown = tree.select.iter().find(|item| item.expression == mean.aggregate);
        let figure = self.named(shown.and_then(|item| item.alias.as_deref()), &mean.aggregate);
        let of = if mean.is_of_groups() {
            let groups: Vec<String> = self.groups(tree).iter().map(|group| plural(group)).collect();
            and_list(&groups)
        } else {
            self.rows(&tree.from)
        };
        format!("{figure} is {} the average of all {of}", beside_figure(mean.operator))
    }

    /// All that is shown, in words.
    pub(crate) fn shown(&self, tree: &QueryTree) -> String {
        let aggregates: Vec<String> = tree
            .select
            .iter()
            .filter(|item| item.expression.is_aggregate())
            .map(|item| self.shown_item(tree, item))
            .collect();
        if let Some(over) = &tree.over_groups {
            let inner = QueryTree {
                group_by: tree
                    .group_by
                    .iter()
                    .filter(|key| !over.by.contains(key))
                    .cloned()
                    .collect(),
                ..QueryTree::default()
            };
            let figure = function_words(over.function);
            let groups: Vec<String> =
                self.groups(&inner).iter().map(|group| plural(group)).collect();
            if over.function == Aggregate::Count {
                return format!("number of {}", and_list(&groups));
            }
            return format!("{figure} over {} of the {}", and_list(&groups), and_list(&aggregates));
        }
        if !aggregates.is_empty() {
            return and_list(&aggregates);
        }
        let rows = self.rows(&tree.from);
        let plain: Vec<String> =
            tree.select.iter().map(|item| self.expression(&item.expression)).collect();
        let twice = |words: &String| plain.iter().filter(|other| *other == words).count() > 1;
        let column = |(item, words): (&Selection, &String)| match &item.expression {
            // "Customer first name and employee first name".
            Expression::Column { column } if twice(words) => {
                format!("{} {words}", singular(&self.rows(&column.table)))
            }
            _ => words.clone(),
        };
        let columns: Vec<String> = tree.select.iter().zip(&plain).map(column).collect();
        let different = if tree.distinct { "different " } else { "" };
        match columns.len() {
            1..=4 => format!("{different}{} of {rows}", and_list(&columns)),
            _ => rows,
        }
    }

    /// An aggregate by the name of its output column, anything else in words.
    pub(super) fn named(&self, alias: Option<&str>, expression: &Expression) -> String {
        match alias {
            Some(alias) if matches!(expression, Expression::Aggregate { .. }) => name_words(alias),
            _ => self.expression(expression),
        }
    }

    /// Whether an expression is a column of a primary key.
    pub(crate) fn is_key(&self, expression: &Expression) -> bool {
        match expression {
            Expression::Column { column } => self
                .catalog
                .table(&column.table)
                .is_some_and(|table| table.primary_key.contains(&column.column)),
            _ => false,
        }
    }

    /// What output rows stand for, in words.
    fn shown_groups(&self, tree: &QueryTree) -> Vec<String> {
        match &tree.over_groups {
            Some(over) => {
                let by = QueryTree { group_by: over.by.clone(), ..QueryTree::default() };
                self.groups(&by)
            }
            None => self.groups(tree),
        }
    }

    /// What a tree is grouped by, in words.
    pub(crate) fn groups(&self, tree: &QueryTree) -> Vec<String> {
        let mut groups: Vec<String> = Vec::new();
        let mut keyed: Vec<&str> = Vec::new();
        for expression in &tree.group_by {
            match expression {
                Expression::Column { column } if self.is_key(expression) => {
                    keyed.push(&column.table);
                    groups.push(name::row(self.catalog, &column.table));
                }
                Expression::Column { column } if keyed.contains(&column.table.as_str()) => {}
                other => groups.push(self.expression(other)),
            }
        }
        groups
    }

    /// Rows of a table, in the plural.
    pub(crate) fn rows(&self, key: &str) -> String {
        name::rows(self.catalog, key)
    }

    /// An expression in words.
    pub(crate) fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Aggregate { function, argument, distinct } => {
                let of = argument
                    .as_ref()
                    .map_or_else(|| "rows".to_owned(), |argument| self.expression(argument));
                match (function, distinct) {
                    (Aggregate::Count, true) => format!("number of different {of} values"),
                    (Aggregate::Count, false) => format!("number of {of}"),
                    (Aggregate::Sum, _) if of.split(' ').any(|word| word == "total") => {
                        format!("sum of {of}")
                    }
                    (Aggregate::Sum, _) => format!("total {of}"),
                    (Aggregate::Average, _) => format!("average {of}"),
                    (Aggregate::Maximum, _) => format!("highest {of}"),
                    (Aggregate::Median, _) => format!("median {of}"),
                    (Aggregate::Minimum, _) => format!("lowest {of}"),
                }
            }
            Expression::Arithmetic { operator, left, right } => {
                let sign = match operator {
                    ArithmeticOperator::Divide => "÷",
                    ArithmeticOperator::Minus => "−",
                    ArithmeticOperator::Multiply => "×",
                    ArithmeticOperator::Plus => "+",
                };
                let inner = |expression: &Expression| match expression {
                    Expression::Arithmetic {
                        operator: ArithmeticOperator::Minus | ArithmeticOperator::Plus,
                        ..
                    } => format!("({})", self.expression(expression)),
                    _ => self.expression(expression),
                };
                format!("{} {sign} {}", inner(left), inner(right))
            }
            Expression::Column { column } => self.column(column),
            Expression::Age { .. } => "age".to_owned(),
            Expression::Days { from, to } => {
                format!("days from {} to {}", self.column(from), self.column(to))
            }
            Expression::Number { value } => value.clone(),
            Expression::Period { grain, .. } => grain_words(*grain).to_owned(),
            Expression::Related { joins, column } => {
                format!("{}{}", self.column(column), self.owner(joins))
            }
            Expression::Growth { period, .. } => {
                format!(
                    "growth in percent from {} to {}",
                    self.expression(period),
                    self.expression(period)
                )
            }
            Expression::Partial { aggregate, conditions } => {
                self.partial(aggregate, conditions, "rows")
            }
            Expression::Share { .. } | Expression::ShareOfTotal { .. } => {
                self.share(expression, "rows").unwrap_or_default()
            }
        }
    }

    /// A share in words: `percentage of orders where status is “open”`.
    fn share(&self, expression: &Expression, rows: &str) -> Option<String> {
        let (aggregate, conditions) = match expression {
            Expression::Share { aggregate, conditions } => (aggregate, conditions.as_slice()),
            Expression::ShareOfTotal { aggregate } => (aggregate, &[][..]),
            _ => return None,
        };
        let whole = match aggregate.as_ref() {
            Expression::Aggregate { function: Aggregate::Count, argument: None, .. } => {
                rows.to_owned()
            }
            other => format!("the {}", self.expression(other)),
        };
        Some(match conditions {
            [] => format!("percentage of {whole}"),
            conditions => {
                format!("percentage of {whole} where {}", self.joined(conditions, " and "))
            }
        })
    }

    /// A figure of a part of the rows in words: `number of orders where status is “open”`.
    fn partial(&self, aggregate: &Expression, conditions: &[Predicate], rows: &str) -> String {
        let whole = match aggregate {
            Expression::Aggregate { function: Aggregate::Count, argument: None, .. } => {
                format!("number of {rows}")
            }
            other => self.expression(other),
        };
        format!("{whole} where {}", self.joined(conditions, " and "))
    }

    fn column(&self, column: &ColumnRef) -> String {
        name::column(self.catalog, column)
    }

    /// Meaning of a decision, shown with the phrase it was made for; `option` is what was chosen, if it was offered.
    pub(crate) fn meaning(
        &self,
        binding: &OptionBinding,
        option: Option<&ClarificationOption>,
    ) -> String {
        match (binding, option) {
            (OptionBinding::Value { column, value }, _) => {
                let (column, values) = (column.clone(), vec![value.clone()]);
                self.predicate(&Predicate::OneOf { column, values })
            }
            (OptionBinding::Parameter { parameter, value, .. }, _) => {
                let name = name_words(parameter);
                if value.starts_with(|first: char| first.is_ascii_digit()) {
                    format!("{name} is {value}")
                } else {
                    format!("{name} is “{value}”")
                }
            }
            (OptionBinding::Ignore, Some(option)) if option.label.starts_with("leave ") => {
                "left out".to_owned()
            }
            (_, Some(option)) => option.label.clone(),
            (OptionBinding::TimeRange { range, .. }, None) => range_words(range),
            (OptionBinding::Predicate { predicate }, None) => self.predicate(predicate),
            (OptionBinding::Table { table }, None) => name::rows(self.catalog, table),
            (_, None) => "as entered".to_owned(),
        }
    }

    /// Meaning of a word that denies a value, as "unpaid" does.
    pub(crate) fn denied(&self, column: &ColumnRef, value: &str) -> String {
        format!("{} is not “{value}”", self.column(column))
    }

    /// A condition in words.
    pub(crate) fn predicate(&self, predicate: &Predicate) -> String {
        match predicate {
            Predicate::AgainstColumn { column, operator, joins, other } => {
                self.against_column(column, *operator, joins, other)
            }
            Predicate::AgainstFigure { column, operator, function, conditions, same } => {
                let rows = self.rows_of_figure(column, conditions, same);
                if *operator == Comparison::Equal && rows.is_empty() {
                    let (column, all) = (self.column(column), self.rows(&column.table));
                    return format!("{column} is the {} of all {all}", function_words(*function));
                }
                format!(
                    "{} is {} the {}{rows}",
                    self.column(column),
                    beside_figure(*operator),
                    function_words(*function)
                )
            }
            Predicate::All { conditions } => match middle(conditions) {
                Some((column, percent)) => {
                    format!("{} is among the middle {percent} %", self.column(column))
                }
                None => self.joined(conditions, " and "),
            },
            Predicate::Any { conditions } => self.joined(conditions, " or "),
            Predicate::Compare { left, operator, right } => self.compared(left, *operator, right),
            Predicate::Exists { joins, conditions, negated } => {
                self.related_rows(joins, conditions, *negated)
            }
            Predicate::AmongGroups { aggregate, percent, highest } => {
                self.among_all(aggregate, *percent, *highest)
            }
            Predicate::Extreme { column, percent, highest } => {
                let end = if *highest { "highest" } else { "lowest" };
                format!("{} is among the {end} {percent} %", self.column(column))
            }
            Predicate::InRange { column, range } => {
                format!("{} is {}", self.column(column), range_words(range))
            }
            Predicate::IsNull { column, negated } => {
                format!(
                    "{} is {}",
                    self.column(column),
                    if *negated { "filled in" } else { "empty" }
                )
            }
            Predicate::Not { condition } => match condition.as_ref() {
                Predicate::OneOf { column, values } if values.len() == 1 => {
                    format!("{} is not “{}”", self.column(column), values[0])
                }
                Predicate::Exists { joins, conditions, negated } => {
                    self.related_rows(joins, conditions, !negated)
                }
                Predicate::InRange { column, range } => {
                    format!("{} is not {}", self.column(column), range_words(range))
                }
                Predicate::Compare {
                    left: Expression::Column { column },
                    operator: Comparison::Equal,
                    right: Literal::Boolean { value },
                } => self.flag(column, !value),
                Predicate::Compare { left: Expression::Column { .. }, .. } => {
                    self.predicate(condition).replacen(" is ", " is not ", 1)
                }
                condition => format!("not ({})", self.predicate(condition)),
            },
            Predicate::OneOf { column, values } => {
                let quoted: Vec<String> = values.iter().map(|value| format!("“{value}”")).collect();
                format!("{} is {}", self.column(column), quoted.join(" or "))
            }
            Predicate::RelatedCount { joins, conditions, operator, value, distinct } => {
                let rows = joins.last().map_or_else(String::new, |step| self.rows(&step.to_table));
                let rows = if distinct.is_some() { format!("different {rows}") } else { rows };
                let filter = if conditions.is_empty() {
                    String::new()
                } else {
                    format!(" with {}", self.said_of_each(conditions))
                };
                format!("the number of {rows}{filter} {} {value}", comparison_words(*operator))
            }
            Predicate::RelatedToAll { key, conditions, .. } => {
                let filter = if conditions.is_empty() {
                    String::new()
                } else {
                    format!(" with {}", self.joined(conditions, " and "))
                };
                format!("all {}{filter} have them", self.rows(&key.table))
            }
            Predicate::Text { column, matching, text } => {
                let how = match matching {
                    TextMatch::Contains => "contains",
                    TextMatch::EndsWith => "ends with",
                    TextMatch::StartsWith => "starts with",
                };
                format!("{} {how} “{text}”", self.column(column))
            }
        }
    }

    /// The row that joins lead to, as the owner of a column: ` of the manager`.
    fn owner(&self, joins: &[JoinStep]) -> String {
        match joins {
            [step] if step.from_table == step.to_table => {
                let key = step.from_columns.first().map_or("", String::as_str);
                let key = self.column(&ColumnRef::new(&step.from_table, key));
                let key = key.strip_suffix(" id").unwrap_or(&key);
                format!(" of the {key}")
            }
            [.., step] => format!(" of the {}", name::row(self.catalog, &step.to_table)),
            [] => String::new(),
        }
    }

    /// A comparison of two columns: `salary is more than salary of the manager`.
    fn against_column(
        &self,
        column: &ColumnRef,
        operator: Comparison,
        joins: &[JoinStep],
        other: &ColumnRef,
    ) -> String {
        let whose = self.owner(joins);
        let dates = self.catalog.column(column);
        let dates = dates.is_some_and(|column| column.data_type.is_temporal());
        let how = match operator {
            Comparison::Greater if dates => "after",
            Comparison::Less if dates => "before",
            Comparison::Equal => "equal to",
            Comparison::NotEqual => "other than",
            _ => comparison_words(operator).trim_start_matches("is "),
        };
        format!("{} is {how} {}{whose}", self.column(column), self.column(other))
    }

    /// A flag in words: `active is yes` for a column `is_active`.
    fn flag(&self, column: &ColumnRef, value: bool) -> String {
        let words = self.column(column);
        let words = words.strip_prefix("is ").unwrap_or(&words);
        format!("{words} is {}", if value { "yes" } else { "no" })
    }

    /// Rows that a figure is computed of, where these are not all.
    fn rows_of_figure(
        &self,
        column: &ColumnRef,
        conditions: &[Predicate],
        same: &[ColumnRef],
    ) -> String {
        let rows = self.rows(&column.table);
        if !same.is_empty() {
            let shared: Vec<String> = same.iter().map(|same| self.column(same)).collect();
            return format!(" of the {rows} with the same {}", and_list(&shared));
        }
        if conditions.is_empty() {
            return String::new();
        }
        format!(" of the {rows} where {}", self.joined(conditions, " and "))
    }

    /// An expression compared with a literal.
    fn compared(&self, left: &Expression, operator: Comparison, right: &Literal) -> String {
        let is_zero = matches!(right, Literal::Number { value } if value == "0");
        let is_one = matches!(right, Literal::Number { value } if value == "1");
        match (left, operator, right) {
            (Expression::Days { from, to }, Comparison::Greater, _) if is_zero => {
                format!("{} is after {}", self.column(to), self.column(from))
            }
            (Expression::Days { from, to }, Comparison::LessOrEqual, _) if is_zero => {
                format!("{} is not after {}", self.column(to), self.column(from))
            }
            (Expression::Days { from, to }, Comparison::Less, _) if is_one => {
                format!("{} is on no later day than {}", self.column(to), self.column(from))
            }
            (Expression::Days { from, to }, Comparison::GreaterOrEqual, _) if is_one => {
                format!("{} is on a later day than {}", self.column(to), self.column(from))
            }
            (Expression::Column { column }, Comparison::Equal, Literal::Boolean { value }) => {
                self.flag(column, *value)
            }
            (
                Expression::Period { column, grain: TimeGrain::DayOfWeek },
                _,
                Literal::Text { value },
            ) => {
                let days = (1..=7).filter(|day: &u8| {
                    let day = day.to_string();
                    match operator {
                        Comparison::GreaterOrEqual => day >= *value,
                        Comparison::LessOrEqual => day <= *value,
                        _ => day == *value,
                    }
                });
                let days = days.fold(0, |days, day| days | 1 << (day - 1));
                format!("{} is {}", self.column(column), weekday_words(days))
            }
            (
                Expression::Arithmetic { operator: ArithmeticOperator::Minus, left, right },
                _,
                Literal::Number { .. },
            ) if is_zero => {
                let (one, other) = (self.expression(left), self.expression(right));
                format!("{one} {} {other}", comparison_words(operator))
            }
            _ => format!(
                "{} {} {}",
                self.expression(left),
                comparison_words(operator),
                literal_words(right)
            ),
        }
    }

    /// Conditions on the row that another refers to: `the shipper’s company name is “Speedy”`; none where several rows
    /// are meant.
    fn said_of_parent(&self, joins: &[JoinStep], conditions: &[Predicate]) -> Option<String> {
        let last = joins.last()?;
        let other =
            joins.iter().all(|step| self.is_to_one(step) && step.from_table != step.to_table);
        if !other || conditions.is_empty() {
            return None;
        }
        let row = name::row(self.catalog, &last.to_table);
        let said = self.joined(conditions, " and ");
        Some(if said.starts_with(&row) { said } else { format!("the {row}’s {said}") })
    }

    /// Conditions on rows that are counted; what they refer to is told by what is said of it.
    fn said_of_each(&self, conditions: &[Predicate]) -> String {
        let said = conditions.iter().map(|condition| match condition {
            Predicate::Exists { joins, conditions, negated: false } if !conditions.is_empty() => {
                self.said_of_parent(joins, conditions).unwrap_or_else(|| self.predicate(condition))
            }
            other => self.predicate(other),
        });
        said.collect::<Vec<_>>().join(" and ")
    }

    /// A condition, in words that keep alternatives apart from the conditions beside them.
    fn one_of(&self, predicate: &Predicate, several: bool) -> String {
        let said = self.predicate(predicate);
        match predicate {
            Predicate::Any { conditions } if several && conditions.len() > 1 => {
                format!("either {said}")
            }
            _ => said,
        }
    }

    fn joined(&self, conditions: &[Predicate], word: &str) -> String {
        conditions.iter().map(|condition| self.predicate(condition)).collect::<Vec<_>>().join(word)
    }
}

/// A comparison in words.
fn comparison_words(operator: Comparison) -> &'static str {
    match operator {
        Comparison::Equal => "is",
        Comparison::Greater => "is more than",
        Comparison::GreaterOrEqual => "is at least",
        Comparison::Less => "is less than",
        Comparison::LessOrEqual => "is at most",
        Comparison::NotEqual => "is not",
    }
}

fn beside_figure(operator: Comparison) -> &'static str {
    match operator {
        Comparison::Equal => "equal to",
        Comparison::Greater => "above",
        Comparison::GreaterOrEqual => "at least",
        Comparison::Less => "below",
        Comparison::LessOrEqual => "at most",
        Comparison::NotEqual => "other than",
    }
}

fn literal_words(literal: &Literal) -> String {
    match literal {
        Literal::Boolean { value } => if *value { "yes" } else { "no" }.to_owned(),
        Literal::Date { value } | Literal::Number { value } => value.clone(),
        Literal::Text { value } => format!("“{value}”"),
    }
}

/// A period's name.
pub(crate) fn grain_words(grain: TimeGrain) -> &'static str {
    match grain {
        TimeGrain::Day => "day",
        TimeGrain::Week => "week",
        TimeGrain::Month => "month",
        TimeGrain::Quarter => "quarter",
        TimeGrain::Year => "year",
        TimeGrain::DayOfWeek => "day of the week",
        TimeGrain::HourOfDay => "hour of the day",
        TimeGrain::MonthOfYear => "calendar month",
    }
}

/// Name of an aggregate function in a word.
pub(crate) fn function_words(function: Aggregate) -> &'static str {
    match function {
        Aggregate::Average => "average",
        Aggregate::Count => "number",
        Aggregate::Maximum => "highest",
        Aggregate::Median => "median",
        Aggregate::Minimum => "lowest",
        Aggregate::Sum => "sum",
    }
}

/// The column and the percentage of rows around its median, where two conditions leave out as many on both ends.
fn middle(conditions: &[Predicate]) -> Option<(&ColumnRef, u8)> {
    match conditions {
        [one, other] => match (outside(one)?, outside(other)?) {
            ((column, percent, true), (same, lowest, false))
                if column == same && percent == lowest =>
            {
                Some((column, 100 - 2 * percent))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Column, percentage and end of the rows that a condition leaves out.
fn outside(condition: &Predicate) -> Option<(&ColumnRef, u8, bool)> {
    match condition {
        Predicate::Not { condition } => match condition.as_ref() {
            Predicate::Extreme { column, percent, highest } => Some((column, *percent, *highest)),
            _ => None,
        },
        _ => None,
    }
}
