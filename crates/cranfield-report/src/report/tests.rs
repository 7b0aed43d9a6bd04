//! Whole reports of small files.

#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests are short, and may panic"
)]

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::*;
use cranfield_compare::compare::Progress;
use cranfield_eval::agreement::Assessor;
use cranfield_eval::{Conventions, Request, parse_measures};
use cranfield_render::{is_obeyed, visible};

const QRELS: &str = "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n2 0 d 0\n3 0 a 1\n";

/// Two runs of three topics; the first run of `names` is the better one.
fn files(folder: &Path, names: [&str; 2]) -> Request {
    let good = "1 Q0 a 1 3 t\n1 Q0 c 2 2 t\n1 Q0 x 3 1 t\n2 Q0 a 1 2 t\n3 Q0 a 1 1 t\n";
    let poor = "1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n2 Q0 d 1 2 t\n2 Q0 a 2 1 t\n3 Q0 y 1 1 t\n";
    fs::write(folder.join("qrels.txt"), QRELS).unwrap();
    for (name, text) in names.into_iter().zip([good, poor]) {
        fs::write(folder.join(name), text).unwrap();
    }
    let measures = parse_measures("nDCG@10 AP", &Conventions::default()).unwrap();
    Request::new(
        folder.join("qrels.txt"),
        names.map(|name| folder.join(name)),
        measures,
    )
}

fn report(names: [&str; 2]) -> (tempfile::TempDir, Report) {
    let folder = tempfile::tempdir().unwrap();
    let report = Report::of_files(ReportRequest::new(files(folder.path(), names))).unwrap();
    (folder, report)
}

fn captions(page: &str) -> Vec<&str> {
    let captions = page.split("<figcaption>").skip(1);
    let captions: Vec<&str> = captions
        .map(|rest| rest.split_once("</figcaption>").unwrap().0)
        .collect();
    assert!(captions.len() > 10, "{captions:?}");
    captions
}

#[test]
fn progress_reports_runs_and_tests_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let request = || ReportRequest::new(files(folder.path(), ["good.run", "poor.run"]));
    let steps = Arc::new(Mutex::new(Vec::new()));
    let reported = Arc::clone(&steps);
    let mut watched = request();
    watched.request.progress = Progress::new(move |step| {
        let step = (step.measure.to_owned(), step.what.to_owned(), step.done);
        reported.lock().unwrap().push(step);
    });
    let report = Report::of_files(watched).unwrap();
    let steps = steps.lock().unwrap().clone();
    let runs: Vec<usize> = steps
        .iter()
        .filter(|(measure, what, _)| measure.is_empty() && what == "runs")
        .map(|(_, _, done)| *done)
        .collect();
    assert_eq!(runs.iter().sum::<usize>(), 3, "one run, then two: {runs:?}");
    assert!(steps.iter().any(|(measure, _, _)| measure == "AP"));
    let unwatched = Report::of_files(request()).unwrap();
    assert_eq!(report.to_json(), unwatched.to_json());
}

#[test]
fn a_page_is_one_file_that_asks_for_nothing() {
    let (_folder, report) = report(["good.run", "poor.run"]);
    let page = report.to_html().unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for asks in [
        "src=",
        "@import",
        "url(",
        "<link",
        "<iframe",
        "fetch(",
        "XMLHttpRequest",
    ] {
        assert!(!page.contains(asks), "{asks}");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(page.contains("<b>good</b> has the best nDCG@10 of 2 runs on 3 topics"));
    for kind in ["pr", "heatmap", "histogram", "slope"] {
        assert!(page.contains(&format!("id=\"plot-{kind}\"")), "{kind}");
    }
}

#[test]
fn sections_are_in_the_order_of_their_links() {
    let (_folder, report) = report(["good.run", "poor.run"]);
    let page = report.to_html().unwrap();
    let ids = ["leaderboard", "claims", "topics", "plots", "methods"];
    for marks in [
        ids.map(|id| format!("<section id=\"{id}\">")),
        ids.map(|id| format!("<a href=\"#{id}\">")),
    ] {
        let places = marks.map(|mark| page.find(&mark).unwrap());
        assert!(places.is_sorted(), "{places:?}");
    }
    assert!(!page.contains("<li>profile"));
}

#[test]
fn captions_do_not_repeat_topics_and_policies() {
    let (_folder, report) = report(["good.run", "poor.run"]);
    let page = report.to_html().unwrap();
    for caption in captions(&page) {
        assert!(
            !caption.contains("Policies: ") && !caption.contains("; 3 topics"),
            "{caption}"
        );
    }
    assert!(page.contains("says otherwise: 3 topics. Policies: ties docid-desc"));
}

#[test]
fn another_profile_is_named_at_the_top() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = files(folder.path(), ["good.run", "poor.run"]);
    request.profile = "trec_eval".parse().unwrap();
    let report = Report::of_files(ReportRequest::new(request)).unwrap();
    let page = report.to_html().unwrap();
    assert!(page.contains("<li>profile trec_eval</li>"));
}

#[test]
fn runs_that_lack_topics_or_have_ties_have_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let request = files(folder.path(), ["good.run", "poor.run"]);
    let page = |request: &Request| {
        let report = Report::of_files(ReportRequest::new(request.clone())).unwrap();
        report.to_html().unwrap()
    };
    assert!(!page(&request).contains("class=\"warning\""));
    assert!(!page(&request).contains("class=\"tag warn\""));
    // Of topic 1, a and b are tied and have different grades; there is no topic 3.
    let poor = "1 Q0 b 1 2 t\n1 Q0 a 2 2 t\n2 Q0 d 1 2 t\n2 Q0 a 2 1 t\n";
    fs::write(&request.runs[1], poor).unwrap();
    let page = page(&request);
    assert!(page.contains(
        "<p class=\"warning\"><b>poor</b> lacks 1 topic, which counts as an empty ranking. Tied documents of <b>poor</b> \
         are judged differently in 1 topic. <a href=\"#diagnostics\">Details</a></p>"
    ));
    assert!(
        page.contains("lacks 1 topic</a> <a class=\"tag warn\" href=\"#diagnostics\" title=\"tied")
    );
    assert!(page.contains("says otherwise: 3 topics. Of these, a run lacks up to 1 topic"));
    let captions = captions(&page);
    assert!(captions.iter().all(|caption| !caption.contains("Of these")));
    let left_out = captions
        .iter()
        .filter(|caption| caption.contains("Topics without documents are left out"));
    assert_eq!(left_out.count(), 1);
}

/// On Windows no file has such a name.
#[cfg(unix)]
/// Each run has five documents, one of which no one judged.
#[test]
fn unjudged_documents_are_counted_and_drawn() {
    let (_folder, report) = report(["good.run", "poor.run"]);
    let page = report.to_html().unwrap();
    assert!(page.contains(">unjudged@10</th>"));
    assert_eq!(page.matches("data-sort=\"0.2\">20.0 %</td>").count(), 2);
    let figure = page.split("id=\"plot-unjudged\"").nth(1).unwrap();
    let figure = figure.split("</figure>").next().unwrap();
    assert!(figure.contains("good") && figure.contains("poor"));
    assert!(figure.contains("1 − Judged@k"), "{figure}");
}

#[test]
fn names_stay_text() {
    let names = ["<script>alert(1)<", "a&b\"'--><!--.run"];
    let (_folder, report) = report(names);
    let page = report.to_html().unwrap();
    assert!(!page.contains("<script>alert"), "a name became markup");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;"));
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(&page[start..end]).unwrap();
    assert_eq!(data["runs"][0], names[0]);
    assert!(!page[start..end].contains("<!--"));
}

/// On Windows no file has such a name.
#[cfg(unix)]
#[test]
fn characters_that_a_browser_obeys_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a\u{1b}[2J.run", "b\u{202e}\u{9b}\u{7f}.run"];
    let request = files(folder.path(), names);
    let qrels = QRELS
        .replace("a ", "a\u{7}\u{2067} ")
        .replace("3 0", "3\u{1}\u{202e} 0");
    fs::write(folder.path().join("qrels.txt"), qrels).unwrap();
    for run in &request.runs {
        let text = fs::read_to_string(run).unwrap();
        let text = text
            .replace("a ", "a\u{7}\u{2067} ")
            .replace("3 Q0", "3\u{1}\u{202e} Q0");
        fs::write(run, text).unwrap();
    }
    let report = Report::of_files(ReportRequest::new(request)).unwrap();
    let page = report.to_html().unwrap();
    let obeyed = |letter: &char| *letter != '\n' && is_obeyed(*letter);
    assert_eq!(page.chars().find(obeyed), None);
    assert!(page.contains("<b>a\\x1b[2J</b>"));
    assert!(page.contains("\"topics\":[\"1\",\"2\",\"3\\\\x01\\\\u{202e}\"]"));
    // Our own text has line breaks, which do not count.
    assert!(
        !page.replace("\\\\", "").contains("\\n "),
        "a break was shown"
    );
    for page in [report.to_markdown(), report.to_latex()] {
        assert_eq!(page.chars().find(obeyed), None);
    }
}

/// Messages and pages show the same characters in the same way.
#[test]
fn messages_and_pages_have_one_rule() {
    for letter in '\0'..=char::MAX {
        let text = letter.to_string();
        let quoted = cranfield_io::quoted(text.as_bytes());
        assert_eq!(quoted, format!("`{}`", visible(&text)));
    }
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let (_folder, report) = report(["good.run", "poor.run"]);
    let one = |threads: usize| {
        let mut request = report.request.clone();
        request.request.threads = Some(threads);
        Report::of_files(request).unwrap().to_html().unwrap()
    };
    assert_eq!(one(1), one(2));
}

#[test]
fn standardised_scores_are_said_to_be_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = ReportRequest::new(files(folder.path(), ["good.run", "poor.run"]));
    request.settings.standardise = Some(cranfield_compare::compare::Standardisation::Z);
    let report = Report::of_files(request).unwrap();
    // Of two runs that differ on every topic, each z is the square root of 1/2 or its negative.
    assert!(
        report
            .to_csv()
            .contains("\nAP (z),good,3,0.707106781186547")
    );
    let latex = report.to_latex();
    assert!(
        latex.contains("\\caption{Means of standardised scores (z-scores) over topics."),
        "{latex}"
    );
    assert!(latex.contains("run & nDCG@10 (z) & AP (z) \\\\"), "{latex}");
    let page = report.to_html().unwrap();
    assert!(page.contains("Means of standardised scores (z-scores) over 3 topics"));
    assert!(page.contains("<th scope=\"col\" class=\"n\">nDCG@10 (z)</th><th scope=\"col\" class=\"n\">AP (z)</th></tr>"));
    assert!(!page.contains("<th scope=\"col\" class=\"n\">AP</th>"));
    assert!(page.contains("\"standardised\":\"z-scores\""));
    assert!(page.contains(">-0.7071</td>"));
    // Plots and the values of topics are of the scores before.
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["runs"][1]["topics"]["1"]["AP"], 0.25);
    assert_eq!(json["settings"]["standardise"], "z");
    for text in [page, report.to_markdown(), report.to_latex()] {
        assert!(text.contains("plots and explanations are of the scores before"));
    }
}

/// The page has all that is needed to repeat the evaluation.
#[test]
fn provenance_has_all_settings() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = ReportRequest::new(files(folder.path(), ["good.run", "poor.run"]));
    let settings = &mut request.settings;
    settings.standardise = Some(cranfield_compare::compare::Standardisation::Z);
    (settings.rope, settings.margin) = (Some(0.05), Some(0.125));
    settings.interval = Some(cranfield_compare::compare::IntervalMethod::Bca);
    settings.family = cranfield_compare::compare::Family::All;
    settings.baselines = vec!["poor".into()];
    settings.resampling.seed = 77;
    let report = Report::of_files(request).unwrap();
    let (page, markdown, latex) = (
        report.to_html().unwrap(),
        report.to_markdown(),
        report.to_latex(),
    );
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert!(json["settings"].as_object().unwrap().len() >= 13);
    for (name, value) in [
        ("test", "t"),
        ("correction", "holm"),
        ("correction of measures", "none"),
        ("family", "all"),
        ("alpha", "0.05"),
        ("margin", "0.125"),
        ("rope", "0.05"),
        ("interval", "bca"),
        ("standardise", "z"),
        ("seed", "77"),
        ("baselines", "poor"),
    ] {
        let fact = format!("<dt>{name}</dt><dd>{value}</dd>");
        assert!(page.contains(&fact), "{fact}");
        for text in [&markdown, &latex] {
            assert!(text.contains(&format!("{name} {value}")), "{text}");
        }
    }
}

#[test]
fn other_formats_have_the_leaderboard() {
    let (_folder, report) = report(["good.run", "poor.run"]);
    // AP of good is 1 on all topics; of poor 1/4 (a at rank 2 of 2 relevant), 1/2 and 0.
    let csv = report.to_csv();
    assert!(csv.contains("\nAP,good,3,1,1,1,1,"), "{csv}");
    assert!(csv.contains("\nAP,poor,3,0.25,"), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    assert_eq!(json["runs"][1]["topics"]["1"]["AP"], 0.25);
    assert_eq!(json["settings"]["seed"], 42);
    assert!(json["qrels"]["blake3"].is_string());
    let markdown = report.to_markdown();
    assert!(
        markdown.starts_with("# Evaluation of 2 runs\n"),
        "{markdown}"
    );
    assert!(markdown.contains("| good | 1.0000 |"), "{markdown}");
    let latex = report.to_latex();
    assert!(latex.starts_with("\\documentclass{article}") && latex.ends_with("\\end{document}\n"));
    assert!(
        latex.contains("good & 1.0000 & 1.0000 & 1.0000 & 1 & 1--1"),
        "{latex}"
    );
}

#[test]
fn one_run_is_reported_without_a_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = files(folder.path(), ["good.run", "poor.run"]);
    request.runs.truncate(1);
    let report = Report::of_files(ReportRequest::new(request)).unwrap();
    assert!(report.comparison.is_none());
    let page = report.to_html().unwrap();
    assert!(page.contains("<h2>Result</h2>") && !page.contains("id=\"claims\""));
    assert!(page.contains("No histogram plot"));
    assert!(report.to_latex().contains("good & 1.0000 & 1.0000"));
    assert!(report.to_csv().contains("\nAP,good,3,1,,,"));
}

#[test]
fn measures_that_are_not_numbers_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |change: &dyn Fn(&mut Request)| {
        let mut request = files(folder.path(), ["good.run", "poor.run"]);
        change(&mut request);
        Report::of_files(ReportRequest::new(request))
            .unwrap_err()
            .to_string()
    };
    let text = refused(&|request| {
        request.measures = parse_measures("RelString", &Conventions::default()).unwrap();
    });
    assert!(text.contains("is a string"), "{text}");
    let none = refused(&|request| request.measures.clear());
    assert!(none.contains("no measures; request one"), "{none}");
}

/// The data of a page.
fn data(page: &str) -> serde_json::Value {
    let start = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = start + page[start..].find("</script>").unwrap();
    serde_json::from_str(&page[start..end]).unwrap()
}

/// A packed part of the data.
fn unpacked(packed: &serde_json::Value) -> serde_json::Value {
    let bytes = STANDARD.decode(packed.as_str().unwrap()).unwrap();
    let source = cranfield_io::Source::from_bytes("packed", bytes).unwrap();
    serde_json::from_slice(source.bytes()).unwrap()
}

#[test]
fn titles_and_texts_are_beside_ids() {
    let (_folder, mut report) = report(["good.run", "poor.run"]);
    let plain = data(&report.to_html().unwrap());
    assert_eq!(plain.get("titles"), None);
    assert_eq!(unpacked(&plain["rankings"][0]).get("about"), None);
    let shown = report.documents().unwrap();
    let expected = ["a", "b", "c", "d", "x", "y"];
    assert!(shown.iter().map(|id| &**id).eq(expected.map(str::as_bytes)));
    report.labels.add_topic("1", "</script><b>supersonic");
    report
        .labels
        .add_document("a", Some("On wings"), "On wings\nThey are thin.");
    report.labels.add_document("c", None, "No title");
    let page = report.to_html().unwrap();
    assert!(!page.contains("<b>supersonic"), "a title became markup");
    let data = data(&page);
    assert_eq!(data["titles"][0], "</script><b>supersonic");
    assert!(data["titles"][1].is_null());
    let topic = unpacked(&data["rankings"][0]);
    let place = |id: &str| {
        let docs = topic["docs"].as_array().unwrap();
        docs.iter().position(|doc| doc == id).unwrap()
    };
    assert_eq!(
        topic["about"][place("a")],
        serde_json::json!(["On wings", "They are thin."])
    );
    assert_eq!(
        topic["about"][place("c")],
        serde_json::json!(["", "No title"])
    );
    assert!(topic["about"][place("b")].is_null());
}

/// The section with an id.
fn section<'p>(page: &'p str, id: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("<section id=\"{id}\">")).unwrap();
    rest.split_once("</section>").unwrap().0
}

#[test]
fn the_pool_of_the_runs_has_a_section() {
    let (_folder, report) = report(["good.run", "poor.run"]);
    let page = report.to_html().unwrap();
    let pool = section(&page, "pool");
    assert!(pool.contains("id=\"plot-growth\"") && pool.contains("id=\"plot-unique\""));
    assert!(pool.contains("two captures (Chapman)"), "{pool}");
    // Of the pool of depth 2, only y is not judged.
    assert!(
        pool.contains("Pool of depth 2: 6 of 7 documents judged"),
        "{pool}"
    );
    assert!(page.contains("<a href=\"#pool\">") && !page.contains("<a href=\"#assessors\">"));
    // A style in an attribute is not allowed on the page.
    assert!(!pool.contains("<td style"), "{pool}");
}

#[test]
fn other_assessors_have_a_section() {
    let folder = tempfile::tempdir().unwrap();
    let request = files(folder.path(), ["good.run", "poor.run"]);
    let ann = [
        ("1", "a", 0.0),
        ("1", "b", 1.0),
        ("1", "c", 0.0),
        ("2", "a", 0.0),
        ("2", "d", 1.0),
        ("3", "a", 1.0),
    ];
    let request = ReportRequest {
        assessors: vec![Assessor::in_memory(
            "ann",
            cranfield_eval::Qrels::from_judgements(ann),
        )],
        ..ReportRequest::new(request)
    };
    let page = Report::of_files(request).unwrap().to_html().unwrap();
    let assessors = section(&page, "assessors");
    assert!(
        assessors
            .contains("Agreement of the judgements of this report, qrels, with 1 other assessor."),
        "{assessors}"
    );
    assert!(assessors.contains("id=\"plot-agreement\""));
    assert!(
        assessors.contains("<th scope=\"col\" class=\"n\">reversed</th>"),
        "{assessors}"
    );
    assert!(page.contains("<a href=\"#assessors\">"));
}
