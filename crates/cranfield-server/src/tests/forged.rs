//! Requests that are not what a page sends: sessions, tokens, hosts, addresses and forms that someone made up.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use rusqlite::types::Value as Sql;

use super::api::operations;
use super::world::{CALLERS, PHASES, Plan, World};
use super::{Answer, PASSWORD, Story, run};
use crate::serve::{Config, Site};

impl Story {
    /// A server that is reached at an address.
    fn at(public_url: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let config = Config {
            data: folder.path().join("data"),
            public_url: Some(public_url.into()),
        };
        let site = Site::open(&config).expect("a site");
        Self {
            app: site.app(),
            site,
            _folder: folder,
        }
    }

    async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).expect("a request"))
            .await
    }

    async fn sign_in_as_prof(&self, cookie: &str, password: &str) -> Answer {
        let form = [("login", "prof"), ("password", password)];
        let form = serde_urlencoded::to_string(form).expect("a form");
        self.post(cookie, "/login", form).await
    }

    async fn is_signed_in(&self, cookie: &str) -> bool {
        self.get(cookie, "/me").await.status == StatusCode::OK
    }
}

#[tokio::test]
async fn a_session_is_new_at_each_sign_in_and_ends_on_the_server() {
    let story = Story::new();
    let first = story.organiser().await;
    // A cookie that someone else has put into the browser is not taken over.
    let planted = "cranfield=0123456789abcdef0123456789abcdef0123456789abcdef012";
    let second = story.sign_in_as_prof(planted, PASSWORD).await;
    assert_ne!(second.cookie, planted);
    assert!(!story.is_signed_in(planted).await);
    let third = story.sign_in_as_prof(&second.cookie, PASSWORD).await;
    assert_ne!(third.cookie, second.cookie);
    assert!(second.headers.contains("HttpOnly; SameSite=Lax; Path=/"));
    // What was copied before signing out is of no use afterwards.
    let answer = story.post(&third.cookie, "/logout", "").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(!story.is_signed_in(&third.cookie).await);
    assert!(story.is_signed_in(&second.cookie).await);
    // A new password ends all sessions but the own one.
    let form = format!("old={PASSWORD}&password=another+long+password");
    let answer = story.post(&first, "/me", form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(story.is_signed_in(&first).await);
    assert!(!story.is_signed_in(&second.cookie).await);
    // And a session ends by itself: after 12 idle hours.
    story.site.server.advance(11 * 3_600_000);
    assert!(story.is_signed_in(&first).await);
    story.site.server.advance(12 * 3_600_000 + 1);
    assert!(!story.is_signed_in(&first).await);
}

#[tokio::test]
async fn the_current_password_cannot_be_guessed_with_a_session() {
    let story = Story::new();
    let prof = story.organiser().await;
    let guess = async |old: &str| {
        let form = format!("old={old}&password=another+long+password");
        story.post(&prof, "/me", form).await.status
    };
    let mut tries = 0;
    while guess("wrong password").await != StatusCode::TOO_MANY_REQUESTS {
        tries += 1;
        assert!(tries < 30);
    }
    assert_eq!(guess(PASSWORD).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(
        story.sign_in_as_prof("", PASSWORD).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
}

#[tokio::test]
async fn one_person_sends_thirty_runs_in_a_minute() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("entries_per_day", "100")]).await;
    let team = story.team(&prof, "ann", "A").await;
    let send = async |entry: usize| {
        let run = format!("{}1 Q0 e{entry} 2 0.5 t\n", run(1));
        story.submit(&team, &run).await.status
    };
    for entry in 0..30 {
        assert_eq!(send(entry).await, StatusCode::ACCEPTED);
    }
    assert_eq!(send(30).await, StatusCode::TOO_MANY_REQUESTS);
    story.site.server.advance(60_000);
    assert_eq!(send(30).await, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn codes_cannot_be_guessed() {
    let story = Story::new();
    let guess = async |code: usize| {
        let form = format!("code={code:010}&login=eve&name=eve&password={PASSWORD}");
        story.post("", "/join", form).await.status
    };
    for code in 0..120 {
        assert_eq!(guess(code).await, StatusCode::GONE);
    }
    assert_eq!(guess(120).await, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn other_hosts_are_refused_and_forwarded_ones_ignored() {
    let story = Story::at("https://board.example.org");
    let get = async |headers: &[(&str, &str)]| story.get_with("/login", headers).await;
    for host in [
        "evil.test",
        "board.example.org.evil.test",
        "evil.test:443",
        "",
    ] {
        let answer = get(&[("host", host)]).await;
        assert_eq!(answer.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
        assert!(!answer.text.contains("evil") && !answer.headers.contains("evil"));
    }
    let forged = [
        ("host", "board.example.org"),
        ("x-forwarded-host", "evil.test"),
        ("x-forwarded-proto", "http"),
        ("x-original-url", "/c/hw1/admin"),
        ("forwarded", "host=evil.test"),
    ];
    let answer = get(&forged).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(!answer.text.contains("evil"), "{}", answer.text);
    // Over TLS the cookie belongs to this host alone.
    let path = story.site.setup_path().expect("no account yet");
    let form = format!("login=prof&name=Prof&password={PASSWORD}");
    let request = Request::post(path)
        .header(header::HOST, "board.example.org")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header("sec-fetch-site", "same-origin")
        .body(Body::from(form));
    let answer = story.send(request.expect("a request")).await;
    assert!(answer.cookie.starts_with("__Host-cranfield="));
    assert!(answer.headers.contains("; Secure"), "{}", answer.headers);
    let plain = answer.cookie.replace("__Host-", "");
    let host = ("host", "board.example.org");
    let me = story.get_with("/me", &[host, ("cookie", &plain)]).await;
    assert_eq!(me.status, StatusCode::UNAUTHORIZED);
    let me = story
        .get_with("/me", &[host, ("cookie", &answer.cookie)])
        .await;
    assert_eq!(me.status, StatusCode::OK);
}

#[tokio::test]
async fn no_redirection_leaves_the_server() {
    let story = Story::new();
    story.organiser().await;
    for to in [
        "//evil.test",
        "https:evil.test",
        "/\\evil.test",
        "https://evil.test/",
    ] {
        for name in ["next", "return", "redirect", "url", "location"] {
            let form = [("login", "prof"), ("password", PASSWORD), (name, to)];
            let form = serde_urlencoded::to_string(form).expect("a form");
            let place = serde_urlencoded::to_string([(name, to)]).expect("a form");
            let path = format!("/login?{place}");
            // One login may be tried 20 times in a minute.
            story.site.server.advance(60_000);
            let answer = story.post("", &path, form).await;
            let is_home = answer.headers.contains("\"location\": \"/\"");
            assert!(
                answer.status.is_client_error() || is_home,
                "{path}: {}",
                answer.headers
            );
        }
    }
    for path in [
        "//evil.test",
        "//evil.test/%2e%2e",
        "/login//evil.test",
        "/c/hw1;//evil.test",
        "/c/..%2f..%2fetc%2fpasswd",
        "/assets/0123456789abcdef/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e",
        "/c/%c0%ae%c0%ae/",
        "/join/%2f%2fevil.test",
    ] {
        let answer = story.get("", path).await;
        assert!(!answer.headers.contains("\"location\""), "{path}");
        assert!(!answer.status.is_server_error(), "{path}");
        assert!(!answer.text.contains("[package]"), "{path}");
    }
}

#[tokio::test]
async fn a_token_counts_in_its_header_only_and_ends() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let token = story
        .post(&prof, "/api/v1/me/tokens", "token_name=laptop")
        .await
        .json();
    let token = token["token"].as_str().expect("a token").to_owned();
    let bearer = format!("Bearer {token}");
    let me = async |headers: &[(&str, &str)]| story.get_with("/api/v1/me", headers).await.status;
    assert_eq!(me(&[("authorization", &bearer)]).await, StatusCode::OK);
    let both = [("authorization", bearer.as_str()), ("cookie", &prof)];
    assert_eq!(me(&both).await, StatusCode::BAD_REQUEST);
    for (name, value) in [
        ("cookie", format!("cranfield={token}")),
        ("x-api-key", token.clone()),
        ("authorization", format!("Basic {token}")),
        ("authorization", token.clone()),
        ("authorization", format!("Bearer {}", token.to_uppercase())),
    ] {
        let status = me(&[(name, &value)]).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{name}: {value}");
    }
    for name in ["token", "access_token", "api_key", "authorization"] {
        let path = format!("/api/v1/me?{name}={token}");
        let answer = story.get("", &path).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(!answer.text.contains(&token), "{}", answer.text);
    }
    // A token makes no other token, so that one that was stolen ends.
    let request = Request::post("/api/v1/me/tokens")
        .header(header::AUTHORIZATION, &bearer)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from("token_name=more"));
    let answer = story.send(request.expect("a request")).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert!(!crate::log::kept().contains(&token));
    story.site.server.advance(180 * 24 * 3_600_000 + 1);
    let status = me(&[("authorization", &bearer)]).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

/// Everything that is in the database, but not when a session was used last, nor that an archive was taken, which is logged.
fn dump(story: &Story) -> String {
    let rows = story.site.server.store.read_here(|db| {
        let mut names = db.prepare(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'session' ORDER BY name",
        )?;
        let names = names.query_map([], |row| row.get::<_, String>(0))?;
        let mut text = String::new();
        for name in names {
            let name = name?;
            let mut query = db.prepare(&format!("SELECT * FROM {name}"))?;
            let columns = query.column_count();
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let row: Result<Vec<Sql>, _> = (0..columns).map(|at| row.get(at)).collect();
                let line = format!("{name} {:?}\n", row?);
                if !line.contains("campaign.export") {
                    text.push_str(&line);
                }
            }
        }
        Ok(text)
    });
    rows.expect("rows")
}

#[tokio::test]
async fn reading_changes_nothing_in_the_database() {
    let world = World::new(&Plan::default()).await;
    for phase in PHASES {
        let story = world.at(phase);
        story.settle().await;
        let before = dump(&story);
        for caller in CALLERS {
            for (method, path, operation) in operations() {
                let request = world.request(caller, &method, &path, operation, &world.samples);
                let (parts, _) = request.into_parts();
                // Also where only sending does something.
                for method in ["GET", "HEAD"] {
                    let address = parts.uri.to_string();
                    for address in [address.clone(), address.replacen("/api/v1", "", 1)] {
                        let request = Request::builder()
                            .method(method)
                            .uri(if address.is_empty() { "/" } else { &address })
                            .header(header::COOKIE, world.cookie(caller))
                            .body(Body::empty());
                        let request = request.expect("a request");
                        // One never ends, and the other is not a page.
                        if !path.ends_with("/events") && path != "/openapi.json" {
                            story.sent(request).await;
                        }
                    }
                }
            }
        }
        let after = dump(&story);
        let changed = after
            .lines()
            .find(|line| !before.lines().any(|known| known == *line));
        assert_eq!(changed, None, "{phase:?}");
        assert_eq!(after.lines().count(), before.lines().count(), "{phase:?}");
    }
}

#[tokio::test]
async fn forms_are_bounded() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let deep = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!("{{\"login\": \"prof\", \"password\": \"x\", \"more\": {open}{close}}}")
    };
    let keys: String = (0..1_000_000).map(|n| format!("\"k{n}\":0,")).collect();
    let more = |fields: &str| format!("{{\"login\": \"nemo\", \"password\": {fields}}}");
    for (body, status) in [
        (deep(100), StatusCode::UNPROCESSABLE_ENTITY),
        (deep(100_000), StatusCode::UNPROCESSABLE_ENTITY),
        (
            format!("{{{keys}\"login\": \"a\"}}"),
            StatusCode::PAYLOAD_TOO_LARGE,
        ),
        (
            more(&format!("\"{}\"", "x".repeat(2 << 20))),
            StatusCode::PAYLOAD_TOO_LARGE,
        ),
        (
            more("\"a\", \"password\": \"b\""),
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        (more("1e400"), StatusCode::UNPROCESSABLE_ENTITY),
        (more("\"\\ud800\""), StatusCode::UNPROCESSABLE_ENTITY),
        (more("\"a\\u0000b\""), StatusCode::UNPROCESSABLE_ENTITY),
        ("[]".into(), StatusCode::UNPROCESSABLE_ENTITY),
        (String::new(), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let start: String = body.chars().take(60).collect();
        let answer = story.send_json("", "/api/v1/login", body).await;
        assert_eq!(answer.status, status, "{start}: {}", answer.text);
    }
    let answer = story.post(
        "",
        "/api/v1/login",
        format!("login={}", "x".repeat(2 << 20)),
    );
    assert_eq!(answer.await.status, StatusCode::PAYLOAD_TOO_LARGE);
    // A form with files: many fields, and long ones.
    let team = story.team(&prof, "ann", "A").await;
    let long = "x".repeat((64 << 10) + 1);
    let many = vec![("description", None, "x"); 101];
    for fields in [many, vec![("description", None, long.as_str())]] {
        let answer = story.upload(&team, "/api/v1/c/hw1/submit", &fields).await;
        assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    }
}

#[tokio::test]
async fn every_answer_has_the_headers_that_confine_it() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    story.submit(&team, &run(2)).await;
    story.settle().await;
    let style = crate::assets::address("style.css");
    let own = [
        ("content-security-policy", "default-src 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=()"),
        ("x-frame-options", "DENY"),
    ];
    let check = |path: &str, answer: &Answer| {
        for (name, value) in own {
            let line = answer.headers.split(&format!("\"{name}\": \"")).nth(1);
            let line = line.unwrap_or_else(|| panic!("{path} has no {name}"));
            let line = line.split("\", \"").next().unwrap_or_default();
            assert!(line.contains(value), "{path}: {name}: {line}");
            assert!(!line.contains("unsafe"), "{path}: {name}: {line}");
        }
    };
    for path in [
        "/",
        "/login",
        "/c/hw1",
        "/c/hw1/board",
        "/c/hw1/board?format=csv",
        "/c/hw1/team/1/1",
        "/c/hw1/team/1/1/file",
        "/c/hw1/admin/full.zip",
        "/c/hw1/admin/grades",
        "/c/hw1/admin/qrels/1",
        "/api",
        "/api/v1/openapi.json",
        "/api/v1/c/hw1/board",
        "/nowhere",
        "/api/v1/nowhere",
        style,
    ] {
        check(path, &story.get(&prof, path).await);
    }
    check("/logout", &story.post(&team, "/logout", "").await);
    let foreign = Request::post("/logout").body(Body::empty());
    check("/logout", &story.send(foreign.expect("a request")).await);
    // What people have sent is never shown as a page of this server.
    for path in [
        "/c/hw1/team/1/1/file",
        "/c/hw1/admin/qrels/1",
        "/c/hw1/admin/full.zip",
    ] {
        let sent = story.get(&prof, path).await;
        assert!(sent.headers.contains("attachment; filename="), "{path}");
        assert!(!sent.headers.contains("text/html"), "{path}");
    }
    let sent = story.get(&prof, "/c/hw1/team/1/1/file").await;
    assert!(sent.headers.contains("sandbox"), "{}", sent.headers);
    assert!(sent.headers.contains("application/octet-stream"));
}
