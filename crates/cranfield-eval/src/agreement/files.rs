//! How far two sets of judgements agree, from files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Agreement, AgreementPlan, Side};
use cranfield_core::qrels::Qrels;
use cranfield_io::{Code, Error, Problem, QrelsFormat, Source};

use crate::evaluation::{InputFile, names_of, names_of_two};

/// The judgements of one assessor.
#[derive(Clone, Debug)]
pub struct Assessor {
    /// Name in results.
    pub name: String,
    /// Where the judgements come from.
    pub file: InputFile,
    /// The judgements.
    pub qrels: Arc<Qrels>,
}

impl Assessor {
    /// Judgements that are in memory.
    pub fn in_memory(name: impl Into<String>, qrels: impl Into<Arc<Qrels>>) -> Self {
        let name = name.into();
        Self {
            file: InputFile::in_memory(&name),
            name,
            qrels: qrels.into(),
        }
    }
}

/// Reads the judgements of several assessors, one per file, and names them by their files.
///
/// # Errors
/// If a file cannot be read, or holds something other than grades.
pub fn read_assessors(
    paths: &[PathBuf],
    format: Option<QrelsFormat>,
) -> Result<Vec<Assessor>, Error> {
    let read = paths.iter().map(|path| read_qrels(path, format));
    let read = read.collect::<Result<Vec<_>, _>>()?;
    let files: Vec<&str> = read.iter().map(|(_, file)| file.path.as_str()).collect();
    let names = names_of(&files);
    let named = names.into_iter().zip(read);
    let assessor = |(name, (qrels, file)): (String, (Qrels, InputFile))| Assessor {
        name,
        file,
        qrels: Arc::new(qrels),
    };
    Ok(named.map(assessor).collect())
}

/// Files to compare, and how.
#[derive(Clone, Debug)]
pub struct AgreementRequest {
    /// File of the first judgements, whose grades are columns; `-` is standard input.
    pub first: PathBuf,
    /// File of the second judgements, whose grades are rows.
    pub second: PathBuf,
    /// Format of both, unless it is detected from their content.
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
/// use cranfield_eval::agreement::Figure;
/// use cranfield_eval::{AgreementRequest, agreement_of_files};
///
/// let compared = agreement_of_files(&AgreementRequest::new("qrels.txt", "crowd.qrels"))?;
/// println!("kappa {:?}", compared.agreement.all.figure(Figure::Kappa));
/// # Ok::<(), cranfield_io::Error>(())
/// ```
///
/// # Errors
/// If a file cannot be read, holds something other than grades, or has more grades than a table may have.
pub fn agreement_of_files(request: &AgreementRequest) -> Result<ComparedQrels, Error> {
    let read = |path: &Path| {
        let (qrels, file) = read_qrels(path, request.qrels_format)?;
        Ok::<_, Error>(Assessor {
            name: String::new(),
            file,
            qrels: Arc::new(qrels),
        })
    };
    let [first, second] = [read(&request.first)?, read(&request.second)?];
    let [one, other] = names_of_two(&[first.file.clone(), second.file.clone()]);
    let first = Assessor { name: one, ..first };
    let second = Assessor {
        name: other,
        ..second
    };
    ComparedQrels::of(&first, &second, &request.plan)
}

impl ComparedQrels {
    /// Compares the judgements of two assessors.
    ///
    /// # Errors
    /// If one has more grades than a table may have.
    pub fn of(first: &Assessor, second: &Assessor, plan: &AgreementPlan) -> Result<Self, Error> {
        let agreement = Agreement::of(&first.qrels, &second.qrels, plan).map_err(|error| {
            let (path, side) = match error.side {
                Side::First => (&first.file.path, "first"),
                Side::Second => (&second.file.path, "second"),
            };
            let problem = Problem::file(Code::TooManyGrades, path, error.to_string());
            problem.with_help(format!(
                "merge them into classes, for example at 1,2, in both files or only in the {side}"
            ))
        })?;
        Ok(Self {
            names: [&first.name, &second.name].map(Clone::clone),
            files: [&first.file, &second.file].map(Clone::clone),
            agreement,
        })
    }
}

/// Reads judgements that are grades.
pub(crate) fn read_qrels(
    path: &Path,
    format: Option<QrelsFormat>,
) -> Result<(Qrels, InputFile), Error> {
    let source = Source::open(path)?;
    let qrels = cranfield_io::read_qrels(&source, format)?;
    Ok((qrels, InputFile::of(&source, false)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agreement::Figure;
    use cranfield_stats::agreement::{Confusion, Weights};

    /// Counts by grade of the first set and of the second; every grade occurs.
    fn counts(size: usize, seed: u64) -> Vec<Vec<u64>> {
        let mut state = seed;
        let mut draw = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 60) % 7
        };
        let row = |row: usize, draw: &mut dyn FnMut() -> u64| -> Vec<u64> {
            (0..size)
                .map(|column| draw() + u64::from(row == column))
                .collect()
        };
        (0..size).map(|at| row(at, &mut draw)).collect()
    }

    fn judged(counts: &[Vec<u64>]) -> [Qrels; 2] {
        let mut documents = Vec::new();
        for (first, row) in counts.iter().enumerate() {
            for (second, count) in row.iter().enumerate() {
                documents.extend((0..*count).map(|_| (first as f64, second as f64)));
            }
        }
        let side = |pick: fn(&(f64, f64)) -> f64| {
            let grades = documents.iter().enumerate();
            let grades = grades.map(|(at, both)| ("q", format!("d{at}"), pick(both)));
            Qrels::from_judgements(grades.collect::<Vec<_>>())
        };
        [side(|both| both.0), side(|both| both.1)]
    }

    /// The figures of a cross table of judgements are those of the statistics of two raters.
    #[test]
    fn figures_are_those_of_two_raters() {
        for seed in 0..60 {
            let size = 2 + seed as usize % 4;
            let counts = counts(size, seed);
            let [first, second] = judged(&counts);
            let found = Agreement::of(&first, &second, &AgreementPlan::default())
                .unwrap()
                .all;
            let grades: Vec<f64> = (0..size).map(|grade| grade as f64).collect();
            let table = Confusion::new(&grades, counts).unwrap();
            let kappa = |weights| table.cohen(weights).value;
            let expected = [
                (Figure::Agreement, Some(table.percent_agreement())),
                (Figure::Kappa, kappa(Weights::Identity)),
                (Figure::KappaLinear, kappa(Weights::Linear)),
                (Figure::KappaQuadratic, kappa(Weights::Quadratic)),
                (Figure::Overlap, table.overlap(1.0)),
                (Figure::Positive, table.positive_agreement(1.0)),
                (Figure::Negative, table.negative_agreement(1.0)),
            ];
            for (figure, expected) in expected {
                let difference = found.figure(figure).unwrap() - expected.unwrap();
                assert!(difference.abs() < 1e-12, "{seed} {figure}: {difference}");
            }
        }
    }
}
