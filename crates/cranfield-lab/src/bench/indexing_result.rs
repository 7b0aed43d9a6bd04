//! The result of a benchmark of indexing, in every format.

use std::collections::BTreeMap;

use cranfield_render::{Cell, Column, Content, Page, Records, Render, Table};
use cranfield_search::Description;
use serde_json::{Value, json};

use super::calibration::Noise;
use super::cost::Cost;
use super::estimate::{Estimate, speed_ratio};
use super::indexing::Indexing;
use super::machine::Machine;
use super::measurement::median;
use super::render::{interval, machine_table};
use crate::duration::{seconds, significant};
use crate::indexing::{megabytes, ratio, thousandths};

/// The result of a benchmark of indexing.
#[derive(Clone, Debug)]
pub struct IndexBenchResult {
    /// The machine.
    pub machine: Machine,
    /// What disturbed the benchmark.
    pub noise: Noise,
    /// Repetitions of each way to index.
    pub repetitions: usize,
    /// The seed.
    pub seed: u64,
    /// The indexes in the order of the ways to build them.
    pub indexes: Vec<IndexingResult>,
    /// Relative speed of every two ways.
    pub ratios: Vec<IndexingRatio>,
}

/// An index, and what building it cost.
#[derive(Clone, Debug)]
pub struct IndexingResult {
    /// How it was built.
    pub way: Indexing,
    /// Its description.
    pub description: Description,
    /// Bytes of the files that were read, as compressed as they are.
    pub input_bytes: u64,
    /// Bytes of the index.
    pub bytes: u64,
    /// Doubtful documents, counted by what is wrong.
    pub problems: BTreeMap<String, u64>,
    /// The cost of each repetition.
    pub costs: Vec<Cost>,
}

impl IndexingResult {
    /// The median of a part of the cost over repetitions; `None` if the system does not report it.
    fn median(&self, seed: u64, part: impl Fn(&Cost) -> Option<f64>) -> Option<Estimate> {
        Estimate::over_repetitions(self.costs.len(), seed, |drawn| {
            let parts = drawn.iter().map(|at| part(&self.costs[*at]));
            median(&parts.collect::<Option<Vec<f64>>>()?)
        })
    }

    /// Documents per second.
    pub fn documents_per_second(&self, seed: u64) -> Option<Estimate> {
        let documents = self.description.documents as f64;
        self.median(seed, |cost| Some(documents / cost.seconds))
    }

    /// Megabytes (10^6 bytes) of text per second.
    pub fn megabytes_per_second(&self, seed: u64) -> Option<Estimate> {
        let megabytes = self.description.text_bytes as f64 / 1e6;
        self.median(seed, |cost| Some(megabytes / cost.seconds))
    }

    /// Bytes of the index for each byte of text.
    pub fn overhead(&self) -> Option<f64> {
        ratio(self.bytes, self.description.text_bytes)
    }

    /// Bytes of the index for each posting.
    pub fn bytes_per_posting(&self) -> Option<f64> {
        ratio(self.bytes, self.description.postings)
    }

    /// Names of medians, as programs read them, and the medians.
    fn medians(&self, seed: u64) -> [(&'static str, Option<Estimate>); 7] {
        let whole = |count: Option<u64>| count.map(|count| count as f64);
        [
            ("seconds", self.median(seed, |cost| Some(cost.seconds))),
            ("cpu_seconds", self.median(seed, |cost| cost.cpu)),
            (
                "peak_memory",
                self.median(seed, |cost| whole(cost.peak_memory)),
            ),
            (
                "bytes_written",
                self.median(seed, |cost| whole(cost.written)),
            ),
            ("documents_per_second", self.documents_per_second(seed)),
            ("megabytes_per_second", self.megabytes_per_second(seed)),
            ("joules", self.median(seed, |cost| cost.energy)),
        ]
    }

    fn json(&self, seed: u64) -> Value {
        let mut value = json!({
            "analyzer": self.way.analyzer,
            "threads": self.way.threads,
            "index": self.description,
            "input_bytes": self.input_bytes,
            "bytes": self.bytes,
            "overhead": self.overhead(),
            "bytes_per_posting": self.bytes_per_posting(),
            "positions": false,
            "problems": self.problems,
            "repetitions": self.costs,
        });
        for (name, median) in self.medians(seed) {
            value[name] = json!(median);
        }
        value
    }
}

/// How many times as fast one way to index is as another.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexingRatio {
    /// The faster way.
    pub faster: Indexing,
    /// The slower way.
    pub slower: Indexing,
    /// The ratio of their median times.
    pub ratio: Estimate,
}

impl IndexingRatio {
    fn sentence(&self) -> String {
        let Self {
            faster,
            slower,
            ratio,
        } = self;
        let limits = ratio.interval;
        let shown =
            limits.map_or_else(String::new, |[low, high]| format!(" [{low:.2}, {high:.2}]"));
        let value = ratio.value;
        if limits.is_some_and(|[low, _]| low > 1.0) {
            format!("indexing with {faster} is {value:.2} times{shown} as fast as with {slower}")
        } else {
            format!(
                "no clear difference between {faster} and {slower}: {value:.2} times{shown} as fast"
            )
        }
    }
}

/// The ratios of every two ways, the faster one first.
pub(super) fn ratios(indexes: &[IndexingResult], seed: u64) -> Vec<IndexingRatio> {
    let times = |index: &IndexingResult| -> Vec<[Option<f64>; 1]> {
        index
            .costs
            .iter()
            .map(|cost| [Some(cost.seconds)])
            .collect()
    };
    let mut found = Vec::new();
    for (at, first) in indexes.iter().enumerate() {
        for second in &indexes[at + 1..] {
            let all = [times(first), times(second)];
            let [one, other] = [0, 1].map(|at: usize| -> Vec<&[Option<f64>]> {
                all[at].iter().map(<[_; 1]>::as_slice).collect()
            });
            let pair = |faster: &IndexingResult, slower: &IndexingResult, ratio| IndexingRatio {
                faster: faster.way.clone(),
                slower: slower.way.clone(),
                ratio,
            };
            let forward = speed_ratio(&one, &other, seed);
            found.extend(match forward {
                Some(ratio) if ratio.value < 1.0 => {
                    speed_ratio(&other, &one, seed).map(|ratio| pair(second, first, ratio))
                }
                ratio => ratio.map(|ratio| pair(first, second, ratio)),
            });
        }
    }
    found
}

impl IndexBenchResult {
    /// Whether the result supports claims.
    pub fn is_sound(&self) -> bool {
        !self.noise.is_noisy()
    }

    /// What can be said about speed, or why nothing can.
    pub fn claims(&self) -> Vec<String> {
        if self.noise.is_noisy() {
            let reasons = self.noise.reasons.join("; ");
            return vec![format!("noisy, no claim about speed: {reasons}")];
        }
        self.ratios.iter().map(IndexingRatio::sentence).collect()
    }

    /// Doubtful documents, which are the same whatever the analyser.
    pub fn warnings(&self) -> Vec<String> {
        let problems = self
            .indexes
            .first()
            .into_iter()
            .flat_map(|index| &index.problems);
        problems
            .map(|(what, count)| format!("{what}: {count}"))
            .collect()
    }

    fn introduction(&self) -> String {
        let documents = self
            .indexes
            .first()
            .map_or(0, |index| index.description.documents);
        let (repetitions, seed) = (self.repetitions, self.seed);
        format!(
            "{documents} documents, {repetitions} repetitions, each in a process of its own, seed {seed}. Values are medians over repetitions."
        )
    }

    fn cost_table(&self) -> Table {
        let numbers = [
            "threads",
            "time",
            "95 %",
            "CPU",
            "peak memory",
            "written",
            "documents/s",
            "MB/s of text",
            "energy",
        ];
        let columns = [Column::text("analyser")].into_iter();
        let mut table = Table::new(columns.chain(numbers.map(Column::number)));
        for index in &self.indexes {
            let [time, cpu, memory, written, documents, text, energy] =
                index.medians(self.seed).map(|(_, median)| median);
            let shown = |median: Option<Estimate>, shown: fn(f64) -> String| {
                let shown = median.map(|median| shown(median.value));
                Cell::text(shown.unwrap_or_else(|| "unavailable".into()))
            };
            let limits = interval(time.as_ref(), seconds);
            table.push([
                Cell::text(&index.way.analyzer),
                Cell::text(index.way.threads.to_string()),
                shown(time, seconds),
                Cell::text(limits),
                shown(cpu, seconds),
                shown(memory, megabytes),
                shown(written, megabytes),
                shown(documents, |rate| format!("{rate:.0}")),
                shown(text, significant),
                shown(energy, |joules| format!("{} J", significant(joules))),
            ]);
        }
        table.keys = 2;
        table
    }

    /// One line for each analyser: an index does not depend on the number of threads.
    fn size_table(&self) -> Table {
        let numbers = [
            "input",
            "text",
            "index",
            "index / text",
            "postings",
            "bytes/posting",
            "segments",
        ];
        let columns = [Column::text("analyser")].into_iter();
        let columns = columns.chain(numbers.map(Column::number));
        let stored = ["positions", "texts"].map(Column::text);
        let mut table = Table::new(columns.chain(stored));
        let mut shown: Vec<&str> = Vec::new();
        for index in &self.indexes {
            if shown.contains(&index.way.analyzer.as_str()) {
                continue;
            }
            shown.push(&index.way.analyzer);
            let description = &index.description;
            let real = |value: Option<f64>, shown: fn(f64) -> String| {
                Cell::text(value.map_or("–".into(), shown))
            };
            table.push([
                Cell::text(&index.way.analyzer),
                Cell::text(megabytes(index.input_bytes as f64)),
                Cell::text(megabytes(description.text_bytes as f64)),
                Cell::text(megabytes(index.bytes as f64)),
                real(index.overhead(), thousandths),
                Cell::text(description.postings.to_string()),
                real(index.bytes_per_posting(), significant),
                Cell::text(description.segments.len().to_string()),
                Cell::text("not stored"),
                Cell::text(if description.text {
                    "stored"
                } else {
                    "not stored"
                }),
            ]);
        }
        table
    }
}

impl Render for IndexBenchResult {
    fn content(&self) -> Content {
        let mut page = Page::new("Benchmark of indexing");
        page.paragraph(self.introduction());
        page.table(self.cost_table());
        page.table(self.size_table());
        page.lines(self.claims());
        page.lines(self.warnings());
        page.table(machine_table(&self.machine, &self.noise));
        Content::Page(page)
    }

    fn records(&self) -> Records<'_> {
        let rows = self.indexes.iter().flat_map(|index| {
            let sizes = [
                ("input_bytes", Some(index.input_bytes as f64)),
                ("text_bytes", Some(index.description.text_bytes as f64)),
                ("bytes", Some(index.bytes as f64)),
                ("overhead", index.overhead()),
                ("bytes_per_posting", index.bytes_per_posting()),
                ("segments", Some(index.description.segments.len() as f64)),
            ];
            let sizes = sizes.map(|(name, value)| {
                let interval = None;
                (name, value.map(|value| Estimate { value, interval }))
            });
            let values = index.medians(self.seed).into_iter().chain(sizes);
            values.filter_map(|(name, estimate)| {
                let estimate = estimate?;
                let [low, high] = estimate
                    .interval
                    .map_or([None, None], |limits| limits.map(Some));
                let threads = index.way.threads.to_string();
                let names = [&index.way.analyzer, &threads, name].map(Cell::text);
                let numbers = [Some(estimate.value), low, high].map(Cell::real);
                Some(names.into_iter().chain(numbers).collect())
            })
        });
        let names = ["analyzer", "threads", "name", "value", "low", "high"];
        Records::named(names, rows)
    }

    fn json(&self) -> Value {
        let indexes = self.indexes.iter().map(|index| index.json(self.seed));
        json!({
            "cranfield": env!("CARGO_PKG_VERSION"),
            "machine": self.machine,
            "noise": self.noise,
            "is_sound": self.is_sound(),
            "repetitions": self.repetitions,
            "seed": self.seed,
            "level": super::LEVEL,
            "indexes": indexes.collect::<Vec<_>>(),
            "ratios": self.ratios.iter().map(|ratio| json!({
                "faster": ratio.faster.to_string(),
                "slower": ratio.slower.to_string(),
                "ratio": ratio.ratio,
            })).collect::<Vec<_>>(),
            "claims": self.claims(),
            "warnings": self.warnings(),
        })
    }
}
