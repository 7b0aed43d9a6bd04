//! Options for reading and evaluating judgements and runs, shared by several commands.

#![allow(missing_docs, reason = "groups of options have their own help")]
#![allow(
    clippy::doc_markdown,
    reason = "these comments are shown on a terminal, without Markdown"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use cranfield::Request;
use cranfield::collection::Collection;
use cranfield::core::measure::BoundMeasure;
use cranfield::core::policy::{Policies, TieBreak};
use cranfield::core::qrels::Qrels;
use cranfield::io::{QrelsFormat, RunFormat};
use cranfield::measures::profiles::Profile;
use cranfield::measures::spec::{Conventions, parse_measures};

use crate::args::PolicyArgs;
use crate::names::one_of;

/// Options for reading and evaluating judgements and runs.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// Follow the conventions of this program: cranfield, trec_eval (version 10), trec_eval-9, ir_measures, ranx,
    /// gdeval, ndeval, ntcireval, cwl, beir or quepid [default: cranfield]
    #[arg(long, value_parser = one_of(Profile::ALL, Profile::name), hide_possible_values = true)]
    pub profile: Option<Profile>,
    /// Lowest grade that counts as relevant, for measures without rel= [default: 1]
    #[arg(short, long, value_name = "GRADE", allow_negative_numbers = true)]
    pub level: Option<f64>,
    /// Format of the judgements [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(QrelsFormat::ALL, QrelsFormat::name))]
    pub qrels_format: Option<QrelsFormat>,
    /// File of intent probabilities, for --qrels-format qrels_jg. Each line has a topic, an intent, a probability and,
    /// optionally, inf or nav [default: equal probabilities]
    #[arg(long, value_name = "FILE")]
    pub intents: Option<PathBuf>,
    /// Format of the runs [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = one_of(RunFormat::ALL, RunFormat::name))]
    pub run_format: Option<RunFormat>,
    /// File of documents that users already know, for Coverage, Novelty, RelativeRecall and RecallEffort. Each line has
    /// a topic and a document
    #[arg(long, value_name = "FILE")]
    pub known: Option<PathBuf>,
    /// File of sessions, for nsDCG and SessionDCG. Each line has a session and a topic, in order
    #[arg(long, value_name = "FILE")]
    pub sessions: Option<PathBuf>,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub policies: PolicyArgs,
}

impl InputArgs {
    fn profile(&self) -> Profile {
        self.profile.unwrap_or_default()
    }

    /// Conventions for parsing names of measures.
    pub(crate) fn conventions(&self) -> Conventions {
        Conventions {
            profile: self.profile(),
            level: self.level,
        }
    }

    /// The measures with these names, at least one.
    pub(crate) fn measures(&self, names: &str) -> anyhow::Result<Vec<BoundMeasure>> {
        let mut measures = parse_measures(names, &self.conventions())?;
        release(&mut measures, &self.policies);
        anyhow::ensure!(
            !measures.is_empty(),
            "no measure given; name one with -m, such as -m nDCG@10"
        );
        Ok(measures)
    }

    /// An evaluation of these files, without measures.
    pub(crate) fn request(&self, qrels: &Path, runs: &[PathBuf]) -> anyhow::Result<Request> {
        let runs = cranfield::io::expand_paths(runs)?;
        let extra = [&self.intents, &self.known, &self.sessions];
        let extra = extra.into_iter().flatten().map(PathBuf::as_path);
        let files = runs
            .iter()
            .map(PathBuf::as_path)
            .chain([qrels])
            .chain(extra);
        let stdin = files.filter(|path| path.as_os_str() == "-").count();
        anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
        Ok(Request {
            judged: judged(qrels)?,
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

    /// Rejects levels that are not numbers, and negative ones that only `trec_eval` accepts.
    pub(crate) fn check_levels(&self, request: &Request) -> anyhow::Result<()> {
        Ok(request.check_levels(self.level)?)
    }
}

/// The judgements of a collection, if the path is a folder, a collection file, or a name such as `scifact/train`.
pub(crate) fn judged(path: &Path) -> anyhow::Result<Option<Arc<Qrels>>> {
    let is_toml = path
        .extension()
        .is_some_and(|extension| extension == "toml");
    let collection = if path.is_dir() || is_toml {
        Collection::open(path)?
    } else if path.exists() || path.as_os_str() == "-" {
        return Ok(None);
    } else {
        match Collection::open(path) {
            Ok(collection) => collection,
            // The error of a file that is missing is clearer.
            Err(_) => return Ok(None),
        }
    };
    Ok(Some(Arc::new(collection.qrels()?)))
}

/// The profile's policies. `trec_eval` breaks ties the other way round if the judgements are preferences.
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

/// The policies that are given, or else the profile's.
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

/// Applies the given policies also to measures for which the profile's program has its own.
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
