//! AmbiQT: clear questions that a schema edit makes ambiguous.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::edit::Edit;
use crate::item::{Item, Place};
use crate::options::{Options, Set};

/// A question in the file.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    id: String,
    db_id: String,
    question: String,
    orig_query: String,
    query1: String,
    query2: String,
    #[serde(default)]
    table: Option<String>,
    #[serde(default)]
    column: Option<String>,
    #[serde(default)]
    synonyms: Vec<String>,
    /// Names of the aggregate columns of the added table, by the table they aggregate.
    #[serde(default)]
    split_map: BTreeMap<String, Vec<String>>,
}

/// Items on the edited databases; with `--with-original`, each is followed by the same question on the unedited one.
pub(super) fn items(records: Vec<Record>, options: &Options) -> Result<Vec<Item>> {
    let kind = match options.set {
        Set::AmbiqtColumn => "column",
        Set::AmbiqtTable => "table",
        _ => "precomputed",
    };
    let mut seen = BTreeSet::new();
    let mut items = Vec::with_capacity(records.len());
    for record in records {
        let edit = edit(&record, options.set).with_context(|| record.id.clone())?;
        if options.with_original && seen.insert((record.db_id.clone(), record.question.clone())) {
            items.push(Item {
                id: format!("{}-original", record.id),
                kind: "original".to_owned(),
                division: record.db_id.clone(),
                question: record.question.clone(),
                place: Place::Database { id: record.db_id.clone(), edit: None },
                golds: vec![record.orig_query],
                one_of: false,
                today: None,
                ambiguous: Some(false),
            });
        }
        items.push(Item {
            id: record.id,
            kind: kind.to_owned(),
            division: record.db_id.clone(),
            question: record.question,
            place: Place::Database { id: record.db_id, edit: Some(edit) },
            golds: vec![record.query1, record.query2],
            one_of: false,
            today: None,
            ambiguous: Some(true),
        });
    }
    Ok(items)
}

fn edit(record: &Record, set: Set) -> Result<Edit> {
    if set == Set::AmbiqtPrecomputed {
        let Some((table, aggregates)) = record.split_map.first_key_value() else {
            bail!("no precomputed table is named")
        };
        let column = aggregates
            .iter()
            .find_map(|name| name.strip_prefix("max_"))
            .context("no column of largest values is named")?;
        return Ok(Edit::Precomputed {
            table: table.clone(),
            column: column.to_owned(),
            aggregates: aggregates.clone(),
        });
    }
    let table = record.table.clone().context("no table is named")?;
    let [first, second] = record.synonyms.as_slice() else { bail!("synonyms are not two") };
    let names = [first.clone(), second.clone()];
    Ok(if set == Set::AmbiqtColumn {
        Edit::Column { table, column: record.column.clone().context("no column is named")?, names }
    } else {
        Edit::Table { table, names }
    })
}
