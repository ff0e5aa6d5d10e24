//! Signatures of known functions.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::Kind;
use crate::Dialect;
use crate::words::entries;

/// Argument and result types of a function.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Signature {
    /// Minimum number of arguments.
    pub least: usize,
    /// Maximum number of arguments; `None` if unlimited.
    pub most: Option<usize>,
    /// Expected type of each argument; the last one applies to all further arguments.
    pub wants: Vec<Wants>,
    pub returns: Returns,
}

/// Expected type of an argument.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Wants {
    Anything,
    Kind(Kind),
    /// Any numeric type.
    Number,
    /// A date or a timestamp.
    Temporal,
}

/// Result type of a function.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Returns {
    /// The common type of all arguments.
    Common,
    /// The type of the first argument.
    First,
    Kind(Kind),
    /// The type of a sum of the first argument.
    Total,
    Unknown,
}

type Table = BTreeMap<&'static str, Signature>;

static TABLES: LazyLock<[Table; 2]> = LazyLock::new(|| {
    let file = include_str!("../../data/signatures.tsv");
    [table(file, "postgres"), table(file, "sqlite")]
});

/// The signature of a function, by its lower-case name; `None` if the function is not known.
pub fn signature(name: &str, dialect: Dialect) -> Option<&'static Signature> {
    let [postgres, sqlite] = &*TABLES;
    match dialect {
        Dialect::Postgres => postgres.get(name),
        Dialect::Sqlite => sqlite.get(name),
    }
}

impl Wants {
    /// Whether an argument of this type is accepted.
    pub fn takes(self, kind: Kind) -> bool {
        match self {
            _ if matches!(kind, Kind::Untyped | Kind::Other) => true,
            Self::Anything => true,
            // Intervals can be summed and averaged too.
            Self::Number => kind.is_numeric() || kind == Kind::Interval,
            Self::Temporal => kind.is_temporal(),
            Self::Kind(wanted) => kind == wanted,
        }
    }

    /// The expected type as a phrase for messages.
    pub fn words(self) -> &'static str {
        match self {
            Self::Anything => "anything",
            Self::Number => "a number",
            Self::Temporal => "a date or a timestamp",
            Self::Kind(kind) => kind.words(),
        }
    }
}

fn table(file: &'static str, dialect: &str) -> Table {
    let mut table = Table::new();
    for line in entries(file) {
        let mut fields = line.split('\t');
        let (Some(names), Some(of), Some(arguments), Some(result)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if of != "both" && of != dialect {
            continue;
        }
        let signature = read_signature(arguments, result);
        for name in names.split(',') {
            table.insert(name, signature.clone());
        }
    }
    table
}

fn read_signature(arguments: &str, result: &str) -> Signature {
    let letters = arguments.trim_end_matches('*');
    let needed = letters.split('?').next().unwrap_or_default();
    let wants: Vec<Wants> = letters.chars().filter_map(wants).collect();
    let repeats = arguments.ends_with('*');
    // In `aa*` the repeated argument may be absent.
    let least = if repeats && !letters.contains('?') {
        needed.len().saturating_sub(1)
    } else {
        needed.len()
    };
    Signature {
        least,
        most: (!repeats).then_some(wants.len()),
        wants,
        returns: match result {
            "+" => Returns::Total,
            "=" => Returns::First,
            "~" => Returns::Common,
            "D" => Returns::Kind(Kind::Date),
            "s" => Returns::Kind(Kind::Timestamp),
            "t" => Returns::Kind(Kind::Text),
            "i" => Returns::Kind(Kind::Integer),
            "n" => Returns::Kind(Kind::Number),
            "b" => Returns::Kind(Kind::Boolean),
            "v" => Returns::Kind(Kind::Interval),
            "j" => Returns::Kind(Kind::Json),
            _ => Returns::Unknown,
        },
    }
}

fn wants(letter: char) -> Option<Wants> {
    Some(match letter {
        't' => Wants::Kind(Kind::Text),
        'i' => Wants::Kind(Kind::Integer),
        'n' => Wants::Number,
        'b' => Wants::Kind(Kind::Boolean),
        'd' => Wants::Temporal,
        'v' => Wants::Kind(Kind::Interval),
        'j' => Wants::Kind(Kind::Json),
        'a' => Wants::Anything,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::names;

    #[test]
    fn every_signature_is_of_a_function_that_may_be_called() {
        for (dialect, table) in [Dialect::Postgres, Dialect::Sqlite].into_iter().zip(&*TABLES) {
            for name in table.keys() {
                assert!(names(dialect).any(|known| known == *name), "{name} on {dialect}");
            }
        }
    }

    #[test]
    fn what_may_be_left_out_and_what_repeats_is_read() {
        let round = signature("round", Dialect::Postgres).unwrap();
        assert_eq!((round.least, round.most), (1, Some(2)));
        let coalesce = signature("coalesce", Dialect::Postgres).unwrap();
        assert_eq!((coalesce.least, coalesce.most), (1, None));
        let count = signature("count", Dialect::Sqlite).unwrap();
        assert_eq!((count.least, count.most), (0, Some(1)));
        let ws = signature("concat_ws", Dialect::Postgres).unwrap();
        assert_eq!(ws.least, 2);
    }
}
