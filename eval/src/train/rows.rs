//! Examples as columns of small counts.

/// Largest count of a signal.
pub(crate) const MOST: usize = 100;

/// A signal as one column.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Name of the signal.
    pub(crate) name: &'static str,
    /// Whether it is one of a fault, which never raises the chance.
    pub(crate) fault: bool,
    /// The count of each example, at most [`MOST`].
    pub(crate) counts: Vec<u8>,
}

/// Examples to learn from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) columns: Vec<Column>,
    /// Whether each example is right.
    pub(crate) right: Vec<bool>,
    /// Weight of each example.
    pub(crate) weights: Vec<f64>,
}

impl Rows {
    /// Rows of examples, each with its signals, whether it is right, and its weight.
    pub(crate) fn of<'a>(
        examples: impl Iterator<Item = (&'a [(&'static str, i32)], bool, f64)>,
        is_fault: impl Fn(&str) -> bool,
    ) -> Self {
        let mut rows = Self::default();
        for (signals, right, weight) in examples {
            for (name, count) in signals {
                let known = rows.columns.iter().position(|column| column.name == *name);
                let at = known.unwrap_or_else(|| {
                    let fault = is_fault(name);
                    let counts = vec![0; rows.right.len()];
                    rows.columns.push(Column { name, fault, counts });
                    rows.columns.len() - 1
                });
                let count = usize::try_from(*count).unwrap_or_default().min(MOST);
                rows.columns[at].counts.push(u8::try_from(count).unwrap_or_default());
            }
            rows.right.push(right);
            rows.weights.push(weight);
            for column in &mut rows.columns {
                column.counts.resize(rows.right.len(), 0);
            }
        }
        rows
    }
    /// The rows at these places.
    pub(crate) fn only(&self, places: &[usize]) -> Self {
        let columns = self.columns.iter().map(|column| Column {
            name: column.name,
            fault: column.fault,
            counts: places.iter().map(|at| column.counts[*at]).collect(),
        });
        Self {
            columns: columns.collect(),
            right: places.iter().map(|at| self.right[*at]).collect(),
            weights: places.iter().map(|at| self.weights[*at]).collect(),
        }
    }
}
