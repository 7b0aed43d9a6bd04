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

/// Only `.W` is indexed, which begins with the title. Topics are numbered in the order of the file, as the judgements are. A code of 1
/// is the best grade; -1 is the source of the question and not relevant.
const CRANFIELD: &str = "name = 'cranfield'
[documents]
files = ['SHARED/cran.all.1400.gz']
format = 'smart'
text = ['W']
expect = 1400
empty = ['471', '995']
[topics]
files = ['SHARED/cran.qry']
format = 'smart'
ids = 'ordinal'
expect = 225
[qrels]
files = ['SHARED/cranqrel']
format = 'columns: topic document grade'
grades = { '1' = 4, '2' = 3, '3' = 2, '4' = 1, '-1' = 0 }
";

const VASWANI: &str = "name = 'vaswani'
[documents]
files = ['SHARED/doc-text.trec.gz']
expect = 11429
[topics]
files = ['SHARED/query-text.trec']
expect = 93
[qrels]
files = ['SHARED/qrels']
";

/// The folder of a golden collection, `cranfield` or `vaswani`, and the text of a collection file for it; `None` if it is not there.
///
/// # Panics
/// If it is missing in continuous integration.
pub fn collection(name: &str) -> Option<(PathBuf, String)> {
    let folder = golden(&format!("../collections/{name}"))?;
    let folder = folder.canonicalize().unwrap_or(folder);
    let text = if name == "cranfield" {
        CRANFIELD
    } else {
        VASWANI
    };
    let text = text.replace("SHARED", &folder.to_string_lossy());
    Some((folder, text))
}
