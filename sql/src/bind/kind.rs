//! Type inference for expressions, from columns, literals, casts and known functions.

use super::{Bound, Meaning, signature};
use crate::Dialect;
use crate::tree::{BinaryOperator, CastType, Expr, FunctionCall, Literal, SelectItem};
use crate::walk::arguments;
use wherefore_catalog::DataType;

/// Type family of a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    Binary,
    Boolean,
    Date,
    Integer,
    Interval,
    Json,
    Number,
    Other,
    Text,
    Time,
    Timestamp,
    /// A string literal or NULL, whose type follows from the context.
    Untyped,
    Uuid,
}

impl From<DataType> for Kind {
    fn from(stored: DataType) -> Self {
        match stored {
            DataType::Binary => Self::Binary,
            DataType::Boolean => Self::Boolean,
            DataType::Date => Self::Date,
            DataType::Integer => Self::Integer,
            DataType::Json => Self::Json,
            DataType::Number => Self::Number,
            DataType::Other => Self::Other,
            DataType::Text => Self::Text,
            DataType::Time => Self::Time,
            DataType::Timestamp => Self::Timestamp,
            DataType::Uuid => Self::Uuid,
        }
    }
}

impl Kind {
    /// Whether the type is numeric.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Integer | Self::Number)
    }

    /// Whether the type is a date or a timestamp.
    pub fn is_temporal(self) -> bool {
        matches!(self, Self::Date | Self::Timestamp)
    }

    /// The type as a phrase for messages.
    pub fn words(self) -> &'static str {
        match self {
            Self::Binary => "bytes",
            Self::Boolean => "a boolean",
            Self::Date => "a date",
            Self::Integer => "an integer",
            Self::Interval => "an interval",
            Self::Json => "JSON",
            Self::Number => "a number",
            Self::Other => "another type",
            Self::Text => "text",
            Self::Time => "a time",
            Self::Timestamp => "a timestamp",
            Self::Untyped => "a literal",
            Self::Uuid => "a UUID",
        }
    }
}

/// Whether PostgreSQL compares two types without an explicit cast.
pub fn comparable(one: Kind, other: Kind) -> bool {
    use Kind::{Other, Untyped};
    one == other
        || one.is_numeric() && other.is_numeric()
        || one.is_temporal() && other.is_temporal()
        || [one, other].iter().any(|kind| matches!(kind, Other | Untyped))
}

/// The common type of two branches; `None` if either is unknown or they are incompatible.
pub(super) fn common(one: Option<Kind>, other: Option<Kind>) -> Option<Kind> {
    match (one?, other?) {
        (one, other) if one == other => Some(one),
        (Kind::Untyped, kind) | (kind, Kind::Untyped) => Some(kind),
        (one, other) if one.is_numeric() && other.is_numeric() => Some(Kind::Number),
        (one, other) if one.is_temporal() && other.is_temporal() => Some(Kind::Timestamp),
        _ => None,
    }
}

impl Bound<'_> {
    /// Type of an expression; `None` if it is unknown.
    pub fn kind(&self, expr: &Expr) -> Option<Kind> {
        Inference { dialect: self.dialect, leaf: &|leaf| self.leaf(leaf) }.kind(expr)
    }

    /// Type of a column or a scalar subquery.
    fn leaf(&self, expr: &Expr) -> Option<Kind> {
        match expr {
            Expr::Column { name, .. } => {
                let used = self.use_of(name)?;
                match &used.meaning {
                    Meaning::Column(place) => {
                        self.source(place.block, place.source)?.columns.get(place.column)?.kind
                    }
                    Meaning::Alias(item) => {
                        let block = self.blocks.get(used.place.block)?;
                        match block.select.items.get(*item)? {
                            SelectItem::Expr { expr, .. } => self.kind(expr),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            Expr::Subquery(query) => {
                let inner = self.subquery(query)?;
                self.blocks.get(inner.block)?.outputs.first()?.kind
            }
            _ => None,
        }
    }
}

/// Type of an expression without knowledge of its columns; `None` if it is unknown.
pub fn kind_without_columns(expr: &Expr, dialect: Dialect) -> Option<Kind> {
    Inference { dialect, leaf: &|_| None }.kind(expr)
}

/// Inference of types from literals, casts and known functions.
struct Inference<'a> {
    dialect: Dialect,
    /// Types of columns and scalar subqueries.
    leaf: &'a dyn Fn(&Expr) -> Option<Kind>,
}

impl Inference<'_> {
    fn kind(&self, expr: &Expr) -> Option<Kind> {
        match expr {
            Expr::Column { .. } | Expr::Subquery(_) => (self.leaf)(expr),
            Expr::Literal(literal, _) => Some(match literal {
                Literal::Boolean(_) => Kind::Boolean,
                Literal::Date(_) => Kind::Date,
                Literal::Interval(_) => Kind::Interval,
                Literal::Null | Literal::String(_) => Kind::Untyped,
                Literal::Number(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                    Kind::Integer
                }
                Literal::Number(_) => Kind::Number,
                Literal::Timestamp(_) => Kind::Timestamp,
            }),
            Expr::And(_)
            | Expr::Or(_)
            | Expr::Not(_)
            | Expr::IsNull { .. }
            | Expr::IsBoolean { .. }
            | Expr::Between { .. }
            | Expr::InList { .. }
            | Expr::InQuery { .. }
            | Expr::Exists { .. }
            | Expr::Like { .. } => Some(Kind::Boolean),
            Expr::Unary { operand, .. } => self.kind(operand),
            Expr::Collate { .. } => Some(Kind::Text),
            Expr::AtTimeZone { .. } => Some(Kind::Timestamp),
            Expr::Extract { .. } => Some(Kind::Number),
            Expr::Cast { to, .. } => Some(cast_kind(to)),
            Expr::Binary { operator, left, right } => self.operation(*operator, left, right),
            Expr::Case { branches, otherwise, .. } => {
                let mut kind = None;
                for result in branches.iter().map(|(_, then)| then).chain(otherwise.as_deref()) {
                    let next = Some(self.kind(result)?);
                    kind = if kind.is_none() { next } else { common(kind, next) };
                }
                kind
            }
            Expr::Function(call) => self.returned(call),
            Expr::Array(_) | Expr::Tuple(_) | Expr::Grouping { .. } => Some(Kind::Other),
            Expr::Spelled(spelled) => self.kind(&spelled.meaning),
            Expr::Parameter(_) | Expr::Foreign(_) => None,
        }
    }

    fn operation(&self, operator: BinaryOperator, left: &Expr, right: &Expr) -> Option<Kind> {
        use BinaryOperator as Op;
        match operator {
            Op::JsonGet | Op::JsonPath => Some(Kind::Json),
            Op::JsonGetText if self.dialect == Dialect::Sqlite => None,
            Op::Concat | Op::JsonGetText | Op::JsonPathText => Some(Kind::Text),
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo => {
                match (self.kind(left)?, self.kind(right)?) {
                    (Kind::Integer, Kind::Integer) => Some(Kind::Integer),
                    (one, other) if one.is_numeric() && other.is_numeric() => Some(Kind::Number),
                    (Kind::Date, Kind::Integer) | (Kind::Integer, Kind::Date) => Some(Kind::Date),
                    (Kind::Date, Kind::Date) if operator == Op::Minus => Some(Kind::Integer),
                    (one, other) if one.is_temporal() && other.is_temporal() => {
                        Some(Kind::Interval)
                    }
                    (one, Kind::Interval) | (Kind::Interval, one) if one.is_temporal() => {
                        Some(Kind::Timestamp)
                    }
                    (Kind::Interval, _) | (_, Kind::Interval) => Some(Kind::Interval),
                    (Kind::Untyped, kind) | (kind, Kind::Untyped) if kind.is_numeric() => {
                        Some(kind)
                    }
                    _ => None,
                }
            }
            _ => Some(Kind::Boolean),
        }
    }

    fn returned(&self, call: &FunctionCall) -> Option<Kind> {
        let found = signature(&call.name, self.dialect)?;
        let first = || arguments(call).next().and_then(|expr| self.kind(expr));
        match found.returns {
            super::signature::Returns::Kind(kind) => Some(kind),
            super::signature::Returns::Unknown => None,
            super::signature::Returns::First => first(),
            super::signature::Returns::Common => {
                let mut kinds = arguments(call).map(|expr| self.kind(expr));
                let mut kind = kinds.next()?;
                for next in kinds {
                    kind = common(kind, next);
                }
                kind
            }
            super::signature::Returns::Total => match first()? {
                Kind::Integer => Some(Kind::Integer),
                Kind::Interval => Some(Kind::Interval),
                _ => Some(Kind::Number),
            },
        }
    }
}

fn cast_kind(to: &CastType) -> Kind {
    match to.name.as_str() {
        "interval" => Kind::Interval,
        name => DataType::from_declaration(name).into(),
    }
}
