//! `cranfield demo`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::compare::Progress;
use cranfield::lab::demo;
use cranfield::report::Format;

use super::experiment::error;
use crate::exit_code;
use crate::progress::ProgressLine;

/// Writes a small collection about the kitchen garden and runs its experiment: an index, six runs, their comparison, their
/// cost and a report.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Folder for the collection and the results
    #[arg(value_name = "DIR", default_value = "cranfield-demo")]
    pub folder: PathBuf,
    /// Suppress progress on standard error
    #[arg(long)]
    pub quiet: bool,
}

pub(crate) fn run(
    args: &DemoArgs,
    progress: Option<Progress>,
    out: &mut dyn Write,
) -> anyhow::Result<u8> {
    let folder = args.folder.display();
    let mut experiment = demo::demo(&args.folder).map_err(error)?;
    let line = ProgressLine::new(progress, args.quiet);
    experiment.progress = line.progress.clone();
    let outcome = experiment.run(None).map_err(error)?;
    drop(line);
    writeln!(
        out,
        "The kitchen garden: 365 documents, 30 topics, six runs.\n"
    )?;
    if let Some(means) = outcome.means {
        out.write_all(means.table().render(Format::Text).as_bytes())?;
    }
    if let Some(report) = experiment.report() {
        writeln!(
            out,
            "\nThe report is {}; open it in a browser.",
            report.display()
        )?;
    }
    writeln!(
        out,
        "
Try next, in the folder {folder}:
  cranfield experiment      (after changing a model in experiment.toml)
  cranfield compare out/qrels.txt out/runs --baseline bm25 --collection .
  cranfield tune out/index/english . out/qrels.txt --space 'k1=[0.6,0.9,1.2]'"
    )?;
    Ok(exit_code::OK)
}
