//! JSON Web Tokens, verified with the keys of a file that is reloaded when it changes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};
use thiserror::Error;

use super::claims;
use super::token_signatures;
use crate::config::{Access as Options, RightsOptions};
use crate::identity::DEFAULT_TENANT;
use crate::identity::Identity;
use crate::problem::Problem;
use crate::rights::Rights;

/// Interval at which the file is checked for changes.
const LOOK: Duration = Duration::from_secs(1);
/// Maximum length of a token, in bytes.
const TOKEN: usize = 8 * 1024;
/// Maximum length of the name of a tenant or user, in bytes.
const NAME: usize = 256;
/// Tolerated clock skew, in seconds.
const LEEWAY: u64 = 30;

/// Why a key set is rejected.
#[derive(Clone, Debug, Error)]
#[error("key set {}: {reason}", path.display())]
pub struct TokensError {
    path: PathBuf,
    reason: String,
}

/// Verifies tokens of one issuer.
#[derive(Debug)]
pub struct Tokens {
    path: PathBuf,
    issuer: String,
    audience: String,
    tenant_claim: String,
    rights: Option<RightsOptions>,
    loaded: Mutex<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    keys: Arc<Vec<Key>>,
    version: Option<Version>,
    looked: Instant,
    is_current: bool,
}

/// Modification time of a file, and its length in bytes.
type Version = (SystemTime, u64);

#[derive(Debug)]
struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
}

impl Tokens {
    /// Reads the configured key set; `rights` are those that tokens must have claims for.
    pub fn new(options: &Options, rights: Option<RightsOptions>) -> Result<Self, TokensError> {
        token_signatures::install();
        let path = options.jwks.clone().unwrap_or_default();
        let version = version(&path);
        let keys = Arc::new(read(&path)?);
        Ok(Self {
            path,
            issuer: options.jwt_issuer.clone().unwrap_or_default(),
            audience: options.jwt_audience.clone().unwrap_or_default(),
            tenant_claim: options.jwt_tenant_claim.clone(),
            rights,
            loaded: Mutex::new(Loaded { keys, version, looked: Instant::now(), is_current: true }),
        })
    }

    /// Whether the current version of the file could be read.
    pub fn is_current(&self) -> bool {
        drop(self.keys());
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).is_current
    }

    /// Number of keys in use.
    pub fn len(&self) -> usize {
        self.keys().len()
    }

    /// Whether no key is in use.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Identity of a token, and its rights if they are configured; `None` if the token is not valid.
    ///
    /// A valid token without a claim that the rights need is refused.
    pub(crate) fn signed_in(
        &self,
        token: &str,
    ) -> Result<Option<(Identity, Option<Rights>)>, Problem> {
        let Some((mut identity, claims)) = self.verified(token) else { return Ok(None) };
        let rights = self.rights.as_ref().map(|options| claims::rights(options, &claims));
        let rights = rights.transpose()?;
        if let Some(rights) = &rights {
            identity.restrict(rights);
        }
        Ok(Some((identity, rights)))
    }

    /// Identity and claims of a token; `None` if the token is not valid.
    fn verified(&self, token: &str) -> Option<(Identity, Map<String, Value>)> {
        if token.len() > TOKEN {
            return None;
        }
        let header = decode_header(token).ok()?;
        // Critical header extensions (`crit`) are not supported.
        if header.crit.as_ref().is_some_and(|names| !names.is_empty()) {
            return None;
        }
        let keys = self.keys();
        let key = match &header.kid {
            Some(id) => keys.iter().find(|key| key.id.as_ref() == Some(id))?,
            None if keys.len() == 1 => &keys[0],
            None => return None,
        };
        let mut validation = Validation::new(key.algorithm);
        validation.leeway = LEEWAY;
        validation.validate_nbf = true;
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let claims = decode::<Map<String, Value>>(token, &key.key, &validation).ok()?.claims;
        let name = |value: &Value| {
            let text = value.as_str()?;
            let fits =
                !text.is_empty() && text.len() <= NAME && !text.chars().any(char::is_control);
            fits.then(|| text.to_owned())
        };
        let user = name(claims.get("sub")?)?;
        let tenant = match claims.get(&self.tenant_claim) {
            Some(tenant) => name(tenant)?,
            None => DEFAULT_TENANT.to_owned(),
        };
        Some((Identity { tenant, user: Some(user) }, claims))
    }

    /// The current keys; the previous ones if the file has become unreadable.
    fn keys(&self) -> Arc<Vec<Key>> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if loaded.looked.elapsed() >= LOOK {
            loaded.looked = Instant::now();
            let version = version(&self.path);
            if version != loaded.version || version.is_none() {
                match read(&self.path) {
                    Ok(keys) => {
                        loaded.keys = Arc::new(keys);
                        loaded.version = version;
                        loaded.is_current = true;
                        tracing::info!(keys = loaded.keys.len(), "key set loaded");
                    }
                    Err(error) if loaded.is_current => {
                        loaded.is_current = false;
                        tracing::warn!(%error, "cannot reload the key set; keeping the previous keys");
                    }
                    Err(_) => {}
                }
            }
        }
        Arc::clone(&loaded.keys)
    }
}

fn version(path: &std::path::Path) -> Option<Version> {
    let file = std::fs::metadata(path).ok()?;
    Some((file.modified().ok()?, file.len()))
}

fn read(path: &std::path::Path) -> Result<Vec<Key>, TokensError> {
    let failed = |reason: String| TokensError { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path)
        .map_err(|error| failed(format!("cannot read the file: {error}")))?;
    let set: JwkSet = serde_json::from_str(&text)
        .map_err(|error| failed(format!("not a JSON Web Key Set: {error}")))?;
    let keys: Vec<Key> = set.keys.iter().filter_map(key).collect();
    if keys.is_empty() {
        return Err(failed("no key for RS256, ES256 or EdDSA".to_owned()));
    }
    Ok(keys)
}

/// A key for verifying signatures. Its type determines the algorithm, regardless of the token's header.
fn key(jwk: &Jwk) -> Option<Key> {
    if !matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature)) {
        return None;
    }
    let algorithm = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            Algorithm::ES256
        }
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            Algorithm::EdDSA
        }
        _ => return None,
    };
    let named = jwk.common.key_algorithm.map(|named| named.to_string());
    if named.is_some_and(|named| named != format!("{algorithm:?}")) {
        return None;
    }
    let key = DecodingKey::from_jwk(jwk).ok()?;
    Some(Key { id: jwk.common.key_id.clone(), algorithm, key })
}
