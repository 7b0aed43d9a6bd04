//! The cost of engines: latency, throughput, CPU time, next to the quality of their answers.
//!
//! [`bench()`] follows one protocol for every engine. It records the machine and checks that it works evenly, asks every engine all
//! topics once to compare their answers, and then repeats measurements in an order that lets no engine profit from drift. A closed
//! loop measures service times. An open loop sends requests at planned times and also measures response times, which include the
//! wait behind slow requests. [`bench_indexing`] measures indexing instead.

mod answers;
mod calibration;
mod closed;
mod cold;
mod cost;
mod cost_section;
mod estimate;
mod find_rate;
mod histogram;
mod indexing;
mod indexing_result;
mod load;
pub(crate) mod machine;
mod measurement;
mod open;
mod pool;
mod protocol;
mod render;
mod result;
mod summary;
mod warm_up;

pub use answers::{Answers, Quality, SameAnswers};
pub use calibration::{Calibration, Noise, Work};
pub use cost::Cost;
pub use cost_section::cost_section;
pub use estimate::{Estimate, LEVEL};
pub use find_rate::{FoundRate, Probe, Target};
pub use histogram::{LONGEST, Latencies};
pub use indexing::{IndexBenchSettings, Indexing, bench_indexing};
pub use indexing_result::{IndexBenchResult, IndexingRatio, IndexingResult};
pub use load::{Arrivals, Load};
pub use machine::{Machine, Ticks, cores};
pub use measurement::Measurement;
pub use protocol::{BenchSettings, Judged, bench};
pub use result::{BenchResult, EngineResult, SpeedRatio};
pub use summary::{LatencySummary, LoadResult, QUANTILES, TimeKind};
pub use warm_up::{WarmUp, WarmUpSettings};

use std::fmt;

use cranfield_core::setting::{Message, SettingStyle};

use crate::engine::EngineError;

/// Why a benchmark cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BenchError {
    /// A setting is invalid.
    Setting(Message),
    /// An engine does not start, or answers no topic.
    Engine {
        /// Its name.
        engine: String,
        /// Its failure.
        error: EngineError,
    },
}

impl BenchError {
    /// The message with its settings in this style.
    pub fn render(&self, style: SettingStyle) -> String {
        match self {
            Self::Setting(message) => message.render(style),
            Self::Engine { engine, error } => format!("engine `{engine}`: {error}"),
        }
    }
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(SettingStyle::Neutral))
    }
}

impl std::error::Error for BenchError {}

#[cfg(test)]
mod tests;
