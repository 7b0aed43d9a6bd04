//! Evaluation requests and their files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield_core::error as core_error;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::Policies;
use cranfield_core::qrels::Qrels;
use cranfield_core::setting::{Message, Setting};
use cranfield_core::vectors::BoundVector;
use cranfield_io::{Problem, QrelsFormat, RunFormat, Source};
use cranfield_measures::profiles::Profile;

use crate::progress::Progress;

/// An evaluation request.
#[derive(Clone, Debug)]
pub struct Request {
    /// File of judgements; `-` is standard input.
    pub qrels: PathBuf,
    /// Its format; detected from the content if `None`.
    pub qrels_format: Option<QrelsFormat>,
    /// Judgements that were read already, such as those of a collection; `qrels` is then only their name.
    pub judged: Option<Arc<Qrels>>,
    /// File of the probabilities of intents, for judgement groups; uniform if `None`.
    pub intents: Option<PathBuf>,
    /// Files of runs.
    pub runs: Vec<PathBuf>,
    /// Their format; detected from the content if `None`.
    pub run_format: Option<RunFormat>,
    /// File of documents that users knew before the search, for measures that need it.
    pub known: Option<PathBuf>,
    /// File of sessions; if given, sessions are evaluated instead of topics.
    pub sessions: Option<PathBuf>,
    /// Measures.
    pub measures: Vec<BoundMeasure>,
    /// Vectors.
    pub vectors: Vec<BoundVector>,
    /// Whether to keep the vectors of single topics.
    pub topic_vectors: bool,
    /// Policies.
    pub policies: Policies,
    /// The program whose conventions apply; results are labelled with it.
    pub profile: Profile,
    /// Number of threads; all cores if `None`.
    pub threads: Option<usize>,
    /// Whether to hash the files while they are open, for the provenance of the results.
    pub hashes: bool,
    /// Receives the number of runs that are done.
    pub progress: Progress,
}

impl Request {
    /// A request under Cranfield's own conventions.
    pub fn new<R: Into<PathBuf>>(
        qrels: impl Into<PathBuf>,
        runs: impl IntoIterator<Item = R>,
        measures: Vec<BoundMeasure>,
    ) -> Self {
        Self {
            qrels: qrels.into(),
            qrels_format: None,
            judged: None,
            intents: None,
            runs: runs.into_iter().map(Into::into).collect(),
            run_format: None,
            known: None,
            sessions: None,
            measures,
            vectors: Vec::new(),
            topic_vectors: false,
            policies: Policies::default(),
            profile: Profile::default(),
            threads: None,
            hashes: false,
            progress: Progress::default(),
        }
    }

    /// A request for inputs that are already open, under Cranfield's own conventions.
    pub fn of_measures(measures: Vec<BoundMeasure>) -> Self {
        Self::new("", [""; 0], measures)
    }

    /// All files that are read, none of which may be an output; see [`check_outputs`](cranfield_io::check_outputs).
    pub fn files(&self) -> Vec<&Path> {
        let optional = [&self.intents, &self.known, &self.sessions];
        let files = std::iter::once(&self.qrels).chain(&self.runs);
        files
            .chain(optional.into_iter().flatten())
            .map(PathBuf::as_path)
            .collect()
    }
}

impl Request {
    /// Checks that relevance levels are finite, and not negative except in the profile of `trec_eval`. `level` applies to all measures.
    pub fn check_levels(&self, level: Option<f64>) -> Result<(), core_error::Error> {
        let named = self.measures.iter().filter_map(BoundMeasure::level);
        let vectors = self.vectors.iter().filter_map(BoundVector::level);
        for level in named.chain(vectors).chain(level) {
            if !level.is_finite() {
                let message = format!("a relevance level must be a finite number, not {level}");
                return Err(core_error::Error::parameter(message));
            }
            if level < 0.0 && !self.profile.prints_trec_names() {
                let message = format!(
                    "invalid relevance level {level}: grades below 0 are relevant only with "
                );
                let message = Message::from(message).then(Setting::Profile.to(Profile::TrecEval));
                return Err(core_error::Error::parameter(message));
            }
        }
        Ok(())
    }
}

/// A file that an evaluation read.
#[derive(Clone, Debug, PartialEq)]
pub struct InputFile {
    /// Path as given by the user.
    pub path: String,
    /// Notes on harmless irregularities.
    pub notes: Vec<Problem>,
    /// Its BLAKE3 hash, if the request asked for hashes; of data in memory, if the caller computes it.
    pub hash: Option<String>,
}

impl InputFile {
    /// Data that has no file.
    pub fn in_memory(name: &str) -> Self {
        Self::named(&format!("<{name}>"))
    }

    /// A file that is not open yet.
    pub(crate) fn named(path: &str) -> Self {
        Self {
            path: path.into(),
            notes: Vec::new(),
            hash: None,
        }
    }

    /// The BLAKE3 hash of the file as it is on disk; `None` for standard input and for data that has no file.
    pub fn blake3(&self) -> Option<String> {
        self.hash.clone().or_else(|| crate::file_hash(&self.path))
    }

    pub(crate) fn of(source: &Source, hashes: bool) -> Self {
        let is_file = source.name() != "<stdin>";
        Self {
            path: source.name().into(),
            notes: source.notes().to_vec(),
            hash: (hashes && is_file).then(|| source.blake3()),
        }
    }
}
