//! One assessor's work on a pool.

use std::path::Path;

use crate::assessor::Assessor;
use crate::error::JudgeError;
use crate::event::{Draft, Kind};
use crate::log::{Log, read_log};
use crate::queue::{Pair, Queue};
use crate::settings::Settings;

/// Judgements whose median time predicts the rest.
const RECENT: usize = 200;
/// Seconds per document that are assumed before there are judgements.
const ASSUMED: f64 = 20.0;

/// One assessor's work on a pool: what is shown, and what was done.
///
/// Every method that changes something returns when the change is on disk.
pub struct Session {
    log: Log,
    judged: Assessor,
    queue: Box<dyn Queue>,
    current: Option<Pair>,
    done: usize,
    /// Whether an unfinished line was removed from the audit file.
    pub was_torn: bool,
}

/// How much work is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Documents judged.
    pub done: usize,
    /// Documents in all.
    pub total: usize,
    /// Median seconds of the last 200 judgements; `None` before the first.
    pub seconds: Option<f64>,
}

impl Estimate {
    /// The estimate for an assessor, whose audit file is only read.
    ///
    /// # Errors
    /// If the audit file was changed.
    pub fn read(folder: &Path, who: &str, queue: &mut dyn Queue) -> Result<Self, JudgeError> {
        let path = Log::path(folder, who)?;
        let events = if path.exists() {
            read_log(&path)?
        } else {
            Vec::new()
        };
        let judged = Assessor::of(who, &events);
        // A strategy learns what is done.
        queue.next(&judged);
        let (done, total) = queue.progress(&judged, None);
        Ok(Self::of(&judged, done, total))
    }

    fn of(judged: &Assessor, done: usize, total: usize) -> Self {
        let mut durations = judged.durations(RECENT);
        durations.sort_unstable();
        let median = match durations.len() {
            0 => None,
            count if count % 2 == 1 => Some(durations[count / 2] as f64),
            count => Some((durations[count / 2 - 1] + durations[count / 2]) as f64 / 2.0),
        };
        Self {
            done,
            total,
            seconds: median.map(|ms| ms / 1000.0),
        }
    }

    /// Hours for the documents left: their number times the median seconds per judgement, or 20 s before there are any.
    ///
    /// ```
    /// use cranfield_judge::Estimate;
    ///
    /// let estimate = Estimate { done: 20, total: 200, seconds: Some(12.0) };
    /// assert_eq!(estimate.hours(), 0.6);
    /// ```
    pub fn hours(&self) -> f64 {
        let left = self.total.saturating_sub(self.done) as f64;
        left * self.seconds.unwrap_or(ASSUMED) / 3600.0
    }

    /// Judgements per minute; `None` before the first.
    pub fn per_minute(&self) -> Option<f64> {
        let seconds = self.seconds.filter(|seconds| *seconds > 0.0);
        seconds.map(|seconds| 60.0 / seconds)
    }
}

impl std::fmt::Display for Estimate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let left = self.total.saturating_sub(self.done);
        let each = match self.seconds {
            Some(seconds) => format!("{seconds:.1} s each (median)"),
            None => format!("{ASSUMED} s each (assumed)"),
        };
        let documents = cranfield_render::plural(left, "document");
        write!(f, "{documents} left, {each}: {:.1} h", self.hours())
    }
}

impl Session {
    /// Opens an assessor's audit file and continues where it ends. The settings are written to the folder with the first judgement.
    ///
    /// # Errors
    /// If the file is in use, was changed, or holds the answers of a program.
    pub fn open(
        folder: &Path,
        who: &str,
        mut queue: Box<dyn Queue>,
        settings: Settings,
    ) -> Result<Self, JudgeError> {
        let mut opened = Log::open(folder, who)?;
        opened.log.keep_with_first(settings);
        let judged = Assessor::of(who, &opened.events);
        if judged.is_machine() {
            return Err(JudgeError::Setting(format!(
                "`{who}` is a program in this folder; choose another name"
            )));
        }
        let current = queue.next(&judged);
        let (done, _) = queue.progress(&judged, None);
        Ok(Self {
            log: opened.log,
            judged,
            queue,
            current,
            done,
            was_torn: opened.was_torn,
        })
    }

    /// The pair to be judged, or `None` if everything is judged.
    pub fn current(&self) -> Option<&Pair> {
        self.current.as_ref()
    }

    /// What was judged so far.
    pub fn judged(&self) -> &Assessor {
        &self.judged
    }

    /// Grades the current pair and goes on to the next.
    pub fn grade(&mut self, grade: u8, ms: u64) -> Result<(), JudgeError> {
        let Some(pair) = self.current.clone() else {
            return Ok(());
        };
        self.append(Draft {
            grade: Some(grade),
            ms,
            ..Draft::new(Kind::Grade, pair)
        })?;
        self.done += 1;
        self.current = self.queue.next(&self.judged);
        Ok(())
    }

    /// Sets the current pair aside and goes on to the next.
    pub fn defer(&mut self) -> Result<(), JudgeError> {
        let Some(pair) = self.current.clone() else {
            return Ok(());
        };
        self.append(Draft::new(Kind::Later, pair))?;
        self.current = self.queue.next(&self.judged);
        Ok(())
    }

    /// Takes back the last grade or deferral, and returns to its pair; false if there is none.
    pub fn undo(&mut self) -> Result<bool, JudgeError> {
        let Some(pair) = self.judged.last().cloned() else {
            return Ok(false);
        };
        let was_graded = self.judged.grade(&pair).is_some();
        self.append(Draft::new(Kind::Undo, pair.clone()))?;
        if was_graded && self.judged.grade(&pair).is_none() && self.queue.pairs().contains(&pair) {
            self.done = self.done.saturating_sub(1);
        }
        self.current = Some(pair);
        Ok(true)
    }

    /// Flags the current pair, or removes its flag.
    pub fn flag(&mut self) -> Result<(), JudgeError> {
        let Some(pair) = self.current.clone() else {
            return Ok(());
        };
        let kind = if self.judged.is_flagged(&pair) {
            Kind::Unflag
        } else {
            Kind::Flag
        };
        self.append(Draft::new(kind, pair))
    }

    /// Writes a note on the current pair.
    pub fn note(&mut self, note: &str) -> Result<(), JudgeError> {
        let Some(pair) = self.current.clone() else {
            return Ok(());
        };
        self.append(Draft {
            note: Some(note.into()),
            ..Draft::new(Kind::Note, pair)
        })
    }

    /// How much is done, and how long the rest takes.
    pub fn estimate(&self) -> Estimate {
        Estimate::of(&self.judged, self.done, self.queue.total())
    }

    /// Documents of a topic that are judged, and in all.
    pub fn topic_progress(&self, topic: &str) -> (usize, usize) {
        self.queue.progress(&self.judged, Some(topic))
    }

    fn append(&mut self, draft: Draft) -> Result<(), JudgeError> {
        for event in self.log.append(vec![draft])? {
            self.judged.apply(&event);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use cranfield_eval::MergeRule;

    use super::*;
    use crate::queue::Blind;

    fn session(folder: &Path) -> Session {
        let pair = |at: usize| Pair {
            topic: (at / 5).to_string(),
            doc: format!("d{at}"),
        };
        let pool: Vec<Pair> = (0..10).map(pair).collect();
        let queue = Blind::new(&pool, "ann", &Settings::default());
        Session::open(folder, "ann", Box::new(queue), Settings::default()).unwrap()
    }

    #[test]
    fn grades_deferrals_and_undo_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = session(folder.path());
        assert!(!Settings::path(folder.path()).exists());
        let shown = first.current().cloned().unwrap();
        first.defer().unwrap();
        let second = first.current().cloned().unwrap();
        first.note("odd").unwrap();
        first.flag().unwrap();
        first.grade(2, 1500).unwrap();
        first.grade(1, 2500).unwrap();
        assert!(first.undo().unwrap());
        let undone = first.current().cloned().unwrap();
        assert_eq!(first.estimate().done, 1);
        drop(first);
        assert!(Settings::path(folder.path()).exists());
        let mut again = session(folder.path());
        assert_eq!(again.current(), Some(&undone));
        assert_eq!(again.judged().grade(&second), Some(2));
        assert_eq!(again.judged().note(&second), Some("odd"));
        assert!(again.judged().is_flagged(&second));
        for _ in 0..8 {
            assert_ne!(again.current(), Some(&shown));
            again.grade(0, 1000).unwrap();
        }
        // What was set aside comes last.
        assert_eq!(again.current(), Some(&shown));
        again.grade(3, 1000).unwrap();
        assert_eq!(again.current(), None);
        assert_eq!(again.estimate().hours(), 0.0);
        assert_eq!(again.judged().qrels(MergeRule::Majority).judgements(), 10);
        for _ in 0..11 {
            assert!(again.undo().unwrap());
        }
        assert!(!again.undo().unwrap());
        assert_eq!(again.estimate().done, 0);
        assert!(again.judged().is_empty());
    }

    #[test]
    fn time_left_is_the_median_times_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = session(folder.path());
        assert_eq!(session.estimate().hours(), 10.0 * 20.0 / 3600.0);
        for ms in [1000, 90_000, 3000] {
            session.grade(0, ms).unwrap();
        }
        let estimate = session.estimate();
        assert_eq!(estimate.seconds, Some(3.0));
        assert_eq!(estimate.per_minute(), Some(20.0));
        assert_eq!(
            estimate.to_string(),
            "7 documents left, 3.0 s each (median): 0.0 h"
        );
    }
}
