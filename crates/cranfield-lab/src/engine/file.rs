//! Files that describe an engine.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use cranfield_io::{Code, Error, Problem, Source};
use serde::Deserialize;
use toml::Spanned;

use super::Engine;
use super::command::{Argv, BatchCommand, PersistentCommand, TopicsFormat};
use super::http::{AnswerShape, HttpEngine, JsonPath, Preset, RequestTemplate, Retries};
use crate::duration::parse_duration;

/// Maximum size of the file.
const MAX_BYTES: usize = 1 << 20;
/// Time for a topic.
const TOPIC_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for a program that answers all topics at once.
const BATCH_TIMEOUT: Duration = Duration::from_hours(1);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineFile {
    name: Option<String>,
    command: Option<Spanned<CommandTable>>,
    http: Option<Spanned<HttpTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandTable {
    run: Option<Spanned<Vec<String>>>,
    serve: Option<Spanned<Vec<String>>>,
    topics: Option<Spanned<TopicsFormat>>,
    timeout: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HttpTable {
    preset: Option<Preset>,
    url: Spanned<String>,
    method: Option<Spanned<String>>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<Spanned<String>>,
    field: Option<String>,
    fields: Option<Spanned<Vec<String>>>,
    ids: Option<Spanned<String>>,
    scores: Option<Spanned<String>>,
    partial: Option<Spanned<Vec<String>>>,
    timeout: Option<Spanned<String>>,
    tries: Option<Spanned<u32>>,
    wait: Option<Spanned<String>>,
    seed: Option<u64>,
    check_ties: Option<bool>,
}

/// The place and the message of a mistake.
pub(crate) type Mistake = (Range<usize>, String);

/// Reads a file that describes an engine.
///
/// ```toml
/// name = "mine"
/// [command]
/// serve = ["./engine", "--serve"]
/// ```
///
/// # Errors
/// If the file is not TOML, has unknown keys, or does not describe exactly one engine.
pub fn read_engine(path: &Path) -> Result<Box<dyn Engine>, Error> {
    let source = Source::open(path)?;
    let text = source.text(
        MAX_BYTES,
        "a file that describes an engine",
        Code::BadEngine,
    )?;
    let described = toml::from_str::<EngineFile>(text)
        .map_err(|error| (error.span().unwrap_or_default(), error.message().to_owned()))
        .and_then(|file| engine(file, path));
    described.map_err(|(span, message)| problem(&source, &span, &message).into())
}

fn problem(source: &Source, span: &Range<usize>, message: &str) -> Problem {
    let bytes = source.bytes();
    let rest = bytes.get(span.start..span.end).unwrap_or_default();
    let line_end = rest.iter().position(|byte| *byte == b'\n');
    let end = line_end.map_or(span.end, |length| span.start + length);
    let message = message.replace('\n', "; ");
    if *span == (0..0) {
        return Problem::file(Code::BadEngine, source.name(), message);
    }
    Problem::at(
        Code::BadEngine,
        source.name(),
        bytes,
        span.start..end,
        message,
    )
}

fn engine(file: EngineFile, path: &Path) -> Result<Box<dyn Engine>, Mistake> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into());
    let name = file.name.or(stem).unwrap_or_default();
    match (file.command, file.http) {
        (Some(command), None) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            command_engine(name, command, folder)
        }
        (None, Some(http)) => Ok(Box::new(http_engine(name, http.into_inner())?)),
        (Some(_), Some(http)) => Err((
            http.span(),
            "expected either [command] or [http], found both".into(),
        )),
        (None, None) => Err((0..0, "expected a table [command] or [http]".into())),
    }
}

fn command_engine(
    name: String,
    table: Spanned<CommandTable>,
    folder: &Path,
) -> Result<Box<dyn Engine>, Mistake> {
    let span = table.span();
    let table = table.into_inner();
    match (table.run, table.serve) {
        (Some(run), None) => Ok(Box::new(batch_command(
            name,
            run,
            table.topics,
            table.timeout,
            folder,
        )?)),
        (None, Some(serve)) => {
            if let Some(topics) = table.topics {
                let message = "`topics` has no effect with `serve`, which reads JSON lines";
                return Err((topics.span(), message.into()));
            }
            Ok(Box::new(PersistentCommand {
                name,
                argv: argv(serve, &[])?.in_folder(folder),
                timeout: duration(table.timeout)?.unwrap_or(TOPIC_TIMEOUT),
            }))
        }
        _ => Err((span, "expected either `run` or `serve`".into())),
    }
}

/// A program that reads a file of topics and writes a run, with relative paths found from a folder.
pub(crate) fn batch_command(
    name: String,
    command: Spanned<Vec<String>>,
    topics: Option<Spanned<TopicsFormat>>,
    timeout: Option<Spanned<String>>,
    folder: &Path,
) -> Result<BatchCommand, Mistake> {
    Ok(BatchCommand {
        name,
        argv: argv(command, &["{topics}", "{run}"])?.in_folder(folder),
        topics: topics.map(Spanned::into_inner).unwrap_or_default(),
        timeout: duration(timeout)?.unwrap_or(BATCH_TIMEOUT),
    })
}

fn argv(arguments: Spanned<Vec<String>>, needed: &[&str]) -> Result<Argv, Mistake> {
    let span = arguments.span();
    let arguments = arguments.into_inner();
    let has = |placeholder: &&&str| arguments.iter().any(|text| text.contains(**placeholder));
    if let Some(missing) = needed.iter().find(|placeholder| !has(placeholder)) {
        return Err((span, format!("no argument contains {missing}")));
    }
    Argv::new(arguments).ok_or_else(|| (span, "expected a program and its arguments".into()))
}

fn duration(text: Option<Spanned<String>>) -> Result<Option<Duration>, Mistake> {
    let Some(text) = text else {
        return Ok(None);
    };
    let parsed = parse_duration(text.get_ref()).and_then(|duration| match duration {
        Duration::ZERO => Err("expected more than 0".to_owned()),
        duration => Ok(Some(duration)),
    });
    parsed.map_err(|message| (text.span(), message))
}

fn http_engine(name: String, table: HttpTable) -> Result<HttpEngine, Mistake> {
    let answer = answer(&table)?;
    let request = request(&table)?;
    let usual = Retries::default();
    let tries = match table.tries {
        Some(tries) if !(1..=10).contains(tries.get_ref()) => {
            return Err((tries.span(), "expected 1 to 10 tries".into()));
        }
        tries => tries.map_or(usual.tries, Spanned::into_inner),
    };
    Ok(HttpEngine {
        name,
        request,
        answer,
        timeout: duration(table.timeout)?.unwrap_or(TOPIC_TIMEOUT),
        retries: Retries {
            tries,
            wait: duration(table.wait)?.unwrap_or(usual.wait),
            seed: table.seed.unwrap_or(usual.seed),
        },
        checks_ties: table.check_ties.unwrap_or(table.preset.is_some()),
    })
}

fn request(table: &HttpTable) -> Result<RequestTemplate, Mistake> {
    let fields = fields(table);
    let url = table.url.get_ref();
    if !url.starts_with("http://") && !url.starts_with("https://") {
        let message = format!("found `{url}`, expected a URL that starts with http:// or https://");
        return Err((table.url.span(), message));
    }
    let body = table.body.as_ref().map(|body| body.get_ref().clone());
    let usual_method = match (table.preset, &body) {
        (Some(preset), _) => preset.method(),
        (None, Some(_)) => "POST",
        (None, None) => "GET",
    };
    let method = table
        .method
        .as_ref()
        .map(|method| method.get_ref().as_str());
    let method = method.unwrap_or(usual_method).to_ascii_uppercase();
    let body = body.or_else(|| table.preset?.body(&fields));
    check_method(table, &method, body.is_some())?;
    let url = table
        .preset
        .map_or(url.clone(), |preset| preset.url(url, &fields));
    let asks = |text: &str| text.contains("{query}");
    if !asks(&url) && !body.as_deref().is_some_and(asks) {
        let message = "neither the URL nor the body contains {query}";
        return Err((table.url.span(), message.into()));
    }
    let mut headers: Vec<(String, String)> = table.headers.clone().into_iter().collect();
    let has_type = |(name, _): &(String, String)| name.eq_ignore_ascii_case("content-type");
    if body.is_some() && !headers.iter().any(has_type) {
        headers.push(("Content-Type".into(), "application/json".into()));
    }
    Ok(RequestTemplate {
        method,
        url,
        headers,
        body,
    })
}

fn check_method(table: &HttpTable, method: &str, has_body: bool) -> Result<(), Mistake> {
    let span = table
        .method
        .as_ref()
        .map_or_else(|| table.url.span(), Spanned::span);
    match (method, has_body) {
        ("GET", false) | ("POST" | "PUT", _) => Ok(()),
        ("GET", true) => Err((span, "GET has no body; use POST".into())),
        _ => Err((span, format!("found `{method}`, expected GET, POST or PUT"))),
    }
}

fn fields(table: &HttpTable) -> Vec<String> {
    match (&table.field, &table.fields) {
        (_, Some(fields)) => fields.get_ref().clone(),
        (Some(field), None) => vec![field.clone()],
        (None, None) => vec!["text".into()],
    }
}

fn answer(table: &HttpTable) -> Result<AnswerShape, Mistake> {
    let usual = table.preset.map(Preset::answer);
    let given = |text: &Option<Spanned<String>>| -> Result<Option<JsonPath>, Mistake> {
        let parse = |text: &Spanned<String>| path(text.get_ref(), text.span());
        text.as_ref().map(parse).transpose()
    };
    let partial = table.partial.as_ref().map(|paths| {
        let parsed = paths.get_ref().iter().map(|text| path(text, paths.span()));
        parsed.collect::<Result<Vec<_>, _>>()
    });
    let ids = given(&table.ids)?.or_else(|| Some(usual.as_ref()?.ids.clone()));
    let ids = ids.ok_or_else(|| {
        let message = "expected `ids`, the path of document ids in answers, or a preset";
        (table.url.span(), message.to_owned())
    })?;
    Ok(AnswerShape {
        ids,
        scores: given(&table.scores)?.or_else(|| usual.as_ref()?.scores.clone()),
        partial: partial
            .transpose()?
            .or(usual.map(|usual| usual.partial))
            .unwrap_or_default(),
    })
}

fn path(text: &str, span: Range<usize>) -> Result<JsonPath, Mistake> {
    text.parse::<JsonPath>()
        .map_err(|error| (span, error.to_string()))
}
