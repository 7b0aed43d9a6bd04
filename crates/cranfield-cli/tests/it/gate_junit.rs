//! Reports of `cranfield gate` for test runners: well-formed XML that counts its cases.

use crate::gate::Made;

/// Names of the elements of an XML text, if it is well-formed: tags are closed in order, attributes are quoted and
/// different, and `&` starts a reference.
fn elements(xml: &str) -> Result<Vec<String>, String> {
    let xml = xml
        .strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .ok_or("no declaration")?;
    let (mut open, mut names) = (Vec::new(), Vec::new());
    let mut pieces = xml.split('<');
    if pieces.next().is_some_and(|text| !text.trim().is_empty()) {
        return Err("text before the first element".into());
    }
    for piece in pieces {
        let (tag, text) = piece.split_once('>').ok_or("a tag without an end")?;
        for reference in piece.split('&').skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "#10;", "#9;"];
            if !known.iter().any(|known| reference.starts_with(known)) {
                return Err(format!("reference {reference}"));
            }
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop().as_deref() != Some(name) {
                return Err(format!("</{name}> closes another element"));
            }
        } else {
            let (name, attributes) = tag
                .trim_end_matches('/')
                .split_once(' ')
                .unwrap_or((tag.trim_end_matches('/'), ""));
            let parts: Vec<&str> = attributes.split('"').collect();
            if parts.len().is_multiple_of(2) {
                return Err(format!("a quote is open in <{tag}>"));
            }
            let mut keys: Vec<&str> = parts
                .iter()
                .step_by(2)
                .map(|key| key.trim())
                .filter(|key| !key.is_empty())
                .collect();
            if keys.iter().any(|key| !key.ends_with('=')) {
                return Err(format!("an attribute without a value in <{tag}>"));
            }
            keys.sort_unstable();
            if keys.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(format!("an attribute twice in <{tag}>"));
            }
            names.push(name.to_owned());
            if !tag.ends_with('/') {
                open.push(name.to_owned());
            }
        }
        if open.is_empty() && !text.trim().is_empty() {
            return Err("text behind the last element".into());
        }
    }
    if open.is_empty() {
        Ok(names)
    } else {
        Err(format!("{open:?} is open"))
    }
}

#[test]
fn junit_is_well_formed_and_counts_its_cases() {
    let made = Made::new();
    made.run("old", |topic| 1 + topic % 3);
    made.run("mixed", |topic| 1 + (topic + 1) % 3);
    made.run("a<b>&\"c\"", |topic| 3 + topic % 3);
    let junit = |run: &str, more: &[&str]| {
        let arguments = [
            &[
                "qrels", run, "-b", "old", "-m", "RR AP", "--junit", "gate.xml",
            ],
            more,
        ]
        .concat();
        made.gate(&arguments);
        made.read("gate.xml")
    };
    let xml = junit("a<b>&\"c\"", &["--ratchet", "0.1"]);
    let names = elements(&xml).unwrap();
    let count = |names: &[String], name: &str| names.iter().filter(|found| *found == name).count();
    assert_eq!(
        (count(&names, "testcase"), count(&names, "failure")),
        (3, 3),
        "{xml}"
    );
    assert!(
        xml.contains("tests=\"3\" failures=\"3\" errors=\"0\" skipped=\"0\""),
        "{xml}"
    );
    for (more, element, counts) in [
        (
            &[][..],
            "error",
            "failures=\"0\" errors=\"2\" skipped=\"0\"",
        ),
        (
            &["--inconclusive", "fail"],
            "failure",
            "failures=\"2\" errors=\"0\" skipped=\"0\"",
        ),
        (
            &["--inconclusive", "pass"],
            "skipped",
            "failures=\"0\" errors=\"0\" skipped=\"2\"",
        ),
    ] {
        let xml = junit("mixed", more);
        assert_eq!(count(&elements(&xml).unwrap(), element), 2, "{xml}");
        assert!(xml.contains(counts), "{xml}");
    }
    let xml = junit("old", &[]);
    assert_eq!(
        elements(&xml).unwrap(),
        [
            "testsuites",
            "testsuite",
            "testcase",
            "system-out",
            "testcase",
            "system-out"
        ]
    );
}

#[test]
fn the_checker_of_xml_sees_mistakes() {
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    for wrong in [
        "<a>",
        "<a></b>",
        "<a x=\"1></a>",
        "<a x></a>",
        "<a>&x</a>",
        "<a x=\"1\" x=\"2\"/>",
        "<a/>text",
    ] {
        assert!(elements(&format!("{start}{wrong}")).is_err(), "{wrong}");
    }
    assert!(elements(&format!("{start}<a x=\"1\"><b/>&lt;</a>\n")).is_ok());
}
