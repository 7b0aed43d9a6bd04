//! Tuning of systems whose best points are known.

use std::collections::BTreeSet;
use std::sync::Mutex;

use cranfield_collection::Document;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_render::{Render, ResultFormat};
use cranfield_search::{Analyzer, Index, IndexOptions, build};

use super::*;

fn topics(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("{at:03}")).collect()
}

fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(ToString::to_string).collect()
}

fn grid(text: &str) -> Vec<String> {
    names(&text.parse::<Space>().unwrap().grid().unwrap())
}

/// The point travels in the tag of the run, so that a test can give it any score.
#[allow(clippy::unnecessary_wraps, reason = "the signature of a candidate")]
fn tagged(point: &Point, topics: &[&str]) -> Result<Run, TuneError> {
    Ok(Run::from_scores(
        &point.to_string(),
        topics.iter().map(|topic| (*topic, "d", 1.0)),
    ))
}

/// Scores by a function of point and topic.
struct Scored<F>(F);

impl<F: Fn(&Point, &str) -> f64 + Sync> Judge for Scored<F> {
    fn measure(&self) -> &'static str {
        "AP"
    }

    fn scores(&self, run: &Run, topics: &[&str]) -> Result<Vec<f64>, TuneError> {
        let point: Point = run.tag().parse()?;
        Ok(topics.iter().map(|topic| (self.0)(&point, topic)).collect())
    }
}

fn x(point: &Point) -> f64 {
    point.number("x").unwrap()
}

fn number(topic: &str) -> u32 {
    topic.parse().unwrap()
}

fn tune(
    score: impl Fn(&Point, &str) -> f64 + Sync,
    space: &str,
    default: &str,
    settings: &Settings,
) -> Tuned {
    let judge = Scored(score);
    let space = space.parse().unwrap();
    let mut tuner =
        Tuner::new(&tagged, &judge, topics(20), space, default.parse().unwrap()).unwrap();
    tuner.tune(settings).unwrap()
}

#[test]
fn steps_are_decimal_numbers() {
    let expected = [
        "b=0", "b=0.1", "b=0.2", "b=0.3", "b=0.4", "b=0.5", "b=0.6", "b=0.7", "b=0.8", "b=0.9",
        "b=1",
    ];
    assert_eq!(grid("b=0..1 step 0.1"), expected);
    assert_eq!(grid("b=0..1"), expected);
    assert_eq!(grid("b=0.5..2 step 0.75"), ["b=0.5", "b=1.25", "b=2"]);
    assert_eq!(grid("b=-1..1 points 3"), ["b=-1", "b=0", "b=1"]);
    assert_eq!(
        grid("mu=log 0.1..10 points 5"),
        ["mu=0.1", "mu=0.3162", "mu=1", "mu=3.162", "mu=10"]
    );
    assert_eq!(
        grid("model=[BM25, 'DPH']; c=2"),
        ["model=BM25, c=2", "model=DPH, c=2"]
    );
}

/// The numbers of ways to write 10 as a sum of 3 and of 4 numbers; adding tenths as floating-point numbers finds only 62 and 256.
#[test]
fn simplexes_are_complete() {
    let points = grid("w=simplex(3) step 0.1");
    assert_eq!(points.len(), 66);
    assert_eq!(points[0], "w1=0, w2=0, w3=1");
    assert!(points.contains(&"w1=0.1, w2=0.2, w3=0.7".into()));
    assert_eq!(
        grid("w=simplex(4) step 0.1")
            .iter()
            .collect::<BTreeSet<_>>()
            .len(),
        286
    );
}

#[test]
fn wrong_spaces_are_errors() {
    for text in [
        "",
        "k1",
        "k1=",
        "=1",
        "k1=[1,,2]",
        "k1=[1",
        "b=1..0",
        "b=0..1 step 0",
        "b=0..1 step -1",
        "b=0..1 steps 3",
        "b=log 0..1",
        "b=0..1 points 1",
        "b=0..1 step 1 more",
        "w=simplex(1) step 0.1",
        "w=simplex(3) step 0.3",
        "b=0..nan",
        "k=1; k=2",
        "b=0..1 step 1e-12",
    ] {
        assert!(text.parse::<Space>().is_err(), "{text}");
    }
    let wide: Space = "a=0..1 step 0.001; b=0..1 step 0.001".parse().unwrap();
    assert!(
        wide.grid()
            .unwrap_err()
            .to_string()
            .contains("1002001 points")
    );
}

#[test]
fn names_of_points_parse_back() {
    let point: Point = "k1=0.9, model=BM25".parse().unwrap();
    assert_eq!(point.to_string().parse::<Point>().unwrap(), point);
    for wrong in ["k1", "k1=1, k1=2", "=3", "a="] {
        assert!(wrong.parse::<Point>().is_err(), "{wrong}");
    }
}

/// Every topic rewards the point with its own number, so whatever is chosen on other topics is worth nothing on a test topic.
#[test]
fn what_is_learnt_by_heart_is_optimism() {
    let own =
        |point: &Point, topic: &str| f64::from(u8::from(x(point) == f64::from(number(topic))));
    let tuned = tune(own, "x=0..19 step 1", "x=100", &Settings::of_folds(5));
    assert!((tuned.train() - 1.0 / 16.0).abs() < 1e-12);
    assert_eq!((tuned.test(), tuned.default_test()), (0.0, 0.0));
    assert!((tuned.optimism() - 1.0 / 16.0).abs() < 1e-12);
    assert!((tuned.overall.1 - 1.0 / 20.0).abs() < 1e-12);
}

#[test]
fn a_better_point_is_found_and_claimed() {
    let peak = |point: &Point, topic: &str| {
        0.5 - (x(point) - 2.0).abs() / 10.0 + f64::from(number(topic) % 3) / 100.0
    };
    for search in [Search::Grid, Search::Coordinate] {
        let settings = Settings {
            search,
            ..Settings::of_folds(4)
        };
        let tuned = tune(peak, "x=0..4 step 1; y=[1, 2]", "x=4, y=2", &settings);
        // y makes no difference, so the default's value stays.
        assert!(
            tuned
                .folds
                .iter()
                .all(|fold| fold.point.to_string() == "x=2, y=2")
        );
        assert!((tuned.test() - tuned.default_test() - 0.2).abs() < 1e-12);
        assert!(
            tuned
                .claim()
                .unwrap()
                .headline
                .ends_with("tuned is better."),
            "{:?}",
            tuned.claim()
        );
    }
}

#[test]
fn of_equal_points_the_nearest_to_the_default_is_chosen() {
    let flat = |point: &Point, _: &str| f64::from(u8::from(x(point) != 3.0));
    let tuned = tune(flat, "x=[1, 2, 3, 4.5]", "x=3", &Settings::of_folds(2));
    assert!(
        tuned
            .folds
            .iter()
            .all(|fold| fold.point.to_string() == "x=2")
    );
}

#[test]
fn one_standard_error_keeps_the_default() {
    // Better on even topics, worse on odd ones, and a little better on average; each fold has as many of both.
    let noisy = |point: &Point, topic: &str| match (x(point) as i32, number(topic) % 2) {
        (2, 0) => 0.9,
        (2, _) => 0.22,
        (_, 0) => 0.6,
        _ => 0.5,
    };
    let best = tune(noisy, "x=[1, 2]", "x=1", &Settings::of_folds(5));
    assert!(
        best.folds
            .iter()
            .any(|fold| fold.point.to_string() == "x=2")
    );
    let settings = Settings {
        choice: Choice::OneSe,
        ..Settings::of_folds(5)
    };
    let careful = tune(noisy, "x=[1, 2]", "x=1", &settings);
    assert!(
        careful
            .folds
            .iter()
            .all(|fold| fold.point.to_string() == "x=1")
    );
    assert_eq!(
        careful.claim().unwrap().headline,
        "0 AP from default to tuned: identical scores on all 20 topics."
    );
}

#[test]
fn random_search_depends_on_the_seed_only() {
    let points = Mutex::new(BTreeSet::new());
    let peak = |point: &Point, _: &str| {
        points.lock().unwrap().insert(point.to_string());
        -(x(point) - 2.0).abs()
    };
    let settings = |seed| Settings {
        search: Search::Random(30),
        seed,
        ..Settings::of_folds(2)
    };
    let first = tune(peak, "x=log 0.1..100; y=[a, b]", "x=1, y=a", &settings(1));
    assert_eq!(points.lock().unwrap().len(), 31);
    let again = tune(peak, "x=log 0.1..100; y=[a, b]", "x=1, y=a", &settings(1));
    assert_eq!(first.folds, again.folds);
    assert_ne!(
        first.folds,
        tune(peak, "x=log 0.1..100; y=[a, b]", "x=1, y=a", &settings(2)).folds
    );
}

/// The test topics are judged for two points only: the default, which deals the folds, and the one that was chosen without them.
/// Their judgements panic for any other, among them the point that would be best for them.
#[test]
fn test_judgements_are_not_touched_before_a_point_is_chosen() {
    let asked = Mutex::new(Vec::new());
    let guarded = |point: &Point, topic: &str| {
        let is_test = number(topic) >= 12;
        let allowed = [1.0, 2.0].contains(&x(point));
        assert!(
            !is_test || allowed,
            "{point} was scored on the test topic {topic}"
        );
        asked.lock().unwrap().push((x(point) as u32, is_test));
        match x(point) as u32 {
            2 => 0.5,
            1 => 0.4,
            _ => 0.1,
        }
    };
    let side = |at: u32| if at >= 12 { "test" } else { "train" };
    let splits: Assignments = (0..20)
        .map(|at| (format!("{at:03}"), side(at).to_owned()))
        .collect();
    let judge = Scored(guarded);
    let space = "x=[2, 3, 4]".parse().unwrap();
    let default = "x=1".parse().unwrap();
    let mut tuner = Tuner::new(&tagged, &judge, topics(20), space, default).unwrap();
    let settings = Settings {
        folding: Folding::Given(splits),
        ..Settings::of_folds(2)
    };
    let tuned = tuner.test_folds(&settings).unwrap();
    assert_eq!(tuned[0].point.to_string(), "x=2");
    assert_eq!((tuned[0].topics, tuned[0].test), (8, 0.5));
    let asked = asked.into_inner().unwrap();
    let first_test = asked.iter().position(|ask| *ask == (2, true)).unwrap();
    let last_train = asked.iter().rposition(|(_, is_test)| !is_test).unwrap();
    assert!(last_train < first_test, "the test topics come last");
}

#[test]
fn scores_are_computed_once() {
    let count = Mutex::new(0);
    let counted = |point: &Point, _: &str| {
        *count.lock().unwrap() += 1;
        x(point)
    };
    let judge = Scored(counted);
    let space: Space = "x=[1, 2, 3]".parse().unwrap();
    let mut tuner = Tuner::new(&tagged, &judge, topics(20), space, "x=1".parse().unwrap()).unwrap();
    for seed in 0..5 {
        tuner
            .tune(&Settings {
                seed,
                ..Settings::of_folds(5)
            })
            .unwrap();
    }
    assert_eq!(*count.lock().unwrap(), 3 * 20);
}

#[test]
fn answers_come_from_the_point_chosen_without_the_topic() {
    let own =
        |point: &Point, topic: &str| f64::from(u8::from(x(point) == f64::from(number(topic))));
    let answer = |point: &Point, topics: &[&str]| {
        let document = format!("d{}", x(point));
        let scores = topics.iter().map(|topic| (*topic, document.clone(), 1.0));
        Ok(Run::from_scores(&point.to_string(), scores))
    };
    let judge = Scored(own);
    let space: Space = "x=0..19 step 1".parse().unwrap();
    let mut tuner =
        Tuner::new(&answer, &judge, topics(20), space, "x=100".parse().unwrap()).unwrap();
    let tuned = tuner.tune(&Settings::of_folds(5)).unwrap();
    let run = tuner.answers(&tuned, &topics(22), "mine").unwrap();
    assert_eq!((run.tag(), run.topics().len()), ("mine", 22));
    for topic in &tuned.topics {
        let entry = run
            .get(topic.id.as_bytes())
            .unwrap()
            .entries()
            .next()
            .unwrap();
        let fold = tuned
            .folds
            .iter()
            .find(|fold| fold.name == topic.fold)
            .unwrap();
        assert_eq!(entry.doc, format!("d{}", x(&fold.point)).as_bytes());
        assert_ne!(entry.doc, format!("d{}", number(&topic.id)).as_bytes());
    }
}

#[test]
fn results_render_in_every_format() {
    let peak = |point: &Point, topic: &str| 0.25 * x(point) + f64::from(number(topic) % 2) / 8.0;
    let tuned = tune(peak, "x=[1, 2]", "x=1", &Settings::of_folds(2));
    let render = |format| tuned.render(format, 80).unwrap();
    let text = render(ResultFormat::Table);
    assert!(
        text.starts_with(
            "AP on 20 topics: 2 folds, stratified by the default's scores; search: grid, 2\npoints; choice: best; seed 42\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("all       20  –      0.5625  0.5625   0.3125\n"),
        "{text}"
    );
    assert!(
        text.contains("+0.2500 AP from default to tuned (0.3125 to 0.5625, +80.0 %)"),
        "{text}"
    );
    assert!(render(ResultFormat::Csv).starts_with("topic,fold,point,tuned,default\n000,"));
    let json = render(ResultFormat::Json);
    assert!(
        json.contains("\"optimism\": 0.0") && json.contains("\"x\": 2.0"),
        "{json}"
    );
    for format in [
        ResultFormat::Md,
        ResultFormat::Latex,
        ResultFormat::Html,
        ResultFormat::Jsonl,
        ResultFormat::Tsv,
    ] {
        assert!(!render(format).is_empty());
    }
}

#[test]
fn measures_that_cannot_be_tuned_are_errors() {
    let judge = |measure| QrelsJudge::new(Qrels::from_judgements([("1", "d", 1.0)]), measure);
    assert!(judge("AP").is_ok());
    for wrong in ["gm_map", "AP RR", "no_such"] {
        assert!(judge(wrong).is_err(), "{wrong}");
    }
}

/// Short documents repeat a term, long ones mention it once: only a model without length normalisation finds the long ones first.
#[test]
fn parameters_of_an_index_are_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let mut documents = Vec::new();
    let mut judgements = Vec::new();
    for topic in 0..6 {
        let term = format!("term{topic}");
        let long = format!("{term} {term} {}", "filler ".repeat(60));
        documents.push((format!("long{topic}"), long));
        documents.push((format!("short{topic}"), term));
        judgements.push((topic.to_string(), format!("long{topic}"), 1.0));
    }
    let documents = documents.into_iter().map(|(id, text)| {
        let fields = vec![("text".to_owned(), text)];
        Ok::<_, cranfield_search::Error>(Document {
            id,
            fields,
            ..Document::default()
        })
    });
    let path = folder.path().join("index");
    let analyzer = Analyzer::named("whitespace").unwrap();
    build(&path, documents, &IndexOptions::new(analyzer)).unwrap();
    let index = std::sync::Arc::new(Index::open(path).unwrap());
    let queries = (0..6).map(|topic| (topic.to_string(), format!("term{topic}")));
    let candidate = IndexCandidate::new(
        index,
        "BM25(k1=1.2, b=0.75)".parse().unwrap(),
        None,
        queries,
        10,
    );
    let space: Space = "b=[0, 0.5, 1]".parse().unwrap();
    let default = candidate.default_point(space.names()).unwrap();
    assert_eq!(default.to_string(), "b=0.75");
    let judge = QrelsJudge::new(Qrels::from_judgements(judgements), "RR").unwrap();
    let topics: Vec<String> = (0..6).map(|topic| topic.to_string()).collect();
    let mut tuner = Tuner::new(&candidate, &judge, judge.judged(&topics), space, default).unwrap();
    let tuned = tuner.tune(&Settings::of_folds(3)).unwrap();
    assert!(
        tuned
            .folds
            .iter()
            .all(|fold| fold.point.to_string() == "b=0")
    );
    assert_eq!((tuned.test(), tuned.default_test()), (1.0, 0.5));
    let unknown = candidate.default_point(["k9"]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "BM25(k1=1.2, b=0.75) has no parameter `k9`"
    );
    assert!(candidate.default_point(["feedback.docs"]).is_err());
}
