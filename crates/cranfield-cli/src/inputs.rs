//! The options that say what is evaluated: judgements, runs, conventions and policies.

#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, where backticks disturb"
)]

use std::path::PathBuf;

use clap::Args;
use cranfield::Request;
use cranfield::core::policy::Profile;
use cranfield::core::spec::{Conventions, parse_measures};
use cranfield::io::{QrelsFormat, RunFormat};

use crate::args::PolicyArgs;
use crate::commands::eval::{check_levels, policies_of, release};

/// What is evaluated.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// Relevance judgements
    pub qrels: PathBuf,
    /// Runs: files, quoted globs, folders, or - for standard input
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// Measures, separated by blanks; see `cranfield measures`
    #[arg(short, long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,
    /// Whose conventions and policies: cranfield, trec_eval (version 10), trec_eval-9, ir_measures, ranx, gdeval,
    /// ndeval, ntcireval, cwl, beir or quepid
    #[arg(long, default_value = "cranfield", hide_possible_values = true)]
    pub profile: Profile,
    /// Least grade that counts as relevant, where a name has no rel= [default: 1]
    #[arg(short, long, value_name = "GRADE", allow_negative_numbers = true)]
    pub level: Option<f64>,
    /// Format of the judgements [default: told by content]
    #[arg(long, value_name = "FORMAT")]
    pub qrels_format: Option<QrelsFormat>,
    /// Probabilities of intents, for --qrels-format qrels_jg: lines of topic, intent, probability, and inf or nav
    /// [default: all equal]
    #[arg(long, value_name = "FILE")]
    pub intents: Option<PathBuf>,
    /// Format of the runs [default: told by content]
    #[arg(long, value_name = "FORMAT")]
    pub run_format: Option<RunFormat>,
    /// Documents that users knew before they searched, lines `topic document`
    #[arg(long, value_name = "FILE")]
    pub known: Option<PathBuf>,
    /// Sessions, lines `session topic` in order
    #[arg(long, value_name = "FILE")]
    pub sessions: Option<PathBuf>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "its options have texts of their own")]
    pub policies: PolicyArgs,
}

impl InputArgs {
    /// The evaluation that is asked for, with these measures if the user names none.
    pub(crate) fn request(&self, default_measures: &str) -> anyhow::Result<Request> {
        let conventions = Conventions {
            profile: self.profile,
            level: self.level,
        };
        let names = match self.measures.as_slice() {
            [] => default_measures.to_owned(),
            names => names.join(" "),
        };
        let mut measures = parse_measures(&names, &conventions)?;
        release(&mut measures, &self.policies);
        anyhow::ensure!(
            !measures.is_empty(),
            "no measure is asked for; give one with -m, such as -m nDCG@10"
        );
        check_levels(self.level, self.profile, &measures, &[])?;
        let runs = cranfield::io::expand_paths(&self.runs)?;
        let beside = [&self.intents, &self.known, &self.sessions];
        let files = runs
            .iter()
            .chain([&self.qrels])
            .chain(beside.into_iter().flatten());
        let stdin = files.filter(|path| path.as_os_str() == "-").count();
        anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
        Ok(Request {
            qrels_format: self.qrels_format,
            intents: self.intents.clone(),
            run_format: self.run_format,
            known: self.known.clone(),
            sessions: self.sessions.clone(),
            policies: policies_of(self.profile, self.qrels_format, &self.policies),
            profile: self.profile,
            threads: self.threads.map(usize::from),
            ..Request::new(self.qrels.clone(), runs, measures)
        })
    }
}
