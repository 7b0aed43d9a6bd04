//! Links the programs at a fixed address where that is known to work.
//!
//! A program that can be loaded anywhere has its tables of constants adjusted at every start, and the texts of the measures make large
//! tables: a third of a millisecond, where a small run takes six. Libraries, stack and heap stay at random addresses.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| {
        let found = std::env::var(format!("CARGO_CFG_TARGET_{name}"));
        found.is_ok_and(|found| found == value)
    };
    let known = is("ARCH", "x86_64") || is("ARCH", "aarch64");
    if is("OS", "linux") && is("ENV", "gnu") && known {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
