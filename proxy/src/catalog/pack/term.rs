//! Vague terms of a pack.

use std::ops::Range;

use toml::Spanned;
use wherefore_engine::catalog::{Catalog, Column, VagueOption, VagueTerm};
use wherefore_engine::check_term;

use super::format::{Refusal, TermNotes};
use super::merge::find;

/// Checks a vague term; its columns are named by the keys of their tables afterwards.
pub(super) fn term(notes: Spanned<TermNotes>, catalog: &Catalog) -> Result<VagueTerm, Refusal> {
    let place = notes.span();
    let TermNotes { forms, roles, columns, options } = notes.into_inner();
    let spans: Vec<Range<usize>> = options.iter().map(Spanned::span).collect();
    let mut term = VagueTerm { forms, roles, columns: Vec::new(), options: Vec::new() };
    let mut named = Vec::new();
    for name in columns {
        let (key, column) =
            column(name.get_ref(), catalog).map_err(|fault| (name.span(), fault))?;
        term.columns.push(key);
        named.push(column);
    }
    for option in options {
        let span = option.span();
        let mut option = option.into_inner();
        let mut own = None;
        if let Some(name) = &option.column {
            let (key, column) = column(name, catalog).map_err(|fault| (span.clone(), fault))?;
            option.column = Some(key);
            own = Some(column);
        }
        let inherited = named.iter().copied().filter(|_| own.is_none() && option.role.is_none());
        for column in own.into_iter().chain(inherited) {
            fits(&option, column).map_err(|fault| (span.clone(), fault))?;
        }
        term.options.push(option);
    }
    check_term(&term).map_err(|fault| {
        let span = fault.option.and_then(|option| spans.get(option)).unwrap_or(&place);
        (span.clone(), fault.reason)
    })?;
    Ok(term)
}

/// Key and definition of the column that `table.column` names.
fn column<'a>(name: &str, catalog: &'a Catalog) -> Result<(String, &'a Column), String> {
    let unknown = || format!("unknown column: {name}");
    let (owner, column) = name.rsplit_once('.').ok_or_else(unknown)?;
    let table = &catalog.tables[find(catalog, owner).ok_or_else(unknown)?];
    let found = table.column(column).ok_or_else(unknown)?;
    Ok((format!("{}.{column}", table.key()), found))
}

/// Checks that the column has a type to which the condition of the option applies.
fn fits(option: &VagueOption, column: &Column) -> Result<(), String> {
    let number = option.above.or(option.at_least).or(option.below).is_some()
        || option.above_average.is_some()
        || option.highest_percent.or(option.lowest_percent).is_some();
    let date = option.within_days.or(option.before_days).or(option.next_days).is_some();
    let (needed, fits) = if number {
        ("a number", column.data_type.is_numeric())
    } else if date {
        ("a date", column.data_type.is_temporal())
    } else if option.flag.is_some() {
        ("a flag", column.is_flag())
    } else {
        return Ok(());
    };
    if fits {
        return Ok(());
    }
    Err(format!("{}: the column {} is not {needed}", option.label, column.name))
}
