//! Sets the stack size of the Wasm module to 4 MiB, for which the nesting limits of the SQL reader are chosen.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={}", 4 << 20);
    }
}
