//! Line breaks and indentation.

/// Maximum length of a line in bytes; longer lists are printed with one item per line.
const LINE: usize = 88;

/// A line break followed by `indent` spaces.
pub(super) fn break_line(indent: usize) -> String {
    let mut text = String::with_capacity(indent + 1);
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
    text
}

/// `keyword items`, on one line if it fits, otherwise with one item per line.
pub(super) fn list_clause(keyword: &str, items: &[String], indent: usize) -> String {
    let width: usize = items.iter().map(|item| item.len() + 2).sum();
    let one_line = indent + keyword.len() + 1 + width <= LINE;
    if items.len() < 2 || one_line && items.iter().all(|item| !item.contains('\n')) {
        return format!("{keyword} {}", items.join(", "));
    }
    let start = break_line(indent + 2);
    format!("{keyword}{start}{}", items.join(&format!(",{start}")))
}
