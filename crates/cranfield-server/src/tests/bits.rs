//! The server's scores have the bits that `cranfield eval` computes from the same files.

use std::path::Path;

use axum::http::StatusCode;
use cranfield_eval::{Inputs, Request, RunScores};
use cranfield_measures::spec::{Conventions, parse_measures};

use super::Story;
use crate::scoring::of_bytes;

const MEASURES: &str = "nDCG@10 AP P@10 RR R@50 ERR@20 RBP(p=0.8) GMAP bpref";
const TOPICS: u64 = 30;
const RUNS: u64 = 100;

/// Numbers that look random (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }
}

/// Graded judgements, of which some topics have no relevant document.
pub(super) fn qrels(seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let mut text = String::new();
    for topic in 1..=TOPICS {
        for doc in 0..40 {
            let grade = match numbers.below(8) {
                _ if topic % 11 == 0 => 0,
                grade @ 1..=3 => grade,
                _ => 0,
            };
            text.push_str(&format!("{topic} 0 d{doc} {grade}\n"));
        }
    }
    text
}

/// A run with ties, documents without judgements, and topics that are missing.
pub(super) fn random_run(seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let mut text = String::new();
    for topic in 1..=TOPICS {
        if numbers.below(12) == 0 {
            continue;
        }
        let first = numbers.below(60);
        for place in 0..20 + numbers.below(30) {
            let score = numbers.below(30);
            let doc = (first + 7 * place) % 61;
            text.push_str(&format!("{topic} Q0 d{doc} 1 {score}.5 t\n"));
        }
    }
    text
}

/// The library calls of `cranfield eval QRELS RUN -m MEASURES`.
fn eval(qrels: &Path, run: &Path) -> RunScores {
    let measures = parse_measures(MEASURES, &Conventions::default()).expect("measures");
    let request = Request::new(qrels, [run], measures);
    let inputs = Inputs::open(&request).expect("inputs");
    let mut evaluation = inputs.evaluate(&request).expect("an evaluation");
    evaluation.runs.remove(0).scores
}

#[tokio::test]
async fn a_hundred_runs_have_the_bits_of_the_command_line() {
    let story = Story::new();
    let prof = story.organiser().await;
    let judgements = qrels(1);
    let fields = [
        ("slug", None, "hw1"),
        ("title", None, "HW1"),
        ("opens", None, "2020-01-01T00:00"),
        ("closes", None, "2099-01-01T00:00"),
        ("measures", None, MEASURES),
        ("entries_per_day", None, "1000"),
        ("entries_in_all", None, "1000"),
        ("qrels", Some("qrels.txt"), judgements.as_str()),
    ];
    let made = story.upload(&prof, "/new", &fields).await;
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.text);
    story.post(&prof, "/c/hw1/admin/publish", "").await;
    let team = story.team(&prof, "ann", "A").await;
    for run in 0..RUNS {
        // The rate of uploads is limited.
        story.site.server.advance(10_000);
        let sent = story.submit(&team, &random_run(100 + run)).await;
        assert_eq!(sent.status, StatusCode::ACCEPTED, "{}", sent.text);
    }
    story.settle().await;
    // The same judgements as files: all topics, the public ones, and the private ones.
    let (topics, public) = story
        .site
        .server
        .store
        .read_here(|db| {
            let campaign = crate::campaign::Campaign::by_slug(db, "hw1")?;
            Ok((campaign.topics(db)?, campaign.public_topics(db)?))
        })
        .expect("the topics");
    let folder = tempfile::tempdir().expect("a folder");
    let is_public = |line: &str| {
        let id = line.split(' ').next().expect("a topic");
        public[topics.iter().position(|topic| topic == id).expect(id)]
    };
    let part = |name: &str, wanted: &dyn Fn(&str) -> bool| {
        let path = folder.path().join(name);
        let lines = judgements.lines().filter(|line| wanted(line));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, text).expect("written");
        path
    };
    let all = part("all.qrels", &|_| true);
    let public_part = part("public.qrels", &is_public);
    let private_part = part("private.qrels", &|line| !is_public(line));
    let bits = |value: Option<f64>| value.map(f64::to_bits);
    let mut compared = 0;
    for run in 0..RUNS {
        let path = folder.path().join("a.run");
        std::fs::write(&path, random_run(100 + run)).expect("written");
        let (all, public_part, private_part) = (
            eval(&all, &path),
            eval(&public_part, &path),
            eval(&private_part, &path),
        );
        let stored = story.site.server.store.read_here(|db| {
            let mut query = db.prepare(
                "SELECT s.public, s.private, s.overall, s.topics FROM score s JOIN submission e ON e.id = s.submission
                 WHERE e.entry = ?1 ORDER BY s.measure",
            )?;
            let rows = query.query_map([i64::try_from(run).expect("small") + 1], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, Vec<u8>>(3)?))
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        });
        let stored = stored.expect("scores");
        assert_eq!(stored.len(), MEASURES.split(' ').count());
        for (measure, (public, private, overall, by_topic)) in stored.into_iter().enumerate() {
            assert_eq!(bits(public), bits(public_part.aggregate(measure)));
            assert_eq!(bits(private), bits(private_part.aggregate(measure)));
            assert_eq!(bits(overall), bits(all.aggregate(measure)));
            for (id, value) in topics.iter().zip(of_bytes(&by_topic)) {
                let place = all
                    .topics
                    .iter()
                    .position(|topic| *topic.id == *id.as_bytes())
                    .expect("a topic");
                let wanted = all.row(place)[measure];
                assert!(
                    value.to_bits() == wanted.to_bits() || value.is_nan() && wanted.is_nan(),
                    "run {run}, topic {id}, measure {measure}: {value} and {wanted}"
                );
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 100 * 30 * 9);
}
