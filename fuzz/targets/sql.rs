//! Any bytes as SQL: reading, binding, every rule, the guard, printing, and rewriting for other dialects.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    wherefore_fuzz::sql(bytes);
});
