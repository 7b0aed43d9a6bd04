//! How far two sets of judgements agree, from files.

use std::path::{Path, PathBuf};

use cranfield_core::agreement::{Agreement, AgreementPlan, Side};
use cranfield_core::qrels::Qrels;
use cranfield_io::{Code, Error, Problem, QrelsFormat, Source};

use crate::evaluation::{InputFile, names_of_two};

/// What to compare.
#[derive(Clone, Debug)]
pub struct AgreementRequest {
    /// File of the first judgements, whose grades are columns; `-` is standard input.
    pub first: PathBuf,
    /// File of the second judgements, whose grades are rows.
    pub second: PathBuf,
    /// Format of both, if it should not be told by their content.
    pub qrels_format: Option<QrelsFormat>,
    /// How they are compared.
    pub plan: AgreementPlan,
}

impl AgreementRequest {
    /// A comparison grade by grade.
    pub fn new(first: impl Into<PathBuf>, second: impl Into<PathBuf>) -> Self {
        Self {
            first: first.into(),
            second: second.into(),
            qrels_format: None,
            plan: AgreementPlan::default(),
        }
    }
}

/// Two sets of judgements, compared, with the files behind them.
#[derive(Clone, Debug)]
pub struct ComparedQrels {
    /// Names of the two sets.
    pub names: [String; 2],
    /// Their files.
    pub files: [InputFile; 2],
    /// Tables and figures.
    pub agreement: Agreement,
}

/// Compares the judgements of two files.
///
/// ```no_run
/// use cranfield::core::agreement::Figure;
/// use cranfield::{AgreementRequest, agreement_of_files};
///
/// let compared = agreement_of_files(&AgreementRequest::new("qrels.txt", "crowd.qrels"))?;
/// println!("kappa {:?}", compared.agreement.all.figure(Figure::Kappa));
/// # Ok::<(), cranfield::io::Error>(())
/// ```
///
/// # Errors
/// If a file cannot be read, holds something other than grades, or has more grades than a table may have.
pub fn agreement_of_files(request: &AgreementRequest) -> Result<ComparedQrels, Error> {
    let (first, first_file) = read_qrels(&request.first, request.qrels_format)?;
    let (second, second_file) = read_qrels(&request.second, request.qrels_format)?;
    let agreement = Agreement::of(&first, &second, &request.plan).map_err(|error| {
        let (path, option) = match error.side {
            Side::First => (&first_file.path, "--merge-first"),
            Side::Second => (&second_file.path, "--merge-second"),
        };
        let problem = Problem::file(Code::TooManyGrades, path, error.to_string());
        problem.with_help(format!(
            "merge them into classes, for both files with --merge 1,2 or for this one with {option} 1,2"
        ))
    })?;
    let files = [first_file, second_file];
    Ok(ComparedQrels {
        names: names_of_two(&files),
        files,
        agreement,
    })
}

/// Reads judgements that are grades.
pub(crate) fn read_qrels(
    path: &Path,
    format: Option<QrelsFormat>,
) -> Result<(Qrels, InputFile), Error> {
    let source = Source::open(path)?;
    let qrels = cranfield_io::read_qrels(&source, format)?;
    Ok((qrels, InputFile::of(&source)))
}
