//! Open loops: requests are sent at planned times, whether or not earlier ones are answered.
//!
//! One client at a time, the leader, waits for the next planned time. When it sends its request, another idle client takes the lead.
//! If none is idle, a new one is started, up to a limit; beyond that, requests wait until a client is free, and this wait is part of
//! their response time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use cranfield_stats::random::Stream;

use super::closed::nanoseconds;
use super::load::{Arrivals, Load};
use super::measurement::{Measurement, Order, Sample, Samples};
use super::pool::Pool;
use crate::engine::{EngineError, Session};

/// Memory for the calls of a client's thread.
const STACK: usize = 1 << 20;

/// Settings of an open loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenLoop {
    pub(super) rate: f64,
    pub(super) arrivals: Arrivals,
    pub(super) length: Duration,
    pub(super) depth: usize,
    /// Most clients.
    pub(super) most: usize,
    pub(super) seed: u64,
    /// Number of the random stream.
    pub(super) stream: u64,
}

impl OpenLoop {
    /// Sends all requests, and waits for their answers.
    pub(super) fn run(
        self,
        pool: &Pool<'_>,
        order: &Order<'_>,
    ) -> Result<Measurement, EngineError> {
        // An engine that does not start is one error, and not one per request.
        pool.put(pool.take()?);
        let stream = &mut Stream::new(self.seed, self.stream);
        let clients = Clients {
            settings: self,
            pool,
            order,
            times: self.arrivals.times(self.rate, self.length, stream),
            start: Instant::now() + Duration::from_millis(20),
            next: Mutex::new(0),
            idle: AtomicUsize::new(0),
            count: AtomicUsize::new(0),
            samples: Mutex::default(),
        };
        std::thread::scope(|scope| clients.add(scope));
        let elapsed = clients.start.elapsed();
        let samples = clients.samples.into_inner();
        let samples = samples.unwrap_or_else(PoisonError::into_inner);
        let load = Load::Open {
            rate: self.rate,
            arrivals: self.arrivals,
        };
        let count = clients.count.into_inner();
        Ok(Measurement::of(load, samples, order.len(), elapsed, count))
    }
}

/// Clients that share planned times.
struct Clients<'a, 'e> {
    settings: OpenLoop,
    pool: &'a Pool<'e>,
    order: &'a Order<'a>,
    times: Vec<Duration>,
    start: Instant,
    /// The next request; locked by the leader while it waits.
    next: Mutex<usize>,
    /// Clients that wait for the lead.
    idle: AtomicUsize,
    /// Clients in all.
    count: AtomicUsize,
    samples: Mutex<Samples>,
}

impl Clients<'_, '_> {
    /// Starts another client, unless there are enough.
    fn add<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let most = self.settings.most.max(1);
        let added = self
            .count
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| {
                (count < most).then_some(count + 1)
            });
        if added.is_err() {
            return;
        }
        let thread = std::thread::Builder::new().stack_size(STACK);
        if thread
            .spawn_scoped(scope, move || self.work(scope))
            .is_err()
        {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn work<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) {
        let Ok(mut session) = self.pool.take() else {
            // The others go on; the first client's session was opened before.
            self.count.fetch_sub(1, Ordering::Relaxed);
            return;
        };
        let mut samples = Samples::default();
        while let Some(turn) = self.wait_for_turn(scope) {
            self.ask(&mut *session, &turn, &mut samples);
        }
        self.pool.put(session);
        let mut all = self.samples.lock().unwrap_or_else(PoisonError::into_inner);
        all.merge(samples);
    }

    /// Waits for the lead, and then for the next planned time. `None` after the last request.
    fn wait_for_turn<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>) -> Option<Turn> {
        let ready = Instant::now();
        self.idle.fetch_add(1, Ordering::Relaxed);
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.idle.fetch_sub(1, Ordering::Relaxed);
        let request = *next;
        let planned = self.start + *self.times.get(request)?;
        if self.idle.load(Ordering::Relaxed) == 0 {
            self.add(scope);
        }
        std::thread::sleep(planned.saturating_duration_since(Instant::now()));
        *next += 1;
        Some(Turn {
            request,
            planned,
            was_free: ready <= planned,
        })
    }

    fn ask(&self, session: &mut dyn Session, turn: &Turn, samples: &mut Samples) {
        let (query, text) = self.order.get(turn.request);
        let sent = Instant::now();
        let answer = session.search(text, self.settings.depth);
        let done = Instant::now();
        let late = sent.saturating_duration_since(turn.planned);
        match answer {
            Ok(_) => samples.answered.push(Sample {
                query,
                service: nanoseconds(done - sent),
                response: nanoseconds(done.saturating_duration_since(turn.planned)),
                late: turn.was_free.then(|| nanoseconds(late)),
            }),
            Err(error) => samples.failures.push(error),
        }
    }
}

/// A request whose time has come.
struct Turn {
    request: usize,
    planned: Instant,
    /// Whether a client waited for it.
    was_free: bool,
}
