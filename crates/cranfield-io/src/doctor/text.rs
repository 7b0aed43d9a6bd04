//! Reports as text: findings like compiler diagnostics, and a summary line.

use cranfield_core::setting::SettingStyle;

use crate::code::{Code, Severity};
use crate::escape::visible;
use crate::problem::Problem;

use super::findings::{Finding, Unit, counted};
use super::fix::{self, Outcome};
use super::{Kind, Report};

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Plain,
    /// With ANSI colours.
    Ansi,
}

/// Renders all findings of a file, separated by blank lines, and the summary.
pub fn to_text(report: &Report, colour: Colour, style: SettingStyle) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&entry(finding, colour, style));
        text.push_str("\n\n");
    }
    text.push_str(&summary(report));
    text.push('\n');
    if let Some(outcome) = &report.fix {
        text.push_str(&outcome_text(outcome, report));
    }
    text
}

fn entry(finding: &Finding, colour: Colour, style: SettingStyle) -> String {
    let render = match colour {
        Colour::Plain => Problem::render,
        Colour::Ansi => Problem::render_coloured,
    };
    let places = finding.places.iter();
    let mut lines: Vec<String> = places.map(|place| render(place, style)).collect();
    let shown = finding.places.len() as u64;
    if finding.unit != Unit::File {
        let all = counted(finding.count, finding.unit.name());
        let is_cut = finding.count > shown && finding.places.iter().any(|place| place.line > 0);
        let shown = if is_cut {
            format!(", {shown} shown")
        } else {
            String::new()
        };
        lines.push(format!("  = count: {all}{shown}"));
    }
    lines.extend(
        finding
            .detail
            .iter()
            .map(|text| format!("  = note: {text}")),
    );
    lines.push(format!("  = cause: {}", finding.code.cause()));
    lines.push(format!("  = cure: {}", finding.code.cure()));
    if finding.fixable > 0 {
        lines.push(format!("  = fix: {}", fix_line(finding)));
    }
    lines.join("\n")
}

fn fix_line(finding: &Finding) -> String {
    let what = fix::what(finding.code);
    if finding.fixable == finding.count {
        what.into()
    } else {
        format!("{what} ({} of {})", finding.fixable, finding.count)
    }
}

/// Returns one line with the number of findings of each severity and the size of the file.
pub fn summary(report: &Report) -> String {
    let severities = [Severity::Error, Severity::Warning, Severity::Note];
    let counts: Vec<String> = severities
        .iter()
        .map(|severity| (report.count(*severity), severity))
        .filter(|(count, _)| *count > 0)
        .map(|(count, severity)| counted(count, severity.name()))
        .collect();
    let found = if counts.is_empty() {
        "no problems".into()
    } else {
        counts.join(", ")
    };
    let omitted = match report.omitted {
        0 => String::new(),
        n => format!(" ({} not shown)", counted(n, "further problem")),
    };
    format!(
        "{found}{omitted} in {}{}",
        visible(&report.path),
        size(report)
    )
}

fn size(report: &Report) -> String {
    let Some(kind) = report.kind.filter(|_| report.lines > 0) else {
        return String::new();
    };
    let noun = match (report.format, kind) {
        (Some("trec"), _) => "line",
        (_, Kind::Run) => "document",
        (_, Kind::Qrels) => "judgement",
    };
    let (topics, lines) = (counted(report.topics, "topic"), counted(report.lines, noun));
    format!(": {} of {topics}, {lines}", kind.name())
}

fn outcome_text(outcome: &Outcome, report: &Report) -> String {
    let path = visible(&report.path);
    if !outcome.unfixable.is_empty() {
        let codes: Vec<String> = titles(&outcome.unfixable).collect();
        return format!(
            "not fixed: {path} has errors that need a decision:\n{}\n",
            codes.join("\n")
        );
    }
    let written = outcome.written.as_deref().map(visible);
    let head = match (written, outcome.changes.is_empty()) {
        (None, false) => format!("can be fixed in {path} (dry run, nothing was written):"),
        (None, true) => format!("nothing to fix in {path}"),
        (Some(to), false) => format!("fixed {path}, wrote {to}:"),
        (Some(to), true) => format!("nothing to fix in {path}, copied to {to}"),
    };
    let mut lines = vec![head];
    lines.extend(outcome.changes.iter().map(|change| {
        let count = counted(change.count, change.unit.name());
        format!("  {} {}: {count}", change.code, change.what)
    }));
    if !outcome.remaining.is_empty() {
        lines.push("not fixed, because they need a decision:".into());
    }
    lines.extend(titles(&outcome.remaining));
    lines.join("\n") + "\n"
}

fn titles(codes: &[Code]) -> impl Iterator<Item = String> {
    codes
        .iter()
        .map(|code| format!("  {code} {}", code.title()))
}
