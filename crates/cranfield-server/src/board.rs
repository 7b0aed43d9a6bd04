//! The board: teams by their best counted entry, with intervals, groups and the probability of being best.
//!
//! A board is a function of the campaign's data as of a moment. A frozen board is the board as of the freeze, so nothing that happens later can
//! change a byte of it.

use std::collections::BTreeMap;

use cranfield_compare::compare::{Settings as Comparison, Test, compare_scores};
use cranfield_core::measure::{BoundMeasure, Direction};
use rusqlite::Connection;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::ladder;
use crate::problem::Problem;
use crate::scoring::of_bytes;
use crate::settings::{FinalTopics, Ladder};

/// The maximum number of teams for which intervals and groups are computed.
const MOST_COMPARED: usize = 100;

/// Which topics a board is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    /// The public topics.
    Public,
    /// Those of the final board.
    Final,
}

/// A scored entry of a team.
#[derive(Clone, Debug)]
struct Entry {
    id: i64,
    team: i64,
    received: i64,
    late: bool,
    value: Option<f64>,
    /// The public value of the primary measure, which decides which entry a team shows.
    public: Option<f64>,
    primary: Vec<f64>,
    topics: Vec<f64>,
}

/// A team as the board needs it.
#[derive(Clone, Debug)]
struct Team {
    id: i64,
    number: i64,
    name: String,
    is_baseline: bool,
}

/// A board.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Board {
    pub(crate) part: Part,
    pub(crate) measure: String,
    /// The measures of the campaign, the primary one first.
    pub(crate) measures: Vec<String>,
    /// Number of topics behind the values.
    pub(crate) topics: usize,
    pub(crate) rows: Vec<Row>,
    /// Teams with entries but without a value.
    pub(crate) unscored: Vec<String>,
    /// What the letters mean; none if runs cannot be compared.
    pub(crate) method: Option<String>,
    /// What may be said of the first place.
    pub(crate) claim: Option<String>,
}

/// A row of the board.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    /// None for baselines.
    pub(crate) rank: Option<usize>,
    /// Whether another team has the same rank.
    pub(crate) shared: bool,
    pub(crate) number: i64,
    pub(crate) team: String,
    pub(crate) baseline: bool,
    pub(crate) value: f64,
    /// The value with as many digits as its neighbours need to differ.
    pub(crate) text: String,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) best_rank: Option<usize>,
    pub(crate) worst_rank: Option<usize>,
    /// Probability of being best.
    pub(crate) best: Option<f64>,
    pub(crate) letters: String,
    pub(crate) entries: usize,
    /// When the last counted entry was received.
    pub(crate) last: Option<i64>,
    pub(crate) late: bool,
    /// The entry that is shown.
    #[serde(skip)]
    pub(crate) submission: i64,
    #[serde(skip)]
    pub(crate) topics: Vec<f64>,
}

impl Board {
    /// The board of a campaign as of a moment.
    pub(crate) fn compute(
        db: &Connection,
        campaign: &Campaign,
        part: Part,
        measure: u32,
        as_of: i64,
    ) -> Result<Self, Problem> {
        let bound = campaign.settings.bound_measures()?;
        let names: Vec<String> = bound.iter().map(ToString::to_string).collect();
        let (Some(name), Some(measure_bound)) =
            (names.get(measure as usize), bound.get(measure as usize))
        else {
            return Err(Problem::not_found());
        };
        let (sign, primary_sign) = (sign_of(measure_bound), sign_of(&bound[0]));
        let public = campaign.public_topics(db)?;
        let counted: Vec<bool> = match (part, campaign.settings.final_on) {
            (Part::Public, _) => public.clone(),
            (Part::Final, FinalTopics::Private) => public.iter().map(|is| !is).collect(),
            (Part::Final, FinalTopics::All) => vec![true; public.len()],
        };
        let mut entries: BTreeMap<i64, Vec<Entry>> = BTreeMap::new();
        for entry in entries_as_of(db, campaign, part, measure, as_of)? {
            entries.entry(entry.team).or_default().push(entry);
        }
        let mut rows = Vec::new();
        let mut unscored = Vec::new();
        for team in teams_as_of(db, campaign, as_of)? {
            let own = entries.remove(&team.id).unwrap_or_default();
            let chosen = match part {
                Part::Public => public_entry(&own, campaign.settings.ladder, &public, primary_sign),
                Part::Final => final_entry(db, team.id, &own, primary_sign)?,
            };
            match chosen {
                Some((entry, value)) => {
                    rows.push(row(&team, entry, value, own.len(), &own, &counted));
                }
                None if !own.is_empty() => unscored.push(team.name),
                None => {}
            }
        }
        rows.sort_by(|a, b| {
            (sign * b.value)
                .total_cmp(&(sign * a.value))
                .then_with(|| a.team.cmp(&b.team))
        });
        rank(&mut rows);
        write_values(&mut rows);
        let topics = counted.iter().filter(|is| **is).count();
        let mut board = Self {
            part,
            measure: name.clone(),
            measures: names,
            topics,
            rows,
            unscored,
            method: None,
            claim: None,
        };
        board.compare(sign);
        Ok(board)
    }

    /// Adds intervals, ranks of resampled topics and groups.
    fn compare(&mut self, sign: f64) {
        let shown = self.rows.len().min(MOST_COMPARED);
        let rows = &self.rows[..shown];
        let names: Vec<String> = rows.iter().map(|row| row.number.to_string()).collect();
        // A topic without a value for one team is undefined for all: it has no relevant document.
        let defined: Vec<usize> = (0..rows.first().map_or(0, |row| row.topics.len()))
            .filter(|topic| rows.iter().all(|row| row.topics[*topic].is_finite()))
            .collect();
        let scores: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                defined
                    .iter()
                    .map(|topic| sign * row.topics[*topic])
                    .collect()
            })
            .collect();
        let settings = Comparison {
            test: Test::RandomisedTukey,
            ..Comparison::default()
        };
        let Ok(table) = compare_scores(&self.measure, &names, &scores, &settings) else {
            return;
        };
        for (row, system) in self.rows.iter_mut().zip(&table.systems) {
            let interval = system.interval.map(|interval| {
                let ends = [sign * interval.low, sign * interval.high];
                (ends[0].min(ends[1]), ends[0].max(ends[1]))
            });
            row.low = interval.map(|(low, _)| low);
            row.high = interval.map(|(_, high)| high);
            row.best_rank = Some(system.rank.lowest);
            row.worst_rank = Some(system.rank.highest);
            row.best = Some(system.rank.best);
            row.letters.clone_from(&system.letters);
        }
        self.method = Some(format!(
            "No difference between teams that share a letter is significant (randomised Tukey HSD, alpha {}, {} permutations, seed {}, {} topics).",
            settings.alpha,
            settings.resampling.replicates,
            settings.resampling.seed,
            defined.len()
        ));
        self.claim = self.claim_of_first(&table.pairs);
    }

    fn claim_of_first(&self, pairs: &[cranfield_compare::compare::Pair]) -> Option<String> {
        let teams: Vec<usize> = (0..self.rows.len().min(MOST_COMPARED))
            .filter(|at| !self.rows[*at].baseline)
            .collect();
        let (&first, rest) = teams.split_first()?;
        let beaten = rest.iter().filter(|other| {
            pairs.iter().any(|pair| {
                let same =
                    [(first, **other), (**other, first)].contains(&(pair.first, pair.second));
                same && pair.significant
            })
        });
        let beaten = beaten.count();
        let name = &self.rows[first].team;
        Some(match (beaten, rest.len()) {
            (_, 0) => format!("{name} is the only team with a score."),
            (0, _) => format!("{name} has the best score, but no other team is shown to be worse."),
            (b, n) if b == n => {
                format!("{name} is better than every other team ({}).", self.measure)
            }
            (b, n) => format!(
                "{name} is shown to be better than {b} of {n} other teams ({}).",
                self.measure
            ),
        })
    }
}

/// 1, or −1 if smaller values are better.
fn sign_of(measure: &BoundMeasure) -> f64 {
    match measure.info.direction {
        Direction::LowerIsBetter => -1.0,
        Direction::HigherIsBetter | Direction::Neutral => 1.0,
    }
}

fn row(
    team: &Team,
    entry: &Entry,
    value: f64,
    entries: usize,
    own: &[Entry],
    counted: &[bool],
) -> Row {
    let topics = entry
        .topics
        .iter()
        .zip(counted)
        .filter(|(_, counted)| **counted);
    Row {
        rank: None,
        shared: false,
        number: team.number,
        team: team.name.clone(),
        baseline: team.is_baseline,
        value,
        text: String::new(),
        low: None,
        high: None,
        best_rank: None,
        worst_rank: None,
        best: None,
        letters: String::new(),
        entries,
        last: own.iter().map(|entry| entry.received).max(),
        late: entry.late,
        submission: entry.id,
        topics: topics.map(|(value, _)| *value).collect(),
    }
}

/// Equal values share a rank; baselines have none.
fn rank(rows: &mut [Row]) {
    let values: Vec<f64> = rows
        .iter()
        .filter(|row| !row.baseline)
        .map(|row| row.value)
        .collect();
    let mut place = 0;
    for row in rows.iter_mut().filter(|row| !row.baseline) {
        let first = values
            .iter()
            .position(|value| value.to_bits() == row.value.to_bits());
        row.rank = first.map(|first| first + 1);
        row.shared = values
            .iter()
            .filter(|value| value.to_bits() == row.value.to_bits())
            .count()
            > 1;
        place += 1;
    }
    debug_assert_eq!(place, values.len());
}

/// Four digits, or more where rows with different values would look the same.
fn write_values(rows: &mut [Row]) {
    let mut digits = 4;
    let texts = |digits: usize| -> Vec<String> {
        rows.iter()
            .map(|row| format!("{:.digits$}", row.value))
            .collect()
    };
    let mut shown = texts(digits);
    let clash = |shown: &[String]| {
        (1..shown.len()).any(|at| {
            shown[at] == shown[at - 1] && rows[at].value.to_bits() != rows[at - 1].value.to_bits()
        })
    };
    while digits < 16 && clash(&shown) {
        digits += 2;
        shown = texts(digits);
    }
    for (row, text) in rows.iter_mut().zip(shown) {
        row.text = text;
    }
}

/// The entry that a team shows on the public board: its best one, or the last step of its ladder.
fn public_entry<'e>(
    own: &'e [Entry],
    rule: Ladder,
    public: &[bool],
    sign: f64,
) -> Option<(&'e Entry, f64)> {
    let mut best: Option<(&Entry, f64)> = None;
    for entry in own {
        let (Some(value), Some(primary)) = (entry.value, entry.public) else {
            continue;
        };
        let is_better = match (rule, best) {
            (_, None) => true,
            (Ladder::Off, Some((shown, _))) => shown
                .public
                .is_none_or(|shown| sign * primary > sign * shown),
            (rule, Some((shown, _))) => ladder::accepts(
                rule,
                &part_of(&entry.primary, public),
                &part_of(&shown.primary, public),
            ),
        };
        if is_better {
            best = Some((entry, value));
        }
    }
    best
}

fn part_of(values: &[f64], part: &[bool]) -> Vec<f64> {
    let part = values.iter().zip(part).filter(|(_, is)| **is);
    part.map(|(value, _)| if value.is_finite() { *value } else { 0.0 })
        .collect()
}

/// The final entry of a team: the better of those that it picked, or else its best public one, or else the last.
fn final_entry<'e>(
    db: &Connection,
    team: i64,
    own: &'e [Entry],
    sign: f64,
) -> Result<Option<(&'e Entry, f64)>, Problem> {
    let mut query = db.prepare_cached("SELECT submission FROM pick WHERE team = ?1")?;
    let picks: Vec<i64> = query
        .query_map([team], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let picked = own.iter().filter(|entry| picks.contains(&entry.id));
    let best = |entries: &mut dyn Iterator<Item = &'e Entry>| {
        let valued = entries.filter_map(|entry| Some((entry, entry.value?)));
        valued.reduce(|a, b| if sign * b.1 > sign * a.1 { b } else { a })
    };
    if let Some(chosen) = best(&mut picked.into_iter()) {
        return Ok(Some(chosen));
    }
    // Without a pick, the entry that leads the public board counts, whatever its private value is.
    let default = own.iter().filter(|entry| entry.public.is_some());
    let default = default.reduce(|a, b| {
        if b.public.map(|v| sign * v) > a.public.map(|v| sign * v) {
            b
        } else {
            a
        }
    });
    Ok(default
        .or(own.last())
        .and_then(|entry| Some((entry, entry.value?))))
}

fn teams_as_of(db: &Connection, campaign: &Campaign, as_of: i64) -> Result<Vec<Team>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT id, number, name, kind FROM team
         WHERE campaign = ?1 AND created <= ?2 AND merged_into IS NULL ORDER BY number",
    )?;
    let rows = query.query_map((campaign.id, as_of), |row| {
        Ok(Team {
            id: row.get(0)?,
            number: row.get(1)?,
            name: row.get(2)?,
            is_baseline: row.get::<_, String>(3)? == "baseline",
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The counted entries whose result was shown by then, in the order of receipt.
fn entries_as_of(
    db: &Connection,
    campaign: &Campaign,
    part: Part,
    measure: u32,
    as_of: i64,
) -> Result<Vec<Entry>, Problem> {
    let Some(scoring) = campaign.scoring else {
        return Ok(Vec::new());
    };
    let column = match (part, campaign.settings.final_on) {
        (Part::Public, _) => "s.public",
        (Part::Final, FinalTopics::Private) => "s.private",
        (Part::Final, FinalTopics::All) => "s.overall",
    };
    let late = if campaign.settings.count_late {
        ""
    } else {
        "AND e.late = 0"
    };
    let mut query = db.prepare_cached(&format!(
        "SELECT e.id, e.team, e.received, e.late, {column}, p.public, p.topics, s.topics
         FROM submission e
         LEFT JOIN score s ON s.submission = e.id AND s.scoring = ?2 AND s.measure = ?3
         LEFT JOIN score p ON p.submission = e.id AND p.scoring = ?2 AND p.measure = 0
         WHERE e.campaign = ?1 AND e.state IN ('valid', 'scored') AND e.shown <= ?4 {late}
           AND (e.withdrawn IS NULL OR e.withdrawn > ?4) AND (e.rejected IS NULL OR e.rejected > ?4)
         ORDER BY e.received, e.id"
    ))?;
    let rows = query.query_map((campaign.id, scoring, measure, as_of), |row| {
        Ok(Entry {
            id: row.get(0)?,
            team: row.get(1)?,
            received: row.get(2)?,
            late: row.get(3)?,
            value: row.get(4)?,
            public: row.get(5)?,
            primary: of_bytes(&row.get::<_, Option<Vec<u8>>>(6)?.unwrap_or_default()),
            topics: of_bytes(&row.get::<_, Option<Vec<u8>>>(7)?.unwrap_or_default()),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
