//! Whole stories, without a network: requests go to the application, and the clock is moved by hand.

mod access;
mod administration;
mod api;
mod archives;
mod attacks;
mod baselines;
mod bits;
mod board_tools;
mod boards;
mod canary;
mod cockpit;
mod copies;
mod corrections;
mod forged;
mod live;
mod matrix;
mod people;
mod previews;
mod questions;
mod results;
mod settings;
mod stories;
mod tables;
mod teams;
mod world;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::serve::{Config, Site};

const PASSWORD: &str = "a long password";
/// Grades whose documents and values would be noticed anywhere.
const QRELS: &str =
    "1 0 canary-1 1\n1 0 x 0\n2 0 canary-2 1\n3 0 canary-3 1\n4 0 canary-4 1\n4 0 y 1\n";

struct Story {
    _folder: TempDir,
    site: Site,
    app: Router,
}

/// An answer.
struct Answer {
    status: StatusCode,
    cookie: String,
    headers: String,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

impl Story {
    fn new() -> Self {
        Self::in_folder(tempfile::tempdir().expect("a folder"))
    }

    fn in_folder(folder: TempDir) -> Self {
        let config = Config {
            data: folder.path().join("data"),
            public_url: None,
        };
        let site = Site::open(&config).expect("a site");
        Self {
            app: site.app(),
            site,
            _folder: folder,
        }
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.app.clone().oneshot(request).await.expect("an answer");
        let cookie = response.headers().get(header::SET_COOKIE).map(|value| {
            let text = value.to_str().expect("text");
            text.split(';').next().unwrap_or_default().to_owned()
        });
        let headers = format!("{:?}", response.headers());
        let status = response.status();
        api::check_status(&method, &path, status);
        let bytes = to_bytes(response.into_body(), usize::MAX)
            .await
            .expect("a body");
        Answer {
            status,
            cookie: cookie.unwrap_or_default(),
            headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    async fn get(&self, cookie: &str, path: &str) -> Answer {
        let request = Request::get(path)
            .header(header::COOKIE, cookie)
            .body(Body::empty());
        self.send(request.expect("a request")).await
    }

    async fn post(&self, cookie: &str, path: &str, body: impl Into<String>) -> Answer {
        let request = Request::post(path)
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header("sec-fetch-site", "same-origin")
            .body(Body::from(body.into()));
        self.send(request.expect("a request")).await
    }

    async fn send_json(&self, cookie: &str, path: &str, body: String) -> Answer {
        let request = Request::post(path)
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/json")
            .header("sec-fetch-site", "same-origin")
            .body(Body::from(body));
        self.send(request.expect("a request")).await
    }

    async fn upload(
        &self,
        cookie: &str,
        path: &str,
        fields: &[(&str, Option<&str>, &str)],
    ) -> Answer {
        let mut body = String::new();
        for (name, file, content) in fields {
            let file = file.map_or_else(String::new, |file| format!("; filename=\"{file}\""));
            body.push_str(&format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{content}\r\n"));
        }
        body.push_str("--edge--\r\n");
        let request = Request::post(path)
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge")
            .header("sec-fetch-site", "same-origin")
            .body(Body::from(body));
        self.send(request.expect("a request")).await
    }

    async fn submit(&self, cookie: &str, run: &str) -> Answer {
        self.upload(
            cookie,
            "/api/v1/c/hw1/submit",
            &[("run", Some("my.run"), run)],
        )
        .await
    }

    /// Waits until nothing is queued, and moves the clock to when results are shown.
    async fn settle(&self) {
        for _ in 0..2000 {
            let waiting = self.site.server.store.read_here(|db| {
                let query = "SELECT count(*) FROM job WHERE state IN ('queued', 'running')";
                Ok(db.query_row(query, [], |row| row.get::<_, i64>(0))?)
            });
            if waiting.expect("a count") == 0 {
                self.site.server.advance(5000);
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("the queue is stuck");
    }

    async fn organiser(&self) -> String {
        let path = self.site.setup_path().expect("no account yet");
        let answer = self
            .post(
                "",
                &path,
                format!("login=prof&name=Prof&password={PASSWORD}"),
            )
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        answer.cookie
    }

    /// A campaign that is open from an hour ago for ten hours, frozen for the last five of them.
    async fn campaign(&self, cookie: &str, more: &[(&str, &str)]) {
        let more = [&[("measures", "RR P@1")], more].concat();
        self.campaign_of(cookie, QRELS, &more).await;
    }

    /// The same with other judgements.
    async fn campaign_of(&self, cookie: &str, qrels: &str, more: &[(&str, &str)]) {
        self.campaign_at("hw1", cookie, qrels, more).await;
    }

    /// The same at another address.
    async fn campaign_at(&self, slug: &str, cookie: &str, qrels: &str, more: &[(&str, &str)]) {
        let at = |hours: i64| {
            let time =
                jiff::Timestamp::from_millisecond(self.site.server.now() + hours * 3_600_000)
                    .expect("a time");
            time.to_zoned(jiff::tz::TimeZone::UTC)
                .datetime()
                .strftime("%Y-%m-%dT%H:%M")
                .to_string()
        };
        let (opens, freezes, closes) = (at(-1), at(5), at(10));
        let mut fields = vec![
            ("slug", None, slug),
            ("title", None, "HW1"),
            ("opens", None, opens.as_str()),
            ("freezes", None, freezes.as_str()),
            ("closes", None, closes.as_str()),
            ("qrels", Some("qrels.txt"), qrels),
        ];
        fields.extend(more.iter().map(|(name, value)| (*name, None, *value)));
        let answer = self.upload(cookie, "/new", &fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        let answer = self
            .post(cookie, &format!("/c/{slug}/admin/publish"), "")
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    }

    async fn team(&self, organiser: &str, login: &str, team: &str) -> String {
        let answer = self
            .post(
                organiser,
                "/api/v1/c/hw1/admin/codes",
                "role=participant&uses=1",
            )
            .await;
        let code = answer.json()["code"].as_str().expect("a code").to_owned();
        let form = [
            ("code", code.as_str()),
            ("team", team),
            ("login", login),
            ("name", login),
            ("password", PASSWORD),
        ];
        let answer = self
            .post(
                "",
                "/join",
                serde_urlencoded::to_string(form).expect("a form"),
            )
            .await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
        answer.cookie
    }
}

/// A run that finds the relevant document of the first topics at rank one, and nothing else.
fn run(found: usize) -> String {
    let line = |topic: usize| {
        let document = if topic <= found {
            format!("canary-{topic}")
        } else {
            "z".into()
        };
        format!("{topic} Q0 {document} 1 1 t\n")
    };
    (1..=4).map(line).collect()
}
