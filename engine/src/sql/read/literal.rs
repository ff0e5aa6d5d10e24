//! Literals, intervals, types and the fields of dates.

use sqlparser::ast;

use crate::sql::diagnostic::{Code, Diagnostic};
use crate::sql::dialects::foreign_type;
use crate::sql::tree::{CastType, Expr, Literal, Place, SqlSpan};
use crate::sql::types::type_entry;

use super::{Converted, Reader, absent, unsupported};

impl Reader<'_> {
    pub(super) fn value(&self, value: ast::ValueWithSpan) -> Converted<Expr> {
        let place = self.lines.span(value.span);
        let literal = match value.value {
            ast::Value::Number(text, false) => Literal::Number(text),
            ast::Value::SingleQuotedString(text) | ast::Value::EscapedStringLiteral(text) => {
                Literal::String(text)
            }
            ast::Value::DoubleQuotedString(text) if self.dialect.has_double_quoted_strings() => {
                Literal::String(text)
            }
            ast::Value::DollarQuotedString(text) => Literal::String(text.value),
            ast::Value::Boolean(value) => Literal::Boolean(value),
            ast::Value::Null => Literal::Null,
            ast::Value::Placeholder(name) => return Ok(Expr::Parameter(name)),
            other if self.foreign => return self.foreign_value(other, place),
            _ => return Err(unsupported("this kind of literal", place)),
        };
        Ok(Expr::Literal(literal, Place(place)))
    }

    pub(super) fn typed_string(&self, typed: ast::TypedString) -> Converted<Expr> {
        let ast::TypedString { data_type, value, uses_odbc_syntax } = typed;
        absent(!uses_odbc_syntax, "a literal in odbc syntax")?;
        let place = self.lines.span(value.span);
        let Expr::Literal(Literal::String(text), place) = self.value(value)? else {
            return Err(unsupported("this kind of literal", place));
        };
        let to = self.cast_type(data_type)?;
        Ok(match (to.name.as_str(), to.arguments.is_empty()) {
            ("date", true) => Expr::Literal(Literal::Date(text), place),
            ("timestamp", true) => Expr::Literal(Literal::Timestamp(text), place),
            _ => Expr::Cast { operand: Box::new(Expr::Literal(Literal::String(text), place)), to },
        })
    }

    /// `INTERVAL '30 days'`, `INTERVAL '1' MONTH`, `INTERVAL 7 DAY`.
    pub(super) fn interval(&mut self, interval: ast::Interval) -> Converted<Expr> {
        let ast::Interval {
            value,
            leading_field,
            leading_precision,
            last_field,
            fractional_seconds_precision,
        } = interval;
        let plain = leading_precision.is_none()
            && last_field.is_none()
            && fractional_seconds_precision.is_none();
        absent(plain, "an interval of several fields")?;
        if self.foreign {
            return self.foreign_interval(*value, leading_field);
        }
        let Expr::Literal(Literal::String(count) | Literal::Number(count), place) =
            self.expr(*value)?
        else {
            let fault = unsupported("an interval of an expression", SqlSpan::default());
            return Err(fault.hint("an interval of one unit can be multiplied"));
        };
        let text = match leading_field {
            Some(field) => format!("{count} {}", field_name(&field)?),
            None => count,
        };
        Ok(Expr::Literal(Literal::Interval(text), place))
    }
}

impl Reader<'_> {
    /// Target of a cast; the dialect's own names of types are taken where its habits are.
    pub(super) fn cast_type(&self, data_type: ast::DataType) -> Converted<CastType> {
        if self.foreign
            && let Some(known) = foreign_type(&data_type.to_string(), self.dialect)
        {
            return known.map_err(|name| refused_type(&name));
        }
        cast_type(data_type)
    }
}

/// Name of a field of dates and times, as EXTRACT and INTERVAL take it.
pub(super) fn field_name(field: &ast::DateTimeField) -> Converted<&'static str> {
    use ast::DateTimeField as Field;
    Ok(match field {
        Field::Year | Field::Years => "year",
        Field::Quarter => "quarter",
        Field::Month | Field::Months => "month",
        Field::Week(None) | Field::Weeks => "week",
        Field::Day | Field::Days => "day",
        Field::Hour | Field::Hours => "hour",
        Field::Minute | Field::Minutes => "minute",
        Field::Second | Field::Seconds => "second",
        Field::Millisecond | Field::Milliseconds => "milliseconds",
        Field::Microsecond | Field::Microseconds => "microseconds",
        Field::Century => "century",
        Field::Decade => "decade",
        Field::Dow | Field::DayOfWeek => "dow",
        Field::Doy | Field::DayOfYear => "doy",
        Field::Epoch => "epoch",
        Field::Isodow => "isodow",
        Field::Isoyear => "isoyear",
        Field::Julian => "julian",
        Field::Millenium | Field::Millennium => "millennium",
        Field::Timezone => "timezone",
        Field::TimezoneHour => "timezone_hour",
        Field::TimezoneMinute => "timezone_minute",
        _ => return Err(unsupported("this field of a date", SqlSpan::default())),
    })
}

/// Target of a cast, by the name that the table of types has.
fn cast_type(data_type: ast::DataType) -> Converted<CastType> {
    use ast::DataType as Type;
    let (name, arguments) = match data_type {
        Type::Character(length) | Type::Char(length) => ("char", length_of(length)?),
        Type::CharacterVarying(length)
        | Type::CharVarying(length)
        | Type::Varchar(length)
        | Type::Nvarchar(length) => ("varchar", length_of(length)?),
        Type::Text | Type::Clob(None) | Type::String(None) => ("text", vec![]),
        Type::Uuid => ("uuid", vec![]),
        Type::Blob(None) | Type::Bytea => ("blob", vec![]),
        Type::Numeric(info) => ("numeric", exact(info)?),
        Type::Decimal(info) | Type::Dec(info) => ("decimal", exact(info)?),
        Type::SmallInt(None) | Type::Int2(None) => ("smallint", vec![]),
        Type::Int(None) | Type::Integer(None) | Type::Int4(None) | Type::Signed => {
            ("integer", vec![])
        }
        Type::BigInt(None) | Type::Int8(None) | Type::Int64 => ("bigint", vec![]),
        Type::Real | Type::Float4 => ("real", vec![]),
        Type::Float(ast::ExactNumberInfo::None)
        | Type::Float8
        | Type::Float64
        | Type::Double(ast::ExactNumberInfo::None)
        | Type::DoublePrecision => ("double precision", vec![]),
        Type::Bool | Type::Boolean => ("boolean", vec![]),
        Type::Date => ("date", vec![]),
        Type::Datetime(None) => ("datetime", vec![]),
        Type::Time(precision, zone) => (zoned(zone, "time", "timetz"), precision_of(precision)?),
        Type::Timestamp(precision, zone) => {
            (zoned(zone, "timestamp", "timestamptz"), precision_of(precision)?)
        }
        Type::Interval { fields: None, precision: None } => ("interval", vec![]),
        Type::JSON => ("json", vec![]),
        Type::JSONB => ("jsonb", vec![]),
        Type::Regclass => return Err(refused_type("regclass")),
        Type::Custom(name, arguments) => return custom_type(&name, &arguments),
        _ => return Err(refused_type("this type")),
    };
    Ok(CastType { name: name.to_owned(), arguments })
}

/// A type the parser has no variant for: its bare name must be in the table of types.
fn custom_type(name: &ast::ObjectName, arguments: &[String]) -> Converted<CastType> {
    let [ast::ObjectNamePart::Identifier(ident)] = name.0.as_slice() else {
        return Err(refused_type("a type of a schema"));
    };
    let lower = ident.value.to_ascii_lowercase();
    if ident.quote_style.is_some() || !arguments.is_empty() || type_entry(&lower).is_none() {
        return Err(refused_type(&format!("{lower:?}")));
    }
    Ok(CastType { name: lower, arguments: vec![] })
}

fn refused_type(name: &str) -> Diagnostic {
    Diagnostic::new(Code::Type, format!("a cast to {name} is not allowed"), SqlSpan::default())
}

fn zoned(zone: ast::TimezoneInfo, without: &'static str, with: &'static str) -> &'static str {
    match zone {
        ast::TimezoneInfo::None | ast::TimezoneInfo::WithoutTimeZone => without,
        ast::TimezoneInfo::Tz | ast::TimezoneInfo::WithTimeZone => with,
    }
}

fn length_of(length: Option<ast::CharacterLength>) -> Converted<Vec<u32>> {
    match length {
        None => Ok(vec![]),
        Some(ast::CharacterLength::IntegerLength { length, unit: None }) => {
            Ok(vec![small(length)?])
        }
        Some(_) => Err(refused_type("text of such a length")),
    }
}

fn exact(info: ast::ExactNumberInfo) -> Converted<Vec<u32>> {
    match info {
        ast::ExactNumberInfo::None => Ok(vec![]),
        ast::ExactNumberInfo::Precision(precision) => Ok(vec![small(precision)?]),
        ast::ExactNumberInfo::PrecisionAndScale(precision, scale) => {
            let scale = u64::try_from(scale).map_err(|_| refused_type("a negative scale"))?;
            Ok(vec![small(precision)?, small(scale)?])
        }
    }
}

fn precision_of(precision: Option<u64>) -> Converted<Vec<u32>> {
    precision.into_iter().map(small).collect()
}

fn small(number: u64) -> Converted<u32> {
    u32::try_from(number).map_err(|_| refused_type("a type of such a size"))
}
