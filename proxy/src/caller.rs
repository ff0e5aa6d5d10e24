//! Who asks: the tenant whose data is asked about, and the user where one is known.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::problem::Problem;
use crate::source::Source;
use crate::state::{AppState, DEFAULT_TENANT};

/// Who a request was found to come from; the layer that authenticates puts it among the request's extensions.
#[derive(Clone, Debug, Eq, PartialEq)]
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
    /// Whose memory is used: the user's where one is known, else the one that the client names.
    pub(crate) fn person(&self, named: Option<String>) -> Option<String> {
        let Identity { tenant, user } = &self.identity;
        user.as_ref().map(|user| format!("{tenant}/{user}")).or(named)
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let identity = parts.extensions.get::<Identity>().cloned().unwrap_or_default();
        let Some(source) = state.source(&identity.tenant) else {
            let detail = "no data source belongs to this tenant";
            return Err(Problem::new(StatusCode::FORBIDDEN, "unknown_tenant", detail));
        };
        Ok(Self { identity, source })
    }
}
