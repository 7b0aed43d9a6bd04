//! Baselines that the server makes: it indexes a collection and searches for the topics of a campaign, as `cranfield index` and
//! `cranfield search` do.
//!
//! One thread does one search at a time. Searches are in the database, so one that the end of the process cut off begins again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use cranfield_collection::{Collection, DocumentOptions, QueryFields, Topics};
use cranfield_eval::Progress;
use cranfield_io::RunFormat;
use cranfield_lab::engine::{EngineSettings, open_engine};
use cranfield_lab::searching::{SearchRequest, TestCollection, search};
use cranfield_lab::{RunSettings, index_documents, inputs};
use cranfield_search::{Analyzer, IndexOptions, Model};
use rusqlite::OptionalExtension;
use serde_json::json;

use crate::campaign::Campaign;
use crate::pages::baselines::baseline_of;
use crate::pages::submit::{Target, insert};
use crate::policy::{Access, Person, Viewer};
use crate::problem::Problem;
use crate::server::{Server, State};
use crate::{audit, names, secret, upload};

/// What is searched, and how.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) id: i64,
    pub(crate) campaign: i64,
    pub(crate) by: i64,
    /// A name below the folder of collections.
    pub(crate) collection: Option<String>,
    /// Hash and name of uploaded files.
    pub(crate) documents: Option<(String, String)>,
    pub(crate) topics: Option<(String, String)>,
    pub(crate) models: String,
    pub(crate) fields: String,
}

/// Why a search fails, for its organiser.
type Why = String;

/// The folder whose entries organisers can choose as collections.
fn folder(server: &State) -> PathBuf {
    server.data.join("collections")
}

/// The collections that organisers can choose.
pub(crate) fn collections(server: &State) -> Vec<String> {
    let entries = std::fs::read_dir(folder(server)).into_iter().flatten();
    let names = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !name.starts_with('.'));
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

/// The path of a collection with this name. A name is one of [`collections`], or a path below one.
pub(crate) fn collection_path(server: &State, name: &str) -> Result<PathBuf, Problem> {
    let is_below = Path::new(name)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let path = folder(server).join(name);
    if name.is_empty() || !is_below || !path.exists() {
        return Err(Problem::field(
            "collection",
            "Choose one of the collections of the server.",
        ));
    }
    Ok(path)
}

/// The models of a search, one on each line, and the name of the baseline of each.
pub(crate) fn models(text: &str) -> Result<Vec<(String, Model)>, Problem> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let models = lines.map(|line| {
        let model: Model = line
            .parse()
            .map_err(|error| Problem::field("models", format!("{line}: {error}")))?;
        let name = match line {
            "VSM" => "Vector space",
            line => line,
        };
        Ok((names::checked("models", name)?, model))
    });
    let models: Vec<_> = models.collect::<Result<_, Problem>>()?;
    if models.is_empty() || models.len() > 8 {
        return Err(Problem::field(
            "models",
            "Name 1 to 8 models, one on each line.",
        ));
    }
    Ok(models)
}

/// The fields of topics that make up queries.
pub(crate) fn fields(text: &str) -> Result<QueryFields, Problem> {
    text.parse()
        .map_err(|error: String| Problem::field("fields", error))
}

/// Queues searches that were running when the process ended, and starts the thread.
pub(crate) fn start(server: &Server) -> Result<(), Problem> {
    server.store.write_here(|tx| {
        tx.execute(
            "UPDATE search SET state = 'queued' WHERE state = 'running'",
            [],
        )?;
        Ok(())
    })?;
    let server = Arc::downgrade(server);
    std::thread::spawn(move || {
        while let Some(server) = server.upgrade() {
            match catch_unwind(AssertUnwindSafe(|| next(&server))) {
                Ok(Ok(true)) => {}
                Ok(Ok(false)) => server.searches.wait(),
                _ => std::thread::sleep(Duration::from_secs(1)),
            }
        }
    });
    Ok(())
}

/// Does the next search, and returns whether there was one.
fn next(server: &State) -> Result<bool, Problem> {
    let claimed = server.store.write_here(|tx| {
        let search = tx
            .prepare_cached(
                "SELECT id, campaign, by, collection, documents, documents_name, topics, topics_name, models, fields
                 FROM search WHERE state = 'queued' ORDER BY id LIMIT 1",
            )?
            .query_row([], |row| {
                let file = |hash: Option<String>, name: Option<String>| Some((hash?, name?));
                Ok(Search {
                    id: row.get(0)?,
                    campaign: row.get(1)?,
                    by: row.get(2)?,
                    collection: row.get(3)?,
                    documents: file(row.get(4)?, row.get(5)?),
                    topics: file(row.get(6)?, row.get(7)?),
                    models: row.get(8)?,
                    fields: row.get(9)?,
                })
            })
            .optional()?;
        if let Some(search) = &search {
            tx.execute("UPDATE search SET state = 'running' WHERE id = ?1", [search.id])?;
        }
        Ok(search)
    })?;
    let Some(search) = claimed else {
        return Ok(false);
    };
    let done = catch_unwind(AssertUnwindSafe(|| run(server, &search)));
    let done = done.unwrap_or_else(|_| Err("The search made the server panic.".into()));
    let (state, message) = match done {
        Ok(message) => ("done", message),
        Err(why) => ("failed", why),
    };
    let now = server.now();
    server.store.write_here(move |tx| {
        tx.execute(
            "UPDATE search SET state = ?2, message = ?3, ended = ?4 WHERE id = ?1",
            (search.id, state, message, now),
        )?;
        Ok(())
    })?;
    server.queue.wake();
    Ok(true)
}

/// Makes the runs of a search and adds them as baselines. The folder that it works in is removed at its end.
fn run(server: &State, what: &Search) -> Result<String, Why> {
    let name = secret::token("search-").map_err(|problem| problem.detail)?;
    let folder = server.data.join("incoming").join(name);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let done = run_in(server, what, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    done
}

fn run_in(server: &State, what: &Search, folder: &Path) -> Result<String, Why> {
    let text = |error: &dyn std::fmt::Display| first_line(&error.to_string(), folder);
    let detail = |problem: Problem| problem.detail;
    let (campaign, ids) = server
        .store
        .read_here(|db| {
            let campaign = Campaign::by_id(db, what.campaign)?;
            let ids = campaign.topics(db)?;
            Ok((campaign, ids))
        })
        .map_err(detail)?;
    let (collection, topics) = open(server, what, folder, &ids)?;
    let fields = fields(&what.fields).map_err(detail)?;
    inputs::check_fields(&topics, &fields, "the topics").map_err(|error| text(&error))?;
    let documents = match &what.documents {
        None => collection.documents(),
        Some(_) => inputs::documents(&collection.document_files.files, DocumentOptions::default())
            .map(|(documents, _)| documents),
    };
    let documents = documents.map_err(|error| text(&error))?;
    let analyzer = Analyzer::named("english").map_err(|error| text(&error))?;
    let options = IndexOptions {
        text: false,
        ..IndexOptions::new(analyzer)
    };
    let index = folder.join("index");
    let indexed = index_documents(documents, &index, &options, &Progress::default());
    let indexed = indexed.map_err(|error| text(&error))?;
    if indexed.description.documents == 0 {
        return Err(
            "The collection has no documents that can be read. Check it with cranfield doctor."
                .into(),
        );
    }
    let settings = RunSettings {
        depth: campaign.settings.depth as usize,
        ..RunSettings::default()
    };
    let request = SearchRequest {
        topics: &topics,
        fields: &fields,
        tag: None,
        command: None,
        data: TestCollection::default(),
    };
    let mut made = Vec::new();
    for (name, model) in models(&what.models).map_err(detail)? {
        let engine = EngineSettings {
            model,
            ..EngineSettings::default()
        };
        let engine = open_engine(&index, &engine).map_err(|error| text(&error))?;
        let searched = search(&*engine, &request, &settings).map_err(|error| text(&error))?;
        let mut bytes = Vec::new();
        cranfield_io::write_run(&searched.answers.run, RunFormat::Trec, &mut bytes)
            .map_err(|error| text(&error))?;
        let file = format!("{}.run", searched.answers.run.tag());
        let stored = upload::keep_here(&server.data, &bytes, &file).map_err(detail)?;
        add(server, what, &campaign.slug, &name, stored).map_err(detail)?;
        made.push(name);
    }
    Ok(format!(
        "{} from {} documents and {} topics",
        made.join(", "),
        indexed.description.documents,
        topics.len()
    ))
}

/// The collection, and those of its topics that the campaign has.
fn open(
    server: &State,
    what: &Search,
    folder: &Path,
    ids: &[String],
) -> Result<(Collection, Topics), Why> {
    let text = |error: cranfield_io::Error| first_line(&error.to_string(), folder);
    let mut collection = match &what.collection {
        Some(name) => {
            let path = collection_path(server, name).map_err(|problem| problem.detail)?;
            Collection::open(path).map_err(text)?
        }
        None => Collection::default(),
    };
    if let Some(file) = &what.documents {
        let path = named(server, file, folder, "documents")?;
        collection = Collection::of_files("documents", vec![path], Vec::new(), Vec::new());
    }
    if let Some(file) = &what.topics {
        let path = named(server, file, folder, "topics")?;
        let of_topics = Collection::of_files("topics", Vec::new(), vec![path], Vec::new());
        collection.topic_files = of_topics.topic_files;
        collection.qrels_files = of_topics.qrels_files;
    }
    let mut topics = collection.topics_judged_as(ids).map_err(text)?;
    topics.list.retain(|topic| ids.contains(&topic.id));
    if topics.is_empty() {
        return Err("None of the topics is one of the campaign.".into());
    }
    Ok((collection, topics))
}

/// A link to an uploaded file with the ending of its name, by which formats are recognised.
fn named(
    server: &State,
    (hash, name): &(String, String),
    folder: &Path,
    part: &str,
) -> Result<PathBuf, Why> {
    let endings = name.split('.').skip(1).filter(|ending| {
        !ending.is_empty() && ending.len() <= 8 && ending.chars().all(|c| c.is_ascii_alphanumeric())
    });
    let endings: Vec<&str> = endings.collect();
    let last = &endings[endings.len().saturating_sub(2)..];
    let file = [&[part], last].concat().join(".");
    let (from, to) = (server.blob_path(hash), folder.join(file));
    std::fs::hard_link(&from, &to)
        .or_else(|_| std::fs::copy(&from, &to).map(|_| ()))
        .map_err(|error| error.to_string())?;
    Ok(to)
}

/// The first line of an error, without the paths of the server.
fn first_line(text: &str, folder: &Path) -> String {
    let text = text.replace(&format!("{}/", folder.display()), "");
    let parent = folder.parent().and_then(Path::parent);
    let text = match parent {
        Some(data) => text.replace(&format!("{}/", data.display()), ""),
        None => text,
    };
    text.lines().next().unwrap_or_default().to_owned()
}

/// Adds a run to the baseline with a name.
fn add(
    server: &State,
    what: &Search,
    slug: &str,
    name: &str,
    stored: upload::Stored,
) -> Result<(), Problem> {
    let (now, by, slug, name) = (server.now(), what.by, slug.to_owned(), name.to_owned());
    let search = what.id;
    server.store.write_here(move |tx| {
        let viewer = Viewer {
            person: Some(Person::with_id(by)),
            ..Viewer::default()
        };
        let access = Access::open(tx, &viewer, &slug, now)?;
        access.organiser()?;
        let team = baseline_of(tx, &access, by, &name)?;
        let known = tx
            .query_row(
                "SELECT 1 FROM submission WHERE team = ?1 AND blob = ?2 AND withdrawn IS NULL AND state <> 'failed'",
                (team, &stored.hash),
                |_| Ok(()),
            )
            .optional()?;
        if known.is_some() {
            return Ok(());
        }
        let event = audit::Event {
            at: now,
            actor: Some(by),
            campaign: Some(access.campaign.id),
            action: "baseline.search",
            object: name,
            details: json!({ "search": search, "hash": stored.hash }),
        };
        audit::record(tx, event)?;
        let target = Target {
            access,
            person: by,
            team,
        };
        insert(tx, &target, &stored, "made by the server", true, None, now)?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_read_and_named() {
        let named = models(" BM25\n\nVSM\nQL(mu=500)\n").expect("models");
        let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["BM25", "Vector space", "QL(mu=500)"]);
        for wrong in ["", "BM26", "BM25(k1=-", &"BM25\n".repeat(9)] {
            let problem = models(wrong).expect_err(wrong);
            assert!(problem.fields.contains_key("models"), "{wrong}");
        }
    }
}
