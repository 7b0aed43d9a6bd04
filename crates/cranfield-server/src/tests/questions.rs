//! Twins and values that are too good to be true: organisers are asked to look, and nobody else learns of it.

use serde_json::{Value, json};

use super::{QRELS, Story, run};

impl Story {
    /// The entries that raise questions, once there are as many as expected: they are compared a moment after they are scored.
    pub(super) async fn questioned(&self, cookie: &str, count: usize) -> Vec<Value> {
        for _ in 0..400 {
            let path = "/api/v1/c/hw1/admin/entries?state=question";
            let page = self.get(cookie, path).await.json();
            let entries = page["entries"].as_array().expect("entries").clone();
            if entries.len() == count {
                return entries;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("there are not {count} entries with questions");
    }
}

/// Values that no other run has by accident, none of them high.
pub(super) const RANKED: &str =
    "1 Q0 z 1 9 t\n1 Q0 canary-1 2 8 t\n2 Q0 z 1 9 t\n2 Q0 y 2 8 t\n2 Q0 canary-2 3 7 t\n";

#[tokio::test]
async fn twins_are_found_by_file_and_by_ranking() {
    let story = Story::new();
    let prof = story.organiser().await;
    let measures = [("measures", "RR nDCG@10")];
    story.campaign_of(&prof, QRELS, &measures).await;
    let team = async |login: &str| story.team(&prof, login, &format!("Team {login}")).await;
    let (ann, bob, cem, dan) = (
        team("ann").await,
        team("bob").await,
        team("cem").await,
        team("dan").await,
    );
    // The same values with other documents are no ranking of someone else.
    let other_documents = RANKED.replace("Q0 z", "Q0 x");
    // The same ranking with other scores, in another order of lines, under another name.
    let mut lines: Vec<String> = RANKED
        .lines()
        .map(|line| {
            line.replace(" 9 t", " 0.9 mine")
                .replace(" 8 t", " 0.8 mine")
                .replace(" 7 t", " 0.7 mine")
        })
        .collect();
    lines.reverse();
    for (cookie, run) in [
        (&ann, RANKED.to_owned()),
        (&ann, format!("{RANKED}3 Q0 z 1 1 t\n")),
        (&bob, other_documents),
        (&cem, RANKED.to_owned()),
        (&dan, lines.join("\n")),
    ] {
        let sent = story.submit(cookie, &run).await;
        assert_eq!(sent.status.as_u16(), 202, "{}", sent.text);
        story.settle().await;
    }
    let found = story.questioned(&prof, 2).await;
    let other = json!({ "number": 1, "team": "Team ann", "entry": 1 });
    assert_eq!(found[0]["team"], "Team dan");
    assert_eq!(
        found[0]["questions"],
        json!([{ "kind": "same-ranking", "other": other }])
    );
    assert_eq!(found[1]["team"], "Team cem");
    assert_eq!(
        found[1]["questions"],
        json!([{ "kind": "same-file", "other": other }])
    );
    let page = story.get(&prof, "/c/hw1/admin/entries").await;
    assert!(
        page.text.contains("Twins? The file is that of"),
        "{}",
        page.text
    );
    for path in [
        "/c/hw1/team",
        "/c/hw1/team/3/1",
        "/api/v1/c/hw1/team/3/1",
        "/c/hw1/board",
    ] {
        let page = story.get(&cem, path).await;
        assert!(
            !page.text.contains("Twins") && !page.text.contains("same-"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn nearly_perfect_values_raise_a_question_once() {
    let story = Story::new();
    let prof = story.organiser().await;
    // Average precision is examined even if it is no measure of the campaign.
    story.campaign(&prof, &[]).await;
    let ann = story.team(&prof, "ann", "A").await;
    for found in [0, 4] {
        story.submit(&ann, &run(found)).await;
        story.settle().await;
    }
    let found = story.questioned(&prof, 1).await;
    assert_eq!(found[0]["entry"], 2);
    assert_eq!(
        found[0]["questions"],
        json!([{ "kind": "too-good", "other": null }])
    );
    let values = story.get(&ann, "/api/v1/c/hw1/team/1/2").await.json();
    let measures = values["values"].as_array().expect("values");
    assert_eq!(measures.len(), 2, "RR and P@1 alone are shown");
}
