//! Reports as JSON. Field names are stable.

use serde_json::{Value, json};

use crate::code::Severity;
use crate::problem::Problem;

use super::Report;
use super::findings::Finding;
use super::fix::{Left, Outcome};

/// Renders all reports as one object: `files`, and the numbers of `errors`, `warnings` and `notes`.
pub fn to_json(reports: &[Report]) -> String {
    let sum = |severity| {
        reports
            .iter()
            .map(|report| report.count(severity))
            .sum::<u64>()
    };
    let value = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "files": reports.iter().map(of_report).collect::<Vec<_>>(),
        "errors": sum(Severity::Error),
        "warnings": sum(Severity::Warning),
        "notes": sum(Severity::Note),
    });
    format!("{value:#}\n")
}

/// Renders one object per line and finding, with the `path` of its file.
pub fn to_jsonl(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let mut value = of_finding(finding);
        value["path"] = json!(report.path);
        text.push_str(&value.to_string());
        text.push('\n');
    }
    text
}

fn of_report(report: &Report) -> Value {
    json!({
        "path": report.path,
        "kind": report.kind_name(),
        "format": report.format,
        "topics": report.topics,
        "lines": report.lines,
        "errors": report.count(Severity::Error),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
        "omitted": report.omitted,
        "findings": report.findings.iter().map(of_finding).collect::<Vec<_>>(),
        "fix": report.fix.as_ref().map(of_outcome),
    })
}

fn of_finding(finding: &Finding) -> Value {
    json!({
        "code": finding.code.id(),
        "severity": finding.severity().name(),
        "title": finding.code.title(),
        "message": finding.message(),
        "count": finding.count,
        "unit": finding.unit.name(),
        "fixable": finding.fixable,
        "detail": finding.detail,
        "cause": finding.code.cause(),
        "cure": finding.code.cure(),
        "places": finding.places.iter().map(of_place).collect::<Vec<_>>(),
    })
}

fn of_place(problem: &Problem) -> Value {
    let known = |n: u64| (n > 0).then_some(n);
    json!({
        "line": known(problem.line),
        "column": known(problem.column.into()),
        "width": known(problem.width.into()),
        "message": problem.message.to_string(),
        "help": problem.help.as_ref().map(ToString::to_string),
        "text": problem.text,
    })
}

fn of_outcome(outcome: &Outcome) -> Value {
    let ids = |left: &[Left]| left.iter().map(|left| left.code.id()).collect::<Vec<_>>();
    let changes = outcome.changes.iter().map(|change| {
        json!({
            "code": change.code.id(),
            "what": change.what,
            "count": change.count,
            "unit": change.unit.name(),
        })
    });
    json!({
        "refused": ids(&outcome.unfixable),
        "remaining": ids(&outcome.remaining),
        "changes": changes.collect::<Vec<_>>(),
        "written": outcome.written,
    })
}
