//! A whole grading: from a pool to the judgements of a program.

use std::path::PathBuf;
use std::sync::Arc;

use cranfield_core::qrels::Qrels;
use cranfield_eval::merging::MergeRule;
use cranfield_io::RunFormat;
use cranfield_render::plural;

use super::grading::Grading;
use super::program::Asked;
use super::question::PROMPT;
use super::result::Graded;
use crate::audit::audit_pool;
use crate::error::JudgeError;
use crate::export::{fill_holes, save_judgements};
use crate::live::Live;
use crate::materials::{Materials, PoolTopics, Sources};
use crate::queue::Pair;
use crate::settings::{GivenSettings, Settings};

/// What a program is asked for.
#[derive(Debug)]
pub struct GradingRequest {
    /// Folder of the judgements.
    pub folder: PathBuf,
    /// Name of the assessor.
    pub who: String,
    /// Documents to judge; with a strategy, all that may come up.
    pub pool: Vec<Pair>,
    /// The strategy that chooses among them, if they are not all judged.
    pub live: Option<Live>,
    /// Where topics and documents come from.
    pub sources: Sources,
    /// Settings as far as they are given.
    pub settings: GivenSettings,
    /// The prompt; [`PROMPT`] if `None`.
    pub prompt: Option<String>,
    /// Answers per document.
    pub votes: u32,
    /// Merging of votes.
    pub merge: MergeRule,
    /// Documents to draw for a person.
    pub audit: Option<usize>,
    /// Judgements whose gaps alone are to be filled.
    pub holes: Option<Qrels>,
    /// Where to write these judgements with the gaps filled.
    pub filled: Option<PathBuf>,
}

/// A grading that has begun.
pub struct OpenGrading {
    /// Questions and answers.
    pub grading: Grading,
    request: GradingRequest,
    settings: Settings,
    notes: Vec<String>,
}

/// A grading that has ended.
#[derive(Debug)]
pub struct FinishedGrading {
    /// The summary.
    pub graded: Graded,
    /// What else there is to say.
    pub notes: Vec<String>,
}

impl GradingRequest {
    /// Reads topics and documents, and opens the audit file.
    ///
    /// # Errors
    /// If something cannot be read, or the settings contradict those of the folder.
    pub fn open(mut self) -> Result<OpenGrading, JudgeError> {
        if self.live.is_some() {
            self.check_live()?;
        }
        if let Some(judged) = &self.holes {
            let topic = |pair: &Pair| judged.get(pair.topic.as_bytes());
            let grade = |pair: &Pair| topic(pair)?.grade(pair.doc.as_bytes());
            self.pool.retain(|pair| grade(pair).is_none());
        }
        let settings = Settings::resolve(&self.folder, &self.settings)?;
        let topics = PoolTopics::open(&self.sources, &mut self.pool)?;
        let notes = topics.note.iter().cloned().collect();
        let materials = Arc::new(Materials::open(&self.sources, topics, &self.pool)?);
        let template = self.prompt.as_deref().unwrap_or(PROMPT);
        let live = self.live.take().map(|live| live.with_topics_of(&self.pool));
        let pool = match live {
            Some(_) => Vec::new(),
            None => self.pool.clone(),
        };
        let asked = (pool, self.votes);
        let instructions = (template, &settings);
        let grading = Grading::open(&self.folder, &self.who, asked, materials, instructions)?;
        Ok(OpenGrading {
            grading: grading.choosing(live),
            request: self,
            settings,
            notes,
        })
    }

    fn check_live(&self) -> Result<(), JudgeError> {
        let needs = match (self.votes, &self.holes) {
            (2.., _) => "several votes for each document",
            (_, Some(_)) => "filling the gaps of judgements",
            _ => return Ok(()),
        };
        Err(JudgeError::Setting(format!(
            "{needs} needs a finished pool, not a strategy that adapts to grades"
        )))
    }
}

impl OpenGrading {
    /// Ends the grading and writes what is derived from it.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(self, asked: Asked) -> Result<FinishedGrading, JudgeError> {
        let request = self.request;
        let mut notes = self.notes;
        if self.grading.was_torn {
            notes.push("an unfinished line at the end of the audit file was removed".into());
        }
        let (assessor, graded) = self.grading.finish(asked)?;
        save_judgements(&request.folder, &assessor, request.merge)?;
        if let Some(size) = request.audit {
            let pool = audit_pool(&assessor, request.merge, size, &self.settings);
            let path = request.folder.join(format!("{}.audit.run", request.who));
            cranfield_io::save_run(&pool, RunFormat::Trec, &path)?;
            let drawn = pool.topics().map(|topic| topic.entries().len()).sum();
            let drawn = plural(drawn, "document");
            notes.push(format!("{drawn} for a person to judge: {}", path.display()));
        }
        if let (Some(judged), Some(path)) = (&request.holes, &request.filled) {
            let (text, added) = fill_holes(judged, &assessor, request.merge)?;
            cranfield_io::save_text(&text, path)?;
            let known = plural(judged.judgements(), "judgement");
            let who = &request.who;
            notes.push(format!(
                "{known} kept, {added} added with `{who}` in the second column"
            ));
        }
        notes.extend(graded.stopped.iter().map(|why| format!("stopped: {why}")));
        let messages = graded.messages.iter();
        notes.extend(messages.map(|line| format!("stderr: {line}")));
        if graded.left > 0 {
            let left = plural(graded.left, "question");
            notes.push(format!("{left} left; run the same again to ask for them"));
        }
        Ok(FinishedGrading { graded, notes })
    }
}
