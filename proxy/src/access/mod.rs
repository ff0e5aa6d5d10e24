//! Who may ask: keys, sign-ins and tokens become identities; everything without one is refused.

pub mod keys;
mod layer;
mod sign_in;
mod token_signatures;
mod tokens;

use std::sync::Arc;

use crate::config::{AuthMode, Config, Origin};

pub(crate) use layer::{authenticate, not_signed_in};
pub(crate) use sign_in::{Attempts, router as sign_in_router};
pub use tokens::{Tokens, TokensError};

/// How those who ask are known.
#[derive(Clone, Debug, Default)]
pub enum Authentication {
    /// By API keys of the store, and sign-ins made with them.
    Keys,
    /// Not at all.
    #[default]
    None,
    /// By tokens of an issuer.
    Tokens(Arc<Tokens>),
}

/// Who may ask, and from which pages.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// How those who ask are known.
    pub authentication: Authentication,
    /// Origins of pages of other sites that may call the interface.
    pub origins: Arc<[Origin]>,
    pub(crate) attempts: Arc<Attempts>,
}

impl Access {
    /// What the options say; the key set of tokens is read.
    pub fn new(config: &Config) -> Result<Self, TokensError> {
        let options = &config.access;
        let authentication = match options.auth {
            AuthMode::None => Authentication::None,
            AuthMode::Keys => Authentication::Keys,
            AuthMode::Jwt => Authentication::Tokens(Arc::new(Tokens::new(options)?)),
        };
        Ok(Self {
            authentication,
            origins: options.allow_origin.clone().into(),
            attempts: Arc::default(),
        })
    }

    /// Whether nobody has to say who they are.
    pub fn is_open(&self) -> bool {
        matches!(self.authentication, Authentication::None)
    }
}
