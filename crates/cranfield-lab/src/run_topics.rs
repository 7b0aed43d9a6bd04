//! Runs from engines.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cranfield_core::run::{Run, RunBuilder};
use cranfield_eval::{Progress, Step};

use crate::engine::{Engine, EngineError, Hit, Query, Session};

/// Settings of [`run_topics`].
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Documents per topic.
    pub depth: usize,
    /// Sessions that are used at the same time.
    pub threads: usize,
    /// Whether other topics are answered after one failed.
    pub keep_going: bool,
    /// Receives the number of answered topics.
    pub progress: Progress,
}

impl Default for RunSettings {
    /// 1000 documents, one session, until the first failure.
    fn default() -> Self {
        Self {
            depth: 1000,
            threads: 1,
            keep_going: false,
            progress: Progress::default(),
        }
    }
}

/// The answers of an engine to all topics.
#[derive(Clone, Debug, Default)]
pub struct TopicsRun {
    /// The run, with topics in the order of the queries. Failed topics are not in it.
    pub run: Run,
    /// Topics without an answer, and why, in the order of the queries.
    pub failed: Vec<(String, EngineError)>,
    /// Topics that were not asked, because an earlier one failed.
    pub not_asked: Vec<String>,
    /// Topics whose answer has no documents.
    pub empty: Vec<String>,
    /// Topics whose answer was cut between documents with equal scores.
    pub cut_in_ties: Vec<String>,
    /// Wall-clock time.
    pub elapsed: Duration,
}

impl TopicsRun {
    /// Whether every topic has an answer.
    pub fn is_complete(&self) -> bool {
        self.failed.is_empty() && self.not_asked.is_empty()
    }
}

/// Answers queries with an engine. The run does not depend on the number of threads.
///
/// # Errors
/// If no session can be opened, or an engine that answers all queries at once fails.
pub fn run_topics(
    engine: &dyn Engine,
    queries: &[Query],
    settings: &RunSettings,
) -> Result<TopicsRun, EngineError> {
    let start = Instant::now();
    let depth = settings.depth;
    let mut answered = match engine.answer_all(queries, depth, settings.threads) {
        Some(run) => of_run(&run?, queries, depth, engine.name()),
        None => Asking::new(engine, queries, settings).finish()?,
    };
    answered.elapsed = start.elapsed();
    Ok(answered)
}

/// Sorts the answers of a whole run into the order of the queries.
fn of_run(run: &Run, queries: &[Query], depth: usize, name: &str) -> TopicsRun {
    let mut all = TopicsRun::default();
    let mut builder = RunBuilder::default();
    builder.set_tag(name);
    for query in queries {
        let id = query.topic.as_bytes();
        builder.add_topic(id);
        let entries = run.get(id).map(|topic| topic.entries());
        let mut count = 0;
        for entry in entries.into_iter().flatten().take(depth) {
            builder.push(id, entry.doc, entry.score, entry.rank);
            count += 1;
        }
        if count == 0 {
            all.empty.push(query.topic.clone());
        }
    }
    all.run = builder.finish();
    all
}

/// An answer, and whether it is cut in a tie.
type Answer = Result<(Vec<Hit>, bool), EngineError>;

/// Sessions that take queries from one list.
struct Asking<'a> {
    engine: &'a dyn Engine,
    queries: &'a [Query],
    settings: &'a RunSettings,
    next: AtomicUsize,
    done: AtomicUsize,
    is_over: AtomicBool,
    answers: Mutex<Vec<Option<Answer>>>,
}

impl<'a> Asking<'a> {
    fn new(engine: &'a dyn Engine, queries: &'a [Query], settings: &'a RunSettings) -> Self {
        Self {
            engine,
            queries,
            settings,
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            answers: Mutex::new(queries.iter().map(|_| None).collect()),
        }
    }

    fn finish(self) -> Result<TopicsRun, EngineError> {
        let threads = self.settings.threads.clamp(1, self.queries.len().max(1));
        // Opened here, so that an engine that does not start is one error and not one per topic.
        let sessions = (0..threads).map(|_| self.engine.session());
        let sessions = sessions.collect::<Result<Vec<_>, _>>()?;
        std::thread::scope(|scope| {
            for session in sessions {
                scope.spawn(|| self.work(session));
            }
        });
        Ok(self.collected())
    }

    fn work(&self, mut session: Box<dyn Session + '_>) {
        while !self.is_over.load(Ordering::Relaxed) {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(query) = self.queries.get(at) else {
                return;
            };
            let answer = session.search(query, self.settings.depth);
            let answer = answer.map(|hits| (hits, session.is_cut_in_tie()));
            if answer.is_err() && !self.settings.keep_going {
                self.is_over.store(true, Ordering::Relaxed);
            }
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = answers.get_mut(at) {
                *place = Some(answer);
            }
            drop(answers);
            self.settings.progress.report(Step {
                measure: "",
                what: "topics",
                done: self.done.fetch_add(1, Ordering::Relaxed) + 1,
                total: self.queries.len(),
            });
        }
    }

    fn collected(self) -> TopicsRun {
        let answers = self.answers.into_inner();
        let answers = answers.unwrap_or_else(PoisonError::into_inner);
        let mut all = TopicsRun::default();
        let mut builder = RunBuilder::default();
        builder.set_tag(self.engine.name());
        for (query, answer) in self.queries.iter().zip(answers) {
            let topic = query.topic.clone();
            match answer {
                None => all.not_asked.push(topic),
                Some(Err(error)) => all.failed.push((topic, error)),
                Some(Ok((hits, is_cut))) => {
                    builder.add_topic(topic.as_bytes());
                    for hit in &hits {
                        builder.push(topic.as_bytes(), hit.doc.as_bytes(), hit.score, None);
                    }
                    if hits.is_empty() {
                        all.empty.push(topic.clone());
                    }
                    if is_cut {
                        all.cut_in_ties.push(topic);
                    }
                }
            }
        }
        all.run = builder.finish();
        all
    }
}
