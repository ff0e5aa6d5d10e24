//! Reads the lines of `SHOW GRANTS`.

/// A grant of privileges.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Grant {
    /// Names in upper case, without columns; `GRANT OPTION` if they can be passed on.
    pub(super) privileges: Vec<String>,
    pub(super) scope: Scope,
}

/// What privileges apply to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Scope {
    /// The whole server.
    Server,
    /// A database, table or routine as the server writes it, such as `` `shop`.* ``.
    Named(String),
    /// Another user, for `PROXY`.
    User,
}

impl Scope {
    /// The scope as text.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Server => "*.*",
            Self::Named(name) => name,
            Self::User => "another user",
        }
    }
}

/// The grant of a line; `None` for a grant of a role and for lines that grant nothing.
pub(super) fn parsed(line: &str) -> Option<Grant> {
    let rest = line.strip_prefix("GRANT ")?;
    let (list, rest) = split_outside(rest, " ON ")?;
    let (on, rest) = split_outside(rest, " TO ")?;
    let mut privileges: Vec<String> = separated(list).into_iter().map(name).collect();
    if rest.contains(" WITH GRANT OPTION") {
        privileges.push("GRANT OPTION".to_owned());
    }
    let is_proxy = privileges.iter().any(|privilege| privilege == "PROXY");
    let on = ["TABLE ", "FUNCTION ", "PROCEDURE ", "PACKAGE BODY ", "PACKAGE "]
        .iter()
        .find_map(|kind| on.strip_prefix(kind))
        .unwrap_or(on);
    let scope = match on {
        "*.*" if !is_proxy => Scope::Server,
        _ if is_proxy => Scope::User,
        on => Scope::Named(on.replace('`', "")),
    };
    Some(Grant { privileges, scope })
}

/// Roles that these lines grant, quoted as the server writes them.
pub(super) fn roles(lines: &[String]) -> Vec<String> {
    let roles = lines.iter().filter_map(|line| {
        let rest = line.strip_prefix("GRANT ")?;
        let is_role = split_outside(rest, " ON ").is_none() && rest.starts_with('`');
        let (list, _) = split_outside(rest, " TO ").filter(|_| is_role)?;
        Some(separated(list).into_iter().map(str::to_owned))
    });
    roles.flatten().collect()
}

/// Name of a privilege without its columns, in upper case.
fn name(privilege: &str) -> String {
    privilege.split('(').next().unwrap_or_default().trim().to_ascii_uppercase()
}

/// Parts between commas outside of quotes and parentheses.
fn separated(list: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), list);
    while let Some((part, after)) = split_outside(rest, ",") {
        parts.push(part.trim());
        rest = after;
    }
    parts.push(rest.trim());
    parts
}

/// The text before and after the first separator outside of quotes and parentheses.
fn split_outside<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let (mut quoted, mut depth) = (None, 0_u32);
    for (at, character) in text.char_indices() {
        match (quoted, character) {
            (None, _) if depth == 0 && text[at..].starts_with(separator) => {
                return Some((&text[..at], &text[at + separator.len()..]));
            }
            (Some(open), _) if open == character => quoted = None,
            (None, '`' | '\'' | '"') => quoted = Some(character),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_quotes_are_no_keywords() {
        let grant =
            parsed("GRANT SELECT (`a ON b`, `c`), INSERT ON `x TO y`.* TO `u`@`%`").unwrap();
        assert_eq!(grant.privileges, ["SELECT", "INSERT"]);
        assert_eq!(grant.scope, Scope::Named("x TO y.*".to_owned()));
        let grant =
            parsed("GRANT PROXY ON ''@'%' TO 'root'@'localhost' WITH GRANT OPTION").unwrap();
        assert_eq!(grant.scope, Scope::User);
        assert_eq!(parsed("SET DEFAULT ROLE `reader` FOR `ann`@`%`"), None);
    }

    #[test]
    fn roles_keep_their_quotes() {
        let lines =
            ["GRANT `reader`@`%`,`writer`@`%` TO `ann`@`%`", "GRANT USAGE ON *.* TO `ann`@`%`"];
        assert_eq!(roles(&lines.map(str::to_owned)), ["`reader`@`%`", "`writer`@`%`"]);
        let lines = ["GRANT `reader` TO `ann`@`%`".to_owned()];
        assert_eq!(roles(&lines), ["`reader`"]);
    }
}
