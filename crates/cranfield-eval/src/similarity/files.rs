//! How alike two runs are, from files.

use std::path::{Path, PathBuf};

use super::{Comparison, Similarity};
use cranfield_core::run::Run;
use cranfield_io::{Code, Error, Problem, QrelsFormat, RunFormat, Source};

use crate::agreement::read_qrels;
use crate::evaluation::{InputFile, names_of, names_of_two};

/// The other side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against {
    /// Another run.
    Run(PathBuf),
    /// The best rankings that judgements allow.
    Ideal(PathBuf),
}

/// Runs to compare, and how.
#[derive(Clone, Debug)]
pub struct SimilarityRequest {
    /// File of the run; `-` is standard input.
    pub run: PathBuf,
    /// The other side.
    pub against: Against,
    /// Format of the runs, unless it is detected from their content.
    pub run_format: Option<RunFormat>,
    /// Format of the judgements, unless it is detected from their content.
    pub qrels_format: Option<QrelsFormat>,
    /// The measure of similarity.
    pub comparison: Comparison,
}

impl SimilarityRequest {
    /// A comparison by rank-biased overlap.
    pub fn new(run: impl Into<PathBuf>, against: Against) -> Self {
        Self {
            run: run.into(),
            against,
            run_format: None,
            qrels_format: None,
            comparison: Comparison::default(),
        }
    }
}

/// How alike two runs are, with the files behind it.
#[derive(Clone, Debug)]
pub struct ComparedRuns {
    /// Names of the run and of what it was compared with.
    pub names: [String; 2],
    /// Their files.
    pub files: [InputFile; 2],
    /// The values.
    pub similarity: Similarity,
}

/// Compares a run with another one, or with the ideal rankings of judgements.
///
/// ```no_run
/// use cranfield_eval::{Against, SimilarityRequest, similarity_of_files};
///
/// let request = SimilarityRequest::new("bm25.run", Against::Run("dense.run".into()));
/// let compared = similarity_of_files(&request)?;
/// println!("RBO {:?}", compared.similarity.mean(0));
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn similarity_of_files(request: &SimilarityRequest) -> Result<ComparedRuns, Error> {
    let comparison = &request.comparison;
    let (run, first) = read_run(&request.run, request.run_format)?;
    let (similarity, second) = match &request.against {
        Against::Run(path) => {
            let (other, file) = read_run(path, request.run_format)?;
            (comparison.runs(&run, &other), file)
        }
        Against::Ideal(path) => {
            let (qrels, file) = read_qrels(path, request.qrels_format)?;
            (comparison.with_ideal(&run, &qrels), file)
        }
    };
    let similarity = similarity.map_err(|twice| twice_in(&first, &twice))?;
    let files = [first, second];
    Ok(ComparedRuns {
        names: names_of_two(&files),
        files,
        similarity,
    })
}

/// Compares every two of several runs, each of which is read once. A measure that is not symmetric has both orders of a pair.
///
/// # Errors
/// If a run cannot be read.
pub fn similarity_of_pairs(
    paths: &[PathBuf],
    format: Option<RunFormat>,
    comparison: &Comparison,
) -> Result<Vec<ComparedRuns>, Error> {
    let runs = paths.iter().map(|path| read_run(path, format));
    let runs: Vec<(Run, InputFile)> = runs.collect::<Result<_, _>>()?;
    let paths: Vec<&str> = runs.iter().map(|(_, file)| file.path.as_str()).collect();
    let names = names_of(&paths);
    let mut pairs = Vec::new();
    for (i, (run, file)) in runs.iter().enumerate() {
        for (j, (other, other_file)) in runs.iter().enumerate() {
            if i == j || (i > j && comparison.measure().is_symmetric()) {
                continue;
            }
            let similarity = comparison
                .runs(run, other)
                .map_err(|twice| twice_in(file, &twice))?;
            pairs.push(ComparedRuns {
                names: [names[i].clone(), names[j].clone()],
                files: [file.clone(), other_file.clone()],
                similarity,
            });
        }
    }
    Ok(pairs)
}

/// The error for a document that is twice in a ranking. Readers reject such files already.
fn twice_in(file: &InputFile, twice: &impl ToString) -> Error {
    Problem::file(Code::DuplicateDocument, &file.path, twice.to_string()).into()
}

fn read_run(path: &Path, format: Option<RunFormat>) -> Result<(Run, InputFile), Error> {
    let source = Source::open(path)?;
    Ok((
        cranfield_io::read_run(&source, format)?,
        InputFile::of(&source, false),
    ))
}
