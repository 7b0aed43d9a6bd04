//! The queue: entries are checked and scored by threads of their own, one at a time each. It is in the database, so nothing is lost with the process.
//!
//! The result of an entry is shown at the first even second that is at least two seconds after it was received and after it was scored.
//! How long scoring took, which depends on the judgements, cannot be seen from outside.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use cranfield_io::Source;
use cranfield_measures::spec::{Conventions, parse_measures};
use rusqlite::{Connection, OptionalExtension, Transaction};

use crate::campaign::{Campaign, split_of};
use crate::problem::Problem;
use crate::scoring::{Scorer, Values, to_bytes};
use crate::server::{Server, State};
use crate::{check, questions};

/// An entry that fails this often on the side of the server is given up, and not counted.
const MOST_TRIES: i64 = 3;

/// Wakes the threads.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<bool>,
    wake: Condvar,
}

impl Queue {
    /// There is a new job.
    pub(crate) fn wake(&self) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.wake.notify_all();
    }

    pub(crate) fn wait(&self) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        // The time-out finds jobs whose call was missed.
        let (mut waiting, _) = self
            .wake
            .wait_timeout_while(waiting, Duration::from_secs(2), |waiting| !*waiting)
            .unwrap_or_else(PoisonError::into_inner);
        *waiting = false;
    }
}

/// Queues jobs that were running when the process ended, and starts the threads.
pub(crate) fn start(server: &Server) -> Result<(), Problem> {
    server.store.write_here(|tx| {
        tx.execute(
            "UPDATE job SET state = 'queued' WHERE state = 'running'",
            [],
        )?;
        Ok(())
    })?;
    let threads = std::thread::available_parallelism()
        .map_or(1, |cores| cores.get().saturating_sub(1).max(1));
    for _ in 0..threads {
        let server = Arc::downgrade(server);
        std::thread::spawn(move || {
            while let Some(server) = server.upgrade() {
                match catch_unwind(AssertUnwindSafe(|| next(&server))) {
                    Ok(Ok(true)) => {}
                    Ok(Ok(false)) => server.queue.wait(),
                    // The cause is in the log. A moment's pause keeps a persistent failure from filling it.
                    _ => std::thread::sleep(Duration::from_secs(1)),
                }
            }
        });
    }
    Ok(())
}

struct Job {
    id: i64,
    submission: i64,
    /// The preview to score an entry into; none for a new entry.
    scoring: Option<i64>,
    tries: i64,
}

/// Does the next job, and returns whether there was one. New entries come before previews. Of teams with waiting entries, the one with the fewest
/// entries comes first.
pub(crate) fn next(server: &State) -> Result<bool, Problem> {
    let claimed = server.store.write_here(|tx| {
        let job = tx
            .prepare_cached(
                "SELECT j.id, j.submission, j.tries, j.scoring FROM job j JOIN submission e ON e.id = j.submission
                 WHERE j.state = 'queued'
                 ORDER BY j.scoring IS NOT NULL, (SELECT count(*) FROM submission o WHERE o.team = e.team AND o.received > e.received - 600000), j.id LIMIT 1",
            )?
            .query_row([], |row| {
                Ok(Job {
                    id: row.get(0)?,
                    submission: row.get(1)?,
                    tries: row.get(2)?,
                    scoring: row.get(3)?,
                })
            })
            .optional()?;
        if let Some(job) = &job {
            tx.execute("UPDATE job SET state = 'running', tries = tries + 1 WHERE id = ?1", [job.id])?;
        }
        Ok(job)
    })?;
    let Some(job) = claimed else { return Ok(false) };
    let result = catch_unwind(AssertUnwindSafe(|| examine(server, &job))).unwrap_or_else(|_| {
        Err(Problem::internal(
            &"an entry made a check or a measure panic",
        ))
    });
    let now = server.now();
    let is_new =
        job.scoring.is_none() && matches!(&result, Ok(outcome) if outcome.scores.is_some());
    let submission = job.submission;
    server.store.write_here(move |tx| match result {
        Ok(outcome) => outcome.keep(tx, &job, now),
        Err(_) if job.tries + 1 < MOST_TRIES => {
            tx.execute("UPDATE job SET state = 'queued' WHERE id = ?1", [job.id])?;
            Ok(())
        }
        Err(_) => {
            tx.execute("UPDATE job SET state = 'failed' WHERE id = ?1", [job.id])?;
            if job.scoring.is_some() {
                return Ok(());
            }
            set_state(tx, job.submission, "failed", "[]", now)
        }
    })?;
    if is_new {
        // The entry is scored; a failure here is in the log.
        let _ = questions::compare(server, submission);
    }
    Ok(true)
}

/// What became of an entry.
struct Outcome {
    state: &'static str,
    findings: String,
    scores: Option<(i64, Vec<Values>)>,
    is_too_good: bool,
}

impl Outcome {
    fn keep(self, tx: &Transaction<'_>, job: &Job, now: i64) -> Result<(), Problem> {
        if let Some((scoring, values)) = &self.scores {
            insert_scores(tx, *scoring, job.submission, values)?;
        }
        tx.execute("UPDATE job SET state = 'done' WHERE id = ?1", [job.id])?;
        match job.scoring {
            None => {
                set_state(tx, job.submission, self.state, &self.findings, now)?;
                if self.is_too_good {
                    questions::note(tx, job.submission, "too-good", None)?;
                }
                queue_other_scorings(tx, job.submission, now)
            }
            Some(scoring) => show_again(tx, job.submission, scoring, now),
        }
    }
}

/// A new entry is also scored into an open preview, and into a scoring that was applied while the entry was examined.
fn queue_other_scorings(tx: &Transaction<'_>, submission: i64, now: i64) -> Result<(), Problem> {
    tx.execute(
        "INSERT INTO job (submission, scoring, state, created)
         SELECT e.id, s.id, 'queued', ?2 FROM submission e JOIN campaign c ON c.id = e.campaign JOIN scoring s ON s.campaign = c.id
         WHERE e.id = ?1 AND e.state IN ('valid', 'scored')
           AND (s.id = c.scoring OR (s.applied IS NULL AND s.cancelled IS NULL))
           AND NOT EXISTS (SELECT 1 FROM score WHERE scoring = s.id AND submission = e.id)
           AND NOT EXISTS (SELECT 1 FROM job WHERE scoring = s.id AND submission = e.id)",
        (submission, now),
    )?;
    Ok(())
}

/// An entry whose score under the scoring in force came later than its first result.
fn show_again(
    tx: &Transaction<'_>,
    submission: i64,
    scoring: i64,
    now: i64,
) -> Result<(), Problem> {
    tx.execute(
        "UPDATE submission SET state = 'scored', shown = ?3
         WHERE id = ?1 AND (SELECT scoring FROM campaign WHERE id = submission.campaign) = ?2",
        (submission, scoring, even_second(now)),
    )?;
    Ok(())
}

fn insert_scores(
    tx: &Transaction<'_>,
    scoring: i64,
    submission: i64,
    values: &[Values],
) -> Result<(), Problem> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO score (scoring, submission, measure, public, private, overall, topics)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
    )?;
    for (measure, values) in (0_u32..).zip(values) {
        let topics = to_bytes(&values.topics);
        insert.execute((
            scoring,
            submission,
            measure,
            values.public,
            values.private,
            values.overall,
            topics,
        ))?;
    }
    Ok(())
}

fn set_state(
    tx: &Transaction<'_>,
    submission: i64,
    state: &str,
    findings: &str,
    now: i64,
) -> Result<(), Problem> {
    let received: i64 = tx.query_row(
        "SELECT received FROM submission WHERE id = ?1",
        [submission],
        |row| row.get(0),
    )?;
    let shown = even_second(received.max(now));
    tx.execute(
        "UPDATE submission SET state = ?2, findings = ?3, shown = ?4 WHERE id = ?1",
        (submission, state, findings, shown),
    )?;
    Ok(())
}

/// The first even second at least two seconds after a time.
fn even_second(at: i64) -> i64 {
    (at + 2000 + 1999) / 2000 * 2000
}

/// What an entry is checked and scored with.
struct Material {
    campaign: Campaign,
    blob: String,
    topics: Vec<String>,
    qrels: Option<(i64, String, Vec<bool>)>,
}

fn examine(server: &State, job: &Job) -> Result<Outcome, Problem> {
    let material = server
        .store
        .read_here(|db| material(db, job.submission, job.scoring))?;
    let depth = material.campaign.settings.depth;
    let path = server.blob_path(&material.blob);
    let opened = Source::open_with(&path, check::limits(&material.topics, depth));
    if job.scoring.is_some() {
        // The entry was checked when it arrived.
        let source = opened.map_err(|error| Problem::internal(&error))?;
        return material.scored(server, source, String::new());
    }
    let checked = check::run(opened, &material.topics, depth);
    let findings = serde_json::to_string(&checked.findings)?;
    let source = match checked.source {
        Some(source) if !checked.is_invalid => source,
        _ => {
            return Ok(Outcome {
                state: "invalid",
                findings,
                scores: None,
                is_too_good: false,
            });
        }
    };
    material.scored(server, source, findings)
}

impl Material {
    /// The entry with its scores, or without if there are no judgements.
    fn scored(self, server: &State, source: Source, findings: String) -> Result<Outcome, Problem> {
        let Some((scoring, qrels, public)) = self.qrels else {
            return Ok(Outcome {
                state: "valid",
                findings,
                scores: None,
                is_too_good: false,
            });
        };
        let qrels = read_qrels(server, &qrels)?;
        let mut measures = self.campaign.settings.bound_measures()?;
        let count = measures.len();
        let ap = measures
            .iter()
            .position(|measure| measure.to_string() == "AP");
        if ap.is_none() {
            let parsed = parse_measures("AP", &Conventions::default());
            measures.extend(parsed.map_err(|error| Problem::internal(&error))?);
        }
        let scorer = Scorer::new(self.topics, measures, &qrels, &public);
        let mut values = scorer.score(&Arc::new(source))?;
        let of_public = values[ap.unwrap_or(count)].topics.iter().zip(&public);
        let of_public = of_public.filter(|(_, public)| **public);
        let is_too_good = questions::is_too_good(of_public.map(|(value, _)| *value));
        values.truncate(count);
        Ok(Outcome {
            state: "scored",
            findings,
            scores: Some((scoring, values)),
            is_too_good,
        })
    }
}

/// The judgements in a blob.
pub(crate) fn read_qrels(
    server: &State,
    hash: &str,
) -> Result<cranfield_core::qrels::Qrels, Problem> {
    let source = Source::open(server.blob_path(hash)).map_err(|error| Problem::internal(&error))?;
    cranfield_io::read_qrels(&source, None).map_err(|error| Problem::internal(&error))
}

fn material(db: &Connection, submission: i64, scoring: Option<i64>) -> Result<Material, Problem> {
    let (campaign, blob): (i64, String) = db.query_row(
        "SELECT campaign, blob FROM submission WHERE id = ?1",
        [submission],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let campaign = Campaign::by_id(db, campaign)?;
    let qrels = match scoring.or(campaign.scoring) {
        None => None,
        Some(scoring) => {
            let hash = db.query_row(
                "SELECT q.blob FROM qrels q JOIN scoring s ON s.campaign = q.campaign AND s.qrels = q.version WHERE s.id = ?1",
                [scoring],
                |row| row.get(0),
            )?;
            let public = split_of(db, campaign.id, scoring)?.unwrap_or_default();
            Some((
                scoring,
                hash,
                public.into_iter().map(|byte| byte == 1).collect(),
            ))
        }
    };
    Ok(Material {
        topics: campaign.topics(db)?,
        campaign,
        blob,
        qrels,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_shown_at_even_seconds() {
        assert_eq!(
            [0, 1, 1999, 2000, 2001].map(even_second),
            [2000, 4000, 4000, 4000, 6000]
        );
    }
}
