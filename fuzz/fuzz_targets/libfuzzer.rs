//! libFuzzer's side: one program for all targets, chosen by the environment variable `CRANFIELD_FUZZ_TARGET`.
//!
//! One program and not one for each target, since all of them link the same libraries and the counters of coverage are compared
//! inside a run only.

#![no_main]

use std::sync::OnceLock;

use cranfield_fuzz::targets::{self, Target};
use libfuzzer_sys::fuzz_target;

static TARGET: OnceLock<Target> = OnceLock::new();

fn chosen() -> Target {
    // In place of libfuzzer-sys's hook, which aborts on the first panic, even on one that the product catches.
    cranfield_fuzz::listen();
    let name = std::env::var("CRANFIELD_FUZZ_TARGET").unwrap_or_default();
    targets::find(&name).unwrap_or_else(|| {
        let known: Vec<&str> = targets::all().iter().map(|target| target.name).collect();
        eprintln!("set CRANFIELD_FUZZ_TARGET to one of: {}", known.join(" "));
        std::process::exit(2)
    })
}

fuzz_target!(|input: &[u8]| {
    (TARGET.get_or_init(chosen).run)(input);
});
