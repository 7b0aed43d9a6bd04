//! A program's judgements of a pool: what was answered, and what is missing.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::program::Asked;
use super::question::{Instructions, Question};
use super::result::{Graded, SelfAgreement};
use crate::assessor::{Assessor, Task};
use crate::error::JudgeError;
use crate::event::{Draft, Kind, MachineAnswer};
use crate::live::Live;
use crate::log::Log;
use crate::materials::Materials;
use crate::queue::Pair;
use crate::scale::Scale;
use crate::settings::Settings;

/// A program's judgements of a pool.
///
/// A question is numbered from 0; with several votes, all questions of the first sample come before those of the second.
pub struct Grading {
    log: Log,
    state: Assessor,
    materials: Arc<Materials>,
    instructions: Instructions,
    pairs: Vec<Pair>,
    ids: Vec<String>,
    by_id: HashMap<String, usize>,
    version: Option<String>,
    /// What chooses the next question, if not all are known from the start.
    live: Option<Live>,
    /// Numbers of the questions that it chose.
    numbers: HashMap<Pair, usize>,
    /// Whether an unfinished line was removed from the audit file.
    pub was_torn: bool,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A grade.
    Grade {
        /// The grade.
        grade: u8,
        /// Why.
        reason: Option<String>,
        /// How sure the program is.
        confidence: Option<f64>,
        /// The model.
        model: Option<String>,
        /// What the answer cost.
        usage: Option<Value>,
    },
    /// The program declines, for this reason.
    Skip(String),
}

impl Grading {
    /// Opens the audit file of a program, whose answers are not asked for again. The settings are written to the folder with the first
    /// answer.
    ///
    /// # Errors
    /// If the file is in use, was changed, or holds the judgements of a person.
    pub fn open(
        folder: &Path,
        who: &str,
        (pairs, votes): (Vec<Pair>, u32),
        materials: Arc<Materials>,
        (template, settings): (&str, &Settings),
    ) -> Result<Self, JudgeError> {
        let mut opened = Log::open(folder, who)?;
        opened.log.keep_with_first(settings.clone());
        let state = Assessor::of(who, &opened.events);
        if !opened.events.is_empty() && !state.is_machine() {
            return Err(JudgeError::Setting(format!(
                "`{who}` is a person in this folder; give the program another name"
            )));
        }
        let instructions = Instructions {
            who: who.into(),
            template: template.into(),
            scale: settings.scale.clone(),
        };
        let mut ids = Vec::with_capacity(pairs.len() * votes as usize);
        for sample in 0..votes {
            for pair in &pairs {
                let text = materials.document(&pair.doc)?.text();
                let topic = materials.topic(&pair.topic);
                ids.push(instructions.id(&topic, &text, pair, sample));
            }
        }
        let by_id = (0..).zip(&ids).map(|(at, id)| (id.clone(), at)).collect();
        let mut grading = Self {
            log: opened.log,
            state,
            materials,
            instructions,
            pairs,
            ids,
            by_id,
            version: None,
            live: None,
            numbers: HashMap::new(),
            was_torn: opened.was_torn,
        };
        grading.version = grading.known_version();
        Ok(grading)
    }

    /// Lets a strategy choose the questions, one at a time. The pairs must be empty.
    #[must_use]
    pub(super) fn choosing(mut self, live: Option<Live>) -> Self {
        self.live = live;
        self
    }

    /// Whether each answer decides about the next question.
    pub(super) fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// The next question that a strategy chooses, without those that are given up, which hold up their topics. `None` if there is
    /// none, and if there is no strategy.
    ///
    /// # Errors
    /// If its document cannot be read.
    pub fn choose(&mut self, given_up: &HashSet<usize>) -> Result<Option<usize>, JudgeError> {
        let Some(mut live) = self.live.take() else {
            return Ok(None);
        };
        let lost = given_up.iter().map(|at| self.item(*at).0.clone());
        let lost: HashSet<Pair> = lost.collect();
        let found = live.advance(|pair| self.grade(pair), |pair| lost.contains(pair));
        self.live = Some(live);
        match found?.1 {
            Some(pair) => self.number(&pair).map(Some),
            None => Ok(None),
        }
    }

    /// The number of a question, a new one if it is new.
    fn number(&mut self, pair: &Pair) -> Result<usize, JudgeError> {
        if let Some(known) = self.numbers.get(pair) {
            return Ok(*known);
        }
        let text = self.materials.document(&pair.doc)?.text();
        let topic = self.materials.topic(&pair.topic);
        let (number, id) = (self.ids.len(), self.instructions.id(&topic, &text, pair, 0));
        self.by_id.insert(id.clone(), number);
        self.ids.push(id);
        self.pairs.push(pair.clone());
        self.numbers.insert(pair.clone(), number);
        Ok(number)
    }

    /// The grade of a pair, if it is answered; without bound below if the program declined.
    fn grade(&mut self, pair: &Pair) -> Result<Option<f64>, JudgeError> {
        let number = self.number(pair)?;
        Ok(self.state.answer(&self.task(), pair, &self.ids[number]))
    }

    /// The version that gave the last answers to these instructions, if there are any and it gave one.
    pub(super) fn known_version(&self) -> Option<String> {
        let (task, version) = self.state.task()?;
        version
            .clone()
            .filter(|_| *task == self.instructions.task())
    }

    /// Sets the version of the program, whose answers alone count.
    pub fn set_version(&mut self, version: Option<String>) {
        if self.version != version {
            self.live.iter_mut().for_each(Live::reset);
        }
        self.version = version;
    }

    /// The version of the program.
    pub(super) fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    fn task(&self) -> Task {
        (self.instructions.task(), self.version.clone())
    }

    /// The scale.
    pub fn scale(&self) -> &Scale {
        &self.instructions.scale
    }

    /// Number of questions; with a strategy, the most that it may choose.
    pub fn len(&self) -> usize {
        let total = self.live.as_ref().map(|live| live.counts().1);
        total.unwrap_or(self.ids.len())
    }

    /// Whether there are no questions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of questions that are not answered.
    pub fn left(&self) -> usize {
        match self.live.as_ref().map(Live::counts) {
            Some((done, total)) => total - done,
            None => self.missing().len(),
        }
    }

    /// Questions that are not answered; none with a strategy, which [chooses](Self::choose) them.
    pub fn missing(&self) -> Vec<usize> {
        if self.is_live() {
            return Vec::new();
        }
        let task = self.task();
        let is_missing = |at: &usize| {
            let (pair, sample) = self.item(*at);
            !self.state.has_answer(&task, pair, sample, &self.ids[*at])
        };
        (0..self.ids.len()).filter(is_missing).collect()
    }

    /// The number of a question.
    pub(super) fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The id of a question.
    pub(super) fn id(&self, at: usize) -> &str {
        &self.ids[at]
    }

    fn item(&self, at: usize) -> (&Pair, u32) {
        let pairs = self.pairs.len();
        (&self.pairs[at % pairs], (at / pairs) as u32)
    }

    /// A question.
    ///
    /// # Errors
    /// If its document cannot be read.
    ///
    /// # Panics
    /// If there is no question with this number.
    pub fn question(&self, at: usize) -> Result<Question, JudgeError> {
        let (pair, sample) = self.item(at);
        let document = self.materials.document(&pair.doc)?;
        let topic = self.materials.topic(&pair.topic);
        Ok(self.instructions.question(&topic, &document, pair, sample))
    }

    /// Keeps answers, each with the number of its question and its milliseconds; returns when they are on disk.
    pub fn record(&mut self, answers: Vec<(usize, Outcome, u64)>) -> Result<(), JudgeError> {
        let mut drafts = self.new_task();
        for (at, outcome, ms) in answers {
            let (pair, sample) = self.item(at);
            let (task, version) = self.task();
            let mut machine = MachineAnswer {
                task,
                version,
                id: self.ids[at].clone(),
                sample,
                ..MachineAnswer::default()
            };
            let (kind, grade, note) = match outcome {
                Outcome::Skip(reason) => (Kind::Skip, None, Some(reason)),
                Outcome::Grade {
                    grade,
                    reason,
                    confidence,
                    model,
                    usage,
                } => {
                    (machine.confidence, machine.model, machine.usage) = (confidence, model, usage);
                    (Kind::Grade, Some(grade), reason)
                }
            };
            drafts.push(Draft {
                grade,
                ms,
                note,
                machine: Some(machine),
                ..Draft::new(kind, pair.clone())
            });
        }
        self.append(drafts)
    }

    /// The event that makes these instructions and this version the current ones, unless they are.
    fn new_task(&self) -> Vec<Draft> {
        let task = self.task();
        if self.state.task() == Some(&task) {
            return Vec::new();
        }
        let (task, version) = task;
        let machine = MachineAnswer {
            task,
            version,
            ..MachineAnswer::default()
        };
        vec![Draft {
            machine: Some(machine),
            ..Draft::new(Kind::Task, Pair::default())
        }]
    }

    fn append(&mut self, drafts: Vec<Draft>) -> Result<(), JudgeError> {
        for event in self.log.append(drafts)? {
            self.state.apply(&event);
        }
        Ok(())
    }

    /// Ends the grading: the judgements, and a summary.
    pub(super) fn finish(mut self, asked: Asked) -> Result<(Assessor, Graded), JudgeError> {
        self.append(self.new_task())?;
        let left = self.left();
        let mut grades = std::collections::BTreeMap::new();
        let samples = self.state.samples();
        for (_, grade) in samples.iter().flatten() {
            *grades.entry(*grade).or_insert(0) += 1;
        }
        let answered = self.len() - left;
        let graded = Graded {
            who: self.state.name.clone(),
            version: self.version.clone(),
            questions: self.len(),
            asked: asked.questions,
            answered,
            left,
            grades,
            agreement: SelfAgreement::of(&samples),
            refused: asked.refused,
            restarts: asked.restarts,
            stopped: asked.stopped,
            messages: asked.messages,
        };
        Ok((self.state, graded))
    }
}
