//! Authentication: API keys, sign-ins and tokens are resolved to identities; requests without one are rejected.

mod attempts;
mod authenticate;
mod claims;
mod cookie;
pub mod keys;
mod lookups;
mod rules;
mod sign_in;
mod token_signatures;
mod tokens;

pub(crate) use authenticate::{authenticate, closing, not_signed_in};
pub(crate) use rules::Gate;
pub use rules::{Access, Authentication};
pub(crate) use sign_in::router as sign_in_router;
pub use tokens::{Tokens, TokensError};
