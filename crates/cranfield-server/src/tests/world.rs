//! A server with everything on it: two campaigns, a person of every role, entries of two teams, and a preview of other judgements.
//! A test asks it in every phase, and in a copy of its own where a request changes something.

use std::path::Path;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use serde_json::Value;
use tower::ServiceExt;

use super::{PASSWORD, QRELS, Story, api, run};
use crate::phase::Phase;

/// Everyone who may ask, as seen from the campaign `hw1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caller {
    Reader,
    OwnTeam,
    OtherTeam,
    Observer,
    Assistant,
    Organiser,
    /// May make campaigns, and has no role in this one.
    Admin,
    /// A participant of another campaign.
    Stranger,
    /// An organiser of another campaign.
    OtherOrganiser,
}

pub(super) const CALLERS: [Caller; 9] = [
    Caller::Reader,
    Caller::OwnTeam,
    Caller::OtherTeam,
    Caller::Observer,
    Caller::Assistant,
    Caller::Organiser,
    Caller::Admin,
    Caller::Stranger,
    Caller::OtherOrganiser,
];

pub(super) const PHASES: [Phase; 6] = [
    Phase::Draft,
    Phase::Scheduled,
    Phase::Open,
    Phase::Frozen,
    Phase::Closed,
    Phase::Released,
];

/// What operations are given: parts of addresses, and fields of forms.
pub(super) type Samples = Vec<(&'static str, String)>;

/// The world at rest: a data folder that is copied for each use.
pub(super) struct World {
    folder: tempfile::TempDir,
    cookies: Vec<String>,
    pub(super) samples: Samples,
}

/// An answer as it was sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) status: StatusCode,
    pub(super) headers: String,
    pub(super) body: Vec<u8>,
}

impl World {
    /// Makes everything. Team 1 is asked about.
    pub(super) async fn new() -> Self {
        let story = Story::new();
        let admin = story.organiser().await;
        for slug in ["hw1", "hw2"] {
            story
                .campaign_at(
                    slug,
                    &admin,
                    QRELS,
                    &[("measures", "RR P@1"), ("board", "members")],
                )
                .await;
        }
        let own = join(&story, &admin, "hw1", "participant", "ann").await;
        let other = join(&story, &admin, "hw1", "participant", "bob").await;
        let observer = join(&story, &admin, "hw1", "observer", "cid").await;
        let assistant = join(&story, &admin, "hw1", "assistant", "dot").await;
        let organiser = join(&story, &admin, "hw1", "assistant", "eva").await;
        let stranger = join(&story, &admin, "hw2", "participant", "fay").await;
        let other_organiser = join(&story, &admin, "hw2", "assistant", "gil").await;
        for (slug, login) in [("hw1", "eva"), ("hw2", "gil")] {
            let person = person(&story, &admin, slug, login).await;
            done(
                story
                    .post(
                        &admin,
                        &format!("/c/{slug}/admin/people/{person}"),
                        "role=organiser",
                    )
                    .await,
            );
        }
        let prof = person(&story, &organiser, "hw1", "prof").await;
        done(
            story
                .post(
                    &organiser,
                    &format!("/c/hw1/admin/people/{prof}/remove"),
                    "",
                )
                .await,
        );
        story.submit(&own, &run(1)).await;
        story.submit(&other, &run(2)).await;
        story.settle().await;
        let more = format!("{QRELS}1 0 canary-5 1\n");
        done(
            story
                .upload(
                    &organiser,
                    "/c/hw1/admin/qrels",
                    &[
                        ("reason", None, "a mistake"),
                        ("qrels", Some("q.txt"), &more),
                    ],
                )
                .await,
        );
        story.settle().await;
        let code = story
            .post(
                &organiser,
                "/api/v1/c/hw1/admin/codes",
                "role=observer&uses=9",
            )
            .await
            .json();
        let codes = story
            .get(&organiser, "/api/v1/c/hw1/admin/people")
            .await
            .json()["codes"]
            .clone();
        let times = settings(&story, &organiser).await;
        let samples = [
            ("slug", "hw1".to_owned()),
            ("number", "1".into()),
            ("entry", "1".into()),
            ("version", "1".into()),
            ("secret", "none".into()),
            (
                "person",
                person(&story, &organiser, "hw1", "cid").await.to_string(),
            ),
            ("code", codes[0]["id"].to_string()),
            (
                "code text",
                code["code"].as_str().expect("a code").to_owned(),
            ),
            ("login", "new".into()),
            ("name", "New".into()),
            ("team", "New".into()),
            ("old", PASSWORD.into()),
            ("password", "another long password".into()),
            ("token_name", "laptop".into()),
            ("role", "participant".into()),
            ("uses", "1".into()),
            ("entries", "1".into()),
            ("reason", "a copy".into()),
            ("run", run(3)),
            ("qrels", QRELS.into()),
        ];
        let cookies = vec![
            String::new(),
            own,
            other,
            observer,
            assistant,
            organiser,
            admin,
            stranger,
            other_organiser,
        ];
        let samples = samples.into_iter().chain(times).collect();
        let Story {
            _folder: folder,
            site,
            app,
        } = story;
        drop((app, site));
        Self {
            folder,
            cookies,
            samples,
        }
    }

    /// A copy, in which the campaign `hw1` is in a phase.
    pub(super) fn at(&self, phase: Phase) -> Story {
        let folder = tempfile::tempdir().expect("a folder");
        copy(self.folder.path(), folder.path());
        let story = Story::in_folder(folder);
        let server = &story.site.server;
        let hour = 3_600_000;
        server.advance(
            10_000
                + match phase {
                    Phase::Draft | Phase::Open => 0,
                    Phase::Scheduled => -2 * hour,
                    Phase::Frozen => 6 * hour,
                    Phase::Closed | Phase::Released => 11 * hour,
                },
        );
        let (change, now) = (
            match phase {
                Phase::Draft => {
                    "UPDATE campaign SET published = NULL WHERE slug = 'hw1' AND ?1 > 0"
                }
                Phase::Released => "UPDATE campaign SET released = ?1 WHERE slug = 'hw1'",
                _ => "UPDATE campaign SET slug = slug WHERE ?1 > 0",
            },
            server.now(),
        );
        server
            .store
            .write_here(move |tx| Ok(tx.execute(change, [now])?))
            .expect("a write");
        story
    }

    /// The session of a caller.
    pub(super) fn cookie(&self, caller: Caller) -> &str {
        &self.cookies[caller as usize]
    }

    /// A request of an operation with the samples.
    pub(super) fn request(
        &self,
        caller: Caller,
        method: &str,
        path: &str,
        operation: &Value,
        samples: &Samples,
    ) -> Request<Body> {
        let value = |name: &str| {
            samples
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.clone())
        };
        let parts = path.split('/').map(|part| match part.strip_prefix('{') {
            Some(name) => value(name.trim_end_matches('}'))
                .unwrap_or_else(|| panic!("no sample of {part} in {path}")),
            None => part.to_owned(),
        });
        let mut address = format!("/api/v1{}", parts.collect::<Vec<_>>().join("/"));
        let required = operation["parameters"].as_array().into_iter().flatten();
        let query: Vec<(&str, String)> = required
            .filter(|parameter| parameter["in"] == "query" && parameter["required"] == true)
            .map(|parameter| {
                let name = parameter["name"].as_str().expect("a name");
                (name, value(name).unwrap_or_else(|| "x".into()))
            })
            .collect();
        if !query.is_empty() {
            address = format!(
                "{address}?{}",
                serde_urlencoded::to_string(query).expect("a query")
            );
        }
        let request = Request::builder()
            .method(method.to_uppercase().as_str())
            .uri(address)
            .header("sec-fetch-site", "same-origin")
            .header(header::COOKIE, self.cookie(caller));
        let content = &operation["requestBody"]["content"];
        let (kind, schema) = match (
            &content["multipart/form-data"]["schema"],
            &content["application/json"]["schema"],
        ) {
            (Value::Object(schema), _) => ("multipart/form-data; boundary=edge", schema),
            (_, Value::Object(schema)) => ("application/x-www-form-urlencoded", schema),
            _ => return request.body(Body::empty()).expect("a request"),
        };
        let required = |name: &str| {
            schema
                .get("required")
                .and_then(Value::as_array)
                .is_some_and(|list| list.iter().any(|known| known == name))
        };
        let mut fields = Vec::new();
        for (name, schema) in schema
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            let sample = if path == "/join" && name == "code" {
                value("code text")
            } else {
                value(name)
            };
            let sample = sample.or_else(|| required(name).then(|| "x".to_owned()));
            fields.extend(sample.map(|value| (name.as_str(), schema["format"] == "binary", value)));
        }
        let body = if kind.starts_with("multipart") {
            let parts = fields.iter().map(|(name, is_file, value)| {
                let file = if *is_file { "; filename=\"f\"" } else { "" };
                format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{value}\r\n")
            });
            format!("{}--edge--\r\n", parts.collect::<String>())
        } else {
            serde_urlencoded::to_string(
                fields
                    .iter()
                    .map(|(name, _, value)| (name, value))
                    .collect::<Vec<_>>(),
            )
            .expect("a form")
        };
        request
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(body))
            .expect("a request")
    }
}

impl Story {
    /// The answer as it was sent; of a stream of events only its beginning.
    pub(super) async fn sent(&self, request: Request<Body>) -> Sent {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.app.clone().oneshot(request).await.expect("an answer");
        let (status, headers) = (response.status(), format!("{:?}", response.headers()));
        api::check_status(&method, &path, status);
        let is_stream = headers.contains("text/event-stream");
        let body = if is_stream {
            Vec::new()
        } else {
            to_bytes(response.into_body(), usize::MAX)
                .await
                .expect("a body")
                .to_vec()
        };
        Sent {
            status,
            headers,
            body,
        }
    }
}

fn done(answer: super::Answer) {
    assert!(
        answer.status.is_redirection(),
        "{} {}",
        answer.status,
        answer.text
    );
}

async fn join(story: &Story, organiser: &str, slug: &str, role: &str, login: &str) -> String {
    let code = story
        .post(
            organiser,
            &format!("/api/v1/c/{slug}/admin/codes"),
            format!("role={role}&uses=1"),
        )
        .await
        .json();
    let code = code["code"].as_str().expect("a code").to_owned();
    let team = if role == "participant" {
        format!("Team of {login}")
    } else {
        String::new()
    };
    let form = format!("code={code}&team={team}&login={login}&name={login}&password={PASSWORD}");
    let answer = story.post("", "/join", form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    answer.cookie
}

async fn person(story: &Story, organiser: &str, slug: &str, login: &str) -> i64 {
    let people = story
        .get(organiser, &format!("/api/v1/c/{slug}/admin/people"))
        .await
        .json();
    let found = people["people"]
        .as_array()
        .expect("people")
        .iter()
        .find(|person| person["login"] == login)
        .cloned();
    found.expect("a member")["id"].as_i64().expect("a number")
}

/// The settings in force, as fields of the form that changes them.
async fn settings(story: &Story, organiser: &str) -> Samples {
    let settings = story
        .get(organiser, "/api/v1/c/hw1/admin/settings")
        .await
        .json()["settings"]
        .clone();
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(" "),
        other => other.to_string(),
    };
    let names = [
        "title",
        "opens",
        "freezes",
        "closes",
        "measures",
        "seed",
        "public_share",
        "board",
    ];
    names
        .into_iter()
        .map(|name| (name, text(&settings[name])))
        .collect()
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir_all(&target).expect("a folder");
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).expect("a copy");
        }
    }
}
