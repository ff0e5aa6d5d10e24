//! Declared types of columns.

use wherefore_engine::catalog::DataType;

/// Type family of a column, given the name of its type and its whole declaration, such as `tinyint` and `tinyint(1)`.
///
/// `tinyint(1)` is an integer here: whether it holds booleans depends on its values.
pub(super) fn family(name: &str, declared: &str) -> DataType {
    match name {
        "bit" if declared == "bit(1)" => DataType::Boolean,
        "bit" | "year" => DataType::Integer,
        "enum" | "set" => DataType::Text,
        "geometry" | "geometrycollection" | "linestring" | "multilinestring" | "multipolygon"
        | "polygon" | "vector" => DataType::Other,
        name => DataType::from_declaration(name),
    }
}

/// Whether a column is declared in the way that stands for a boolean.
pub(super) fn may_be_boolean(declared: &str) -> bool {
    declared.starts_with("tinyint(1)")
}

/// The values of an `enum` in the order of their declaration; `None` for other types.
pub(super) fn labels(declared: &str) -> Option<Vec<String>> {
    let list = declared.strip_prefix("enum(")?.strip_suffix(')')?;
    let mut labels = Vec::new();
    let mut characters = list.chars().peekable();
    while characters.next_if_eq(&'\'').is_some() {
        let mut label = String::new();
        loop {
            match characters.next()? {
                '\'' if characters.next_if_eq(&'\'').is_some() => label.push('\''),
                '\'' => break,
                '\\' => label.push(match characters.next()? {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    '0' => '\0',
                    other => other,
                }),
                other => label.push(other),
            }
        }
        labels.push(label);
        characters.next_if_eq(&',');
    }
    Some(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_follow_the_declaration() {
        for (name, declared, expected) in [
            ("int", "int(10) unsigned zerofill", DataType::Integer),
            ("bit", "bit(1)", DataType::Boolean),
            ("bit", "bit(8)", DataType::Integer),
            ("year", "year(4)", DataType::Integer),
            ("decimal", "decimal(65,30)", DataType::Number),
            ("enum", "enum('date')", DataType::Text),
            ("datetime", "datetime(6)", DataType::Timestamp),
            ("time", "time", DataType::Time),
            ("mediumblob", "mediumblob", DataType::Binary),
            ("polygon", "polygon", DataType::Other),
            ("json", "json", DataType::Json),
        ] {
            assert_eq!(family(name, declared), expected, "{declared}");
        }
    }

    #[test]
    fn labels_are_unescaped() {
        assert_eq!(labels(r"enum('a','it''s','b\\,','')").unwrap(), ["a", "it's", "b\\,", ""]);
        assert_eq!(labels("set('a')"), None);
    }
}
