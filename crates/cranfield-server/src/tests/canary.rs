//! What may never leak before the release: judged documents, private values and how the topics are divided. Every byte that somebody without a
//! right to them can get is searched, and so is the log.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Request, header};

use super::Story;
use super::api::operations;
use super::matrix::refusal;
use super::world::{CALLERS, Caller, PHASES, Plan, World};
use crate::phase::Phase;

/// Documents `kanarie-N` are judged and in no run, so no page has a reason to name one.
const QRELS: &str = "1 0 d1 1\n1 0 kanarie-1 1\n2 0 d2 1\n2 0 kanarie-2 0\n3 0 d3 1\n3 0 kanarie-3 2\n4 0 d4 1\n4 0 kanarie-4 1\n\
                     5 0 d5 1\n5 0 kanarie-5 1\n6 0 d6 1\n6 0 kanarie-6 1\n";
const CORRECTED: &str =
    "1 0 d1 0\n1 0 kanarie-7 1\n2 0 d2 1\n3 0 d3 1\n4 0 d4 1\n5 0 kanarie-8 1\n6 0 d6 1\n";
/// The seed of the division.
const SEED: &str = "2718281828";

/// A run whose relevant documents are at ranks that give every topic, and so every mean, a value of its own.
fn run(ranks: [usize; 6]) -> String {
    let topic = |(topic, rank): (usize, usize)| -> String {
        let document = |at: usize| {
            if at == rank {
                format!("d{topic}")
            } else {
                format!("n{topic}-{at}")
            }
        };
        (1..=rank)
            .map(|at| format!("{topic} Q0 {} {at} {} t\n", document(at), 100 - at))
            .collect()
    };
    (1..).zip(ranks).map(topic).collect()
}

fn plan() -> Plan {
    Plan {
        qrels: QRELS,
        corrected: CORRECTED,
        runs: (run([3, 7, 11, 13, 17, 19]), run([23, 29, 31, 37, 41, 43])),
        settings: &[
            ("seed", SEED),
            ("entries_per_day", "1000"),
            ("entries_in_all", "1000"),
        ],
    }
}

/// Values as they are written: with four digits and in full, and their bits.
fn written(value: f64) -> [String; 2] {
    [format!("{value:.4}"), format!("{value:.12}")]
}

/// Everything that would be a leak.
fn secrets(story: &Story) -> Vec<String> {
    let rows = story.site.server.store.read_here(|db| {
        let mut query = db.prepare("SELECT public, private, overall FROM score")?;
        let rows = query.query_map([], |row| {
            Ok([row.get::<_, Option<f64>>(0)?, row.get(1)?, row.get(2)?])
        })?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    let rows = rows.expect("scores");
    let texts = |column: usize| {
        rows.iter()
            .filter_map(move |row| row[column])
            .filter(|value| *value > 0.0)
            .flat_map(written)
    };
    let public: BTreeSet<String> = texts(0).collect();
    let values: BTreeSet<String> = texts(1)
        .chain(texts(2))
        .filter(|text| !public.contains(text))
        .collect();
    assert!(
        values.len() >= 8,
        "the private values are those of the public topics: {values:?}"
    );
    let nonce: Vec<u8> = story
        .site
        .server
        .store
        .read_here(|db| Ok(db.query_row("SELECT nonce FROM split", [], |row| row.get(0))?))
        .expect("a nonce");
    let nonce = nonce.iter().map(|byte| format!("{byte:02x}")).collect();
    values
        .into_iter()
        .chain([nonce, "kanarie".to_owned(), SEED.to_owned()])
        .collect()
}

/// Addresses of pages and of the API that read, with every way to ask for a board.
pub(super) fn addresses(world: &World, caller: Caller) -> Vec<String> {
    let mut addresses = Vec::new();
    for (method, path, operation) in operations() {
        if method != "get" {
            continue;
        }
        let address = world
            .request(caller, &method, &path, operation, &world.samples)
            .uri()
            .to_string();
        let page = address.trim_start_matches("/api/v1").to_owned();
        for query in [
            "?part=final",
            "?part=public",
            "?measure=P%401",
            "?format=csv",
            "?format=latex&measure=P%401",
            "?format=html",
            "?part=final&format=csv",
        ] {
            if path.ends_with("/board") {
                addresses.push(format!("{address}{query}"));
                addresses.push(format!("{page}{query}"));
            }
        }
        if path.contains("{number}") && path.starts_with("/c/{slug}/") {
            addresses.push(page.replace("/1", "/2"));
        }
        addresses.push(address);
        if path != "/openapi.json" {
            addresses.push(page);
        }
    }
    addresses
}

pub(super) fn read(world: &World, caller: Caller, address: &str) -> Request<Body> {
    Request::get(address)
        .header(header::COOKIE, world.cookie(caller))
        .body(Body::empty())
        .expect("a request")
}

fn search(secrets: &[String], what: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(secret) = secrets.iter().find(|secret| text.contains(secret.as_str())) {
        let at = text.find(secret.as_str()).unwrap_or_default();
        let near: String = text[..at]
            .chars()
            .rev()
            .take(100)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        panic!("{what} has the secret {secret} after: {near}");
    }
}

/// Those who may see neither judgements nor private values before the release.
fn callers() -> impl Iterator<Item = Caller> {
    CALLERS
        .into_iter()
        .filter(|caller| *caller != Caller::Organiser)
}

#[tokio::test]
async fn nothing_secret_is_in_any_byte_before_the_release() {
    let world = World::new(&plan()).await;
    for phase in PHASES.into_iter().filter(|phase| *phase != Phase::Released) {
        let story = world.at(phase);
        let secrets = secrets(&story);
        for caller in callers() {
            for address in addresses(&world, caller) {
                let sent = story.sent(read(&world, caller, &address)).await;
                let what = format!("{address} for {caller:?} in {phase:?}");
                search(&secrets, &what, sent.headers.as_bytes());
                search(&secrets, &what, &sent.body);
            }
            for (method, path, operation) in operations() {
                // Whoever asks has what is in the request, and the answer may repeat it.
                let repeats = ["/new", "/c/{slug}/admin/qrels", "/c/{slug}/admin/settings"];
                if method == "get" || repeats.contains(&path.as_str()) {
                    continue;
                }
                let who = operation["x-who"].as_str().expect("a kind of caller");
                let changes = refusal(who, &path, caller, phase).is_none();
                if changes && !matches!(phase, Phase::Open | Phase::Frozen) {
                    continue;
                }
                let own;
                let asked = if changes {
                    own = world.at(phase);
                    &own
                } else {
                    &story
                };
                let sent = asked
                    .sent(world.request(caller, &method, &path, operation, &world.samples))
                    .await;
                let what = format!("{path} for {caller:?} in {phase:?}");
                search(&secrets, &what, sent.headers.as_bytes());
                search(&secrets, &what, &sent.body);
            }
        }
        let log = crate::log::kept();
        search(&secrets[secrets.len() - 2..], "the log", log.as_bytes());
    }
}

/// The search finds what is there: after the release everyone sees a private value, and the organiser sees all before.
#[tokio::test]
async fn the_search_for_secrets_finds_them_where_they_are_shown() {
    let world = World::new(&plan()).await;
    let found = async |phase: Phase, caller: Caller, address: &str| {
        let story = world.at(phase);
        let secrets = secrets(&story);
        let sent = story.sent(read(&world, caller, address)).await;
        let text = String::from_utf8_lossy(&sent.body).into_owned();
        secrets.iter().any(|secret| text.contains(secret.as_str()))
    };
    for (address, caller) in [
        ("/c/hw1/board?part=final", Caller::Reader),
        ("/api/v1/c/hw1/board?part=final", Caller::Reader),
        ("/c/hw1/board?part=final&format=csv", Caller::OwnTeam),
        ("/c/hw1/team/1/1", Caller::OwnTeam),
        ("/c/hw1", Caller::Reader),
    ] {
        assert!(found(Phase::Released, caller, address).await, "{address}");
        assert!(!found(Phase::Closed, caller, address).await, "{address}");
    }
    assert!(found(Phase::Open, Caller::Organiser, "/c/hw1/admin/settings").await);
    assert!(found(Phase::Open, Caller::Organiser, "/c/hw1/admin/qrels/1").await);
}

/// All that others than the team and the staff can fetch.
async fn seen(world: &World, story: &Story) -> Vec<(String, super::world::Sent)> {
    let mut seen = Vec::new();
    for caller in CALLERS {
        if matches!(
            caller,
            Caller::OwnTeam | Caller::Assistant | Caller::Organiser
        ) {
            continue;
        }
        for address in addresses(world, caller) {
            let sent = story.sent(read(world, caller, &address)).await;
            seen.push((format!("{address} for {caller:?}"), sent));
        }
    }
    seen
}

#[tokio::test]
async fn fifty_hidden_entries_change_no_byte_that_others_can_fetch() {
    let world = World::new(&plan()).await;
    let story = world.at(Phase::Frozen);
    let before = seen(&world, &story).await;
    assert!(before.len() > 300);
    let own = world.cookie(Caller::OwnTeam);
    for entry in 0..50_usize {
        let run = match entry % 5 {
            0 => format!("1 Q0 a 1 one t{entry}\n"),
            1 => run([1, 1, 1, 1, 1, entry]),
            _ => run([1 + entry % 7, 1 + entry, 2, 1, 1 + entry % 3, 5]),
        };
        // One address sends 30 in a minute.
        story.site.server.advance(3000);
        let answer = story.submit(own, &run).await;
        assert_eq!(answer.status.as_u16(), 202, "{}", answer.text);
    }
    story.settle().await;
    for path in ["/c/hw1/team/1/2/withdraw", "/c/hw1/team/1/1/withdraw"] {
        assert!(story.post(own, path, "").await.status.is_redirection());
    }
    assert!(
        story
            .post(own, "/c/hw1/team/picks", "entries=3")
            .await
            .status
            .is_redirection()
    );
    let team = story.get(own, "/api/v1/c/hw1/team").await.json();
    assert_eq!(team["entries"].as_array().expect("entries").len(), 51);
    for ((what, before), (_, after)) in before.iter().zip(seen(&world, &story).await) {
        let texts = [before, &after].map(|sent| String::from_utf8_lossy(&sent.body).into_owned());
        assert_eq!(texts[0], texts[1], "{what}");
        assert_eq!(*before, after, "{what}");
    }
}
