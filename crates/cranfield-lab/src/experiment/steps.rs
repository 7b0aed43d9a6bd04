//! The steps of an experiment.

mod evaluate;
mod fuse;
mod pool;
mod tune;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cranfield_collection::{QueryFields, Topics};
use cranfield_core::policy::Policies;
use cranfield_core::qrels::QrelsTopic;
use cranfield_eval::{Plan, file_hash};
use cranfield_io::{Code, Problem, QrelsFormat};
use cranfield_measures::spec::{Conventions, parse_measures};
use cranfield_render::{Render, ResultFormat};
use cranfield_search::{Index, IndexOptions};

use super::Experiment;
use super::file::{EnginePart, PoolPart, RunPart};
use super::state::State;
use crate::bench::{BenchSettings, Judged, bench, cores};
use crate::engine::{Engine, EngineSettings, Named, VectorEngine, open_engine};
use crate::error::Error;
use crate::inputs;
use crate::run_topics::RunSettings;
use crate::searching::{SearchRequest, Searched, TestCollection, provenance_path, save, search};

/// The file with the results of the comparison.
pub(super) const RESULTS: &str = "results.json";

/// How an experiment goes on without a run.
const WITHOUT_RUN: &str = "with keep_going = true, the other runs are evaluated without this one";

/// The file with the cost of the engines.
const BENCH: &str = "bench.json";

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Judgements in TREC format, with the grades that the collection defines.
    Qrels,
    /// An index.
    Index(String),
    /// A run.
    Run(String),
    /// A run with tuned parameters.
    Tune(String),
    /// A run made of others.
    Fuse(String),
    /// Documents of the runs to be judged.
    Pool,
    /// The comparison of the runs, and the report.
    Evaluate,
    /// The cost of engines.
    Bench,
}

/// What a step made.
#[derive(Debug, Default)]
pub(super) struct Made {
    pub(super) files: Vec<PathBuf>,
    pub(super) notes: Vec<String>,
}

impl Step {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Qrels => "qrels".into(),
            Self::Index(name) => format!("index.{name}"),
            Self::Run(name) => format!("run.{name}"),
            Self::Tune(name) => format!("tune.{name}"),
            Self::Fuse(name) => format!("fuse.{name}"),
            Self::Pool => "pool".into(),
            Self::Evaluate => "evaluate".into(),
            Self::Bench => "bench".into(),
        }
    }

    /// What the step does, in a few words.
    pub(super) fn what(&self, experiment: &Experiment) -> String {
        let parts = &experiment.parts;
        match self {
            Self::Qrels => "judgements in TREC format".into(),
            Self::Index(name) => format!("index, analyser {}", parts.indexes[name].name()),
            Self::Run(name) => parts.runs[name].what(),
            Self::Tune(name) => parts.tunes[name].what(),
            Self::Fuse(name) => parts.fuses[name].what(),
            Self::Pool => parts.pool.as_ref().map_or_else(String::new, PoolPart::what),
            Self::Evaluate => parts.measures.join(", "),
            Self::Bench => "cost of the engines".into(),
        }
    }

    /// Names of steps whose outputs this one reads.
    pub(super) fn needs(&self, experiment: &Experiment) -> Vec<String> {
        let parts = &experiment.parts;
        let index_of = |run: &RunPart| Some(format!("index.{}", run.index()?));
        match self {
            Self::Qrels | Self::Index(_) => Vec::new(),
            Self::Run(name) => index_of(&parts.runs[name]).into_iter().collect(),
            Self::Tune(name) => {
                let index = index_of(&parts.runs[&parts.tunes[name].run]);
                ["qrels".to_owned()].into_iter().chain(index).collect()
            }
            Self::Fuse(name) => {
                let runs = parts.fuses[name].runs.iter();
                runs.flat_map(|run| experiment.needs_of_run(run)).collect()
            }
            Self::Pool => {
                let runs = experiment.pooled().into_iter();
                let runs = runs.flat_map(|run| experiment.needs_of_run(run));
                ["qrels".to_owned()].into_iter().chain(runs).collect()
            }
            Self::Evaluate => {
                let runs = parts.runs.iter();
                let needed = runs.flat_map(|(name, run)| {
                    index_of(run).into_iter().chain([format!("run.{name}")])
                });
                let tuned = parts.tunes.keys().map(|name| format!("tune.{name}"));
                let fused = parts.fuses.keys().map(|name| format!("fuse.{name}"));
                let qrels = ["qrels".to_owned()].into_iter();
                let bench = parts.bench.iter().map(|_| "bench".to_owned());
                qrels
                    .chain(needed)
                    .chain(tuned)
                    .chain(fused)
                    .chain(bench)
                    .collect()
            }
            Self::Bench => {
                let names = parts.bench.iter().flat_map(|bench| &bench.runs);
                let indexes = names.filter_map(|name| index_of(parts.runs.get(name)?));
                ["qrels".to_owned()].into_iter().chain(indexes).collect()
            }
        }
    }

    /// All that the step depends on, in addition to the steps that it needs: parameters, and hashes of files. None of it depends on
    /// the current folder.
    pub(super) fn inputs(&self, experiment: &Experiment) -> Result<Vec<String>, Error> {
        let parts = &experiment.parts;
        let collection = &experiment.collection;
        let mut inputs = Vec::new();
        match self {
            Self::Qrels => {
                inputs.push(format!(
                    "{:?} {:?}",
                    collection.qrels_files.layout, collection.qrels_files.grades
                ));
                inputs.extend(experiment.hashes(&collection.qrels_files.files)?);
            }
            Self::Index(name) => {
                inputs.push(parts.indexes[name].name().into());
                inputs.push(format!("{:?}", collection.document_files.options));
                inputs.extend(experiment.hashes(&collection.document_paths()?)?);
            }
            Self::Run(name) => {
                let run = &parts.runs[name];
                inputs.push(run.parameters());
                inputs.push(experiment.topics_text()?);
                match &run.engine {
                    EnginePart::Index(index) => inputs.push(index.clone()),
                    EnginePart::Vectors(path) | EnginePart::File(path) => {
                        inputs.extend(experiment.hashes(std::slice::from_ref(path))?);
                    }
                    EnginePart::Command(command) => {
                        inputs.push(command.argv.to_string());
                        let files: Vec<PathBuf> = command.argv.files().collect();
                        inputs.extend(experiment.hashes(&files)?);
                    }
                }
            }
            Self::Tune(name) => {
                let tune = &parts.tunes[name];
                inputs.push(parts.runs[&tune.run].parameters());
                inputs.push(format!("{tune:?} {} {}", parts.seed, parts.identical));
                inputs.push(experiment.topics_text()?);
            }
            Self::Fuse(name) => inputs.push(parts.fuses[name].parameters()),
            Self::Pool => inputs.push(format!("{:?} {}", parts.pool, parts.seed)),
            Self::Evaluate => {
                if parts.bench.is_some() {
                    let bench = experiment.in_output(BENCH);
                    inputs.extend(file_hash(&bench.to_string_lossy()));
                }
                inputs.push(format!(
                    "{:?} {:?} {:?} {} {} {} {:?}",
                    parts.measures,
                    parts.baseline,
                    parts.report,
                    parts.digits,
                    parts.seed,
                    parts.identical,
                    parts.plan.as_ref().map(|plan| &plan.text)
                ));
            }
            Self::Bench => inputs.push(format!(
                "{:?} {} {}",
                parts.bench, parts.seed, parts.identical
            )),
        }
        Ok(inputs)
    }

    pub(super) fn run(&self, experiment: &Experiment, state: &State) -> Result<Made, Error> {
        match self {
            Self::Qrels => experiment.write_qrels(),
            Self::Index(name) => experiment.build_index(name),
            Self::Run(name) => experiment.make_run(name),
            Self::Tune(name) => experiment.tune(name),
            Self::Fuse(name) => experiment.fuse(name, state),
            Self::Pool => experiment.pool(state),
            Self::Evaluate => experiment.evaluate(state),
            Self::Bench => experiment.measure_cost(state),
        }
    }
}

impl RunPart {
    fn what(&self) -> String {
        let mut what = match &self.engine {
            EnginePart::Index(index) => format!("{} on {index}", self.model),
            EnginePart::Vectors(folder) => {
                format!("{} of vectors in {}", self.similarity, folder.display())
            }
            EnginePart::File(file) => format!("engine of {}", file.display()),
            EnginePart::Command(command) => command.argv.to_string(),
        };
        if let Some(feedback) = &self.feedback {
            what += &format!(", {feedback}");
        }
        if self.query != QueryFields::default() {
            what += &format!(", {}", self.query);
        }
        what
    }

    /// The parameters, without the engine.
    fn parameters(&self) -> String {
        format!(
            "{:?} {:?} {:?} {:?} {} {}",
            self.model, self.feedback, self.similarity, self.query, self.depth, self.keep_going
        )
    }

    fn settings(&self) -> EngineSettings {
        EngineSettings {
            model: self.model.clone(),
            feedback: self.feedback.clone(),
            similarity: self.similarity,
        }
    }
}

impl Experiment {
    /// Names of the step that makes a run, and of all that it needs.
    fn needs_of_run(&self, name: &str) -> Vec<String> {
        let step = if self.parts.runs.contains_key(name) {
            Step::Run(name.into())
        } else if self.parts.tunes.contains_key(name) {
            Step::Tune(name.into())
        } else {
            Step::Fuse(name.into())
        };
        let mut needs = step.needs(self);
        needs.push(step.name());
        needs
    }

    /// Hashes of files, and of the files in folders, with their paths relative to the experiment file.
    fn hashes(&self, paths: &[PathBuf]) -> Result<Vec<String>, Error> {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.into());
        let folder = absolute(&Path::new(".").join(&self.path));
        let folder = folder.parent().unwrap_or(Path::new(""));
        let described = |path: &PathBuf| {
            let hash = file_hash(&path.to_string_lossy()).unwrap_or_default();
            let path = absolute(path);
            let path = path.strip_prefix(folder).unwrap_or(&path);
            format!("{} {hash}", path.display())
        };
        let files = cranfield_io::expand_paths(paths)?;
        Ok(files.iter().map(described).collect())
    }

    /// Ids and texts of the topics, after everything that selects and numbers them.
    fn topics_text(&self) -> Result<String, Error> {
        Ok(format!("{:?}", self.collection.topics()?))
    }

    fn in_output(&self, name: impl AsRef<Path>) -> PathBuf {
        self.parts.output.join(name)
    }

    fn qrels_path(&self) -> PathBuf {
        self.in_output("qrels.txt")
    }

    fn run_path(&self, name: &str) -> PathBuf {
        self.in_output("runs").join(format!("{name}.run"))
    }

    fn write_qrels(&self) -> Result<Made, Error> {
        let path = self.qrels_path();
        cranfield_io::save_qrels(&self.collection.qrels()?, QrelsFormat::Trec, &path)?;
        Ok(Made {
            files: vec![path],
            notes: Vec::new(),
        })
    }

    fn build_index(&self, name: &str) -> Result<Made, Error> {
        let path = self.in_output("index").join(name);
        self.create_folder(&self.in_output("index"))?;
        let mut documents = self.collection.documents()?;
        let options = IndexOptions {
            threads: cores(),
            ..IndexOptions::new(self.parts.indexes[name].clone())
        };
        cranfield_search::build(&path, documents.by_ref(), &options)?;
        let report = documents.report();
        let notes = report
            .problems()
            .next()
            .map(|_| format!("index.{name}: {report}"));
        let absent = self.judged_but_absent(&Index::open(&path)?)?;
        let absent = absent.map(|note| format!("index.{name}: {note}"));
        Ok(Made {
            files: vec![path],
            notes: notes.into_iter().chain(absent).collect(),
        })
    }

    /// A note on judged documents that an index does not have.
    fn judged_but_absent(&self, index: &Index) -> Result<Option<String>, Error> {
        let qrels = self.collection.qrels()?;
        let topics: Vec<_> = qrels.topics().collect();
        let judgements = topics.iter().flat_map(QrelsTopic::judgements);
        let judged: HashSet<&[u8]> = judgements.map(|(doc, _)| doc).collect();
        let numbers = 0..index.lengths().len() as u32;
        let is_judged = |number: &u32| judged.contains(index.id(*number));
        let found = numbers.filter(is_judged).count();
        let (absent, all) = (judged.len() - found.min(judged.len()), judged.len());
        Ok((absent > 0)
            .then(|| format!("{absent} of {all} judged documents are not in the collection")))
    }

    fn engine(&self, name: &str) -> Result<Box<dyn Engine>, Error> {
        let run = &self.parts.runs[name];
        let path = match &run.engine {
            EnginePart::Index(index) => self.in_output("index").join(index),
            EnginePart::Vectors(folder) => {
                let engine = VectorEngine::open(folder, run.similarity)?;
                let engine = engine.relative_to(self.folder());
                return Ok(Box::new(Named::new(name, Box::new(engine))));
            }
            EnginePart::File(file) => file.clone(),
            EnginePart::Command(command) => return Ok(Box::new(command.clone())),
        };
        let engine = open_engine(&path, &run.settings())?;
        Ok(Box::new(Named::new(name, engine)))
    }

    /// A search for topics of the collection.
    fn request<'a>(&self, topics: &'a Topics, fields: &'a QueryFields) -> SearchRequest<'a> {
        SearchRequest {
            topics,
            fields,
            tag: None,
            command: None,
            data: TestCollection::of(&self.collection),
        }
    }

    fn make_run(&self, name: &str) -> Result<Made, Error> {
        let run = &self.parts.runs[name];
        let step = format!("run.{name}");
        let topics = self.collection.topics()?;
        inputs::check_fields(&topics, &run.query, &self.collection.label())?;
        let settings = RunSettings {
            depth: run.depth,
            threads: cores(),
            keep_going: run.keep_going,
            ..RunSettings::default()
        };
        let engine = self.engine(name)?;
        let failed = |message: String| Problem::file(Code::FailedTopics, &self.label(), message);
        let request = self.request(&topics, &run.query);
        let searched = search(&*engine, &request, &settings);
        let searched = searched.map_err(|why| {
            let problem = failed(format!("{step}: {why}"));
            Error::Input(problem.with_help(WITHOUT_RUN).into())
        })?;
        if let (Some((topic, why)), false) = (searched.answers.failed.first(), run.keep_going) {
            let problem = failed(format!("{step}, topic {topic}: {why}"));
            let help = "with keep_going = true, the run is made without such topics";
            return Err(Error::Input(problem.with_help(help).into()));
        }
        if let Some(why) = nothing_found(&searched, run) {
            let problem = failed(format!("{step}: {why}"));
            return Err(Error::Input(problem.with_help(WITHOUT_RUN).into()));
        }
        let path = self.run_path(name);
        self.create_folder(&self.in_output("runs"))?;
        save(&searched, &path)?;
        let lacking = inputs::lacking_fields(&topics, &run.query);
        let mut notes: Vec<String> = lacking
            .map(|note| format!("{step}: {note}"))
            .into_iter()
            .collect();
        let without = [
            (&searched.answers.empty, "results"),
            (&searched.without_query, "the fields of the query"),
        ];
        for (topics, what) in without {
            if !topics.is_empty() {
                notes.push(format!(
                    "{step}: topics without {what}: {}",
                    topics.join(", ")
                ));
            }
        }
        for (topic, why) in &searched.answers.failed {
            notes.push(format!("{step}: topic {topic}: {why}"));
        }
        Ok(Made {
            files: vec![provenance_path(&path), path],
            notes,
        })
    }

    fn measure_cost(&self, state: &State) -> Result<Made, Error> {
        let Some(part) = &self.parts.bench else {
            return Ok(Made::default());
        };
        let names = part.runs.iter().filter(|name| !state.has_failed(name));
        let engines: Vec<Box<dyn Engine>> = names
            .map(|name| self.engine(name))
            .collect::<Result<_, _>>()?;
        if engines.is_empty() {
            return Ok(Made::default());
        }
        let engines: Vec<&dyn Engine> = engines.iter().map(|engine| &**engine).collect();
        let topics = self.collection.topics()?;
        let query = part
            .runs
            .first()
            .map(|name| self.parts.runs[name].query.clone())
            .unwrap_or_default();
        let (queries, _) = inputs::queries(&topics, &query);
        let qrels = self.collection.qrels()?;
        let measures = parse_measures(&self.parts.measures.join(" "), &Conventions::default())?;
        let plan = Plan {
            measures,
            policies: Policies {
                identical: self.parts.identical,
                ..Policies::default()
            },
            ..Plan::default()
        };
        let settings = BenchSettings {
            depth: part.depth,
            loads: part.loads.clone(),
            repetitions: part.repetitions,
            length: Duration::from_secs_f64(part.seconds),
            seed: self.parts.seed,
            ..BenchSettings::quick()
        };
        let result = bench(
            &engines,
            &queries,
            Some(Judged {
                qrels: &qrels,
                plan: &plan,
            }),
            &settings,
        )?;
        let mut made = Made::default();
        for (name, format) in [(BENCH, ResultFormat::Json), ("bench.md", ResultFormat::Md)] {
            let path = self.in_output(name);
            let text = result.render(format, 0).unwrap_or_default();
            cranfield_io::save_text(&text, &path)?;
            made.files.push(path);
        }
        Ok(made)
    }

    fn create_folder(&self, path: &Path) -> Result<(), Error> {
        std::fs::create_dir_all(path).map_err(|error| self.cannot_create(&error))
    }
}

/// Why a run has no documents at all.
fn nothing_found(searched: &Searched, run: &RunPart) -> Option<String> {
    let answers = &searched.answers;
    if answers.run.topics().any(|topic| topic.entries().len() > 0) {
        return None;
    }
    if let Some((topic, why)) = answers.failed.first() {
        return Some(format!("no topic has an answer; topic {topic}: {why}"));
    }
    let why = match run.engine {
        EnginePart::Index(_) => {
            "; their queries have no terms but stop words, or terms that no document has"
        }
        _ => "",
    };
    Some(format!("no topic has results{why}"))
}
