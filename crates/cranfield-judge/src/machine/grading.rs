//! A program's judgements of a pool: what was answered, and what is missing.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::program::Asked;
use super::question::{Instructions, Question};
use super::result::{Graded, SelfAgreement};
use crate::assessor::{Assessor, Task};
use crate::error::JudgeError;
use crate::event::{Draft, Kind, MachineAnswer};
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
            was_torn: opened.was_torn,
        };
        grading.version = grading.known_version();
        Ok(grading)
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

    /// Number of questions.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no questions.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Questions that are not answered.
    pub fn missing(&self) -> Vec<usize> {
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
    /// If `at` is not below [`len`](Self::len).
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
        let left = self.missing().len();
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
