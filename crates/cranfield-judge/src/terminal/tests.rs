//! Screens of all sizes.

use std::path::Path;

use super::screen_text;
use super::text::width_of;
use crate::materials::{Materials, PoolTopics, Sources};
use crate::queue::{Blind, Pair};
use crate::scale::Scale;
use crate::session::Session;
use crate::settings::Settings;

/// A session on one document of a small collection.
fn session(folder: &Path, text: &str) -> (Session, Materials) {
    let document = serde_json::json!({"id": "d1", "text": text});
    std::fs::write(folder.join("docs.jsonl"), format!("{document}\n")).unwrap();
    let topic = "<top>\n<num> Number: 7\n<title> heat flow\n<desc> Description:\nHow does heat flow in solid bodies?\n\
                 <narr> Narrative:\nTheory and measurements count.\n</top>\n";
    std::fs::write(folder.join("topics.txt"), topic).unwrap();
    let pair = Pair {
        topic: "7".into(),
        doc: "d1".into(),
    };
    let sources = Sources {
        collection: Some(folder.join("docs.jsonl")),
        index: None,
        topics: Some(folder.join("topics.txt")),
    };
    let mut pairs = vec![pair];
    let topics = PoolTopics::open(&sources, &mut pairs).unwrap();
    let materials = Materials::open(&sources, topics, &pairs).unwrap();
    let queue = Blind::new(&pairs, "ann", &Settings::default());
    let session = Session::open(folder, "ann", Box::new(queue), Settings::default()).unwrap();
    (session, materials)
}

#[test]
fn topic_and_document_are_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let (session, materials) = session(folder.path(), "Flows of heat in solids, as measured.");
    let screen = screen_text(&session, &materials, &Scale::default(), (80, 10)).unwrap();
    let expected = "\
topic 7: 0 of 1                                   all: 0 of 1 (0 %) · 0 min left
heat flow                  │ document d1
                           │ Flows of heat in solids, as measured.
How does heat flow in      │
solid bodies?              │
                           │
Theory and measurements    │
count.                     │
[0] not relevant  [1] related  [2] relevant  [3] highly relevant
u undo  s later  f flag  n note  / find  space scroll  ? keys  q leave
";
    assert_eq!(screen, expected);
}

#[test]
fn narrow_terminals_stack_the_panes() {
    let folder = tempfile::tempdir().unwrap();
    let (session, materials) = session(folder.path(), "Flows of heat in solids, as measured.");
    let screen = screen_text(&session, &materials, &Scale::default(), (30, 12)).unwrap();
    let expected = "\
topic 7: 0 of 1  all: 0 of 1 …
heat flow

(] shows more)
document d1
Flows of heat in solids, as
measured.



[0] not relevant  [1] related…
u undo  s later  f flag  n no…
";
    assert_eq!(screen, expected);
}

#[test]
fn no_screen_is_wider_or_higher_than_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "{} \u{1b}[31m 日本語 e\u{301}\u{301} {}",
        "x".repeat(300),
        "heat ".repeat(500)
    );
    let (session, materials) = session(folder.path(), &text);
    for width in (0..100).chain([200, 1000]) {
        for height in [0, 1, 2, 3, 4, 5, 24, 60] {
            let size = (width, height);
            let screen = screen_text(&session, &materials, &Scale::default(), size).unwrap();
            assert_eq!(screen.lines().count(), height, "{size:?}");
            for line in screen.lines() {
                let columns: usize = line.chars().map(width_of).sum();
                assert!(columns <= width.max(2), "{size:?}: {line}");
            }
        }
    }
}
