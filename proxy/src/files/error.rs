//! Why a file cannot be read as a table.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::limits::{MOST_COLUMNS, MOST_ROW_BYTES, MOST_TABLES, MOST_TOTAL_BYTES};

/// What is wrong with a file.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub(super) enum Fault {
    /// It holds no bytes.
    #[error("the file is empty")]
    Empty,
    /// It is text in an encoding that is not recognised.
    #[error("the text is neither UTF-8, UTF-16 nor Windows-1252; save it as UTF-8")]
    Encoding,
    /// It is UTF-8 with bytes that are not.
    #[error("this line is not valid UTF-8, although the rest of the file is; save it as UTF-8")]
    BrokenUtf8,
    /// It holds something else than its name says.
    #[error("the content is {0}, and no table as the name of the file says")]
    OtherContent(&'static str),
    /// It is no workbook that can be read.
    #[error("the workbook cannot be read: {0}")]
    Workbook(String),
    /// It has a header and nothing below it.
    #[error("the table has no rows below its header")]
    NoRows,
    /// A row has another number of fields than the first.
    #[error(
        "the row has {}, but the first row has {expected}; correct the row, or quote fields that contain the delimiter",
        if *found == 1 { "1 field".to_owned() } else { format!("{found} fields") }
    )]
    UnevenRow {
        /// Fields of the row.
        found: usize,
        /// Fields of the first row.
        expected: usize,
    },
    /// A quoted field does not end before the file does.
    #[error("a quoted field that begins in this row is never closed")]
    UnclosedQuote,
    /// A row is too long.
    #[error(
        "the row is longer than {MOST_ROW_BYTES} bytes; if it should not be, a quote is probably not closed"
    )]
    LongRow,
    /// A row has too many fields.
    #[error("the table has more than {MOST_COLUMNS} columns")]
    Columns,
    /// The files are too large together.
    #[error(
        "the files have more than {} MB in all; make a DuckDB file of them instead (duckdb sales.duckdb \"CREATE TABLE sales \
         AS FROM 'sales.csv'\"), or load them into SQLite or PostgreSQL",
        MOST_TOTAL_BYTES / 1_000_000
    )]
    TooLarge,
    /// There are too many tables.
    #[error("there are more than {MOST_TABLES} tables")]
    Tables,
    /// A folder has no files of tables.
    #[error("the folder has no .csv, .tsv, .xlsx or .parquet file")]
    NoFiles,
    /// It is a symbolic link in a folder.
    #[error("links in a folder are not followed; move the file itself into the folder")]
    Link,
    /// It is a device, a pipe or a folder.
    #[error("this is not a regular file")]
    Irregular,
    /// There is no such file or folder.
    #[error("there is no such file or folder")]
    Missing,
    /// The operating system does not let it be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// The private copy of the tables cannot be written.
    #[error("the private copy of the tables cannot be written: {0}")]
    Scratch(String),
}

impl Fault {
    /// Stable code.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Empty => "file_empty",
            Self::Encoding => "file_encoding_unknown",
            Self::BrokenUtf8 => "file_encoding_broken",
            Self::OtherContent(_) => "file_content_differs",
            Self::Workbook(_) => "file_workbook_unreadable",
            Self::NoRows => "file_without_rows",
            Self::UnevenRow { .. } => "file_row_uneven",
            Self::UnclosedQuote => "file_quote_unclosed",
            Self::LongRow => "file_row_too_long",
            Self::Columns => "file_too_many_columns",
            Self::TooLarge => "files_too_large",
            Self::Tables => "files_too_many_tables",
            Self::NoFiles => "folder_without_tables",
            Self::Link => "file_is_link",
            Self::Irregular => "file_not_regular",
            Self::Missing => "file_missing",
            Self::Unreadable(_) => "file_unreadable",
            Self::Scratch(_) => "files_scratch_failed",
        }
    }

    /// The fault at a line of a text file or a row of a sheet, both from 1.
    pub(super) fn at(self, line: u64) -> Located {
        Located { fault: self, line: Some(line) }
    }
}

/// A fault with its line, before its file is known.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Located {
    pub(super) fault: Fault,
    pub(super) line: Option<u64>,
}

impl Located {
    /// The fault in a file, or in one of its sheets.
    pub(super) fn within(self, path: &Path, sheet: Option<&str>) -> FileError {
        let Self { fault, line } = self;
        FileError { path: path.to_owned(), sheet: sheet.map(str::to_owned), line, fault }
    }
}

impl From<Fault> for Located {
    fn from(fault: Fault) -> Self {
        Self { fault, line: None }
    }
}

/// A fault of a file, with its place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct FileError {
    pub(super) path: PathBuf,
    pub(super) sheet: Option<String>,
    pub(super) line: Option<u64>,
    pub(super) fault: Fault,
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.path.display())?;
        match (&self.sheet, self.line) {
            (Some(sheet), Some(row)) => write!(formatter, ", sheet {sheet}, row {row}")?,
            (Some(sheet), None) => write!(formatter, ", sheet {sheet}")?,
            (None, Some(line)) => write!(formatter, ":{line}")?,
            (None, None) => {}
        }
        write!(formatter, ": {} ({})", self.fault, self.fault.code())
    }
}
