//! Case of names on Snowflake, which folds unquoted names to upper case, and on Databricks and Trino, which ignore the
//! case of quoted ones too.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic};
use crate::print::Target;
use crate::read::ReadDialect;
use crate::tree::{Body, Expr, Identifier, Query, SelectItem, Source, SqlSpan};

use super::unprintable;
use super::walk::{self, Done, Visitor};

/// Quotes names that are also used with quotes, or refuses columns that the target cannot tell apart.
pub(super) fn settle(query: &mut Query, target: Target) -> Result<(), Diagnostic> {
    if target != Target::Snowflake {
        return walk::query(&mut Outputs { target }, query);
    }
    let mut names = Names::default();
    walk::query(&mut Each(|name: &mut Identifier| names.add(name)), query)?;
    let quoted = names.quoted;
    let quote = |name: &mut Identifier| {
        let lower = name.name.to_ascii_lowercase();
        if !name.quoted && quoted.contains(&lower) {
            name.name = lower;
            name.quoted = true;
        }
    };
    walk::query(&mut Each(quote), query)
}

/// Refuses columns of one query whose names differ only in case.
struct Outputs {
    target: Target,
}

impl Visitor for Outputs {
    fn query(&mut self, query: &mut Query) -> Done {
        let Body::Select(select) = &query.body else { return Ok(()) };
        let mut spellings: BTreeMap<String, &str> = BTreeMap::new();
        for item in &select.items {
            let SelectItem::Expr { alias: Some(Identifier { name, .. }), .. } = item else {
                continue;
            };
            if let Some(other) = spellings.insert(name.to_lowercase(), name)
                && other != name
            {
                let what = format!("names that differ only in case ({other} and {name})");
                return Err(unprintable(self.target, what));
            }
        }
        Ok(())
    }
}

/// Refuses a name with and without quotes in a text of a dialect that folds names to upper case, where it means two things.
pub(super) fn check_source(query: &mut Query, from: ReadDialect) -> Result<(), Diagnostic> {
    if !matches!(from, ReadDialect::Snowflake | ReadDialect::Oracle) {
        return Ok(());
    }
    let mut names = Names::default();
    walk::query(&mut Each(|name: &mut Identifier| names.add(name)), query)?;
    match names.quoted.iter().find(|name| names.bare.contains(&name.to_ascii_lowercase())) {
        None => Ok(()),
        Some(name) => {
            let message = format!("the name {name} with and without quotes cannot be translated");
            let fault = Diagnostic::new(Code::Unsupported, message, SqlSpan::default());
            Err(fault.hint("quote it everywhere or nowhere"))
        }
    }
}

/// Names of a query: unquoted ones in lower case, and quoted ones.
#[derive(Default)]
struct Names {
    bare: BTreeSet<String>,
    quoted: BTreeSet<String>,
}

impl Names {
    fn add(&mut self, name: &Identifier) {
        if name.quoted {
            self.quoted.insert(name.name.clone());
        } else {
            self.bare.insert(name.name.to_ascii_lowercase());
        }
    }
}

/// Visits every name of a query.
struct Each<F>(F);

impl<F: FnMut(&mut Identifier)> Visitor for Each<F> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Column { qualifier, name } = node {
            qualifier.iter_mut().chain([name]).for_each(&mut self.0);
        }
        Ok(())
    }

    fn query(&mut self, query: &mut Query) -> Done {
        for cte in &mut query.with {
            std::iter::once(&mut cte.name).chain(&mut cte.columns).for_each(&mut self.0);
        }
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        for item in &mut select.items {
            match item {
                SelectItem::Expr { alias: Some(name), .. }
                | SelectItem::Wildcard { qualifier: Some(name) } => (self.0)(name),
                _ => {}
            }
        }
        for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
            if let crate::tree::JoinCondition::Using(names) = &mut join.condition {
                names.iter_mut().for_each(&mut self.0);
            }
        }
        Ok(())
    }

    fn source(&mut self, source: &mut Source) -> Done {
        match source {
            Source::Table { schema, name, alias } => {
                schema.iter_mut().chain([name]).chain(alias).for_each(&mut self.0);
            }
            Source::Derived { alias, columns, .. } | Source::Function { alias, columns, .. } => {
                alias.iter_mut().chain(columns).for_each(&mut self.0);
            }
            Source::Foreign(_) => {}
        }
        Ok(())
    }
}
