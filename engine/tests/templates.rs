//! Query templates with areas that are schemas, and across a snapshot.

use wherefore_engine::catalog::{Catalog, Column, DataType, Table};
use wherefore_engine::catalog::{
    Coverage, ParameterType, QueryTemplate, TemplateParameter, ValueList,
};
use wherefore_engine::session::{EffectRequest, EffectResult, Event, ResultSet, State};
use wherefore_engine::{Engine, Knowledge, Session};
use wherefore_sql::Dialect;

const TODAY: &str = "2026-11-20";

fn table(schema: &str, name: &str, values: &[&str]) -> Table {
    let list = ValueList {
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        coverage: Coverage::Complete,
    };
    let column =
        |name: &str, data_type| Column { name: name.to_owned(), data_type, ..Column::default() };
    Table {
        schema: Some(schema.to_owned()),
        name: name.to_owned(),
        columns: vec![
            column("id", DataType::Integer),
            Column { values: Some(list), ..column("name", DataType::Text) },
            column("depot_id", DataType::Integer),
        ],
        primary_key: vec!["id".to_owned()],
        ..Table::default()
    }
}

/// A catalog with depots and pallets in different schemas; `extra` adds a table.
fn catalog(extra: Option<Table>) -> Catalog {
    let mut tables = vec![
        table("stock", "depots", &["Harbour", "Mill"]),
        table("transport", "pallets", &["P1", "P2"]),
    ];
    tables.extend(extra);
    Catalog {
        name: "depots".to_owned(),
        dialect: Dialect::Postgres,
        can_execute: true,
        tables,
        templates: vec![QueryTemplate {
            name: "waiting_pallets".to_owned(),
            description: "Pallets that wait in a depot".to_owned(),
            examples: vec!["what is waiting in {depot}".to_owned()],
            parameters: vec![TemplateParameter {
                name: "depot".to_owned(),
                parameter_type: ParameterType::String,
                table: Some("stock.depots".to_owned()),
                column: Some("name".to_owned()),
                ..TemplateParameter::default()
            }],
            sql: "SELECT p.name FROM pallets AS p JOIN depots AS d ON d.id = p.depot_id \
                  WHERE d.name = :depot ORDER BY p.name"
                .to_owned(),
            ..QueryTemplate::default()
        }],
        ..Catalog::default()
    }
}

fn engine(catalog: Catalog) -> Engine {
    Engine::new(Knowledge { catalog, ..Knowledge::default() })
}

#[test]
fn bare_names_mean_the_one_table_of_that_name_in_any_schema() {
    let preview = engine(catalog(None)).preview("what is waiting in Mill", TODAY);
    insta::assert_snapshot!(preview.sql.unwrap(), @r"
    SELECT p.name
    FROM transport.pallets AS p
      JOIN stock.depots AS d ON d.id = p.depot_id
    WHERE d.name = 'Mill'
    ORDER BY p.name
    ");
}

#[test]
fn a_name_that_two_schemas_have_leaves_the_template_out() {
    let extra = table("archive", "pallets", &["P0"]);
    let preview = engine(catalog(Some(extra))).preview("what is waiting in Mill", TODAY);
    assert!(!preview.sql.unwrap_or_default().contains("SELECT p.name"), "the name is ambiguous");
}

// Promise: templates.bound
#[test]
fn a_quote_in_a_value_stays_within_its_literal() {
    let mut catalog = catalog(None);
    let values = catalog.tables[0].columns[1].values.as_mut().unwrap();
    values.values.push("Miller's'; DROP TABLE pallets --".to_owned());
    let preview =
        engine(catalog).preview("what is waiting in \"Miller's'; DROP TABLE pallets --\"", TODAY);
    let sql = preview.sql.unwrap();
    assert!(sql.contains("'Miller''s''; DROP TABLE pallets --'"), "{sql}");
}

#[test]
fn a_restored_session_goes_on_with_the_template() {
    let engine = engine(catalog(None));
    let mut session = Session::new();
    let ask = Event::Ask {
        text: "what is waiting in Harbour".to_owned(),
        today: TODAY.to_owned(),
        skip_clarification: false,
    };
    let effects = session.step(&engine, ask).unwrap();
    let [effect] = effects.as_slice() else { panic!("one effect: {effects:?}") };
    assert!(matches!(effect.request, EffectRequest::Execute { .. }));
    let mut restored = Session::restore(&session.snapshot().unwrap()).unwrap();
    let result = EffectResult::Rows { rows: ResultSet::default() };
    let event = Event::EffectResult { effect_id: effect.id, result };
    assert_eq!(restored.step(&engine, event).unwrap(), []);
    assert_eq!(restored.view().state, State::Completed);
}
