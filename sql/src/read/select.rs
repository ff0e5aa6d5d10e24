//! Conversion of SELECT: output columns, filters and grouping.

use sqlparser::ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::tree::{Body, Expr, GroupingKind, Identifier, Select, SelectItem, SqlSpan};

use super::foreign::TABLE;
use super::habits::all_of;
use super::{Converted, Reader, absent, unsupported};

impl Reader<'_> {
    pub(super) fn select(&mut self, select: ast::Select) -> Converted<Body> {
        let ast::Select {
            select_token: _,
            optimizer_hints,
            distinct,
            select_modifiers,
            top,
            top_before_distinct: _,
            projection,
            exclude,
            into,
            from,
            lateral_views,
            prewhere,
            selection,
            connect_by,
            group_by,
            cluster_by,
            distribute_by,
            sort_by,
            having,
            named_window,
            qualify,
            window_before_qualify: _,
            value_table_mode,
            flavor,
        } = select;
        let into_fault =
            Diagnostic::new(Code::IntoOrLock, "SELECT INTO is not allowed", SqlSpan::default());
        let into = match into {
            Some(into) => Some((self.keep(into_fault)?, into)),
            None => None,
        };
        absent(top.is_none(), "TOP inside a set operation or a subquery with LIMIT")?;
        absent(optimizer_hints.is_empty() && select_modifiers.is_none(), "an optimizer hint")?;
        absent(exclude.is_none(), "EXCLUDE")?;
        absent(lateral_views.is_empty() && connect_by.is_empty(), "LATERAL VIEW or CONNECT BY")?;
        let sorted = cluster_by.is_empty() && distribute_by.is_empty() && sort_by.is_empty();
        absent(prewhere.is_none() && sorted, "PREWHERE, CLUSTER BY, DISTRIBUTE BY or SORT BY")?;
        absent(qualify.is_none() || self.habits, "QUALIFY")?;
        absent(value_table_mode.is_none(), "SELECT AS STRUCT or SELECT AS VALUE")?;
        absent(flavor == ast::SelectFlavor::Standard || self.habits, "FROM before SELECT")?;
        let projection = if flavor == ast::SelectFlavor::FromFirstNoSelect {
            vec![ast::SelectItem::Wildcard(ast::WildcardAdditionalOptions::default())]
        } else {
            projection
        };
        let mut nothing = Vec::new();
        if projection.is_empty() {
            let fault = unsupported("an empty select list", SqlSpan::default());
            nothing.push(SelectItem::Foreign(self.keep(fault)?.node(Vec::new(), false)));
        }
        let outer_filters = std::mem::take(&mut self.filters);
        let outer = std::mem::take(&mut self.windows);
        let definitions = self.define_windows(named_window)?;
        let (distinct, distinct_on) = self.distinct(distinct)?;
        let mut items = projection
            .into_iter()
            .map(|item| self.item(item))
            .chain(nothing.into_iter().map(Ok))
            .collect::<Converted<Vec<SelectItem>>>()?;
        if let Some((kept, into)) = into {
            self.add_into(kept, into, &mut items)?;
        }
        let mut select = Select {
            distinct,
            distinct_on,
            items,
            from: self.from(from)?,
            filter: selection.map(|filter| self.expr(filter)).transpose()?,
            group_by: self.group_by(group_by)?,
            having: having.map(|having| self.expr(having)).transpose()?,
            unused_windows: Vec::new(),
        };
        select.unused_windows = self.unused_windows();
        let filters = std::mem::replace(&mut self.filters, outer_filters);
        select.filter = all_of(filters.into_iter().chain(select.filter).collect());
        if let Some(condition) = qualify {
            let condition = Expr::call("_qualify", vec![self.expr(condition)?]);
            select.having = all_of(select.having.into_iter().chain([condition]).collect());
        }
        self.closed_windows = std::mem::replace(&mut self.windows, outer);
        Ok(self.windowed(select, definitions))
    }

    fn distinct(&mut self, distinct: Option<ast::Distinct>) -> Converted<(bool, Vec<Expr>)> {
        match distinct {
            None | Some(ast::Distinct::All) => Ok((false, Vec::new())),
            Some(ast::Distinct::Distinct) => Ok((true, Vec::new())),
            Some(ast::Distinct::On(list)) => Ok((true, self.exprs(list)?)),
        }
    }

    fn item(&mut self, item: ast::SelectItem) -> Converted<SelectItem> {
        match item {
            ast::SelectItem::UnnamedExpr(ast::Expr::Identifier(name)) if name.value == TABLE => {
                let fault = Diagnostic::new(
                    Code::SelectOnly,
                    "TABLE is not allowed; use SELECT * FROM",
                    self.lines.span(name.span),
                );
                Ok(self.keep(fault)?.star())
            }
            ast::SelectItem::UnnamedExpr(expr) => {
                Ok(SelectItem::Expr { expr: self.expr(expr)?, alias: None })
            }
            ast::SelectItem::ExprWithAlias { expr, alias } => {
                let alias = Some(self.identifier(alias)?);
                Ok(SelectItem::Expr { expr: self.expr(expr)?, alias })
            }
            ast::SelectItem::ExprWithAliases { .. } => {
                Err(unsupported("more than one alias for a column", SqlSpan::default()))
            }
            ast::SelectItem::Wildcard(options) => self.wildcard(None, options),
            ast::SelectItem::QualifiedWildcard(kind, options) => {
                let ast::SelectItemQualifiedWildcardKind::ObjectName(name) = kind else {
                    return Err(unsupported("* after an expression", SqlSpan::default()));
                };
                let mut parts = self.parts(name)?;
                if parts.len() > 1 {
                    let fault = unsupported("* after a dotted name", SqlSpan::default());
                    return Ok(self.keep(fault)?.dotted_wildcard(parts));
                }
                self.wildcard(parts.pop(), options)
            }
        }
    }

    fn wildcard(
        &mut self,
        qualifier: Option<Identifier>,
        options: ast::WildcardAdditionalOptions,
    ) -> Converted<SelectItem> {
        let ast::WildcardAdditionalOptions {
            wildcard_token: _,
            opt_ilike,
            opt_exclude,
            opt_except,
            opt_replace,
            opt_rename,
            opt_alias,
        } = options;
        absent(
            opt_ilike.is_none() && opt_replace.is_none() && opt_rename.is_none(),
            "REPLACE, RENAME or ILIKE after *",
        )?;
        absent(opt_alias.is_none() && opt_exclude.is_none(), "EXCLUDE after *")?;
        let Some(ast::ExceptSelectItem { first_element, additional_elements }) = opt_except else {
            return Ok(SelectItem::Wildcard { qualifier });
        };
        let mut except = vec![self.identifier(first_element)?];
        except.extend(self.identifiers(additional_elements)?);
        Ok(SelectItem::WildcardExcept { qualifier, except })
    }

    fn group_by(&mut self, group_by: ast::GroupByExpr) -> Converted<Vec<Expr>> {
        let ast::GroupByExpr::Expressions(list, modifiers) = group_by else {
            absent(self.habits, "GROUP BY ALL")?;
            return Ok(vec![Expr::call("_all", Vec::new())]);
        };
        if self.habits && modifiers == [ast::GroupByWithModifier::Rollup] {
            let sets = self.exprs(list)?.into_iter().map(|expr| vec![expr]).collect();
            return Ok(vec![Expr::Grouping { kind: GroupingKind::Rollup, sets }]);
        }
        absent(modifiers.is_empty(), "GROUP BY … WITH ROLLUP, CUBE or TOTALS")?;
        list.into_iter().map(|expr| self.grouping(expr)).collect()
    }

    fn grouping(&mut self, expr: ast::Expr) -> Converted<Expr> {
        let (kind, sets) = match expr {
            ast::Expr::Cube(sets) => (GroupingKind::Cube, sets),
            ast::Expr::GroupingSets(sets) => (GroupingKind::GroupingSets, sets),
            ast::Expr::Rollup(sets) => (GroupingKind::Rollup, sets),
            other => return self.expr(other),
        };
        let sets =
            sets.into_iter().map(|set| self.exprs(set)).collect::<Converted<Vec<Vec<Expr>>>>()?;
        Ok(Expr::Grouping { kind, sets })
    }
}
