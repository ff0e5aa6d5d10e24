//! Query templates of a pack.

use std::ops::Range;

use toml::Spanned;
use wherefore_engine::catalog::{Catalog, QueryTemplate, TemplateParameter};
use wherefore_engine::{ParameterField, check_parameter};

use super::format::{ParameterNotes, Refusal, TemplateNotes};
use super::merge::{known_area, known_column, once, place_of};

/// Checks a template; the tables of its parameters are named by their keys afterwards.
pub(super) fn template(notes: TemplateNotes, catalog: &Catalog) -> Result<QueryTemplate, Refusal> {
    known_area(notes.area.as_ref(), catalog)?;
    once(notes.parameters.iter().map(|parameter| &parameter.name), "parameter")?;
    for parameter in &notes.parameters {
        let used = format!(":{}", parameter.name.get_ref());
        if !notes.sql.get_ref().contains(&used) {
            return Err((
                parameter.name.span(),
                format!("the SQL does not use the parameter {used}"),
            ));
        }
    }
    let parameters = notes
        .parameters
        .into_iter()
        .map(|parameter| template_parameter(parameter, catalog))
        .collect::<Result<_, _>>()?;
    Ok(QueryTemplate {
        name: notes.name.into_inner(),
        description: notes.description,
        area: notes.area.map(Spanned::into_inner),
        examples: notes.examples,
        parameters,
        sql: notes.sql.into_inner(),
    })
}

fn template_parameter(
    notes: ParameterNotes,
    catalog: &Catalog,
) -> Result<TemplateParameter, Refusal> {
    let mut key = None;
    if let Some(name) = &notes.table {
        let table = &catalog.tables[place_of(catalog, name)?];
        if let Some(column) = &notes.column {
            known_column(table, column)?;
        }
        key = Some(table.key());
    } else if let Some(column) = &notes.column {
        return Err((column.span(), format!("column without a table: {}", column.get_ref())));
    }
    let spans = Spans::of(&notes);
    let parameter = TemplateParameter {
        name: notes.name.into_inner(),
        parameter_type: notes.parameter_type,
        description: notes.description,
        allowed_values: notes.allowed_values.into_iter().map(Spanned::into_inner).collect(),
        table: key,
        column: notes.column.map(Spanned::into_inner),
        default: notes.default.map(Spanned::into_inner),
        minimum: notes.minimum,
        maximum: notes.maximum,
        pattern: notes.pattern.map(Spanned::into_inner),
        weight: notes.weight.map(Spanned::into_inner),
    };
    check_parameter(&parameter).map_err(|fault| (spans.place(fault.field), fault.reason))?;
    Ok(parameter)
}

/// Byte ranges of the parts of a parameter that can be faulty.
struct Spans {
    name: Range<usize>,
    allowed_values: Vec<Range<usize>>,
    default: Option<Range<usize>>,
    pattern: Option<Range<usize>>,
    weight: Option<Range<usize>>,
}

impl Spans {
    fn of(notes: &ParameterNotes) -> Self {
        Self {
            name: notes.name.span(),
            allowed_values: notes.allowed_values.iter().map(Spanned::span).collect(),
            default: notes.default.as_ref().map(Spanned::span),
            pattern: notes.pattern.as_ref().map(Spanned::span),
            weight: notes.weight.as_ref().map(Spanned::span),
        }
    }

    /// The place of a part; that of the name if the part is not given.
    fn place(&self, field: ParameterField) -> Range<usize> {
        let place = match field {
            ParameterField::AllowedValue(at) => self.allowed_values.get(at),
            ParameterField::Default => self.default.as_ref(),
            ParameterField::Pattern => self.pattern.as_ref(),
            ParameterField::Weight => self.weight.as_ref(),
        };
        place.unwrap_or(&self.name).clone()
    }
}

#[cfg(test)]
mod tests {
    use wherefore_engine::catalog::{Catalog, Column, Table};

    use crate::catalog::pack::{apply_text, line_of};

    fn catalog() -> Catalog {
        let column = Column { name: "code".into(), ..Column::default() };
        let parcels = Table { name: "parcels".into(), columns: vec![column], ..Table::default() };
        Catalog { tables: vec![parcels], ..Catalog::default() }
    }

    /// A pack with one template, whose parameter has these lines from line 6 on.
    fn pack(lines: &str) -> String {
        format!(
            "[[templates]]\nname = \"t\"\nexamples = [\"parcel {{code}}\"]\n\
             sql = \"SELECT code FROM parcels WHERE code = :code\"\n\
             [[templates.parameters]]\nname = \"code\"\n{lines}\n"
        )
    }

    #[test]
    fn a_pattern_is_in_the_catalog() {
        let mut catalog = catalog();
        let pack = pack("type = \"string\"\npattern = '[A-Z]{2}-\\d+'\ndefault = \"AB-1\"");
        apply_text(&pack, &mut catalog).unwrap();
        let parameter = &catalog.templates[0].parameters[0];
        assert_eq!(parameter.pattern.as_deref(), Some(r"[A-Z]{2}-\d+"));
        assert_eq!(parameter.default.as_deref(), Some("AB-1"));
    }

    // Promise: templates.pattern-checked
    #[test]
    fn faulty_parameters_are_refused_with_their_line() {
        let long = format!("type = \"string\"\npattern = \"{}\"", "a".repeat(201));
        for (lines, line, reason) in [
            ("type = \"string\"\n\npattern = \"[A-Z\"", 9, "not a regular expression"),
            ("type = \"string\"\npattern = \"(a{999}){999}\"", 8, "not a regular expression"),
            ("type = \"string\"\npattern = \"\"", 8, "empty"),
            (long.as_str(), 8, "at most 200 bytes"),
            ("type = \"integer\"\npattern = \"[0-9]\"", 8, "type string"),
            ("type = \"string\"\npattern = \"[0-9]\"\ndefault = \"a\"", 9, "default"),
            ("type = \"integer\"\nminimum = 1\ndefault = \"0\"", 9, "default"),
            ("type = \"string\"\n\nweight = 2.0", 9, "between 0.3 and 1"),
            ("type = \"date\"\ndefault = \"tomorrow\"", 8, "start_of_week"),
            ("type = \"integer\"\n\ndefault = \"current_user\"", 9, "type string"),
            (
                "type = \"string\"\npattern = \"[0-9]\"\nallowed_values = [\n\"1\",\n\"a\"]",
                11,
                "allowed value",
            ),
        ] {
            let pack = pack(lines);
            let (place, found) = apply_text(&pack, &mut catalog()).unwrap_err();
            assert_eq!(line_of(&pack, place.start), line, "{found}");
            assert!(found.contains(reason), "{found}");
        }
    }
}
