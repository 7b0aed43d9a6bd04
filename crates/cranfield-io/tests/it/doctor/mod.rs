//! The doctor: exact messages, repairs, and properties.

mod against;
mod fixes;
mod formats;
mod grades;
mod lines;
mod properties;
mod ranks;

use insta::assert_snapshot;

use cranfield_core::qrels::Qrels;
use cranfield_core::setting::SettingStyle;
use cranfield_io::doctor::{self, Colour, Options, Report};
use cranfield_io::{Code, Source};

use crate::listing;

fn report_with(name: &str, bytes: &[u8], options: &Options, qrels: Option<&Qrels>) -> Report {
    match Source::from_bytes(name, bytes.to_vec()) {
        Ok(source) => doctor::examine(&source, options, qrels),
        Err(error) => Report::of_error(name, &error),
    }
}

fn report(name: &str, bytes: &[u8]) -> Report {
    report_with(name, bytes, &Options::default(), None)
}

/// Returns the report on a file without judgements.
fn text(name: &str, bytes: impl AsRef<[u8]>) -> String {
    doctor::to_text(
        &report(name, bytes.as_ref()),
        Colour::Plain,
        SettingStyle::Neutral,
    )
}

/// Returns the report on a run with judgements.
fn text_against(run: &str, judgements: &[(&str, &str, f64)]) -> String {
    let qrels = Qrels::from_judgements(judgements.iter().copied());
    let report = report_with("a.run", run.as_bytes(), &Options::default(), Some(&qrels));
    doctor::to_text(&report, Colour::Plain, SettingStyle::Neutral)
}

fn codes(report: &Report) -> Vec<Code> {
    report.findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn reports() {
    for (subject, files) in [
        ("lines", lines::FILES),
        ("ranks", ranks::FILES),
        ("grades", grades::FILES),
        ("formats", formats::FILES),
    ] {
        assert_snapshot!(subject, listing(files, |name, bytes| text(name, bytes)));
    }
}
