//! Estimates with intervals, by resampling repetitions and topics.

use cranfield_stats::bootstrap::{Method, interval};
use cranfield_stats::random::Stream;
use serde::Serialize;

use super::measurement::median;

/// Replicates of the bootstrap.
const REPLICATES: usize = 1000;
/// Confidence level of intervals.
pub const LEVEL: f64 = 0.95;

/// A number with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Limits of its 95 % interval; `None` for a single repetition.
    pub interval: Option<[f64; 2]>,
}

impl Estimate {
    /// The interval of a statistic of repetitions.
    pub(super) fn over_repetitions(
        repetitions: usize,
        seed: u64,
        statistic: impl Fn(&[usize]) -> Option<f64>,
    ) -> Option<Self> {
        let all: Vec<usize> = (0..repetitions).collect();
        let value = statistic(&all)?;
        let mut stream = Stream::new(seed, u64::MAX);
        let replicate = |_| statistic(&drawn(repetitions, &mut stream));
        let replicates: Vec<f64> = (0..REPLICATES).filter_map(replicate).collect();
        Some(Self::of(value, &replicates, repetitions))
    }

    fn of(value: f64, replicates: &[f64], repetitions: usize) -> Self {
        let found = interval(value, replicates, &[], Method::Percentile, LEVEL);
        let found = found.ok().flatten().filter(|_| repetitions > 1);
        Self {
            value,
            interval: found.map(|found| [found.low, found.high]),
        }
    }
}

/// Indexes drawn with replacement.
fn drawn(count: usize, stream: &mut Stream) -> Vec<usize> {
    (0..count).map(|_| stream.index(count as u32)).collect()
}

/// Times of one engine: by repetition, by topic.
pub(super) type Times<'a> = [&'a [Option<f64>]];

/// How many times as fast the first engine is as the second at the median topic: the median over topics of the ratio of their
/// times. Topics are paired; repetitions and topics are resampled.
pub(super) fn speed_ratio(first: &Times<'_>, second: &Times<'_>, seed: u64) -> Option<Estimate> {
    let topics = first.iter().chain(second).map(|times| times.len()).min()?;
    let every = |count: usize| (0..count).collect::<Vec<usize>>();
    let value = ratio(
        (first, &every(first.len())),
        (second, &every(second.len())),
        &every(topics),
    )?;
    let mut stream = Stream::new(seed, u64::MAX - 1);
    let replicate = |_| {
        let one = drawn(first.len(), &mut stream);
        let other = drawn(second.len(), &mut stream);
        let topics = drawn(topics, &mut stream);
        ratio((first, &one), (second, &other), &topics)
    };
    let replicates: Vec<f64> = (0..REPLICATES).filter_map(replicate).collect();
    let repetitions = first.len().min(second.len());
    Some(Estimate::of(value, &replicates, repetitions))
}

fn ratio(
    (first, one): (&Times<'_>, &[usize]),
    (second, other): (&Times<'_>, &[usize]),
    topics: &[usize],
) -> Option<f64> {
    let time = |times: &Times<'_>, repetitions: &[usize], topic: usize| {
        let all = repetitions.iter().filter_map(|at| times[*at][topic]);
        median(&all.collect::<Vec<f64>>())
    };
    let ratios = topics.iter().filter_map(|topic| {
        let ratio = time(second, other, *topic)? / time(first, one, *topic)?;
        Some(ratio).filter(|ratio| ratio.is_finite())
    });
    median(&ratios.collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_paired_by_topic() {
        // Topics differ by a factor of 1000, but the second engine takes twice as long for each.
        let times = |factor: f64| -> Vec<Vec<Option<f64>>> {
            let topic = |at: i32| Some(factor * 10_f64.powi(at % 4));
            vec![(0..20).map(topic).collect(); 5]
        };
        let (one, two) = (times(1.0), times(2.0));
        let first: Vec<&[Option<f64>]> = one.iter().map(Vec::as_slice).collect();
        let second: Vec<&[Option<f64>]> = two.iter().map(Vec::as_slice).collect();
        let found = speed_ratio(&first, &second, 1).expect("all topics have times");
        assert_eq!((found.value, found.interval), (2.0, Some([2.0, 2.0])));
        let back = speed_ratio(&second, &first, 1).expect("all topics have times");
        assert_eq!(back.value, 0.5);
    }

    #[test]
    fn one_repetition_has_no_interval() {
        let found = Estimate::over_repetitions(1, 1, |_| Some(3.0));
        let expected = Estimate {
            value: 3.0,
            interval: None,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(Estimate::over_repetitions(3, 1, |_| None), None);
    }

    /// The standard error of the mean of 0, 1, ..., 9 is sqrt(8.25 / 10) = 0.908, so that the interval is near 4.5 ± 1.78.
    #[test]
    fn intervals_are_as_wide_as_repetitions_vary() {
        let mean = |drawn: &[usize]| Some(drawn.iter().sum::<usize>() as f64 / drawn.len() as f64);
        let found = Estimate::over_repetitions(10, 7, mean).expect("a mean");
        let [low, high] = found.interval.expect("an interval");
        assert!(
            (low - 2.72).abs() < 0.25 && (high - 6.28).abs() < 0.25,
            "{low} {high}"
        );
    }
}
