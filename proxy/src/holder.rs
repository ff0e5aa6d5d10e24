//! Who holds slots and turns.

use crate::connections::Peer;
use crate::identity::Identity;

/// A caller, as far as it can be told apart from others.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Holder {
    /// An authenticated user.
    User(Identity),
    /// Everyone at an address, without a user.
    Peer(Peer),
}

impl Holder {
    /// The user, else the address.
    pub fn of(identity: Option<&Identity>, peer: Peer) -> Self {
        match identity {
            Some(identity) if identity.user.is_some() => Self::User(identity.clone()),
            _ => Self::Peer(peer),
        }
    }
}
