//! Sheets of an XLSX workbook as rows in text.

use std::io::{Cursor, Read, Seek, sink};

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx, XlsxError};
use csv::{Writer, WriterBuilder};

use super::encoding::other_content;
use super::error::{Fault, Located};
use super::limits::MOST_COLUMNS;
use super::survey::Grid;

/// Delimiter of the text that sheets are written as.
const DELIMITER: u8 = b'\t';
/// Width of a sheet from which a first row with a single field is its title.
const TITLED_WIDTH: u32 = 3;
/// Rows among which the first of the table is sought.
const TITLE_ROWS: usize = 20;

/// All sheets with cells. Unpacked sizes are deducted from what is left.
pub(super) fn grids(bytes: Vec<u8>, left: &mut u64) -> Result<Vec<Grid>, Located> {
    if bytes.is_empty() {
        return Err(Fault::Empty.into());
    }
    if !bytes.starts_with(b"PK") {
        let kind = other_content(&bytes).unwrap_or("data of another format");
        return Err(Fault::OtherContent(kind).into());
    }
    check_unpacked(&bytes, left)?;
    let broken = |error: XlsxError| Located::from(Fault::Workbook(error.to_string()));
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(broken)?;
    let mut grids = Vec::new();
    for sheet in workbook.sheet_names() {
        // Sheets of charts have no cells.
        let shape = match Shape::of(&mut workbook, &sheet) {
            Ok(shape) => shape,
            Err(XlsxError::WorksheetNotFound(_)) => continue,
            Err(error) => return Err(broken(error)),
        };
        let Some(shape) = shape else { continue };
        if shape.columns > MOST_COLUMNS as u32 {
            return Err(Fault::Columns.into());
        }
        let text = write(&mut workbook, &sheet, &shape, *left)?;
        *left = left.saturating_sub(text.len() as u64);
        grids.push(Grid { text, delimiter: DELIMITER, sheet: Some(sheet) });
    }
    if grids.is_empty() { Err(Fault::Empty.into()) } else { Ok(grids) }
}

/// Unpacks all parts of a workbook to nowhere, since their sizes as stated may be wrong.
fn check_unpacked(bytes: &[u8], left: &mut u64) -> Result<(), Located> {
    let broken = |error: &dyn std::fmt::Display| Located::from(Fault::Workbook(error.to_string()));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    for part in 0..archive.len() {
        let part = archive.by_index(part).map_err(|error| broken(&error))?;
        let size = std::io::copy(&mut part.take(*left + 1), &mut sink())
            .map_err(|error| broken(&error))?;
        *left = left.checked_sub(size).ok_or(Fault::TooLarge)?;
    }
    Ok(())
}

/// Where the table of a sheet begins, and how wide it is.
struct Shape {
    /// First row, from 0.
    row: u32,
    /// First column, from 0.
    column: u32,
    columns: u32,
}

impl Shape {
    /// Bounds of the cells of a sheet without the lines of a title above them; `None` if it is empty.
    fn of<S: Read + Seek>(workbook: &mut Xlsx<S>, sheet: &str) -> Result<Option<Self>, XlsxError> {
        let mut bounds: Option<(u32, u32)> = None;
        let mut rows: Vec<(u32, u32)> = Vec::new();
        let mut cells = workbook.worksheet_cells_reader(sheet)?;
        while let Some(cell) = cells.next_cell()? {
            if shown(cell.get_value()).trim().is_empty() {
                continue;
            }
            let (row, column) = cell.get_position();
            bounds = Some(match bounds {
                None => (column, column),
                Some((first, last)) => (first.min(column), last.max(column)),
            });
            match rows.last_mut() {
                Some((last, filled)) if *last == row => *filled += 1,
                _ => rows.push((row, 1)),
            }
            rows.truncate(TITLE_ROWS);
        }
        let Some((column, last)) = bounds else { return Ok(None) };
        let columns = last - column + 1;
        let is_title = |filled: u32| columns >= TITLED_WIDTH && filled == 1;
        let begins = rows.iter().find(|(_, filled)| !is_title(*filled)).or(rows.first());
        Ok(Some(Self { row: begins.map_or(0, |(row, _)| *row), column, columns }))
    }
}

/// Text of a sheet. Row and line numbers are the same unless a cell has several lines.
fn write<S: Read + Seek>(
    workbook: &mut Xlsx<S>,
    sheet: &str,
    shape: &Shape,
    most: u64,
) -> Result<String, Located> {
    let broken = |error: XlsxError| Located::from(Fault::Workbook(error.to_string()));
    let mut writer = WriterBuilder::new()
        .delimiter(DELIMITER)
        .flexible(true)
        .from_writer(Limited { text: Vec::new(), most });
    let (mut next, mut row): (u32, Vec<String>) = (0, Vec::new());
    let mut cells = workbook.worksheet_cells_reader(sheet).map_err(broken)?;
    while let Some(cell) = cells.next_cell().map_err(broken)? {
        let (at, column) = cell.get_position();
        if at < shape.row || column < shape.column {
            continue;
        }
        if at < next {
            return Err(Fault::Workbook("its rows are not in order".to_owned()).at(at.into()));
        }
        let text = shown(cell.get_value());
        if text.trim().is_empty() {
            continue;
        }
        if at > next {
            end_row(&mut writer, &mut row)?;
            for _ in next + 1..at {
                end_row(&mut writer, &mut row)?;
            }
            next = at;
        }
        let place = (column - shape.column) as usize;
        if place >= row.len() {
            row.resize(place + 1, String::new());
        }
        // Lines within a cell would shift the numbers of rows.
        row[place] = text.replace(['\n', '\r', '\0'], " ");
    }
    end_row(&mut writer, &mut row)?;
    let written = writer.into_inner().map_err(|_| Fault::TooLarge)?;
    String::from_utf8(written.text).map_err(|_| Fault::Encoding.into())
}

fn end_row(writer: &mut Writer<Limited>, row: &mut Vec<String>) -> Result<(), Located> {
    if row.is_empty() {
        row.push(String::new());
    }
    writer.write_record(&*row).map_err(|_| Fault::TooLarge)?;
    row.clear();
    Ok(())
}

/// A buffer that refuses to grow beyond a size.
struct Limited {
    text: Vec<u8>,
    most: u64,
}

impl std::io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if (self.text.len() + bytes.len()) as u64 > self.most {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A cell as text, with dates in ISO form. An error of a formula is shown as such, which counts as a missing value.
fn shown(cell: &DataRef<'_>) -> String {
    match cell {
        DataRef::Empty => String::new(),
        DataRef::Int(value) => value.to_string(),
        DataRef::Float(value) => value.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.clone()
        }
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(moment) => moment_text(moment),
        DataRef::Error(error) => error.to_string(),
    }
}

fn moment_text(moment: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    let clock = format!("{hour:02}:{minute:02}:{second:02}");
    if moment.is_duration() {
        return moment.as_f64().to_string();
    }
    match moment.as_f64() {
        days if days < 1.0 => clock,
        days if days.fract() == 0.0 => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:04}-{month:02}-{day:02} {clock}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

    fn link(id: &str, kind: &str, target: &str) -> String {
        format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    }

    fn links(links: &str) -> String {
        format!("<Relationships xmlns=\"{PACKAGE}\">{links}</Relationships>")
    }

    /// A workbook with a sheet of these rows for each name.
    fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let mut add = |name: &str, text: &str| {
            archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        };
        let mut names = String::new();
        let mut parts = vec![link("styles", "styles", "styles.xml")];
        for (id, (name, rows)) in (1..).zip(sheets) {
            names.push_str("<sheet name=\"");
            names.push_str(name);
            names.push_str(&["\" sheetId=\"", &id.to_string(), "\" r:id=\"r"].concat());
            names.push_str(&[&id.to_string(), "\"/>"].concat());
            parts.push(link(&format!("r{id}"), "worksheet", &format!("worksheets/{id}.xml")));
            let rows = format!("<sheetData>{rows}</sheetData>");
            let sheet = format!("<worksheet xmlns=\"{MAIN}\">{rows}</worksheet>");
            add(&format!("xl/worksheets/{id}.xml"), &sheet);
        }
        let sheets = format!("<sheets>{names}</sheets>");
        let book = format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\">{sheets}</workbook>");
        add("xl/workbook.xml", &book);
        add("_rels/.rels", &links(&link("r1", "officeDocument", "xl/workbook.xml")));
        add("xl/_rels/workbook.xml.rels", &links(&parts.concat()));
        // Format 14 is a date, 22 a date with a time.
        let formats = ["0", "14", "22"].map(|format| format!("<xf numFmtId=\"{format}\"/>"));
        let formats = format!("<cellXfs>{}</cellXfs>", formats.concat());
        add("xl/styles.xml", &format!("<styleSheet xmlns=\"{MAIN}\">{formats}</styleSheet>"));
        archive.finish().unwrap().into_inner()
    }

    fn row(number: u32, cells: &[(&str, &str)]) -> String {
        let cells = cells.iter().map(|(place, value)| match value.parse::<f64>() {
            Ok(_) => format!("<c r=\"{place}{number}\"><v>{value}</v></c>"),
            Err(_) if value.starts_with('<') => {
                let (style, value) = value[1..].split_once('>').unwrap();
                format!("<c r=\"{place}{number}\" {style}><v>{value}</v></c>")
            }
            Err(_) => {
                format!("<c r=\"{place}{number}\" t=\"inlineStr\"><is><t>{value}</t></is></c>")
            }
        });
        format!("<row r=\"{number}\">{}</row>", cells.collect::<String>())
    }

    fn read(sheets: &[(&str, &str)]) -> Result<Vec<(String, String)>, Located> {
        let grids = grids(workbook(sheets), &mut 200_000_000)?;
        Ok(grids.into_iter().map(|grid| (grid.sheet.unwrap(), grid.text)).collect())
    }

    #[test]
    fn sheets_become_rows_with_their_numbers() {
        let orders = [
            row(1, &[("B", "Orders of the north")]),
            row(3, &[("B", "id"), ("C", "placed"), ("D", "seen"), ("E", "paid")]),
            row(
                4,
                &[
                    ("B", "1"),
                    ("C", "<s=\"1\">45292"),
                    ("D", "<s=\"2\">45292.5"),
                    ("E", "<t=\"b\">1"),
                ],
            ),
            row(6, &[("B", "2.5"), ("C", "a\tb"), ("E", "<t=\"e\">#DIV/0!")]),
        ];
        let read =
            read(&[("Orders", &orders.concat()), ("Empty", ""), ("More", &row(1, &[("A", "x")]))]);
        let orders = "\"\"\n\"\"\nid\tplaced\tseen\tpaid\n1\t2024-01-01\t2024-01-01 12:00:00\ttrue\n\"\"\n2.5\t\"a\tb\"\t\t#DIV/0!\n";
        let expected = [("Orders", orders), ("More", "x\n")];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(read.unwrap(), expected);
    }

    #[test]
    fn what_is_no_workbook_or_too_large_is_refused() {
        let mut left = 1_000_000;
        let refused =
            |bytes: &[u8]| grids(bytes.to_vec(), &mut 1_000_000).unwrap_err().fault.code();
        assert_eq!(refused(b""), "file_empty");
        assert_eq!(refused(b"a,b\n"), "file_content_differs");
        assert_eq!(refused(b"PK\x03\x04 and nothing"), "file_workbook_unreadable");
        assert_eq!(refused(&workbook(&[("S", "<row><c r=\"A1\"")])), "file_workbook_unreadable");
        assert_eq!(refused(&workbook(&[("S", "")])), "file_empty");
        let bomb = workbook(&[("S", &row(1, &[("A", &"x".repeat(2_000_000))]))]);
        assert!(bomb.len() < 20_000);
        assert_eq!(refused(&bomb), "files_too_large");
        let far = row(1, &[("A", "x")]) + &row(1_048_576, &[("XFD", "y")]);
        assert_eq!(grids(workbook(&[("S", &far)]), &mut left), Err(Fault::Columns.into()));
        let deep = row(1, &[("A", "x")]) + &row(1_048_576, &[("A", "y")]);
        assert_eq!(refused(&workbook(&[("S", &deep)])), "files_too_large");
    }
}
