//! The cost of building an index.

use std::time::Instant;

use cranfield_render::{Cell, Column, Content, Records, Render, Table};
use serde::Serialize;
use serde_json::Value;

use super::machine::{
    bytes_written, own_cpu_time, peak_memory, peak_memory_of_children, reset_peak_memory,
};
use crate::duration::{seconds, significant};

/// What an index was built of, and what came out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Indexed {
    /// Documents.
    pub documents: u64,
    /// Bytes of text given to the analyser.
    pub text_bytes: u64,
    /// Bytes of the input files, which may be compressed.
    pub input_bytes: Option<u64>,
    /// Bytes of the index.
    pub index_bytes: u64,
    /// Postings: pairs of a term and a document.
    pub postings: Option<u64>,
    /// Segments before merging.
    pub segments_before: Option<usize>,
    /// Segments after merging.
    pub segments: Option<usize>,
    /// Whether positions of terms are stored.
    pub positions: bool,
    /// Whether texts are stored.
    pub texts: bool,
}

/// The cost of building an index.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IndexingCost {
    /// What was built.
    pub indexed: Indexed,
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

/// Measures the building of an index.
///
/// The peak memory of the process before the call does not count where the system can reset it, as Linux can.
///
/// # Errors
/// If building fails.
pub fn measure_indexing<E>(build: impl FnOnce() -> Result<Indexed, E>) -> Result<IndexingCost, E> {
    let is_reset = reset_peak_memory();
    let before = (
        own_cpu_time(true),
        bytes_written(),
        super::machine::energy(),
    );
    let children = peak_memory_of_children();
    let start = Instant::now();
    let indexed = build()?;
    let elapsed = start.elapsed().as_secs_f64();
    let cpu = own_cpu_time(true).zip(before.0);
    let written = bytes_written().zip(before.1);
    let energy = super::machine::energy().zip(before.2);
    // The largest child so far is one of this call only if it is larger than those before.
    let child = peak_memory_of_children().filter(|peak| Some(*peak) > children);
    Ok(IndexingCost {
        indexed,
        seconds: elapsed,
        cpu: cpu.map(|(after, before)| (after.saturating_sub(before)).as_secs_f64()),
        peak_memory: peak_memory().filter(|_| is_reset).max(child),
        written: written.map(|(after, before)| after.saturating_sub(before)),
        energy: energy
            .map(|(after, before)| after - before)
            .filter(|joules| *joules >= 0.0),
    })
}

impl IndexingCost {
    /// Documents per second.
    pub fn documents_per_second(&self) -> f64 {
        self.indexed.documents as f64 / self.seconds
    }

    /// Megabytes (10^6 bytes) of text per second.
    pub fn megabytes_per_second(&self) -> f64 {
        self.indexed.text_bytes as f64 / 1e6 / self.seconds
    }

    /// Bytes of the index for each byte of text.
    pub fn overhead(&self) -> Option<f64> {
        let text = self.indexed.text_bytes;
        (text > 0).then(|| self.indexed.index_bytes as f64 / text as f64)
    }

    /// Bytes of the index for each posting.
    pub fn bytes_per_posting(&self) -> Option<f64> {
        let postings = self.indexed.postings.filter(|count| *count > 0)?;
        Some(self.indexed.index_bytes as f64 / postings as f64)
    }

    /// Names, values, and values for reading; a number that is not known is absent.
    fn rows(&self) -> Vec<(&'static str, Option<f64>, fn(f64) -> String)> {
        let whole = |value: f64| format!("{value:.0}");
        let indexed = &self.indexed;
        let count = |count: Option<u64>| count.map(|count| count as f64);
        let segments = |count: Option<usize>| count.map(|count| count as f64);
        vec![
            ("seconds", Some(self.seconds), seconds as fn(f64) -> String),
            ("CPU seconds", self.cpu, seconds),
            ("peak memory", count(self.peak_memory), megabytes),
            ("bytes written", count(self.written), megabytes),
            ("documents", Some(indexed.documents as f64), whole),
            ("documents/s", Some(self.documents_per_second()), whole),
            ("text", Some(indexed.text_bytes as f64), megabytes),
            ("input files", count(indexed.input_bytes), megabytes),
            (
                "MB/s of text",
                Some(self.megabytes_per_second()),
                significant,
            ),
            ("index", Some(indexed.index_bytes as f64), megabytes),
            ("index / text", self.overhead(), |value| {
                format!("{value:.3}")
            }),
            ("bytes per posting", self.bytes_per_posting(), significant),
            (
                "segments before merging",
                segments(indexed.segments_before),
                whole,
            ),
            ("segments", segments(indexed.segments), whole),
            ("joules (measured)", self.energy, significant),
        ]
    }
}

fn megabytes(bytes: f64) -> String {
    format!("{} MB", significant(bytes / 1e6))
}

impl Render for IndexingCost {
    fn content(&self) -> Content {
        let mut table = Table::new([Column::text("indexing"), Column::number("value")]);
        for (name, value, shown) in self.rows() {
            let value = value.map_or_else(|| "unavailable".into(), shown);
            table.push([Cell::text(name), Cell::text(value)]);
        }
        table.into()
    }

    fn records(&self) -> Records<'_> {
        let rows = self.rows().into_iter();
        let rows = rows.map(|(name, value, _)| vec![Cell::text(name), Cell::real(value)]);
        Records::named(["name", "value"], rows)
    }

    fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
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
        let build = || -> Result<Indexed, ()> {
            let pages = vec![1_u8; 64 << 20];
            black_box(&pages);
            std::thread::sleep(Duration::from_millis(50));
            Ok(Indexed {
                documents: 1000,
                text_bytes: 2_000_000,
                index_bytes: 500_000,
                postings: Some(250_000),
                ..Indexed::default()
            })
        };
        let cost = measure_indexing(build).expect("building does not fail");
        assert!(cost.seconds >= 0.05);
        assert!(cost.cpu.is_some_and(|cpu| cpu > 0.0));
        let peak = cost.peak_memory.expect("Linux resets the peak");
        assert!(peak > 64 << 20, "{peak}");
        assert_eq!(
            (cost.overhead(), cost.bytes_per_posting()),
            (Some(0.25), Some(2.0))
        );
    }

    #[test]
    fn failures_are_passed_on() {
        assert_eq!(measure_indexing(|| Err::<Indexed, _>("full")), Err("full"));
    }
}
