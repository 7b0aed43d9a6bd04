//! Requests of one repetition under one load.

use std::time::Duration;

use cranfield_stats::random::Stream;

use super::histogram::Latencies;
use super::load::Load;
use crate::engine::{EngineError, Query};

/// Queries in the order in which a repetition sends them, again and again.
pub(super) struct Order<'q> {
    queries: &'q [Query],
    places: Vec<usize>,
}

impl<'q> Order<'q> {
    /// The order of a repetition, which is the same for every engine.
    pub(super) fn shuffled(queries: &'q [Query], seed: u64, repetition: usize) -> Self {
        let mut places: Vec<usize> = (0..queries.len()).collect();
        let mut stream = Stream::new(seed, repetition as u64);
        for last in (1..places.len()).rev() {
            places.swap(last, stream.index(last as u32 + 1));
        }
        Self { queries, places }
    }

    /// Number of queries.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The place of the query of a request in the list of queries, and the query.
    pub(super) fn get(&self, request: usize) -> (usize, &'q Query) {
        let place = self.places[request % self.places.len()];
        (place, &self.queries[place])
    }
}

/// The times of one request, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Place of the query.
    pub(super) query: usize,
    /// From sending to completion.
    pub(super) service: u64,
    /// From the planned time to completion.
    pub(super) response: u64,
    /// From the planned time to sending, if a client was free.
    pub(super) late: Option<u64>,
}

/// Samples of one client.
#[derive(Debug, Default)]
pub(super) struct Samples {
    pub(super) answered: Vec<Sample>,
    pub(super) failures: Vec<EngineError>,
}

impl Samples {
    pub(super) fn merge(&mut self, other: Self) {
        self.answered.extend(other.answered);
        self.failures.extend(other.failures);
    }
}

/// The result of one repetition under one load.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Answered requests.
    pub requests: usize,
    /// Requests without an answer.
    pub failed: usize,
    /// The first failure.
    pub failure: Option<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// Times from sending to completion.
    pub service: Latencies,
    /// Times from the planned time to completion; open loops only.
    pub response: Option<Latencies>,
    /// Requests that waited because every client was busy; open loops only.
    pub waited: usize,
    /// 99th percentile of the delay between the planned time and sending where a client was free, in seconds; open loops only.
    pub late: Option<f64>,
    /// Clients that were used.
    pub clients: usize,
    /// CPU time of the engine in seconds.
    pub cpu: Option<f64>,
    /// Bytes read from disks; cold engines only.
    pub read: Option<u64>,
    /// Energy in joules.
    pub energy: Option<f64>,
    /// Median time of each query in seconds: response times in an open loop, service times in a closed one.
    pub by_query: Vec<Option<f64>>,
}

impl Measurement {
    pub(super) fn of(
        load: Load,
        samples: &Samples,
        queries: usize,
        elapsed: Duration,
        clients: usize,
    ) -> Self {
        let answered = &samples.answered;
        let is_open = matches!(load, Load::Open { .. });
        let late: Vec<u64> = answered.iter().filter_map(|sample| sample.late).collect();
        let waited = answered.len() - late.len();
        let late = Latencies::of(late);
        let response = || Latencies::of(answered.iter().map(|sample| sample.response));
        Self {
            requests: answered.len(),
            failed: samples.failures.len(),
            failure: samples.failures.first().map(ToString::to_string),
            seconds: elapsed.as_secs_f64(),
            service: Latencies::of(answered.iter().map(|sample| sample.service)),
            response: is_open.then(response),
            waited: if is_open { waited } else { 0 },
            late: (is_open && !late.is_empty()).then(|| late.quantile(0.99)),
            clients,
            cpu: None,
            read: None,
            energy: None,
            by_query: by_query(answered, queries, is_open),
        }
    }
}

/// The median time of each query, in seconds.
fn by_query(samples: &[Sample], queries: usize, is_open: bool) -> Vec<Option<f64>> {
    let mut times = vec![Vec::new(); queries];
    for sample in samples {
        let time = if is_open {
            sample.response
        } else {
            sample.service
        };
        times[sample.query].push(time as f64 / 1e9);
    }
    times.into_iter().map(|times| median(&times)).collect()
}

/// The median; `None` of no numbers.
pub(super) fn median(numbers: &[f64]) -> Option<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        count if count % 2 == 1 => Some(sorted[middle]),
        _ => Some(0.5 * (sorted[middle - 1] + sorted[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_has_its_turn_in_every_pass() {
        let queries: Vec<Query> = (0..50)
            .map(|at| Query {
                topic: at.to_string(),
                text: String::new(),
            })
            .collect();
        let pass = |repetition| -> Vec<usize> {
            let order = Order::shuffled(&queries, 1, repetition);
            (50..100).map(|request| order.get(request).0).collect()
        };
        let mut sorted = pass(0);
        assert_ne!(sorted, pass(1));
        assert_eq!(sorted, pass(0));
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..50));
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }
}
