//! Converts spans from UTF-8 bytes to UTF-16 code units, the unit of JavaScript strings.

use wherefore_sql::explain::Step;
use wherefore_sql::lint::Finding;
use wherefore_sql::tree::SqlSpan;

pub(crate) fn findings(found: &mut [Finding], sql: &str) {
    for finding in found {
        convert(&mut finding.span, sql);
        for edit in finding.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            convert(&mut edit.span, sql);
        }
    }
}

pub(crate) fn steps(steps: &mut [Step], sql: &str) {
    for step in steps {
        convert(&mut step.span, sql);
        self::steps(&mut step.inner, sql);
    }
}

/// Converts a span from bytes to code units; a span outside the text is clamped to it.
pub(crate) fn convert(span: &mut SqlSpan, sql: &str) {
    let units = |offset: u32| {
        let end = sql.floor_char_boundary(offset as usize);
        sql[..end].encode_utf16().count() as u32
    };
    *span = SqlSpan { start: units(span.start), end: units(span.end) };
}

#[cfg(test)]
mod tests {
    use super::{SqlSpan, convert};

    #[test]
    fn offsets_behind_an_astral_character_count_code_units() {
        let sql = "'🍷' x";
        let mut span = SqlSpan { start: 7, end: 99 };
        convert(&mut span, sql);
        assert_eq!((span.start, span.end), (5, 6));
    }
}
