//! Folds: which topics are tested together.

use std::collections::BTreeMap;

use cranfield_core::setting::{Message, Setting};
use cranfield_core::small_sort::SmallSort;
use cranfield_stats::random::Stream;

use super::assignments::Assignments;
use super::error::TuneError;
use super::sealed::mean;

/// The name of the given fold whose topics are never tested.
const TRAIN: &str = "train";

/// How topics are dealt into folds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Folding {
    /// This many folds, stratified by difficulty: topics are sorted by the score of the default point and cut into blocks of as many
    /// topics as there are folds, and each block is dealt at random, one topic to each fold.
    Stratified {
        /// Number of folds.
        folds: usize,
    },
    /// As stratified, but topics of the same group stay together; a group has the mean score of its topics. Topics without a group
    /// are groups of their own.
    Grouped {
        /// Number of folds.
        folds: usize,
        /// The group of each topic.
        groups: Assignments,
    },
    /// Given folds; topics of the fold `train` are never tested.
    Given(Assignments),
}

/// Topics that are tested together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fold {
    pub(super) name: String,
    /// Indices of the topics, ascending.
    pub(super) test: Vec<usize>,
}

impl Folding {
    /// Deals topics with these scores into folds.
    pub(super) fn deal(
        &self,
        topics: &[String],
        scores: &[f64],
        seed: u64,
    ) -> Result<Vec<Fold>, TuneError> {
        match self {
            Self::Stratified { folds } => {
                let alone = topics
                    .iter()
                    .enumerate()
                    .map(|(at, topic)| (topic.as_str(), vec![at]));
                deal(*folds, alone.collect(), scores, seed)
            }
            Self::Grouped { folds, groups } => {
                let mut units: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
                let mut alone = Vec::new();
                for (at, topic) in topics.iter().enumerate() {
                    match groups.get(topic) {
                        Some(group) => units.entry(group).or_default().push(at),
                        None => alone.push((topic.as_str(), vec![at])),
                    }
                }
                alone.extend(units);
                deal(*folds, alone, scores, seed)
            }
            Self::Given(splits) => given(topics, splits),
        }
    }

    /// A description for titles.
    pub(super) fn describe(&self, folds: usize) -> String {
        match self {
            Self::Stratified { .. } => format!("{folds} folds, stratified by the default's scores"),
            Self::Grouped { .. } => {
                format!("{folds} folds, stratified by the default's scores, groups kept together")
            }
            Self::Given(_) => format!("{folds} given folds"),
        }
    }
}

/// Deals units of topics.
fn deal(
    folds: usize,
    mut units: Vec<(&str, Vec<usize>)>,
    scores: &[f64],
    seed: u64,
) -> Result<Vec<Fold>, TuneError> {
    if folds < 2 || folds > units.len() {
        let message = Message::from(Setting::Folds.to(folds)).then(format!(
            " must be from 2 to {}, the number of topics or groups",
            units.len()
        ));
        return Err(TuneError::Settings(message));
    }
    let score = |unit: &[usize]| mean(&unit.iter().map(|at| scores[*at]).collect::<Vec<_>>());
    units.small_sort_by(|(a_name, a), (b_name, b)| {
        score(b)
            .total_cmp(&score(a))
            .then_with(|| a_name.cmp(b_name))
    });
    let mut dealt: Vec<Fold> = (1..=folds)
        .map(|number| Fold {
            name: number.to_string(),
            test: Vec::new(),
        })
        .collect();
    for (block, units) in units.chunks(folds).enumerate() {
        let order = shuffled(folds, &mut Stream::new(seed, block as u64));
        for ((_, unit), fold) in units.iter().zip(order) {
            dealt[fold].test.extend(unit);
        }
    }
    for fold in &mut dealt {
        fold.test.sort_unstable();
    }
    Ok(dealt)
}

/// The numbers below `count` in random order (Fisher and Yates).
fn shuffled(count: usize, stream: &mut Stream) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for at in (1..count).rev() {
        order.swap(at, stream.index(at as u32 + 1));
    }
    order
}

fn given(topics: &[String], splits: &Assignments) -> Result<Vec<Fold>, TuneError> {
    let mut folds: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, topic) in topics.iter().enumerate() {
        let fold = splits.get(topic).ok_or_else(|| {
            TuneError::Settings(
                format!("topic `{topic}` is in no fold; the splits must name every judged topic")
                    .into(),
            )
        })?;
        folds.entry(fold).or_default().push(at);
    }
    let has_train = folds.remove(TRAIN).is_some();
    if folds.is_empty() || (folds.len() == 1 && !has_train) {
        let message = "the splits need two or more folds, or a fold `train` and another one";
        return Err(TuneError::Settings(message.into()));
    }
    let fold = |(name, test): (&str, Vec<usize>)| Fold {
        name: name.into(),
        test,
    };
    Ok(folds.into_iter().map(fold).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("{at:03}")).collect()
    }

    #[test]
    fn each_block_of_equal_difficulty_is_spread_over_all_folds() {
        let topics = topics(23);
        let scores: Vec<f64> = (0..23).map(|at| f64::from(at * 7 % 23)).collect();
        let folds = Folding::Stratified { folds: 5 }
            .deal(&topics, &scores, 1)
            .unwrap();
        let mut all: Vec<usize> = folds.iter().flat_map(|fold| fold.test.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..23).collect::<Vec<_>>());
        for fold in &folds {
            // One of the five best, one of the next five, and so on.
            let mut blocks: Vec<usize> = fold
                .test
                .iter()
                .map(|at| (22 - scores[*at] as usize) / 5)
                .collect();
            blocks.sort_unstable();
            assert_eq!(blocks[..4], [0, 1, 2, 3]);
        }
        let again = Folding::Stratified { folds: 5 }
            .deal(&topics, &scores, 1)
            .unwrap();
        assert_eq!(folds, again);
        assert_ne!(
            folds,
            Folding::Stratified { folds: 5 }
                .deal(&topics, &scores, 2)
                .unwrap()
        );
    }

    #[test]
    fn groups_stay_together() {
        let topics = topics(12);
        let scores: Vec<f64> = (0..12).map(f64::from).collect();
        let groups: Assignments = (0..8)
            .map(|at| (format!("{at:03}"), format!("g{}", at / 2)))
            .collect();
        let folds = Folding::Grouped { folds: 4, groups }
            .deal(&topics, &scores, 3)
            .unwrap();
        for first in [0, 2, 4, 6] {
            let fold = folds
                .iter()
                .find(|fold| fold.test.contains(&first))
                .unwrap();
            assert!(fold.test.contains(&(first + 1)));
        }
        assert_eq!(folds.iter().map(|fold| fold.test.len()).sum::<usize>(), 12);
    }

    #[test]
    fn given_folds_must_cover_the_topics() {
        let splits = |names: &[&str]| -> Assignments {
            names
                .iter()
                .enumerate()
                .map(|(at, name)| (format!("{at:03}"), (*name).into()))
                .collect()
        };
        let deal = |names: &[&str]| Folding::Given(splits(names)).deal(&topics(3), &[0.0; 3], 0);
        let held_out = deal(&["train", "test", "train"]).unwrap();
        assert_eq!(
            held_out,
            [Fold {
                name: "test".into(),
                test: vec![1]
            }]
        );
        assert_eq!(deal(&["a", "b", "a"]).unwrap().len(), 2);
        for wrong in [
            &["a", "b"][..],
            &["a", "a", "a"],
            &["train", "train", "train"],
        ] {
            assert!(deal(wrong).is_err());
        }
    }

    #[test]
    fn the_number_of_folds_is_checked() {
        for folds in [0, 1, 4] {
            let error = Folding::Stratified { folds }
                .deal(&topics(3), &[0.0; 3], 0)
                .unwrap_err();
            assert!(error.to_string().contains("must be from 2 to 3"));
        }
    }
}
