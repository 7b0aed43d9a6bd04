//! Reports as Markdown, for issues and pull requests.

use crate::escape::visible;

use super::Report;
use super::findings::{Finding, Unit, counted};
use super::text::summary;

/// Renders a heading with the file name, the summary, and a table of findings.
pub fn to_markdown(report: &Report) -> String {
    let mut text = format!(
        "## {}\n\n{}.\n",
        escaped(&report.path),
        escaped(&summary(report))
    );
    if report.findings.is_empty() {
        return text;
    }
    text.push_str(
        "\n| code | severity | found | first place | message | cure |\n|---|---|---|---|---|---|\n",
    );
    for finding in &report.findings {
        text.push_str(&row(finding));
    }
    text
}

fn row(finding: &Finding) -> String {
    let found = match finding.unit {
        Unit::File => "file".into(),
        unit => counted(finding.count, unit.name()),
    };
    let line = finding.places.first().map_or(0, |place| place.line);
    let place = if line == 0 {
        String::new()
    } else {
        format!("line {line}")
    };
    let cells = [
        finding.code.id(),
        finding.severity().name(),
        &found,
        &place,
        &escaped(&finding.message()),
        &escaped(finding.code.cure()),
    ];
    format!("| {} |\n", cells.join(" | "))
}

/// Escapes text for a table cell.
pub(super) fn escaped(text: &str) -> String {
    visible(&text.replace('\n', " ")).replace('|', "\\|")
}
