//! The description of the API tells the truth: every route is in it, and every answer of every test has one of its statuses.

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use serde_json::Value;

use super::Story;
use crate::api::{API, description};

/// The operation that a request calls, if the description has it.
fn operation(method: &Method, path: &str) -> Option<&'static Value> {
    let path = path.strip_prefix(API).unwrap_or(path);
    let path = if path.is_empty() { "/" } else { path };
    let method = if method == Method::HEAD {
        "get".to_owned()
    } else {
        method.as_str().to_lowercase()
    };
    let mut found: Vec<_> = description()["paths"]
        .as_object()?
        .iter()
        .filter(|(pattern, _)| fits(pattern, path))
        .collect();
    // A fixed part goes before one in braces.
    found.sort_by_key(|(pattern, _)| pattern.matches('{').count());
    found.first()?.1.get(&method)
}

fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (pattern.split('/'), path.split('/'));
    pattern.clone().count() == path.clone().count()
        && pattern.zip(path).all(|(wanted, given)| {
            wanted == given || (wanted.starts_with('{') && !given.is_empty())
        })
}

/// Fails if an answer has a status that the description does not name. A page answers with a redirection where the API reports success.
pub(super) fn check_status(method: &Method, path: &str, status: StatusCode) {
    let Some(operation) = operation(method, path) else {
        return;
    };
    let statuses = operation["responses"].as_object().expect("responses");
    let is_page = !path.starts_with(API) && status == StatusCode::SEE_OTHER;
    let is_known = statuses.contains_key(&status.as_u16().to_string());
    assert!(
        is_page || is_known,
        "{method} {path} answers {status}, which {} does not name",
        operation["operationId"]
    );
}

/// Every operation with its method and path.
pub(super) fn operations() -> Vec<(String, String, &'static Value)> {
    let paths = description()["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods");
        methods
            .iter()
            .map(move |(method, operation)| (method.clone(), path.clone(), operation))
    });
    operations.collect()
}

#[test]
fn operations_have_names_of_their_own_and_describe_their_parameters() {
    let mut ids = BTreeSet::new();
    for (method, path, operation) in operations() {
        let id = operation["operationId"].as_str().expect("an id");
        assert!(ids.insert(id), "two operations are named {id}");
        let says = operation["summary"].as_str().expect("a summary");
        assert!(says.ends_with('.'), "{method} {path}: {says}");
        let named = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == "path");
        let named: Vec<&str> = named
            .map(|parameter| parameter["name"].as_str().expect("a name"))
            .collect();
        let braces: Vec<&str> = path
            .split('{')
            .skip(1)
            .map(|rest| rest.split('}').next().expect("a name"))
            .collect();
        assert_eq!(named, braces, "{method} {path}");
        let is_form = method == "post" && operation.get("requestBody").is_some();
        assert!(
            !is_form || operation["responses"].get("422").is_some(),
            "{method} {path}"
        );
    }
    assert!(ids.len() > 30);
}

#[test]
fn requests_are_described_as_handlers_read_them() {
    let login = operation(&Method::POST, "/login").expect("signing in");
    let schema = &login["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(schema["required"], serde_json::json!(["login", "password"]));
    let board = operation(&Method::GET, "/api/v1/c/hw1/board").expect("a board");
    let names = board["parameters"]
        .as_array()
        .expect("parameters")
        .iter()
        .map(|parameter| parameter["name"].as_str().unwrap_or_default());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "slug", "measure", "part", "since", "sort", "q", "runs", "format"
        ]
    );
    let entry = operation(&Method::GET, "/c/hw1/team/1/2").expect("an entry");
    assert_eq!(entry["parameters"][2]["schema"]["type"], "integer");
    let submit = operation(&Method::POST, "/c/hw1/submit").expect("sending a run");
    let schema = &submit["requestBody"]["content"]["multipart/form-data"]["schema"];
    assert_eq!(schema["properties"]["run"]["format"], "binary");
}

/// The router is made from the table, so a route outside it would be one that nothing describes.
#[test]
fn routes_are_added_in_the_table_only() {
    let mut folders = vec![std::path::PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src"
    ))];
    let allowed = [
        "/assets/{hash}/{name}",
        "/healthz",
        "/readyz",
        "/metrics",
        "&path, operation",
        "API, operation",
        "operation.path, operation",
    ];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.extend((!path.ends_with("tests")).then_some(path));
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            for call in [
                ".route(",
                ".nest(",
                ".merge(",
                ".route_service(",
                ".nest_service(",
            ] {
                for after in text.split(call).skip(1) {
                    let after = after.trim_start().trim_start_matches('"');
                    let is_allowed =
                        call == ".route(" && allowed.iter().any(|start| after.starts_with(start));
                    assert!(
                        is_allowed,
                        "{}: {call}{}",
                        path.display(),
                        after.lines().next().unwrap_or_default()
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn the_reference_and_the_description_are_served() {
    let story = Story::new();
    let served = story.get("", "/api/v1/openapi.json").await;
    assert_eq!(served.json(), *description());
    let page = story.get("", "/api").await.text;
    for (method, path, operation) in operations() {
        let id = operation["operationId"].as_str().expect("an id");
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
        assert!(
            page.contains(&format!("{} /api/v1{path}", method.to_uppercase())),
            "{id}"
        );
    }
}

#[tokio::test]
async fn wrong_requests_get_problems_and_not_plain_text() {
    let story = Story::new();
    for (path, status) in [
        ("/api/v1/nothing", StatusCode::NOT_FOUND),
        ("/api/v1/c/hw1/team/x", StatusCode::NOT_FOUND),
        ("/api/v1/c/%ff", StatusCode::NOT_FOUND),
        ("/api/v1/c/hw1/board?colour=red", StatusCode::BAD_REQUEST),
        ("/api/v1/logout", StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let answer = story.get("", path).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(
            answer.headers.contains("application/problem+json"),
            "{path}: {}",
            answer.headers
        );
        assert!(answer.json()["detail"].is_string(), "{path}");
    }
    let answer = story.post("", "/api/v1/c/hw1/submit", "a=b").await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(answer.headers.contains("application/problem+json"));
}

#[tokio::test]
async fn unknown_fields_of_a_form_with_files_are_refused_by_name() {
    let story = Story::new();
    let prof = story.organiser().await;
    for field in [("colour", None, "red"), ("colour", Some("a.txt"), "red")] {
        let answer = story.upload(&prof, "/api/v1/new", &[field]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(
            answer.json()["detail"]
                .as_str()
                .is_some_and(|detail| detail.contains("`colour`"))
        );
    }
}
