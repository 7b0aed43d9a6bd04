//! Strategies whose order does not depend on judgements.

use cranfield_core::error::Error;
use cranfield_core::small_sort::SmallSort;
use cranfield_fusion::{Fusion, Method, fuse_topic};

use crate::rankings::TopicRankings;
use crate::sampling;
use crate::strategy::Strategy;

/// Documents of a strategy that is not adaptive, the last first.
pub(crate) fn ordered(strategy: &Strategy, topic: &TopicRankings, seed: u64) -> Vec<u32> {
    let mut docs = match strategy {
        Strategy::Depth(k) => within(topic, *k, usize::MAX),
        Strategy::Take(documents) => {
            let mut docs = topic.by_best_rank();
            docs.truncate(documents.unwrap_or(usize::MAX));
            docs
        }
        Strategy::Rrf(k) => by_weight(topic, |rank| 1.0 / (k + rank)),
        Strategy::Rbp(p) => by_weight(topic, |rank| (1.0 - p) * p.powf(rank - 1.0)),
        Strategy::Fusion(method) => fused(topic, *method).unwrap_or_default(),
        Strategy::Strata(strata) => sampling::stratified(topic, strata, seed).drawn(),
        Strategy::Pps(documents) => {
            let sample = sampling::proportional(topic, *documents, seed);
            sample.into_iter().map(|drawn| drawn.doc).collect()
        }
        // These ask one document at a time.
        _ => Vec::new(),
    };
    docs.reverse();
    docs
}

/// Documents within the first `k` of any run, in order of their ids; of more than `budget`, those with the best ranks.
pub(crate) fn within(topic: &TopicRankings, k: usize, budget: usize) -> Vec<u32> {
    let places = topic.places();
    let mut docs = topic.by_best_rank();
    docs.retain(|doc| places[*doc as usize].0 <= k);
    docs.truncate(budget);
    docs.sort_unstable();
    docs
}

/// Documents by the sum of their weights over runs, descending, then by id.
fn by_weight(topic: &TopicRankings, weight: impl Fn(f64) -> f64) -> Vec<u32> {
    let weights = weights(topic, weight);
    let mut docs: Vec<u32> = (0..topic.len() as u32).collect();
    // Stable: ids ascend.
    docs.small_sort_by(|a, b| weights[*b as usize].total_cmp(&weights[*a as usize]));
    docs
}

/// Documents by their fused scores, descending, then by id.
pub(crate) fn fused(topic: &TopicRankings, method: Method) -> Result<Vec<u32>, Error> {
    let lists: Vec<Vec<(&[u8], f64)>> = topic.scored().collect();
    let lists: Vec<&[(&[u8], f64)]> = lists.iter().map(Vec::as_slice).collect();
    let fused = fuse_topic(&lists, &Fusion::new(method));
    let mut fused = fused.map_err(|error| Error::parameter(error.to_string()))?;
    fused.small_sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let numbers = fused.iter().filter_map(|(doc, _)| topic.number(doc));
    Ok(numbers.collect())
}

/// Sums over runs of a function of the rank, by document.
pub(crate) fn weights(topic: &TopicRankings, weight: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut weights = vec![0.0; topic.len()];
    for run in topic.runs() {
        for (rank, doc) in run.iter().enumerate() {
            weights[*doc as usize] += weight((rank + 1) as f64);
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_example::{example, ids};

    fn order(name: &str) -> String {
        let topic = example();
        let mut docs = ordered(&name.parse().unwrap(), &topic, 1);
        docs.reverse();
        ids(&topic, &docs)
    }

    #[test]
    fn orders_of_the_worked_example() {
        assert_eq!(order("depth(2)"), "a b f i");
        assert_eq!(order("take"), "b a i f c j d g e h k");
        assert_eq!(order("take(3)"), "b a i");
        assert!(order("rbp(0.8)").starts_with("b a c i f j"));
        assert!(order("rrf(60)").starts_with("b a c i"));
        // Ranks 1/1 + 1/4 + 1/4, 2 (1 + 1/9), 2 (1/9 + 1/16), 1: by n Σ 1/r².
        assert!(order("isr").starts_with("b a i c"));
    }

    #[test]
    fn weights_of_the_worked_example() {
        let topic = example();
        let find = |weights: &[f64], ids: &[u8]| {
            let all = topic.docs().zip(weights);
            let found = all.filter(|(doc, _)| ids.contains(&doc[0]));
            found.map(|(_, weight)| *weight).collect::<Vec<_>>()
        };
        let near = |found: &[f64], expected: &[f64], most: f64| {
            assert_eq!(found.len(), expected.len());
            let near = |(x, y): (&f64, &f64)| (x - y).abs() <= most;
            assert!(found.iter().zip(expected).all(near), "{found:?}");
        };
        let rbp = weights(&topic, |rank| 0.2 * 0.8f64.powf(rank - 1.0));
        // a, b, c, f, i, j
        let expected = [0.328, 0.52, 0.2304, 0.16, 0.2, 0.128];
        near(&find(&rbp, b"abcfij"), &expected, 1e-12);
        let rrf = weights(&topic, |rank| 1.0 / (60.0 + rank));
        let expected = [0.032_266, 0.048_652, 0.031_498, 0.016_393];
        near(&find(&rrf, b"abci"), &expected, 5e-7);
    }

    #[test]
    fn a_budget_keeps_the_best_ranks_of_a_depth_pool() {
        let topic = example();
        assert_eq!(ids(&topic, &within(&topic, 2, 2)), "a b");
        assert_eq!(ids(&topic, &within(&topic, 2, 3)), "a b i");
    }
}
