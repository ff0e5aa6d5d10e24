//! Digest of rights.

use sha2::{Digest, Sha256};

/// 128 bits of the SHA-256 of settings and role, in hexadecimal digits.
pub(super) fn of(settings: &[(String, String)], role: Option<&str>) -> String {
    let mut digest = Sha256::new();
    let mut add = |text: &str| {
        // The length prefix keeps texts apart.
        digest.update((text.len() as u64).to_be_bytes());
        digest.update(text);
    };
    for (name, value) in settings {
        add(name);
        add(value);
    }
    // Names of settings are never empty.
    for text in role.into_iter().flat_map(|role| ["", role]) {
        add(text);
    }
    let digest = digest.finalize();
    let digits = digest.iter().take(16).map(|byte| format!("{byte:02x}"));
    digits.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn texts_that_are_divided_in_another_way_have_another_digest() {
        let setting = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        let all = [
            of(&[], None),
            of(&[], Some("ab")),
            of(&setting("a", "bc"), None),
            of(&setting("ab", "c"), None),
            of(&setting("a", "b"), Some("c")),
        ];
        let different: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), 5);
        assert!(all.iter().all(|digits| digits.len() == 32));
    }
}
