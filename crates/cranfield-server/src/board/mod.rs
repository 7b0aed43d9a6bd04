//! The board: teams by the entry that each shows, with intervals, groups and the probability of being best.
//!
//! A board is a function of the campaign's data as of a moment. A frozen board is the board as of the freeze, so nothing that happens later can
//! change a byte of it.

mod claims;
pub(crate) mod entries;
mod texts;

use std::collections::BTreeMap;

use cranfield_core::small_sort::SmallSort;
use rusqlite::Connection;
use serde::Serialize;

use crate::campaign::Campaign;
use crate::problem::Problem;
use crate::scoring::of_bytes;
use crate::settings::{FinalTopics, Ladder};
pub(crate) use claims::comparison;
use entries::{Entry, Team, column, rule_of, sign_of, teams_as_of};

/// Which topics a board is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    /// The public topics.
    Public,
    /// Those of the final board.
    Final,
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
    /// Best first.
    pub(crate) rows: Vec<Row>,
    /// Teams with entries but without a value.
    pub(crate) unscored: Vec<Unscored>,
    /// What the letters mean; none if runs cannot be compared.
    pub(crate) method: Option<String>,
    /// What the comparisons show of the first place.
    pub(crate) first: Option<FirstPlace>,
}

/// A row of the board.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the board shows"
)]
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
    /// The value with as many digits as it needs to differ from others.
    pub(crate) text: String,
    /// The values of the same entry by each measure of the campaign, and as text.
    pub(crate) values: Vec<Option<f64>>,
    pub(crate) texts: Vec<String>,
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
    /// Whether no person had a part in the run that is shown.
    pub(crate) automatic: bool,
    /// The entry that is shown.
    #[serde(skip)]
    pub(crate) submission: i64,
    #[serde(skip)]
    pub(crate) topics: Vec<f64>,
}

/// A team whose entries have no value.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Unscored {
    pub(crate) number: i64,
    pub(crate) team: String,
    pub(crate) baseline: bool,
}

/// How the first team compares with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct FirstPlace {
    pub(crate) number: i64,
    /// Number of teams in the first place.
    pub(crate) sharing: usize,
    /// Number of other teams that are shown to be worse.
    pub(crate) beaten: usize,
    pub(crate) others: usize,
}

impl Board {
    /// The board of a campaign as of a moment, by the measure with this place.
    pub(crate) fn compute(
        db: &Connection,
        campaign: &Campaign,
        part: Part,
        measure: u32,
        as_of: i64,
    ) -> Result<Self, Problem> {
        let mut board = Self::ranked(db, campaign, part, measure, as_of)?;
        let bound = campaign.settings.bound_measures()?;
        let hides_means = part == Part::Public && campaign.settings.ladder == Ladder::Step;
        board.compare(&bound[measure as usize], hides_means);
        Ok(board)
    }

    /// The board without intervals and groups, which is all that changes of ranks need.
    pub(crate) fn ranked(
        db: &Connection,
        campaign: &Campaign,
        part: Part,
        measure: u32,
        as_of: i64,
    ) -> Result<Self, Problem> {
        let bound = campaign.settings.bound_measures()?;
        let names: Vec<String> = bound.iter().map(ToString::to_string).collect();
        let at = measure as usize;
        let (Some(name), Some(of_measure)) = (names.get(at), bound.get(at)) else {
            return Err(Problem::not_found());
        };
        let sign = sign_of(of_measure);
        let public = campaign.public_topics(db)?;
        let counted: Vec<bool> = match (part, campaign.settings.final_on) {
            (Part::Public, _) => public.clone(),
            (Part::Final, FinalTopics::Private) => public.iter().map(|is| !is).collect(),
            (Part::Final, FinalTopics::All) => vec![true; public.len()],
        };
        let rule = rule_of(campaign)?;
        let (mut rows, mut unscored) = (Vec::new(), Vec::new());
        for team in teams_as_of(db, campaign, &public, as_of)? {
            let row = match team.shown(part, &rule) {
                Some(shown) => {
                    let mut values = Values::of(db, campaign, part, names.len(), shown.entry)?;
                    if let (Some(rounded), Some(first)) = (shown.rounded, values.means.first_mut())
                    {
                        *first = Some(rounded);
                    }
                    row(&team, shown.entry, values, at, &counted)
                }
                None => None,
            };
            match row {
                Some(row) => rows.push(row),
                None if team.counted().next().is_some() => unscored.push(Unscored {
                    number: team.number,
                    team: team.name,
                    baseline: team.is_baseline,
                }),
                None => {}
            }
        }
        rows.small_sort_by(|a, b| {
            (sign * b.value)
                .total_cmp(&(sign * a.value))
                .then_with(|| a.team.cmp(&b.team))
        });
        rank(&mut rows);
        texts::write(&mut rows);
        Ok(Self {
            part,
            measure: name.clone(),
            measures: names,
            topics: counted.iter().filter(|is| **is).count(),
            rows,
            unscored,
            method: None,
            first: None,
        })
    }

    /// Ranks by the number of the team.
    pub(crate) fn ranks(&self) -> BTreeMap<i64, usize> {
        let ranks = self.rows.iter();
        ranks
            .filter_map(|row| Some((row.number, row.rank?)))
            .collect()
    }
}

/// The values of an entry.
struct Values {
    means: Vec<Option<f64>>,
    topics: Vec<Vec<f64>>,
}

impl Values {
    fn of(
        db: &Connection,
        campaign: &Campaign,
        part: Part,
        measures: usize,
        entry: &Entry,
    ) -> Result<Self, Problem> {
        let mut values = Self {
            means: vec![None; measures],
            topics: vec![Vec::new(); measures],
        };
        let mut query = db.prepare_cached(&format!(
            "SELECT measure, {}, topics FROM score WHERE scoring = ?1 AND submission = ?2",
            column(campaign, part)
        ))?;
        let rows = query.query_map((campaign.scoring, entry.id), |row| {
            Ok((
                row.get::<_, u32>(0)? as usize,
                row.get(1)?,
                row.get::<_, Vec<u8>>(2)?,
            ))
        })?;
        for row in rows {
            let (measure, mean, topics) = row?;
            if measure < measures {
                values.means[measure] = mean;
                values.topics[measure] = of_bytes(&topics);
            }
        }
        Ok(values)
    }
}

fn row(
    team: &Team,
    entry: &Entry,
    mut values: Values,
    measure: usize,
    counted: &[bool],
) -> Option<Row> {
    let value = values.means[measure]?;
    let topics = std::mem::take(&mut values.topics[measure]);
    let topics = topics.into_iter().zip(counted).filter(|(_, is)| **is);
    Some(Row {
        rank: None,
        shared: false,
        number: team.number,
        team: team.name.clone(),
        baseline: team.is_baseline,
        value,
        text: String::new(),
        values: values.means,
        texts: Vec::new(),
        low: None,
        high: None,
        best_rank: None,
        worst_rank: None,
        best: None,
        letters: String::new(),
        entries: team.counted().count(),
        last: team.counted().map(|entry| entry.received).max(),
        late: entry.late,
        automatic: entry.automatic,
        submission: entry.id,
        topics: topics.map(|(value, _)| value).collect(),
    })
}

/// Numbers the teams from the first row on. Equal values share a rank; baselines have none.
fn rank(rows: &mut [Row]) {
    let mut above: Option<(u64, usize)> = None;
    let mut sharing: BTreeMap<usize, usize> = BTreeMap::new();
    for (place, row) in rows.iter_mut().filter(|row| !row.baseline).enumerate() {
        let bits = row.value.to_bits();
        let rank = match above {
            Some((same, rank)) if same == bits => rank,
            _ => place + 1,
        };
        above = Some((bits, rank));
        row.rank = Some(rank);
        *sharing.entry(rank).or_default() += 1;
    }
    for row in rows {
        row.shared = row.rank.is_some_and(|rank| sharing[&rank] > 1);
    }
}
