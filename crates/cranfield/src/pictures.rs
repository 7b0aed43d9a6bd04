//! Pictures of evaluations.
//!
//! ```no_run
//! use cranfield::pictures::Drawing;
//! use cranfield::report::picture::{PictureFormat, PictureKind, Sheet};
//! use cranfield::{Evaluation, Request};
//!
//! let drawing = Drawing::new(PictureKind::Ndcg);
//! let request = drawing.prepare(Request::new("qrels.txt", ["bm25.run", "dense.run"], Vec::new()))?;
//! let picture = drawing.picture(&Evaluation::of_files(request)?)?;
//! let bytes = picture.render(PictureFormat::Svg, &Sheet::default())?;
//! cranfield::pictures::save(&bytes, "ndcg.svg")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod curves;
mod topics;

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use cranfield_core::measure::{BoundMeasure, Computation};
use cranfield_core::policy::{Policies, Profile};
use cranfield_core::spec::{Conventions, parse_measures};
use cranfield_core::vectors::{BoundVector, check_components, parse_vectors};
use cranfield_report::picture::{Picture, PictureError, PictureKind};

use crate::{Evaluation, Request};

/// Most ranks of a curve where nothing else is asked for.
const CUTOFF: usize = 100;

/// Most runs that have bands, and most that have their best order, where nothing else is asked for.
const BANDED_RUNS: usize = 4;
const ORDERED_RUNS: usize = 2;

/// Most numbers of a picture.
const MOST_NUMBERS: usize = 1_000_000;

macro_rules! choice {
    ($(#[$meta:meta])* $name:ident ($what:literal) { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$variant => $text,)+ })
            }
        }

        impl FromStr for $name {
            type Err = PictureError;

            fn from_str(text: &str) -> Result<Self, PictureError> {
                let known = Self::ALL.iter().copied().find(|value| value.to_string() == text);
                known.ok_or_else(|| {
                    let names: Vec<_> = Self::ALL.iter().map(ToString::to_string).collect();
                    PictureError::new(format!("unknown {} `{text}`; one of: {}", $what, names.join(", ")))
                })
            }
        }
    };
}

choice! {
    /// What is drawn around the mean curve of a run.
    Bands ("kind of band") {
        /// Standard errors if there are few runs.
        #[default]
        Auto = "auto",
        /// Nothing.
        None = "none",
        /// The mean, less and more its standard error over topics.
        StandardError = "se",
    }
}

choice! {
    /// Which curves of gain are drawn to compare with.
    Ideals ("kind of ideal") {
        /// The ideal, and for few runs the best order of what they retrieved.
        #[default]
        Auto = "auto",
        /// None.
        None = "none",
        /// The ideal ranking of the judged documents.
        Judged = "judged",
        /// The retrieved documents in the best order, run by run.
        Retrieved = "retrieved",
        /// Both.
        Both = "both",
    }
}

choice! {
    /// The order of topics that are shown as bars.
    BarOrder ("order of topics") {
        /// By difference, greatest first.
        #[default]
        Difference = "difference",
        /// By topic.
        Topic = "topic",
    }
}

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
        match self.kind {
            PictureKind::Histogram => topics::histogram(self, evaluation),
            PictureKind::Deviation => topics::deviation(self, evaluation),
            PictureKind::Box => topics::boxes(evaluation),
            PictureKind::Heatmap => topics::heatmap(evaluation),
            PictureKind::Scatter => topics::scatter(evaluation),
            PictureKind::Slope => topics::slope(evaluation),
            _ => curves::curves(self, evaluation),
        }
    }

    fn check_runs(&self, runs: usize) -> Result<(), PictureError> {
        let (fits, needs) = match self.kind {
            PictureKind::Histogram => (
                runs == 2,
                "exactly two runs, of which it shows the difference",
            ),
            PictureKind::Deviation => {
                (runs >= 2, "at least two runs, of which it takes the median")
            }
            PictureKind::Slope => (runs >= 2, "at least two runs, whose ranks it shows"),
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
            PictureKind::Deviation => ("AP", 1, 1),
            PictureKind::Scatter => ("AP nDCG@10", 1, 2),
            PictureKind::Slope => ("AP nDCG@10", 2, 2),
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
                _ => "two measures",
            };
            return Err(PictureError::new(format!(
                "{kind} shows {wanted}, and `{names}` is {found}"
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

    fn wants_bands(&self, runs: usize) -> bool {
        match self.bands {
            Bands::Auto => runs <= BANDED_RUNS,
            Bands::None => false,
            Bands::StandardError => true,
        }
    }
}

impl Ideals {
    fn needs_vectors(self) -> bool {
        self != Self::None
    }

    fn has_judged(self) -> bool {
        matches!(self, Self::Judged | Self::Both)
    }

    fn has_retrieved(self) -> bool {
        matches!(self, Self::Retrieved | Self::Both)
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

/// A caption: what is shown, of how many topics, under which policies, and whatever else must be known.
fn caption(evaluation: &Evaluation, what: &str, more: &[String]) -> String {
    let runs = &evaluation.runs;
    let counts = runs.iter().map(|run| run.scores.topics.len());
    let (least, most) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
    let topics = match (least == most, most) {
        (true, 1) => "1 topic".into(),
        (true, count) => format!("{count} topics"),
        (false, _) => format!("{least} to {most} topics"),
    };
    let lacking = |run: &crate::EvaluatedRun| {
        let topics = run.scores.topics.iter();
        topics.filter(|topic| !topic.in_run).count()
    };
    let missing = runs.iter().map(lacking).max().unwrap_or(0);
    let mut sentences = vec![format!("{what}; {topics}")];
    if missing > 0 {
        let whose = if runs.len() == 1 {
            "the run lacks"
        } else {
            "a run lacks up to"
        };
        let rankings = match missing {
            1 => "1 topic, which counts as an empty ranking".into(),
            missing => format!("{missing} topics, which count as empty rankings"),
        };
        sentences.push(format!("Of these, {whose} {rankings}"));
    }
    sentences.extend(more.iter().cloned());
    sentences.push(policies(&evaluation.plan.policies, evaluation.profile));
    sentences.join(". ") + "."
}

/// The policies that a reader must know: those that most change numbers, and all that are not Cranfield's own.
fn policies(policies: &Policies, profile: Profile) -> String {
    let own = Policies::OWN.named();
    let always = ["ties", "topics", "unjudged"];
    let named = policies.named().into_iter().zip(own);
    let shown: Vec<String> = named
        .filter(|((name, value), (_, own))| always.contains(name) || value != own)
        .map(|((name, value), _)| format!("{name} {value}"))
        .collect();
    let profile = match profile {
        Profile::Cranfield => String::new(),
        profile => format!(", profile {profile}"),
    };
    format!("Policies: {}{profile}", shown.join(", "))
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
