//! Effect of assessors on conclusions: would other judgements rank the runs differently, or support other claims?
//!
//! Runs are evaluated and compared under the judgements of each assessor and under merged judgements, on the topics that all assessors
//! judged.
//!
//! References: E. M. Voorhees, Variations in relevance judgments and the measurement of retrieval effectiveness, Information Processing
//! and Management 36 (2000); P. Bailey et al., Relevance assessment: are judges exchangeable and does it matter, SIGIR 2008.

mod output;

use std::sync::Arc;

use cranfield_core::measure::Direction;
use cranfield_core::qrels::Qrels;
use cranfield_core::setting::Message;
use cranfield_core::small_sort::SmallSort;
use cranfield_eval::agreement::Assessor;
use cranfield_eval::{Inputs, MergeRule, Request, RunInput, merge_qrels};
use cranfield_render::plural;
use cranfield_stats::StatsError;
use cranfield_stats::rank_correlation::{kendall, tau_ap};

use crate::compare::{
    CompareError, Comparison, MeasureTable, Pair, Settings, Verdict, check_values, compare, failed,
};

pub use output::EffectsOutput;

/// Assessors, runs, and how runs are compared.
#[derive(Clone, Copy, Debug)]
pub struct EffectsRequest<'a> {
    /// The assessors.
    pub assessors: &'a [Assessor],
    /// Rules of merged judgements, which are compared with those of the assessors.
    pub rules: &'a [MergeRule],
    /// Grades that replace merged ones.
    pub adjudicated: Option<&'a Qrels>,
    /// The runs, which are read once for each set of judgements unless they are [loaded](Inputs::load).
    pub runs: &'a [RunInput],
    /// Measures and policies. The files of judgements and runs are ignored.
    pub request: &'a Request,
    /// Settings of comparisons.
    pub settings: &'a Settings,
}

/// Why the effect of assessors cannot be computed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EffectsError {
    /// A run is invalid, or the judgements do not allow a measure.
    #[error(transparent)]
    Input(#[from] cranfield_io::Error),
    /// The runs cannot be compared.
    #[error("judgements of {judgements}: {why}")]
    Compare {
        /// Name of the judgements.
        judgements: String,
        /// The reason.
        why: CompareError,
    },
    /// There is no topic that all assessors judged.
    #[error("no topic was judged by all assessors, so their effect on runs cannot be compared")]
    NoTopic,
}

/// Judgements under which runs are compared.
#[derive(Clone, Debug)]
pub struct JudgementSet {
    /// Name of the assessor, or of the rule.
    pub name: String,
    /// The rule of merged judgements.
    pub rule: Option<MergeRule>,
    /// Number of judgements on the compared topics.
    pub judgements: usize,
}

/// Effect of assessors on the ranking of runs and on claims.
#[derive(Clone, Debug)]
pub struct Effects {
    /// The assessors in their order, then the rules.
    pub sets: Vec<JudgementSet>,
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Number of topics that all assessors judged.
    pub topics: usize,
    /// Number of topics that only some of them judged.
    pub left_out: usize,
    /// Settings of the comparisons.
    pub settings: Settings,
    /// The measures.
    pub measures: Vec<MeasureEffects>,
}

/// Effect of assessors by one measure.
#[derive(Clone, Debug)]
pub struct MeasureEffects {
    /// Name of the measure.
    pub measure: String,
    /// Means and ranks, by set of judgements, then run.
    pub standings: Vec<Vec<Standing>>,
    /// Changes of the ranking between all pairs of sets.
    pub changes: Vec<Change>,
    /// The conclusions on all pairs of runs.
    pub conclusions: Vec<Conclusion>,
}

/// A run under one set of judgements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Mean over topics.
    pub mean: f64,
    /// Rank, from 1; equal means share the better rank.
    pub rank: usize,
}

/// Change of the ranking of runs from one set of judgements to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Index of the first set.
    pub first: usize,
    /// Index of the second set.
    pub second: usize,
    /// Kendall's tau-b; `None` if all runs are tied under one of the sets.
    pub tau: Option<f64>,
    /// The AP correlation with ties, averaged over both directions; `None` as for tau.
    pub tau_ap: Option<f64>,
    /// Pairs of runs in opposite orders.
    pub swaps: Vec<(usize, usize)>,
    /// The run that loses most places, and how many; `None` if no run loses one.
    pub drop: Option<(usize, usize)>,
}

/// The conclusions on a pair of runs.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// Index of the first run.
    pub first: usize,
    /// Index of the second run, which is larger.
    pub second: usize,
    /// By set of judgements.
    pub under: Vec<Concluded>,
}

/// The conclusion on a pair of runs under one set of judgements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concluded {
    /// Verdict on the first run.
    pub verdict: Verdict,
    /// Mean of the first run minus mean of the second.
    pub difference: f64,
    /// Corrected p-value.
    pub p: f64,
}

/// How a conclusion depends on the assessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flip {
    /// One set of judgements supports a verdict that another does not.
    Changed,
    /// A run is significantly better under one set of judgements, and significantly worse under another.
    Reversed,
}

impl Flip {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Reversed => "reversed",
        }
    }
}

impl Conclusion {
    /// How the conclusion depends on the assessor; `None` if it is the same under all sets of judgements.
    pub fn flip(&self) -> Option<Flip> {
        let mut verdicts = self.under.iter().map(|under| under.verdict);
        let has = |wanted| self.under.iter().any(|under| under.verdict == wanted);
        let first = verdicts.next()?;
        match () {
            () if has(Verdict::Better) && has(Verdict::Worse) => Some(Flip::Reversed),
            () if verdicts.any(|other| other != first) => Some(Flip::Changed),
            () => None,
        }
    }
}

impl MeasureEffects {
    /// The conclusions that flip, reversed ones first.
    pub fn flips(&self) -> Vec<(&Conclusion, Flip)> {
        let all = self.conclusions.iter();
        let mut flips: Vec<_> = all.filter_map(|one| Some((one, one.flip()?))).collect();
        flips.small_sort_by_key(|(_, flip)| *flip == Flip::Changed);
        flips
    }
}

impl Effects {
    /// Compares runs under the judgements of each assessor, and under merged judgements.
    ///
    /// ```
    /// use cranfield_compare::assessors::{Effects, EffectsRequest, Flip};
    /// use cranfield_compare::compare::Settings;
    /// use cranfield_eval::agreement::Assessor;
    /// use cranfield_eval::{Conventions, Qrels, Request, Run, RunInput, parse_measures};
    ///
    /// let topics = ["1", "2", "3", "4", "5", "6", "7", "8"];
    /// let assessor = |name, relevant| {
    ///     let judged = topics.map(|topic| (topic, relevant, 1.0));
    ///     Assessor::in_memory(name, Qrels::from_judgements(judged))
    /// };
    /// let run = |name, first, second| {
    ///     let ranked = topics.iter().flat_map(|topic| [(*topic, first, 2.0), (*topic, second, 1.0)]);
    ///     RunInput::new(name, Run::from_scores(name, ranked.collect::<Vec<_>>()))
    /// };
    /// let effects = Effects::of(&EffectsRequest {
    ///     assessors: &[assessor("ann", "d1"), assessor("bob", "d2")],
    ///     rules: &[],
    ///     adjudicated: None,
    ///     runs: &[run("x", "d1", "d2"), run("y", "d2", "d1")],
    ///     request: &Request::of_measures(parse_measures("RR", &Conventions::default())?),
    ///     settings: &Settings::default(),
    /// })?;
    /// // Under Ann's judgements x is better on every topic, under Bob's y is.
    /// assert_eq!(effects.measures[0].changes[0].tau, Some(-1.0));
    /// assert_eq!(effects.measures[0].flips()[0].1, Flip::Reversed);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no topic that all assessors judged, a run is invalid, or the runs cannot be compared.
    pub fn of(asked: &EffectsRequest<'_>) -> Result<Self, EffectsError> {
        let assessors: Vec<&Qrels> = asked.assessors.iter().map(|own| &*own.qrels).collect();
        let is_common = |topic: &[u8]| assessors.iter().all(|qrels| qrels.get(topic).is_some());
        let merged = merge_qrels(&assessors, MergeRule::default(), None);
        let topics = merged
            .topics()
            .filter(|topic| is_common(topic.id()))
            .count();
        if topics == 0 {
            return Err(EffectsError::NoTopic);
        }
        let named = asked.assessors.iter();
        let named = named.map(|own| (own.name.clone(), None, own.qrels.as_ref()));
        let rules: Vec<(MergeRule, Qrels)> = asked
            .rules
            .iter()
            .map(|rule| (*rule, merge_qrels(&assessors, *rule, asked.adjudicated)))
            .collect();
        let rules = rules.iter();
        let rules = rules.map(|(rule, qrels)| (rule.name().to_owned(), Some(*rule), qrels));
        let (mut sets, mut comparisons) = (Vec::new(), Vec::new());
        for (name, rule, qrels) in named.chain(rules) {
            let qrels = restricted(qrels, is_common);
            sets.push(JudgementSet {
                name: name.clone(),
                rule,
                judgements: qrels.judgements(),
            });
            comparisons.push(compared(asked, &name, qrels)?);
        }
        let measures = 0..asked.request.measures.len();
        let measures = measures.map(|at| MeasureEffects::of(at, &sets, &comparisons));
        Ok(Self {
            measures: measures.collect::<Result<_, _>>()?,
            runs: asked.runs.iter().map(|run| run.name.clone()).collect(),
            topics,
            left_out: merged.len() - topics,
            settings: asked.settings.clone(),
            sets,
        })
    }

    /// Notes on topics.
    pub fn notes(&self) -> Vec<Message> {
        let topics = plural(self.topics, "topic");
        let runs = plural(self.runs.len(), "run");
        let mut notes =
            vec![format!("{runs} compared on {topics} that all assessors judged").into()];
        if self.left_out > 0 {
            let others = plural(self.left_out, "topic");
            notes.push(
                format!(
                    "{others} judged by some assessors only, left out of the comparison of runs"
                )
                .into(),
            );
        }
        notes
    }
}

/// The topics of judgements that satisfy a condition.
fn restricted(qrels: &Qrels, is_wanted: impl Fn(&[u8]) -> bool) -> Qrels {
    let topics = qrels.topics().filter(|topic| is_wanted(topic.id()));
    Qrels::from_topics(topics.map(|topic| (topic.id(), topic.judgements())))
}

/// Compares the runs under one set of judgements.
fn compared(
    asked: &EffectsRequest<'_>,
    name: &str,
    qrels: Qrels,
) -> Result<Comparison, EffectsError> {
    let request = Request {
        qrels: name.into(),
        judged: Some(Arc::new(qrels)),
        runs: Vec::new(),
        ..asked.request.clone()
    };
    let inputs = Inputs::open(&request)?.with_runs(asked.runs.iter().cloned());
    let evaluation = inputs.evaluate(&request)?;
    let comparison =
        check_values(&request.policies).and_then(|()| compare(&evaluation, asked.settings));
    comparison.map_err(|why| EffectsError::Compare {
        judgements: name.into(),
        why,
    })
}

impl MeasureEffects {
    /// The measure at a place of all comparisons.
    fn of(
        at: usize,
        sets: &[JudgementSet],
        comparisons: &[Comparison],
    ) -> Result<Self, EffectsError> {
        let tables: Vec<&MeasureTable> = comparisons.iter().map(|all| &all.measures[at]).collect();
        let mut changes = Vec::new();
        for second in 1..tables.len() {
            for first in 0..second {
                let change = Change::of((first, second), &tables);
                changes.push(change.map_err(|why| EffectsError::Compare {
                    judgements: sets[second].name.clone(),
                    why: failed(&tables[second].measure, why),
                })?);
            }
        }
        changes.small_sort_by_key(|change| (change.first, change.second));
        Ok(Self {
            measure: tables
                .first()
                .map_or_else(String::new, |table| table.measure.clone()),
            standings: tables.iter().map(|table| standings(table)).collect(),
            conclusions: conclusions(&tables),
            changes,
        })
    }
}

fn standings(table: &MeasureTable) -> Vec<Standing> {
    let systems = table.systems.iter();
    let standings = systems.map(|system| Standing {
        mean: system.mean,
        rank: system.rank.rank,
    });
    standings.collect()
}

impl Change {
    fn of((first, second): (usize, usize), tables: &[&MeasureTable]) -> Result<Self, StatsError> {
        let [x, y] = [first, second].map(|at| oriented_means(tables[at]));
        let [before, after] = [first, second].map(|at| standings(tables[at]));
        let lost = |run: usize| after[run].rank.saturating_sub(before[run].rank);
        // Of equal drops, the run that was better.
        let drop =
            (0..x.len()).max_by_key(|run| (lost(*run), std::cmp::Reverse(before[*run].rank)));
        let drop = drop
            .map(|run| (run, lost(run)))
            .filter(|(_, places)| *places > 0);
        let is_swapped = |a: usize, b: usize| {
            let order = |ranks: &[Standing]| ranks[a].rank.cmp(&ranks[b].rank);
            order(&before).is_ne() && order(&before) == order(&after).reverse()
        };
        let pairs = (0..x.len()).flat_map(|a| (a + 1..x.len()).map(move |b| (a, b)));
        Ok(Self {
            first,
            second,
            tau: kendall(&x, &y)?.tau_b,
            tau_ap: tau_ap(&x, &y)?.tau_ap_b,
            swaps: pairs.filter(|(a, b)| is_swapped(*a, *b)).collect(),
            drop,
        })
    }
}

/// Means of the runs, larger ones being better.
fn oriented_means(table: &MeasureTable) -> Vec<f64> {
    let sign = match table.direction {
        Direction::LowerIsBetter => -1.0,
        Direction::HigherIsBetter | Direction::Neutral => 1.0,
    };
    table
        .systems
        .iter()
        .map(|system| sign * system.mean)
        .collect()
}

/// The conclusions on the pairs that were tested under all sets.
fn conclusions(tables: &[&MeasureTable]) -> Vec<Conclusion> {
    let Some(table) = tables.first() else {
        return Vec::new();
    };
    let pairs = table.pairs.iter();
    let mut pairs: Vec<(usize, usize)> = pairs
        .map(|pair| (pair.first.min(pair.second), pair.first.max(pair.second)))
        .collect();
    pairs.sort_unstable();
    let conclusion = |(first, second)| {
        let pairs = tables.iter().map(|table| table.pair(first, second));
        let under = pairs.map(|pair| Some(Concluded::on(pair?, first)));
        Some(Conclusion {
            first,
            second,
            under: under.collect::<Option<_>>()?,
        })
    };
    pairs.into_iter().filter_map(conclusion).collect()
}

impl Concluded {
    /// The conclusion of a pair, with `first` as its first run.
    fn on(pair: &Pair, first: usize) -> Self {
        let verdict = pair.claim.verdict;
        let (verdict, sign) = match verdict {
            _ if pair.first == first => (verdict, 1.0),
            Verdict::Better => (Verdict::Worse, -1.0),
            Verdict::Worse => (Verdict::Better, -1.0),
            other => (other, -1.0),
        };
        Self {
            verdict,
            difference: sign * pair.difference,
            p: pair.adjusted,
        }
    }
}

#[cfg(test)]
mod tests;
