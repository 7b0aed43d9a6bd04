//! `cranfield explain`.

use std::io::Write;

use cranfield::Request;
use cranfield::core::spec::{Conventions, parse_measures};
use cranfield::explain::{ExplainError, Explanations, Shown};
use cranfield::report::PageFormat;

use super::eval::{check_levels, policies_of, release};
use crate::args::{ExplainArgs, ExplainFormat};
use crate::exit_code;
use crate::output::{explanations, terminal_width};

pub(crate) fn run(args: &ExplainArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let topic = args.topic.as_deref().map(str::as_bytes);
    let explained = Explanations::of_files(request(args)?, topic).map_err(|error| match error {
        ExplainError::Input(error) => anyhow::Error::from(error),
        ExplainError::Request(message) => anyhow::Error::msg(message),
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
    match &args.output {
        None => out.write_all(text.as_bytes())?,
        Some(path) => cranfield::io::save_text(&text, path)?,
    }
    Ok(exit_code::OK)
}

fn request(args: &ExplainArgs) -> anyhow::Result<Request> {
    let conventions = Conventions {
        profile: args.profile,
        level: args.level,
    };
    let mut measures = parse_measures(&args.measures.join(" "), &conventions)?;
    release(&mut measures, &args.policies);
    anyhow::ensure!(
        !measures.is_empty(),
        "no measure is asked for; give one with -m, such as -m AP"
    );
    check_levels(args.level, args.profile, &measures, &[])?;
    let runs: Vec<_> = std::iter::once(&args.run).chain(&args.other).collect();
    let beside = [&args.intents, &args.known, &args.sessions];
    let beside = beside.into_iter().flatten();
    let files = runs.iter().copied().chain([&args.qrels]).chain(beside);
    let stdin = files.filter(|path| path.as_os_str() == "-").count();
    anyhow::ensure!(stdin <= 1, "standard input (-) can be read only once");
    Ok(Request {
        qrels_format: args.qrels_format,
        intents: args.intents.clone(),
        known: args.known.clone(),
        sessions: args.sessions.clone(),
        run_format: args.run_format,
        policies: policies_of(args.profile, args.qrels_format, &args.policies),
        profile: args.profile,
        threads: args.threads.map(usize::from),
        ..Request::new(args.qrels.clone(), runs, measures)
    })
}
