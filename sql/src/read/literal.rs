//! Conversion of literals, intervals, types and date fields.

use sqlparser::ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::dialects::foreign_type;
use crate::tree::{CastType, Expr, Literal, Place, SqlSpan};
use crate::types::type_entry;

use super::foreign::TYPED;
use super::{Converted, Reader, absent, unsupported};

impl Reader<'_> {
    pub(super) fn value(&self, value: ast::ValueWithSpan) -> Converted<Expr> {
        let place = self.lines.span(value.span);
        let literal = match value.value {
            ast::Value::Number(text, false) if self.is_postgres() && !is_decimal(&text) => {
                return self.foreign_number(text, place);
            }
            ast::Value::Number(text, false) => Literal::Number(text),
            own @ (ast::Value::HexStringLiteral(_)
            | ast::Value::SingleQuotedByteStringLiteral(_)
            | ast::Value::NationalStringLiteral(_))
                if self.habits =>
            {
                return self.habit_value(own, place);
            }
            ast::Value::HexStringLiteral(text) => return self.foreign_hex(text, place),
            ast::Value::SingleQuotedByteStringLiteral(text) => {
                return self.foreign_literal("B", text, place);
            }
            ast::Value::NationalStringLiteral(text) => {
                return self.foreign_literal("N", text, place);
            }
            ast::Value::UnicodeStringLiteral(text) => {
                return self.foreign_unicode(text, place);
            }
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
            other if self.habits => return self.habit_value(other, place),
            _ => return Err(unsupported("this kind of literal", place)),
        };
        Ok(Expr::Literal(literal, Place(place)))
    }

    pub(super) fn typed_string(&self, typed: ast::TypedString) -> Converted<Expr> {
        let ast::TypedString { data_type, value, uses_odbc_syntax } = typed;
        absent(!uses_odbc_syntax, "a literal in ODBC syntax")?;
        let place = self.lines.span(value.span);
        let (text, place) = match self.value(value)? {
            Expr::Literal(Literal::String(text), place) => (text, place),
            other => {
                let fault = unsupported("this kind of literal", place);
                return self.foreign_cast(other, &data_type, fault);
            }
        };
        let to = match self.cast_type(data_type.clone()) {
            Ok(to) => to,
            Err(fault) => {
                let operand = Expr::Literal(Literal::String(text), place);
                return self.foreign_cast(operand, &data_type, fault);
            }
        };
        Ok(match (to.name.as_str(), to.arguments.is_empty()) {
            ("date", true) => Expr::Literal(Literal::Date(text), place),
            ("timestamp", true) => Expr::Literal(Literal::Timestamp(text), place),
            _ => Expr::Cast { operand: Box::new(Expr::Literal(Literal::String(text), place)), to },
        })
    }

    /// An interval such as `INTERVAL '30 days'`, `INTERVAL '1' MONTH` or `INTERVAL 7 DAY`.
    pub(super) fn interval(&mut self, interval: ast::Interval) -> Converted<Expr> {
        if self.habits {
            let plain = interval.leading_precision.is_none()
                && interval.last_field.is_none()
                && interval.fractional_seconds_precision.is_none();
            absent(plain, "an interval of several fields")?;
            return self.habit_interval(*interval.value, interval.leading_field);
        }
        let value = self.expr((*interval.value).clone())?;
        let is_text = matches!(value, Expr::Literal(Literal::String(_), _));
        let Expr::Literal(Literal::String(count) | Literal::Number(count), place) = value else {
            let fault = unsupported("an interval with a computed value", SqlSpan::default());
            return Err(fault.hint("multiply an interval of one unit instead"));
        };
        let plain = interval.leading_precision.is_none()
            && interval.last_field.is_none()
            && interval.fractional_seconds_precision.is_none();
        if !plain {
            return self.interval_of_fields(&interval, None, count);
        }
        let Some(field) = &interval.leading_field else {
            return Ok(Expr::Literal(Literal::Interval(count), place));
        };
        let meaning = Literal::Interval(format!("{count} {}", field_name(field)?));
        let meaning = Expr::Literal(meaning, place);
        if is_text && is_standard_field(field) {
            self.interval_of_fields(&interval, Some(meaning), count)
        } else {
            Ok(meaning)
        }
    }
}

/// Whether a number consists of digits, a decimal point and an exponent.
fn is_decimal(number: &str) -> bool {
    let mut after_exponent = false;
    number.chars().all(|c| {
        let is_sign = after_exponent && matches!(c, '+' | '-');
        after_exponent = matches!(c, 'e' | 'E');
        is_sign || after_exponent || c.is_ascii_digit() || c == '.'
    })
}

/// Whether PostgreSQL accepts the field after an interval string.
fn is_standard_field(field: &ast::DateTimeField) -> bool {
    use ast::DateTimeField as Field;
    matches!(
        field,
        Field::Year | Field::Month | Field::Day | Field::Hour | Field::Minute | Field::Second
    )
}

/// Name of a date or time field in EXTRACT and INTERVAL.
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

impl Reader<'_> {
    /// The field of EXTRACT; PostgreSQL's synonyms are kept as written.
    pub(super) fn extracted_field(&self, field: &ast::DateTimeField) -> Converted<String> {
        use ast::DateTimeField as Field;
        let name = field_name(field)?;
        Ok(match field {
            Field::Microsecond if self.is_postgres() => "microsecond".to_owned(),
            Field::Millisecond if self.is_postgres() => "millisecond".to_owned(),
            _ => name.to_owned(),
        })
    }

    /// The target type of a cast; PostgreSQL's own type names are kept as written, and other dialects' names are
    /// translated if dialect-specific constructs are.
    pub(super) fn cast_type(&self, data_type: ast::DataType) -> Converted<CastType> {
        use ast::DataType as Type;
        if self.habits
            && let Some(known) = foreign_type(&data_type.to_string(), self.dialect)
        {
            return known.map_err(|name| refused_type(&name));
        }
        let own_name = match &data_type {
            _ if !self.is_postgres() => None,
            Type::Int8(None) => Some("int8"),
            Type::Int4(None) => Some("int4"),
            Type::Int2(None) => Some("int2"),
            Type::Float(ast::ExactNumberInfo::None) => Some("double precision"),
            Type::Float4 => Some("float4"),
            Type::Float8 => Some("float8"),
            Type::Bool => Some("bool"),
            Type::Time(None, ast::TimezoneInfo::WithTimeZone) => Some("time with time zone"),
            Type::Timestamp(_, ast::TimezoneInfo::WithTimeZone) => Some("timestamp with time zone"),
            Type::Bytea => return Err(refused_type("\"blob\"")),
            _ => None,
        };
        let mut to = cast_type(data_type)?;
        if let Some(name) = own_name {
            name.clone_into(&mut to.name);
        }
        Ok(to)
    }
}

/// The target type of a cast, by its name in the table of types.
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

/// A type that the parser has no variant for: its name must be in the table of types.
fn custom_type(name: &ast::ObjectName, arguments: &[String]) -> Converted<CastType> {
    let [ast::ObjectNamePart::Identifier(ident)] = name.0.as_slice() else {
        return Err(refused_type("a schema-qualified type"));
    };
    if let Some(name) = ident.value.strip_prefix(TYPED) {
        let message = format!("unexpected string after {name:?}");
        return Err(Diagnostic::new(Code::Syntax, message, SqlSpan::default()));
    }
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
        Some(_) => Err(refused_type("a text type with this length")),
    }
}

fn exact(info: ast::ExactNumberInfo) -> Converted<Vec<u32>> {
    match info {
        ast::ExactNumberInfo::None => Ok(vec![]),
        ast::ExactNumberInfo::Precision(precision) => Ok(vec![small(precision)?]),
        ast::ExactNumberInfo::PrecisionAndScale(precision, scale) => {
            let scale =
                u64::try_from(scale).map_err(|_| refused_type("a type with a negative scale"))?;
            Ok(vec![small(precision)?, small(scale)?])
        }
    }
}

fn precision_of(precision: Option<u64>) -> Converted<Vec<u32>> {
    precision.into_iter().map(small).collect()
}

fn small(number: u64) -> Converted<u32> {
    u32::try_from(number).map_err(|_| refused_type("a type with this size"))
}
