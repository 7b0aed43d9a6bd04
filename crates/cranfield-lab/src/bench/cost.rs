//! What a piece of work costs: time, memory, bytes written, energy.

use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::machine::{
    bytes_written, energy, own_cpu_time, peak_memory, peak_memory_of_children, reset_peak_memory,
};

/// The cost of a piece of work. What the system does not report is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Wall-clock time in seconds.
    pub seconds: f64,
    /// CPU time in seconds, with child processes.
    pub cpu: Option<f64>,
    /// Largest resident memory in bytes, of this process or of its largest child.
    pub peak_memory: Option<u64>,
    /// Bytes written to disks.
    pub written: Option<u64>,
    /// Joules, if a counter was readable.
    pub energy: Option<f64>,
}

impl Cost {
    /// Does a piece of work and measures it.
    ///
    /// The peak memory of the process before the call does not count where the system can reset it, as Linux can.
    ///
    /// # Errors
    /// If the work fails.
    pub fn of<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(T, Self), E> {
        let is_reset = reset_peak_memory();
        let before = (own_cpu_time(true), bytes_written(), energy());
        let children = peak_memory_of_children();
        let start = Instant::now();
        let result = work()?;
        let seconds = start.elapsed().as_secs_f64();
        let cpu = own_cpu_time(true).zip(before.0);
        let written = bytes_written().zip(before.1);
        let joules = energy().zip(before.2).map(|(after, before)| after - before);
        // The largest child so far is one of this call only if it is larger than those before.
        let child = peak_memory_of_children().filter(|peak| Some(*peak) > children);
        let cost = Self {
            seconds,
            cpu: cpu.map(|(after, before)| after.saturating_sub(before).as_secs_f64()),
            peak_memory: peak_memory().filter(|_| is_reset).max(child),
            written: written.map(|(after, before)| after.saturating_sub(before)),
            energy: joules.filter(|joules| *joules >= 0.0),
        };
        Ok((result, cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::time::Duration;

    #[cfg(target_os = "linux")]
    #[test]
    fn costs_are_those_of_the_call() {
        let work = || -> Result<usize, ()> {
            let pages = vec![1_u8; 64 << 20];
            std::thread::sleep(Duration::from_millis(50));
            Ok(black_box(&pages).len())
        };
        let (length, cost) = Cost::of(work).expect("the work does not fail");
        assert_eq!(length, 64 << 20);
        assert!(cost.seconds >= 0.05);
        assert!(cost.cpu.is_some_and(|cpu| cpu > 0.0));
        let peak = cost.peak_memory.expect("Linux resets the peak");
        assert!(peak > 64 << 20, "{peak}");
    }

    #[test]
    fn failures_are_passed_on() {
        assert_eq!(Cost::of(|| Err::<(), _>("full")), Err("full"));
    }
}
