//! The access matrix, generated from the description of the API: every operation, as everyone, in every phase.

use axum::http::StatusCode;
use serde_json::Value;

use super::api::operations;
use super::world::{CALLERS, Caller, PHASES, Plan, Samples, World};
use crate::phase::Phase;

/// What somebody who may not call an operation is told; nothing for those who may.
pub(super) fn refusal(who: &str, path: &str, caller: Caller, phase: Phase) -> Option<StatusCode> {
    use Caller::{Admin, Assistant, Observer, Organiser, OtherTeam, OwnTeam, Reader};
    let is_staff = matches!(caller, Assistant | Organiser);
    let is_member = is_staff || matches!(caller, OwnTeam | OtherTeam | Observer);
    if path.starts_with("/c/") && phase == Phase::Draft && !is_staff {
        return Some(StatusCode::NOT_FOUND);
    }
    let (none, sign_in, forbidden) = (
        Some(StatusCode::NOT_FOUND),
        Some(StatusCode::UNAUTHORIZED),
        Some(StatusCode::FORBIDDEN),
    );
    match (who, caller) {
        // The setting `board` is `members`.
        ("reader" | "released", _) if phase != Phase::Released => none,
        ("final", caller) if caller != Organiser && phase != Phase::Released => none,
        ("account" | "participant" | "own-team", Reader) => sign_in,
        ("anyone" | "account" | "reader" | "released" | "final", _)
        | ("participant", OwnTeam | OtherTeam)
        | ("own-team" | "team", OwnTeam)
        | ("organiser", Organiser)
        | ("admin", Admin) => None,
        ("board", _) if is_member || phase == Phase::Released => None,
        ("team" | "staff", _) if is_staff => None,
        ("participant", _) => forbidden,
        ("own-team", caller) if caller != OtherTeam => forbidden,
        ("board" | "own-team" | "team" | "staff" | "organiser" | "admin", _) => none,
        (other, _) => panic!("nothing is known of callers of the kind `{other}`"),
    }
}

/// The same samples with numbers that nothing has.
fn elsewhere(samples: &Samples) -> Samples {
    let is_number = |name: &str| ["number", "entry", "version", "person", "code"].contains(&name);
    let change = |(name, value): &(&'static str, String)| {
        (
            *name,
            if is_number(name) {
                "987".into()
            } else {
                value.clone()
            },
        )
    };
    samples.iter().map(change).collect()
}

/// The address of the first account stops to exist with it, whoever asks.
fn is_over(path: &str) -> bool {
    path == "/setup/{secret}"
}

#[tokio::test]
async fn what_one_may_not_do_looks_like_what_does_not_exist() {
    let world = World::new(&Plan::default()).await;
    let mut refused = 0;
    for phase in PHASES {
        let story = world.at(phase);
        for (method, path, operation) in operations() {
            for caller in CALLERS {
                let who = operation["x-who"].as_str().expect("a kind of caller");
                let wanted = if is_over(&path) {
                    Some(StatusCode::NOT_FOUND)
                } else {
                    refusal(who, &path, caller, phase)
                };
                let Some(wanted) = wanted else { continue };
                let ask = async |samples: &Samples| {
                    story
                        .sent(world.request(caller, &method, &path, operation, samples))
                        .await
                };
                let given = ask(&world.samples).await;
                let text = String::from_utf8_lossy(&given.body).into_owned();
                assert_eq!(
                    given.status, wanted,
                    "{method} {path} as {caller:?} in {phase:?}: {text}"
                );
                assert_eq!(
                    ask(&elsewhere(&world.samples)).await,
                    given,
                    "{method} {path} as {caller:?} in {phase:?}"
                );
                if wanted == StatusCode::NOT_FOUND {
                    let nowhere = story.get(world.cookie(caller), "/api/v1/c/nowhere").await;
                    assert_eq!(
                        text, nowhere.text,
                        "{method} {path} as {caller:?} in {phase:?}"
                    );
                }
                refused += 1;
            }
        }
    }
    assert!(refused > 1000, "only {refused} requests were refused");
}

#[tokio::test]
async fn what_one_may_do_is_not_refused() {
    let world = World::new(&Plan::default()).await;
    let refusing = [
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::NOT_FOUND,
        StatusCode::BAD_REQUEST,
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
    ];
    let mut allowed = 0;
    for phase in PHASES {
        let reading = world.at(phase);
        for (method, path, operation) in operations() {
            for caller in CALLERS {
                let who = operation["x-who"].as_str().expect("a kind of caller");
                // Only an account that is there can sign in, and that is not this test's.
                if is_over(&path)
                    || path == "/login"
                    || refusal(who, &path, caller, phase).is_some()
                {
                    continue;
                }
                let request = world.request(caller, &method, &path, operation, &world.samples);
                let own;
                let story = if method == "get" {
                    &reading
                } else {
                    own = world.at(phase);
                    &own
                };
                let sent = story.sent(request).await;
                let text = String::from_utf8_lossy(&sent.body).into_owned();
                assert!(
                    !refusing.contains(&sent.status),
                    "{method} {path} as {caller:?} in {phase:?}: {} {text}",
                    sent.status
                );
                if method == "get" {
                    assert_eq!(
                        sent.status,
                        StatusCode::OK,
                        "{path} as {caller:?} in {phase:?}: {text}"
                    );
                }
                allowed += 1;
            }
        }
    }
    assert!(allowed > 500, "only {allowed} requests were allowed");
}

/// A test of the test: it can tell a wrong kind of caller.
#[test]
fn refusals_differ_by_kind_of_caller() {
    let kinds = [
        "anyone",
        "account",
        "board",
        "reader",
        "participant",
        "team",
        "own-team",
        "staff",
        "organiser",
        "admin",
    ];
    let row = |who: &str| CALLERS.map(|caller| refusal(who, "/c/{slug}", caller, Phase::Open));
    for (at, kind) in kinds.iter().enumerate() {
        assert!(
            kinds[..at].iter().all(|other| row(other) != row(kind)),
            "{kind}"
        );
    }
    let used = operations();
    let used: Vec<&Value> = used
        .iter()
        .map(|(_, _, operation)| &operation["x-who"])
        .collect();
    assert!(kinds.iter().all(|kind| used.iter().any(|who| *who == kind)));
}
