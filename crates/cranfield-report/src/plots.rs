//! Plots of evaluations.
//!
//! ```no_run
//! use cranfield_report::plots::Drawing;
//! use cranfield_render::plot::{PlotFormat, PlotKind, Sheet};
//! use cranfield_eval::{Evaluation, Request};
//!
//! let drawing = Drawing::new(PlotKind::Ndcg);
//! let request = drawing.prepare(Request::new("qrels.txt", ["bm25.run", "dense.run"], Vec::new()))?;
//! let plot = drawing.plot(&Evaluation::of_files(request)?)?;
//! let bytes = plot.render(PlotFormat::Svg, &Sheet::default())?;
//! cranfield_report::plots::save(&bytes, "ndcg.svg")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agreement;
mod assessors;
mod bars;
pub(crate) mod captions;
mod choices;
mod compared;
mod critical;
mod curves;
mod ideals;
mod means;
mod pareto;
mod ranks;
mod raw;
mod runs;
mod significance;
mod tau;
mod topics;

use std::fmt;
use std::io::Write;
use std::path::Path;

use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_core::policy::TopicPolicy;
use cranfield_core::setting::{Message, Setting, SettingStyle};
use cranfield_core::vectors::BoundVector;
use cranfield_eval::RunScores;
use cranfield_measures::spec::{Conventions, parse_measures};
use cranfield_measures::vectors::{check_components, parse_vectors};
use cranfield_render::plot::{Plot, PlotError, PlotKind};

pub use assessors::assessors;
pub use choices::{Bands, BarOrder, Ideals, kind_named};
pub use pareto::{ParetoPoint, pareto};

use cranfield_compare::compare::{Settings, Test};
use cranfield_compare::limits::{check_alpha, few_topics_for_ranks};
use cranfield_eval::{Evaluation, Request};

/// Default depth of curves by rank, and of precision by recall without interpolation.
const CUTOFF: usize = 100;
const RAW_CUTOFF: usize = 1000;

/// Most runs that have bands, and most that have their best order, by default.
const BANDED_RUNS: usize = 2;
const ORDERED_RUNS: usize = 2;

/// Most runs of a plot of all pairs, and of a plot of ranks.
const MOST_COMPARED: usize = 100;
const MOST_RANKED: usize = 500;

/// Most measures of a plot of their agreement.
const MOST_MEASURES: usize = 40;

/// Most values of a plot.
const MOST_NUMBERS: usize = 1_000_000;

/// A plot of an evaluation, to be computed.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The kind of plot.
    pub kind: PlotKind,
    /// Names of measures, or of the vector of a curve; empty for the defaults of the kind.
    pub measures: String,
    /// How names of measures are parsed.
    pub conventions: Conventions,
    /// Deepest rank of a curve, unless `measures` names it.
    pub cutoff: usize,
    /// Recall levels of [`PlotKind::Pr`]; eleven by default.
    pub levels: Option<Vec<f64>>,
    /// Whether [`PlotKind::Pr`] shows precision and recall at each rank, without interpolation.
    pub raw: bool,
    /// The only topic of a curve, by id; all topics by default. [`PlotKind::Pr`] of a topic is drawn without
    /// interpolation, unless levels or a vector are given.
    pub topic: Option<String>,
    /// Bands of curves.
    pub bands: Bands,
    /// Reference curves of curves of gain.
    pub ideals: Ideals,
    /// Order of topics in bar charts.
    pub order: BarOrder,
    /// The run that [`PlotKind::Deviation`] shows, by name; the first by default.
    pub run: Option<String>,
    /// Tests, levels of intervals, and seeds. The test of [`PlotKind::Cd`] is [`Test::Nemenyi`] unless another is chosen.
    pub tests: Settings,
}

impl Drawing {
    /// A plot of a kind with default options.
    pub fn new(kind: PlotKind) -> Self {
        Self {
            kind,
            measures: String::new(),
            conventions: Conventions::default(),
            cutoff: match kind {
                PlotKind::Pr => RAW_CUTOFF,
                _ => CUTOFF,
            },
            levels: None,
            raw: false,
            topic: None,
            bands: Bands::default(),
            ideals: Ideals::default(),
            order: BarOrder::default(),
            run: None,
            tests: Settings {
                test: match kind {
                    PlotKind::Cd => Test::Nemenyi,
                    _ => Test::default(),
                },
                ..Settings::default()
            },
        }
    }

    /// Replaces the measures and vectors of a request by those that the plot needs.
    ///
    /// # Errors
    /// If these runs, measures or policies do not suit the kind.
    pub fn prepare(&self, mut request: Request) -> Result<Request, DrawingError> {
        self.check_runs(request.runs.len())?;
        if let Some(bounds) = request.policies.bounds() {
            return Err(DrawingError::new(bounds.as_interval("cannot be plotted")));
        }
        if self.topic.is_some() && !self.kind.is_curve() {
            let kind = self.kind;
            return Err(DrawingError::new(format!(
                "{kind} compares topics; a single topic can be plotted by rank or recall"
            )));
        }
        (request.measures, request.vectors) = (Vec::new(), Vec::new());
        if self.kind.is_curve() {
            request.vectors = self.vectors(request.runs.len())?;
            request.topic_vectors = true;
        } else {
            request.measures = self.bound_measures()?;
            if let (PlotKind::Scatter, [_], [_]) = (self.kind, &*request.measures, &*request.runs) {
                let message = "scatter needs two measures, or one measure and two runs";
                return Err(DrawingError::new(message));
            }
        }
        Ok(request)
    }

    /// Whether the plot shows precision by recall without interpolation.
    pub(crate) fn is_raw(&self) -> bool {
        let is_plain = self.levels.is_none() && self.measures.trim().is_empty();
        self.kind == PlotKind::Pr && (self.raw || self.topic.is_some() && is_plain)
    }

    /// The vectors of a curve, its own first.
    fn vectors(&self, runs: usize) -> Result<Vec<BoundVector>, DrawingError> {
        let vectors = if self.is_raw() {
            raw::vectors(self)?
        } else {
            let vector = self.vector()?;
            let mut vectors = vec![vector.clone()];
            if self.wanted_ideals(runs).needs_vectors() {
                vectors.extend(vector.best_orders().into_iter().flatten().cloned());
            }
            vectors
        };
        check_components(&vectors).map_err(|error| of_core(&error))?;
        Ok(vectors)
    }

    /// The plot of an evaluation that [`prepare`](Self::prepare) asked for.
    ///
    /// # Errors
    /// If there is nothing to plot, or too much.
    pub fn plot(&self, evaluation: &Evaluation) -> Result<Plot, DrawingError> {
        self.check_runs(evaluation.runs.len())?;
        self.check_size(evaluation)?;
        self.check_topic(evaluation)?;
        check_alpha(self.tests.alpha).map_err(DrawingError::new)?;
        match self.kind {
            PlotKind::Histogram => bars::histogram(self, evaluation),
            PlotKind::Deviation => bars::deviation(self, evaluation),
            PlotKind::Box => topics::boxes(self, evaluation),
            PlotKind::Heatmap => topics::heatmap(evaluation),
            PlotKind::Scatter => runs::scatter(evaluation),
            PlotKind::Slope => runs::slope(evaluation),
            PlotKind::Significance => significance::significance(self, evaluation),
            PlotKind::Cd => critical::critical(self, evaluation),
            PlotKind::Ranks => ranks::ranks(self, evaluation),
            PlotKind::Tau => tau::tau(evaluation),
            PlotKind::Pr if self.is_raw() => Ok(raw::raw(self, evaluation)),
            _ => curves::curves(self, evaluation),
        }
    }

    /// Checks that there are topics, and not too many values.
    fn check_size(&self, evaluation: &Evaluation) -> Result<(), DrawingError> {
        let runs = evaluation.runs.iter();
        let topics = runs.map(|run| run.scores.topics.len()).max().unwrap_or(0);
        if topics == 0 {
            let message = Message::from("there is no topic to plot; ")
                .then(Setting::Topics.to(TopicPolicy::Judged))
                .then(" counts all topics of the judgements");
            return Err(DrawingError::new(message));
        }
        let vectors = evaluation.plan.vectors.iter();
        let columns = vectors
            .map(|vector| vector.positions().len())
            .sum::<usize>();
        let rows = if self.kind.is_curve() { 1 } else { topics };
        let values = evaluation
            .runs
            .len()
            .saturating_mul(rows)
            .saturating_mul(columns.max(1));
        if values > MOST_NUMBERS {
            return Err(DrawingError::new(format!(
                "the plot would show {values} values, and the limit is {MOST_NUMBERS}; give fewer runs or a smaller cutoff"
            )));
        }
        Ok(())
    }

    /// Checks that some run is evaluated on the topic, if there is one.
    fn check_topic(&self, evaluation: &Evaluation) -> Result<(), DrawingError> {
        let Some(topic) = &self.topic else {
            return Ok(());
        };
        let mut runs = evaluation.runs.iter();
        if runs.any(|run| place_of(topic, &run.scores).is_some()) {
            return Ok(());
        }
        Err(DrawingError::new(format!(
            "no topic `{topic}` in the evaluation"
        )))
    }

    /// Warnings about the plot of an evaluation, which its caption repeats: that there are few topics.
    pub fn notes(&self, evaluation: &Evaluation) -> Vec<String> {
        let note = match self.kind {
            PlotKind::Ranks => {
                let scores = compared::score_table(evaluation).ok();
                scores.and_then(|scores| few_topics_for_ranks(scores.matrix.topics()))
            }
            kind if kind.is_curve() => curves::few_topics_note(self, evaluation),
            _ => None,
        };
        note.into_iter().collect()
    }

    pub(crate) fn check_runs(&self, runs: usize) -> Result<(), DrawingError> {
        let (fits, needs) = match self.kind {
            PlotKind::Histogram => (runs == 2, "exactly two runs, whose difference it shows"),
            PlotKind::Deviation => (runs >= 2, "at least two runs, for the median"),
            PlotKind::Slope => (runs >= 2, "at least two runs"),
            PlotKind::Significance | PlotKind::Cd => (
                (2..=MOST_COMPARED).contains(&runs),
                "2 to 100 runs, to show all pairs",
            ),
            PlotKind::Ranks => ((2..=MOST_RANKED).contains(&runs), "2 to 500 runs"),
            PlotKind::Tau => (runs >= 2, "at least two runs, to order them"),
            _ => (runs >= 1, "a run"),
        };
        if fits {
            return Ok(());
        }
        let kind = self.kind;
        Err(DrawingError::new(format!(
            "{kind} needs {needs}; {runs} given"
        )))
    }

    /// The vector of a curve.
    fn vector(&self) -> Result<BoundVector, DrawingError> {
        let (family, cutoff) = (self.kind.family(), self.cutoff);
        let name = match (&self.levels, self.measures.trim()) {
            (Some(levels), "") if self.kind == PlotKind::Pr => {
                let levels: Vec<String> = levels.iter().map(ToString::to_string).collect();
                format!("IPrec(points='{}')", levels.join(","))
            }
            (Some(_), name) if self.kind == PlotKind::Pr => {
                return Err(DrawingError::new(format!(
                    "both recall levels and a vector are given; put the levels into `{name}`"
                )));
            }
            (_, "") if self.kind == PlotKind::Pr => family.into(),
            (_, "") => format!("{family}@{cutoff}"),
            (_, name) => name.into(),
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
            DrawingError::new(format!("{kind} plots one vector of {family}, not `{name}`"))
        })
    }

    /// The measures of a plot by topics or by runs.
    fn bound_measures(&self) -> Result<Vec<BoundMeasure>, DrawingError> {
        let (own, least, most) = match self.kind {
            PlotKind::Histogram => ("Rprec", 1, 1),
            PlotKind::Scatter => ("AP nDCG@10", 1, 2),
            PlotKind::Slope => ("AP nDCG@10", 2, 2),
            PlotKind::Tau => (tau::MEASURES, 2, MOST_MEASURES),
            PlotKind::Deviation | PlotKind::Significance | PlotKind::Cd | PlotKind::Ranks => {
                ("AP", 1, 1)
            }
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
                (2, MOST_MEASURES) => "2 to 40 measures",
                _ => "two measures",
            };
            return Err(DrawingError::new(format!(
                "{kind} needs {wanted}; `{names}` is {found}"
            )));
        }
        let is_text = |measure: &&BoundMeasure| {
            matches!(
                measure.computation,
                Computation::Text(_) | Computation::RunId
            )
        };
        match measures.iter().find(is_text) {
            Some(text) => Err(DrawingError::new(format!(
                "{text} is not a number and cannot be plotted"
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

    /// The bands to draw, with [`Bands::Auto`] resolved.
    fn wanted_bands(&self, runs: usize) -> Bands {
        match self.bands {
            Bands::Auto if runs <= BANDED_RUNS => Bands::Bootstrap,
            Bands::Auto => Bands::None,
            chosen => chosen,
        }
    }
}

/// The place of a topic among those of a run.
fn place_of(topic: &str, scores: &RunScores) -> Option<usize> {
    let mut topics = scores.topics.iter();
    topics.position(|found| *found.id == *topic.as_bytes())
}

/// Properties of kinds of plots that depend on measures.
pub(crate) trait Curve {
    fn is_curve(&self) -> bool;
    fn family(&self) -> &'static str;
    fn readable_runs(&self) -> usize;
}

impl Curve for PlotKind {
    fn is_curve(&self) -> bool {
        !self.family().is_empty()
    }

    /// Most runs that a reader can distinguish.
    fn readable_runs(&self) -> usize {
        match self {
            Self::Significance | Self::Cd => 40,
            Self::Ranks => 100,
            kind if kind.is_curve() => 12,
            _ => usize::MAX,
        }
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

fn of_core(error: &cranfield_core::error::Error) -> DrawingError {
    DrawingError::new(error.message().clone())
}

/// Why a plot cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawingError(Message);

impl DrawingError {
    /// An error with this message.
    pub fn new(message: impl Into<Message>) -> Self {
        Self(message.into())
    }

    /// The message with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        self.0.render(style)
    }
}

impl From<PlotError> for DrawingError {
    fn from(error: PlotError) -> Self {
        Self::new(error.to_string())
    }
}

impl fmt::Display for DrawingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for DrawingError {}

/// Writes a plot to a file, which appears only when it is complete, or to standard output for `-`.
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
