//! Relevant documents that strategies find on two TREC tracks, against values computed by an independent program.

use std::path::Path;
use std::sync::Arc;

use cranfield_core::policy::TieBreak;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_eval::{Conventions, Inputs, Request, RunInput, parse_measures};
use cranfield_io::{Source, expand_paths, read_qrels, read_run};
use cranfield_pool::missing::{MissingSettings, missing};
use cranfield_pool::{
    Coverage, Groups, PoolSettings, PoolStats, Rankings, Vote, VoteSettings, bias, make, settle,
    votes,
};

/// Runs and judgements of a track.
struct Track {
    runs: Vec<(String, Arc<Run>)>,
    qrels: Arc<Qrels>,
}

impl Track {
    fn rankings(&self) -> Rankings {
        Rankings::new(&self.runs, TieBreak::DocidDesc, Some(100)).unwrap()
    }

    fn inputs(&self) -> Inputs {
        let runs = self.runs.iter();
        let runs = runs.map(|(name, run)| RunInput::new(name, Arc::clone(run)));
        Inputs::in_memory(Arc::clone(&self.qrels), runs)
    }
}

fn average_precision() -> Request {
    Request::of_measures(parse_measures("AP", &Conventions::default()).unwrap())
}

fn track(name: &str) -> Option<Track> {
    let folder = cranfield_testkit::golden(&format!("tracks/{name}"))?;
    let read = |path: &Path| read_run(&Source::open(path).unwrap(), None).unwrap();
    let mut paths = expand_paths(&[folder.join("runs")]).unwrap();
    paths.sort();
    let named = paths.iter().map(|path| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, Arc::new(read(path)))
    });
    let qrels = ["qrels.txt.gz", "qrels-rnd1.txt"].map(|name| folder.join(name));
    let qrels = qrels.into_iter().find(|path| path.exists()).unwrap();
    let qrels = read_qrels(&Source::open(qrels).unwrap(), None).unwrap();
    Some(Track {
        runs: named.collect(),
        qrels: Arc::new(qrels),
    })
}

const STRATEGIES: [&str; 8] = [
    "take",
    "rrf(60)",
    "rbp(0.8)",
    "rbp(0.95)",
    "mtf",
    "mm(1)",
    "mm(0.9)",
    "hedge(0.1)",
];

/// Relevant documents found with 25 and with 100 documents per topic.
fn check(name: &str, expected: [(usize, usize); 8], all: usize) {
    let Some(track) = track(name) else {
        return;
    };
    let rankings = track.rankings();
    let found = |strategy: &str, budget| {
        let settings = PoolSettings {
            budget,
            ..PoolSettings::new(strategy.parse().unwrap())
        };
        make(&rankings, &settings, Some(&track.qrels)).relevant()
    };
    assert_eq!(found("take", None), all);
    for (strategy, (few, many)) in STRATEGIES.into_iter().zip(expected) {
        let counts = (found(strategy, Some(25)), found(strategy, Some(100)));
        if strategy.starts_with("hedge") {
            let near = |x: usize, y: usize| x.abs_diff(y) * 100 <= y;
            assert!(near(counts.0, few) && near(counts.1, many), "{counts:?}");
        } else {
            assert_eq!(counts, (few, many), "{name} {strategy}");
        }
    }
    assert_eq!(found("mm(0)", Some(100)), found("mtf", Some(100)));
}

#[test]
fn relevant_documents_found_on_robust03() {
    let expected = [
        (745, 1655),
        (854, 1815),
        (810, 1675),
        (849, 1761),
        (903, 1874),
        (882, 2104),
        (896, 2101),
        (1032, 2192),
    ];
    check("robust03", expected, 3323);
}

#[test]
fn relevant_documents_found_on_covid_round_1() {
    let expected = [
        (384, 996),
        (489, 1184),
        (463, 1025),
        (496, 1182),
        (410, 1106),
        (397, 1051),
        (405, 1106),
        (430, 1101),
    ];
    check("covid-round1", expected, 2085);
}

/// Tau of the orders by votes with the order by AP. Each of Soboroff's draws differs, and Nuray and Can leave the weights of ranks open.
fn check_votes(name: &str, expected: [(f64, f64); 5]) {
    let Some(track) = track(name) else {
        return;
    };
    let settings = VoteSettings {
        draws: 20,
        ..VoteSettings::default()
    };
    let request = average_precision();
    let truth = Some((track.inputs(), &request));
    let votes = votes(&track.inputs(), &track.rankings(), &settings, truth).unwrap();
    for (vote, (expected, tolerance)) in Vote::ALL.into_iter().zip(expected) {
        let tau = votes.tau(vote).unwrap();
        let is_near = (tau - expected).abs() <= tolerance + 0.005;
        assert!(is_near, "{name} {}: {tau}, not {expected}", vote.name());
    }
}

#[test]
fn votes_on_robust03() {
    let expected = [
        (0.43, 0.06),
        (0.25, 0.0),
        (0.37, 0.0),
        (0.60, 0.06),
        (0.38, 0.0),
    ];
    check_votes("robust03", expected);
}

#[test]
fn votes_on_covid_round_1() {
    let expected = [
        (0.69, 0.06),
        (0.69, 0.0),
        (0.86, 0.0),
        (0.33, 0.06),
        (0.80, 0.0),
    ];
    check_votes("covid-round1", expected);
}

/// What the guide prints about runs that are left out of a pool of the depth to which they are judged.
struct LeftOut {
    depth: usize,
    /// Judged documents and documents of the pool.
    judged: (usize, usize),
    loser: (&'static str, &'static str),
    mean_change: &'static str,
    least_tau: (&'static str, &'static str),
}

fn check_bias(name: &str, expected: &LeftOut) {
    let Some(track) = track(name) else {
        return;
    };
    let (rankings, coverage) =
        Coverage::cut(&track.runs, TieBreak::DocidDesc, None, &track.qrels).unwrap();
    assert_eq!(coverage.depth, expected.depth);
    assert_eq!((coverage.judged, coverage.documents), expected.judged);
    let groups = Groups::single(&rankings.names);
    let request = average_precision();
    let found = bias(&track.inputs(), &request, &rankings, &groups, 1.0).unwrap();
    let drop = found.largest_drop().unwrap();
    let loser = (drop.run.as_str(), &*format!("{:.4}", drop.change()));
    assert_eq!(loser, expected.loser);
    assert_eq!(format!("{:.4}", found.mean_change()), expected.mean_change);
    let (run, tau) = found.least_tau().unwrap();
    let least = (run.run.as_str(), &*format!("{tau:.4}"));
    assert_eq!(least, expected.least_tau);
    // A run cannot lose documents that others contributed, too.
    let stats = PoolStats::new(&rankings, &groups, Some(&track.qrels), 1.0);
    for (run, contribution) in found.runs.iter().zip(&stats.of_runs) {
        assert_eq!(
            run.removed_relevant, contribution.unique_relevant,
            "{}",
            run.run
        );
    }
}

#[test]
fn runs_left_out_of_robust03() {
    let expected = LeftOut {
        depth: 100,
        judged: (41965, 49528),
        loser: ("input.uic0301", "-0.0083"),
        mean_change: "0.0014",
        least_tau: ("input.InexpC2", "1.0000"),
    };
    check_bias("robust03", &expected);
}

#[test]
fn runs_left_out_of_covid_round_1() {
    let expected = LeftOut {
        depth: 7,
        judged: (2650, 3225),
        loser: ("run1", "-0.0341"),
        mean_change: "0.0145",
        least_tau: ("RMITBM1", "0.9493"),
    };
    check_bias("covid-round1", &expected);
}

/// The pool to depth 100 holds all relevant documents that the runs have there; deeper documents are missing.
#[test]
fn relevant_documents_missing_from_a_shallow_pool() {
    let Some(track) = track("robust03") else {
        return;
    };
    let shallow = Rankings::new(&track.runs, TieBreak::DocidDesc, Some(50)).unwrap();
    let groups = Groups::single(&shallow.names);
    let settings = MissingSettings {
        to: 100,
        ..MissingSettings::default()
    };
    let found = missing(&shallow, &groups, &track.qrels, &settings);
    let beyond = found.growth.extrapolation.unwrap().estimate;
    // Down to depth 100 the judgements know 3323 of them; the decline of the first 50 ranks predicts that within 5 %.
    assert!((beyond.total / 3323.0 - 1.0).abs() < 0.05, "{beyond:?}");
    let (low, high) = beyond.interval.unwrap();
    assert!(low < 3323.0 && 3323.0 < high, "{beyond:?}");
    assert!(found.two_captures.total >= found.two_captures.found);
}

/// Two runs whose comparison a person would settle: the list is short, and is found in seconds.
#[test]
fn comparisons_on_robust03_are_settled_fast() {
    let Some(track) = track("robust03") else {
        return;
    };
    let runs = track.runs[..2].iter();
    let runs = runs.map(|(name, run)| RunInput::new(name, Arc::clone(run)));
    let inputs = Inputs::in_memory(Arc::clone(&track.qrels), runs);
    for measure in ["nDCG@10", "P@10"] {
        let start = std::time::Instant::now();
        let measures = parse_measures(measure, &Conventions::default()).unwrap();
        let settled = settle(&inputs, &Request::of_measures(measures))
            .unwrap()
            .unwrap();
        assert!(settled.settled_lead > 0.0);
        // Both runs together have 2,000 places among the first ten documents.
        assert!(settled.documents.len() < 200, "{}", settled.documents.len());
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
