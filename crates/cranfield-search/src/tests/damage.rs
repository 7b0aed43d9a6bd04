//! A damaged index is an error; it neither panics nor answers differently.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use proptest::sample::Index as Choice;
use tempfile::TempDir;

use super::zipf::{documents, queries};
use super::{SMALL, exactly, index};
use crate::index::Sizes;
use crate::{Error, Index, Searcher};

const VOCABULARY: usize = 300;

type Rankings = Vec<Vec<(String, u64)>>;

/// An index whose frequent terms have stored bounds, its files, and its answers.
static WHOLE: LazyLock<(TempDir, Vec<PathBuf>, Rankings)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let sizes = Sizes {
        block_bytes: 64 << 10,
        ..SMALL
    };
    index(
        &folder.path().join("index"),
        documents(1200, VOCABULARY),
        sizes,
        2,
    );
    let path = folder.path().join("index");
    let answers = answers(&path).unwrap();
    let files = files(&path, Path::new(""));
    assert!(files.len() >= 10, "{files:?}");
    (folder, files, answers)
});

/// The files below a folder, in order.
fn files(folder: &Path, below: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder.join(below)).unwrap() {
        let entry = entry.unwrap();
        let path = below.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            all.extend(files(folder, &path));
        } else {
            all.push(path);
        }
    }
    all.sort_unstable();
    all
}

/// Reads terms, postings, bounds, lengths, ids and stored text.
fn answers(path: &Path) -> Result<Rankings, Error> {
    let index = Arc::new(Index::open(path)?);
    let mut all = Vec::new();
    let searches = [
        ("BM25", ""),
        ("VSM('lnc.ltc')", ""),
        ("QL(mu=100)", "RM3(max_df=1)"),
    ];
    for (model, feedback) in searches {
        let model = model.parse().unwrap();
        let searcher = Searcher::new(Arc::clone(&index), &model, feedback.parse().ok())?;
        let searcher = searcher.with_strategy(crate::Strategy::MaxScore);
        for query in queries(8, VOCABULARY) {
            all.push(exactly(&index, &searcher.search(&query, 100)?));
        }
    }
    Ok(all)
}

/// A copy of the index, with one file changed.
fn damaged(file: &Path, change: impl FnOnce(&mut Vec<u8>)) -> TempDir {
    let (whole, files, _) = &*WHOLE;
    let folder = tempfile::tempdir().unwrap();
    for name in files {
        let target = folder.path().join(name);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(whole.path().join("index").join(name), &target).unwrap();
    }
    let path = folder.path().join(file);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
    folder
}

fn check(file: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let folder = damaged(file, change);
    if let Ok(answers) = answers(folder.path()) {
        assert!(answers == WHOLE.2, "{}", file.display());
    }
}

#[test]
fn missing_and_empty_files() {
    for file in &WHOLE.1 {
        check(file, Vec::clear);
        let folder = damaged(file, |_| ());
        fs::remove_file(folder.path().join(file)).unwrap();
        if let Ok(answers) = answers(folder.path()) {
            assert!(answers == WHOLE.2, "{}", file.display());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn truncated_files(file: Choice, length: Choice) {
        check(&WHOLE.1[file.index(WHOLE.1.len())], |bytes| bytes.truncate(length.index(bytes.len().max(1))));
    }

    #[test]
    fn changed_bytes(file: Choice, place: Choice, flip in 1u8..) {
        check(&WHOLE.1[file.index(WHOLE.1.len())], |bytes| {
            if !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] ^= flip;
            }
        });
    }

    #[test]
    fn appended_bytes(file: Choice, more in proptest::collection::vec(any::<u8>(), 1..20)) {
        check(&WHOLE.1[file.index(WHOLE.1.len())], |bytes| bytes.extend(more));
    }
}
