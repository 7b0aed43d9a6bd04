//! A server with everything on it: two campaigns, a person of every role, entries of two teams, and a preview of other judgements.
//! A test asks it in every phase, and in a copy of its own where a request changes something.

use std::path::Path;

use axum::body::{Body, HttpBody, to_bytes};
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

/// What differs between worlds.
pub(super) struct Plan {
    pub(super) qrels: &'static str,
    pub(super) corrected: &'static str,
    /// Of the own and the other team.
    pub(super) runs: (String, String),
    pub(super) settings: &'static [(&'static str, &'static str)],
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            qrels: QRELS,
            corrected: "1 0 canary-5 1\n2 0 canary-2 1\n3 0 canary-3 1\n4 0 canary-4 1\n",
            runs: (run(1), run(2)),
            settings: &[],
        }
    }
}

/// Settings of a campaign that has not begun.
const LATER: &str = "INSERT INTO settings (campaign, version, json, by, at)
    SELECT campaign, version + 1, json_set(json, '$.opens', json_extract(json, '$.freezes'), '$.freezes', ''), by, ?1 FROM settings WHERE campaign = 1";

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
    pub(super) async fn new(plan: &Plan) -> Self {
        let story = Story::new();
        let admin = story.organiser().await;
        for slug in ["hw1", "hw2"] {
            let more = [
                &[
                    ("measures", "RR P@1"),
                    ("board", "members"),
                    ("embed_origins", "https://example.org"),
                    ("release_runs", "everyone"),
                ],
                plan.settings,
            ]
            .concat();
            story.campaign_at(slug, &admin, plan.qrels, &more).await;
        }
        let cookies = people(&story, admin).await;
        for (caller, run) in [
            (Caller::OwnTeam, &plan.runs.0),
            (Caller::OtherTeam, &plan.runs.1),
        ] {
            story.submit(&cookies[caller as usize], run).await;
        }
        story.settle().await;
        let other = &cookies[Caller::OtherTeam as usize];
        done(&story.post(other, "/c/hw1/team/merge", "with=1").await);
        let organiser = &cookies[Caller::Organiser as usize];
        let fields = [
            ("reason", None, "a mistake"),
            ("qrels", Some("q.txt"), plan.corrected),
        ];
        done(&story.upload(organiser, "/c/hw1/admin/qrels", &fields).await);
        story.settle().await;
        let samples = samples(&story, organiser, plan).await;
        let folder = tempfile::tempdir().expect("a folder");
        let rest = folder.path().join("data");
        copy(&story.site.server.data.join("blobs"), &rest.join("blobs"));
        let saved = story
            .site
            .server
            .store
            .read_here(|db| Ok(db.backup("main", rest.join("cranfield.db"), None::<fn(_)>)?));
        saved.expect("a copy of the database");
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
                    Phase::Draft | Phase::Scheduled | Phase::Open => 0,
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
                Phase::Scheduled => LATER,
                _ => "UPDATE campaign SET slug = slug WHERE ?1 > 0",
            },
            server.now(),
        );
        server
            .store
            .write_here(move |tx| {
                tx.execute(change, [now])?;
                Ok(tx.execute("UPDATE campaign SET settings = (SELECT max(version) FROM settings WHERE campaign = id)", [])?)
            })
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
            // A number stands for the other team.
            let other_team = if caller == Caller::OtherTeam {
                "1"
            } else {
                "2"
            };
            let is_number = schema["type"] == "integer";
            let sample = sample.filter(|text| !is_number || text.parse::<i64>().is_ok());
            let sample = sample.or_else(|| {
                required(name).then(|| if is_number { other_team } else { "x" }.to_owned())
            });
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
    /// The answer as it was sent; of a stream of events the first one.
    pub(super) async fn sent(&self, request: Request<Body>) -> Sent {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.app.clone().oneshot(request).await.expect("an answer");
        let (status, headers) = (response.status(), format!("{:?}", response.headers()));
        api::check_status(&method, &path, status);
        let body = if headers.contains("text/event-stream") {
            first_frame(response.into_body()).await
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

async fn first_frame(body: Body) -> Vec<u8> {
    let mut body = std::pin::pin!(body);
    let frame = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await;
    let frame = frame.expect("an event").expect("a frame");
    frame
        .into_data()
        .map_or_else(|_| Vec::new(), |data| data.to_vec())
}

fn done(answer: &super::Answer) {
    assert!(
        answer.status.is_redirection(),
        "{} {}",
        answer.status,
        answer.text
    );
}

/// The sessions of all callers.
async fn people(story: &Story, admin: String) -> Vec<String> {
    let own = join(story, &admin, "hw1", "participant", "ann").await;
    let other = join(story, &admin, "hw1", "participant", "bob").await;
    let observer = join(story, &admin, "hw1", "observer", "cid").await;
    let assistant = join(story, &admin, "hw1", "assistant", "dot").await;
    let organiser = join(story, &admin, "hw1", "assistant", "eva").await;
    let stranger = join(story, &admin, "hw2", "participant", "fay").await;
    let other_organiser = join(story, &admin, "hw2", "assistant", "gil").await;
    for (slug, login) in [("hw1", "eva"), ("hw2", "gil")] {
        let person = person(story, &admin, slug, login).await;
        let path = format!("/c/{slug}/admin/people/{person}");
        done(&story.post(&admin, &path, "role=organiser").await);
    }
    let prof = person(story, &organiser, "hw1", "prof").await;
    let path = format!("/c/hw1/admin/people/{prof}/remove");
    done(&story.post(&organiser, &path, "").await);
    vec![
        String::new(),
        own,
        other,
        observer,
        assistant,
        organiser,
        admin,
        stranger,
        other_organiser,
    ]
}

async fn samples(story: &Story, organiser: &str, plan: &Plan) -> Samples {
    let path = "/api/v1/c/hw1/admin/codes";
    let code = story
        .post(organiser, path, "role=observer&uses=9")
        .await
        .json();
    let codes = story
        .get(organiser, "/api/v1/c/hw1/admin/people")
        .await
        .json()["codes"]
        .clone();
    let fixed = [
        ("slug", "hw1"),
        ("number", "1"),
        ("entry", "1"),
        ("version", "1"),
        ("secret", "none"),
        ("login", "new"),
        ("name", "New"),
        ("team", "New"),
        ("old", PASSWORD),
        ("password", "another long password"),
        ("token_name", "laptop"),
        ("role", "participant"),
        ("uses", "1"),
        ("entries", "1"),
        ("reason", "a copy"),
        ("view", "reader"),
        ("token", "987"),
        ("session", "none"),
        ("run", &plan.runs.0),
        ("qrels", plan.qrels),
        ("code text", code["code"].as_str().expect("a code")),
    ];
    let made = [
        (
            "person",
            person(story, organiser, "hw1", "cid").await.to_string(),
        ),
        ("code", codes[0]["id"].to_string()),
    ];
    let fixed = fixed.map(|(name, value)| (name, value.to_owned()));
    fixed
        .into_iter()
        .chain(made)
        .chain(settings(story, organiser).await)
        .collect()
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
        "embed_origins",
    ];
    names
        .into_iter()
        .map(|name| (name, text(&settings[name])))
        .collect()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).expect("a copy");
        }
    }
}
