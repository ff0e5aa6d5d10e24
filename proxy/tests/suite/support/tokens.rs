//! Signs tokens with keys whose public parts are in `data/keys.json`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::Value;

/// A token with this header and these claims, signed by the key for the algorithm named last.
pub fn token(header: &Value, claims: &Value, signed_by: &str) -> String {
    let part = |value: &Value| BASE64.encode(value.to_string());
    let message = format!("{}.{}", part(header), part(claims));
    let random = SystemRandom::new();
    let bytes = message.as_bytes();
    let signature = match signed_by {
        "RS256" => {
            let key = RsaKeyPair::from_pkcs8(include_bytes!("../data/token_rs256.der")).unwrap();
            let mut signature = vec![0; key.public().modulus_len()];
            key.sign(&RSA_PKCS1_SHA256, &random, bytes, &mut signature).unwrap();
            signature
        }
        "ES256" => {
            let key = include_bytes!("../data/token_es256.der");
            let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, key, &random);
            key.unwrap().sign(&random, bytes).unwrap().as_ref().to_vec()
        }
        "EdDSA" => {
            let key = include_bytes!("../data/token_eddsa.der");
            let key = Ed25519KeyPair::from_pkcs8_maybe_unchecked(key).unwrap();
            key.sign(bytes).as_ref().to_vec()
        }
        "HS256" => {
            // Signs with the public key as an HMAC secret, which fools verifiers that trust the header (algorithm
            // confusion).
            let secret = include_bytes!("../data/keys.json");
            let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret);
            ring::hmac::sign(&key, bytes).as_ref().to_vec()
        }
        _ => Vec::new(),
    };
    format!("{message}.{}", BASE64.encode(signature))
}
