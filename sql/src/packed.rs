//! Binary encoding of the tree, for hosts that have no SQL reader.
//!
//! The encoding omits field names, so its decoder in the page's Wasm is a third of the size of a JSON one.

use serde::Deserialize;

use super::nesting::Nesting;
use super::tree::Query;

/// Version of the encoding; it changes whenever the tree does, and other versions are rejected.
const FORM: u8 = 1;
/// Maximum nesting of values. The SQL parser stops at 36 levels, and each takes at most four levels here.
const DEPTH: u8 = 150;

/// The encoded query; `None` if it nests too deeply.
pub fn pack(query: &Query) -> Option<Vec<u8>> {
    let bytes = postcard::to_extend(query, vec![FORM]).ok()?;
    unpack(&bytes).is_some().then_some(bytes)
}

/// The decoded query; `None` if the bytes are incomplete, nest too deeply or have another version.
pub fn unpack(bytes: &[u8]) -> Option<Query> {
    let (form, bytes) = bytes.split_first()?;
    let mut reader = postcard::Deserializer::from_bytes(bytes);
    let query = Query::deserialize(Nesting::new(&mut reader, DEPTH)).ok()?;
    (*form == FORM && reader.finalize().ok()?.is_empty()).then_some(query)
}

#[cfg(all(test, feature = "read"))]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::Expr;
    use crate::{ReadDialect, read};

    const EVERYTHING: &str = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) \
        SELECT DISTINCT a.x AS y, count(*) FILTER (WHERE a.x IS NOT NULL) OVER (PARTITION BY a.z ORDER BY a.x DESC \
        NULLS LAST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), CASE WHEN a.x LIKE 'b%' ESCAPE '!' THEN -1 ELSE \
        CAST(a.z AS numeric(4, 2)) END FROM s.a LEFT JOIN LATERAL (SELECT 1) b ON NOT (a.x = b.x OR a.x IN (1, 2)) \
        WHERE a.d BETWEEN DATE '2026-01-01' AND :until AND EXISTS (SELECT 1 FROM c WHERE c.x = a.x) \
        GROUP BY ROLLUP (a.x, a.z) HAVING sum(a.z) > 2.5 ORDER BY 1 LIMIT 5 OFFSET 2";

    /// Fails when the tree changes: raise `FORM` together with the snapshot.
    #[test]
    fn the_form_is_the_one_that_is_declared() {
        let query = read(EVERYTHING, ReadDialect::Postgres).unwrap();
        let bytes = pack(&query).unwrap();
        assert_eq!(unpack(&bytes), Some(query));
        insta::assert_snapshot!(format!("{bytes:02x?}"));
    }

    #[test]
    fn deep_nesting_is_refused() {
        let nested = |depth: usize| {
            let not = (0..depth).fold(Expr::number("1"), |inner, _| Expr::Not(Box::new(inner)));
            pack(&Query { limit: Some(not), ..Query::default() })
        };
        assert!(nested(50).is_some());
        assert!(nested(200).is_none());
        assert!(nested(50).is_some());
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken(mut bytes: Vec<u8>) {
            unpack(&bytes);
            bytes.insert(0, FORM);
            unpack(&bytes);
        }
    }
}
