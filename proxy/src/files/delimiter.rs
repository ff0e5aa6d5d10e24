//! Which character separates the fields of a text.

use super::records::Records;

/// Bytes of a text that are examined.
const SAMPLE: usize = 64 * 1024;
/// Rows that are examined.
const ROWS: usize = 200;

/// How well a delimiter fits: percent of the rows that have as many fields as the first, and this number.
type Fit = (usize, usize);

/// The delimiter under which most rows have as many fields as the first; the likeliest of equals is the first one.
pub(super) fn delimiter(text: &str, is_tab_likely: bool) -> u8 {
    let candidates = if is_tab_likely { *b"\t,;|" } else { *b",;\t|" };
    let mut end = text.len().min(SAMPLE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (sample, is_cut) = (&text[..end], end < text.len());
    let mut best = (candidates[0], (0, 1));
    for candidate in candidates {
        let fit = fit(sample, is_cut, candidate);
        if fit.1 > 1 && fit > best.1 {
            best = (candidate, fit);
        }
    }
    best.0
}

fn fit(sample: &str, is_cut: bool, delimiter: u8) -> Fit {
    let mut records = Records::new(sample, delimiter);
    let mut widths = Vec::new();
    while widths.len() < ROWS {
        match records.next() {
            Ok(Some(record)) => widths.push(record.len()),
            Ok(None) => {
                if is_cut && widths.len() > 1 {
                    widths.pop();
                }
                break;
            }
            Err(_) => break,
        }
    }
    let first = widths.first().copied().unwrap_or(0);
    let even = widths.iter().filter(|width| **width == first).count();
    (even * 100 / widths.len().max(1), first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delimiter_is_the_one_that_makes_rows_even() {
        for (text, expected) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1;2\n", b';'),
            ("a\tb\n1\t2\n", b'\t'),
            ("a|b\n1|2\n", b'|'),
            ("name;price\nbolt;1,5\nnut;2,5\n", b';'),
            ("name;price;note\nbolt;1,5;\nnut;2,5;x, y\n", b';'),
            ("a,b\n\"x;y;z\",2\n\"1;2;3\",4\n", b','),
            ("a,b\n\"x\ny\",2\n", b','),
            ("a,b,c\n1,2,3\n4,5\n6,7,8\n", b','),
            ("name\nAnn\nBob\n", b','),
            ("name\nDoe, Ann\nRoe, Bob\n", b','),
            ("a,b;c,d\n", b','),
        ] {
            assert_eq!(delimiter(text, false), expected, "{text:?}");
        }
        assert_eq!(delimiter("name\nAnn\n", true), b'\t');
        assert_eq!(delimiter("a,b\n1,2\n", true), b',');
    }

    #[test]
    fn a_row_that_the_sample_cuts_does_not_count() {
        let text = format!("a;b\n{}", "12,3;45,6\n".repeat(SAMPLE / 8));
        assert_eq!(delimiter(&text, false), b';');
    }
}
