//! Repetitions of one engine under one load.

use super::estimate::Estimate;
use super::histogram::{Latencies, Merged};
use super::load::Load;
use super::measurement::Measurement;
use crate::duration::seconds;

/// Shares of requests whose latencies are reported.
pub const QUANTILES: [(&str, f64); 4] =
    [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999)];
/// Largest delay of the load generator, at the 99th percentile, in seconds.
const MOST_LATE: f64 = 0.001;
/// A closed loop hides a stall that takes this share of its time, since it sends nothing meanwhile.
const HIDDEN_SHARE: f64 = 0.01;
/// A stall is this many times as long as the 99th percentile.
const STALL: f64 = 10.0;

/// What a latency begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeKind {
    /// From sending to completion.
    Service,
    /// From the planned time to completion.
    Response,
}

impl TimeKind {
    /// The printed name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Response => "response",
        }
    }
}

/// Latencies of all repetitions.
#[derive(Clone, Debug)]
pub struct LatencySummary {
    /// What they begin with.
    pub kind: TimeKind,
    /// The quantiles of [`QUANTILES`], in seconds.
    pub quantiles: Vec<Estimate>,
    /// The longest, in seconds.
    pub max: f64,
}

/// All repetitions of one engine under one load.
#[derive(Clone, Debug)]
pub struct LoadResult {
    /// The load.
    pub load: Load,
    /// Each repetition.
    pub repetitions: Vec<Measurement>,
    /// Response times of an open loop, and service times.
    pub latencies: Vec<LatencySummary>,
    /// Answered requests per second.
    pub throughput: Option<Estimate>,
    /// CPU seconds per answered request.
    pub cpu: Option<Estimate>,
    /// Joules per answered request, if a counter was readable.
    pub energy: Option<Estimate>,
}

impl LoadResult {
    pub(super) fn new(load: Load, repetitions: Vec<Measurement>, seed: u64) -> Self {
        let count = repetitions.len();
        let response: Option<Vec<&Latencies>> = repetitions
            .iter()
            .map(|one| one.response.as_ref())
            .collect();
        let service: Vec<&Latencies> = repetitions.iter().map(|one| &one.service).collect();
        let response = response.filter(|all| !all.is_empty());
        let mut latencies = Vec::new();
        latencies.extend(response.map(|all| LatencySummary::of(TimeKind::Response, &all, seed)));
        latencies.push(LatencySummary::of(TimeKind::Service, &service, seed));
        let ratio = |amount: fn(&Measurement) -> Option<f64>, per: fn(&Measurement) -> f64| {
            Estimate::over_repetitions(count, seed, |drawn| {
                let chosen = || drawn.iter().map(|at| &repetitions[*at]);
                let amounts: Option<f64> = chosen().map(amount).sum();
                let per: f64 = chosen().map(per).sum();
                amounts.filter(|_| per > 0.0).map(|amount| amount / per)
            })
        };
        Self {
            throughput: ratio(|one| Some(one.requests as f64), |one| one.seconds),
            cpu: ratio(|one| one.cpu, |one| one.requests as f64),
            energy: ratio(|one| one.energy, |one| one.requests as f64),
            load,
            latencies,
            repetitions,
        }
    }

    /// The latency that users of this load see: the response time of an open loop, the service time of a closed one.
    pub fn main_latency(&self) -> Option<&LatencySummary> {
        self.latencies.first()
    }

    /// Requests without an answer.
    pub fn failed(&self) -> usize {
        self.repetitions.iter().map(|one| one.failed).sum()
    }

    /// Answered requests.
    pub fn requests(&self) -> usize {
        self.repetitions.iter().map(|one| one.requests).sum()
    }

    /// Whether the load generator itself was late, which makes an open loop invalid.
    pub fn is_late(&self) -> bool {
        self.lateness().is_some_and(|late| late > MOST_LATE)
    }

    /// The largest delay of the load generator over repetitions, at the 99th percentile, in seconds.
    pub fn lateness(&self) -> Option<f64> {
        let late = self.repetitions.iter().filter_map(|one| one.late);
        late.reduce(f64::max)
    }

    /// Repetitions of a closed loop that hide a stall: a request took so long that requests of users would have waited behind it,
    /// enough of them to change the 99th percentile, but a closed loop sent none.
    pub fn hidden_stalls(&self) -> usize {
        let hides = |one: &&Measurement| {
            let (p99, max) = (one.service.quantile(0.99), one.service.max());
            max > STALL * p99 && max > HIDDEN_SHARE * one.seconds
        };
        match self.load {
            Load::Closed { .. } => self.repetitions.iter().filter(hides).count(),
            Load::Open { .. } => 0,
        }
    }

    /// Warnings, as sentences.
    pub(super) fn warnings(&self, engine: &str) -> Vec<String> {
        let load = self.load;
        let mut found = Vec::new();
        if self.hidden_stalls() > 0 {
            let service = self.latencies.last();
            let max = service.map_or(0.0, |service| service.max);
            let p99 = service.and_then(|service| Some(service.quantiles.get(2)?.value));
            found.push(format!(
                "{engine}, {load}: hides a stall. One request took {}, and p99 is {}: a closed loop sends nothing while it waits, so the requests that would have waited are missing. Measure an open loop",
                seconds(max),
                seconds(p99.unwrap_or(0.0)),
            ));
        }
        if let Some(late) = self.lateness().filter(|_| self.is_late()) {
            found.push(format!(
                "{engine}, {load}: invalid. The load generator was {} late at p99, more than {}; use a lower rate or another machine for the engine",
                seconds(late),
                seconds(MOST_LATE),
            ));
        }
        let waited: usize = self.repetitions.iter().map(|one| one.waited).sum();
        if waited > 0 {
            let clients = self.repetitions.iter().map(|one| one.clients).max();
            found.push(format!(
                "{engine}, {load}: {waited} of {} requests waited because all {} clients were busy",
                self.requests(),
                clients.unwrap_or(0),
            ));
        }
        if self.failed() > 0 {
            let all = self.failed() + self.requests();
            let failure = self.repetitions.iter().find_map(|one| one.failure.as_ref());
            let failure = failure.map_or("", String::as_str);
            found.push(format!(
                "{engine}, {load}: {} of {all} requests failed and are not in the times; the first: {failure}",
                self.failed(),
            ));
        }
        found
    }
}

impl LatencySummary {
    fn of(kind: TimeKind, all: &[&Latencies], seed: u64) -> Self {
        let merged = Merged::of(all.iter().copied());
        let quantiles = QUANTILES.iter().filter_map(|(_, share)| {
            Estimate::over_repetitions(all.len(), seed, |drawn| merged.quantile(*share, drawn))
        });
        let max = all.iter().map(|latencies| latencies.max());
        Self {
            kind,
            quantiles: quantiles.collect(),
            max: max.fold(0.0, f64::max),
        }
    }

    /// The median.
    pub fn median(&self) -> Option<Estimate> {
        self.quantiles.first().copied()
    }
}
