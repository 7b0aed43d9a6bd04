//! The check of an entry: the doctor without judgements, so that no message can reveal one.

use cranfield_core::setting::SettingStyle;
use cranfield_core::small_sort::SmallSort;
use cranfield_io::doctor::{self, Finding as Found, Kind, Options};
use cranfield_io::{Error, Limits, RunFormat, Severity, Source};
use serde::{Deserialize, Serialize};

/// A finding as pages and the API show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) code: String,
    pub(crate) severity: String,
    pub(crate) title: String,
    pub(crate) message: String,
    pub(crate) count: u64,
    pub(crate) unit: String,
    pub(crate) cure: String,
    pub(crate) places: Vec<Place>,
}

/// Where a finding is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) message: String,
    pub(crate) text: Option<String>,
}

/// The result of a check.
pub(crate) struct Checked {
    pub(crate) source: Option<Source>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) is_invalid: bool,
}

/// The most bytes of a run after decompression.
pub(crate) const EXPANDED: u64 = 512 << 20;
/// Bytes of a line that are enough for any document id.
const LINE: u64 = 400;
/// Topics that a run may have beside those of the campaign.
const OTHER_TOPICS: u64 = 100;

/// The most lines that a run needs.
fn most_lines(topics: &[String], depth: u32) -> u64 {
    (topics.len() as u64 + OTHER_TOPICS) * u64::from(depth)
}

/// How large a run may become when it is decompressed.
pub(crate) fn limits(topics: &[String], depth: u32) -> Limits {
    let enough = most_lines(topics, depth).saturating_mul(LINE);
    Limits {
        max_expanded: enough.clamp(64 << 20, EXPANDED),
    }
}

/// A run with far more lines than the campaign can use. It is found before the lines are read, because reading takes memory for each.
fn too_many_lines(source: &Source, most: u64) -> Option<Finding> {
    let bytes = source.bytes();
    if (bytes.len() as u64) <= most {
        return None;
    }
    let lines = memchr::memchr_iter(b'\n', bytes).count() as u64;
    (lines > most).then(|| Finding {
        code: "too-many-lines".into(),
        severity: "error".into(),
        title: "The run has more lines than the campaign can use".into(),
        message: format!("{lines} lines, of which at most {most} count"),
        count: 1,
        unit: "file".into(),
        cure:
            "Leave out topics of other collections, and documents below the depth of the campaign."
                .into(),
        places: Vec::new(),
    })
}

/// Checks a run against the topics of a campaign.
pub(crate) fn run(opened: Result<Source, Error>, topics: &[String], depth: u32) -> Checked {
    let source = match opened {
        Ok(source) => source,
        Err(error) => {
            let report = doctor::Report::of_error("entry", &error);
            return Checked {
                source: None,
                findings: report.findings.iter().map(finding).collect(),
                is_invalid: true,
            };
        }
    };
    if let Some(finding) = too_many_lines(&source, most_lines(topics, depth)) {
        return Checked {
            source: None,
            findings: vec![finding],
            is_invalid: true,
        };
    }
    let options = Options {
        kind: Some(Kind::Run),
        depth: depth.into(),
        scale: None,
    };
    let report = doctor::examine(&source, &options, None);
    let mut findings: Vec<Finding> = report.findings.iter().map(finding).collect();
    let mut is_invalid = report.worst() == Some(Severity::Error);
    if !is_invalid {
        match cranfield_io::read_run(&source, None::<RunFormat>) {
            Ok(run) => findings.extend(against_topics(&run, topics, &mut is_invalid)),
            Err(error) => {
                findings.extend(
                    doctor::Report::of_error("entry", &error)
                        .findings
                        .iter()
                        .map(finding),
                );
                is_invalid = true;
            }
        }
    }
    findings.small_sort_by_key(|finding| match finding.severity.as_str() {
        "error" => 0,
        "warning" => 1,
        _ => 2,
    });
    Checked {
        source: Some(source),
        findings,
        is_invalid,
    }
}

/// Topics that the campaign has and the run lacks, and the reverse.
fn against_topics(
    run: &cranfield_core::run::Run,
    topics: &[String],
    is_invalid: &mut bool,
) -> Vec<Finding> {
    let missing: Vec<&str> = topics
        .iter()
        .filter(|id| run.get(id.as_bytes()).is_none())
        .map(String::as_str)
        .collect();
    let mut known: Vec<&[u8]> = topics.iter().map(String::as_bytes).collect();
    known.sort_unstable();
    let unknown = run
        .topics()
        .map(|topic| String::from_utf8_lossy(topic.id()).into_owned());
    let unknown: Vec<String> = unknown
        .filter(|id| known.binary_search(&id.as_bytes()).is_err())
        .collect();
    let mut findings = Vec::new();
    if missing.len() == topics.len() {
        *is_invalid = true;
        findings.push(about_topics(
            "no-topic",
            "error",
            "The run has none of the topics of the campaign".into(),
            &unknown.iter().map(String::as_str).collect::<Vec<_>>(),
            "Use the topic ids of the campaign's topic file.",
        ));
    } else {
        if !missing.is_empty() {
            let title = format!(
                "{} of {} topics are not in the run and count as empty rankings",
                missing.len(),
                topics.len()
            );
            findings.push(about_topics(
                "missing-topic",
                "warning",
                title,
                &missing,
                "Search for every topic of the campaign.",
            ));
        }
        if !unknown.is_empty() {
            let title = format!(
                "{} topics of the run are not in the campaign and are ignored",
                unknown.len()
            );
            let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
            findings.push(about_topics(
                "unknown-topic",
                "warning",
                title,
                &unknown,
                "Leave them out.",
            ));
        }
    }
    findings
}

fn about_topics(code: &str, severity: &str, title: String, ids: &[&str], cure: &str) -> Finding {
    let shown = ids
        .iter()
        .take(5)
        .map(|id| id.chars().take(64).collect::<String>());
    let mut list = shown.collect::<Vec<_>>().join(", ");
    if ids.len() > 5 {
        list.push_str(", …");
    }
    Finding {
        code: code.into(),
        severity: severity.into(),
        title,
        message: format!("topics: {list}"),
        count: ids.len() as u64,
        unit: "topic".into(),
        cure: cure.into(),
        places: Vec::new(),
    }
}

fn finding(found: &Found) -> Finding {
    Finding {
        code: found.code.id().into(),
        severity: found.severity().name().into(),
        title: found.code.title().into(),
        message: found.message(),
        count: found.count,
        unit: found.unit.name().into(),
        cure: found.code.cure().into(),
        places: found
            .places
            .iter()
            .map(|place| Place {
                line: place.line,
                message: place.message.render(SettingStyle::Neutral),
                text: place.text.clone(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(run: &str) -> Checked {
        let topics = ["1", "2"].map(String::from);
        run_of(run, &topics)
    }

    fn run_of(run: &str, topics: &[String]) -> Checked {
        super::run(
            Source::from_bytes("entry", run.as_bytes().to_vec()),
            topics,
            1000,
        )
    }

    #[test]
    fn a_good_run_has_no_findings() {
        let checked = checked("1 Q0 a 1 2.5 t\n2 Q0 a 1 2.5 t\n");
        assert!(!checked.is_invalid);
        assert!(
            checked
                .findings
                .iter()
                .all(|finding| finding.severity == "note"),
            "{:?}",
            checked.findings
        );
    }

    #[test]
    fn a_document_twice_is_an_error_with_its_line() {
        let checked = checked("1 Q0 a 1 2.5 t\n1 Q0 a 2 2 t\n2 Q0 a 1 2.5 t\n");
        assert!(checked.is_invalid);
        assert_eq!(checked.findings[0].severity, "error");
        assert_eq!(checked.findings[0].places[0].line, 2);
    }

    #[test]
    fn topics_are_compared_with_those_of_the_campaign() {
        let partly = checked("1 Q0 a 1 2.5 t\n9 Q0 a 1 2.5 t\n");
        let codes: Vec<&str> = partly
            .findings
            .iter()
            .map(|finding| finding.code.as_str())
            .collect();
        assert!(!partly.is_invalid);
        assert!(
            codes.contains(&"missing-topic") && codes.contains(&"unknown-topic"),
            "{codes:?}"
        );
        assert!(checked("7 Q0 a 1 2.5 t\n").is_invalid);
    }

    #[test]
    fn what_is_not_a_run_is_an_error() {
        for file in ["", "\u{7f}ELF\0\0", "PK\u{3}\u{4}", "<html>", "{\"a\": [1"] {
            assert!(checked(file).is_invalid, "{file:?}");
        }
    }
}
