//! Indexes that are read from disks, as after a restart of the machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield_search::{Error, Index};

use super::built_in::{IndexEngine, tag};
use super::open::EngineSettings;
use super::{Engine, EngineError, Hit, Query, Session};

/// An index whose sessions open it anew and start with none of its files in the memory that the system uses as a cache.
///
/// Opening reads the whole index but the texts, to verify it, and keeps document lengths and bounds of scores; the files are removed
/// from the cache after that. The system keeps pages that any process has mapped, so no other one may have the index open.
#[derive(Debug)]
pub struct ColdIndex {
    name: String,
    folder: PathBuf,
    settings: EngineSettings,
    described: Vec<(String, String)>,
}

impl ColdIndex {
    /// Checks that the index can be opened, and its files removed from the cache.
    ///
    /// # Errors
    /// If the index is damaged, the model does not fit it, or the system is not Linux.
    pub fn open(folder: &Path, settings: &EngineSettings) -> Result<Self, Error> {
        let engine = engine(folder, settings)?;
        let mut described = engine.settings();
        described.push(("cache".into(), "cold".into()));
        drop(engine);
        let forgotten = forget(folder);
        forgotten
            .map_err(|error| {
                let file = folder.to_string_lossy();
                let message = format!("cannot be measured cold: {error}");
                cranfield_io::Problem::file(cranfield_io::Code::BadEngine, &file, message)
            })
            .map_err(cranfield_io::Error::from)?;
        Ok(Self {
            name: format!("{}-cold", tag(&settings.model, settings.feedback.as_ref())),
            folder: folder.into(),
            settings: settings.clone(),
            described,
        })
    }
}

fn engine(folder: &Path, settings: &EngineSettings) -> Result<IndexEngine, Error> {
    let index = Arc::new(Index::open(folder)?);
    IndexEngine::new(index, &settings.model, settings.feedback.clone())
}

impl Engine for ColdIndex {
    fn name(&self) -> &str {
        &self.name
    }

    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        let engine = engine(&self.folder, &self.settings)
            .map_err(|error| EngineError::other(error.to_string()))?;
        let forgotten = forget(&self.folder);
        forgotten.map_err(|error| EngineError::other(error.to_string()))?;
        Ok(Box::new(ColdSession(engine)))
    }

    fn settings(&self) -> Vec<(String, String)> {
        self.described.clone()
    }

    fn is_cold(&self) -> bool {
        true
    }
}

struct ColdSession(IndexEngine);

impl Session for ColdSession {
    fn search(&mut self, query: &Query, depth: usize) -> Result<Vec<Hit>, EngineError> {
        self.0.session()?.search(query, depth)
    }
}

/// Removes the files below a folder from the memory that the system uses as a cache.
#[cfg(target_os = "linux")]
fn forget(folder: &Path) -> std::io::Result<()> {
    use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            forget(&path)?;
            continue;
        }
        let file = std::fs::File::open(path)?;
        // The system keeps pages that are not on the disk yet.
        file.sync_data()?;
        posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED)?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn forget(_: &Path) -> std::io::Result<()> {
    let message = "only Linux can remove files from its cache";
    Err(std::io::Error::new(
        std::io::ErrorKind::Unsupported,
        message,
    ))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use cranfield_collection::Document;
    use cranfield_search::{Analyzer, IndexOptions, build};

    use crate::bench::{BenchSettings, bench};

    #[test]
    fn cold_indexes_answer_alike_in_whole_passes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("index");
        let document = |at: usize| {
            let fields = vec![("text".to_owned(), format!("peas {at} and slugs"))];
            Ok::<_, Error>(Document {
                id: at.to_string(),
                fields,
                ..Document::default()
            })
        };
        let analyzer = Analyzer::named("english").expect("an analyser");
        build(&path, (0..500).map(document), &IndexOptions::new(analyzer)).expect("an index");
        let query = |text: &str| Query {
            topic: text.into(),
            text: text.into(),
        };
        let queries = ["peas 7", "slugs 8", "and"].map(query);
        let settings = EngineSettings::default();
        let cold = ColdIndex::open(&path, &settings).expect("a cold index");
        let warm = engine(&path, &settings).expect("an engine");
        let answers = |engine: &dyn Engine| {
            let mut session = engine.session().expect("a session");
            queries
                .each_ref()
                .map(|query| session.search(query, 10).expect("an answer"))
        };
        assert_eq!(answers(&cold), answers(&warm));
        let mut quick = BenchSettings {
            repetitions: 2,
            length: std::time::Duration::from_millis(1),
            ..BenchSettings::quick()
        };
        let result = bench(&[&cold], &queries, None, &quick).expect("a result");
        let engine = &result.engines[0];
        assert!(engine.is_cold && engine.warm_ups.is_empty() && engine.name.ends_with("-cold"));
        for repetition in &engine.loads[0].repetitions {
            assert!(repetition.requests >= 3 && repetition.requests % 3 == 0);
        }
        quick.loads = vec!["closed:2".parse().expect("a load")];
        assert!(bench(&[&cold], &queries, None, &quick).is_err());
    }
}
