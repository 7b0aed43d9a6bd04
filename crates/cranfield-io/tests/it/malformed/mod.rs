//! The exact message for each kind of malformed input.

mod json;
mod paths;
mod sampled;
mod tables;
mod text;

use crate::{listing, qrels_of, run_of};
use cranfield_core::setting::SettingStyle;
use insta::assert_snapshot;

#[track_caller]
fn run_error(name: &str, bytes: &[u8]) -> String {
    run_of(name, bytes)
        .expect_err("the input is malformed")
        .render(SettingStyle::Neutral)
}

#[track_caller]
fn qrels_error(name: &str, bytes: &[u8]) -> String {
    qrels_of(name, bytes)
        .expect_err("the input is malformed")
        .render(SettingStyle::Neutral)
}

#[test]
fn messages() {
    for (format, runs, qrels) in [
        ("text", text::RUNS, text::QRELS),
        ("tables", tables::RUNS, tables::QRELS),
        ("json", json::RUNS, json::QRELS),
    ] {
        assert_snapshot!(format!("{format}_runs"), listing(runs, run_error));
        assert_snapshot!(format!("{format}_qrels"), listing(qrels, qrels_error));
    }
}
