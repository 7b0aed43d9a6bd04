//! Ranking systems without judgements: the runs vote on what is relevant.

use std::collections::BTreeSet;

use cranfield_core::evaluate::Plan;
use cranfield_core::qrels::Qrels;
use cranfield_core::small_sort::SmallSort;
use cranfield_eval::{Inputs, Request};
use cranfield_io::Error;
use cranfield_measures::spec::{Conventions, parse_measures};
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::random::Stream;
use cranfield_stats::rank_correlation::kendall;

use crate::bias::scores;
use crate::rankings::{Rankings, TopicRankings};
use crate::sampling::choose;
use crate::stats::holders;
use crate::tables::{Tables, count};

/// The caveat of every result.
pub const CAVEAT: &str = "these scores order systems by their agreement with each other: they tend to misplace the best systems, \
                          and no method is reliable on all collections";

/// A way to score runs without judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vote {
    /// AP with a random sample of the pool as relevant documents, in which a document is as likely as it is frequent; mean over draws
    /// (Soboroff, Nicholas and Cahan 2001).
    Soboroff,
    /// For each document of a run, the number of other runs that hold it, added up (Wu and Crestani 2003).
    WuCrestani,
    /// The same, divided by the rank.
    WuCrestaniRank,
    /// AP with the first 30 % of the documents of the half of the runs that differ most from the others, by Copeland's rule, as relevant
    /// (Nuray and Can 2006).
    NurayCan,
    /// AP with documents that at least half of the runs hold as relevant.
    Majority,
}

impl Vote {
    /// All ways.
    pub const ALL: [Self; 5] = [
        Self::Soboroff,
        Self::WuCrestani,
        Self::WuCrestaniRank,
        Self::NurayCan,
        Self::Majority,
    ];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soboroff => "soboroff",
            Self::WuCrestani => "wu-crestani",
            Self::WuCrestaniRank => "wu-crestani/rank",
            Self::NurayCan => "nuray-can",
            Self::Majority => "majority",
        }
    }
}

/// Settings of the votes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoteSettings {
    /// Share of the pool that Soboroff's method draws.
    pub rate: f64,
    /// Number of draws.
    pub draws: usize,
    /// Seed of the draws.
    pub seed: u64,
}

impl Default for VoteSettings {
    /// 50 draws of 10 %, seed 42.
    fn default() -> Self {
        Self {
            rate: 0.1,
            draws: 50,
            seed: 42,
        }
    }
}

/// Scores of runs without judgements.
#[derive(Clone, Debug, PartialEq)]
pub struct Votes {
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Scores by way, in the order of [`Vote::ALL`], then by run.
    pub scores: Vec<Vec<f64>>,
    /// True scores and their measure, if judgements were given.
    pub truth: Option<(String, Vec<f64>)>,
    /// The settings.
    pub settings: VoteSettings,
}

impl Votes {
    /// Kendall's tau with the true order.
    pub fn tau(&self, vote: Vote) -> Option<f64> {
        let (_, truth) = self.truth.as_ref()?;
        let place = Vote::ALL.iter().position(|other| *other == vote)?;
        kendall(truth, self.scores.get(place)?).ok()?.tau_b
    }

    /// The result as tables.
    pub fn tables(&self) -> Tables {
        let names = Vote::ALL.map(Vote::name);
        let truth = self.truth.as_ref().map(|(name, _)| name.as_str());
        let columns = names.into_iter().chain(truth).map(Column::number);
        let mut table = Table::new([Column::text("run")].into_iter().chain(columns.clone()));
        let mut ranks = Table::new([Column::text("run")].into_iter().chain(columns));
        for (at, run) in self.runs.iter().enumerate() {
            let truth = self.truth.iter().map(|(_, scores)| scores);
            let all: Vec<&Vec<f64>> = self.scores.iter().chain(truth).collect();
            let scores = all.iter().map(|scores| Cell::Real(scores[at]));
            table.push([Cell::text(run)].into_iter().chain(scores));
            let places = all.iter().map(|scores| {
                let better = scores.iter().filter(|score| **score > scores[at]);
                count(1 + better.count())
            });
            ranks.push([Cell::text(run)].into_iter().chain(places));
        }
        let mut tables = Tables::new("pool votes")
            .setting("rate", self.settings.rate)
            .setting("draws", self.settings.draws)
            .setting("seed", self.settings.seed)
            .setting("caveat", CAVEAT)
            .part("scores", "Scores without judgements", table)
            .part("ranks", "Ranks", ranks);
        if let Some((measure, _)) = &self.truth {
            let columns = ["way", "tau"];
            let mut table = Table::new([Column::text(columns[0]), Column::number(columns[1])]);
            for vote in Vote::ALL {
                table.push([Cell::text(vote.name()), Cell::real(self.tau(vote))]);
            }
            tables = tables.part(
                "tau",
                format!("Kendall's tau with the order by {measure}"),
                table,
            );
        }
        tables.note(CAVEAT)
    }
}

/// Depth of Nuray and Can's lists.
const FEW: usize = 50;

/// Scores runs without judgements. `inputs` has the whole runs, `rankings` the same runs cut at a depth. If `truth` has judgements
/// and a request, its first measure scores the runs, too.
///
/// # Errors
/// If a run is invalid.
pub fn votes(
    inputs: &Inputs,
    rankings: &Rankings,
    settings: &VoteSettings,
    truth: Option<(Inputs, &Request)>,
) -> Result<Votes, Error> {
    let mut all = Vec::new();
    for vote in Vote::ALL {
        all.push(match vote {
            Vote::Soboroff => soboroff(inputs, rankings, settings)?,
            Vote::WuCrestani => counted(rankings, |_| 1.0),
            Vote::WuCrestaniRank => counted(rankings, |rank| 1.0 / rank),
            Vote::NurayCan => by_votes(inputs, rankings, nuray_can)?,
            Vote::Majority => by_votes(inputs, rankings, majority)?,
        });
    }
    let truth = match truth {
        Some((judged, request)) => {
            let measure = request.measures.first().map(ToString::to_string);
            Some((measure.unwrap_or_default(), scores(&judged, request)?))
        }
        None => None,
    };
    Ok(Votes {
        runs: rankings.names.clone(),
        scores: all,
        truth,
        settings: *settings,
    })
}

/// AP of the whole runs, with documents as relevant.
fn by_votes(
    inputs: &Inputs,
    rankings: &Rankings,
    relevant: impl Fn(&TopicRankings) -> Vec<u32> + Sync + Send,
) -> Result<Vec<f64>, Error> {
    let chosen = cranfield_eval::in_parallel(&rankings.topics, relevant);
    let topics = rankings.topics.iter().zip(&chosen).map(|(topic, docs)| {
        (
            topic.topic(),
            docs.iter()
                .map(|doc| (topic.doc(*doc), 1.0))
                .collect::<Vec<_>>(),
        )
    });
    average_precision(inputs, &Qrels::from_topics(topics.collect::<Vec<_>>()))
}

fn average_precision(inputs: &Inputs, qrels: &Qrels) -> Result<Vec<f64>, Error> {
    let measures = parse_measures("AP", &Conventions::default()).unwrap_or_default();
    let plan = Plan {
        measures,
        ..Plan::default()
    };
    let runs = inputs.runs().iter().map(|run| {
        let scores = cranfield_eval::evaluate_run(&*run.run()?, qrels, &plan);
        Ok(scores.aggregate(0).unwrap_or(0.0))
    });
    runs.collect()
}

/// The mean over draws of AP with a sample of the pool, in which a document occurs once for every run that holds it.
fn soboroff(
    inputs: &Inputs,
    rankings: &Rankings,
    settings: &VoteSettings,
) -> Result<Vec<f64>, Error> {
    let mut sums = vec![0.0; rankings.names.len()];
    for draw in 0..settings.draws {
        let seed = Stream::new(settings.seed, draw as u64).bits();
        let drawn = by_votes(inputs, rankings, |topic| {
            let mut stream = crate::adaptive::stream(seed, topic.topic());
            let all: Vec<u32> = topic.runs().iter().flatten().copied().collect();
            let size = (settings.rate * all.len() as f64).round() as usize;
            let drawn = choose(&mut stream, all.len(), size);
            let drawn: BTreeSet<u32> = drawn.into_iter().map(|at| all[at]).collect();
            drawn.into_iter().collect()
        })?;
        for (sum, score) in sums.iter_mut().zip(drawn) {
            *sum += score / settings.draws as f64;
        }
    }
    Ok(sums)
}

/// For each document of a run, the number of other runs that hold it, times a weight of its rank, added up.
fn counted(rankings: &Rankings, weight: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut sums = vec![0.0; rankings.names.len()];
    for topic in &rankings.topics {
        let holders = holders(topic);
        for (sum, run) in sums.iter_mut().zip(topic.runs()) {
            for (rank, doc) in run.iter().enumerate() {
                let others = holders[*doc as usize].len() - 1;
                *sum += others as f64 * weight((rank + 1) as f64);
            }
        }
    }
    sums
}

/// Documents that at least half of the runs hold.
fn majority(topic: &TopicRankings) -> Vec<u32> {
    let holders = holders(topic).into_iter().enumerate();
    let half = holders.filter(|(_, runs)| 2 * runs.len() >= topic.runs().len());
    half.map(|(doc, _)| doc as u32).collect()
}

/// The first 30 % of the documents of the runs that differ most, by Copeland's rule: wins minus losses of each document against every other,
/// where a run votes for the document that it ranks higher.
fn nuray_can(topic: &TopicRankings) -> Vec<u32> {
    let lists: Vec<&[u32]> = topic
        .runs()
        .iter()
        .map(|run| &run[..run.len().min(FEW)])
        .collect();
    let chosen = most_biased(&lists, topic.len());
    let mut docs: Vec<u32> = chosen
        .iter()
        .flat_map(|run| lists[*run].iter().copied())
        .collect();
    docs.sort_unstable();
    docs.dedup();
    let ranks: Vec<Vec<usize>> = chosen
        .iter()
        .map(|run| {
            let mut ranks = vec![usize::MAX; topic.len()];
            for (rank, doc) in lists[*run].iter().enumerate() {
                ranks[*doc as usize] = rank;
            }
            ranks
        })
        .collect();
    let score = |doc: u32| {
        let beats = |other: &u32| {
            let votes = ranks.iter().map(|ranks| {
                let (own, others) = (ranks[doc as usize], ranks[*other as usize]);
                i64::from(own < others) - i64::from(own > others)
            });
            votes.sum::<i64>().signum()
        };
        docs.iter().map(beats).sum::<i64>()
    };
    let mut scored: Vec<(i64, u32)> = docs.iter().map(|doc| (-score(*doc), *doc)).collect();
    scored.sort_unstable();
    let first = (scored.len() * 3 / 10).max(1);
    scored.into_iter().take(first).map(|(_, doc)| doc).collect()
}

/// Half of the runs: those with the largest bias, 1 − cosine of the run's vector and the sum of all, with the weight 1 / rank for each
/// document.
fn most_biased(lists: &[&[u32]], docs: usize) -> Vec<usize> {
    let weight = |rank: usize| 1.0 / (rank + 1) as f64;
    let mut norm = vec![0.0f64; docs];
    for list in lists {
        for (rank, doc) in list.iter().enumerate() {
            norm[*doc as usize] += weight(rank);
        }
    }
    let bias = |list: &[u32]| {
        let ranked = list.iter().enumerate();
        let product: f64 = ranked
            .map(|(rank, doc)| weight(rank) * norm[*doc as usize])
            .sum();
        let length: f64 = (0..list.len()).map(|rank| weight(rank).powi(2)).sum();
        1.0 - product / length.sqrt().max(f64::MIN_POSITIVE)
    };
    let mut runs: Vec<(f64, usize)> = lists.iter().map(|list| bias(list)).zip(0..).collect();
    runs.small_sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    runs.truncate(lists.len() / 2);
    runs.into_iter().map(|(_, run)| run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_example::{example, ids};

    #[test]
    fn votes_of_the_worked_example() {
        let rankings = Rankings {
            names: ["A", "B", "C"].map(String::from).to_vec(),
            topics: vec![example()],
        };
        // a is in two runs, b in three, c in two: A has 1 + 2 + 1, B 2 + 1, C 2 + 1.
        assert_eq!(counted(&rankings, |_| 1.0), [4.0, 3.0, 3.0]);
        let by_rank = counted(&rankings, |rank| 1.0 / rank);
        let expected = [
            1.0 + 2.0 / 2.0 + 1.0 / 3.0,
            2.0 + 1.0 / 3.0,
            2.0 / 2.0 + 1.0 / 4.0,
        ];
        for (found, expected) in by_rank.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert_eq!(ids(&example(), &majority(&example())), "a b c");
        // C differs most from the others; its own order decides, and 30 % of five documents is one.
        assert_eq!(most_biased(&[&[0, 1], &[0, 2], &[3, 4]], 5), [2]);
        assert_eq!(ids(&example(), &nuray_can(&example())), "i");
    }
}
