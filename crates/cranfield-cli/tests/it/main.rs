//! Tests of the command line.

#![allow(
    clippy::format_collect,
    clippy::unwrap_used,
    reason = "helpers of tests are short, and may panic"
)]

mod agree;
mod architecture;
mod assessors;
#[cfg(feature = "server")]
mod campaign_server;
#[cfg(feature = "server")]
mod campaigns;
mod catalogue;
mod compare;
mod compare_claims;
mod compare_lacking;
mod docs;
mod doctor;
mod eval;
mod everyday;
#[cfg(unix)]
mod experiment;
#[cfg(unix)]
mod experiment_results;
mod explain;
mod extra_files;
mod fuse;
mod gate;
mod gate_junit;
mod gate_locks;
#[cfg(unix)]
mod help;
mod judge_program_errors;
mod judge_programs;
#[cfg(unix)]
mod judge_terminal;
#[cfg(unix)]
mod kills;
#[cfg(all(unix, feature = "server"))]
mod kills_campaign;
#[cfg(unix)]
mod kills_experiment;
mod latex;
mod limits;
mod number_options;
mod outputs;
mod plot;
mod plot_curves;
mod plot_names;
mod pool;
mod power;
mod process;
mod profiles;
mod progress;
mod report;
mod robustness;
mod rosetta;
mod search_explain;
mod seeds;
mod shown_names;
mod similarity;
mod titles;
mod trec_eval;
mod trec_eval_compat_9;
mod trec_eval_failures;
mod trec_eval_golden;
mod trec_eval_inputs;
mod trec_eval_options;
mod trec_eval_prefs;
mod trec_eval_process;
mod trec_eval_properties;
mod uses;
mod vectors;
mod whole_collections;
