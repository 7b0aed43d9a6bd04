//! Growth of a pool: relevant documents found as the pool gets deeper.

use std::fmt;

use cranfield_core::qrels::Qrels;
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::random::Stream;

use super::{Estimate, MissingSettings};
use crate::rankings::Rankings;
use crate::tables::count;

/// Fewest depths with new relevant documents for an extrapolation.
pub(super) const FEWEST_POINTS: usize = 10;

/// Relevant documents by depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// Judged topics, in ascending order of their ids.
    pub topics: Vec<Box<[u8]>>,
    /// Relevant documents found down to each depth from 1, by topic.
    pub by_topic: Vec<Vec<usize>>,
    /// Documents in the pool of each depth, over all topics.
    pub documents: Vec<usize>,
    /// Those of them that are judged.
    pub judged: Vec<usize>,
    /// The extrapolation; `None` with too few points.
    pub extrapolation: Option<Extrapolation>,
}

/// A decline that is continued beyond the depth of the pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extrapolation {
    /// The fitted decline.
    pub decline: Decline,
    /// The depth that it is continued to.
    pub to: usize,
    /// Relevant documents down to this depth, with a percentile interval over resampled topics.
    pub estimate: Estimate,
}

/// New relevant documents at rank k: A · k^−B (Zobel 1998).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decline {
    /// New relevant documents at rank 1.
    pub a: f64,
    /// How fast they decline.
    pub b: f64,
}

impl fmt::Display for Decline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "new relevant documents at rank k: {:.4} k^-{:.4}",
            self.a, self.b
        )
    }
}

impl Decline {
    /// The most likely decline of counts, if each is a draw of a Poisson distribution with mean A · k^−B. `None` if all are 0.
    ///
    /// For a given B, A = Σ n / Σ k^−B. B makes the mean of ln k, weighted by k^−B, that of the counts, and is found by Newton's method with bisection.
    ///
    /// ```
    /// use cranfield_pool::missing::Decline;
    ///
    /// let counts: Vec<f64> = (1..=50).map(|k| 80.0 * f64::from(k).powf(-0.7)).collect();
    /// let decline = Decline::fit(&counts).unwrap();
    /// assert!((decline.a - 80.0).abs() < 1e-6 && (decline.b - 0.7).abs() < 1e-8);
    /// ```
    pub fn fit(counts: &[f64]) -> Option<Self> {
        let all: f64 = counts.iter().sum();
        if all <= 0.0 {
            return None;
        }
        let logs: Vec<f64> = (1..=counts.len()).map(|k| (k as f64).ln()).collect();
        let target = counts
            .iter()
            .zip(&logs)
            .map(|(n, log)| n * log)
            .sum::<f64>()
            / all;
        // Sums of k^−B, and of these times ln k and its square.
        let sums = |b: f64| {
            let mut sums = [0.0; 3];
            for log in &logs {
                let weight = (-b * log).exp();
                sums[0] += weight;
                sums[1] += weight * log;
                sums[2] += weight * log * log;
            }
            sums
        };
        let (mut low, mut high) = (-20.0, 60.0);
        let mut b = 1.0;
        for _ in 0..100 {
            let [weights, logs, squares] = sums(b);
            let mean = logs / weights;
            if mean > target {
                low = b;
            } else {
                high = b;
            }
            // The mean falls with B as fast as the variance of ln k.
            let variance = squares / weights - mean * mean;
            let newton = b + (mean - target) / variance;
            let next = if newton > low && newton < high {
                newton
            } else {
                f64::midpoint(low, high)
            };
            let is_found = (next - b).abs() <= 1e-13 * b.abs().max(1.0);
            b = next;
            if is_found {
                break;
            }
        }
        Some(Self {
            a: all / sums(b)[0],
            b,
        })
    }

    /// Relevant documents at ranks after `from` up to `to`.
    pub fn beyond(&self, from: usize, to: usize) -> f64 {
        let ranks = from + 1..=to;
        ranks.map(|k| self.a * (k as f64).powf(-self.b)).sum()
    }
}

impl Growth {
    /// Counts relevant documents by depth.
    pub fn new(rankings: &Rankings, qrels: &Qrels, settings: &MissingSettings) -> Self {
        let depth = rankings
            .topics
            .iter()
            .flat_map(|topic| topic.runs().iter().map(Vec::len));
        let depth = depth.max().unwrap_or(0);
        let mut growth = Self {
            topics: Vec::new(),
            by_topic: Vec::new(),
            documents: vec![0; depth],
            judged: vec![0; depth],
            extrapolation: None,
        };
        for topic in &rankings.topics {
            let Some(judged) = qrels.get(topic.topic()) else {
                continue;
            };
            let mut found = vec![0; depth];
            for (doc, (best, _)) in topic.places().into_iter().enumerate() {
                growth.documents[best - 1] += 1;
                let grade = judged.grade(topic.doc(doc as u32));
                growth.judged[best - 1] += usize::from(grade.is_some());
                let is_relevant = grade.is_some_and(|grade| grade >= settings.level);
                found[best - 1] += usize::from(is_relevant);
            }
            add_up(&mut found);
            growth.topics.push(topic.topic().into());
            growth.by_topic.push(found);
        }
        add_up(&mut growth.documents);
        add_up(&mut growth.judged);
        growth.extrapolation = growth.extrapolate(settings);
        growth
    }

    /// Relevant documents found down to each depth, over all topics.
    pub fn found(&self) -> Vec<usize> {
        let sum = |at: usize| self.by_topic.iter().map(|found| found[at]).sum();
        (0..self.documents.len()).map(sum).collect()
    }

    fn extrapolate(&self, settings: &MissingSettings) -> Option<Extrapolation> {
        let all: Vec<usize> = (0..self.topics.len()).collect();
        let points = self.new_at_ranks(&all);
        if points.iter().filter(|new| **new > 0.0).count() < FEWEST_POINTS {
            return None;
        }
        let decline = Decline::fit(&points)?;
        let (depth, to) = (points.len(), settings.to);
        let total = |topics: &[usize]| {
            let points = self.new_at_ranks(topics);
            let decline = Decline::fit(&points)?;
            Some(points.iter().sum::<f64>() + decline.beyond(depth, to))
        };
        let found: f64 = points.iter().sum();
        let mut totals: Vec<f64> = (0..settings.replicates)
            .filter_map(|replicate| {
                let mut stream = Stream::new(settings.seed, replicate as u64);
                let count = all.len() as u32;
                let drawn: Vec<usize> = all.iter().map(|_| stream.index(count)).collect();
                total(&drawn)
            })
            .collect();
        totals.sort_unstable_by(f64::total_cmp);
        let at = |p: f64| {
            totals
                .get(((totals.len() as f64 - 1.0) * p).round() as usize)
                .copied()
        };
        Some(Extrapolation {
            decline,
            to: to.max(depth),
            estimate: Estimate {
                found,
                total: found + decline.beyond(depth, to),
                error: None,
                interval: at(0.025).zip(at(0.975)),
            },
        })
    }

    /// New relevant documents at each rank, over some topics.
    fn new_at_ranks(&self, topics: &[usize]) -> Vec<f64> {
        let mut new = vec![0.0; self.documents.len()];
        for topic in topics {
            let mut before = 0;
            for (new, found) in new.iter_mut().zip(&self.by_topic[*topic]) {
                *new += (found - before) as f64;
                before = *found;
            }
        }
        new
    }

    /// Depths that tables show: 1, 2, 5, 10, 20, 50 and so on, and the last one.
    pub(super) fn shown(&self) -> Vec<usize> {
        let depth = self.documents.len();
        let steps = (0..).map(|n: u32| [1, 2, 5][n as usize % 3] * 10usize.pow(n / 3));
        let mut shown: Vec<usize> = steps.take_while(|step| *step < depth).collect();
        shown.extend((depth > 0).then_some(depth));
        shown
    }

    pub(super) fn table(&self) -> Table {
        let columns = ["documents", "judged", "relevant", "new per judged"].map(Column::number);
        let mut table = Table::new([Column::text("depth")].into_iter().chain(columns));
        let found = self.found();
        let mut before = (0, 0);
        for depth in self.shown() {
            let (judged, relevant) = (self.judged[depth - 1], found[depth - 1]);
            let new = judged - before.0;
            let share = (relevant - before.1) as f64 / new.max(1) as f64;
            table.push([
                Cell::text(depth.to_string()),
                count(self.documents[depth - 1]),
                count(judged),
                count(relevant),
                Cell::Real(share),
            ]);
            before = (judged, relevant);
        }
        table
    }
}

fn add_up(counts: &mut [usize]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TopicRankings;
    use crate::missing::simulation::{Simulated, simulate};

    #[test]
    fn relevant_documents_by_depth() {
        let topic = TopicRankings::new("1", &[vec!["a", "b", "c"], vec!["d", "a", "e"]], 100);
        let rankings = Rankings {
            names: vec!["A".into(), "B".into()],
            topics: vec![topic],
        };
        let qrels = Qrels::from_judgements([("1", "a", 1.0), ("1", "e", 2.0), ("1", "x", 1.0)]);
        let growth = Growth::new(&rankings, &qrels, &MissingSettings::default());
        assert_eq!(growth.found(), [1, 1, 2]);
        assert_eq!(growth.documents, [2, 3, 5]);
        assert_eq!(growth.judged, [1, 1, 2]);
        // Two points are too few.
        assert_eq!(growth.extrapolation, None);
    }

    #[test]
    fn no_relevant_documents_have_no_decline() {
        assert_eq!(Decline::fit(&[0.0; 20]), None);
        assert_eq!(Decline::fit(&[]), None);
        let flat = Decline::fit(&[3.0; 20]).unwrap();
        assert!((flat.a - 3.0).abs() < 1e-9 && flat.b.abs() < 1e-9);
        assert!((flat.beyond(20, 30) - 30.0).abs() < 1e-6);
    }

    /// A Poisson number.
    fn poisson(stream: &mut Stream, mean: f64) -> usize {
        let (mut count, mut left) = (0, mean - stream.exponential());
        while left > 0.0 {
            count += 1;
            left -= stream.exponential();
        }
        count
    }

    /// Pools whose new relevant documents follow the law, A · k^−B for each topic, with A drawn for each topic: the total down to
    /// `to` that is extrapolated from the first `depth` ranks, against the total of these topics, and against the mean of such topics.
    fn simulated(b: f64, depth: usize, to: usize) -> ([Simulated; 2], f64) {
        const TOPICS: usize = 50;
        // The mean of A is 2.
        let powers: Vec<f64> = (1..=to).map(|k| (k as f64).powf(-b)).collect();
        let mean = 2.0 * TOPICS as f64 * powers.iter().sum::<f64>();
        let found = simulate(42, |stream| {
            let mut total = 0;
            let by_topic = (0..TOPICS).map(|_| {
                let a = 2.0 * stream.exponential();
                let new: Vec<usize> = powers
                    .iter()
                    .map(|power| poisson(stream, a * power))
                    .collect();
                total += new.iter().sum::<usize>();
                let mut found = new[..depth].to_vec();
                add_up(&mut found);
                found
            });
            let growth = Growth {
                by_topic: by_topic.collect(),
                topics: vec![Box::default(); TOPICS],
                documents: vec![0; depth],
                judged: vec![0; depth],
                extrapolation: None,
            };
            let settings = MissingSettings {
                to,
                replicates: 200,
                ..MissingSettings::default()
            };
            let found = growth.extrapolate(&settings).unwrap();
            (found.estimate, [total as f64, mean])
        });
        (found, mean)
    }

    /// The extrapolated total is not unbiased, because it is not linear in the counts, but its bias is below 0.5 %. The band is that of the
    /// mean of topics such as these, and a little narrow, as those of percentile bootstraps are. It is too wide for these topics themselves,
    /// whose differences are known.
    #[test]
    fn extrapolated_totals_of_simulated_pools() {
        for (b, depth, to) in [(0.8, 50, 200), (1.0, 30, 100), (1.2, 50, 1000)] {
            let ([of_topics, of_mean], mean) = simulated(b, depth, to);
            assert!(of_topics.bias.abs() < 0.005 * mean, "{b}: {of_topics:?}");
            assert!(of_topics.covered >= 990, "{b}: {of_topics:?}");
            assert!((900..=970).contains(&of_mean.covered), "{b}: {of_mean:?}");
        }
    }
}
