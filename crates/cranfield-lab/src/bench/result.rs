//! The result of a benchmark.

use std::time::Duration;

use cranfield_render::Render;
use cranfield_render::plot::Plot;

use super::answers::{Answers, SameAnswers};
use super::calibration::Noise;
use super::cost_section::cost_figure;
use super::estimate::{Estimate, speed_ratio};
use super::find_rate::FoundRate;
use super::load::Load;
use super::machine::Machine;
use super::summary::LoadResult;
use super::warm_up::WarmUp;
use crate::engine::Place;

/// The result of a benchmark.
#[derive(Clone, Debug)]
pub struct BenchResult {
    /// The machine.
    pub machine: Machine,
    /// What disturbed the benchmark.
    pub noise: Noise,
    /// Number of topics.
    pub topics: usize,
    /// Documents per answer.
    pub depth: usize,
    /// Repetitions.
    pub repetitions: usize,
    /// Time of each load in each repetition.
    pub length: Duration,
    /// The seed.
    pub seed: u64,
    /// Engines in the order given.
    pub engines: Vec<EngineResult>,
    /// Agreement of the answers of every two engines.
    pub same: Vec<SameAnswers>,
    /// Relative speed of every two engines under every load.
    pub ratios: Vec<SpeedRatio>,
}

/// The results of one engine.
#[derive(Clone, Debug)]
pub struct EngineResult {
    /// Its name.
    pub name: String,
    /// Its settings.
    pub settings: Vec<(String, String)>,
    /// Where it works.
    pub place: Place,
    /// Whether none of its files was in memory before each pass over the topics.
    pub is_cold: bool,
    /// Its answers to all topics.
    pub answers: Answers,
    /// The warm-up of each repetition; none of a cold engine.
    pub warm_ups: Vec<WarmUp>,
    /// Results under each load.
    pub loads: Vec<LoadResult>,
    /// The highest rate that meets the target.
    pub found_rate: Option<FoundRate>,
}

/// How many times as fast one engine is as another at the median topic.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedRatio {
    /// Name of the faster engine.
    pub faster: String,
    /// Name of the slower engine.
    pub slower: String,
    /// The load.
    pub load: Load,
    /// The median over topics of the ratio of their times, paired by topic.
    pub ratio: Estimate,
}

impl SpeedRatio {
    /// Whether the interval excludes equal speed.
    pub fn is_clear(&self) -> bool {
        self.ratio.interval.is_some_and(|[low, _]| low > 1.0)
    }

    /// The ratio as a sentence.
    pub fn sentence(&self) -> String {
        let Self {
            faster,
            slower,
            load,
            ratio,
        } = self;
        let interval = ratio
            .interval
            .map(|[low, high]| format!(" [{low:.2}, {high:.2}]"));
        let interval = interval.unwrap_or_default();
        let value = ratio.value;
        if self.is_clear() {
            return format!(
                "{faster} is {value:.2} times{interval} as fast as {slower} at the median topic ({load})"
            );
        }
        format!(
            "no clear difference between {faster} and {slower}: {value:.2} times{interval} as fast at the median topic ({load})"
        )
    }
}

/// The ratios of every two engines, the faster one first.
pub(super) fn speed_ratios(engines: &[EngineResult], seed: u64) -> Vec<SpeedRatio> {
    let mut ratios = Vec::new();
    for (at, first) in engines.iter().enumerate() {
        for second in &engines[at + 1..] {
            for (one, other) in first.loads.iter().zip(&second.loads) {
                ratios.extend(ratio_of((first, one), (second, other), seed));
            }
        }
    }
    ratios
}

fn ratio_of(
    (first, one): (&EngineResult, &LoadResult),
    (second, other): (&EngineResult, &LoadResult),
    seed: u64,
) -> Option<SpeedRatio> {
    let times = |load: &'_ LoadResult| -> Vec<Vec<Option<f64>>> {
        let repetitions = load.repetitions.iter();
        repetitions
            .map(|repetition| repetition.by_query.clone())
            .collect()
    };
    let (one_times, other_times) = (times(one), times(other));
    let one_times: Vec<&[Option<f64>]> = one_times.iter().map(Vec::as_slice).collect();
    let other_times: Vec<&[Option<f64>]> = other_times.iter().map(Vec::as_slice).collect();
    let forward = speed_ratio(&one_times, &other_times, seed)?;
    let (names, ratio) = if forward.value >= 1.0 {
        ((&first.name, &second.name), forward)
    } else {
        let back = speed_ratio(&other_times, &one_times, seed)?;
        ((&second.name, &first.name), back)
    };
    Some(SpeedRatio {
        faster: names.0.clone(),
        slower: names.1.clone(),
        load: one.load,
        ratio,
    })
}

impl BenchResult {
    /// Whether the result supports claims: a quiet machine, and a load generator that was on time.
    pub fn is_sound(&self) -> bool {
        let mut loads = self.engines.iter().flat_map(|engine| &engine.loads);
        !self.noise.is_noisy() && !loads.any(LoadResult::is_late)
    }

    /// What can be said, or why nothing can.
    pub fn claims(&self) -> Vec<String> {
        let mut claims: Vec<String> = self.different_answers().into_iter().collect();
        if self.noise.is_noisy() {
            let reasons = self.noise.reasons.join("; ");
            claims.push(format!("noisy, no claim about speed: {reasons}"));
        } else {
            claims.extend(self.ratios.iter().map(SpeedRatio::sentence));
        }
        claims
    }

    fn different_answers(&self) -> Option<String> {
        let different = self.same.iter().filter(|pair| !pair.are_same());
        let different: Vec<&SameAnswers> = different.collect();
        let what = match different.as_slice() {
            [] => return None,
            [pair] => {
                let rbo = pair
                    .rbo
                    .map_or("undefined".into(), |rbo| format!("{rbo:.3}"));
                let (first, second, overlap) = (&pair.first, &pair.second, pair.overlap);
                format!("{first} and {second} have RBO {rbo} and overlap {overlap:.2} at 10")
            }
            pairs => {
                let (count, all) = (pairs.len(), self.same.len());
                format!("{count} of {all} pairs of engines differ in what they find")
            }
        };
        Some(format!(
            "different answers: {what}, so their speeds are for different questions"
        ))
    }

    /// Warnings about engines and loads.
    pub fn warnings(&self) -> Vec<String> {
        let mut found = Vec::new();
        for engine in &self.engines {
            let name = &engine.name;
            let unstable = engine.warm_ups.iter().filter(|warm_up| !warm_up.is_stable);
            let unstable = unstable.count();
            if unstable > 0 {
                let all = engine.warm_ups.len();
                found.push(format!(
                    "{name}: not stable after {unstable} of {all} warm-ups"
                ));
            }
            let repetitions = engine.loads.iter().flat_map(|load| &load.repetitions);
            if engine.is_cold && repetitions.filter_map(|one| one.read).sum::<u64>() == 0 {
                found.push(format!(
                    "{name}: nothing was read from a disk, so the index was in memory all the same"
                ));
            }
            let failed = &engine.answers.run.failed;
            if let Some((topic, error)) = failed.first() {
                let count = failed.len();
                found.push(format!(
                    "{name}: no answer to {count} topics; topic {topic}: {error}"
                ));
            }
            let ties = engine.answers.run.cut_in_ties.len();
            if ties > 0 {
                let depth = self.depth;
                found.push(format!("{name}: {ties} topics have ties at rank {depth}"));
            }
            found.extend(engine.loads.iter().flat_map(|load| load.warnings(name)));
        }
        found
    }

    /// The figure of quality against the median latency under the first load, with intervals. `None` without judgements.
    pub fn pareto(&self) -> Option<Plot> {
        cost_figure(&self.json())
    }
}
