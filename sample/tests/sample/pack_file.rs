//! Parses the pack into the engine's types, which reject unknown fields.

use rusqlite::Connection;
use serde::Deserialize;
use wherefore_engine::catalog::{
    Area, Cohort, Metric, ParameterType, QueryTemplate, Table, VagueTerm,
};
use wherefore_sample::PACK;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pack {
    pub(crate) name: String,
    pub(crate) areas: Vec<Area>,
    pub(crate) tables: Vec<Table>,
    pub(crate) cohorts: Vec<Cohort>,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) terms: Vec<VagueTerm>,
    pub(crate) templates: Vec<QueryTemplate>,
}

pub(crate) fn pack() -> Pack {
    toml::from_str(PACK).unwrap()
}

/// SQL of a template with literals for its parameters, and the number of rows that it returns on SQLite.
///
/// A looked-up parameter takes the first stored value with a non-empty result, or else the last value.
pub(crate) fn example(template: &QueryTemplate, connection: &Connection) -> (String, i64) {
    let looked_up = template.parameters.iter().find_map(|parameter| {
        Some(format!("SELECT {} FROM {}", parameter.column.as_ref()?, parameter.table.as_ref()?))
    });
    let stored: Vec<String> = match looked_up {
        Some(query) => {
            let mut statement = connection.prepare(&query).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        }
        None => vec![String::new()],
    };
    let mut latest = None;
    for value in stored {
        let sql = filled(template, &value);
        let count = connection
            .query_row(&format!("SELECT count(*) FROM ({sql})"), [], |row| row.get(0))
            .unwrap();
        latest = Some((sql, count));
        if count > 0 {
            break;
        }
    }
    latest.unwrap()
}

fn filled(template: &QueryTemplate, stored: &str) -> String {
    let mut sql = template.sql.clone();
    for parameter in &template.parameters {
        let value = match (&parameter.default, parameter.parameter_type) {
            (Some(default), _) => default,
            (None, ParameterType::Date) => "2025-01-01",
            (None, _) => stored,
        };
        let literal = match parameter.parameter_type {
            ParameterType::Integer | ParameterType::Number => value.to_owned(),
            _ => format!("'{}'", value.replace('\'', "''")),
        };
        sql = sql.replace(&format!(":{}", parameter.name), &literal);
    }
    sql
}
