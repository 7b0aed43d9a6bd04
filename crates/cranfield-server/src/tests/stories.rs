//! Stories from the first account to the grades, and what must never leak on the way.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};

use super::{PASSWORD, Story, run};

#[tokio::test]
async fn a_class_from_set_up_to_release() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let first = story.team(&prof, "ann", "M10915010_盧克函").await;
    let second = story.team(&prof, "bob", "我們不要BM25了").await;
    let third = story.team(&prof, "cem", "فريق البحث").await;
    assert_eq!(
        story.submit(&first, &run(4)).await.status,
        StatusCode::ACCEPTED
    );
    assert_eq!(
        story.submit(&second, &run(2)).await.status,
        StatusCode::ACCEPTED
    );
    let broken = story.submit(&third, "1 Q0 a 1 one t\n").await;
    assert_eq!(broken.status, StatusCode::ACCEPTED);
    story.settle().await;
    let findings = story.get(&third, "/api/v1/c/hw1/team/3/1").await.json();
    assert_eq!(findings["state"], "invalid");
    assert_eq!(findings["findings"][0]["places"][0]["line"], 1);
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["rows"][0]["team"], "M10915010_盧克函");
    assert_eq!(board["rows"][0]["rank"], 1);
    assert_eq!(board["rows"][0]["value"], 1.0);
    assert_eq!(board["rows"].as_array().expect("rows").len(), 2);
    let html = story.get("", "/c/hw1/board").await.text;
    assert!(html.contains("我們不要BM25了"));
    // Release before the end is refused, and the final board is not there.
    assert_eq!(
        story.post(&prof, "/c/hw1/admin/release", "").await.status,
        StatusCode::CONFLICT
    );
    assert_eq!(
        story.get(&first, "/c/hw1/board?part=final").await.status,
        StatusCode::NOT_FOUND
    );
    story.site.server.advance(11 * 3_600_000);
    assert_eq!(
        story
            .post(&second, "/c/hw1/team/picks", "entries=1")
            .await
            .status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        story
            .post(&second, "/c/hw1/team/picks", "entries=7")
            .await
            .status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        story.post(&prof, "/c/hw1/admin/release", "").await.status,
        StatusCode::SEE_OTHER
    );
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["part"], "final");
    let grades = story.get(&prof, "/c/hw1/admin/grades").await.text;
    assert!(grades.starts_with("login,name,team,final rank,final value,public value,entries,late\nann,ann,M10915010_盧克函,1,1,1,1,\n"), "{grades}");
    assert_eq!(
        story.get(&first, "/c/hw1/admin/grades").await.status,
        StatusCode::NOT_FOUND
    );
    let broken = story
        .site
        .server
        .store
        .read_here(crate::audit::first_broken);
    assert_eq!(broken.expect("a log"), None);
}

#[tokio::test]
async fn fifty_uploads_at_once_with_one_left_count_once() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("entries_per_day", "1")]).await;
    let team = story.team(&prof, "ann", "A").await;
    let runs: Vec<String> = (0..50)
        .map(|n| format!("{}1 Q0 d{n} 2 0.5 t\n", run(2)))
        .collect();
    let mut answers = Vec::new();
    let mut tasks = tokio::task::JoinSet::new();
    let story = std::sync::Arc::new(story);
    for run in runs {
        let (story, team) = (std::sync::Arc::clone(&story), team.clone());
        tasks.spawn(async move { story.submit(&team, &run).await.status });
    }
    while let Some(status) = tasks.join_next().await {
        answers.push(status.expect("an answer"));
    }
    let accepted = answers
        .iter()
        .filter(|status| **status == StatusCode::ACCEPTED)
        .count();
    assert_eq!(accepted, 1, "{answers:?}");
    assert!(
        answers
            .iter()
            .all(|status| [StatusCode::ACCEPTED, StatusCode::TOO_MANY_REQUESTS].contains(status))
    );
}

#[tokio::test]
async fn a_frozen_board_does_not_change_by_a_byte() {
    let story = Story::new();
    let prof = story.organiser().await;
    story
        .campaign(
            &prof,
            &[("entries_per_day", "1000"), ("entries_in_all", "1000")],
        )
        .await;
    let first = story.team(&prof, "ann", "A").await;
    let second = story.team(&prof, "bob", "B").await;
    story.submit(&first, &run(1)).await;
    story.submit(&second, &run(2)).await;
    story.settle().await;
    story.site.server.advance(6 * 3_600_000);
    let seen = async || {
        let mut all = String::new();
        for (cookie, path) in [
            ("", "/"),
            ("", "/c/hw1"),
            ("", "/c/hw1/board"),
            ("", "/api/v1/c/hw1/board"),
            ("", "/c/hw1/board?measure=P%401"),
            ("", "/c/hw1/board?format=csv"),
            (second.as_str(), "/c/hw1/board"),
            (second.as_str(), "/c/hw1/team"),
            (second.as_str(), "/c/hw1/team/1"),
            (second.as_str(), "/c/hw1/team/1/2"),
        ] {
            let answer = story.get(cookie, path).await;
            all.push_str(&format!(
                "{path} {} {} {}\n",
                answer.status, answer.headers, answer.text
            ));
        }
        all
    };
    let before = seen().await;
    assert!(before.contains("Frozen at"));
    for entry in 0..10 {
        let answer = story
            .submit(&first, &format!("{}4 Q0 e{entry} 2 0.1 t\n", run(4)))
            .await;
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
    }
    story.settle().await;
    let own = story.get(&first, "/api/v1/c/hw1/team").await.json();
    assert_eq!(own["entries"].as_array().expect("entries").len(), 11);
    story.post(&first, "/c/hw1/team/1/1/withdraw", "").await;
    story.team(&prof, "cem", "C").await;
    assert_eq!(seen().await, before);
}

#[tokio::test]
async fn nothing_about_the_judgements_leaves_the_server() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    // None of the documents with judgements is in the run, so that no page has a reason to show one.
    story.submit(&team, "1 Q0 a 1 1 t\n2 Q0 b 1 1 t\n").await;
    story.submit(&team, "9 Q0 a 1 1 t\n").await;
    story.settle().await;
    let paths = [
        "/",
        "/c/hw1",
        "/c/hw1/board",
        "/c/hw1/board?format=csv",
        "/c/hw1/submit",
        "/c/hw1/team",
        "/c/hw1/team/1",
        "/c/hw1/team/1/1",
        "/c/hw1/team/1/2",
        "/c/hw1/team/1/1/file",
        "/c/hw1/admin",
        "/c/hw1/admin/log",
        "/c/hw1/admin/grades",
        "/me",
        "/c/none",
        "/healthz",
    ];
    for path in paths {
        for prefix in ["", "/api/v1"] {
            for cookie in ["", team.as_str()] {
                let answer = story.get(cookie, &format!("{prefix}{path}")).await;
                let leaked = answer.text.contains("canary") || answer.headers.contains("canary");
                assert!(!leaked, "{path}: {}", answer.text);
                assert!(!answer.status.is_server_error(), "{path}");
            }
        }
    }
}

#[tokio::test]
async fn only_those_with_a_role_reach_a_page() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("board", "members")]).await;
    let first = story.team(&prof, "ann", "A").await;
    let second = story.team(&prof, "bob", "B").await;
    story.submit(&first, &run(1)).await;
    story.settle().await;
    let (ok, none, unauthorized, forbidden) = (
        StatusCode::OK,
        StatusCode::NOT_FOUND,
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
    );
    // Reader, own team, other team, organiser.
    let matrix = [
        ("/c/hw1", [ok, ok, ok, ok]),
        ("/c/hw1/board", [none, ok, ok, ok]),
        ("/c/hw1/board?part=final", [none, none, none, ok]),
        ("/c/hw1/submit", [unauthorized, ok, ok, forbidden]),
        ("/c/hw1/team", [unauthorized, ok, ok, forbidden]),
        ("/c/hw1/team/1", [none, ok, none, ok]),
        ("/c/hw1/team/1/1", [none, ok, none, ok]),
        ("/c/hw1/team/1/1/file", [none, ok, none, ok]),
        ("/c/hw1/team/9", [none, none, none, none]),
        ("/c/hw1/admin", [none, none, none, ok]),
        ("/c/hw1/admin/settings", [none, none, none, ok]),
        ("/c/hw1/admin/grades", [none, none, none, ok]),
        ("/c/hw1/admin/log", [none, none, none, ok]),
        ("/new", [none, none, none, ok]),
        ("/me", [unauthorized, ok, ok, ok]),
    ];
    for (path, wanted) in matrix {
        for (cookie, wanted) in ["", &first, &second, &prof].into_iter().zip(wanted) {
            assert_eq!(story.get(cookie, path).await.status, wanted, "{path}");
            let api = story.get(cookie, &format!("/api/v1{path}")).await;
            assert_eq!(api.status, wanted, "/api/v1{path}");
        }
    }
    for path in [
        "admin/publish",
        "admin/freeze",
        "admin/release",
        "admin/codes",
        "team/1/1/withdraw",
    ] {
        for cookie in ["", second.as_str()] {
            let answer = story.post(cookie, &format!("/c/hw1/{path}"), "").await;
            assert!(answer.status.is_client_error(), "{path} {}", answer.status);
        }
    }
}

#[tokio::test]
async fn requests_from_other_sites_are_refused() {
    let story = Story::new();
    let prof = story.organiser().await;
    let logout = |headers: &[(&str, &str)]| {
        let mut request = Request::post("/logout")
            .header(header::COOKIE, prof.as_str())
            .header(header::HOST, "board.test");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).expect("a request")
    };
    for headers in [
        [("sec-fetch-site", "cross-site")].as_slice(),
        &[("sec-fetch-site", "same-site")],
        &[("origin", "http://evil.test")],
        &[("origin", "null")],
        &[],
    ] {
        assert_eq!(
            story.send(logout(headers)).await.status,
            StatusCode::FORBIDDEN,
            "{headers:?}"
        );
    }
    assert_eq!(story.get(&prof, "/me").await.status, StatusCode::OK);
    assert_eq!(
        story
            .send(logout(&[("origin", "http://board.test")]))
            .await
            .status,
        StatusCode::SEE_OTHER
    );
    assert_eq!(
        story.get(&prof, "/me").await.status,
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn wrong_passwords_wait_and_unknown_logins_look_the_same() {
    let story = Story::new();
    story.organiser().await;
    let sign_in = async |login: &str, password: &str| {
        story
            .post("", "/login", format!("login={login}&password={password}"))
            .await
    };
    let unknown = sign_in("nemo", "wrong password").await;
    let wrong = sign_in("prof", "wrong password").await;
    assert_eq!((wrong.status, &wrong.text), (unknown.status, &unknown.text));
    // Each failure doubles the wait, so it is longer than a hash takes before long.
    let mut tries = 0;
    while sign_in("prof", "wrong password").await.status != StatusCode::TOO_MANY_REQUESTS {
        tries += 1;
        assert!(tries < 12);
    }
    assert!(tries >= 4);
    assert_eq!(
        sign_in("prof", PASSWORD).await.status,
        StatusCode::TOO_MANY_REQUESTS
    );
    story.site.server.advance(1_000_000);
    let right = sign_in("PROF", PASSWORD).await;
    assert_eq!(right.status, StatusCode::SEE_OTHER);
    assert_ne!(right.cookie, "");
}

#[tokio::test]
async fn reading_changes_nothing() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    for path in [
        "/logout",
        "/c/hw1/admin/publish",
        "/c/hw1/admin/freeze",
        "/c/hw1/admin/release",
        "/c/hw1/admin/codes",
        "/c/hw1/team/picks",
    ] {
        for method in [Method::GET, Method::HEAD] {
            let request = Request::builder()
                .method(method)
                .uri(path)
                .header(header::COOKIE, &prof)
                .body(Body::empty());
            let status = story.send(request.expect("a request")).await.status;
            assert!(status.is_client_error(), "{path}: {status}");
        }
    }
    assert_eq!(story.get(&prof, "/me").await.status, StatusCode::OK);
}

#[tokio::test]
async fn markup_in_names_and_files_is_text() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let name = "<script>alert(1)</script>";
    let team = story.team(&prof, "ann", name).await;
    story
        .upload(
            &team,
            "/c/hw1/submit",
            &[
                ("run", Some("<img src=x onerror=alert(1)>"), &run(3)),
                ("description", None, "\"onload=\""),
            ],
        )
        .await;
    story
        .submit(&team, "1 Q0 <b>x</b> 1 <script>alert(2)</script> t\n")
        .await;
    story.settle().await;
    for path in [
        "/c/hw1/board",
        "/c/hw1/team",
        "/c/hw1/team/1/1",
        "/c/hw1/team/1/2",
        "/me",
    ] {
        let text = story.get(&team, path).await.text;
        let body = text.split_once("<main").map_or("", |(_, body)| body);
        assert!(
            !body.contains("<script") && !body.contains("<img") && !body.contains("<b>"),
            "{path}: {body}"
        );
    }
    let formula = story.team(&prof, "eve", "=1+1").await;
    story.submit(&formula, &run(1)).await;
    story.settle().await;
    assert!(
        story
            .get("", "/c/hw1/board?format=csv")
            .await
            .text
            .contains(",'=1+1,")
    );
}
