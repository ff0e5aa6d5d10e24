//! Compares two statements by PostgreSQL's own parser.

#[cfg(feature = "judge")]
pub(super) use parser::{check, difference, meaning};
#[cfg(not(feature = "judge"))]
pub(super) use without::{check, difference, meaning};

#[cfg(feature = "judge")]
mod parser {
    use anyhow::Result;
    use pg_query::protobuf::SortByDir;
    use serde_json::Value;

    /// Checks that the parser was compiled in.
    #[expect(clippy::unnecessary_wraps, reason = "without the judge it is a fault")]
    pub(crate) fn check() -> Result<()> {
        Ok(())
    }

    /// Parse tree of a single statement, without details that do not affect its meaning.
    pub(crate) fn meaning(sql: &str) -> Result<Value, String> {
        let parsed = pg_query::parse(sql, 0).map_err(|error| error.to_string())?;
        if parsed.protobuf.stmts.len() != 1 {
            return Err(format!("{} statements", parsed.protobuf.stmts.len()));
        }
        let mut tree =
            serde_json::to_value(&parsed.protobuf.stmts).map_err(|error| error.to_string())?;
        strip(&mut tree);
        Ok(tree)
    }

    /// Removes source positions and the ASC that ORDER BY implies.
    fn strip(tree: &mut Value) {
        match tree {
            Value::Array(items) => items.iter_mut().for_each(strip),
            Value::Object(fields) => {
                fields.retain(|name, _| !is_place(name));
                if let Some(direction) = fields.get_mut("sortby_dir")
                    && *direction == SortByDir::SortbyAsc as i32
                {
                    *direction = Value::from(SortByDir::SortbyDefault as i32);
                }
                fields.values_mut().for_each(strip);
            }
            _ => {}
        }
    }

    fn is_place(field: &str) -> bool {
        field.ends_with("location")
            || matches!(field, "stmt_len" | "list_start" | "list_end")
            || field.starts_with("rexpr_list_")
    }

    /// First difference of two trees: the path without indexes, and both values.
    pub(crate) fn difference(one: &Value, other: &Value) -> Option<String> {
        match (one, other) {
            (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
                left.iter().zip(right).find_map(|(left, right)| difference(left, right))
            }
            (Value::Object(left), Value::Object(right)) if left.keys().eq(right.keys()) => {
                left.iter().find_map(|(name, value)| {
                    let found = difference(value, right.get(name)?)?;
                    let is_wrapper = matches!(name.as_str(), "node" | "val" | "stmt");
                    Some(if is_wrapper { found } else { format!("{name}.{found}") })
                })
            }
            _ if one == other => None,
            _ => Some(format!("{} became {}", short(one), short(other))),
        }
    }

    fn short(value: &Value) -> String {
        value.to_string().chars().take(90).collect()
    }
}

#[cfg(not(feature = "judge"))]
mod without {
    use anyhow::{Result, bail};
    use serde_json::Value;

    const ABSENT: &str = "this build has no judge: cargo xtask eval builds bench with its feature `judge`, \
                          which needs libclang (on Debian: libclang1-14 and libclang-common-14-dev)";

    pub(crate) fn check() -> Result<()> {
        bail!(ABSENT)
    }

    pub(crate) fn meaning(_: &str) -> Result<Value, String> {
        Err(ABSENT.to_owned())
    }

    pub(crate) fn difference(_: &Value, _: &Value) -> Option<String> {
        None
    }
}
