//! Reports as text: findings like compiler diagnostics, and a summary line.

use cranfield_core::setting::SettingStyle;

use crate::code::Severity;
use crate::escape::visible;
use crate::problem::{Colour, Problem};

use super::findings::{Finding, Unit, counted, grouped};
use super::fix::{self, Left};
use super::{COLLECTION, Kind, Report};

/// Renders all findings of a file, separated by blank lines, and the summary.
pub fn to_text(report: &Report, colour: Colour, style: SettingStyle) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&entry(finding, colour, style));
        text.push_str("\n\n");
    }
    text.push_str(&summary(report));
    text.push('\n');
    text + &outcome_text(report, style)
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
    if report.format == Some(COLLECTION) {
        let (topics, documents) = (report.topics, report.lines);
        let (topics, documents) = (counted(topics, "topic"), counted(documents, "document"));
        return format!(": collection of {topics}, {documents}");
    }
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

/// Describes the repair of a file, if there was one: the changes and the problems that are left.
pub fn outcome_text(report: &Report, settings: SettingStyle) -> String {
    let path = visible(&report.path);
    let Some(outcome) = &report.fix else {
        return String::new();
    };
    if !outcome.unfixable.is_empty() {
        let mut lines = vec![format!(
            "not fixed: {path} has errors that need a decision:"
        )];
        lines.extend(outcome.unfixable.iter().map(left));
        lines.extend(by_hand(&outcome.unfixable, settings));
        return lines.join("\n") + "\n";
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
    lines.extend(outcome.remaining.iter().map(left));
    lines.join("\n") + "\n"
}

/// A problem that is left, with its first lines or its count.
fn left(left: &Left) -> String {
    let place = match left.unit {
        Unit::File => String::new(),
        Unit::Line if !left.lines.is_empty() => {
            let more = left.count.saturating_sub(left.lines.len() as u64);
            format!(": {}", numbered(&left.lines, more))
        }
        unit => format!(": {}", counted(left.count, unit.name())),
    };
    format!("  {} {}{place}", left.code, left.code.title())
}

/// Describes how to repair errors by hand.
fn by_hand(unfixable: &[Left], settings: SettingStyle) -> Vec<String> {
    let helps = unfixable.iter().filter_map(|left| left.help.as_ref());
    let mut advice: Vec<String> = helps.map(|help| help.render(settings)).collect();
    let is_editable = |left: &&Left| left.help.is_none() && left.unit == Unit::Line;
    let editable: Vec<&Left> = unfixable.iter().filter(is_editable).collect();
    let mut lines: Vec<u64> = editable
        .iter()
        .flat_map(|left| left.lines.clone())
        .collect();
    let all: u64 = editable.iter().map(|left| left.count).sum();
    let more = all.saturating_sub(lines.len() as u64);
    lines.sort_unstable();
    if !lines.is_empty() {
        let lines = numbered(&lines, more);
        advice.push(format!("delete or correct {lines}, then run it again"));
    }
    advice
}

/// Lists line numbers, and the number of those that are not listed: `lines 7, 10 and 2 more`.
fn numbered(lines: &[u64], more: u64) -> String {
    let mut items: Vec<String> = lines.iter().map(u64::to_string).collect();
    if more > 0 {
        items.push(format!("{} more", grouped(more)));
    }
    match items.split_last() {
        Some((last, [])) => format!("line {last}"),
        Some((last, others)) => format!("lines {} and {last}", others.join(", ")),
        None => String::new(),
    }
}
