//! Baselines that the server makes from a collection, and those that organisers send.

use axum::http::StatusCode;
use cranfield_collection::{Collection, DocumentOptions, QueryFields};
use cranfield_eval::Progress;
use cranfield_lab::engine::{EngineSettings, open_engine};
use cranfield_lab::searching::{SearchRequest, TestCollection, search};
use cranfield_lab::{IndexRequest, RunSettings, index};
use cranfield_search::{Analyzer, IndexOptions};
use serde_json::Value;

use super::Story;

const PATH: &str = "/api/v1/c/hw1/admin/baselines";

/// A campaign about the kitchen garden, whose collection is on the server.
async fn story() -> (Story, String, std::path::PathBuf) {
    let story = Story::new();
    let prof = story.organiser().await;
    let garden = story.site.server.data.join("collections/garden");
    cranfield_lab::demo::demo(&garden).expect("a collection");
    let qrels = std::fs::read_to_string(garden.join("qrels.txt")).expect("judgements");
    story
        .campaign_of(&prof, &qrels, &[("measures", "AP nDCG@10")])
        .await;
    (story, prof, garden)
}

async fn searched(story: &Story, prof: &str) -> Value {
    for _ in 0..600 {
        let page = story.get(prof, PATH).await.json();
        if page["pending"] == false {
            story.settle().await;
            return page;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the search does not end");
}

/// The runs of the library, by the name of the model.
fn expected(garden: &std::path::Path) -> Vec<(&'static str, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    let request = IndexRequest {
        inputs: vec![garden.to_owned()],
        reading: DocumentOptions::default(),
        options: IndexOptions::new(Analyzer::named("english").expect("an analyser")),
        output: folder.path().join("index"),
        progress: Progress::default(),
    };
    index(&request).expect("an index");
    let topics = Collection::open(garden)
        .expect("a collection")
        .topics()
        .expect("topics");
    let runs = ["BM25", "VSM"].map(|model| {
        let settings = EngineSettings {
            model: model.parse().expect("a model"),
            ..EngineSettings::default()
        };
        let engine = open_engine(&request.output, &settings).expect("an engine");
        let request = SearchRequest {
            topics: &topics,
            fields: &QueryFields::default(),
            tag: None,
            command: None,
            data: TestCollection::default(),
        };
        let searched = search(&*engine, &request, &RunSettings::default()).expect("a run");
        let mut bytes = Vec::new();
        cranfield_io::write_run(
            &searched.answers.run,
            cranfield_io::RunFormat::Trec,
            &mut bytes,
        )
        .expect("written");
        (model, String::from_utf8(bytes).expect("text"))
    });
    runs.to_vec()
}

#[tokio::test]
async fn baselines_of_a_collection_are_those_of_search() {
    let (story, prof, garden) = story().await;
    assert_eq!(
        story.get(&prof, PATH).await.json()["collections"],
        serde_json::json!(["garden"])
    );
    let answer = story
        .upload(
            &prof,
            &format!("{PATH}/search"),
            &[("collection", None, "garden")],
        )
        .await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
    let page = searched(&story, &prof).await;
    assert_eq!(page["searches"][0]["state"], "done", "{page}");
    let names: Vec<&str> = page["baselines"]
        .as_array()
        .expect("baselines")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["BM25", "Vector space"]);
    for (number, (model, run)) in (1..).zip(expected(&garden)) {
        let file = story
            .get(&prof, &format!("/c/hw1/team/{number}/1/file"))
            .await;
        assert!(file.text == run, "{model} differs");
    }
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    let rows = board["rows"].as_array().expect("rows");
    assert!(
        rows.len() == 2
            && rows
                .iter()
                .all(|row| row["baseline"] == true && row["rank"].is_null())
    );
    // The same search again adds nothing.
    story
        .upload(
            &prof,
            &format!("{PATH}/search"),
            &[("collection", None, "garden")],
        )
        .await;
    let page = searched(&story, &prof).await;
    assert!(
        page["baselines"]
            .as_array()
            .expect("baselines")
            .iter()
            .all(|one| one["entries"] == 1)
    );
    let html = story.get(&prof, "/c/hw1/admin/baselines").await.text;
    assert!(
        html.contains("Vector space") && html.contains("documents and 30 topics"),
        "{html}"
    );
}

#[tokio::test]
async fn documents_and_topics_can_be_sent() {
    let (story, prof, garden) = story().await;
    let read = |name: &str| std::fs::read_to_string(garden.join(name)).expect(name);
    let (documents, topics) = (read("documents.jsonl"), read("topics.txt"));
    let files = [
        ("documents", Some("documents.jsonl"), documents.as_str()),
        ("topics", Some("topics.txt"), topics.as_str()),
        ("models", None, "QL(mu=500)"),
        ("fields", None, "title"),
    ];
    let answer = story.upload(&prof, &format!("{PATH}/search"), &files).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
    let page = searched(&story, &prof).await;
    assert_eq!(page["searches"][0]["state"], "done", "{page}");
    let board = story.get("", "/api/v1/c/hw1/board").await.json();
    assert_eq!(board["rows"][0]["team"], "QL(mu=500)");
    // Documents that are none are an error that says so, without a path of the server.
    let files = [
        ("documents", Some("documents.jsonl"), "{\"_id\": 1"),
        ("topics", Some("topics.txt"), topics.as_str()),
    ];
    story.upload(&prof, &format!("{PATH}/search"), &files).await;
    let page = searched(&story, &prof).await;
    assert_eq!(page["searches"][0]["state"], "failed", "{page}");
    let message = page["searches"][0]["message"].as_str().expect("a message");
    let data = story.site.server.data.display().to_string();
    assert!(!message.is_empty() && !message.contains(&data), "{message}");
    // What a search worked with is gone.
    let left = std::fs::read_dir(story.site.server.data.join("incoming"))
        .expect("a folder")
        .count();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn searches_are_for_organisers_and_stay_in_the_folder_of_collections() {
    let (story, prof, _) = story().await;
    let team = story.team(&prof, "ann", "BM25").await;
    let wrong: [&[(&str, Option<&str>, &str)]; 7] = [
        &[],
        &[("collection", None, "../cranfield.db")],
        &[("collection", None, "/etc")],
        &[("collection", None, "none")],
        &[("collection", None, "garden"), ("models", None, "BM26")],
        &[
            ("collection", None, "garden"),
            ("documents", Some("d.jsonl"), "{}"),
        ],
        &[("documents", Some("d.jsonl"), "{}")],
    ];
    for fields in wrong {
        let answer = story.upload(&prof, &format!("{PATH}/search"), fields).await;
        assert_eq!(
            answer.status,
            StatusCode::UNPROCESSABLE_ENTITY,
            "{fields:?} {}",
            answer.text
        );
    }
    for cookie in ["", team.as_str()] {
        let answer = story
            .upload(
                cookie,
                &format!("{PATH}/search"),
                &[("collection", None, "garden")],
            )
            .await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert_eq!(story.get(cookie, PATH).await.status, StatusCode::NOT_FOUND);
    }
    // A baseline cannot have the name of a team; the field of the form is enough for another.
    let file = ("run", Some("my.run"), "1 Q0 a 1 1 t\n");
    let taken = story
        .upload(&prof, PATH, &[("name", None, "bm25"), file])
        .await;
    assert_eq!(
        taken.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "{}",
        taken.text
    );
    let sent = story
        .upload(&prof, PATH, &[("name", None, "Oracle"), file])
        .await;
    assert_eq!(sent.status, StatusCode::ACCEPTED, "{}", sent.text);
    assert_eq!(
        story.get(&prof, PATH).await.json()["baselines"][0]["name"],
        "Oracle"
    );
}
