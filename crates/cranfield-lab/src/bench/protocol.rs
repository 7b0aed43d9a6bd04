//! The protocol of a benchmark.

use std::time::Duration;

use cranfield_core::setting::Setting;
use cranfield_eval::{Plan, Progress, Qrels, Step};

use super::BenchError;
use super::answers::{Answers, SameAnswers, quality};
use super::calibration::{Noise, Work};
use super::closed::closed_loop;
use super::cold::cold_passes;
use super::find_rate::{FoundRate, Search, Target};
use super::load::Load;
use super::machine::{Machine, Ticks, cores, energy};
use super::measurement::{Measurement, Order};
use super::open::OpenLoop;
use super::pool::Pool;
use super::result::{BenchResult, EngineResult, speed_ratios};
use super::summary::LoadResult;
use super::warm_up::{WarmUp, WarmUpSettings, warm_up};
use crate::engine::{Engine, EngineError, Place, Query};
use crate::run_topics::{RunSettings, run_topics};

/// Most clients of an open loop whose engine works elsewhere.
const MOST_CLIENTS: usize = 512;
/// Clients of a server that are connected before an open loop.
const FIRST_CLIENTS: usize = 16;

/// Settings of a benchmark.
#[derive(Clone, Debug)]
pub struct BenchSettings {
    /// Documents per answer.
    pub depth: usize,
    /// The loads, each measured in every repetition.
    pub loads: Vec<Load>,
    /// Repetitions, each with new sessions.
    pub repetitions: usize,
    /// Time of each load in each repetition.
    pub length: Duration,
    /// When a warm-up ends.
    pub warm_up: WarmUpSettings,
    /// Most clients of an open loop. By default 512 for a server, and the number of cores for engines on this machine.
    pub clients: Option<usize>,
    /// The response time whose highest rate is searched for.
    pub find_rate: Option<Target>,
    /// Seed of the order of topics, of arrivals and of intervals.
    pub seed: u64,
    /// Receives the steps of the benchmark.
    pub progress: Progress,
}

impl Default for BenchSettings {
    /// Ten repetitions of ten seconds with one client, and ten documents per answer.
    fn default() -> Self {
        Self {
            depth: 10,
            loads: vec![Load::Closed { clients: 1 }],
            repetitions: 10,
            length: Duration::from_secs(10),
            warm_up: WarmUpSettings::default(),
            clients: None,
            find_rate: None,
            seed: 42,
            progress: Progress::default(),
        }
    }
}

impl BenchSettings {
    /// Five short repetitions, to see whether everything works.
    pub fn quick() -> Self {
        Self {
            repetitions: 5,
            length: Duration::from_secs(1),
            warm_up: WarmUpSettings {
                window: Duration::from_millis(100),
                most: Duration::from_secs(3),
            },
            ..Self::default()
        }
    }

    fn check(&self, engines: usize, queries: usize) -> Result<(), BenchError> {
        let bad = |message: cranfield_core::setting::Message| Err(BenchError::Setting(message));
        if engines == 0 {
            return bad("no engines".into());
        }
        if queries == 0 {
            return bad("no topics".into());
        }
        if self.depth == 0 {
            return bad(cranfield_core::setting::Message::from(Setting::Depth).then(" is 0"));
        }
        if self.repetitions == 0 {
            return bad(cranfield_core::setting::Message::from(Setting::Repetitions).then(" is 0"));
        }
        Ok(())
    }

    /// Cold engines are measured in passes by one client: with more, or with requests at planned times, what one reads is not cold
    /// for the next.
    fn check_cold(&self, engines: &[&dyn Engine]) -> Result<(), BenchError> {
        let is_other = |load: &Load| *load != Load::Closed { clients: 1 };
        let is_other = self.find_rate.is_some() || self.loads.iter().any(is_other);
        match engines.iter().find(|engine| engine.is_cold()) {
            Some(engine) if is_other => {
                let name = engine.name();
                let message = format!("{name} is measured cold, so the only load is closed:1");
                Err(BenchError::Setting(message.into()))
            }
            _ => Ok(()),
        }
    }

    /// Sessions to open before measurements: all that may be used, but only a few of a server's, which are cheap to add.
    fn sessions_of(&self, engine: &dyn Engine) -> usize {
        let of_load = |load: &Load| match load {
            Load::Closed { clients } => *clients,
            Load::Open { .. } => match engine.place() {
                Place::Elsewhere => self.clients_of(engine).min(FIRST_CLIENTS),
                Place::Here | Place::Child => self.clients_of(engine),
            },
        };
        let of_search = self
            .find_rate
            .map(|_| self.clients_of(engine).min(FIRST_CLIENTS));
        let loads = self.loads.iter().map(of_load).chain(of_search);
        loads.max().unwrap_or(1)
    }

    fn clients_of(&self, engine: &dyn Engine) -> usize {
        let usual = || match engine.place() {
            Place::Here | Place::Child => cores(),
            Place::Elsewhere => MOST_CLIENTS,
        };
        self.clients.unwrap_or_else(usual)
    }
}

/// Judgements, and the measures of answers.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The judgements.
    pub qrels: &'a Qrels,
    /// The measures.
    pub plan: &'a Plan,
}

/// Measures engines on the same topics.
///
/// # Errors
/// If a setting is invalid, an engine does not start, or an engine answers no topic.
pub fn bench(
    engines: &[&dyn Engine],
    queries: &[Query],
    judged: Option<Judged<'_>>,
    settings: &BenchSettings,
) -> Result<BenchResult, BenchError> {
    settings.check(engines.len(), queries.len())?;
    settings.check_cold(engines)?;
    let run = Protocol {
        engines,
        queries,
        settings,
    };
    let machine = Machine::detect();
    let work = Work::calibrated();
    let (before, ticks) = (work.repeat(), Ticks::now());
    let answers = run.answers(judged)?;
    let mut measured = run.repetitions()?;
    let found = run.rates()?;
    let noise = Noise::of(&machine, [before, work.repeat()], [ticks, Ticks::now()]);
    let same = same_answers(&answers)?;
    let engines = engines.iter().zip(answers).zip(found);
    let results = engines.map(|((engine, answers), found_rate)| {
        let all = measured.remove(0);
        EngineResult {
            name: engine.name().to_owned(),
            settings: engine.settings(),
            place: engine.place(),
            is_cold: engine.is_cold(),
            answers,
            loads: loads(all.repetitions, &settings.loads, settings.seed),
            warm_ups: all.warm_ups,
            found_rate,
        }
    });
    let engines: Vec<EngineResult> = results.collect();
    let ratios = speed_ratios(&engines, settings.seed);
    Ok(BenchResult {
        machine,
        noise,
        topics: queries.len(),
        depth: settings.depth,
        repetitions: settings.repetitions,
        length: settings.length,
        seed: settings.seed,
        engines,
        same,
        ratios,
    })
}

fn same_answers(answers: &[Answers]) -> Result<Vec<SameAnswers>, BenchError> {
    let mut all = Vec::new();
    for (at, first) in answers.iter().enumerate() {
        for second in &answers[at + 1..] {
            all.push(SameAnswers::of(&first.run.run, &second.run.run)?);
        }
    }
    Ok(all)
}

struct Protocol<'a> {
    engines: &'a [&'a dyn Engine],
    queries: &'a [Query],
    settings: &'a BenchSettings,
}

/// Measurements of one engine: by repetition, by load.
#[derive(Debug, Default)]
struct Measured {
    warm_ups: Vec<WarmUp>,
    repetitions: Vec<Vec<Measurement>>,
}

/// Sorts measurements by load.
fn loads(repetitions: Vec<Vec<Measurement>>, loads: &[Load], seed: u64) -> Vec<LoadResult> {
    let mut by_load: Vec<Vec<Measurement>> = loads.iter().map(|_| Vec::new()).collect();
    for repetition in repetitions {
        for (all, one) in by_load.iter_mut().zip(repetition) {
            all.push(one);
        }
    }
    let pairs = loads.iter().zip(by_load);
    pairs
        .map(|(load, all)| LoadResult::new(*load, all, seed))
        .collect()
}

fn failed(engine: &dyn Engine, error: EngineError) -> BenchError {
    let engine = engine.name().to_owned();
    BenchError::Engine { engine, error }
}

impl Protocol<'_> {
    /// Asks every engine all topics once.
    fn answers(&self, judged: Option<Judged<'_>>) -> Result<Vec<Answers>, BenchError> {
        let run_settings = RunSettings {
            depth: self.settings.depth,
            threads: 1,
            keep_going: true,
            progress: self.settings.progress.clone(),
        };
        let answers = |engine: &&dyn Engine| {
            let answered = run_topics(*engine, self.queries, &run_settings);
            let run = answered.map_err(|error| failed(*engine, error))?;
            if run.failed.len() == self.queries.len() {
                let first = run.failed.into_iter().next();
                let error =
                    first.map_or_else(|| EngineError::other("no answers"), |(_, error)| error);
                return Err(failed(*engine, error));
            }
            let quality = judged.map_or_else(Vec::new, |judged| {
                quality(
                    &run.run,
                    (judged.qrels, judged.plan),
                    self.settings.depth,
                    self.settings.seed,
                )
            });
            Ok(Answers { run, quality })
        };
        self.engines.iter().map(answers).collect()
    }

    /// Measures all repetitions: engines in their order, then in reverse order, and so on, so that drift affects all alike.
    fn repetitions(&self) -> Result<Vec<Measured>, BenchError> {
        let mut measured: Vec<Measured> =
            self.engines.iter().map(|_| Measured::default()).collect();
        let mut done = 0;
        for repetition in 0..self.settings.repetitions {
            let mut order: Vec<usize> = (0..self.engines.len()).collect();
            if repetition % 2 == 1 {
                order.reverse();
            }
            for at in order {
                let engine = self.engines[at];
                self.settings.progress.report(Step {
                    measure: engine.name(),
                    what: "repetitions",
                    done,
                    total: self.settings.repetitions * self.engines.len(),
                });
                let one = self.repetition(engine, repetition);
                let (warm_up, loads) = one.map_err(|error| failed(engine, error))?;
                measured[at].warm_ups.extend(warm_up);
                measured[at].repetitions.push(loads);
                done += 1;
            }
        }
        Ok(measured)
    }

    /// One repetition of one engine, with new sessions; without a warm-up if it is cold.
    fn repetition(
        &self,
        engine: &dyn Engine,
        repetition: usize,
    ) -> Result<(Option<WarmUp>, Vec<Measurement>), EngineError> {
        let settings = self.settings;
        let order = Order::shuffled(self.queries, settings.seed, repetition);
        if engine.is_cold() {
            let passes = settings.loads.iter();
            let passes =
                passes.map(|_| cold_passes(engine, &order, settings.depth, settings.length));
            return Ok((None, passes.collect::<Result<_, _>>()?));
        }
        let pool = Pool::new(engine);
        let warm_up = warm_up(&pool, &order, settings.depth, settings.warm_up)?;
        let loads = settings.loads.iter().enumerate();
        pool.fill(settings.sessions_of(engine), order.get(0).1, settings.depth)?;
        let measure = |(at, load): (usize, &Load)| {
            let before = (pool.cpu_time(), energy());
            let stream = ((at as u64 + 1) << 32) + repetition as u64;
            let mut measured = self.measure(engine, &pool, &order, *load, stream)?;
            let cpu = pool.cpu_time().zip(before.0);
            measured.cpu = cpu.map(|(after, before)| after.saturating_sub(before).as_secs_f64());
            let joules = energy().zip(before.1).map(|(after, before)| after - before);
            // The counter starts again from 0 when it is full.
            measured.energy = joules.filter(|joules| *joules >= 0.0);
            Ok(measured)
        };
        let loads = loads.map(measure).collect::<Result<Vec<_>, _>>()?;
        Ok((Some(warm_up), loads))
    }

    fn measure(
        &self,
        engine: &dyn Engine,
        pool: &Pool<'_>,
        order: &Order<'_>,
        load: Load,
        stream: u64,
    ) -> Result<Measurement, EngineError> {
        let settings = self.settings;
        match load {
            Load::Closed { clients } => {
                closed_loop(pool, order, settings.depth, clients, settings.length)
            }
            Load::Open { rate, arrivals } => OpenLoop {
                rate,
                arrivals,
                length: settings.length,
                depth: settings.depth,
                most: settings.clients_of(engine),
                seed: settings.seed,
                stream,
            }
            .run(pool, order),
        }
    }

    /// Searches for the highest rate of each engine, if a target is set.
    fn rates(&self) -> Result<Vec<Option<FoundRate>>, BenchError> {
        let Some(target) = self.settings.find_rate else {
            return Ok(self.engines.iter().map(|_| None).collect());
        };
        let find = |engine: &&dyn Engine| {
            let pool = Pool::new(*engine);
            let order = Order::shuffled(self.queries, self.settings.seed, 0);
            let search = Search {
                pool: &pool,
                order: &order,
                depth: self.settings.depth,
                length: self.settings.length,
                most: self.settings.clients_of(*engine),
                seed: self.settings.seed,
            };
            let depth = self.settings.depth;
            let found = warm_up(&pool, &order, depth, self.settings.warm_up)
                .and_then(|_| pool.fill(self.settings.sessions_of(*engine), order.get(0).1, depth))
                .and_then(|()| search.find(target));
            found.map(Some).map_err(|error| failed(*engine, error))
        };
        self.engines.iter().map(find).collect()
    }
}
