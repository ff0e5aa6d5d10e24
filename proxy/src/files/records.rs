//! Rows of delimited text, each with its line, within limits.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::error::{Fault, Located};
use super::limits::{MOST_COLUMNS, MOST_ROW_BYTES};

/// Reads the rows of delimited text. Lines without characters are no rows.
pub(super) struct Records<'a> {
    reader: Reader,
    text: &'a [u8],
    at: usize,
    line: u64,
    newline: u8,
    output: Vec<u8>,
    ends: Vec<usize>,
}

/// Fields of a row, without spaces around them.
pub(super) struct Record<'a> {
    /// Line on which the row begins, from 1.
    pub(super) line: u64,
    text: &'a str,
    ends: &'a [usize],
}

impl<'a> Records<'a> {
    /// Rows of a text whose fields are separated by a delimiter.
    pub(super) fn new(text: &'a str, delimiter: u8) -> Self {
        let text = text.as_bytes();
        // Files of old Macs end their lines with a carriage return alone.
        let newline = if text.contains(&b'\n') { b'\n' } else { b'\r' };
        Self {
            reader: ReaderBuilder::new().delimiter(delimiter).build(),
            text,
            at: 0,
            line: 1,
            newline,
            output: vec![0; MOST_ROW_BYTES],
            ends: vec![0; MOST_COLUMNS + 1],
        }
    }

    /// The next row; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_>>, Located> {
        let start = self.at;
        while matches!(self.text.get(self.at), Some(b'\n' | b'\r')) {
            self.at += 1;
        }
        self.count_lines(start);
        if self.at == self.text.len() {
            return Ok(None);
        }
        let (line, start) = (self.line, self.at);
        let (mut written, mut ended, mut after) = (0, 0, [&b"\n"[..], b""].into_iter());
        loop {
            let rest = &self.text[self.at..];
            // A row without a line end is given one; a quoted field takes it as its own.
            let is_past = rest.is_empty();
            let input = if is_past { after.next().unwrap_or_default() } else { rest };
            let is_unclosed = is_past && input.is_empty();
            let (result, read, wrote, ends) = self.reader.read_record(
                input,
                &mut self.output[written..],
                &mut self.ends[ended..],
            );
            (written, ended) = (written + wrote, ended + ends);
            if !is_past {
                self.at += read;
            }
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => return Err(Fault::LongRow.at(line)),
                ReadRecordResult::OutputEndsFull => return Err(Fault::Columns.at(line)),
                ReadRecordResult::Record if is_unclosed => {
                    return Err(Fault::UnclosedQuote.at(line));
                }
                ReadRecordResult::Record if ended > MOST_COLUMNS => {
                    return Err(Fault::Columns.at(line));
                }
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return Ok(None),
            }
        }
        self.count_lines(start);
        let text = std::str::from_utf8(&self.output[..written]).map_err(|_| Fault::Encoding)?;
        Ok(Some(Record { line, text, ends: &self.ends[..ended] }))
    }

    fn count_lines(&mut self, start: usize) {
        let passed = &self.text[start..self.at];
        self.line += passed.split(|byte| *byte == self.newline).count() as u64 - 1;
    }
}

impl<'a> Record<'a> {
    /// Number of fields.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field; empty if there is none at this position.
    pub(super) fn field(&self, position: usize) -> &'a str {
        let start = position
            .checked_sub(1)
            .map_or(0, |before| self.ends.get(before).copied().unwrap_or(self.text.len()));
        let end = self.ends.get(position).copied().unwrap_or(start);
        self.text.get(start..end).unwrap_or_default().trim()
    }

    /// All fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = &'a str> {
        (0..self.len()).map(|position| self.field(position))
    }

    /// Whether no field has a character other than spaces.
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(u64, String)>, Located> {
        let mut records = Records::new(text, b',');
        let mut all = Vec::new();
        while let Some(record) = records.next()? {
            all.push((record.line, record.fields().collect::<Vec<_>>().join("|")));
        }
        Ok(all)
    }

    #[test]
    fn rows_have_the_line_on_which_they_begin() {
        for (text, expected) in [
            ("a,b\n1,2\n", &[(1, "a|b"), (2, "1|2")][..]),
            ("a,b\r\n\r\n1 , 2", &[(1, "a|b"), (3, "1|2")]),
            ("a\r1\r2\r", &[(1, "a"), (2, "1"), (3, "2")]),
            (
                "\n\na\n\"x\ny\",\"say \"\"hi\"\"\"\nz",
                &[(3, "a"), (4, "x\ny|say \"hi\""), (6, "z")],
            ),
            ("a,\n,\n", &[(1, "a|"), (2, "|")]),
            ("5\" pipe,\u{e9}", &[(1, "5\" pipe|\u{e9}")]),
            ("", &[]),
        ] {
            let expected: Vec<_> =
                expected.iter().map(|(line, row)| (*line, (*row).to_owned())).collect();
            assert_eq!(read(text), Ok(expected), "{text:?}");
        }
    }

    #[test]
    fn rows_without_an_end_are_refused_where_they_begin() {
        assert_eq!(read("a,b\n1,\"2\n3,4\n"), Err(Fault::UnclosedQuote.at(2)));
        assert_eq!(read("a,b\n1,\""), Err(Fault::UnclosedQuote.at(2)));
        let long = format!("a\n\"{}", "x\n".repeat(MOST_ROW_BYTES));
        assert_eq!(read(&long), Err(Fault::LongRow.at(2)));
        assert_eq!(read(&",".repeat(MOST_COLUMNS)), Err(Fault::Columns.at(1)));
        assert_eq!(read(&",".repeat(10_000)), Err(Fault::Columns.at(1)));
        assert_eq!(read(&",".repeat(MOST_COLUMNS - 1)).unwrap().len(), 1);
    }
}
