//! What the end of an export says: how many rows there are, and what is missing.

use crate::database::RunEnd;

/// Rows that were left out and cells that were cut, in one sentence each; none if the export is complete.
pub(super) fn missing(end: &RunEnd) -> Vec<String> {
    let cut = end.cuts.listed.first().map(|first| {
        let (row, column) = (u64::from(first.row) + 1, u64::from(first.column) + 1);
        let cells = match end.cuts.count {
            1 => "1 cell is too long and ends in …; it".to_owned(),
            count => format!("{count} cells are too long and end in …; the first"),
        };
        format!("cut: {cells} is in row {row}, column {column}")
    });
    let rows = end.rows;
    let truncated =
        end.truncated.then(|| format!("truncated: only the first {rows} rows are included"));
    cut.into_iter().chain(truncated).collect()
}

/// Keys and values of the metadata of binary formats.
pub(super) fn metadata(end: &RunEnd) -> [(&'static str, String); 5] {
    [
        ("rows", end.rows.to_string()),
        ("truncated", end.truncated.to_string()),
        ("elapsed_ms", end.elapsed_ms.to_string()),
        ("cut_count", end.cuts.count.to_string()),
        ("cut_cells", serde_json::json!(end.cuts.listed).to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use wherefore_engine::session::CutCell;

    use super::*;
    use crate::database::Cuts;

    #[test]
    fn the_end_counts_the_cut_cells() {
        for (count, said) in [
            (1, "cut: 1 cell is too long and ends in …; it is in row 3, column 2"),
            (7, "cut: 7 cells are too long and end in …; the first is in row 3, column 2"),
        ] {
            let listed = vec![CutCell { row: 2, column: 1, ..CutCell::default() }];
            let cuts = Cuts { listed, count };
            let end = RunEnd { rows: 9, truncated: false, elapsed_ms: 1, cuts };
            assert_eq!(missing(&end), [said]);
        }
    }
}
