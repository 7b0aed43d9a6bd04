//! Closed loops: each client sends a request when its last one is answered.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::load::Load;
use super::measurement::{Measurement, Order, Sample, Samples};
use super::pool::Pool;
use crate::engine::{EngineError, Session};

/// Sends requests with this many clients for a time, and at least every query once.
pub(super) fn closed_loop(
    pool: &Pool<'_>,
    order: &Order<'_>,
    depth: usize,
    clients: usize,
    length: Duration,
) -> Result<Measurement, EngineError> {
    let sessions = (0..clients).map(|_| pool.take());
    let sessions = sessions.collect::<Result<Vec<_>, _>>()?;
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    let end = start + length;
    let mut all = Samples::default();
    std::thread::scope(|scope| {
        let client = |mut session| {
            let next = &next;
            scope.spawn(move || {
                let mut samples = Samples::default();
                while Instant::now() < end || next.load(Ordering::Relaxed) < order.len() {
                    let request = next.fetch_add(1, Ordering::Relaxed);
                    ask(&mut session, order, request, depth, &mut samples);
                }
                (session, samples)
            })
        };
        let workers: Vec<_> = sessions.into_iter().map(client).collect();
        for worker in workers {
            // A panic of an engine is a failure of its requests, not of the benchmark.
            if let Ok((session, samples)) = worker.join() {
                pool.put(session);
                all.merge(samples);
            }
        }
    });
    let load = Load::Closed { clients };
    Ok(Measurement::of(
        load,
        &all,
        order.len(),
        start.elapsed(),
        clients,
    ))
}

pub(super) fn ask(
    session: &mut Box<dyn Session + '_>,
    order: &Order<'_>,
    request: usize,
    depth: usize,
    samples: &mut Samples,
) {
    let (place, query) = order.get(request);
    let sent = Instant::now();
    let answer = session.search(query, depth);
    let service = nanoseconds(sent.elapsed());
    match answer {
        Ok(_) => samples.answered.push(Sample {
            query: place,
            service,
            response: service,
            late: None,
        }),
        Err(error) => samples.failures.push(error),
    }
}

pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
