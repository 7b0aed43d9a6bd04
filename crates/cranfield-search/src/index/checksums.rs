//! Hashes of an index's files, so that damage is an error and never another ranking.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory};

/// The file with the hashes of all others.
pub(super) const CHECKSUMS: &str = "checksums";

/// Stored texts are most of an index and not needed to search it, so they are verified when the first of them is read.
const STORED: &str = ".store";

/// The hash of every file by its path in the index.
#[derive(Debug)]
pub(super) struct Checksums(BTreeMap<String, String>);

impl Checksums {
    /// Hashes the files in a folder and in the folder inside that holds the segments.
    pub(super) fn of(folder: &Path, segments: &str) -> std::io::Result<Self> {
        let mut all = BTreeMap::new();
        for below in ["", segments] {
            for entry in fs::read_dir(folder.join(below))? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    let name = if below.is_empty() {
                        name
                    } else {
                        format!("{below}/{name}")
                    };
                    let mut hasher = blake3::Hasher::new();
                    hasher.update_reader(fs::File::open(entry.path())?)?;
                    all.insert(name, hasher.finalize().to_hex().to_string());
                }
            }
        }
        Ok(Self(all))
    }

    /// One line a file.
    pub(super) fn to_text(&self) -> String {
        self.0
            .iter()
            .map(|(name, hash)| format!("{hash}  {name}\n"))
            .collect()
    }

    /// Reads the hashes of an index; `None` if they are missing or damaged.
    pub(super) fn open(folder: &Path) -> Option<Self> {
        let text = fs::read_to_string(folder.join(CHECKSUMS)).ok()?;
        let line = |line: &str| {
            let (hash, name) = line.split_once("  ")?;
            Some((name.to_owned(), hash.to_owned()))
        };
        let all: Option<BTreeMap<String, String>> = text.lines().map(line).collect();
        all.filter(|all| !all.is_empty() && text.ends_with('\n'))
            .map(Self)
    }

    /// The first damaged file among the stored texts, or among all others.
    pub(super) fn damaged(&self, files: &MmapDirectory, stored: bool) -> Option<&str> {
        let names = self
            .0
            .keys()
            .filter(|name| name.ends_with(STORED) == stored);
        names
            .map(String::as_str)
            .find(|name| !self.is_whole(files, name))
    }

    fn is_whole(&self, files: &MmapDirectory, name: &str) -> bool {
        let bytes = files.open_read(Path::new(name)).ok();
        let bytes = bytes.and_then(|file| file.read_bytes().ok());
        bytes.is_some_and(|bytes| *blake3::hash(&bytes).to_hex() == *self.0[name])
    }

    /// Whether a file is among those with a hash.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}
