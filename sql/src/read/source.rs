//! Conversion of FROM: tables, subqueries, table functions and joins.

use sqlparser::ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::tree::{
    Argument, FromItem, FunctionCall, Identifier, Join, JoinCondition, JoinKind, Source, SqlSpan,
};

use super::dialect::ReadDialect;
use super::{Converted, Reader, absent, unsupported};

impl Reader<'_> {
    pub(super) fn from(&mut self, items: Vec<ast::TableWithJoins>) -> Converted<Vec<FromItem>> {
        items
            .into_iter()
            .map(|ast::TableWithJoins { relation, joins }| {
                let source = self.source(relation)?;
                let joins = joins
                    .into_iter()
                    .filter_map(|join| self.join(join).transpose())
                    .collect::<Converted<Vec<Join>>>()?;
                Ok(FromItem { source, joins })
            })
            .collect()
    }

    /// Name and column names of an alias.
    pub(super) fn alias(&self, alias: ast::TableAlias) -> Converted<(Identifier, Vec<Identifier>)> {
        let ast::TableAlias { explicit: _, name, columns, at } = alias;
        absent(at.is_none(), "AT after an alias")?;
        let columns = columns
            .into_iter()
            .map(|ast::TableAliasColumnDef { name, data_type }| {
                absent(data_type.is_none(), "column types after an alias")?;
                self.identifier(name)
            })
            .collect::<Converted<Vec<Identifier>>>()?;
        Ok((self.identifier(name)?, columns))
    }

    fn optional_alias(
        &self,
        alias: Option<ast::TableAlias>,
    ) -> Converted<(Option<Identifier>, Vec<Identifier>)> {
        match alias {
            Some(alias) => self.alias(alias).map(|(name, columns)| (Some(name), columns)),
            None => Ok((None, Vec::new())),
        }
    }

    pub(super) fn source(&mut self, factor: ast::TableFactor) -> Converted<Source> {
        match factor {
            table @ ast::TableFactor::Table { .. } => self.table(table),
            ast::TableFactor::Derived { lateral, subquery, alias, sample } => {
                absent(sample.is_none(), "TABLESAMPLE")?;
                let (alias, columns) = self.optional_alias(alias)?;
                let query = Box::new(self.query(*subquery)?);
                Ok(Source::Derived { query, alias, columns, lateral })
            }
            ast::TableFactor::Function { lateral, name, args, with_ordinality, alias } => {
                let parts = self.parts(name)?;
                // LATERAL before a function is a noise word.
                self.table_function(lateral, parts, args, with_ordinality, alias)
            }
            ast::TableFactor::UNNEST {
                alias,
                array_exprs,
                with_offset,
                with_offset_alias,
                with_ordinality,
            } => {
                let plain = !with_offset && with_offset_alias.is_none();
                absent(plain, "WITH OFFSET or WITH ORDINALITY")?;
                let arguments: Vec<Argument> =
                    self.exprs(array_exprs)?.into_iter().map(Argument::Expr).collect();
                if with_ordinality || Self::is_foreign_alias(alias.as_ref()) {
                    let fault = unsupported("WITH OFFSET or WITH ORDINALITY", SqlSpan::default());
                    let names =
                        vec![Identifier { name: "unnest".to_owned(), ..Identifier::default() }];
                    return self.foreign_table_function(
                        self.keep(fault)?,
                        false,
                        names,
                        arguments,
                        with_ordinality,
                        alias,
                    );
                }
                let (alias, columns) = self.optional_alias(alias)?;
                Ok(Source::Function {
                    call: FunctionCall::new("unnest", arguments),
                    alias,
                    columns,
                })
            }
            ast::TableFactor::NestedJoin { table_with_joins, alias } => {
                self.nested_join(*table_with_joins, alias)
            }
            other => Err(unsupported(factor_name(&other), SqlSpan::default())),
        }
    }

    fn table(&mut self, factor: ast::TableFactor) -> Converted<Source> {
        let ast::TableFactor::Table {
            name,
            alias,
            args,
            with_hints,
            version,
            with_ordinality,
            partitions,
            json_path,
            sample,
            index_hints,
        } = factor
        else {
            return Err(unsupported("this kind of source", SqlSpan::default()));
        };
        for hint in with_hints {
            table_hint(&hint)?;
        }
        absent(version.is_none(), "AS OF on a table")?;
        absent(partitions.is_empty() && json_path.is_none(), "a partition or path on a table")?;
        absent(index_hints.is_empty(), "an index hint")?;
        let mut parts = self.parts(name)?;
        if let Some(args) = args {
            absent(args.settings.is_none(), "SETTINGS")?;
            absent(sample.is_none(), "TABLESAMPLE")?;
            return self.table_function(false, parts, args.args, with_ordinality, alias);
        }
        absent(!with_ordinality, "WITH ORDINALITY")?;
        if Self::is_marked(&parts) {
            let fault = unsupported("this kind of source", SqlSpan::default());
            return self.foreign_table(self.keep(fault)?, parts, alias, sample);
        }
        if sample.is_some() {
            let kept = self.keep(unsupported("TABLESAMPLE", SqlSpan::default()))?;
            return self.foreign_table(kept, parts, alias, sample);
        }
        if alias.as_ref().is_some_and(|alias| !alias.columns.is_empty()) {
            let what = "a column list after a table alias";
            let kept = self.keep(unsupported(what, SqlSpan::default()))?;
            return self.foreign_table(kept, parts, alias, None);
        }
        if parts.len() > 2 {
            let place = parts.first().map(|part| part.span).unwrap_or_default();
            let message = "tables of other databases are not allowed";
            let kept = self.keep(Diagnostic::new(Code::Relation, message, place))?;
            return self.foreign_table(kept, parts, alias, None);
        }
        let (alias, columns) = self.optional_alias(alias)?;
        absent(columns.is_empty(), "a column list after a table alias")?;
        let place = parts.first().map(|part| part.span).unwrap_or_default();
        let (Some(name), schema, true) = (parts.pop(), parts.pop(), parts.is_empty()) else {
            let message = "tables of other databases are not allowed";
            return Err(Diagnostic::new(Code::Relation, message, place));
        };
        Ok(Source::Table { schema: self.schema(schema), name, alias })
    }

    /// A schema, without SQL Server's default one, since the target has its own.
    fn schema(&self, schema: Option<Identifier>) -> Option<Identifier> {
        schema.filter(|schema| {
            self.dialect != ReadDialect::Mssql || !schema.name.eq_ignore_ascii_case("dbo")
        })
    }

    fn table_function(
        &mut self,
        lateral: bool,
        parts: Vec<Identifier>,
        args: Vec<ast::FunctionArg>,
        with_ordinality: bool,
        alias: Option<ast::TableAlias>,
    ) -> Converted<Source> {
        let named = self.function_name(parts.clone());
        let arguments = self.arguments(args)?;
        let what = if with_ordinality { "WITH ORDINALITY" } else { "column types after an alias" };
        let (name, span) = match named {
            Ok(named) if !with_ordinality && !Self::is_foreign_alias(alias.as_ref()) => named,
            other => {
                let kept = match other {
                    Err(fault) => self.keep_function(fault, &parts)?,
                    Ok(_) => self.keep(unsupported(what, SqlSpan::default()))?,
                };
                return self.foreign_table_function(
                    kept,
                    lateral,
                    parts,
                    arguments,
                    with_ordinality,
                    alias,
                );
            }
        };
        let (alias, columns) = self.optional_alias(alias)?;
        let call = FunctionCall { span, ..FunctionCall::new(&name, arguments) };
        Ok(Source::Function { call, alias, columns })
    }

    /// A join; `None` for a semi join or anti join, which becomes a filter condition.
    fn join(&mut self, join: ast::Join) -> Converted<Option<Join>> {
        let ast::Join { relation, global, join_operator } = join;
        absent(!global, "GLOBAL JOIN")?;
        let (kind, constraint) = match join_operator {
            ast::JoinOperator::Join(constraint) | ast::JoinOperator::Inner(constraint) => {
                (JoinKind::Inner, constraint)
            }
            ast::JoinOperator::Left(constraint) | ast::JoinOperator::LeftOuter(constraint) => {
                (JoinKind::Left, constraint)
            }
            ast::JoinOperator::Right(constraint) | ast::JoinOperator::RightOuter(constraint) => {
                (JoinKind::Right, constraint)
            }
            ast::JoinOperator::FullOuter(constraint) => (JoinKind::Full, constraint),
            ast::JoinOperator::CrossJoin(constraint) => (JoinKind::Cross, constraint),
            other if self.habits => match self.habit_join(other, relation)? {
                Some(join) => return Ok(Some(join)),
                None => return Ok(None),
            },
            _ => return Err(unsupported("this kind of join", SqlSpan::default())),
        };
        let source = self.source(relation)?;
        let condition = self.join_condition(constraint)?;
        // A join without a condition is a cross join, in dialects that allow it.
        let kind = match (kind, &condition) {
            (JoinKind::Inner, JoinCondition::None) => JoinKind::Cross,
            (kind, _) => kind,
        };
        Ok(Some(Join { kind, source, condition }))
    }

    pub(super) fn join_condition(
        &mut self,
        constraint: ast::JoinConstraint,
    ) -> Converted<JoinCondition> {
        match constraint {
            ast::JoinConstraint::On(condition) => Ok(JoinCondition::On(self.expr(condition)?)),
            ast::JoinConstraint::Natural => Ok(JoinCondition::Natural),
            ast::JoinConstraint::None => Ok(JoinCondition::None),
            ast::JoinConstraint::Using(mut names) => {
                if let Some(alias) = self.join_alias(&mut names)? {
                    return self.aliased_join(names, alias);
                }
                let columns = names
                    .into_iter()
                    .map(|name| {
                        let mut parts = self.parts(name)?;
                        match (parts.pop(), parts.is_empty()) {
                            (Some(column), true) => Ok(column),
                            _ => Err(unsupported("a dotted name in USING", SqlSpan::default())),
                        }
                    })
                    .collect::<Converted<Vec<Identifier>>>()?;
                Ok(JoinCondition::Using(columns))
            }
        }
    }
}

/// Accepts and drops NOLOCK, which requests no lock; every other table hint is an error.
fn table_hint(hint: &ast::Expr) -> Converted<()> {
    match hint {
        ast::Expr::Identifier(name) if name.value.eq_ignore_ascii_case("nolock") => Ok(()),
        _ => {
            let message = "table hints other than NOLOCK are not allowed";
            Err(Diagnostic::new(Code::IntoOrLock, message, SqlSpan::default()))
        }
    }
}

fn factor_name(factor: &ast::TableFactor) -> &'static str {
    match factor {
        ast::TableFactor::TableFunction { .. } => "table(…)",
        ast::TableFactor::JsonTable { .. } | ast::TableFactor::OpenJsonTable { .. } => "json_table",
        ast::TableFactor::NestedJoin { .. } => "a parenthesized join",
        ast::TableFactor::Pivot { .. } | ast::TableFactor::Unpivot { .. } => "PIVOT or UNPIVOT",
        ast::TableFactor::MatchRecognize { .. } => "MATCH_RECOGNIZE",
        ast::TableFactor::XmlTable { .. } => "xmltable",
        _ => "this kind of source",
    }
}
