//! Latencies in histograms that merge, resample and travel.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};

/// Longest latency that is told apart from longer ones: 60 s, in nanoseconds.
pub const LONGEST: u64 = 60_000_000_000;
/// Significant digits.
const DIGITS: u8 = 3;

/// Latencies from 1 ns to 60 s with three significant digits. Longer ones count as 60 s.
#[derive(Clone, Debug, PartialEq)]
pub struct Latencies(Histogram<u64>);

impl Latencies {
    /// The histogram of these latencies, in nanoseconds.
    pub fn of(nanoseconds: impl IntoIterator<Item = u64>) -> Self {
        let histogram = Histogram::new_with_bounds(1, LONGEST, DIGITS);
        let mut histogram = histogram.unwrap_or_else(|_| unreachable!("the bounds are valid"));
        for latency in nanoseconds {
            histogram.saturating_record(latency.max(1));
        }
        Self(histogram)
    }

    /// Number of latencies.
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The latency that this share of all does not exceed, in seconds.
    pub fn quantile(&self, share: f64) -> f64 {
        in_seconds(self.0.value_at_quantile(share))
    }

    /// The longest latency, in seconds.
    pub fn max(&self) -> f64 {
        in_seconds(self.0.max())
    }

    /// The mean, in seconds.
    pub fn mean(&self) -> f64 {
        self.0.mean() / 1e9
    }

    /// The histogram in HdrHistogram's compressed V2 format, in base64. Its unit is the nanosecond.
    #[allow(clippy::doc_markdown, reason = "a name")]
    pub fn to_base64(&self) -> String {
        let mut bytes = Vec::new();
        let written = V2DeflateSerializer::new().serialize(&self.0, &mut bytes);
        written.map_or_else(|_| String::new(), |_| STANDARD.encode(bytes))
    }
}

fn in_seconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e9
}

/// Histograms of several repetitions, as counts that can be weighted and summed quickly.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    /// Values that occur, ascending, in seconds.
    values: Vec<f64>,
    /// By repetition, by value.
    counts: Vec<Vec<u64>>,
}

impl Merged {
    pub(super) fn of<'a>(all: impl IntoIterator<Item = &'a Latencies>) -> Self {
        let all: Vec<&Latencies> = all.into_iter().collect();
        let recorded = |latencies: &Latencies| -> Vec<(u64, u64)> {
            let values = latencies.0.iter_recorded();
            let pair = |value: hdrhistogram::iterators::IterationValue<u64>| {
                (value.value_iterated_to(), value.count_at_value())
            };
            values.map(pair).collect()
        };
        let recorded: Vec<Vec<(u64, u64)>> = all.into_iter().map(recorded).collect();
        let mut values: Vec<u64> = recorded.iter().flatten().map(|(value, _)| *value).collect();
        values.sort_unstable();
        values.dedup();
        let counts = recorded.iter().map(|pairs| {
            let mut counts = vec![0; values.len()];
            for (value, count) in pairs {
                if let Ok(at) = values.binary_search(value) {
                    counts[at] = *count;
                }
            }
            counts
        });
        Self {
            counts: counts.collect(),
            values: values.iter().copied().map(in_seconds).collect(),
        }
    }

    /// A quantile over these repetitions, which may repeat; `None` if they are empty.
    pub(super) fn quantile(&self, share: f64, repetitions: &[usize]) -> Option<f64> {
        let mut sums = vec![0_u64; self.values.len()];
        for &repetition in repetitions {
            let counts = self.counts.get(repetition)?;
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        let total: u64 = sums.iter().sum();
        let wanted = ((share * total as f64).ceil() as u64).clamp(1, total.max(1));
        let mut seen = 0;
        let at = sums.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        at.map(|at| self.values[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::Deserializer;

    #[test]
    fn values_keep_three_digits_from_a_microsecond_to_a_minute() {
        for nanoseconds in [1_000, 123_456, 1_521_000_000, LONGEST] {
            let found = Latencies::of([nanoseconds]).quantile(0.5) * 1e9;
            let error = (found / nanoseconds as f64 - 1.0).abs();
            assert!(error < 1e-3, "{nanoseconds}: {found}");
        }
        assert!(Latencies::of([10 * LONGEST]).max() < 60.1);
    }

    #[test]
    fn quantiles_of_merged_histograms() {
        let fast = Latencies::of((0..99).map(|_| 1_000_000));
        let slow = Latencies::of([2_000_000_000]);
        let merged = Merged::of([&fast, &slow]);
        let near = |found: Option<f64>, expected: f64| {
            let found = found.expect("there are latencies");
            assert!((found / expected - 1.0).abs() < 2e-3, "{found} {expected}");
        };
        near(merged.quantile(0.99, &[0, 1]), 0.001);
        near(merged.quantile(0.995, &[0, 1]), 2.0);
        near(merged.quantile(0.99, &[0, 1, 1, 1]), 2.0);
        assert_eq!(merged.quantile(0.5, &[]), None);
    }

    #[test]
    fn histograms_travel_in_the_format_of_other_tools() {
        let latencies = Latencies::of([1_000_000, 1_000_000, 5_000_000]);
        let text = latencies.to_base64();
        assert!(text.starts_with("HIST"), "{text}");
        let bytes = STANDARD.decode(text).expect("base64");
        let read: Histogram<u64> = hdrhistogram::serialization::Deserializer::new()
            .deserialize(&mut bytes.as_slice())
            .expect("a histogram");
        assert_eq!(read, latencies.0);
        let _ = Deserializer::new();
    }
}
