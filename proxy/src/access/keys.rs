//! Secrets that are shown once (API keys and ids of sign-ins), and the digests of them that are stored.
//!
//! An API key has 256 random bits and an id of a sign-in 128, so they cannot be guessed and a plain SHA-256 suffices;
//! slow salted hashes are for passwords that people choose. Secrets are looked up by digest, whose bytes an attacker
//! cannot choose, so that lookup time reveals nothing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// Prefix of API keys.
const PREFIX: &str = "wf_";
/// Characters after the prefix: 256 bits.
const KEY_LENGTH: usize = 43;
/// Characters of an id of a sign-in: 128 bits.
const SIGN_IN_LENGTH: usize = 22;

/// A new API key: `wf_` and 43 characters.
pub fn new_key() -> Result<String, getrandom::Error> {
    Ok(format!("{PREFIX}{}", random::<32>()?))
}

/// A new id of a sign-in: 22 characters.
pub(crate) fn new_sign_in() -> Result<String, getrandom::Error> {
    random::<16>()
}

/// Whether a text has the form of an API key.
pub(crate) fn is_key(text: &str) -> bool {
    text.strip_prefix(PREFIX).is_some_and(|rest| is_url_safe(rest, KEY_LENGTH))
}

/// Whether a text has the form of an id of a sign-in.
pub(crate) fn is_sign_in(text: &str) -> bool {
    is_url_safe(text, SIGN_IN_LENGTH)
}

/// SHA-256 of a secret.
pub fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

fn random<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

fn is_url_safe(text: &str, length: usize) -> bool {
    text.len() == length
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_random_and_known_by_their_form() {
        let (one, other) = (new_key().unwrap(), new_key().unwrap());
        assert_eq!(one.len(), 46);
        assert_ne!(one, other);
        assert!(is_key(&one));
        assert!(is_sign_in(&new_sign_in().unwrap()));
        for other in ["", "wf_", &one[1..], &format!("{one}x"), &one.replace('_', " ")] {
            assert!(!is_key(other), "{other}");
        }
    }

    #[test]
    fn digests_are_sha256() {
        assert_eq!(digest("abc")[..4], [0xba, 0x78, 0x16, 0xbf]);
    }
}
