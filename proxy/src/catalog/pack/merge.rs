//! Merges a pack into a catalog, and rejects what does not match it.

use toml::Spanned;
use wherefore_engine::catalog::{Area, Catalog, Cohort, Column, Metric, Table};

use super::format::{CohortNotes, ColumnNotes, MetricNotes, Pack, Refusal, TableNotes};

type Name = Spanned<String>;

/// Merges a pack into the catalog. On an error, a part of the pack may have been merged.
pub fn merge(pack: Pack, catalog: &mut Catalog) -> Result<(), Refusal> {
    if let Some(name) = pack.name {
        catalog.name = name;
    }
    for area in pack.areas {
        add_area(area, &mut catalog.areas);
    }
    once(pack.tables.iter().map(|notes| &notes.name), "table")?;
    once(pack.metrics.iter().map(|notes| &notes.name), "metric")?;
    once(pack.cohorts.iter().map(|notes| &notes.label), "cohort")?;
    once(pack.templates.iter().map(|notes| &notes.name), "template")?;
    for notes in pack.tables {
        known_area(notes.area.as_ref(), catalog)?;
        let place = place_of(catalog, &notes.name)?;
        describe_table(notes, &mut catalog.tables[place])?;
    }
    for notes in pack.metrics {
        let metric = metric(notes, catalog)?;
        catalog.metrics.push(metric);
    }
    for notes in pack.cohorts {
        let cohort = cohort(notes, catalog)?;
        catalog.cohorts.push(cohort);
    }
    for notes in pack.terms {
        let term = super::term::term(notes, catalog)?;
        catalog.terms.push(term);
    }
    for notes in pack.templates {
        let template = super::template::template(notes, catalog)?;
        catalog.templates.push(template);
    }
    Ok(())
}

fn add_area(area: Spanned<Area>, areas: &mut Vec<Area>) {
    let area = area.into_inner();
    match areas.iter_mut().find(|known| known.name == area.name) {
        Some(known) => *known = area,
        None => areas.push(area),
    }
}

fn describe_table(notes: TableNotes, table: &mut Table) -> Result<(), Refusal> {
    if let Some(area) = notes.area {
        table.area = Some(area.into_inner());
    }
    if let Some(description) = notes.description {
        table.description = description;
    }
    table.synonyms.extend(notes.synonyms);
    for name in notes.label_columns.iter().chain(&notes.date_column).chain(&notes.measure_column) {
        known_column(table, name)?;
    }
    if !notes.label_columns.is_empty() {
        table.label_columns = notes.label_columns.into_iter().map(Spanned::into_inner).collect();
    }
    if let Some(column) = notes.date_column {
        table.date_column = Some(column.into_inner());
    }
    if let Some(column) = notes.measure_column {
        table.measure_column = Some(column.into_inner());
    }
    once(notes.columns.iter().map(|column| &column.name), "column")?;
    for column in notes.columns {
        known_column(table, &column.name)?;
        if let Some(known) =
            table.columns.iter_mut().find(|known| known.name == *column.name.get_ref())
        {
            describe_column(column, known);
        }
    }
    Ok(())
}

fn describe_column(notes: ColumnNotes, column: &mut Column) {
    if let Some(description) = notes.description {
        column.description = description;
    }
    column.synonyms.extend(notes.synonyms);
    column.unit = notes.unit.or(column.unit.take());
    if !notes.roles.is_empty() {
        column.roles = notes.roles;
    }
    if let Some(sensitive) = notes.sensitive {
        column.sensitive = sensitive;
    }
    if column.sensitive {
        column.values = None;
        column.minimum = None;
        column.maximum = None;
    }
}

fn metric(notes: MetricNotes, catalog: &Catalog) -> Result<Metric, Refusal> {
    let table = &catalog.tables[place_of(catalog, &notes.table)?];
    if let Some(expression) = &notes.expression {
        for word in columns_of(expression.get_ref()) {
            if table.column(word).is_none() {
                return Err((expression.span(), format!("unknown column: {}.{word}", table.key())));
            }
        }
    }
    if let Some(date) = &notes.date_column {
        let unknown = || (date.span(), format!("unknown column: {}", date.get_ref()));
        let (owner, column) = date.get_ref().rsplit_once('.').ok_or_else(unknown)?;
        let owner = find(catalog, owner).ok_or_else(unknown)?;
        catalog.tables[owner].column(column).ok_or_else(unknown)?;
    }
    Ok(Metric {
        name: notes.name.into_inner(),
        synonyms: notes.synonyms,
        description: notes.description,
        aggregate: notes.aggregate,
        table: table.key(),
        expression: notes.expression.map(Spanned::into_inner).unwrap_or_default(),
        unit: notes.unit,
        date_column: notes.date_column.map(Spanned::into_inner),
    })
}

fn cohort(notes: CohortNotes, catalog: &Catalog) -> Result<Cohort, Refusal> {
    let table = &catalog.tables[place_of(catalog, &notes.table)?];
    known_column(table, &notes.column)?;
    let conditions =
        [notes.missing.is_some(), !notes.values.is_empty(), notes.within_days.is_some()];
    if conditions.into_iter().filter(|given| *given).count() != 1 {
        let message = "a cohort needs exactly one of missing, values and within_days".to_owned();
        return Err((notes.label.span(), message));
    }
    Ok(Cohort {
        table: table.key(),
        label: notes.label.into_inner(),
        description: notes.description,
        column: notes.column.into_inner(),
        missing: notes.missing,
        values: notes.values,
        within_days: notes.within_days,
    })
}

/// Identifiers of an expression, without numbers and operators.
fn columns_of(expression: &str) -> impl Iterator<Item = &str> {
    expression.split(|character: char| !(character.is_alphanumeric() || character == '_')).filter(
        |word| word.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_'),
    )
}

/// Index of the table with this key, or with this name if it is unique.
pub(super) fn find(catalog: &Catalog, name: &str) -> Option<usize> {
    let by_key = catalog.tables.iter().position(|table| table.has_key(name));
    by_key.or_else(|| {
        let mut named = catalog.tables.iter().enumerate().filter(|(_, table)| table.name == name);
        match (named.next(), named.next()) {
            (Some((place, _)), None) => Some(place),
            _ => None,
        }
    })
}

/// Index of the table with this name; the error points at the name.
pub(super) fn place_of(catalog: &Catalog, name: &Name) -> Result<usize, Refusal> {
    find(catalog, name.get_ref())
        .ok_or_else(|| (name.span(), format!("unknown table: {}", name.get_ref())))
}

/// Checks that a table has a column.
pub(super) fn known_column(table: &Table, name: &Name) -> Result<(), Refusal> {
    if table.column(name.get_ref()).is_some() {
        return Ok(());
    }
    Err((name.span(), format!("unknown column: {}.{}", table.key(), name.get_ref())))
}

/// Checks that the catalog has an area, if one is named.
pub(super) fn known_area(name: Option<&Name>, catalog: &Catalog) -> Result<(), Refusal> {
    match name {
        Some(name) if !catalog.areas.iter().any(|area| area.name == *name.get_ref()) => {
            Err((name.span(), format!("unknown area: {}", name.get_ref())))
        }
        _ => Ok(()),
    }
}

/// Checks that no name occurs twice.
pub(super) fn once<'a>(names: impl Iterator<Item = &'a Name>, what: &str) -> Result<(), Refusal> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(name.get_ref()) {
            return Err((name.span(), format!("duplicate {what}: {}", name.get_ref())));
        }
    }
    Ok(())
}
