//! What organisers may want to ask a team about an entry: whether it is another team's, or too good to be true. A question is no penalty, and
//! participants never see one.

use std::path::PathBuf;

use cranfield_core::policy::TieBreak;
use cranfield_core::ranking::Ranking;
use cranfield_core::run::{Run, RunTopic};
use cranfield_io::{Limits, Source};
use rusqlite::{Connection, Transaction};
use serde::Serialize;

use crate::campaign::Campaign;
use crate::check;
use crate::problem::Problem;
use crate::server::State;

/// A question about an entry.
#[derive(Debug, Serialize)]
pub(crate) struct Question {
    /// `same-file`, `same-ranking` or `too-good`.
    pub(crate) kind: String,
    /// The entry that it is like.
    pub(crate) other: Option<Other>,
}

/// An entry of another team.
#[derive(Debug, Serialize)]
pub(crate) struct Other {
    pub(crate) number: i64,
    pub(crate) team: String,
    pub(crate) entry: i64,
}

/// The questions about an entry.
pub(crate) fn of_entry(db: &Connection, submission: i64) -> rusqlite::Result<Vec<Question>> {
    let mut query = db.prepare_cached(
        "SELECT q.kind, t.number, t.name, o.entry FROM question q
         LEFT JOIN submission o ON o.id = q.other LEFT JOIN team t ON t.id = o.team WHERE q.submission = ?1 ORDER BY q.kind",
    )?;
    let rows = query.query_map([submission], |row| {
        let number: Option<i64> = row.get(1)?;
        Ok(Question {
            kind: row.get(0)?,
            other: match number {
                None => None,
                Some(number) => Some(Other {
                    number,
                    team: row.get(2)?,
                    entry: row.get(3)?,
                }),
            },
        })
    })?;
    rows.collect()
}

/// Whether average precision is above 0.98 in half of the topics.
pub(crate) fn is_too_good(values: impl Iterator<Item = f64>) -> bool {
    let (mut topics, mut high) = (0, 0);
    for value in values {
        topics += 1;
        high += usize::from(value > 0.98);
    }
    2 * high >= topics && high > 0
}

/// Notes a question.
pub(crate) fn note(
    tx: &Transaction<'_>,
    submission: i64,
    kind: &str,
    other: Option<i64>,
) -> Result<(), Problem> {
    tx.execute(
        "INSERT INTO question (submission, kind, other) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        (submission, kind, other),
    )?;
    Ok(())
}

/// Compares an entry that was just scored with those of other teams.
pub(crate) fn compare(server: &State, submission: i64) -> Result<(), Problem> {
    let (alike, limits) = server.store.read_here(|db| {
        let alike = alike(db, submission)?;
        let query = "SELECT campaign FROM submission WHERE id = ?1";
        let campaign = db.query_row(query, [submission], |row| row.get(0))?;
        let campaign = Campaign::by_id(db, campaign)?;
        let limits = check::limits(&campaign.topics(db)?, campaign.settings.depth);
        Ok((alike, limits))
    })?;
    let own = alike.first().map(|(_, own, _)| own.clone());
    let Some(own) = own else { return Ok(()) };
    let same_file = alike.iter().find(|(_, own, other)| own == other);
    let found = if let Some((id, ..)) = same_file {
        Some((*id, "same-file"))
    } else {
        let own = Rankings::read(server.blob_path(&own), limits)?;
        let mut same = None;
        for (id, _, other) in &alike {
            if own == Rankings::read(server.blob_path(other), limits)? {
                same = Some((*id, "same-ranking"));
                break;
            }
        }
        same
    };
    match found {
        None => Ok(()),
        Some((other, kind)) => server
            .store
            .write_here(move |tx| note(tx, submission, kind, Some(other))),
    }
}

/// Entries of other teams with the same values in every topic, which those with the same ranking have: each with the files of the entry and its own.
fn alike(db: &Connection, submission: i64) -> Result<Vec<(i64, String, String)>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT o.id, e.blob, o.blob FROM submission e JOIN team t ON t.id = e.team AND t.kind = 'team' JOIN campaign c ON c.id = e.campaign
         JOIN score a ON a.scoring = c.scoring AND a.submission = e.id
         JOIN score b ON b.scoring = a.scoring AND b.measure = a.measure AND b.topics = a.topics
         JOIN submission o ON o.id = b.submission JOIN team u ON u.id = o.team
         WHERE e.id = ?1 AND coalesce(u.merged_into, u.id) <> coalesce(t.merged_into, t.id)
         GROUP BY o.id HAVING count(*) = (SELECT count(*) FROM score WHERE scoring = c.scoring AND submission = e.id)
         ORDER BY o.id LIMIT 10",
    )?;
    let rows = query.query_map([submission], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A run, compared by the order of its documents and nothing else.
struct Rankings(Run);

impl Rankings {
    fn read(path: PathBuf, limits: Limits) -> Result<Self, Problem> {
        let source = Source::open_with(path, limits).map_err(|error| Problem::internal(&error))?;
        let run = cranfield_io::read_run(&source, None);
        Ok(Self(run.map_err(|error| Problem::internal(&error))?))
    }
}

impl PartialEq for Rankings {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |topic: RunTopic<'_>| {
            let other = other.0.get(topic.id());
            other.is_some_and(|other| documents(topic) == documents(other))
        };
        self.0.topics().len() == other.0.topics().len() && self.0.topics().all(is_same)
    }
}

/// The documents of a topic in the order in which they are evaluated.
fn documents(topic: RunTopic<'_>) -> Vec<&[u8]> {
    let mut ranking = Ranking::default();
    for entry in topic.entries() {
        ranking.push(entry.doc, 0, entry.score);
    }
    ranking.arrange(TieBreak::default(), |_| 0.0);
    let order = ranking.order().iter();
    order.map(|at| ranking.doc(*at as usize)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_compared_by_the_order_of_their_documents() {
        let run = |a: f64, b: f64| Rankings(Run::from_scores("t", [("1", "a", a), ("1", "b", b)]));
        assert!(run(2.0, 1.0) == run(9.0, 0.5));
        assert!(run(2.0, 1.0) != run(1.0, 2.0));
        assert!(run(2.0, 1.0) != Rankings(Run::from_scores("t", [("1", "a", 1.0)])));
    }

    #[test]
    fn half_of_the_topics_are_enough_to_ask() {
        assert!(is_too_good([1.0, 0.99, 0.98, 0.0].into_iter()));
        assert!(!is_too_good([1.0, 0.98, f64::NAN].into_iter()));
        assert!(!is_too_good(std::iter::empty()));
    }
}
