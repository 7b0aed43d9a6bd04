//! A server with one stall, whose latencies are known exactly.
//!
//! The server answers one request after the other, each in 1 ms, and does nothing for a while, once. With a request every 5 ms, the
//! k-th request after the start of a stall of S ms is answered after S + (k + 1) ms, and so waits S + 1 - 4 k ms.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::bench::Measurement;
use crate::bench::closed::closed_loop;
use crate::bench::load::{Arrivals, Load};
use crate::bench::measurement::Order;
use crate::bench::open::OpenLoop;
use crate::bench::pool::Pool;
use crate::bench::summary::LoadResult;
use crate::engine::{Engine, EngineError, Hit, Query, Session};

const SERVICE: Duration = Duration::from_millis(1);
const RATE: f64 = 200.0;

/// A server with one queue.
struct Stalling {
    /// Start of the stall, after the first request.
    stall_at: Duration,
    stall: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    start: Option<Instant>,
    free: Option<Instant>,
}

impl Stalling {
    /// The stall of the golden case, with all of its times divided by `scale`.
    fn scaled(scale: u32) -> Self {
        Self {
            stall_at: Duration::from_secs(20) / scale,
            stall: Duration::from_secs(2) / scale,
            state: Mutex::default(),
        }
    }

    /// When a request that arrives now is answered.
    fn completion(&self) -> Instant {
        let mut state = self.state.lock().expect("no panic");
        let now = Instant::now();
        let start = *state.start.get_or_insert(now);
        let stall = start + self.stall_at..start + self.stall_at + self.stall;
        let mut begin = state.free.map_or(now, |free| free.max(now));
        if stall.contains(&begin) {
            begin = stall.end;
        }
        let done = begin + SERVICE;
        state.free = Some(done);
        done
    }
}

impl Engine for Stalling {
    fn name(&self) -> &'static str {
        "stalling"
    }

    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        Ok(Box::new(Client(self)))
    }
}

struct Client<'a>(&'a Stalling);

impl Session for Client<'_> {
    fn search(&mut self, _: &Query, _: usize) -> Result<Vec<Hit>, EngineError> {
        let done = self.0.completion();
        std::thread::sleep(done.saturating_duration_since(Instant::now()));
        Ok(Vec::new())
    }
}

fn queries() -> Vec<Query> {
    let query = |at: u32| Query {
        topic: at.to_string(),
        text: String::new(),
    };
    (0..10).map(query).collect()
}

fn open(scale: u32) -> LoadResult {
    let engine = Stalling::scaled(scale);
    let settings = OpenLoop {
        rate: RATE,
        arrivals: Arrivals::Even,
        length: Duration::from_mins(1) / scale,
        depth: 10,
        most: 1024,
        seed: 1,
        stream: 1,
    };
    let queries = queries();
    let order = Order::shuffled(&queries, 1, 0);
    let measured = settings.run(&Pool::new(&engine), &order);
    let (rate, arrivals) = (RATE, Arrivals::Even);
    of(Load::Open { rate, arrivals }, measured)
}

fn closed(scale: u32) -> LoadResult {
    let engine = Stalling::scaled(scale);
    let queries = queries();
    let order = Order::shuffled(&queries, 1, 0);
    let length = Duration::from_mins(1) / scale;
    let measured = closed_loop(&Pool::new(&engine), &order, 10, 1, length);
    of(Load::Closed { clients: 1 }, measured)
}

fn of(load: Load, measured: Result<Measurement, EngineError>) -> LoadResult {
    let measured = measured.expect("the engine does not fail");
    LoadResult::new(load, vec![measured], 1)
}

/// Quantiles and the maximum, in seconds.
fn quantiles(result: &LoadResult) -> Vec<f64> {
    let latency = result.main_latency().expect("latencies");
    let values = latency.quantiles.iter().map(|estimate| estimate.value);
    values.chain([latency.max]).collect()
}

/// Runs an open loop until the load generator is on time, which depends on what else the machine does.
fn open_on_time(scale: u32) -> LoadResult {
    let mut result = open(scale);
    for _ in 0..4 {
        if !result.is_late() {
            break;
        }
        result = open(scale);
    }
    result
}

#[track_caller]
fn check_near(found: f64, expected: f64) {
    assert!(
        (found / expected - 1.0).abs() < 0.05,
        "found {found}, expected {expected}"
    );
}

/// By how much all times are divided. `CRANFIELD_STALL=full` measures the golden case itself, which takes two minutes.
fn scale() -> u32 {
    match std::env::var("CRANFIELD_STALL").as_deref() {
        Ok("full") => 1,
        _ => 10,
    }
}

/// Figures for the one who runs the tests with `--nocapture`.
#[expect(clippy::print_stdout, reason = "shown on request")]
fn show(what: &str, result: &LoadResult) {
    println!(
        "{what}: {} requests, p50 p95 p99 p99.9 max {:?} s, late {:?} s",
        result.requests(),
        quantiles(result),
        result.lateness()
    );
}

/// With a request every 5 ms for a minute, 120 of 12,000 requests wait longer than the 99th percentile, which is 2001 - 480 ms.
#[test]
fn an_open_loop_sees_a_stall() {
    let scale = scale();
    let result = open_on_time(scale);
    show("open", &result);
    let requests = 12_000 / scale as usize;
    assert_eq!((result.requests(), result.failed()), (requests, 0));
    let found = quantiles(&result);
    let scaled = |seconds: f64| seconds / f64::from(scale) + SERVICE.as_secs_f64();
    check_near(found[2], scaled(1.52));
    check_near(found[3], scaled(1.952));
    check_near(found[4], scaled(2.0));
    assert!(found[0] < 0.005, "{found:?}");
    let clients = result.repetitions[0].clients;
    assert!((35..600).contains(&clients), "{clients} clients");
    assert_eq!(result.hidden_stalls(), 0);
}

#[test]
fn a_closed_loop_hides_a_stall_and_says_so() {
    let scale = scale();
    let result = closed(scale);
    show("closed", &result);
    let found = quantiles(&result);
    assert!(found[2] < 0.005, "{found:?}");
    check_near(found[4], 2.0 / f64::from(scale));
    assert_eq!(result.hidden_stalls(), 1);
    let warnings = result.warnings("stalling");
    assert!(warnings[0].contains("hides a stall"), "{warnings:?}");
}
