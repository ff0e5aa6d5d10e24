//! Excel workbook: a sheet `Rows` with a header and a row per row, and a sheet `Missing` if rows or parts of cells are.
//!
//! Texts are never formulas. Numbers that Excel would round are texts. A sheet has no difference between NULL and empty
//! text: both are an empty cell.

use std::fs::File;
use std::io::{BufWriter, Seek};

use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};

use super::file::FileWriter;
use super::sheet_value::{SheetValue, sheet_value};
use super::summary::missing;
use crate::database::{DatabaseError, RunEnd, RunLimits};
use crate::problem::Problem;

/// Maximum number of rows of a sheet without its header.
const SHEET_ROWS: u32 = 1_048_575;
/// Size of a text that is within Excel's 32,767 UTF-16 code units whatever it contains, also with the mark of a cut.
const CELL_BYTES: usize = 32_766;
/// Decimal places for which there is a format. Numbers with more are texts.
pub(super) const MOST_PLACES: usize = 15;
/// Smallest and largest width of a column, in characters.
const WIDTHS: (usize, usize) = (10, 40);

/// Formats of cells.
struct Formats {
    header: Format,
    /// Keeps a text a text when its cell is edited.
    text: Format,
    date: Format,
    moment: Format,
    moment_utc: Format,
    precise: Format,
    precise_utc: Format,
    /// By decimal places.
    decimals: Vec<Format>,
}

/// Writes an Excel workbook.
pub(super) struct Xlsx {
    workbook: Workbook,
    formats: Formats,
    columns: Vec<DataType>,
    row: u32,
}

/// Limits of an export that a sheet can hold.
pub(crate) fn within_sheet(limits: RunLimits) -> RunLimits {
    let (rows, cell_bytes) = (limits.rows.min(SHEET_ROWS), limits.cell_bytes.min(CELL_BYTES));
    RunLimits { rows, cell_bytes, ..limits }
}

impl Formats {
    fn new() -> Self {
        let of = |format: &str| Format::new().set_num_format(format);
        let decimals = (0..=MOST_PLACES).map(|places| of(&format!("{:.places$}", 0))).collect();
        Self {
            header: Format::new().set_bold(),
            text: Format::new().set_quote_prefix(),
            date: of("yyyy-mm-dd"),
            moment: of("yyyy-mm-dd hh:mm:ss"),
            moment_utc: of("yyyy-mm-dd hh:mm:ss\" UTC\""),
            precise: of("yyyy-mm-dd hh:mm:ss.000"),
            precise_utc: of("yyyy-mm-dd hh:mm:ss.000\" UTC\""),
            decimals,
        }
    }
}

impl Xlsx {
    /// A workbook with a header of these columns.
    pub(super) fn new(columns: &[ResultColumn]) -> Result<Self, Problem> {
        let (mut workbook, formats) = (Workbook::new(), Formats::new());
        let sheet = workbook.add_worksheet_with_constant_memory().map_err(failed)?;
        start(sheet, columns, &formats).map_err(failed)?;
        let columns = columns.iter().map(|column| column.data_type).collect();
        Ok(Self { workbook, formats, columns, row: 0 })
    }

    fn write(&mut self, rows: Vec<Vec<Cell>>) -> Result<(), XlsxError> {
        let sheet = self.workbook.worksheet_from_index(0)?;
        for cells in rows {
            self.row += 1;
            for (index, (cell, data_type)) in (0_u16..).zip(cells.into_iter().zip(&self.columns)) {
                write_cell(sheet, (self.row, index), cell, *data_type, &self.formats)?;
            }
        }
        Ok(())
    }

    fn note(&mut self, notes: &[String]) -> Result<(), XlsxError> {
        let sheet = self.workbook.add_worksheet().set_name("Missing")?;
        for (row, note) in (0_u32..).zip(notes) {
            sheet.write_string(row, 0, note)?;
        }
        Ok(())
    }
}

impl FileWriter<Vec<Vec<Cell>>> for Xlsx {
    fn rows(&mut self, batch: Vec<Vec<Cell>>) -> Result<(), Problem> {
        self.write(batch).map_err(failed)
    }

    fn end(mut self, end: &RunEnd) -> Result<File, Problem> {
        let notes = missing(end);
        if !notes.is_empty() {
            self.note(&notes).map_err(failed)?;
        }
        let mut file = tempfile::tempfile().map_err(Problem::internal)?;
        self.workbook.save_to_writer(BufWriter::new(&file)).map_err(failed)?;
        file.rewind().map_err(Problem::internal)?;
        Ok(file)
    }
}

/// Names the sheet and writes its header, which stays visible.
fn start(
    sheet: &mut Worksheet,
    columns: &[ResultColumn],
    formats: &Formats,
) -> Result<(), XlsxError> {
    sheet.set_name("Rows")?;
    sheet.set_freeze_panes(1, 0)?;
    for (index, column) in (0_u16..).zip(columns) {
        let content = match column.data_type {
            DataType::Timestamp => 24,
            DataType::Date | DataType::Boolean => 12,
            DataType::Text => 20,
            _ => 14,
        };
        let width = content.max(column.name.chars().count() + 2).clamp(WIDTHS.0, WIDTHS.1);
        sheet.set_column_width(index, width as f64)?;
        sheet.write_string_with_format(0, index, &column.name, &formats.header)?;
    }
    Ok(())
}

fn write_cell(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: Cell,
    data_type: DataType,
    formats: &Formats,
) -> Result<(), XlsxError> {
    match sheet_value(cell, data_type) {
        SheetValue::Empty => return Ok(()),
        SheetValue::Boolean(value) => sheet.write_boolean(row, column, value)?,
        SheetValue::Number(value, None) => sheet.write_number(row, column, value)?,
        SheetValue::Number(value, Some(places)) => {
            sheet.write_number_with_format(row, column, value, &formats.decimals[places])?
        }
        SheetValue::Date(day) => sheet.write_number_with_format(row, column, day, &formats.date)?,
        SheetValue::Moment { day, is_precise, is_utc } => {
            let format = match (is_precise, is_utc) {
                (false, false) => &formats.moment,
                (false, true) => &formats.moment_utc,
                (true, false) => &formats.precise,
                (true, true) => &formats.precise_utc,
            };
            sheet.write_number_with_format(row, column, day, format)?
        }
        SheetValue::Text(text) => {
            sheet.write_string_with_format(row, column, text, &formats.text)?
        }
    };
    Ok(())
}

/// A value that does not fit into a sheet is an error of the statement, everything else one of the server.
fn failed(error: XlsxError) -> Problem {
    match error {
        XlsxError::MaxStringLengthExceeded | XlsxError::RowColumnLimitError => {
            DatabaseError::statement(format!(
                "cannot write the rows as an Excel workbook: {error}; use CSV or Parquet"
            ))
            .into()
        }
        error => Problem::internal(error),
    }
}
