//! Cold passes: every query once, while none of the index is in memory.

use std::time::{Duration, Instant};

use super::closed::ask;
use super::load::Load;
use super::machine::{bytes_read, own_cpu_time};
use super::measurement::{Measurement, Order, Samples};
use crate::engine::{Engine, EngineError};

/// Does passes over all queries for a time, and at least one, each with a new session. Opening a session is not part of the times.
pub(super) fn cold_passes(
    engine: &dyn Engine,
    order: &Order<'_>,
    depth: usize,
    length: Duration,
) -> Result<Measurement, EngineError> {
    let end = Instant::now() + length;
    let mut all = Samples::default();
    let (mut elapsed, mut cpu) = (Duration::ZERO, Some(Duration::ZERO));
    let mut read = Some(0);
    let mut next = 0;
    while next == 0 || Instant::now() < end {
        let mut session = engine.session()?;
        let before = (own_cpu_time(false), bytes_read());
        let start = Instant::now();
        for request in next..next + order.len() {
            ask(&mut session, order, request, depth, &mut all);
        }
        elapsed += start.elapsed();
        let spent = own_cpu_time(false).zip(before.0);
        let spent = spent.map(|(after, before)| after.saturating_sub(before));
        cpu = cpu.zip(spent).map(|(cpu, spent)| cpu + spent);
        let from_disk = bytes_read().zip(before.1);
        let from_disk = from_disk.map(|(after, before)| after.saturating_sub(before));
        read = read.zip(from_disk).map(|(read, more)| read + more);
        next += order.len();
    }
    let load = Load::Closed { clients: 1 };
    let mut measured = Measurement::of(load, &all, order.len(), elapsed, 1);
    measured.cpu = cpu.map(|cpu| cpu.as_secs_f64());
    measured.read = read;
    Ok(measured)
}
