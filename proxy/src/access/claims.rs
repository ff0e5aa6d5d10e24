//! Claims of a token that decide what its bearer may see.

use serde_json::{Map, Value};

use crate::config::{ClaimOption, ClaimType, RightsOptions, RoleOption, SETTING_PREFIX};
use crate::problem::{Problem, ProblemCode};
use crate::rights::Rights;

/// Maximum length of a text, in bytes.
const TEXT: usize = 1024;

/// Rights of a token with these claims; refused if one is missing or of another type.
pub(super) fn rights(
    options: &RightsOptions,
    claims: &Map<String, Value>,
) -> Result<Rights, Problem> {
    let settings = options.claims.iter().map(|(name, option)| {
        let value = claims.get(&option.claim).and_then(|value| setting(option.kind, value));
        let value = value.ok_or_else(|| missing(option))?;
        Ok((format!("{SETTING_PREFIX}{name}"), value))
    });
    let role = options.role.as_ref().map(|option| role(option, claims)).transpose()?;
    Ok(Rights::new(settings.collect::<Result<_, Problem>>()?, role))
}

/// Role that the value of a claim is mapped to.
fn role(option: &RoleOption, claims: &Map<String, Value>) -> Result<String, Problem> {
    let value = claims.get(&option.claim).and_then(Value::as_str);
    let role = value.and_then(|value| option.map.get(value));
    role.cloned().ok_or_else(|| {
        let claim = &option.claim;
        let detail = format!("the token needs the claim {claim}, with a value that has a role");
        Problem::new(ProblemCode::MissingClaim, detail)
    })
}

/// Value of a setting; `None` if the claim has another type.
fn setting(kind: ClaimType, value: &Value) -> Option<String> {
    match kind {
        ClaimType::Boolean => value.as_bool().map(|value| value.to_string()),
        ClaimType::Integer => value.as_i64().map(|value| value.to_string()),
        ClaimType::Text => text(value).map(str::to_owned),
    }
}

/// A text that is not empty, and has no control characters.
fn text(value: &Value) -> Option<&str> {
    let fits =
        |text: &&str| (1..=TEXT).contains(&text.len()) && !text.chars().any(char::is_control);
    value.as_str().filter(fits)
}

fn missing(option: &ClaimOption) -> Problem {
    let expected = match option.kind {
        ClaimType::Boolean => "a boolean",
        ClaimType::Integer => "an integer",
        ClaimType::Text => "a text that is not empty",
    };
    let detail = format!("the token needs the claim {}, with {expected}", option.claim);
    Problem::new(ProblemCode::MissingClaim, detail)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_claim_must_have_its_type() {
        use ClaimType::{Boolean, Integer, Text};
        for (kind, value, expected) in [
            (Text, json!("north"), Some("north")),
            (Text, json!(" "), Some(" ")),
            (Text, json!(""), None),
            (Text, json!("a\u{0}"), None),
            (Text, json!("x".repeat(TEXT + 1)), None),
            (Text, json!(1), None),
            (Text, json!(null), None),
            (Text, json!(["north"]), None),
            (Integer, json!(-7), Some("-7")),
            (Integer, json!(7.5), None),
            (Integer, json!("7"), None),
            (Integer, json!(u64::MAX), None),
            (Boolean, json!(true), Some("true")),
            (Boolean, json!("true"), None),
            (Boolean, json!(1), None),
        ] {
            assert_eq!(setting(kind, &value).as_deref(), expected, "{kind:?} {value}");
        }
    }
}
