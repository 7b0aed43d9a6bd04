//! What a correction of the judgements moves: grades, places, groups, and the topics behind each change.

use std::collections::BTreeMap;

use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_core::small_sort::SmallSort;
use cranfield_stats::rank_correlation::kendall;
use rusqlite::Connection;
use serde::Serialize;

use crate::board::{Board, Part, Row};
use crate::campaign::Campaign;
use crate::problem::Problem;
use crate::settings::FinalTopics;

/// The most topics that are named as causes of one change.
const MOST_TOPICS: usize = 3;

/// How two versions of the judgements differ in the topics of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Grades {
    pub(crate) raised: usize,
    pub(crate) lowered: usize,
    /// Judged in the new version only.
    pub(crate) added: usize,
    /// Judged in the old version only.
    pub(crate) removed: usize,
    pub(crate) topics: Vec<TopicGrades>,
}

/// A topic with changed judgements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TopicGrades {
    pub(crate) topic: String,
    pub(crate) changed: usize,
    /// Some of the changes, such as `d17 2 → 0`.
    pub(crate) examples: Vec<String>,
}

impl Grades {
    /// Compares two versions.
    pub(crate) fn compare(topics: &[String], old: &Qrels, new: &Qrels) -> Self {
        let mut grades = Self::default();
        for topic in topics {
            let of = |qrels: &Qrels| -> BTreeMap<Vec<u8>, f64> {
                let judged = qrels.get(topic.as_bytes());
                let judged = judged.iter().flat_map(QrelsTopic::judgements);
                judged.map(|(doc, grade)| (doc.to_vec(), grade)).collect()
            };
            let (old, new) = (of(old), of(new));
            let mut changed = 0;
            let mut examples = Vec::new();
            let docs = old
                .keys()
                .chain(new.keys().filter(|doc| !old.contains_key(*doc)));
            for doc in docs {
                let text = |grade: Option<&f64>| grade.map_or("–".into(), f64::to_string);
                let (before, after) = (old.get(doc), new.get(doc));
                match (before, after) {
                    (Some(before), Some(after)) if before == after => continue,
                    (Some(before), Some(after)) if before < after => grades.raised += 1,
                    (Some(_), Some(_)) => grades.lowered += 1,
                    (None, _) => grades.added += 1,
                    (_, None) => grades.removed += 1,
                }
                changed += 1;
                if examples.len() < MOST_TOPICS {
                    let doc = String::from_utf8_lossy(doc);
                    examples.push(format!("{doc} {} → {}", text(before), text(after)));
                }
            }
            if changed > 0 {
                grades.topics.push(TopicGrades {
                    topic: topic.clone(),
                    changed,
                    examples,
                });
            }
        }
        grades
    }
}

/// How a board changes.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Moves {
    pub(crate) part: Part,
    pub(crate) measure: String,
    /// Teams whose place changes.
    pub(crate) places: usize,
    /// Teams whose group letters change.
    pub(crate) groups: usize,
    /// Kendall's tau-b between the two orders of teams.
    pub(crate) tau: Option<f64>,
    pub(crate) rows: Vec<Moved>,
}

/// A team on both boards.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Moved {
    pub(crate) team: String,
    pub(crate) old: Option<Place>,
    pub(crate) new: Option<Place>,
    /// Whether another entry of the team is shown.
    pub(crate) other_entry: bool,
    /// The topics whose values change most.
    pub(crate) topics: Vec<TopicValue>,
}

/// Where a team is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Place {
    pub(crate) rank: Option<usize>,
    pub(crate) value: f64,
    pub(crate) text: String,
    pub(crate) letters: String,
}

/// The value of a topic under both versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TopicValue {
    pub(crate) topic: String,
    pub(crate) old: Option<f64>,
    pub(crate) new: Option<f64>,
    pub(crate) text: String,
}

impl Moves {
    /// Compares the boards of two scorings as of a moment.
    pub(crate) fn compare(
        db: &Connection,
        campaign: &Campaign,
        (old, new): (i64, i64),
        part: Part,
        as_of: i64,
    ) -> Result<Self, Problem> {
        let board = |scoring: i64| {
            let campaign = Campaign {
                scoring: Some(scoring),
                ..campaign.clone()
            };
            Board::compute(db, &campaign, part, 0, as_of)
        };
        let (old, new) = (board(old)?, board(new)?);
        let topics = counted_topics(db, campaign, part)?;
        let mut rows: Vec<Moved> = new
            .rows
            .iter()
            .map(|row| {
                moved(
                    old.rows.iter().find(|old| old.number == row.number),
                    Some(row),
                    &topics,
                )
            })
            .collect();
        let gone = old
            .rows
            .iter()
            .filter(|row| new.rows.iter().all(|new| new.number != row.number));
        rows.extend(gone.map(|row| moved(Some(row), None, &topics)));
        let both = || {
            rows.iter()
                .filter_map(|row| row.old.as_ref().zip(row.new.as_ref()))
        };
        let values = |which: fn((&Place, &Place)) -> f64| both().map(which).collect::<Vec<_>>();
        let tau = kendall(&values(|(old, _)| old.value), &values(|(_, new)| new.value));
        Ok(Self {
            part,
            measure: new.measure.clone(),
            places: both().filter(|(old, new)| old.rank != new.rank).count(),
            groups: both()
                .filter(|(old, new)| old.letters != new.letters)
                .count(),
            tau: tau.ok().and_then(|tau| tau.tau_b),
            rows,
        })
    }
}

/// Topics of a board, in the order of its rows' values.
fn counted_topics(
    db: &Connection,
    campaign: &Campaign,
    part: Part,
) -> Result<Vec<String>, Problem> {
    let public = campaign.public_topics(db)?;
    let counted = |public: bool| match (part, campaign.settings.final_on) {
        (Part::Public, _) => public,
        (Part::Final, FinalTopics::Private) => !public,
        (Part::Final, FinalTopics::All) => true,
    };
    let topics = campaign.topics(db)?.into_iter().zip(public);
    Ok(topics
        .filter(|(_, public)| counted(*public))
        .map(|(topic, _)| topic)
        .collect())
}

fn moved(old: Option<&Row>, new: Option<&Row>, topics: &[String]) -> Moved {
    let place = |row: &Row| Place {
        rank: row.rank,
        value: row.value,
        text: row.text.clone(),
        letters: row.letters.clone(),
    };
    let mut changed = Vec::new();
    if let (Some(old), Some(new)) = (old, new) {
        let values = old.topics.iter().zip(&new.topics);
        for (topic, (old, new)) in topics.iter().zip(values) {
            let finite = |value: &f64| Some(*value).filter(|value| value.is_finite());
            let (old, new) = (finite(old), finite(new));
            if old.map(f64::to_bits) != new.map(f64::to_bits) {
                let text = |value: Option<f64>| value.map_or("–".into(), |v| format!("{v:.4}"));
                changed.push(TopicValue {
                    topic: topic.clone(),
                    old,
                    new,
                    text: format!("{} → {}", text(old), text(new)),
                });
            }
        }
    }
    let size = |value: &TopicValue| (value.old.unwrap_or(0.0) - value.new.unwrap_or(0.0)).abs();
    changed.small_sort_by(|a, b| size(b).total_cmp(&size(a)));
    changed.truncate(MOST_TOPICS);
    let team = old.or(new).map_or_else(String::new, |row| row.team.clone());
    Moved {
        team,
        old: old.map(place),
        new: new.map(place),
        other_entry: old
            .zip(new)
            .is_some_and(|(old, new)| old.submission != new.submission),
        topics: changed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_grades_are_counted_by_direction() {
        let old = Qrels::from_judgements([("1", "a", 2.0), ("1", "b", 0.0), ("2", "c", 1.0)]);
        let new = Qrels::from_judgements([
            ("1", "a", 0.0),
            ("1", "b", 1.0),
            ("1", "d", 1.0),
            ("2", "c", 1.0),
        ]);
        let topics = ["1", "2"].map(String::from);
        let grades = Grades::compare(&topics, &old, &new);
        let topic = TopicGrades {
            topic: "1".into(),
            changed: 3,
            examples: ["a 2 → 0", "b 0 → 1", "d – → 1"].map(String::from).to_vec(),
        };
        let wanted = Grades {
            raised: 1,
            lowered: 1,
            added: 1,
            removed: 0,
            topics: vec![topic],
        };
        assert_eq!(grades, wanted);
        assert_eq!(Grades::compare(&topics, &new, &new), Grades::default());
    }
}
