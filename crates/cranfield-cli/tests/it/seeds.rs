//! The worked examples of the source documents, each number of each case, through the library.
//!
//! The file is in a folder `shared` next to the repository, or in the folder `CRANFIELD_SHARED`. Exact numbers must agree within
//! 1e-12; printed ones within a unit of their last digit, as the sources cut here and round there.

use std::collections::BTreeMap;

use cranfield::core::measure::Aggregate;
use cranfield::core::vectors::{Curve, CurvePoint, avg_pos};
use cranfield::{
    Conventions, Plan, Qrels, Run, RunScores, evaluate_run, parse_measures, parse_vectors,
};
use serde_json::Value;

/// Numbers that the sources print but their formulas do not give: truncated precisions were added.
const SLIPS: [(&str, &str); 2] = [("ntust-map", "MAP"), ("ntust-map", "MAP_at_8")];

/// The case of two sets of judgements. Two of its percentages were put up so that columns add to 100: 691 of 2772 is 24.9 and not
/// 25.0, 364 of 5737 is 6.3 and not 6.4.
const TABLE: &str = "jk-table1";
const TABLE_SLIPS: [(f64, f64); 2] = [(24.9, 25.0), (6.3, 6.4)];

fn cases() -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(cranfield_testkit::golden("seeds.json")?).unwrap();
    let seeds: Value = serde_json::from_str(&text).unwrap();
    Some(seeds["cases"].as_array().unwrap().clone())
}

/// A topic: grades in rank order, and those of judged documents that were not retrieved.
#[derive(Clone, Debug)]
struct Topic {
    ranking: Vec<f64>,
    missed: Vec<f64>,
}

impl Topic {
    /// A binary ranking from its relevant ranks and the number of relevant documents.
    fn binary(depth: usize, ranks: &[f64], relevant: usize) -> Self {
        let grade = |rank: usize| f64::from(u8::from(ranks.contains(&(rank as f64))));
        Self {
            ranking: (1..=depth).map(grade).collect(),
            missed: vec![1.0; relevant - ranks.len()],
        }
    }

    /// A graded ranking; the ideal has more documents of some grades.
    fn graded(ranking: Vec<f64>, ideal: &[f64]) -> Self {
        let mut missed = ideal.to_vec();
        for grade in &ranking {
            if let Some(at) = missed.iter().position(|other| other == grade) {
                missed.remove(at);
            }
        }
        Self { ranking, missed }
    }
}

/// Scores of topics under measures and vectors.
struct Evaluated {
    plan: Plan,
    scores: RunScores,
}

fn evaluate(topics: &[Topic], measures: &str, vectors: &str) -> Evaluated {
    let (mut judged, mut retrieved) = (Vec::new(), Vec::new());
    for (number, topic) in topics.iter().enumerate() {
        let id = format!("q{number}");
        let all = topic.ranking.iter().chain(&topic.missed).enumerate();
        for (document, grade) in all {
            judged.push((id.clone(), format!("d{document}"), *grade));
        }
        for document in 0..topic.ranking.len() {
            let score = -(document as f64);
            retrieved.push((id.clone(), format!("d{document}"), score));
        }
    }
    let qrels = Qrels::from_judgements(judged.iter().map(|(q, d, g)| (q.as_str(), d.as_str(), *g)));
    let run = Run::from_scores(
        "seeds",
        retrieved
            .iter()
            .map(|(q, d, s)| (q.as_str(), d.as_str(), *s)),
    );
    let conventions = Conventions::default();
    let plan = Plan {
        measures: parse_measures(measures, &conventions).unwrap(),
        vectors: parse_vectors(vectors, &conventions).unwrap(),
        topic_vectors: true,
        ..Plan::default()
    };
    let scores = evaluate_run(&run, &qrels, &plan);
    Evaluated { plan, scores }
}

impl Evaluated {
    fn mean(&self, vector: usize) -> Vec<f64> {
        let mean = self.scores.mean_vector(&self.plan, vector);
        mean.into_iter().map(Option::unwrap).collect()
    }

    fn vector(&self, topic: usize, vector: usize) -> Vec<f64> {
        let values = self.scores.topic_vector(&self.plan, topic, vector).unwrap();
        values.into_iter().map(Option::unwrap).collect()
    }

    fn measure(&self, topic: usize, measure: usize) -> f64 {
        self.scores.row(topic)[measure]
    }
}

/// Expected numbers of a case, by key.
type Computed = BTreeMap<String, Value>;

fn computed<const N: usize>(pairs: [(&str, Value); N]) -> Computed {
    pairs
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    let items = value.as_array().unwrap();
    items.iter().map(|item| item.as_f64().unwrap()).collect()
}

const ELEVEN: &str = "IPrec";

fn binary_case(case: &Value, depth: usize) -> Computed {
    let relevant = case["num_relevant"].as_u64().unwrap() as usize;
    let topic = Topic::binary(depth, &numbers(&case["relevant_ranks"]), relevant);
    let vectors = format!("P@{depth} R@{depth} {ELEVEN} PR@{depth}");
    let evaluated = evaluate(&[topic], "AP IAP Rprec RR P@5 P@15", &vectors);
    let curve: Curve = evaluated.scores.topic_curve(&evaluated.plan, 0, 3).unwrap();
    let points = |part: fn(&CurvePoint) -> f64| {
        let values: Vec<f64> = curve.points().iter().map(part).collect();
        Value::from(values)
    };
    let measure = |place: usize| Value::from(evaluated.measure(0, place));
    computed([
        ("precision_at", evaluated.vector(0, 0).into()),
        ("recall_at", evaluated.vector(0, 1).into()),
        ("iprec_at_recall", evaluated.vector(0, 2).into()),
        ("recall_points", points(|point| point.recall)),
        ("precision_points", points(|point| point.precision)),
        ("AP", measure(0)),
        ("AP_11pt", measure(1)),
        ("Rprec", measure(2)),
        ("RR", measure(3)),
        ("P@5", measure(4)),
        ("P@15", measure(5)),
    ])
}

/// The rankings of the first course, by letter.
fn webis(cases: &[Value], letters: &str) -> Vec<Topic> {
    let topic = |letter: char| {
        let id = format!("webis-ranking-{letter}");
        let case = cases.iter().find(|case| case["id"] == *id).unwrap();
        let relevant = case["num_relevant"].as_u64().unwrap() as usize;
        Topic::binary(10, &numbers(&case["relevant_ranks"]), relevant)
    };
    letters.chars().map(topic).collect()
}

/// Vectors of one graded ranking; the ideal is that of the ranking or of the recall base.
fn gain_case(case: &Value, parameters: &str, ideal: &[f64]) -> Computed {
    let topic = Topic::graded(numbers(&case["gains"]), ideal);
    let depth = ideal.len();
    let vectors = format!(
        "CG@10 DCG({parameters})@10 IDCG(discount='none')@{depth} IDCG({parameters})@{depth} nCG@10 nDCG({parameters})@10"
    );
    let evaluated = evaluate(&[topic], "AP", &vectors);
    let vector = |place: usize| Value::from(evaluated.vector(0, place));
    let normalised = evaluated
        .scores
        .topic_vector(&evaluated.plan, 0, 5)
        .unwrap();
    computed([
        ("CG", vector(0)),
        ("DCG", vector(1)),
        ("ICG", vector(2)),
        ("IDCG", vector(3)),
        ("nCG", vector(4)),
        ("nDCG", vector(5)),
        ("avg_pos_10_nDCG", avg_pos(&normalised, 10).into()),
    ])
}

fn mean_case(case: &Value) -> Computed {
    let topics = case["gains"].as_array().unwrap().iter();
    let topics: Vec<Topic> = topics
        .zip(case["ideal"].as_array().unwrap())
        .map(|(gains, ideal)| Topic::graded(numbers(gains), &numbers(ideal)))
        .collect();
    let jk = "discount='jk', base=2";
    let vectors = format!(
        "CG@15 DCG({jk})@15 IDCG(discount='none')@15 IDCG({jk})@15 nCG(average='means')@15 \
         nDCG({jk}, average='means')@15 nDCG({jk})@15"
    );
    let evaluated = evaluate(&topics, "AP", &vectors);
    let both =
        |place: usize| Value::from(vec![evaluated.vector(0, place), evaluated.vector(1, place)]);
    let mean = |place: usize| Value::from(evaluated.mean(place));
    computed([
        ("CG", both(0)),
        ("DCG", both(1)),
        ("mean_CG", mean(0)),
        ("mean_DCG", mean(1)),
        ("mean_ICG", mean(2)),
        ("mean_IDCG", mean(3)),
        ("NCG_of_means", mean(4)),
        ("NDCG_of_means", mean(5)),
        ("mean_of_NDCG", mean(6)),
        // What the source prints as NCG and NDCG are its normalised means.
        ("NCG", mean(4)),
        ("NDCG", mean(5)),
    ])
}

fn map_case(case: &Value) -> Computed {
    let topics = case["topics"].as_array().unwrap().iter().map(|topic| {
        let relevant = topic["num_relevant"].as_u64().unwrap() as usize;
        Topic::binary(15, &numbers(&topic["relevant_ranks"]), relevant)
    });
    let evaluated = evaluate(&topics.collect::<Vec<_>>(), "AP AP@8 Rprec", "");
    let both = |place: usize| {
        Value::from(vec![
            evaluated.measure(0, place),
            evaluated.measure(1, place),
        ])
    };
    computed([
        ("AP", both(0)),
        ("Rprec", both(2)),
        ("MAP", evaluated.scores.aggregate(0).into()),
        ("MAP_at_8", evaluated.scores.aggregate(1).into()),
    ])
}

fn reciprocal_case(case: &Value) -> Computed {
    let ranks = numbers(&case["first_relevant_ranks"]);
    let topics: Vec<Topic> = ranks
        .iter()
        .map(|rank| Topic::binary(10, &[*rank], 1))
        .collect();
    let evaluated = evaluate(&topics, &format!("RR@{}", case["cutoff"]), "");
    computed([("MRR@5", evaluated.scores.aggregate(0).into())])
}

/// Precision 0.5 and recall 0.25.
fn e_case() -> Computed {
    let topic = Topic {
        ranking: vec![1.0, 0.0],
        missed: vec![1.0; 3],
    };
    let evaluated = evaluate(&[topic], "E(beta=1) E(beta=0) E(beta=2)", "");
    let measure = |place: usize| Value::from(evaluated.measure(0, place));
    computed([
        ("P=.5,R=.25,b=1", measure(0)),
        ("P=.5,R=.25,b=0", measure(1)),
        ("P=.5,R=.25,b=2", measure(2)),
    ])
}

/// Two curves in percent, rounded by the source, of which only the mean is wanted.
fn curve_case(case: &Value) -> Computed {
    let (first, second) = (numbers(&case["q1"]), numbers(&case["q2"]));
    let mean = first
        .iter()
        .zip(second)
        .map(|(a, b)| Aggregate::Mean.of([*a, b]));
    computed([("mean", mean.collect::<Vec<_>>().into())])
}

/// The table that `cranfield agree` prints of two qrels with the case's counts, as numbers: of each row the counts and the
/// percentages of its columns.
fn printed_table(case: &Value) -> BTreeMap<String, [Vec<f64>; 2]> {
    let folder = tempfile::tempdir().unwrap();
    let (mut original, mut again, mut number) = (String::new(), String::new(), 0);
    for (level, counts) in case["exact"]["levels"].as_object().unwrap() {
        // The columns of the case are relevant, not relevant, total.
        for (grade, count) in [1, 0].iter().zip(numbers(counts)) {
            for _ in 0..count as usize * usize::from(level != "total") {
                number += 1;
                original.push_str(&format!("1 0 d{number} {grade}\n"));
                again.push_str(&format!("1 0 d{number} {level}\n"));
            }
        }
    }
    let [first, second] = ["original", "again"].map(|name| folder.path().join(name));
    std::fs::write(&first, original).unwrap();
    std::fs::write(&second, again).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cranfield"));
    let output = command.arg("agree").args([first, second]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text.lines().skip(2).take_while(|line| !line.is_empty());
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        let level = words.next().unwrap().to_owned();
        let values: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        let [counts, percents] = [0, 1].map(|offset| {
            // Printed: not relevant, relevant, total.
            [2, 0, 4].map(|column| values[column + offset]).to_vec()
        });
        (level, [counts, percents])
    };
    rows.map(row).collect()
}

fn table_case(case: &Value) -> Computed {
    let table = printed_table(case);
    let part = |at: usize| -> Value {
        let rows = table.iter();
        rows.map(|(level, parts)| (level.clone(), Value::from(parts[at].clone())))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    computed([("levels", part(0)), ("percent_of_column", part(1))])
}

fn compute(case: &Value, cases: &[Value]) -> Computed {
    let id = case["id"].as_str().unwrap();
    let map = |letters: &str| {
        evaluate(&webis(cases, letters), "AP", "")
            .scores
            .aggregate(0)
    };
    let curve = |letters: &str| {
        let mean = evaluate(&webis(cases, letters), "AP", ELEVEN).mean(0);
        computed([("mean_iprec", mean.into())])
    };
    match id {
        "webis-map" => computed([
            ("MAP_system1", map("AC").into()),
            ("MAP_system2", map("BD").into()),
        ]),
        "webis-avg-pr-curve-system1" => curve("AC"),
        "webis-avg-pr-curve-system2" => curve("BD"),
        "webis-ndcg-exp" => gain_case(
            case,
            "gains='exp', ideal='ranking'",
            &numbers(&case["ideal"]),
        ),
        "jk-dcg-base2" | "jk-dcg-base10" => {
            let parameters = format!("discount='jk', base={}", case["base"]);
            gain_case(case, &parameters, &numbers(&case["ideal_recall_base"]))
        }
        "ntust-avg-curve" => curve_case(case),
        "ntust-map" => map_case(case),
        "ntust-mrr5" => reciprocal_case(case),
        "ntust-cg" => mean_case(case),
        "e-measure" => e_case(),
        TABLE => table_case(case),
        _ if id.starts_with("webis-ranking-") => binary_case(case, 10),
        _ if id.starts_with("ntust-example-") => binary_case(case, 15),
        _ => panic!("no computation for {id}"),
    }
}

/// Compares numbers, lists and objects of them; a list that is expected may be shorter. Returns how many were compared.
fn compare(found: &Value, expected: &Value, tolerance: f64, what: &str) -> usize {
    if let Some(expected) = expected.as_object() {
        let members = expected.iter();
        return members
            .map(|(key, value)| compare(&found[key], value, tolerance, &format!("{what} {key}")))
            .sum();
    }
    if let Some(expected) = expected.as_array() {
        let found = found
            .as_array()
            .unwrap_or_else(|| panic!("{what}: {found}"));
        assert!(found.len() >= expected.len(), "{what}: {found:?}");
        let pairs = found.iter().zip(expected);
        return pairs
            .map(|(found, expected)| compare(found, expected, tolerance, what))
            .sum();
    }
    let (found, expected) = (found.as_f64().unwrap(), expected.as_f64().unwrap());
    let difference = (found - expected).abs();
    let is_slip = what.starts_with(TABLE) && TABLE_SLIPS.contains(&(found, expected));
    assert!(
        difference <= tolerance || is_slip,
        "{what}: {found}, expected {expected}"
    );
    1
}

/// A unit of the last digit that a printed value has, or any value of its list.
fn unit(printed: &Value) -> f64 {
    let digits = |value: &Value| {
        let text = value.to_string();
        text.split_once('.').map_or(0, |(_, digits)| digits.len())
    };
    let most = match printed.as_array() {
        Some(values) => values.iter().map(digits).max().unwrap_or(0),
        None => digits(printed),
    };
    0.1f64.powf(most as f64)
}

#[test]
fn every_number_of_the_sources() {
    let Some(cases) = cases() else {
        return;
    };
    let (mut exact, mut printed) = (0, 0);
    for case in &cases {
        let id = case["id"].as_str().unwrap();
        let found = compute(case, &cases);
        let value = |key: &String| {
            found
                .get(key)
                .unwrap_or_else(|| panic!("{id}: {key} is not computed"))
        };
        for (key, expected) in case["exact"].as_object().unwrap() {
            exact += compare(value(key), expected, 1e-12, &format!("{id} {key}"));
        }
        let Some(shown) = case["printed"].as_object() else {
            continue;
        };
        for (key, expected) in shown {
            if SLIPS.contains(&(id, key.as_str())) {
                continue;
            }
            // One value is printed as a fraction.
            let expected = if expected == "4/9" {
                &Value::from(4.0 / 9.0)
            } else {
                expected
            };
            printed += compare(value(key), expected, unit(expected), &format!("{id} {key}"));
        }
    }
    assert_eq!((cases.len(), exact, printed), (18, 583, 126));
}
