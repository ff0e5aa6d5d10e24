//! Elements of the catalog that words can refer to, by their indices.

/// Index of a table in the catalog.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct TableId(pub(crate) u16);

/// Indices of a column in the catalog.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct ColumnId {
    /// Its table.
    pub(crate) table: TableId,
    /// Index in the table.
    pub(crate) column: u16,
}

/// An element of the catalog.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Target {
    /// The rows of a table.
    Table(TableId),
    /// The label columns of a table.
    Label(TableId),
    /// A column.
    Column(ColumnId),
    /// A metric of the pack, by index.
    Metric(usize),
    /// A stored value.
    Value(ColumnId, String),
}

impl Target {
    /// The table that the element belongs to; `None` for a metric.
    pub(crate) fn table(&self) -> Option<TableId> {
        match self {
            Self::Table(table) | Self::Label(table) => Some(*table),
            Self::Column(column) | Self::Value(column, _) => Some(column.table),
            Self::Metric(_) => None,
        }
    }
}
