//! `cranfield explain`.

use std::io::Write;
use std::path::PathBuf;

use cranfield::Request;
use cranfield::explain::{ExplainError, Explanations, Shown};
use cranfield::report::PageFormat;

use crate::args::{ExplainArgs, ExplainFormat};
use crate::exit_code;
use crate::output::{explanations, terminal_width};
use crate::output_args::{check_output, write_text};

pub(crate) fn run(args: &ExplainArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let topic = args.topic.as_deref().map(str::as_bytes);
    let request = request(args)?;
    check_output(args.output.as_deref(), request.files())?;
    let explained = Explanations::of_files(request, topic).map_err(|error| match error {
        ExplainError::Input(error) => anyhow::Error::from(error),
        other => other.into(),
    })?;
    let shown = Shown {
        digits: usize::from(args.digits),
        rows: args.depth_shown,
    };
    let page = |format| explained.page(&shown).render(format, terminal_width());
    let text = match args.format {
        ExplainFormat::Text => page(PageFormat::Text),
        ExplainFormat::Md => page(PageFormat::Markdown),
        ExplainFormat::Html => page(PageFormat::Html),
        ExplainFormat::Json => {
            serde_json::to_string_pretty(&explanations::document(&explained))? + "\n"
        }
    };
    write_text(&text, args.output.as_deref(), out)?;
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
