//! Who asks: the tenant whose data is asked about, and the user where one is known.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::access;
use crate::problem::Problem;
use crate::source::Source;
use crate::state::{AppState, DEFAULT_TENANT};

/// Who a request was found to come from; the layer that authenticates puts it among the request's extensions.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Identity {
    /// Tenant.
    pub tenant: String,
    /// User; none where nobody has to say who they are.
    pub user: Option<String>,
}

impl Identity {
    /// The user as the store knows them: an empty text where nobody has to say who they are.
    pub(crate) fn owner(&self) -> &str {
        self.user.as_deref().unwrap_or_default()
    }
}

impl Default for Identity {
    fn default() -> Self {
        Self { tenant: DEFAULT_TENANT.to_owned(), user: None }
    }
}

/// Who asks, with the data source that is theirs.
pub(crate) struct Caller {
    /// Tenant and user.
    pub(crate) identity: Identity,
    /// The tenant's data source.
    pub(crate) source: Arc<Source>,
}

impl Caller {
    /// Whose memory is used and whose history is kept: the user's where one is known, else the one that the client
    /// names by an id that it chose at random.
    ///
    /// A known user is nobody else: the only name taken is `me`.
    pub(crate) fn person(&self, named: Option<&str>) -> Result<Option<String>, Problem> {
        let Identity { tenant, user } = &self.identity;
        // The length keeps names apart that hold the separator.
        match (user, named) {
            (Some(user), None | Some(ME)) => Ok(Some(format!("{}:{tenant}/{user}", tenant.len()))),
            (Some(_), Some(_)) => {
                let detail = "a user who is known is named by me only";
                Err(Problem::new(StatusCode::FORBIDDEN, "other_person", detail)
                    .with("pointer", "/person"))
            }
            (None, None) => Ok(None),
            (None, Some(named)) => {
                check_person(named)?;
                Ok(Some(match tenant.as_str() {
                    DEFAULT_TENANT => named.to_owned(),
                    _ => format!("{}:{tenant}?{named}", tenant.len()),
                }))
            }
        }
    }

    /// Under which name the memory of everyone of the tenant is kept.
    pub(crate) fn everyone(&self) -> String {
        format!("everyone:{}", self.identity.tenant)
    }
}

/// How a user who is known names themselves.
const ME: &str = "me";
/// Shortest and longest id that a client makes, in characters.
const MADE_ID: std::ops::RangeInclusive<usize> = 16..=64;

/// Whether a client made this id as it should be: 16 to 64 letters, digits, hyphens and underscores.
pub(crate) fn is_made_id(id: &str) -> bool {
    MADE_ID.contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Refuses ids that could be guessed, or that are no ids.
fn check_person(person: &str) -> Result<(), Problem> {
    if is_made_id(person) {
        return Ok(());
    }
    let detail = format!(
        "id of a person has {} to {} letters, digits, hyphens and underscores",
        MADE_ID.start(),
        MADE_ID.end()
    );
    Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid_person", detail)
        .with("pointer", "/person"))
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        Self::found(state, parts.extensions.get::<Identity>())
    }
}

impl Caller {
    /// Who a request was found to come from; refused where nobody was found and somebody must be.
    pub(crate) fn found(state: &AppState, identity: Option<&Identity>) -> Result<Self, Problem> {
        let identity = match identity {
            Some(identity) => identity.clone(),
            None if state.access.is_open() => Identity::default(),
            None => return Err(access::not_signed_in()),
        };
        let Some(source) = state.source(&identity.tenant) else {
            let detail = "no data source belongs to this tenant";
            return Err(Problem::new(StatusCode::FORBIDDEN, "unknown_tenant", detail));
        };
        Ok(Self { identity, source })
    }
}
