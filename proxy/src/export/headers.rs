//! Content negotiation of exports, and their response headers.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::database::RunEnd;

/// Trailers of streams and headers of files: number of rows sent, whether rows were left out, and number of cells that were cut.
const ROWS: HeaderName = HeaderName::from_static("x-wherefore-rows");
const TRUNCATED: HeaderName = HeaderName::from_static("x-wherefore-truncated");
const CUT_CELLS: HeaderName = HeaderName::from_static("x-wherefore-cut-cells");
/// Maximum length of a file name without its extension, in characters.
const NAME_LENGTH: usize = 80;

/// Formats of a result.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Format {
    Arrow,
    Csv,
    Json,
    Ndjson,
    Parquet,
    Xlsx,
}

impl Format {
    const ALL: [Self; 6] =
        [Self::Json, Self::Csv, Self::Ndjson, Self::Arrow, Self::Parquet, Self::Xlsx];

    fn media_type(self) -> &'static str {
        match self {
            Self::Arrow => "application/vnd.apache.arrow.stream",
            Self::Csv => "text/csv",
            Self::Json => "application/json",
            Self::Ndjson => "application/x-ndjson",
            Self::Parquet => "application/vnd.apache.parquet",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }

    fn content_type(self) -> &'static str {
        if self == Self::Csv {
            "text/csv; charset=utf-8; header=present"
        } else {
            self.media_type()
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Arrow => "arrows",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Parquet => "parquet",
            Self::Xlsx => "xlsx",
        }
    }
}

/// The preferred format of the `Accept` header: JSON if any type is accepted, `None` if no supported one is.
pub(crate) fn accepted(headers: &HeaderMap) -> Option<Format> {
    let mut best: Option<(f32, Format)> = None;
    let mut any = false;
    for value in headers.get_all(header::ACCEPT) {
        any = true;
        for range in value.to_str().ok()?.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let wanted = parts.next().unwrap_or_default().to_ascii_lowercase();
            let weight = parts
                .find_map(|part| part.strip_prefix("q="))
                .map_or(Some(1.0), |weight| weight.parse::<f32>().ok())?;
            let format = Format::ALL.into_iter().find(|format| {
                let own = format.media_type();
                wanted == own
                    || wanted == "*/*"
                    || wanted
                        .strip_suffix('*')
                        .is_some_and(|kind| kind.ends_with('/') && own.starts_with(kind))
            });
            if let Some(format) = format
                && weight > best.map_or(0.0, |(best, _)| best)
            {
                best = Some((weight, format));
            }
        }
    }
    if any { best.map(|(_, format)| format) } else { Some(Format::Json) }
}

/// Response headers of a result that is downloaded under a file name while its rows arrive.
pub(super) fn of_stream(format: Format, name: &str) -> HeaderMap {
    let mut headers = of(format, name);
    headers.insert(
        header::TRAILER,
        HeaderValue::from_static("x-wherefore-rows, x-wherefore-truncated, x-wherefore-cut-cells"),
    );
    headers
}

/// Response headers of a complete file.
pub(super) fn of_file(format: Format, name: &str, length: u64, end: &RunEnd) -> HeaderMap {
    let mut headers = of(format, name);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    headers.extend(summary(end));
    headers
}

/// The summary of a run as headers or trailers.
pub(super) fn summary(end: &RunEnd) -> HeaderMap {
    let truncated = if end.truncated { "true" } else { "false" };
    HeaderMap::from_iter([
        (ROWS, HeaderValue::from(end.rows)),
        (TRUNCATED, HeaderValue::from_static(truncated)),
        (CUT_CELLS, HeaderValue::from(end.cuts.count)),
    ])
}

fn of(format: Format, name: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let disposition = format!("attachment; filename=\"{}.{}\"", file_name(name), format.ending());
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    headers
}

/// A file name that is safe in a header and on every file system: ASCII letters, digits, `-` and `_`.
fn file_name(name: &str) -> String {
    let safe: String =
        name.chars()
            .map(|character| {
                if character.is_ascii_alphanumeric() || character == '-' { character } else { '_' }
            })
            .take(NAME_LENGTH)
            .collect();
    let safe = safe.trim_matches('_');
    if safe.is_empty() { "result".to_owned() } else { safe.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_the_one_that_the_client_likes_best() {
        for (accept, expected) in [
            ("application/json", Some(Format::Json)),
            ("text/csv", Some(Format::Csv)),
            ("Text/CSV; charset=utf-8", Some(Format::Csv)),
            ("application/x-ndjson", Some(Format::Ndjson)),
            ("application/vnd.apache.arrow.stream", Some(Format::Arrow)),
            ("application/vnd.apache.parquet", Some(Format::Parquet)),
            (
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                Some(Format::Xlsx),
            ),
            ("text/csv;q=0.5, application/x-ndjson;q=0.9", Some(Format::Ndjson)),
            ("*/*", Some(Format::Json)),
            ("application/*", Some(Format::Json)),
            ("text/*", Some(Format::Csv)),
            ("text/html, application/xhtml+xml, */*;q=0.8", Some(Format::Json)),
            ("text/html", None),
            ("text/csv;q=0", None),
            ("text/csv;q=much", None),
        ] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(accepted(&headers), expected, "{accept}");
        }
        assert_eq!(accepted(&HeaderMap::new()), Some(Format::Json));
    }

    #[test]
    fn names_of_files_hold_nothing_that_a_header_or_a_file_system_reads() {
        for (name, expected) in [
            ("orders of 2024", "orders_of_2024"),
            ("../../etc/passwd", "etc_passwd"),
            ("a\"; filename=\"evil.exe", "a___filename__evil_exe"),
            ("a\r\nSet-Cookie: x", "a__Set-Cookie__x"),
            ("Übersicht", "bersicht"),
            ("", "result"),
            ("…", "result"),
        ] {
            assert_eq!(file_name(name), expected, "{name}");
        }
    }
}
