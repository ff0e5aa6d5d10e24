//! Date format strings; the tree uses those of `to_char`.

use std::sync::LazyLock;

use crate::words::entries;

/// Notation of a date format.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Family {
    /// strftime of DuckDB and the formats of BigQuery.
    Posix,
    /// strftime of SQLite.
    Sqlite,
    /// `DATE_FORMAT` of MySQL.
    Mysql,
    /// `to_char` of PostgreSQL, Oracle, Redshift and Snowflake.
    ToChar,
    /// FORMAT of SQL Server.
    Dotnet,
    /// `date_format` of Spark.
    Java,
    /// `to_char` of Snowflake, as it is written.
    Snowflake,
}

impl Family {
    /// The notation with this name in the function tables.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "posix" => Self::Posix,
            "sqlite" => Self::Sqlite,
            "mysql" => Self::Mysql,
            "to_char" => Self::ToChar,
            "dotnet" => Self::Dotnet,
            _ => return None,
        })
    }

    fn column(self) -> usize {
        match self {
            Self::Posix => 0,
            Self::Sqlite => 1,
            Self::Mysql => 2,
            Self::ToChar => 3,
            Self::Dotnet => 4,
            Self::Java => 5,
            Self::Snowflake => 6,
        }
    }
}

struct Part {
    meaning: &'static str,
    spellings: Vec<&'static str>,
}

static PARTS: LazyLock<Vec<Part>> = LazyLock::new(|| {
    let file = include_str!("../../data/date_formats.tsv");
    entries(file)
        .filter_map(|line| {
            let (meaning, spellings) = line.split_once('\t')?;
            Some(Part { meaning, spellings: spellings.split('\t').collect() })
        })
        .collect()
});

/// Converts a format to another notation. The error names the part that has no counterpart.
pub(super) fn translated(format: &str, from: Family, to: Family) -> Result<String, String> {
    let mut written = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if let Some((part, after)) = part_at(rest, from) {
            written.push_str(
                &spelled(part, to)
                    .ok_or_else(|| format!("{} in the format {format:?}", part.meaning))?,
            );
            rest = after;
            continue;
        }
        if let Some((text, after)) = quoted(rest, from) {
            append(&mut written, &literal(text, to).ok_or_else(|| foreign(format, text))?, to);
            rest = after;
            continue;
        }
        let is_letter = first.is_ascii_alphabetic();
        let is_mark = match from {
            Family::Posix | Family::Sqlite | Family::Mysql => first == '%',
            Family::ToChar | Family::Dotnet | Family::Java | Family::Snowflake => {
                is_letter || matches!(first, '"' | '\\' | '%')
            }
        };
        if is_mark {
            return Err(foreign(format, rest));
        }
        let (text, after) = rest.split_at(first.len_utf8());
        append(&mut written, &literal(text, to).ok_or_else(|| foreign(format, text))?, to);
        rest = after;
    }
    Ok(written)
}

/// The parts of a format in another notation: text in that notation, or as errors the meanings of the parts that it
/// does not have. `None` if a part is unknown.
pub(super) fn pieces(
    format: &str,
    from: Family,
    to: Family,
) -> Option<Vec<Result<String, &'static str>>> {
    let mut found: Vec<Result<String, &'static str>> = Vec::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        let (piece, after) = match part_at(rest, from) {
            Some((part, after)) => match spelled(part, to) {
                Some(text) => (Ok(text), after),
                None => (Err(part.meaning), after),
            },
            None => match quoted(rest, from) {
                Some((text, after)) => (Ok(literal(text, to)?), after),
                None if first.is_ascii_alphabetic() => return None,
                None => {
                    let (text, after) = rest.split_at(first.len_utf8());
                    (Ok(literal(text, to)?), after)
                }
            },
        };
        match (found.last_mut(), piece) {
            (Some(Ok(text)), Ok(more)) => append(text, &more, to),
            (_, piece) => found.push(piece),
        }
        rest = after;
    }
    Some(found)
}

/// A format of Snowflake, whose names of months and weekdays have one case, in the notation of PostgreSQL.
pub(super) fn of_snowflake(format: &str) -> String {
    let names = [("MMMM", "FMMonth"), ("MON", "Mon"), ("DY", "Dy")];
    let mut written = String::new();
    let mut quoted = false;
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        quoted ^= first == '"';
        let found = names.iter().find(|(own, _)| {
            !quoted && rest.get(..own.len()).is_some_and(|head| head.eq_ignore_ascii_case(own))
        });
        let (text, length) = match found {
            Some((own, name)) => (*name, own.len()),
            None => (&rest[..first.len_utf8()], first.len_utf8()),
        };
        written.push_str(text);
        rest = &rest[length..];
    }
    written
}

/// An Oracle format with FM before each part that it applies to: Oracle's FM holds until the next FM.
pub(super) fn without_toggle(format: &str) -> String {
    let mut written = String::new();
    let mut rest = format;
    let mut on = false;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("FM").or_else(|| rest.strip_prefix("fm")) {
            on = !on;
            rest = after;
            continue;
        }
        let filled = format!("FM{rest}");
        let found = part_at(&filled, Family::ToChar).filter(|_| on);
        let length = match found {
            Some((_, after)) => {
                written.push_str("FM");
                filled.len() - after.len() - 2
            }
            None => match part_at(rest, Family::ToChar) {
                Some((_, after)) => rest.len() - after.len(),
                None => first.len_utf8(),
            },
        };
        let (part, after) = rest.split_at(length);
        written.push_str(part);
        rest = after;
    }
    written
}

/// Whether a `to_char` format is one of numbers that PostgreSQL, Oracle, Redshift and Snowflake have in common.
pub(super) fn is_of_number(format: &str) -> bool {
    let upper = format.to_ascii_uppercase();
    let digits = upper.strip_prefix("FM").unwrap_or(&upper);
    let digits = ["S", "MI"].iter().find_map(|sign| digits.strip_suffix(sign)).unwrap_or(digits);
    digits.contains(['0', '9'])
        && digits.chars().all(|mark| matches!(mark, '0' | '9' | '.' | ',' | 'D' | 'G'))
}

/// Whether a `to_char` format has a part smaller than a day.
pub(super) fn has_time(format: &str) -> bool {
    ["HH", "MI", "SS", "US", "MS"].iter().any(|part| format.contains(part))
}

fn foreign(format: &str, rest: &str) -> String {
    let mark: String = rest.chars().take(4).collect();
    format!("{mark:?} in the format {format:?}")
}

/// The longest part at the start of a format, and the rest. `to_char` parts match in any case.
fn part_at(rest: &str, family: Family) -> Option<(&'static Part, &str)> {
    let column = family.column();
    let starts = |part: &Part, spelling: &str| {
        rest.get(..spelling.len()).is_some_and(|head| match family {
            // The case of a name such as `Month` selects the case of the output, so it must match exactly.
            Family::ToChar
                if part.meaning.ends_with("in capitals")
                    || spelling.ends_with(|c: char| c.is_ascii_lowercase()) =>
            {
                head == spelling
            }
            Family::ToChar => head.eq_ignore_ascii_case(spelling),
            _ => head == spelling,
        })
    };
    PARTS
        .iter()
        .filter_map(|part| {
            let spelling = *part.spellings.get(column)?;
            let counts = spelling != "-" && (part.meaning != "percent" || spelling.len() == 2);
            (counts && starts(part, spelling)).then_some((part, spelling.len()))
        })
        .max_by_key(|(_, length)| *length)
        .map(|(part, length)| (part, &rest[length..]))
}

fn spelled(part: &Part, family: Family) -> Option<String> {
    part.spellings.get(family.column()).filter(|text| **text != "-").map(|text| (*text).to_owned())
}

/// A quoted literal at the start of a `to_char` or .NET format, without its quotes, and the rest.
fn quoted(rest: &str, family: Family) -> Option<(&str, &str)> {
    let quotes: &[char] = match family {
        Family::ToChar => &['"'],
        Family::Dotnet => &['"', '\''],
        _ => return None,
    };
    let mark = rest.chars().next().filter(|mark| quotes.contains(mark))?;
    rest[1..].split_once(mark)
}

/// Appends a part to a format; a quoted literal continues one before it.
fn append(written: &mut String, part: &str, family: Family) {
    match part.strip_prefix('\'').filter(|_| family == Family::Java && written.ends_with('\'')) {
        Some(rest) => {
            written.pop();
            written.push_str(rest);
        }
        None => written.push_str(part),
    }
}

fn literal(text: &str, family: Family) -> Option<String> {
    let letters = text.chars().any(|c| c.is_ascii_alphanumeric());
    match family {
        Family::Posix | Family::Sqlite | Family::Mysql => Some(text.replace('%', "%%")),
        Family::ToChar | Family::Dotnet | Family::Snowflake if text.contains(['"', '\\']) => None,
        Family::ToChar | Family::Dotnet | Family::Snowflake if letters => {
            Some(format!("\"{text}\""))
        }
        // These are reserved or begin an optional section.
        Family::Java if letters || text.contains(['\'', '[', ']', '{', '}', '#', '!']) => {
            Some(format!("'{}'", text.replace('\'', "''")))
        }
        Family::ToChar | Family::Dotnet | Family::Java | Family::Snowflake => Some(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Family, PARTS, translated};

    #[test]
    fn every_part_has_a_spelling_in_each_family_or_none() {
        assert!(PARTS.iter().all(|part| part.spellings.len() == 7));
    }

    #[test]
    fn parts_are_translated_and_others_are_named() {
        let translate = |format, from, to| translated(format, from, to);
        assert_eq!(
            translate("%Y-%m-%dT%H:%i", Family::Mysql, Family::ToChar).unwrap(),
            "YYYY-MM-DD\"T\"HH24:MI"
        );
        assert_eq!(
            translate("YYYY-MM-DD HH24:MI:SS", Family::ToChar, Family::Sqlite).unwrap(),
            "%Y-%m-%d %H:%M:%S"
        );
        let fault = translate("FMMonth YYYY", Family::ToChar, Family::Sqlite).unwrap_err();
        assert!(fault.starts_with("month name"), "{fault}");
        assert!(translate("%U", Family::Mysql, Family::ToChar).is_err());
        assert!(translate("MONTH", Family::ToChar, Family::ToChar).is_err());
    }
}
