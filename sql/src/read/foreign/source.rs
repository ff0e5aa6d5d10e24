//! Sources that the tree cannot represent.

use sqlparser::ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::foreign::Part;
use crate::tree::{Argument, FunctionCall, Identifier, JoinCondition, Source, SqlSpan};

use super::super::{Converted, Reader, unsupported};
use super::token::{JOIN_ALIAS, NAMELESS, ONLY};
use super::types::type_parts;
use super::{Kept, Over, dotted, listed};

impl Reader<'_> {
    /// A table with syntax that the tree cannot represent, such as column names in its alias.
    pub(in super::super) fn foreign_table(
        &mut self,
        kept: Kept,
        mut names: Vec<Identifier>,
        alias: Option<ast::TableAlias>,
        sample: Option<ast::TableSampleKind>,
    ) -> Converted<Source> {
        let mut parts = Vec::new();
        if let Some(first) = names.first_mut()
            && let Some(name) = first.name.strip_prefix(ONLY)
        {
            first.name = name.to_owned();
            parts.push(Part::Text("ONLY "));
        }
        match self.aside_of(&names) {
            Some(aside) => parts.extend(aside),
            None => parts.extend(dotted(names)),
        }
        parts.extend(self.alias_parts(alias)?);
        if let Some(
            ast::TableSampleKind::BeforeTableAlias(sample)
            | ast::TableSampleKind::AfterTableAlias(sample),
        ) = sample
        {
            parts.extend(self.sample_parts(*sample)?);
        }
        Ok(Source::Foreign(kept.node(parts, false)))
    }

    /// Whether a name has the marker of ONLY or of a cut-out sequence.
    pub(in super::super) fn is_marked(names: &[Identifier]) -> bool {
        names.first().is_some_and(|name| name.name.starts_with(['\u{1}', '\u{2}']))
    }

    /// A function in FROM with syntax that the tree cannot represent.
    pub(in super::super) fn foreign_table_function(
        &mut self,
        kept: Kept,
        lateral: bool,
        names: Vec<Identifier>,
        arguments: Vec<Argument>,
        with_ordinality: bool,
        alias: Option<ast::TableAlias>,
    ) -> Converted<Source> {
        let inner = Kept { fault: kept.fault.clone() };
        let call = FunctionCall::new("", arguments);
        let mut parts = vec![Part::Text(if lateral { "LATERAL " } else { "" })];
        parts.push(Part::Expr(Self::foreign_call(inner, names, call, Over::Plain)));
        if with_ordinality {
            parts.push(Part::Text(" WITH ORDINALITY"));
        }
        parts.extend(self.alias_parts(alias)?);
        Ok(Source::Foreign(kept.node(parts, false)))
    }

    /// Joins in parentheses.
    pub(in super::super) fn nested_join(
        &mut self,
        joined: ast::TableWithJoins,
        alias: Option<ast::TableAlias>,
    ) -> Converted<Source> {
        let kept = self.keep(unsupported("a parenthesized join", SqlSpan::default()))?;
        let mut parts = vec![Part::Text("(")];
        for item in self.from(vec![joined])? {
            parts.push(Part::From(Box::new(item)));
        }
        parts.push(Part::Text(")"));
        parts.extend(self.alias_parts(alias)?);
        Ok(Source::Foreign(kept.node(parts, false)))
    }

    fn sample_parts(&mut self, sample: ast::TableSample) -> Converted<Vec<Part>> {
        let ast::TableSample { modifier, name, quantity, seed, bucket, offset } = sample;
        let fault = unsupported("TABLESAMPLE", SqlSpan::default());
        let method = match name {
            Some(ast::TableSampleMethod::Bernoulli) => " TABLESAMPLE BERNOULLI (",
            Some(ast::TableSampleMethod::System) => " TABLESAMPLE SYSTEM (",
            _ => return Err(fault),
        };
        let (ast::TableSampleModifier::TableSample, Some(quantity), None, None) =
            (modifier, quantity, bucket, offset)
        else {
            return Err(fault);
        };
        let share = Part::Expr(self.expr(quantity.value)?);
        let mut parts = vec![Part::Text(method), share, Part::Text(")")];
        if let Some(seed) = seed {
            let seed = Part::Expr(self.value(seed.value)?);
            parts.extend([Part::Text(" REPEATABLE ("), seed, Part::Text(")")]);
        }
        Ok(parts)
    }

    /// Removes the alias marker from the USING columns, and returns the alias.
    pub(in super::super) fn join_alias(
        &self,
        names: &mut Vec<ast::ObjectName>,
    ) -> Converted<Option<Identifier>> {
        let Some(last) = names.pop() else { return Ok(None) };
        if let [ast::ObjectNamePart::Identifier(ident)] = last.0.as_slice()
            && let Some(alias) = ident.value.strip_prefix(JOIN_ALIAS)
        {
            let alias = ast::Ident { value: alias.to_owned(), ..ident.clone() };
            return self.identifier(alias).map(Some);
        }
        names.push(last);
        Ok(None)
    }

    /// `USING (…) AS alias`.
    pub(in super::super) fn aliased_join(
        &self,
        names: Vec<ast::ObjectName>,
        alias: Identifier,
    ) -> Converted<JoinCondition> {
        let kept = self.keep(unsupported("an alias of a join", alias.span))?;
        let mut columns = Vec::new();
        for name in names {
            columns.extend(self.parts(name)?);
        }
        let mut parts = vec![Part::Text("USING (")];
        parts.extend(listed(columns, Part::Name));
        parts.extend([Part::Text(") AS "), Part::Name(alias)]);
        Ok(JoinCondition::Foreign(kept.node(parts, false)))
    }

    /// ` AS name (column type, …)`.
    pub(in super::super) fn alias_parts(
        &self,
        alias: Option<ast::TableAlias>,
    ) -> Converted<Vec<Part>> {
        let Some(ast::TableAlias { explicit: _, name, columns, at: _ }) = alias else {
            return Ok(Vec::new());
        };
        let mut parts = vec![Part::Text(" AS")];
        if name.value != NAMELESS {
            parts.extend([Part::Text(" "), Part::Name(self.identifier(name)?)]);
        }
        for (index, column) in columns.into_iter().enumerate() {
            parts.push(Part::Text(if index == 0 { " (" } else { ", " }));
            parts.push(Part::Name(self.identifier(column.name)?));
            if let Some(data_type) = column.data_type {
                let message = "this column type is not allowed";
                let fault = Diagnostic::new(Code::Type, message, SqlSpan::default());
                parts.push(Part::Text(" "));
                parts.extend(type_parts(&data_type).ok_or(fault)?);
            }
        }
        if parts.iter().any(|part| matches!(part, Part::Text(" ("))) {
            parts.push(Part::Text(")"));
        }
        Ok(parts)
    }

    /// Whether an alias has column types or no name, which the tree cannot represent.
    pub(in super::super) fn is_foreign_alias(alias: Option<&ast::TableAlias>) -> bool {
        alias.is_some_and(|alias| {
            alias.name.value == NAMELESS
                || alias.columns.iter().any(|column| column.data_type.is_some())
        })
    }
}
