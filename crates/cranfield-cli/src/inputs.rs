//! The options that say how judgements and runs are read and evaluated, which several commands share.

#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, where backticks disturb"
)]

use std::path::{Path, PathBuf};

use clap::Args;
use cranfield::Request;
use cranfield::core::measure::BoundMeasure;
use cranfield::core::policy::{Policies, Profile, TieBreak};
use cranfield::core::spec::{Conventions, parse_measures};
use cranfield::io::{QrelsFormat, RunFormat};

use crate::args::PolicyArgs;

/// How judgements and runs are read and evaluated.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// Whose conventions and policies: cranfield, trec_eval (version 10), trec_eval-9, ir_measures, ranx, gdeval,
    /// ndeval, ntcireval, cwl, beir or quepid [default: cranfield]
    #[arg(long)]
    pub profile: Option<Profile>,
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
    /// Documents that users knew before they searched, lines `topic document`: for Coverage,
    /// Novelty, RelativeRecall and RecallEffort
    #[arg(long, value_name = "FILE")]
    pub known: Option<PathBuf>,
    /// Sessions, lines `session topic` in order: for nsDCG and SessionDCG
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
    fn profile(&self) -> Profile {
        self.profile.unwrap_or_default()
    }

    /// How names of measures are read.
    pub(crate) fn conventions(&self) -> Conventions {
        Conventions {
            profile: self.profile(),
            level: self.level,
        }
    }

    /// The measures with these names, of which there must be one.
    pub(crate) fn measures(&self, names: &str) -> anyhow::Result<Vec<BoundMeasure>> {
        let mut measures = parse_measures(names, &self.conventions())?;
        release(&mut measures, &self.policies);
        anyhow::ensure!(
            !measures.is_empty(),
            "no measure is asked for; give one with -m, such as -m nDCG@10"
        );
        Ok(measures)
    }

    /// An evaluation of these files, without measures.
    pub(crate) fn request(&self, qrels: &Path, runs: &[PathBuf]) -> anyhow::Result<Request> {
        let runs = cranfield::io::expand_paths(runs)?;
        let beside = [&self.intents, &self.known, &self.sessions];
        let beside = beside.into_iter().flatten().map(PathBuf::as_path);
        let files = runs
            .iter()
            .map(PathBuf::as_path)
            .chain([qrels])
            .chain(beside);
        let stdin = files.filter(|path| path.as_os_str() == "-").count();
        anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
        Ok(Request {
            qrels_format: self.qrels_format,
            intents: self.intents.clone(),
            run_format: self.run_format,
            known: self.known.clone(),
            sessions: self.sessions.clone(),
            policies: policies(
                &profile_policies(self.profile(), self.qrels_format),
                &self.policies,
            ),
            profile: self.profile(),
            threads: self.threads.map(usize::from),
            ..Request::new(qrels, runs, Vec::new())
        })
    }

    /// A level must be a number; below zero only `trec_eval` has a meaning for it.
    pub(crate) fn check_levels(&self, request: &Request) -> anyhow::Result<()> {
        Ok(request.check_levels(self.level)?)
    }
}

/// What the profile sets; `trec_eval` breaks ties the other way round where the judgements are preferences.
fn profile_policies(profile: Profile, qrels: Option<QrelsFormat>) -> Policies {
    let policies = profile.policies();
    match qrels {
        Some(QrelsFormat::Prefs | QrelsFormat::QrelsPrefs) if profile.prints_trec_names() => {
            Policies {
                ties: TieBreak::DocidAsc,
                ..policies
            }
        }
        _ => policies,
    }
}

/// What the user says, or else what a profile sets.
pub(crate) fn policies(profile: &Policies, args: &PolicyArgs) -> Policies {
    Policies {
        ties: args.ties.unwrap_or(profile.ties),
        topics: args.topics.unwrap_or(profile.topics),
        unjudged: args.unjudged.unwrap_or(profile.unjudged),
        negative: args.negative.unwrap_or(profile.negative),
        undefined: args.undefined.unwrap_or(profile.undefined),
        depth: args.depth.or(profile.depth),
        identical: args.identical.unwrap_or(profile.identical),
    }
}

/// Policies that the user gives hold for all measures, also for those with their own in the profile's program.
pub(crate) fn release(measures: &mut [BoundMeasure], args: &PolicyArgs) {
    let given = [
        ("ties", args.ties.is_some()),
        ("topics", args.topics.is_some()),
        ("unjudged", args.unjudged.is_some()),
        ("undefined", args.undefined.is_some()),
    ];
    for BoundMeasure { overrides, .. } in measures {
        for (name, _) in given.iter().filter(|(_, given)| *given) {
            overrides.forget(name);
        }
    }
}
