//! The state that an assessor's events add up to.

use std::collections::{BTreeMap, HashMap, HashSet};

use cranfield_core::qrels::Qrels;
use cranfield_eval::merging::{MergeRule, merge_qrels};

use crate::event::{Event, Kind, MachineAnswer};
use crate::queue::Pair;

/// A grade, and how long it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The grade.
    pub grade: u8,
    /// Milliseconds.
    pub ms: u64,
}

/// An answer of a program: the id of the question, and a grade, or `None` if it declined.
type Answer = (String, Option<u8>);

/// What an assessor has judged, deferred, flagged and noted.
#[derive(Clone, Debug, Default)]
pub struct Assessor {
    /// The name.
    pub name: String,
    judgements: HashMap<Pair, Judgement>,
    deferred: Vec<Pair>,
    flags: HashSet<Pair>,
    notes: HashMap<Pair, String>,
    /// Grades and deferrals that can be taken back.
    undoable: Vec<(Pair, Kind)>,
    /// Answers of a program by task, pair and sample.
    answers: BTreeMap<Task, BTreeMap<(Pair, u32), Answer>>,
    task: Option<Task>,
}

/// The instructions of a program, and its version.
pub(crate) type Task = (String, Option<String>);

impl Assessor {
    /// The state after these events.
    pub fn of(name: &str, events: &[Event]) -> Self {
        let mut state = Self {
            name: name.into(),
            ..Self::default()
        };
        for event in events {
            state.apply(event);
        }
        state
    }

    /// Adds an event.
    pub(crate) fn apply(&mut self, event: &Event) {
        if let Some(answer) = &event.machine {
            return self.apply_answer(event, answer);
        }
        let pair = event.pair();
        match event.kind {
            Kind::Grade => {
                let (grade, ms) = (event.grade.unwrap_or_default(), event.ms);
                self.judgements
                    .insert(pair.clone(), Judgement { grade, ms });
                self.deferred.retain(|known| *known != pair);
                self.undoable.push((pair, Kind::Grade));
            }
            Kind::Later => {
                self.deferred.retain(|known| *known != pair);
                self.deferred.push(pair.clone());
                self.undoable.push((pair, Kind::Later));
            }
            Kind::Undo => {
                let last = self.undoable.iter().rposition(|(known, _)| *known == pair);
                match last.map(|at| self.undoable.remove(at)) {
                    Some((_, Kind::Grade)) => drop(self.judgements.remove(&pair)),
                    _ => self.deferred.retain(|known| *known != pair),
                }
            }
            Kind::Flag => drop(self.flags.insert(pair)),
            Kind::Unflag => drop(self.flags.remove(&pair)),
            Kind::Note => {
                let note = event.note.clone().unwrap_or_default();
                self.notes.insert(pair, note);
            }
            Kind::Skip | Kind::Task => {}
        }
    }

    fn apply_answer(&mut self, event: &Event, answer: &MachineAnswer) {
        let task = (answer.task.clone(), answer.version.clone());
        if event.kind == Kind::Task {
            self.task = Some(task);
            return;
        }
        let answers = self.answers.entry(task).or_default();
        answers.insert(
            (event.pair(), answer.sample),
            (answer.id.clone(), event.grade),
        );
    }

    /// Whether the judgements are a program's.
    pub fn is_machine(&self) -> bool {
        self.task.is_some()
    }

    /// The last task.
    pub(crate) fn task(&self) -> Option<&Task> {
        self.task.as_ref()
    }

    /// Whether a question was answered under a task.
    pub(crate) fn has_answer(&self, task: &Task, pair: &Pair, sample: u32, id: &str) -> bool {
        let answers = self.answers.get(task);
        let key = (pair.clone(), sample);
        answers
            .and_then(|answers| answers.get(&key))
            .is_some_and(|(known, _)| known == id)
    }

    /// The grade that answers a question under a task; without bound below if the program declined.
    pub(crate) fn answer(&self, task: &Task, pair: &Pair, id: &str) -> Option<f64> {
        let (known, grade) = self.answers.get(task)?.get(&(pair.clone(), 0))?;
        let grade = grade.map_or(f64::NEG_INFINITY, f64::from);
        (known == id).then_some(grade)
    }

    /// The grade of a pair by a person.
    pub fn grade(&self, pair: &Pair) -> Option<u8> {
        self.judgements.get(pair).map(|judgement| judgement.grade)
    }

    /// Topics with judgements by a person, in any order and more than once.
    pub(crate) fn topics(&self) -> impl Iterator<Item = &str> {
        self.judgements.keys().map(|pair| &*pair.topic)
    }

    /// Whether a pair was set aside.
    pub fn is_deferred(&self, pair: &Pair) -> bool {
        self.deferred.contains(pair)
    }

    /// Pairs that were set aside, the earliest first.
    pub fn deferred(&self) -> impl Iterator<Item = &Pair> {
        self.deferred.iter()
    }

    /// Whether a pair is flagged.
    pub fn is_flagged(&self, pair: &Pair) -> bool {
        self.flags.contains(pair)
    }

    /// The note on a pair.
    pub fn note(&self, pair: &Pair) -> Option<&str> {
        self.notes.get(pair).map(String::as_str)
    }

    /// The pair whose grade or deferral would be taken back next.
    pub(crate) fn last(&self) -> Option<&Pair> {
        self.undoable.last().map(|(pair, _)| pair)
    }

    /// Milliseconds of the last judgements, at most this many.
    pub(crate) fn durations(&self, most: usize) -> Vec<u64> {
        let graded = self.undoable.iter().rev();
        let graded = graded.filter_map(|(pair, _)| self.judgements.get(pair));
        graded.take(most).map(|judgement| judgement.ms).collect()
    }

    /// Number of judgements by a person.
    pub fn len(&self) -> usize {
        self.judgements.len()
    }

    /// Whether a person has judged nothing.
    pub fn is_empty(&self) -> bool {
        self.judgements.is_empty()
    }

    /// The grades of each sample of a program under its last task; one list for a person.
    pub fn samples(&self) -> Vec<Vec<(Pair, u8)>> {
        let Some(task) = &self.task else {
            let graded = self.judgements.iter();
            let mut graded: Vec<(Pair, u8)> = graded
                .map(|(pair, judgement)| (pair.clone(), judgement.grade))
                .collect();
            graded.sort_unstable();
            return vec![graded];
        };
        let mut samples: BTreeMap<u32, Vec<(Pair, u8)>> = BTreeMap::new();
        for ((pair, sample), (_, grade)) in self.answers.get(task).into_iter().flatten() {
            if let Some(grade) = grade {
                let graded = samples.entry(*sample).or_default();
                graded.push((pair.clone(), *grade));
            }
        }
        samples.into_values().collect()
    }

    /// The judgements. Several samples of a program are merged by a rule.
    pub fn qrels(&self, rule: MergeRule) -> Qrels {
        let qrels = |graded: &Vec<(Pair, u8)>| {
            let graded = graded.iter();
            Qrels::from_judgements(
                graded.map(|(pair, grade)| (&pair.topic, &pair.doc, f64::from(*grade))),
            )
        };
        let mut samples: Vec<Qrels> = self.samples().iter().map(qrels).collect();
        if samples.len() == 1 {
            return samples.remove(0);
        }
        merge_qrels(&samples.iter().collect::<Vec<_>>(), rule, None)
    }
}
