//! Gives the module the stack that the caps of the engine's reader are made for: Rust's own choice is half of it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={}", 4 << 20);
    }
}
