//! Pictures of evaluations.
//!
//! ```no_run
//! use cranfield_report::pictures::Drawing;
//! use cranfield_render::picture::{PictureFormat, PictureKind, Sheet};
//! use cranfield_eval::{Evaluation, Request};
//!
//! let drawing = Drawing::new(PictureKind::Ndcg);
//! let request = drawing.prepare(Request::new("qrels.txt", ["bm25.run", "dense.run"], Vec::new()))?;
//! let picture = drawing.picture(&Evaluation::of_files(request)?)?;
//! let bytes = picture.render(PictureFormat::Svg, &Sheet::default())?;
//! cranfield_report::pictures::save(&bytes, "ndcg.svg")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod captions;
mod choices;
mod compared;
mod critical;
mod curves;
mod means;
mod ranks;
mod runs;
mod significance;
mod tau;
mod topics;

use std::io::Write;
use std::path::Path;

use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_core::spec::{Conventions, parse_measures};
use cranfield_core::vectors::{BoundVector, check_components, parse_vectors};
use cranfield_render::picture::{Picture, PictureError, PictureKind};

pub use choices::{Bands, BarOrder, Choice, Ideals};

use cranfield_compare::compare::{Settings, StepWatcher, Test};
use cranfield_compare::limits::{check_alpha, few_topics_for_ranks};
use cranfield_eval::{Evaluation, Request};

/// Most ranks of a curve where nothing else is asked for.
const CUTOFF: usize = 100;

/// Most runs that have bands, and most that have their best order, where nothing else is asked for.
const BANDED_RUNS: usize = 4;
const ORDERED_RUNS: usize = 2;

/// Most runs whose pairs are shown, and most whose ranks are.
const MOST_COMPARED: usize = 100;
const MOST_RANKED: usize = 500;

/// Most measures whose agreement is shown.
const MOST_MEASURES: usize = 40;

/// Most numbers of a picture.
const MOST_NUMBERS: usize = 1_000_000;

/// What to draw of an evaluation.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The kind of picture.
    pub kind: PictureKind,
    /// Names of measures, or of the vector of a curve; empty for those that the kind has of its own.
    pub measures: String,
    /// How names are read.
    pub conventions: Conventions,
    /// Deepest rank of a curve, unless `measures` names it.
    pub cutoff: usize,
    /// Recall levels of [`PictureKind::Pr`]; eleven without.
    pub levels: Option<Vec<f64>>,
    /// Bands of curves.
    pub bands: Bands,
    /// Ideals of curves of gain.
    pub ideals: Ideals,
    /// Order of topics that are bars.
    pub order: BarOrder,
    /// The run that [`PictureKind::Deviation`] shows, by name; the first without.
    pub run: Option<String>,
    /// Tests, levels of intervals, and seeds. The test of [`PictureKind::Cd`] is [`Test::Nemenyi`] unless another is chosen.
    pub tests: Settings,
}

impl Drawing {
    /// A picture of a kind, with everything else as the kind has it.
    pub fn new(kind: PictureKind) -> Self {
        Self {
            kind,
            measures: String::new(),
            conventions: Conventions::default(),
            cutoff: CUTOFF,
            levels: None,
            bands: Bands::default(),
            ideals: Ideals::default(),
            order: BarOrder::default(),
            run: None,
            tests: Settings {
                test: match kind {
                    PictureKind::Cd => Test::Nemenyi,
                    _ => Test::default(),
                },
                ..Settings::default()
            },
        }
    }

    /// The request with what the picture needs to know in place of its measures and vectors.
    ///
    /// # Errors
    /// If the kind cannot be drawn of these runs, measures or policies.
    pub fn prepare(&self, mut request: Request) -> Result<Request, PictureError> {
        self.check_runs(request.runs.len())?;
        if request.policies.are_bounds() {
            return Err(PictureError::new(
                "a picture has one value where --ties bounds and --unjudged bounds have two; choose another rule",
            ));
        }
        (request.measures, request.vectors) = (Vec::new(), Vec::new());
        if self.kind.is_curve() {
            let vector = self.vector()?;
            let bests = self.wanted_ideals(request.runs.len()).needs_vectors();
            let best = vector
                .best_orders()
                .map_err(|error| of_core(&error))?
                .filter(|_| bests);
            request.vectors = std::iter::once(vector)
                .chain(best.into_iter().flatten())
                .collect();
            check_components(&request.vectors).map_err(|error| of_core(&error))?;
            request.topic_vectors = true;
        } else {
            request.measures = self.bound_measures()?;
            if let (PictureKind::Scatter, 1, 1) =
                (self.kind, request.measures.len(), request.runs.len())
            {
                return Err(PictureError::new(
                    "scatter needs two measures, or one measure and two runs; name another with -m 'AP nDCG@10'",
                ));
            }
        }
        Ok(request)
    }

    /// The picture of an evaluation that [`prepare`](Self::prepare) asked for.
    ///
    /// # Errors
    /// If there is nothing to show, or too much.
    pub fn picture(&self, evaluation: &Evaluation) -> Result<Picture, PictureError> {
        self.picture_watched(evaluation, &|_| ())
    }

    /// The same, telling how far the tests of a comparison have come.
    ///
    /// # Errors
    /// If there is nothing to show, or too much.
    pub fn picture_watched(
        &self,
        evaluation: &Evaluation,
        watcher: StepWatcher<'_>,
    ) -> Result<Picture, PictureError> {
        self.check_runs(evaluation.runs.len())?;
        let runs = evaluation.runs.iter();
        let topics = runs
            .clone()
            .map(|run| run.scores.topics.len())
            .max()
            .unwrap_or(0);
        if topics == 0 {
            return Err(PictureError::new(
                "there is no topic to draw; --topics judged counts all topics of the judgements",
            ));
        }
        let columns = evaluation
            .plan
            .vectors
            .iter()
            .map(|vector| vector.positions().len());
        let columns = columns.sum::<usize>().max(1);
        let rows = if self.kind.is_curve() { 1 } else { topics };
        let numbers = evaluation
            .runs
            .len()
            .saturating_mul(rows)
            .saturating_mul(columns);
        if numbers > MOST_NUMBERS {
            return Err(PictureError::new(format!(
                "the picture would show {numbers} numbers, and pictures have at most {MOST_NUMBERS}; give fewer runs \
                 or a smaller cutoff"
            )));
        }
        check_alpha(self.tests.alpha).map_err(PictureError::new)?;
        match self.kind {
            PictureKind::Histogram => topics::histogram(self, evaluation),
            PictureKind::Deviation => topics::deviation(self, evaluation),
            PictureKind::Box => topics::boxes(self, evaluation),
            PictureKind::Heatmap => topics::heatmap(evaluation),
            PictureKind::Scatter => runs::scatter(evaluation),
            PictureKind::Slope => runs::slope(evaluation),
            PictureKind::Significance => significance::significance(self, evaluation, watcher),
            PictureKind::Cd => critical::critical(self, evaluation, watcher),
            PictureKind::Ranks => ranks::ranks(self, evaluation, watcher),
            PictureKind::Tau => tau::tau(evaluation),
            _ => curves::curves(self, evaluation),
        }
    }

    /// What must be known of the picture of an evaluation, which its caption says too: that there are few topics.
    pub fn notes(&self, evaluation: &Evaluation) -> Vec<String> {
        let note = match self.kind {
            PictureKind::Ranks => {
                let scores = compared::score_table(evaluation).ok();
                scores.and_then(|scores| few_topics_for_ranks(scores.matrix.topics()))
            }
            kind if kind.is_curve() => curves::few_topics_note(self, evaluation),
            _ => None,
        };
        note.into_iter().collect()
    }

    pub(crate) fn check_runs(&self, runs: usize) -> Result<(), PictureError> {
        let (fits, needs) = match self.kind {
            PictureKind::Histogram => (
                runs == 2,
                "exactly two runs, of which it shows the difference",
            ),
            PictureKind::Deviation => {
                (runs >= 2, "at least two runs, of which it takes the median")
            }
            PictureKind::Slope => (runs >= 2, "at least two runs, whose ranks it shows"),
            PictureKind::Significance | PictureKind::Cd => (
                (2..=MOST_COMPARED).contains(&runs),
                "2 to 100 runs, of which it shows all pairs",
            ),
            PictureKind::Ranks => (
                (2..=MOST_RANKED).contains(&runs),
                "2 to 500 runs, whose ranks it shows",
            ),
            PictureKind::Tau => (runs >= 2, "at least two runs, whose order it looks at"),
            _ => (runs >= 1, "a run"),
        };
        if fits {
            return Ok(());
        }
        let kind = self.kind;
        Err(PictureError::new(format!(
            "{kind} needs {needs}; {runs} given"
        )))
    }

    /// The vector of a curve.
    fn vector(&self) -> Result<BoundVector, PictureError> {
        let (family, cutoff) = (self.kind.family(), self.cutoff);
        let name = match (&self.levels, self.measures.trim()) {
            (Some(levels), "") if self.kind == PictureKind::Pr => {
                let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
                format!("IPrec(points='{}')", levels.join(","))
            }
            (Some(_), _) => {
                return Err(PictureError::new(
                    "--levels are those of pr, where -m does not name them; leave one of the two out",
                ));
            }
            (None, "") if self.kind == PictureKind::Pr => family.into(),
            (None, "") => format!("{family}@{cutoff}"),
            (None, name) => name.into(),
        };
        let mut vectors =
            parse_vectors(&name, &self.conventions).map_err(|error| of_core(&error))?;
        let vector = vectors.pop().filter(|_| vectors.is_empty());
        let named = |vector: &BoundVector| {
            let name = vector.to_string();
            name.split(['(', '@']).next() == Some(family)
        };
        vector.filter(named).ok_or_else(|| {
            let kind = self.kind;
            PictureError::new(format!(
                "{kind} draws one vector of {family}, and `{name}` is something else"
            ))
        })
    }

    /// The measures of a picture by topics or by runs.
    fn bound_measures(&self) -> Result<Vec<BoundMeasure>, PictureError> {
        let (own, least, most) = match self.kind {
            PictureKind::Histogram => ("Rprec", 1, 1),
            PictureKind::Scatter => ("AP nDCG@10", 1, 2),
            PictureKind::Slope => ("AP nDCG@10", 2, 2),
            PictureKind::Tau => (tau::MEASURES, 2, MOST_MEASURES),
            PictureKind::Deviation
            | PictureKind::Significance
            | PictureKind::Cd
            | PictureKind::Ranks => ("AP", 1, 1),
            _ => ("nDCG@10", 1, 1),
        };
        let names = match self.measures.trim() {
            "" => own,
            names => names,
        };
        let measures = parse_measures(names, &self.conventions).map_err(|error| of_core(&error))?;
        if !(least..=most).contains(&measures.len()) {
            let (kind, found) = (self.kind, measures.len());
            let wanted = match (least, most) {
                (1, 1) => "one measure",
                (1, 2) => "one or two measures",
                (2, MOST_MEASURES) => "two to 40 measures",
                _ => "two measures",
            };
            let what_to_do = if found < least {
                "name another with -m, such as -m 'AP nDCG@10'"
            } else {
                "leave the others out"
            };
            return Err(PictureError::new(format!(
                "{kind} shows {wanted}, and `{names}` is {found}; {what_to_do}"
            )));
        }
        let is_text = |measure: &&BoundMeasure| {
            matches!(
                measure.computation,
                Computation::Text(_) | Computation::RunId
            )
        };
        match measures.iter().find(is_text) {
            Some(text) => Err(PictureError::new(format!(
                "{text} is a text and cannot be drawn"
            ))),
            None => Ok(measures),
        }
    }

    fn wanted_ideals(&self, runs: usize) -> Ideals {
        match self.ideals {
            Ideals::Auto if runs <= ORDERED_RUNS => Ideals::Both,
            Ideals::Auto => Ideals::Judged,
            chosen => chosen,
        }
    }

    /// The bands in force: none, standard errors, or intervals over resampled topics.
    fn wanted_bands(&self, runs: usize) -> Bands {
        match self.bands {
            Bands::Auto if runs <= BANDED_RUNS => Bands::Bootstrap,
            Bands::Auto => Bands::None,
            chosen => chosen,
        }
    }
}

/// What the facade knows of kinds.
pub(crate) trait Curve {
    fn is_curve(&self) -> bool;
    fn family(&self) -> &'static str;
}

impl Curve for PictureKind {
    fn is_curve(&self) -> bool {
        !self.family().is_empty()
    }

    /// The measure whose vector a curve is.
    fn family(&self) -> &'static str {
        match self {
            Self::Pr => "IPrec",
            Self::Cg => "CG",
            Self::Dcg => "DCG",
            Self::Ncg => "nCG",
            Self::Ndcg => "nDCG",
            Self::Precision => "P",
            Self::Recall => "R",
            Self::Unjudged => "Judged",
            _ => "",
        }
    }
}

fn of_core(error: &cranfield_core::error::Error) -> PictureError {
    PictureError::new(error.to_string())
}

/// Writes a picture to a file, which appears only when it is complete, or to standard output for `-`.
///
/// # Errors
/// If it cannot be written.
pub fn save(bytes: &[u8], path: impl AsRef<Path>) -> Result<(), cranfield_io::Error> {
    let path = path.as_ref();
    let mut out = cranfield_io::Output::create(path)?;
    let written = out.write_all(bytes);
    written.map_err(|error| cranfield_io::cannot_write(&path.to_string_lossy(), &error))?;
    out.finish()
}

#[cfg(test)]
mod tests;
