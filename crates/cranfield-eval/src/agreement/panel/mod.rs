//! Agreement of any number of assessors.

mod coefficients;
mod documents;

use std::fmt;

use cranfield_core::policy::NegativeGrades;
use cranfield_core::small_sort::SmallSort;
use cranfield_io::{Code, Error, Problem};
use cranfield_stats::StatsError;
use cranfield_stats::agreement::{Level, Ratings, Weights, krippendorff, percent_agreement};
use cranfield_stats::bootstrap::Estimate;

pub use coefficients::Coefficient;
use documents::{Judged, documents, topic_ids};

use super::classes::{Axis, Class, Merging};
use super::{Agreement, AgreementPlan, Assessor, Figure, Intervals, Line};

/// Settings for comparing several assessors.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelPlan {
    /// How grades are merged into classes.
    pub merging: Merging,
    /// Lowest relevant grade, for overlap and for positive and negative agreement.
    pub level: f64,
    /// The only topic to compare, if there is one.
    pub topic: Option<String>,
    /// Number of disputed documents to list.
    pub disputed: usize,
    /// How intervals are computed.
    pub intervals: Intervals,
}

impl Default for PanelPlan {
    /// Every grade is its own class, grades from 1 on are relevant, and ten documents are listed.
    fn default() -> Self {
        Self {
            merging: Merging::default(),
            level: 1.0,
            topic: None,
            disputed: 10,
            intervals: Intervals::default(),
        }
    }
}

/// Why assessors cannot be compared.
#[derive(Debug)]
pub enum PanelError {
    /// An assessor has too many grades.
    Input(Error),
    /// No assessor judged the topic.
    NoTopic(String),
    /// Settings of intervals, or grades that are not finite.
    Stats(StatsError),
}

impl fmt::Display for PanelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::NoTopic(id) => write!(f, "no assessor judged the topic `{id}`"),
            Self::Stats(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PanelError {}

impl From<StatsError> for PanelError {
    fn from(error: StatsError) -> Self {
        Self::Stats(error)
    }
}

/// Numbers of documents, by how many assessors judged them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Topics with a judgement.
    pub topics: usize,
    /// Documents with a judgement.
    pub documents: usize,
    /// Documents with two or more judgements.
    pub shared: usize,
    /// Documents that all assessors judged.
    pub complete: usize,
}

/// Two assessors, compared as by [`Agreement`].
#[derive(Clone, Debug)]
pub struct PairOfAssessors {
    /// Index of the first assessor.
    pub first: usize,
    /// Index of the second assessor.
    pub second: usize,
    /// Number of documents that both judged.
    pub documents: u64,
    /// The figures, in the order of [`Figure::ALL`].
    pub figures: Vec<Estimate>,
}

impl PairOfAssessors {
    /// A figure with its interval.
    pub fn figure(&self, figure: Figure) -> Estimate {
        let place = Figure::ALL.iter().position(|known| *known == figure);
        let found = place.and_then(|at| self.figures.get(at));
        found.copied().unwrap_or_default()
    }
}

/// How one assessor judges.
#[derive(Clone, Debug)]
pub struct AssessorFigures {
    /// Number of documents judged.
    pub documents: u64,
    /// Documents by class.
    pub classes: Vec<u64>,
    /// Mean grade.
    pub mean: Option<f64>,
    /// Mean of the own grade minus the mean of the other assessors' grades of the same document: above 0 for a generous assessor. `None` if
    /// no document was judged by others.
    pub bias: Option<f64>,
    /// Mean of Cohen's kappa with the other assessors, where it is defined.
    pub kappa: Option<f64>,
}

/// A document on which assessors disagree.
#[derive(Clone, Debug, PartialEq)]
pub struct DisputedDocument {
    /// Topic id.
    pub topic: Box<[u8]>,
    /// Document id.
    pub doc: Box<[u8]>,
    /// The grades by assessor.
    pub grades: Vec<Option<f64>>,
    /// The highest grade minus the lowest.
    pub spread: f64,
}

/// The agreement on one topic.
#[derive(Clone, Debug)]
pub struct PanelTopic {
    /// Topic id.
    pub id: Box<[u8]>,
    /// Documents with two or more judgements.
    pub documents: usize,
    /// See [`Coefficient::Agreement`].
    pub agreement: Option<f64>,
    /// Krippendorff's alpha by the order of grades.
    pub alpha: Option<f64>,
}

/// The agreement of several assessors.
///
/// ```
/// use cranfield_eval::agreement::{Assessor, Coefficient, Panel, PanelPlan};
/// use cranfield_eval::Qrels;
///
/// let grades = [[0.0, 1.0, 2.0], [0.0, 1.0, 1.0], [0.0, 2.0, 2.0]];
/// let assessors = grades.map(|grades| {
///     let judged = ["a", "b", "c"].into_iter().zip(grades);
///     let judged = judged.map(|(doc, grade)| ("q", doc, grade));
///     Assessor::in_memory("someone", Qrels::from_judgements(judged.collect::<Vec<_>>()))
/// });
/// let panel = Panel::of(&assessors, &PanelPlan::default())?;
/// // All three agree on one document, and one of three pairs on each of the others.
/// let agreement = panel.coefficient(Coefficient::Agreement).value.unwrap();
/// assert!((agreement - 5.0 / 9.0).abs() < 1e-12);
/// assert_eq!(panel.disputed.len(), 2);
/// # Ok::<(), cranfield_eval::agreement::PanelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Panel {
    /// How the assessors were compared.
    pub plan: PanelPlan,
    /// Names of the assessors.
    pub names: Vec<String>,
    /// The classes of grades.
    pub classes: Vec<Class>,
    /// How much was judged.
    pub counted: Counted,
    /// The coefficients, in the order of [`Coefficient::ALL`].
    pub coefficients: Vec<Estimate>,
    /// All pairs of assessors.
    pub pairs: Vec<PairOfAssessors>,
    /// The assessors.
    pub assessors: Vec<AssessorFigures>,
    /// The documents with the largest spread, at most [`PanelPlan::disputed`].
    pub disputed: Vec<DisputedDocument>,
    /// Number of documents with a spread above 0.
    pub disputed_in_all: usize,
    /// The topics, in ascending byte order of their ids.
    pub topics: Vec<PanelTopic>,
}

impl Panel {
    /// Compares assessors.
    ///
    /// # Errors
    /// If no one judged the topic of the plan, if there are more than [`MAX_CLASSES`](super::MAX_CLASSES) distinct grades that are not
    /// merged, or if a setting is out of range.
    pub fn of(assessors: &[Assessor], plan: &PanelPlan) -> Result<Self, PanelError> {
        let axis = axis(assessors, &plan.merging)?;
        let topics = topic_ids(assessors, plan.topic.as_deref());
        if let (Some(id), true) = (&plan.topic, topics.is_empty()) {
            return Err(PanelError::NoTopic(id.clone()));
        }
        let by_topic: Vec<Vec<Judged<'_>>> = topics
            .iter()
            .map(|topic| documents(assessors, topic))
            .collect();
        let all = || by_topic.iter().flatten();
        let grades = axis.values();
        let (coefficients, ratings) = match ratings(all(), assessors.len(), &axis) {
            // Nothing is judged.
            Err(StatsError::Empty) => (vec![Estimate::default(); Coefficient::ALL.len()], None),
            Err(error) => return Err(error.into()),
            Ok(ratings) => {
                let found =
                    Coefficient::estimates(Coefficient::ALL, &ratings, &grades, plan.intervals)?;
                (found, Some(ratings))
            }
        };
        let pairs = pairs(assessors, plan)?;
        let figures = |at: usize| {
            let classes = ratings.as_ref().map(|ratings| ratings.grades_of(at));
            AssessorFigures::of(at, all(), classes.unwrap_or_default(), &pairs)
        };
        let (disputed, disputed_in_all) = documents::disputed(all(), plan.disputed);
        let topics = topics.iter().zip(&by_topic);
        let topics = topics.map(|(id, judged)| PanelTopic::of(id, judged, assessors.len(), &axis));
        let topics: Vec<PanelTopic> = topics.collect();
        Ok(Self {
            plan: plan.clone(),
            names: assessors.iter().map(|own| own.name.clone()).collect(),
            classes: axis.classes.clone(),
            counted: Counted::of(topics.len(), all(), assessors.len()),
            coefficients,
            assessors: (0..assessors.len()).map(figures).collect(),
            pairs,
            disputed,
            disputed_in_all,
            topics,
        })
    }

    /// A coefficient with its interval.
    pub fn coefficient(&self, coefficient: Coefficient) -> Estimate {
        let place = Coefficient::ALL
            .iter()
            .position(|known| *known == coefficient);
        let found = place.and_then(|at| self.coefficients.get(at));
        found.copied().unwrap_or_default()
    }

    /// The figures of two assessors, in any order.
    pub fn pair(&self, a: usize, b: usize) -> Option<&PairOfAssessors> {
        let (first, second) = (a.min(b), a.max(b));
        let mut pairs = self.pairs.iter();
        pairs.find(|pair| (pair.first, pair.second) == (first, second))
    }

    /// The topics in ascending order of agreement; those without shared documents are last.
    pub fn hardest_topics(&self) -> Vec<&PanelTopic> {
        let mut topics: Vec<&PanelTopic> = self.topics.iter().collect();
        let key = |topic: &PanelTopic| topic.agreement.unwrap_or(f64::INFINITY);
        topics.small_sort_by(|a, b| key(a).total_cmp(&key(b)));
        topics
    }
}

/// The classes of all grades.
fn axis(assessors: &[Assessor], merging: &Merging) -> Result<Axis, PanelError> {
    let grades = |assessor: &Assessor| {
        let topics = assessor.qrels.topics();
        let levels = topics.flat_map(|topic| topic.base(NegativeGrades::Judged).grades());
        levels.map(|level| level.grade).collect::<Vec<f64>>()
    };
    let mut seen = Vec::new();
    for assessor in assessors {
        seen.extend(grades(assessor));
        seen.sort_unstable_by(f64::total_cmp);
        seen.dedup();
        if Axis::new(merging, seen.iter().copied()).is_none() {
            let (path, message) = (&assessor.file.path, super::too_many_grades());
            let problem = Problem::file(Code::TooManyGrades, path, message);
            let problem = problem.with_help("merge them into classes, for example at 1,2");
            return Err(PanelError::Input(problem.into()));
        }
    }
    Axis::new(merging, seen.into_iter()).ok_or(PanelError::Stats(StatsError::Empty))
}

/// The ratings of documents, with the places of classes as categories.
fn ratings<'a>(
    documents: impl Iterator<Item = &'a Judged<'a>>,
    assessors: usize,
    axis: &Axis,
) -> Result<Ratings, StatsError> {
    let places: Vec<f64> = (0..axis.classes.len()).map(|place| place as f64).collect();
    let items = documents.map(|judged| {
        let grades = judged.grades.iter();
        (
            grades
                .map(|grade| grade.map(|grade| axis.place(grade)))
                .collect(),
            1,
        )
    });
    Ratings::of_items(&places, assessors, items)
}

fn pairs(assessors: &[Assessor], plan: &PanelPlan) -> Result<Vec<PairOfAssessors>, PanelError> {
    let two = AgreementPlan {
        first: plan.merging.clone(),
        second: plan.merging.clone(),
        level: plan.level,
    };
    let mut pairs = Vec::new();
    for first in 0..assessors.len() {
        for second in first + 1..assessors.len() {
            let agreement = Agreement::of(&assessors[first].qrels, &assessors[second].qrels, &two);
            // All grades together are few enough, so those of two assessors are.
            let agreement = agreement.map_err(|_| PanelError::Stats(StatsError::Empty))?;
            let wanted = |id: &[u8]| plan.topic.as_deref().map(str::as_bytes) == Some(id);
            let topic = agreement.topics.iter().find(|topic| wanted(&topic.id));
            let table = match (&plan.topic, topic) {
                (None, _) => Some(&agreement.all),
                (Some(_), topic) => topic.map(|topic| &topic.table),
            };
            let undefined = || Ok(vec![Estimate::default(); Figure::ALL.len()]);
            let figures = table.map_or_else(undefined, |table| table.estimates(plan.intervals));
            pairs.push(PairOfAssessors {
                first,
                second,
                documents: table.map_or(0, |table| table.count(Line::Total, Line::Total)),
                figures: figures?,
            });
        }
    }
    Ok(pairs)
}

impl Counted {
    fn of<'a>(
        topics: usize,
        documents: impl Iterator<Item = &'a Judged<'a>>,
        assessors: usize,
    ) -> Self {
        let mut counted = Self {
            topics,
            ..Self::default()
        };
        for judged in documents {
            let count = judged.given().count();
            counted.documents += 1;
            counted.shared += usize::from(count > 1);
            counted.complete += usize::from(count == assessors);
        }
        counted
    }
}

impl AssessorFigures {
    fn of<'a>(
        at: usize,
        documents: impl Iterator<Item = &'a Judged<'a>>,
        classes: Vec<u64>,
        pairs: &[PairOfAssessors],
    ) -> Self {
        let (mut grades, mut gaps) = (Mean::default(), Mean::default());
        for judged in documents {
            let Some(own) = judged.grades[at] else {
                continue;
            };
            grades.push(own);
            let others = judged.grades.iter().enumerate();
            let others = others.filter(|(other, _)| *other != at);
            let mut theirs = Mean::default();
            others
                .filter_map(|(_, grade)| *grade)
                .for_each(|grade| theirs.push(grade));
            if let Some(theirs) = theirs.value() {
                gaps.push(own - theirs);
            }
        }
        let mut kappa = Mean::default();
        let own = pairs
            .iter()
            .filter(|pair| [pair.first, pair.second].contains(&at));
        own.filter_map(|pair| pair.figure(Figure::Kappa).value)
            .for_each(|value| kappa.push(value));
        Self {
            documents: grades.count,
            classes,
            mean: grades.value(),
            bias: gaps.value(),
            kappa: kappa.value(),
        }
    }
}

/// A mean of numbers in the order in which they come.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn push(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl PanelTopic {
    fn of(id: &[u8], documents: &[Judged<'_>], assessors: usize, axis: &Axis) -> Self {
        let ratings = ratings(documents.iter(), assessors, axis).ok();
        let shared = documents.iter().filter(|judged| judged.given().count() > 1);
        Self {
            id: id.into(),
            documents: shared.count(),
            agreement: ratings
                .as_ref()
                .and_then(|ratings| percent_agreement(ratings, Weights::Identity)),
            alpha: ratings
                .as_ref()
                .and_then(|ratings| krippendorff(ratings, Level::Ordinal)),
        }
    }
}

#[cfg(test)]
mod tests;
