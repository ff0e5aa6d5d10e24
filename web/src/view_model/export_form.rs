//! Forms of files that hold the rows of a result, and what is said of those that the proxy makes.

use super::cell_text::grouped;
use super::problem::ApiFailure;
use super::words::sentence;
use crate::texts;

/// Said beside a result that has not all rows.
pub fn more_rows() -> &'static str {
    texts::more_rows_in_files()
}

/// A form of a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ExportForm {
    Csv,
    Json,
    Excel,
    Parquet,
    Arrow,
}

/// What the proxy says of a file beside it.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct FileSummary {
    /// Number of rows; `None` if only the file itself says so.
    pub rows: Option<usize>,
    /// Whether rows were left out because of a limit.
    pub truncated: bool,
    /// Number of cells that were cut.
    pub cut_cells: usize,
}

impl ExportForm {
    /// Name in labels.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Json => "JSON",
            Self::Excel => "Excel",
            Self::Parquet => "Parquet",
            Self::Arrow => "Arrow",
        }
    }

    /// Extension of file names.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Excel => "xlsx",
            Self::Parquet => "parquet",
            Self::Arrow => "arrows",
        }
    }

    /// Media type of the file, which the proxy is asked for unless the page writes it.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv;charset=utf-8",
            Self::Json => "application/json",
            Self::Excel => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Parquet => "application/vnd.apache.parquet",
            Self::Arrow => "application/vnd.apache.arrow.stream",
        }
    }

    /// Whether the page writes the file itself, of the rows that it has.
    pub fn is_of_page(self) -> bool {
        matches!(self, Self::Csv | Self::Json)
    }
}

/// The forms on offer: those of the proxy only if it can be asked and there is a statement to run.
pub fn offered(is_online: bool, has_statement: bool) -> &'static [ExportForm] {
    use ExportForm::{Arrow, Csv, Excel, Json, Parquet};
    if is_online && has_statement { &[Csv, Json, Excel, Parquet, Arrow] } else { &[Csv, Json] }
}

/// What is said while a file is made and received.
pub fn fetching(form: ExportForm) -> String {
    texts::fetching(form.name())
}

/// What is said of a file whose fetching the user has stopped.
pub fn stopped(form: ExportForm) -> String {
    texts::fetch_stopped(form.name())
}

/// What a file of the proxy leaves out, if anything.
pub fn left_out(form: ExportForm, summary: FileSummary) -> Option<String> {
    let rows = match summary.rows {
        Some(rows) if summary.truncated => texts::only_first_in_file(&grouped(rows), form.name()),
        // The page cannot read the trailers of a stream.
        None if form == ExportForm::Arrow => texts::last_batch().to_owned(),
        _ => String::new(),
    };
    let cut = match summary.cut_cells {
        0 => String::new(),
        count => texts::cells_cut(count),
    };
    let said = [rows, cut].into_iter().filter(|one| !one.is_empty()).collect::<Vec<_>>().join(" ");
    (!said.is_empty()).then_some(said)
}

/// Why there is no file, and what helps.
pub fn failure(form: ExportForm, failure: &ApiFailure) -> String {
    let reason = match failure.code.as_str() {
        "database_busy" | "statement_overdue" | "too_many_requests" => {
            texts::database_busy().to_owned()
        }
        "statement_timeout" => texts::took_too_long().to_owned(),
        "proxy_unreachable" => texts::try_again(&failure.message()),
        _ => failure.message(),
    };
    let request = failure.request_id.as_ref().map(|id| format!(" {}", texts::request_id(id)));
    sentence(&texts::file_not_saved(form.name(), &reason, &request.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::{ExportForm, FileSummary, failure, left_out, offered};
    use crate::view_model::problem::ApiFailure;

    #[test]
    fn forms_of_the_proxy_are_offered_only_while_it_can_be_asked() {
        let names = |forms: &[ExportForm]| forms.iter().map(|form| form.name()).collect::<Vec<_>>();
        assert_eq!(names(offered(true, true)), ["CSV", "JSON", "Excel", "Parquet", "Arrow"]);
        for (is_online, has_statement) in [(false, true), (true, false), (false, false)] {
            let forms = offered(is_online, has_statement);
            assert_eq!(names(forms), ["CSV", "JSON"]);
            assert!(forms.iter().all(|form| form.is_of_page()));
        }
    }

    #[test]
    fn what_a_file_leaves_out_is_told() {
        let whole = FileSummary { rows: Some(5), ..FileSummary::default() };
        assert_eq!(left_out(ExportForm::Excel, whole), None);
        let summary = FileSummary { rows: Some(100_000), truncated: true, cut_cells: 2 };
        assert_eq!(
            left_out(ExportForm::Parquet, summary).as_deref(),
            Some(
                "Only the first 100,000 rows are in the Parquet file. 2 cells are too long and were cut."
            )
        );
        assert_eq!(
            left_out(ExportForm::Arrow, FileSummary::default()).as_deref(),
            Some("The last batch of the Arrow file says whether rows are missing.")
        );
    }

    #[test]
    fn a_failure_says_what_helps() {
        let said = |code: &str, message: &str| {
            let body = format!(r#"{{"code":"{code}","detail":"{message}","request_id":"r-1"}}"#);
            failure(ExportForm::Excel, &ApiFailure::from_response(503, &body))
        };
        assert_eq!(
            said("database_busy", "all connections are in use"),
            "The Excel file was not saved: the database is busy; try again in a moment (request r-1)."
        );
        assert_eq!(
            said("statement_timeout", "cancelled after 60 s"),
            "The Excel file was not saved: it took too long; ask for fewer rows (request r-1)."
        );
        assert_eq!(
            said("statement_failed", "division by zero"),
            "The Excel file was not saved: division by zero (request r-1)."
        );
        assert_eq!(
            failure(ExportForm::Arrow, &ApiFailure::broken_off()),
            "The Arrow file was not saved: the connection ended before the file was complete; try again."
        );
    }
}
