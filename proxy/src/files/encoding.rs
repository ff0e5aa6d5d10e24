//! Text of a file in whichever encoding it is.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::error::{Fault, Located};

/// Bytes that are examined for what the content is.
const SAMPLE: usize = 64 * 1024;
/// How files of other kinds begin.
const OTHER: [(&[u8], &str); 9] = [
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a workbook or ZIP archive"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected workbook"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
];
/// Bytes without a character in Windows-1252.
const UNDEFINED: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/// Kind of the content if it is known not to be a table in text.
pub(super) fn other_content(bytes: &[u8]) -> Option<&'static str> {
    let start = bytes.trim_ascii_start();
    let named = |name: &[u8]| start.get(..name.len()).is_some_and(|s| s.eq_ignore_ascii_case(name));
    if [&b"<!doctype html"[..], b"<html"].iter().any(|name| named(name)) {
        return Some("an HTML page");
    }
    OTHER.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| *kind)
}

/// Text of a file: UTF-8 or UTF-16, with or without a byte order mark, and otherwise Windows-1252.
pub(super) fn decode(bytes: Vec<u8>) -> Result<(String, &'static str), Located> {
    if bytes.trim_ascii().is_empty() {
        return Err(Fault::Empty.into());
    }
    if let Some(kind) = other_content(&bytes) {
        return Err(Fault::OtherContent(kind).into());
    }
    if let Some(encoding) = wide(&bytes) {
        let (text, broken) = encoding.decode_with_bom_removal(&bytes);
        return match broken {
            true => Err(Fault::Encoding.into()),
            false if text.contains('\0') => Err(Fault::OtherContent("binary data").into()),
            false if text.trim().is_empty() => Err(Fault::Empty.into()),
            false => Ok((text.into_owned(), encoding.name())),
        };
    }
    if is_binary(&bytes) {
        return Err(Fault::OtherContent("binary data").into());
    }
    let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
        Some(rest) if rest.trim_ascii().is_empty() => return Err(Fault::Empty.into()),
        Some(rest) => rest.to_vec(),
        None => bytes,
    };
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok((text, "UTF-8")),
        Err(error) => error.into_bytes(),
    };
    let (mut wide, mut invalid, mut first, mut at) = (0_usize, 0_usize, None, 0);
    for chunk in bytes.utf8_chunks() {
        wide += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            invalid += 1;
            first.get_or_insert(at);
        }
        at += chunk.invalid().len();
    }
    if wide > invalid {
        let before = &bytes[..first.unwrap_or_default()];
        let lines = before.split(|byte| *byte == b'\n').count();
        return Err(Fault::BrokenUtf8.at(lines as u64));
    }
    if bytes.iter().any(|byte| UNDEFINED.contains(byte)) {
        return Err(Fault::Encoding.into());
    }
    Ok((WINDOWS_1252.decode_without_bom_handling(&bytes).0.into_owned(), WINDOWS_1252.name()))
}

/// UTF-16 by its byte order mark, or by the zeros of its ASCII characters.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [0xff, 0xfe, ..] => return Some(UTF_16LE),
        [0xfe, 0xff, ..] => return Some(UTF_16BE),
        _ if bytes.len() < 4 || !bytes.len().is_multiple_of(2) => return None,
        _ => {}
    }
    let sample = &bytes[..bytes.len().min(1024)];
    let zeros = |offset: usize| {
        let every = sample.iter().skip(offset).step_by(2);
        every.filter(|byte| **byte == 0).count() * 100 / (sample.len() / 2)
    };
    match (zeros(0), zeros(1)) {
        (0..5, 40..) => Some(UTF_16LE),
        (40.., 0..5) => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether bytes are binary data: they contain NUL or control characters that text does not.
fn is_binary(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let control =
        sample.iter().filter(|byte| matches!(byte, 0x01..=0x08 | 0x0e..=0x19 | 0x1c..=0x1f));
    control.count() * 100 > sample.len() || bytes.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide_bytes(text: &str, pair: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(pair).collect()
    }

    #[test]
    fn each_encoding_gives_the_same_text() {
        let text = "name;town\nZoë;Köln\n";
        let mut marked = b"\xef\xbb\xbf".to_vec();
        marked.extend(text.as_bytes());
        for (bytes, name) in [
            (text.as_bytes().to_vec(), "UTF-8"),
            (marked, "UTF-8"),
            (wide_bytes(&format!("\u{feff}{text}"), u16::to_le_bytes), "UTF-16LE"),
            (wide_bytes(&format!("\u{feff}{text}"), u16::to_be_bytes), "UTF-16BE"),
            (wide_bytes(text, u16::to_le_bytes), "UTF-16LE"),
            (wide_bytes(text, u16::to_be_bytes), "UTF-16BE"),
            (b"name;town\nZo\xeb;K\xf6ln\n".to_vec(), "windows-1252"),
        ] {
            assert_eq!(decode(bytes), Ok((text.to_owned(), name)), "{name}");
        }
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let broken = "a\nZoë\nKöln\nMünch".bytes().chain(*b"\xff\n").collect::<Vec<u8>>();
        for (bytes, expected) in [
            (&b""[..], Fault::Empty.into()),
            (b" \r\n", Fault::Empty.into()),
            (b"\xef\xbb\xbf\n", Fault::Empty.into()),
            (b"\xff\xfe", Fault::Empty.into()),
            (b"\x89PNG\r\n\x1a\n\0", Fault::OtherContent("a PNG image").into()),
            (b"PK\x03\x04..", Fault::OtherContent("a workbook or ZIP archive").into()),
            (b"<!DOCTYPE HTML><html>", Fault::OtherContent("an HTML page").into()),
            (b"a,b\n1,\0\n", Fault::OtherContent("binary data").into()),
            (b"\x01\x02\x03abc\n", Fault::OtherContent("binary data").into()),
            (b"a\n\x8d\x81\x90\n", Fault::Encoding.into()),
            (b"\xff\xfea\0\x00\xd8b", Fault::Encoding.into()),
            (&broken, Fault::BrokenUtf8.at(4)),
        ] {
            assert_eq!(decode(bytes.to_vec()), Err(expected), "{bytes:?}");
        }
    }
}
