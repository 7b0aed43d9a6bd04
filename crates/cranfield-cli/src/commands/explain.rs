//! `cranfield explain`.

use std::io::Write;
use std::path::PathBuf;

use cranfield::Request;
use cranfield::explain::{ExplainError, Explanations, Shown};

use crate::args::ExplainArgs;
use crate::exit_code;
use crate::output::explanations::ExplainedOutput;
use crate::output_args::check_output;

pub(crate) fn run(
    args: &ExplainArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    let topic = args.topic.as_deref().map(str::as_bytes);
    let request = request(args)?;
    let files = request.files().into_iter().chain(args.titles.file());
    check_output(args.output.output.as_deref(), files)?;
    let titles = args.titles.open()?;
    let mut explained = Explanations::of_files(request, topic).map_err(|error| match error {
        ExplainError::Input(error) => anyhow::Error::from(error),
        other @ ExplainError::Request(_) => other.into(),
    })?;
    explained.labels = titles.labels(&explained.topic_ids(), &explained.document_ids())?;
    if !args.output.quiet {
        titles.write_note(&explained.labels, err)?;
    }
    let shown = Shown {
        digits: usize::from(args.output.digits),
        rows: args.depth_shown,
    };
    let explained = &explained;
    args.output
        .print(&ExplainedOutput { explained, shown }, out)?;
    Ok(exit_code::OK)
}

fn request(args: &ExplainArgs) -> anyhow::Result<Request> {
    let runs: Vec<PathBuf> = std::iter::once(&args.run)
        .chain(&args.other)
        .cloned()
        .collect();
    let request = Request {
        measures: args.inputs.measures(&args.measures.join(" "))?,
        ..args.inputs.request(&args.qrels, &runs)?
    };
    args.inputs.check_levels(&request)?;
    Ok(request)
}
