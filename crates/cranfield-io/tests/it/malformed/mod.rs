//! The exact message for each kind of malformed input.

mod json;
mod paths;
mod sampled;
mod tables;
mod text;

use cranfield_core::setting::SettingStyle;

use crate::{qrels_of, run_of};

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
