//! Access rules: how callers are authenticated, and from which origins.

use std::sync::Arc;

use super::attempts::Attempts;
use super::lookups::Lookups;
use super::tokens::{Tokens, TokensError};
use crate::config::{AuthMode, Config, Origin};
use crate::metrics::Metrics;
use crate::store::Store;

/// How callers are authenticated.
#[derive(Clone, Debug, Default)]
pub enum Authentication {
    /// By API keys in the store, and sign-ins with them.
    Keys,
    /// Authentication is turned off.
    #[default]
    None,
    /// By tokens of an issuer.
    Tokens(Arc<Tokens>),
}

/// Access rules: how callers are authenticated, and from which origins.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// How callers are authenticated.
    pub authentication: Authentication,
    /// Other origins whose pages may call the API (CORS).
    pub origins: Arc<[Origin]>,
    pub(crate) attempts: Arc<Attempts>,
    pub(crate) lookups: Arc<Lookups>,
}

impl Access {
    /// Access rules from the configuration. Reads the key set of tokens.
    pub fn new(config: &Config) -> Result<Self, TokensError> {
        let options = &config.access;
        let authentication = match options.auth {
            AuthMode::None => Authentication::None,
            AuthMode::Keys => Authentication::Keys,
            AuthMode::Jwt => {
                Authentication::Tokens(Arc::new(Tokens::new(options, config.rights.clone())?))
            }
        };
        Ok(Self {
            authentication,
            origins: options.allow_origin.clone().into(),
            attempts: Arc::default(),
            lookups: Arc::default(),
        })
    }

    /// Whether authentication is turned off.
    pub fn is_open(&self) -> bool {
        matches!(self.authentication, Authentication::None)
    }
}

/// State that the authentication of a request needs.
#[derive(Clone)]
pub(crate) struct Gate {
    /// Access rules.
    pub(crate) access: Access,
    /// Counters of rejected requests.
    pub(crate) metrics: Arc<Metrics>,
    /// API keys and sign-ins.
    pub(crate) store: Store,
}
