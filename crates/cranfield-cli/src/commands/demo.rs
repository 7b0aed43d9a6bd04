//! `cranfield demo`.

#![allow(missing_docs, reason = "groups of options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use cranfield::compare::Progress;
use cranfield::lab::demo;
use cranfield::report::{Cell, Column, Format, Table};

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
    experiment.run(None).map_err(error)?;
    drop(line);
    writeln!(
        out,
        "The kitchen garden: 365 documents, 30 topics, six runs.\n"
    )?;
    let leaderboard = std::fs::read_to_string(experiment.output().join("leaderboard.csv"))?;
    out.write_all(table(&leaderboard).as_bytes())?;
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

/// The means of the leaderboard: a row for each run, a column for each measure.
fn table(csv: &str) -> String {
    let mut measures: Vec<&str> = Vec::new();
    let mut runs: Vec<(&str, Vec<Cell>)> = Vec::new();
    for line in csv.lines().skip(1) {
        let [measure, run, _, mean, ..] = line.split(',').collect::<Vec<_>>()[..] else {
            continue;
        };
        if !measures.contains(&measure) {
            measures.push(measure);
        }
        let mean = Cell::real(mean.parse().ok());
        match runs.iter_mut().find(|(name, _)| *name == run) {
            Some((_, cells)) => cells.push(mean),
            None => runs.push((run, vec![mean])),
        }
    }
    let columns = measures.iter().map(|measure| Column::number(*measure));
    let mut table = Table::new([Column::text("run")].into_iter().chain(columns));
    for (run, cells) in runs {
        table.push([Cell::text(run)].into_iter().chain(cells));
    }
    table.render(Format::Text)
}
