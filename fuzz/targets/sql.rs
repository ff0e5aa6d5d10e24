//! Fuzz target: any bytes, read as SQL.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    wherefore_fuzz::sql(bytes);
});
