//! Lists of items joined by "and" or "or".

/// Joins items with `and` before the last: `a, b and c`.
pub fn and_list(items: &[impl AsRef<str>]) -> String {
    list(items, "and")
}

/// Joins items with `or` before the last: `a, b or c`.
pub fn or_list(items: &[impl AsRef<str>]) -> String {
    list(items, "or")
}

/// Joins items with a word before the last; one item gives itself, no items give an empty text.
pub fn list(items: &[impl AsRef<str>], word: &str) -> String {
    let Some((last, rest)) = items.split_last() else { return String::new() };
    let mut list = String::new();
    for (at, item) in rest.iter().enumerate() {
        if at > 0 {
            list.push_str(", ");
        }
        list.push_str(item.as_ref());
    }
    if !rest.is_empty() {
        list.extend([" ", word, " "]);
    }
    list.push_str(last.as_ref());
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_item_stands_behind_the_word() {
        assert_eq!(and_list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(or_list(&["a", "b"]), "a or b");
        assert_eq!(list(&["a", "b", "c"], "nor"), "a, b nor c");
        assert_eq!(and_list(&["a"]), "a");
        assert_eq!(and_list(&Vec::<String>::new()), "");
    }
}
