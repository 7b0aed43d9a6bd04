//! Whole benchmarks of engines that sleep.

use std::sync::Mutex;
use std::time::Duration;

use cranfield_eval::{Conventions, Plan, Qrels, parse_measures};
use cranfield_render::{Render, ResultFormat};

use crate::bench::{
    BenchResult, BenchSettings, Judged, Load, Noise, WarmUpSettings, bench, find_rate::Target,
};
use crate::engine::{Engine, EngineError, Hit, Query, Session};

/// An engine that sleeps, and returns one document for each topic.
struct Sleeping<'a> {
    name: &'static str,
    pause: Duration,
    doc: &'static str,
    /// Names of engines, in the order in which sessions were opened.
    opened: &'a Mutex<Vec<&'static str>>,
}

impl Engine for Sleeping<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        self.opened.lock().expect("no panic").push(self.name);
        Ok(Box::new(Sleeper(self)))
    }
}

struct Sleeper<'a>(&'a Sleeping<'a>);

impl Session for Sleeper<'_> {
    fn search(&mut self, query: &Query, _: usize) -> Result<Vec<Hit>, EngineError> {
        if query.text == "bad" {
            return Err(EngineError::other("a bad topic"));
        }
        std::thread::sleep(self.0.pause);
        let doc = self.0.doc.to_owned();
        Ok(vec![Hit { doc, score: 1.0 }])
    }
}

fn settings(loads: &[&str]) -> BenchSettings {
    BenchSettings {
        loads: loads
            .iter()
            .map(|load| load.parse().expect("a load"))
            .collect(),
        repetitions: 4,
        length: Duration::from_millis(150),
        warm_up: WarmUpSettings {
            window: Duration::from_millis(10),
            most: Duration::from_millis(100),
        },
        ..BenchSettings::default()
    }
}

fn queries(texts: &[&str]) -> Vec<Query> {
    let query = |(at, text): (usize, &&str)| Query {
        topic: (at + 1).to_string(),
        text: (*text).to_owned(),
    };
    texts.iter().enumerate().map(query).collect()
}

/// Benchmarks an engine of 2 ms and one of 6 ms with other documents; one of four topics fails.
fn two_engines(opened: &Mutex<Vec<&'static str>>) -> BenchResult {
    let engine = |name, pause, doc| Sleeping {
        name,
        pause: Duration::from_millis(pause),
        doc,
        opened,
    };
    let (fast, slow) = (engine("fast", 2, "d1"), engine("slow", 6, "d2"));
    let qrels = Qrels::from_judgements([("1", "d2", 1.0), ("2", "d2", 1.0), ("2", "d1", 1.0)]);
    let measures = parse_measures("P@1 AP", &Conventions::default()).expect("a measure");
    let plan = Plan {
        measures,
        ..Plan::default()
    };
    let judged = Judged {
        qrels: &qrels,
        plan: &plan,
    };
    let queries = queries(&["a", "b", "c", "bad"]);
    let settings = settings(&["closed:1", "open:50/s"]);
    bench(&[&fast, &slow], &queries, Some(judged), &settings).expect("the engines work")
}

#[test]
fn benchmarks_compare_engines() {
    let opened = Mutex::default();
    let mut result = two_engines(&opened);
    let opened = opened.into_inner().expect("no panic");
    // Answers first; then A B B A A B B A, each with sessions of its own.
    let mut order = opened.clone();
    order.dedup();
    assert_eq!(
        order,
        ["fast", "slow", "fast", "slow", "fast", "slow", "fast"],
        "{opened:?}"
    );

    let quality = |engine: usize| result.engines[engine].answers.quality[0].mean.value;
    assert_eq!((quality(0), quality(1)), (0.5, 1.0));
    let names = result.engines[0].answers.quality.iter();
    let names: Vec<&str> = names.map(|quality| quality.measure.as_str()).collect();
    assert_eq!(names, ["P@1", "AP of 10 documents"]);
    assert!(!result.same[0].are_same());
    let ratio = &result.ratios[0];
    assert_eq!(
        (ratio.faster.as_str(), ratio.load),
        ("fast", Load::Closed { clients: 1 })
    );
    assert!((1.5..6.0).contains(&ratio.ratio.value), "{ratio:?}");
    let closed = &result.engines[0].loads[0];
    assert_eq!(closed.repetitions[0].by_query.iter().flatten().count(), 3);
    assert!(closed.failed() > 0);
    let warnings = result.warnings().join("\n");
    assert!(
        warnings.contains("fast: no answer to 1 topics; topic 4: failed: a bad topic"),
        "{warnings}"
    );

    result.noise = Noise::default();
    let claims = result.claims();
    assert!(
        claims[0].starts_with("different answers: fast and slow have RBO 0.000"),
        "{claims:?}"
    );
    assert!(claims[1].starts_with("fast is "), "{claims:?}");
    result.noise.reasons.push("the fan was loud".into());
    let claims = result.claims();
    assert_eq!(claims[1], "noisy, no claim about speed: the fan was loud");
    assert!(!result.is_sound());
    check_formats(&result);
}

fn check_formats(result: &BenchResult) {
    let render = |format| result.render(format, 200).expect("the format is possible");
    let table = render(ResultFormat::Table);
    assert!(
        table.contains("closed:1") && table.contains("response"),
        "{table}"
    );
    assert!(render(ResultFormat::Md).contains("| fast | open:50/s | response |"));
    let csv = render(ResultFormat::Csv);
    assert!(
        csv.starts_with("engine,load,name,value,low,high\nfast,closed:1,service p50,0.002"),
        "{csv}"
    );
    let json: serde_json::Value = serde_json::from_str(&render(ResultFormat::Json)).expect("JSON");
    let histogram = &json["engines"][0]["loads"][1]["repetitions"][0]["response_histogram"];
    assert!(
        histogram
            .as_str()
            .is_some_and(|text| text.starts_with("HIST"))
    );
    assert_eq!(json["engines"][0]["failed_topics"][0]["topic"], "4");
    let plot = result.pareto().expect("there is quality");
    assert!(plot.title.contains("P@1"));
}

#[test]
fn the_highest_rate_is_found() {
    let opened = Mutex::default();
    let engine = Sleeping {
        name: "e",
        pause: Duration::from_millis(10),
        doc: "d",
        opened: &opened,
    };
    let settings = BenchSettings {
        find_rate: Some("p50<100ms".parse::<Target>().expect("a target")),
        clients: Some(1),
        repetitions: 1,
        length: Duration::from_millis(800),
        ..settings(&["closed:1"])
    };
    let result = bench(&[&engine], &queries(&["a"]), None, &settings).expect("the engine works");
    let found = result.engines[0].found_rate.as_ref().expect("a search");
    // One client with 10 ms per request answers at most 100 requests per second; half of the requests of 800 ms may wait a little.
    let rate = found.rate.expect("a rate");
    assert!((30.0..200.0).contains(&rate), "{rate}");
    assert!(found.probes.iter().any(|probe| !probe.is_met));
}

#[test]
fn an_engine_that_answers_nothing_is_an_error() {
    let opened = Mutex::default();
    let engine = Sleeping {
        name: "e",
        pause: Duration::ZERO,
        doc: "d",
        opened: &opened,
    };
    let failed = bench(
        &[&engine],
        &queries(&["bad"]),
        None,
        &settings(&["closed:1"]),
    );
    let error = failed.expect_err("no topic is answered");
    assert_eq!(error.to_string(), "engine `e`: failed: a bad topic");
    assert!(bench(&[], &queries(&["a"]), None, &settings(&[])).is_err());
}
