//! Evaluations as plain values, for pickles: what was asked for, from which the plan is rebuilt, and the scores.

use cranfield::core::evaluate::{Plan, TopicNotes};
use cranfield::core::measure::{Computation, Direction};
use cranfield::core::places::Places;
use cranfield::engine::{Aggregated, TopicScores, Values};
use cranfield::io::Problem;
use cranfield::{EvaluatedRun, Evaluation, InputFile, RunScores};
use pyo3::prelude::*;

use crate::ask::{Asked, Item, Words};
use crate::errors::Failure;

/// The first field of a pickle.
const VERSION: u32 = 2;

/// An evaluation.
#[derive(IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SavedEvaluation {
    version: u32,
    /// Names, and whether these are measures of Python: then which values are better.
    measures: Vec<(String, Option<String>)>,
    profile: String,
    level: Option<f64>,
    policies: Vec<(String, String)>,
    reference_values: bool,
    qrels: SavedFile,
    intents: Option<SavedFile>,
    known: Option<SavedFile>,
    sessions: Option<SavedFile>,
    topics: usize,
    judgements: usize,
    graded: bool,
    grades: Vec<f64>,
    runs: Vec<SavedRun>,
}

/// A file and what was odd about it.
#[derive(IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
struct SavedFile {
    path: String,
    notes: Vec<SavedProblem>,
}

#[derive(IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
struct SavedProblem {
    code: String,
    path: String,
    /// Line, column and width.
    place: (u64, u32, u32),
    message: String,
    help: Option<String>,
    text: Option<String>,
    mark: (u32, u32),
}

/// A run and its scores.
#[derive(IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
struct SavedRun {
    file: SavedFile,
    scores: SavedScores,
    upper: Option<SavedScores>,
}

#[derive(IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
struct SavedScores {
    name: String,
    tag: String,
    topics: Vec<SavedTopic>,
    /// Eight bytes for each number, by topic and measure.
    values: Vec<u8>,
    /// Values of all topics, and the number of topics without one.
    totals: Vec<(Option<f64>, usize)>,
    strings: Vec<String>,
    unjudged: Vec<u32>,
    shown: Vec<u32>,
    extra_topics: usize,
    left_out: usize,
}

#[derive(IntoPyObject, FromPyObject)]
#[pyo3(from_item_all)]
struct SavedTopic {
    id: Vec<u8>,
    /// Whether the run and the qrels have it.
    is_in: (bool, bool),
    /// Documents retrieved, groups of ties, documents in them, and groups with several labels.
    counts: (u32, u32, u32, u32),
    straddled: Vec<usize>,
    inexact: Vec<usize>,
    duplicate: Option<Vec<u8>>,
}

/// The columns of rows of a plan: measures, strings among them, and cutoffs.
struct Shape {
    measures: usize,
    strings: usize,
    cutoffs: usize,
}

impl Shape {
    fn of(plan: &Plan) -> Self {
        let measures = plan.measures.iter();
        let is_text = |computation: &Computation| matches!(computation, Computation::Text(_));
        Self {
            measures: plan.measures.len(),
            strings: measures.filter(|one| is_text(&one.computation)).count(),
            cutoffs: plan.cutoffs().len(),
        }
    }
}

fn damaged() -> Failure {
    Failure::Usage("damaged pickle of an evaluation".into())
}

impl SavedEvaluation {
    pub(crate) fn of(evaluation: &Evaluation, words: &Words) -> Self {
        let shape = Shape::of(&evaluation.plan);
        let file = |file: &Option<InputFile>| file.as_ref().map(SavedFile::of);
        let runs = evaluation.runs.iter().map(|run| SavedRun {
            file: SavedFile::of(&run.file),
            scores: SavedScores::of(&run.scores, &shape),
            upper: run
                .upper
                .as_ref()
                .map(|upper| SavedScores::of(upper, &shape)),
        });
        Self {
            version: VERSION,
            measures: words.measures.iter().map(saved_item).collect(),
            profile: evaluation.profile.name().into(),
            level: words.level,
            policies: words.policies.clone(),
            reference_values: evaluation.plan.reference_values,
            qrels: SavedFile::of(&evaluation.qrels),
            intents: file(&evaluation.intents),
            known: file(&evaluation.known),
            sessions: file(&evaluation.sessions),
            topics: evaluation.topics,
            judgements: evaluation.judgements,
            graded: evaluation.graded,
            grades: evaluation.grades.clone(),
            runs: runs.collect(),
        }
    }

    /// Reads a pickle, its version first, because other versions have other fields.
    pub(crate) fn read(state: &Bound<'_, PyAny>) -> Result<Self, Failure> {
        let version = state.get_item("version");
        let version = version.and_then(|version| version.extract::<u32>());
        if version.is_ok_and(|version| version != VERSION) {
            let why = "a pickle of another version cannot be read; evaluate again";
            return Err(Failure::Usage(why.into()));
        }
        let saved = state.extract();
        saved.map_err(|_| Failure::Usage("a damaged pickle; evaluate again".into()))
    }

    /// The evaluation, and what was asked for, unless the values do not fit each other.
    pub(crate) fn restored(self) -> Result<(Evaluation, Words), Failure> {
        let words = Words {
            profile: self.profile.clone(),
            measures: self.measures.into_iter().map(item).collect(),
            level: self.level,
            policies: self.policies,
        };
        let asked = Asked::of(words)?;
        let plan = Plan {
            measures: asked.measures,
            policies: asked.policies,
            reference_values: self.reference_values,
            ..Plan::default()
        };
        let shape = Shape::of(&plan);
        let runs = self.runs.into_iter().map(|run| run.restored(&shape));
        let file = |file: Option<SavedFile>| file.map(SavedFile::restored).transpose();
        let evaluation = Evaluation {
            plan,
            profile: asked.profile,
            qrels: self.qrels.restored()?,
            intents: file(self.intents)?,
            known: file(self.known)?,
            sessions: file(self.sessions)?,
            topics: self.topics,
            judgements: self.judgements,
            graded: self.graded,
            grades: self.grades,
            runs: runs.collect::<Result<_, _>>()?,
        };
        Ok((evaluation, asked.words))
    }
}

fn saved_item(item: &Item) -> (String, Option<String>) {
    match item {
        Item::Names(names) => (names.clone(), None),
        Item::Custom(name, direction) => {
            let better = match direction {
                Direction::HigherIsBetter => "higher",
                Direction::LowerIsBetter => "lower",
                Direction::Neutral => "neither",
            };
            (name.clone(), Some(better.into()))
        }
    }
}

fn item((name, better): (String, Option<String>)) -> Item {
    match better.as_deref() {
        None => Item::Names(name),
        Some("higher") => Item::Custom(name, Direction::HigherIsBetter),
        Some("lower") => Item::Custom(name, Direction::LowerIsBetter),
        Some(_) => Item::Custom(name, Direction::Neutral),
    }
}

impl SavedFile {
    fn of(file: &InputFile) -> Self {
        let notes = file.notes.iter().cloned().map(|problem| SavedProblem {
            code: problem.code.id().into(),
            path: problem.path,
            place: (problem.line, problem.column, problem.width),
            message: problem.message.to_string(),
            help: problem.help.map(|help| help.to_string()),
            text: problem.text,
            mark: problem.mark,
        });
        Self {
            path: file.path.clone(),
            notes: notes.collect(),
        }
    }

    fn restored(self) -> Result<InputFile, Failure> {
        let notes = self.notes.into_iter().map(|saved| {
            Ok(Problem {
                code: saved.code.parse().map_err(|_| damaged())?,
                path: saved.path,
                line: saved.place.0,
                column: saved.place.1,
                width: saved.place.2,
                message: saved.message.into(),
                help: saved.help.map(Into::into),
                text: saved.text,
                mark: saved.mark,
                os_error: None,
            })
        });
        Ok(InputFile {
            path: self.path,
            notes: notes.collect::<Result<_, Failure>>()?,
            hash: None,
        })
    }
}

impl SavedRun {
    fn restored(self, shape: &Shape) -> Result<EvaluatedRun, Failure> {
        let upper = self.upper.map(|upper| upper.restored(shape));
        Ok(EvaluatedRun {
            file: self.file.restored()?,
            scores: self.scores.restored(shape)?,
            upper: upper.transpose()?,
        })
    }
}

impl SavedScores {
    fn of(scores: &RunScores, shape: &Shape) -> Self {
        let numbers = scores.values.rows().flatten();
        let totals = scores.totals.iter();
        Self {
            name: scores.name.clone(),
            tag: scores.tag.clone(),
            topics: scores
                .topics
                .iter()
                .map(|topic| SavedTopic::of(topic, shape))
                .collect(),
            values: numbers.flat_map(|number| number.to_le_bytes()).collect(),
            totals: totals.map(|total| (total.value, total.undefined)).collect(),
            strings: scores.strings.clone(),
            unjudged: scores.unjudged.clone(),
            shown: scores.shown.clone(),
            extra_topics: scores.extra_topics,
            left_out: scores.left_out,
        }
    }

    fn restored(self, shape: &Shape) -> Result<RunScores, Failure> {
        let topics = self.topics.len();
        let (numbers, rest) = self.values.as_chunks::<8>();
        let by_cutoff = topics.checked_mul(shape.cutoffs);
        let fits = rest.is_empty()
            && topics.checked_mul(shape.measures) == Some(numbers.len())
            && self.totals.len() == shape.measures
            && topics.checked_mul(shape.strings) == Some(self.strings.len())
            && by_cutoff == Some(self.unjudged.len())
            && (self.shown.is_empty() || by_cutoff == Some(self.shown.len()));
        if !fits {
            return Err(damaged());
        }
        let numbers = numbers.iter().map(|bytes| f64::from_le_bytes(*bytes));
        let topics = self.topics.into_iter().map(|topic| topic.restored(shape));
        let totals = self.totals.into_iter();
        Ok(RunScores {
            name: self.name,
            tag: self.tag,
            topics: topics.collect(),
            values: Values::of_rows(shape.measures, numbers.collect()),
            totals: totals
                .map(|(value, undefined)| Aggregated { value, undefined })
                .collect(),
            strings: self.strings,
            unjudged: self.unjudged,
            shown: self.shown,
            extra_topics: self.extra_topics,
            left_out: self.left_out,
        })
    }
}

impl SavedTopic {
    fn of(topic: &TopicScores, shape: &Shape) -> Self {
        let notes = &topic.notes;
        let listed = |places: &Places, most| (0..most).filter(|at| places.contains(*at)).collect();
        Self {
            id: topic.id.to_vec(),
            is_in: (topic.in_run, topic.in_qrels),
            counts: (
                notes.retrieved,
                notes.tie_groups,
                notes.tied_docs,
                notes.mixed_groups,
            ),
            straddled: listed(&notes.straddled, shape.cutoffs),
            inexact: listed(&notes.inexact, shape.measures),
            duplicate: topic.duplicate.as_ref().map(|id| id.to_vec()),
        }
    }

    fn restored(self, shape: &Shape) -> TopicScores {
        let places = |listed: Vec<usize>, most: usize| {
            let mut places = Places::default();
            let known = listed.into_iter().filter(|at| *at < most);
            known.for_each(|at| places.insert(at));
            places
        };
        let (retrieved, tie_groups, tied_docs, mixed_groups) = self.counts;
        TopicScores {
            id: self.id.into(),
            in_run: self.is_in.0,
            in_qrels: self.is_in.1,
            notes: TopicNotes {
                retrieved,
                tie_groups,
                tied_docs,
                mixed_groups,
                straddled: places(self.straddled, shape.cutoffs),
                inexact: places(self.inexact, shape.measures),
            },
            duplicate: self.duplicate.map(Into::into),
        }
    }
}
