//! Golden data for tests: outputs of other programs and published scores.
//!
//! The data is not part of the repository. It is looked for in a folder `shared` next to the repository, or in the folder
//! named by the environment variable `CRANFIELD_SHARED`.

use std::path::{Path, PathBuf};

/// A file or folder of the golden data, or `None` with a note if there is no golden data.
///
/// # Panics
/// If it is missing in continuous integration (the environment variable `CI` is set), where a skipped test would be
/// mistaken for a passed one.
#[expect(clippy::print_stdout, reason = "a skipped test reports it")]
pub fn golden(path: &str) -> Option<PathBuf> {
    let next_to_repository = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared =
        std::env::var_os("CRANFIELD_SHARED").map_or_else(next_to_repository, PathBuf::from);
    let golden = shared.join("golden").join(path);
    if golden.exists() {
        return Some(golden);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "golden data is missing: {}",
        golden.display()
    );
    println!("skipped: no shared data");
    None
}
