//! The entries of a campaign as of a moment, and which of them a team shows.

use std::collections::BTreeMap;

use cranfield_core::evaluate::Plan;
use cranfield_core::measure::{BoundMeasure, Direction};
use rusqlite::Connection;

use super::Part;
use crate::campaign::Campaign;
use crate::ladder::{Candidate, Rule, Step};
use crate::problem::Problem;
use crate::scoring::of_bytes;
use crate::settings::{FinalTopics, Ladder};

/// An entry with the values by the primary measure that decide whether it is shown.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) id: i64,
    pub(crate) received: i64,
    pub(crate) late: bool,
    pub(crate) automatic: bool,
    /// Whether it counts no more, because the team withdrew it or an organiser rejected it.
    pub(crate) is_out: bool,
    public: Option<f64>,
    last: Option<f64>,
    /// Values of the public topics, if the ladder needs them.
    topics: Vec<f64>,
}

/// A team with its entries, in the order of receipt.
#[derive(Clone, Debug)]
pub(crate) struct Team {
    pub(crate) number: i64,
    pub(crate) name: String,
    pub(crate) is_baseline: bool,
    pub(crate) entries: Vec<Entry>,
    picks: Vec<i64>,
}

/// The entry that a team shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'e> {
    pub(crate) entry: &'e Entry,
    /// The value by the primary measure, if it is not the mean: one that a ladder rounds.
    pub(crate) rounded: Option<f64>,
}

/// 1, or −1 if smaller values are better.
pub(crate) fn sign_of(measure: &BoundMeasure) -> f64 {
    match measure.info.direction {
        Direction::LowerIsBetter => -1.0,
        Direction::HigherIsBetter | Direction::Neutral => 1.0,
    }
}

/// The rule by which entries of a campaign are shown.
pub(crate) fn rule_of(campaign: &Campaign) -> Result<Rule, Problem> {
    let measures = campaign.settings.bound_measures()?;
    let primary = measures.first().ok_or_else(Problem::not_found)?;
    Ok(Rule {
        ladder: campaign.settings.ladder,
        step: campaign.settings.ladder_step,
        sign: sign_of(primary),
        skips_undefined: Plan::default().leaves_out_undefined(primary),
    })
}

impl Team {
    /// Entries that count.
    pub(crate) fn counted(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_out)
    }

    /// The changes of what the team shows on the public board.
    ///
    /// Under a ladder, an entry that was withdrawn still decides which later ones are shown: otherwise withdrawing would show the scores of entries
    /// that were no improvement.
    pub(crate) fn steps(&self, rule: &Rule) -> Vec<(&Entry, Step)> {
        let has_ladder = rule.ladder != Ladder::Off;
        let valued: Vec<(&Entry, Candidate)> = self
            .entries
            .iter()
            .filter(|entry| has_ladder || !entry.is_out)
            .filter_map(|entry| {
                let candidate = Candidate {
                    mean: entry.public?,
                    topics: entry.topics.clone(),
                };
                Some((entry, candidate))
            })
            .collect();
        let (entries, candidates): (Vec<&Entry>, Vec<Candidate>) = valued.into_iter().unzip();
        let steps = rule.steps(&candidates).into_iter();
        steps
            .map(|step| (entries[step.at], step))
            .filter(|(entry, _)| !entry.is_out)
            .collect()
    }

    /// The entry of the public board: the last step.
    pub(crate) fn public_entry(&self, rule: &Rule) -> Option<Shown<'_>> {
        let (entry, step) = self.steps(rule).pop()?;
        Some(Shown {
            entry,
            rounded: (rule.ladder == Ladder::Step).then_some(step.shown),
        })
    }

    /// The entry of the final board: the better of those that the team picked, or else that of the public board, or else the last one.
    pub(crate) fn final_entry(&self, rule: &Rule) -> Option<Shown<'_>> {
        let picked = self
            .counted()
            .filter(|entry| self.picks.contains(&entry.id));
        let better = |a: (f64, _), b: (f64, _)| {
            if rule.sign * b.0 > rule.sign * a.0 {
                b
            } else {
                a
            }
        };
        let picked = picked
            .filter_map(|entry| Some((entry.last?, entry)))
            .reduce(better);
        let entry = picked
            .map(|(_, entry)| entry)
            .or_else(|| self.public_entry(rule).map(|shown| shown.entry))
            .or_else(|| self.counted().next_back())?;
        Some(Shown {
            entry,
            rounded: None,
        })
    }

    /// The entry of a board.
    pub(crate) fn shown(&self, part: Part, rule: &Rule) -> Option<Shown<'_>> {
        match part {
            Part::Public => self.public_entry(rule),
            Part::Final => self.final_entry(rule),
        }
    }
}

/// The column with the values of a board.
pub(crate) fn column(campaign: &Campaign, part: Part) -> &'static str {
    match (part, campaign.settings.final_on) {
        (Part::Public, _) => "public",
        (Part::Final, FinalTopics::Private) => "private",
        (Part::Final, FinalTopics::All) => "overall",
    }
}

/// The teams of a campaign and their counted entries whose result was shown by then.
pub(crate) fn teams_as_of(
    db: &Connection,
    campaign: &Campaign,
    public: &[bool],
    as_of: i64,
) -> Result<Vec<Team>, Problem> {
    read(db, campaign, public, as_of, None)
}

/// One of these teams.
pub(crate) fn team_as_of(
    db: &Connection,
    campaign: &Campaign,
    team: i64,
    as_of: i64,
) -> Result<Team, Problem> {
    let public = campaign.public_topics(db)?;
    let team = read(db, campaign, &public, as_of, Some(team))?.pop();
    team.ok_or_else(Problem::not_found)
}

fn read(
    db: &Connection,
    campaign: &Campaign,
    public: &[bool],
    as_of: i64,
    only: Option<i64>,
) -> Result<Vec<Team>, Problem> {
    let mut entries = entries_as_of(db, campaign, public, as_of, only)?;
    let mut picks: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let mut query = db.prepare_cached(
        "SELECT pick.team, pick.submission FROM pick JOIN team t ON t.id = pick.team WHERE t.campaign = ?1",
    )?;
    let rows = query.query_map([campaign.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for row in rows {
        let (team, submission) = row?;
        picks.entry(team).or_default().push(submission);
    }
    let mut query = db.prepare_cached(
        "SELECT id, number, name, kind FROM team
         WHERE campaign = ?1 AND created <= ?2 AND merged_into IS NULL AND (?3 IS NULL OR id = ?3) ORDER BY number",
    )?;
    let rows = query.query_map((campaign.id, as_of, only), |row| {
        let id = row.get(0)?;
        Ok(Team {
            number: row.get(1)?,
            name: row.get(2)?,
            is_baseline: row.get::<_, String>(3)? == "baseline",
            entries: entries.remove(&id).unwrap_or_default(),
            picks: picks.remove(&id).unwrap_or_default(),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn entries_as_of(
    db: &Connection,
    campaign: &Campaign,
    public: &[bool],
    as_of: i64,
    only: Option<i64>,
) -> Result<BTreeMap<i64, Vec<Entry>>, Problem> {
    let late = if campaign.settings.count_late {
        ""
    } else {
        "AND e.late = 0"
    };
    let needs_topics = matches!(campaign.settings.ladder, Ladder::BlumHardt | Ladder::T);
    let topics = if needs_topics { "p.topics" } else { "NULL" };
    let last = column(campaign, Part::Final);
    let mut query = db.prepare_cached(&format!(
        "SELECT e.team, e.id, e.entry, e.received, e.late, e.automatic,
                coalesce(e.withdrawn <= ?3, 0) OR coalesce(e.rejected <= ?3, 0), p.public, p.{last}, {topics}
         FROM submission e
         LEFT JOIN score p ON p.submission = e.id AND p.scoring = ?2 AND p.measure = 0
         WHERE e.campaign = ?1 AND e.state IN ('valid', 'scored') AND e.shown <= ?3 {late}
           AND (?4 IS NULL OR e.team = ?4)
         ORDER BY e.received, e.id"
    ))?;
    let rows = query.query_map((campaign.id, campaign.scoring, as_of, only), |row| {
        let topics = of_bytes(&row.get::<_, Option<Vec<u8>>>(9)?.unwrap_or_default());
        let topics = topics.into_iter().zip(public).filter(|(_, is)| **is);
        let entry = Entry {
            id: row.get(1)?,
            received: row.get(3)?,
            late: row.get(4)?,
            automatic: row.get(5)?,
            is_out: row.get(6)?,
            public: row.get(7)?,
            last: row.get(8)?,
            topics: topics.map(|(value, _)| value).collect(),
        };
        Ok((row.get(0)?, entry))
    })?;
    let mut entries: BTreeMap<i64, Vec<Entry>> = BTreeMap::new();
    for row in rows {
        let (team, entry) = row?;
        entries.entry(team).or_default().push(entry);
    }
    Ok(entries)
}
