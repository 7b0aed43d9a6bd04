//! Random samples of a pool, with known probabilities.

use cranfield_core::small_sort::SmallSort;
use cranfield_stats::random::Stream;

use crate::adaptive::stream;
use crate::ordered::weights;
use crate::rankings::TopicRankings;
use crate::strata::Strata;

/// A pool cut into strata, of each of which a uniform sample is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StratifiedSample {
    /// Documents with the place of their stratum, and whether they are drawn; in order of ids.
    pub(crate) docs: Vec<(u32, usize, bool)>,
}

impl StratifiedSample {
    /// The documents that are drawn, by stratum, then by id.
    pub(crate) fn drawn(&self) -> Vec<u32> {
        let drawn = self.docs.iter().filter(|(_, _, drawn)| *drawn);
        let mut drawn: Vec<(usize, u32)> =
            drawn.map(|(doc, stratum, _)| (*stratum, *doc)).collect();
        drawn.sort_unstable();
        drawn.into_iter().map(|(_, doc)| doc).collect()
    }
}

/// Draws from each stratum its rate times its number of documents, rounded, and at least one.
pub(crate) fn stratified(topic: &TopicRankings, strata: &Strata, seed: u64) -> StratifiedSample {
    let mut stream = stream(seed, topic.topic());
    let places = topic.places();
    let mut members = vec![Vec::new(); strata.all().len()];
    for doc in 0..topic.len() as u32 {
        if let Some(stratum) = strata.of(places[doc as usize].0) {
            members[stratum].push(doc);
        }
    }
    let mut docs = Vec::new();
    for (place, (stratum, members)) in strata.all().iter().zip(&members).enumerate() {
        let size = (stratum.rate * members.len() as f64).round() as usize;
        let mut drawn = vec![false; members.len()];
        for at in choose(&mut stream, members.len(), size.max(1)) {
            drawn[at] = true;
        }
        docs.extend(
            members
                .iter()
                .zip(drawn)
                .map(|(doc, drawn)| (*doc, place, drawn)),
        );
    }
    docs.sort_unstable();
    StratifiedSample { docs }
}

/// Different numbers below `count`, each set of `size` of them equally likely (Fisher and Yates).
pub(crate) fn choose(stream: &mut Stream, count: usize, size: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    let size = size.min(count);
    for at in 0..size {
        let other = at + stream.index((count - at) as u32);
        numbers.swap(at, other);
    }
    numbers.truncate(size);
    numbers
}

/// A document drawn with unequal probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drawn {
    pub(crate) doc: u32,
    /// The probability that it is in the sample.
    pub(crate) probability: f64,
}

/// Draws `size` documents with probabilities proportional to their weights in average precision, as far as none exceeds 1; the
/// most probable first.
///
/// The weight of rank r in a run of n documents is (1 + 1/r + 1/(r + 1) + … + 1/n) / 2n (Aslam and Pavlu 2007); a document has the
/// sum over runs. One random number decides (systematic sampling): with probabilities added up in the order of ids, the documents at
/// u, u + 1, u + 2, … are drawn, so that each has exactly its probability.
pub(crate) fn proportional(topic: &TopicRankings, size: usize, seed: u64) -> Vec<Drawn> {
    let probabilities = probabilities(&prior(topic), size);
    let start = stream(seed, topic.topic()).unit();
    let mut drawn = Vec::new();
    let mut sum = 0.0f64;
    for (doc, &probability) in probabilities.iter().enumerate() {
        // The number of points at or below a sum s is the floor of s − start, plus 1.
        let before = (sum - start).floor();
        sum += probability;
        if probability >= 1.0 || (sum - start).floor() > before {
            drawn.push(Drawn {
                doc: doc as u32,
                probability,
            });
        }
    }
    drawn.small_sort_by(|a, b| b.probability.total_cmp(&a.probability));
    drawn
}

/// Weights in average precision, by document.
fn prior(topic: &TopicRankings) -> Vec<f64> {
    let longest = topic.runs().iter().map(Vec::len).max().unwrap_or(0);
    let n = longest as f64;
    let mut tails = vec![0.0; longest + 2];
    for rank in (1..=longest).rev() {
        tails[rank] = tails[rank + 1] + 1.0 / rank as f64;
    }
    weights(topic, |rank| (1.0 + tails[rank as usize]) / (2.0 * n))
}

/// Probabilities that add up to `size`, proportional to weights except for those that would exceed 1, which are 1.
fn probabilities(weights: &[f64], size: usize) -> Vec<f64> {
    if size >= weights.len() {
        return vec![1.0; weights.len()];
    }
    let mut certain = vec![false; weights.len()];
    loop {
        let rest: f64 = weights
            .iter()
            .zip(&certain)
            .filter(|(_, is)| !**is)
            .map(|(w, _)| w)
            .sum();
        let left = size - certain.iter().filter(|is| **is).count();
        let scale = left as f64 / rest;
        let mut is_done = true;
        for (weight, certain) in weights.iter().zip(&mut certain) {
            if !*certain && weight * scale >= 1.0 {
                *certain = true;
                is_done = false;
            }
        }
        if is_done {
            let all = weights.iter().zip(&certain);
            return all
                .map(|(w, certain)| if *certain { 1.0 } else { w * scale })
                .collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_example::example;

    #[test]
    fn strata_are_drawn_at_their_rates() {
        let long: Vec<String> = (0..100).map(|n| format!("d{n:03}")).collect();
        let topic = TopicRankings::new("1", &[long], usize::MAX);
        let strata: Strata = "1-10:1, 11-60:0.2, 91-:0.01".parse().unwrap();
        let sample = stratified(&topic, &strata, 7);
        assert_eq!(sample.docs.len(), 70);
        let drawn = |place| {
            let docs = sample.docs.iter();
            docs.filter(|(_, stratum, drawn)| *stratum == place && *drawn)
                .count()
        };
        assert_eq!([drawn(0), drawn(1), drawn(2)], [10, 10, 1]);
        assert_eq!(sample, stratified(&topic, &strata, 7));
        assert_ne!(sample, stratified(&topic, &strata, 8));
    }

    #[test]
    fn every_document_is_drawn_with_its_probability() {
        let topic = example();
        let expected = probabilities(&prior(&topic), 4);
        assert!((expected.iter().sum::<f64>() - 4.0).abs() < 1e-12);
        assert!(expected.iter().all(|p| *p <= 1.0));
        let draws = 20_000;
        let mut counts = vec![0u32; topic.len()];
        for seed in 0..draws {
            let sample = proportional(&topic, 4, seed);
            assert_eq!(sample.len(), 4);
            for drawn in sample {
                counts[drawn.doc as usize] += 1;
                assert_eq!(drawn.probability, expected[drawn.doc as usize]);
            }
        }
        for (count, p) in counts.iter().zip(expected) {
            let error = (p * (1.0 - p) / draws as f64).sqrt();
            let share = f64::from(*count) / draws as f64;
            assert!((share - p).abs() <= 5.0 * error + 1e-9, "{share} not {p}");
        }
    }
}
