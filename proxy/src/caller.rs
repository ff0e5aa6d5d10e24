//! The caller of a request: identity and data source.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;

use crate::access::{Access, not_signed_in};
use crate::connections::{Connection, Peer};
use crate::data_source::{DataSource, DataSources};
use crate::holder::Holder;
use crate::identity::{DEFAULT_TENANT, Identity, MADE_ID, is_made_id};
use crate::limits::Occupied;
use crate::problem::{Problem, ProblemCode};
use crate::rights::Rights;

/// The caller of a request.
pub(crate) struct Caller {
    /// Tenant and user.
    pub(crate) identity: Identity,
    /// What the caller may see; `None` if rights are not configured.
    pub(crate) rights: Option<Rights>,
    /// Who takes turns on the database.
    pub(crate) holder: Holder,
    /// Data source of the tenant, with the rights of the caller.
    pub(crate) source: Arc<DataSource>,
    /// Connection over which the request came, if it came over one.
    pub(crate) connection: Option<Arc<Connection>>,
    /// What the request occupies until its work ends, even if its client has left.
    #[expect(dead_code, reason = "it is only held")]
    pub(crate) occupied: Occupied,
}

impl Caller {
    /// Name of the person who asks: that of an authenticated user, else the one in the request.
    pub(crate) fn name(&self, named: Option<&str>) -> Option<String> {
        self.identity.user.clone().or_else(|| named.map(str::to_owned))
    }

    /// Key of the memory and history to use: that of an authenticated user, else of the person whose random id the
    /// client sends.
    ///
    /// An authenticated user can only be `me`.
    pub(crate) fn person(&self, named: Option<&str>) -> Result<Option<String>, Problem> {
        let Identity { tenant, user } = &self.identity;
        // The length prefix prevents collisions of names that contain the separator.
        match (user, named) {
            (Some(user), None | Some(ME)) => Ok(Some(format!("{}:{tenant}/{user}", tenant.len()))),
            (Some(_), Some(_)) => {
                let detail = "an authenticated user must use `me`";
                Err(Problem::new(ProblemCode::OtherPerson, detail).with("pointer", "/person"))
            }
            (None, None) => Ok(None),
            (None, Some(ME)) => {
                let detail = "`me` needs an authenticated user";
                Err(Problem::new(ProblemCode::OtherPerson, detail).with("pointer", "/person"))
            }
            (None, Some(named)) => {
                check_person(named)?;
                Ok(Some(match tenant.as_str() {
                    DEFAULT_TENANT => named.to_owned(),
                    _ => format!("{}:{tenant}?{named}", tenant.len()),
                }))
            }
        }
    }

    /// Key of the memory that everyone of the tenant shares, who has the same rights.
    pub(crate) fn everyone(&self) -> String {
        let tenant = &self.identity.tenant;
        match &self.rights {
            Some(rights) => format!("everyone:{tenant}#{}", rights.key()),
            None => format!("everyone:{tenant}"),
        }
    }
}

/// Name by which an authenticated user refers to themselves.
const ME: &str = "me";
/// Rejects ids that are malformed or short enough to be guessed.
fn check_person(person: &str) -> Result<(), Problem> {
    if is_made_id(person) {
        return Ok(());
    }
    let detail = format!(
        "person must have {} to {} letters, digits, hyphens and underscores",
        MADE_ID.start(),
        MADE_ID.end()
    );
    Err(Problem::new(ProblemCode::InvalidPerson, detail).with("pointer", "/person"))
}

impl<S> FromRequestParts<S> for Caller
where
    S: Send + Sync,
    Access: FromRef<S>,
    DataSources: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let (access, sources) = (Access::from_ref(state), DataSources::from_ref(state));
        let connection = parts.extensions.get().cloned();
        let occupied = parts.extensions.get().cloned().unwrap_or_default();
        let identity = parts.extensions.get::<Identity>();
        let rights = parts.extensions.get::<Rights>();
        let found = Self::found(&access, &sources, (identity, rights), connection)?;
        Ok(Self { occupied, ..found })
    }
}

impl Caller {
    /// Caller of an identity with its rights, over a connection if there is one. Without an identity, the request is rejected unless authentication is turned off.
    pub(crate) fn found(
        access: &Access,
        sources: &DataSources,
        (identity, rights): (Option<&Identity>, Option<&Rights>),
        connection: Option<Arc<Connection>>,
    ) -> Result<Self, Problem> {
        let peer = connection.as_ref().map_or_else(Peer::default, |connection| connection.peer());
        let holder = Holder::of(identity, peer);
        let identity = match identity {
            Some(identity) => identity.clone(),
            None if access.is_open() => Identity::default(),
            None => return Err(not_signed_in()),
        };
        let Some(source) = sources.get(&identity.tenant) else {
            let detail = "this tenant has no data source";
            return Err(Problem::new(ProblemCode::UnknownTenant, detail));
        };
        let (source, rights) = (source.for_rights(rights)?, rights.cloned());
        let occupied = Occupied::default();
        Ok(Self { identity, rights, holder, source, connection, occupied })
    }
}
