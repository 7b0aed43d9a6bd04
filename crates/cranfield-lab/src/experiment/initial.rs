//! The first experiment on a collection: a file with the usual runs, for its owner to change.

use std::path::{Path, PathBuf};

use cranfield_collection::Collection;
use cranfield_io::{Code, Problem};

use super::Experiment;
use crate::error::Error;

/// The runs of a first experiment.
const RUNS: &str = r#"
[run.bm25]
model = "BM25(k1=0.9, b=0.4)"

[run.vsm]
model = "VSM('lnc.ltc')"

[run.ql]
model = "QL(mu=1000)"

[run.rm3]
base = "bm25"
feedback = "RM3(docs=10, terms=10)"

[evaluate]
measures = ["nDCG@10", "AP", "P@10", "R@1000"]
baseline = "bm25"
"#;

impl Experiment {
    /// Opens the experiment file of a folder. For a collection without one, writes one with the usual runs to a new folder below
    /// `parent`, and opens that; it is reused if it is there.
    pub fn open_or_create(path: &Path, parent: &Path) -> Result<Self, Error> {
        let inside = path.join("experiment.toml");
        if inside.is_file() {
            return Self::open(inside);
        }
        let is_toml = path.extension().is_some_and(|end| end == "toml");
        let is_collection = path.ends_with("collection.toml");
        // An archive of a whole collection is an error that says so.
        let is_archive = !is_toml && path.is_file() && Collection::is_at(path);
        if !is_collection && !is_archive && (path.is_file() || is_toml) {
            return Self::open(path);
        }
        let collection = Collection::open(path)?;
        // What is missing is reported before anything is written.
        collection.topics()?;
        collection.qrels()?;
        let folder = parent.join(format!("{}-experiment", plain(&collection.name)));
        let file = folder.join("experiment.toml");
        if !file.is_file() {
            create(&file, path, &collection.name)?;
        }
        let experiment = Self::open(file)?;
        if whole(&experiment.parts.collection) != whole(path) {
            let other = experiment.parts.collection.display();
            let message = format!("this experiment belongs to another collection, {other}");
            let problem = Problem::file(Code::BadExperiment, &experiment.label(), message);
            let help = "rename its folder, or work in another one";
            return Err(Error::Input(problem.with_help(help).into()));
        }
        Ok(experiment)
    }

    /// The experiment file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was assumed of the collection and of its topics.
    pub fn assumed(&self) -> Result<Vec<Problem>, Error> {
        let mut notes = self.collection.notes.clone();
        notes.extend(self.collection.topics()?.notes);
        Ok(notes)
    }
}

/// A name that is a folder anywhere.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    name.replace(|c: char| !is_plain(c), "-")
}

/// The place of a collection, whether its file or its folder is named.
fn whole(collection: &Path) -> PathBuf {
    let place = place(collection);
    match place.parent() {
        Some(folder) if place.ends_with("collection.toml") => folder.into(),
        _ => place,
    }
}

/// The path from any folder; a name below the folder of collections stays a name.
fn place(collection: &Path) -> PathBuf {
    let split = || {
        let parent = collection.parent()?.canonicalize().ok()?;
        Some(parent.join(collection.file_name()?))
    };
    let is_here = |path: &PathBuf| path.parent().is_some_and(Collection::is_at);
    let whole = collection.canonicalize().ok();
    whole
        .or_else(|| split().filter(is_here))
        .unwrap_or_else(|| collection.into())
}

fn create(file: &Path, collection: &Path, name: &str) -> Result<(), Error> {
    let place = place(collection);
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let text = format!(
        "collection = {}\noutput = \"out\"\n\n[index.english]\nanalyzer = \"english\"\n{RUNS}\n[report]\ntitle = {}\n",
        quoted(&place.to_string_lossy()),
        quoted(name)
    );
    let folder = file.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot create the folder: {error}");
        let folder = folder.to_string_lossy();
        Error::Input(Problem::file(Code::CannotWrite, &folder, message).into())
    })?;
    Ok(cranfield_io::save_text(&text, file)?)
}
