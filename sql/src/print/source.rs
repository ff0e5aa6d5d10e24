//! Printing of FROM: sources and joins.

use crate::tree::{
    Body, FromItem, FunctionCall, Identifier, Join, JoinCondition, JoinKind, Query, Source,
};

use super::layout::break_line;
use super::{Printer, TRANSPILES, Target, Text};

impl Printer {
    /// `FROM …`, with one join per line.
    pub(super) fn sources(self, items: &[FromItem], indent: usize) -> Text {
        let items: Vec<String> = items
            .iter()
            .map(|item| self.source_with_joins(item, indent))
            .collect::<Result<_, _>>()?;
        Ok(format!("FROM {}", items.join(&format!(",{}", break_line(indent + 2)))))
    }

    /// A source and the joins that follow it.
    pub(super) fn source_with_joins(self, item: &FromItem, indent: usize) -> Text {
        let mut text = self.source(&item.source, indent)?;
        for join in &item.joins {
            text.push_str(&break_line(indent + 2));
            text.push_str(&self.join(join, indent + 2)?);
        }
        Ok(text)
    }

    fn join(self, join: &Join, indent: usize) -> Text {
        if TRANSPILES
            && let Some(text) = self.apply(join.kind, &join.source, &join.condition, indent)?
        {
            return Ok(text);
        }
        let natural = if join.condition == JoinCondition::Natural { "NATURAL " } else { "" };
        let source = self.source(&join.source, indent)?;
        let text = format!("{natural}{} {source}", join_keyword(join.kind));
        match &join.condition {
            JoinCondition::None if join.kind == JoinKind::Cross => Ok(text),
            JoinCondition::None => self.refuse("a join without a condition"),
            _ if join.kind == JoinKind::Cross => self.refuse("a cross join with a condition"),
            JoinCondition::Natural => Ok(text),
            JoinCondition::On(condition) => {
                Ok(format!("{text} ON {}", self.conjunction(condition, indent)?))
            }
            JoinCondition::Using(columns) if columns.is_empty() => {
                self.refuse("USING without a column")
            }
            JoinCondition::Foreign(foreign) => {
                Ok(format!("{text} {}", self.foreign(foreign, indent)?))
            }
            JoinCondition::Using(columns) => Ok(format!("{text} USING ({})", self.names(columns)?)),
        }
    }

    pub(super) fn source(self, source: &Source, indent: usize) -> Text {
        self.check_spark_source(source)?;
        match source {
            Source::Table { schema, name, alias } => {
                let name = self.name(name)?;
                let name = match schema {
                    Some(schema) => format!("{}.{name}", self.name(schema)?),
                    None => name,
                };
                self.aliased(name, alias.as_ref())
            }
            Source::Derived { query, alias, columns, lateral } => {
                self.derived(query, alias.as_ref(), columns, *lateral, indent)
            }
            Source::Function { call, alias, columns } => {
                self.table_function(call, alias.as_ref(), columns, indent)
            }
            Source::Foreign(foreign) => self.foreign(foreign, indent),
        }
    }

    fn derived(
        self,
        query: &Query,
        alias: Option<&Identifier>,
        columns: &[Identifier],
        lateral: bool,
        indent: usize,
    ) -> Text {
        let prefix = if lateral {
            self.postgres_only("LATERAL")?;
            if self.target != Target::Postgres && !self.is_duckdb() {
                return self.refuse("LATERAL");
            }
            "LATERAL "
        } else {
            ""
        };
        if columns.is_empty() {
            return self.aliased(format!("{prefix}{}", self.parenthesised(query, indent)?), alias);
        }
        if self.is_sqlite() {
            return self.aliased(self.renamed_values(query, columns, indent)?, alias);
        }
        let Some(alias) = alias else { return self.refuse("a column list without an alias") };
        if matches!(self.target, Target::Bigquery | Target::Mysql) {
            return self.refuse("a column list on a subquery");
        }
        Ok(format!(
            "{prefix}{} AS {} ({})",
            self.parenthesised(query, indent)?,
            self.name(alias)?,
            self.names(columns)?
        ))
    }

    /// A VALUES list with column names, which SQLite cannot give in an alias: it names them `column1` and so on.
    fn renamed_values(self, query: &Query, columns: &[Identifier], indent: usize) -> Text {
        if !matches!(query.body, Body::Values(_)) {
            return self.refuse("a column list on a subquery");
        }
        let items: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(index, column)| Ok(format!("column{} AS {}", index + 1, self.name(column)?)))
            .collect::<Result<_, _>>()?;
        let values = self.parenthesised(query, indent + 2)?;
        let inner = format!("SELECT {}{}FROM {values}", items.join(", "), break_line(indent + 2));
        Ok(format!("({}{inner}{})", break_line(indent + 2), break_line(indent)))
    }

    fn table_function(
        self,
        call: &FunctionCall,
        alias: Option<&Identifier>,
        columns: &[Identifier],
        indent: usize,
    ) -> Text {
        let text = self.call(call, indent)?;
        if columns.is_empty() {
            return self.aliased(text, alias);
        }
        self.postgres_only("a column list on a table function")?;
        let Some(alias) = alias else { return self.refuse("a column list without an alias") };
        Ok(format!("{text} AS {} ({})", self.name(alias)?, self.names(columns)?))
    }

    fn aliased(self, text: String, alias: Option<&Identifier>) -> Text {
        match alias {
            Some(alias) => Ok(format!("{text} AS {}", self.name(alias)?)),
            None => Ok(text),
        }
    }
}

fn join_keyword(kind: JoinKind) -> &'static str {
    match kind {
        JoinKind::Cross => "CROSS JOIN",
        JoinKind::Full => "FULL JOIN",
        JoinKind::Inner => "JOIN",
        JoinKind::Left => "LEFT JOIN",
        JoinKind::Right => "RIGHT JOIN",
    }
}
