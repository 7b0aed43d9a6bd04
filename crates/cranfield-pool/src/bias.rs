//! Bias of a pool: scores of runs that did not contribute to it.
//!
//! A run that took part in the pool has its best documents judged; a new run may not. Leaving a run out shows how much this matters:
//! the documents that only this run, or its group, contributed are removed from the judgements, and all runs are scored again (Zobel 1998,
//! Buckley et al. 2007).

use std::collections::BTreeSet;

use cranfield_core::measure::Direction;
use cranfield_core::qrels::Qrels;
use cranfield_core::small_sort::SmallSort;
use cranfield_eval::{Inputs, Request};
use cranfield_io::Error;
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::rank_correlation::{kendall, tau_ap};

use crate::groups::Groups;
use crate::rankings::Rankings;
use crate::stats::holders;
use crate::tables::{Tables, count};

/// A run, scored with the judgements that the pool has without its group.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The run.
    pub run: String,
    /// Its group.
    pub group: String,
    /// Judged documents that only the group contributed, over all topics.
    pub removed: usize,
    /// Those of them that are relevant.
    pub removed_relevant: usize,
    /// Score with all judgements.
    pub score: f64,
    /// Score without the group's own documents.
    pub score_without: f64,
    /// Rank among the runs with all judgements.
    pub rank: usize,
    /// Rank without the group's own documents.
    pub rank_without: usize,
    /// Kendall's tau between the two orders of all runs; `None` where all scores are tied.
    pub tau: Option<f64>,
    /// AP correlation between the two orders.
    pub tau_ap: Option<f64>,
}

impl LeftOut {
    /// Change of the score.
    pub fn change(&self) -> f64 {
        self.score_without - self.score
    }
}

/// Bias of a pool against runs that did not contribute.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolBias {
    /// Name of the measure.
    pub measure: String,
    /// Depth of the pool.
    pub depth: usize,
    /// Whether groups of several runs were left out.
    pub by_group: bool,
    /// Runs in the order given.
    pub runs: Vec<LeftOut>,
}

impl PoolBias {
    /// Mean absolute change of a score.
    pub fn mean_change(&self) -> f64 {
        let changes = self.runs.iter().map(|run| run.change().abs());
        changes.sum::<f64>() / self.runs.len().max(1) as f64
    }

    /// The run that loses most.
    pub fn largest_drop(&self) -> Option<&LeftOut> {
        self.runs
            .iter()
            .min_by(|a, b| a.change().total_cmp(&b.change()))
    }

    /// The smallest tau, with its run.
    pub fn least_tau(&self) -> Option<(&LeftOut, f64)> {
        let taus = self.runs.iter().filter_map(|run| Some((run, run.tau?)));
        taus.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The result as tables.
    pub fn tables(&self) -> Tables {
        let columns = [
            "unique", "relevant", "score", "without", "change", "rank", "new", "tau", "tau_AP",
        ];
        let names = if self.by_group {
            vec!["run", "group"]
        } else {
            vec!["run"]
        };
        let names = names.into_iter().map(Column::text);
        let mut table = Table::new(names.chain(columns.map(Column::number)));
        for run in &self.runs {
            let group = self.by_group.then(|| Cell::text(&run.group));
            let cells = [
                count(run.removed),
                count(run.removed_relevant),
                Cell::Real(run.score),
                Cell::Real(run.score_without),
                Cell::Real(run.change()),
                count(run.rank),
                count(run.rank_without),
                Cell::real(run.tau),
                Cell::real(run.tau_ap),
            ];
            let name = [Cell::text(&run.run)].into_iter().chain(group);
            table.push(name.chain(cells));
        }
        let what = if self.by_group { "its group" } else { "it" };
        let title = format!(
            "{} of each run without the documents that only {what} contributed to the pool of depth {}",
            self.measure, self.depth
        );
        let mut tables = Tables::new("pool bias")
            .setting("measure", self.measure.clone())
            .setting("depth", self.depth)
            .setting("mean absolute change", self.mean_change())
            .part("runs", title, table)
            .note(format!("mean absolute change {:.4}", self.mean_change()));
        if let Some(run) = self.largest_drop() {
            let drop = format!("largest drop {:.4}: {}", run.change(), run.run);
            tables = tables.note(drop);
        }
        if let Some((run, tau)) = self.least_tau() {
            tables = tables.note(format!("least tau {tau:.4}: without {}", run.run));
        }
        tables
    }
}

/// Leaves out every run or group in turn. The first measure of the request counts. `rankings` are the runs, cut at the depth of the pool.
///
/// # Errors
/// If the judgements are not grades, or do not allow the measure.
pub fn bias(
    inputs: &Inputs,
    request: &Request,
    rankings: &Rankings,
    groups: &Groups,
    level: f64,
) -> Result<PoolBias, Error> {
    let qrels = grades(inputs)?;
    let before = scores(inputs, request)?;
    let lower = request
        .measures
        .first()
        .is_some_and(|measure| measure.info.direction == Direction::LowerIsBetter);
    let mut runs = Vec::new();
    for (group, name) in groups.names.iter().enumerate() {
        let alone = alone(rankings, groups, group);
        let mut removed = (0, 0);
        let rest = qrels.topics().map(|topic| {
            let judged = topic.judgements().filter(|(doc, grade)| {
                let is_removed = alone.contains(&(topic.id(), *doc));
                removed.0 += usize::from(is_removed);
                removed.1 += usize::from(is_removed && *grade >= level);
                !is_removed
            });
            // A topic stays, even without judgements.
            (topic.id(), judged.collect::<Vec<_>>())
        });
        let rest = Qrels::from_topics(rest.collect::<Vec<_>>());
        let reduced = Inputs::in_memory(rest, inputs.runs().to_vec());
        let after = scores(&reduced, request)?;
        for (run, of_run) in groups.of_run.iter().enumerate() {
            if *of_run != group {
                continue;
            }
            runs.push((
                run,
                LeftOut {
                    run: rankings.names[run].clone(),
                    group: name.clone(),
                    removed: removed.0,
                    removed_relevant: removed.1,
                    score: before[run],
                    score_without: after[run],
                    rank: rank(&before, run, lower),
                    rank_without: rank(&after, run, lower),
                    tau: kendall(&before, &after).ok().and_then(|tau| tau.tau_b),
                    tau_ap: tau_ap(&before, &after).ok().and_then(|tau| tau.tau_ap_b),
                },
            ));
        }
    }
    runs.small_sort_by_key(|(run, _)| *run);
    let depth = rankings.topics.iter().map(crate::TopicRankings::depth);
    Ok(PoolBias {
        measure: request
            .measures
            .first()
            .map(ToString::to_string)
            .unwrap_or_default(),
        depth: depth.max().unwrap_or(0),
        by_group: !groups.are_single(),
        runs: runs.into_iter().map(|(_, run)| run).collect(),
    })
}

/// Topics and documents that only one group holds.
fn alone<'r>(
    rankings: &'r Rankings,
    groups: &Groups,
    group: usize,
) -> BTreeSet<(&'r [u8], &'r [u8])> {
    let mut alone = BTreeSet::new();
    for topic in &rankings.topics {
        for (doc, runs) in holders(topic).iter().enumerate() {
            if runs.iter().all(|run| groups.of_run[*run] == group) {
                alone.insert((topic.topic(), topic.doc(doc as u32)));
            }
        }
    }
    alone
}

/// The judgements, if they are grades.
///
/// # Errors
/// If they are not.
pub(crate) fn grades(inputs: &Inputs) -> Result<&Qrels, Error> {
    inputs.qrels().map(AsRef::as_ref).ok_or_else(|| {
        let message = "expected one grade per document, found judgements of another kind";
        cranfield_io::Problem::file(
            cranfield_io::Code::UnknownFormat,
            inputs.qrels_path(),
            message,
        )
        .into()
    })
}

/// The aggregate of the first measure, by run; 0 where it is undefined.
pub(crate) fn scores(inputs: &Inputs, request: &Request) -> Result<Vec<f64>, Error> {
    let evaluation = inputs.evaluate(request)?;
    let runs = evaluation.runs.iter();
    Ok(runs
        .map(|run| run.scores.aggregate(0).unwrap_or(0.0))
        .collect())
}

/// The rank of a run, from 1; equal scores share it.
fn rank(scores: &[f64], run: usize, lower: bool) -> usize {
    let is_better = |score: &&f64| {
        if lower {
            **score < scores[run]
        } else {
            **score > scores[run]
        }
    };
    1 + scores.iter().filter(is_better).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_core::policy::TieBreak;
    use cranfield_core::run::Run;
    use cranfield_eval::{Conventions, RunInput, parse_measures};
    use std::sync::Arc;

    #[test]
    fn a_run_loses_the_documents_that_only_it_found() {
        // a finds d1 and d2 alone, b and c share d3.
        let runs = [
            ("a", vec!["d1", "d2", "d3"]),
            ("b", vec!["d3", "d4"]),
            ("c", vec!["d4", "d3"]),
        ];
        let runs: Vec<(String, Arc<Run>)> = runs
            .into_iter()
            .map(|(name, docs)| {
                let docs = docs.into_iter().enumerate();
                let scored = docs.map(|(at, doc)| ("1", doc, -(at as f64)));
                (name.to_owned(), Arc::new(Run::from_scores(name, scored)))
            })
            .collect();
        let qrels = Qrels::from_judgements([
            ("1", "d1", 1.0),
            ("1", "d2", 0.0),
            ("1", "d3", 1.0),
            ("1", "d4", 0.0),
        ]);
        let rankings = Rankings::new(&runs, TieBreak::DocidDesc, Some(2)).unwrap();
        let inputs = runs
            .iter()
            .map(|(name, run)| RunInput::new(name, Arc::clone(run)));
        let inputs = Inputs::in_memory(qrels, inputs);
        let measures = parse_measures("P@1", &Conventions::default()).unwrap();
        let request = Request::of_measures(measures);
        let groups = Groups::single(&rankings.names);
        let found = bias(&inputs, &request, &rankings, &groups, 1.0).unwrap();
        let a = &found.runs[0];
        assert_eq!((a.removed, a.removed_relevant), (2, 1));
        assert_eq!((a.score, a.score_without), (1.0, 0.0));
        assert_eq!((a.rank, a.rank_without), (1, 2));
        assert_eq!(found.runs[1].change(), 0.0);
        assert_eq!(found.largest_drop().unwrap().run, "a");
        assert!((found.mean_change() - 1.0 / 3.0).abs() < 1e-12);
    }
}
