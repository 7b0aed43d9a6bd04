//! Evaluating and comparing the runs of an experiment.

use cranfield_collection::grades_look_reversed;
use cranfield_core::policy::IdenticalIds;
use cranfield_core::qrels::QrelsTopic;
use cranfield_eval::{Inputs, Labels, Request};
use cranfield_measures::spec::{Conventions, parse_measures};
use cranfield_report::{Cost, Report, ReportRequest};

use super::{BENCH, Experiment, Made, RESULTS};
use crate::bench::cost_section;
use crate::error::Error;
use crate::experiment::state::State;
use crate::inputs;

impl Experiment {
    /// Evaluates and compares the runs, and writes the report.
    pub(super) fn evaluate(&self, state: &State) -> Result<Made, Error> {
        let parts = &self.parts;
        let planned = parts.plan.as_ref();
        let fixed = planned
            .map(|plan| plan.policies.clone())
            .unwrap_or_default();
        let conventions = Conventions {
            profile: fixed.profile.unwrap_or_default(),
            level: fixed.level,
        };
        let measures = parse_measures(&parts.measures.join(" "), &conventions)?;
        let is_planned = |name: &&String| {
            let runs = planned
                .map(|plan| &plan.runs)
                .filter(|runs| !runs.is_empty());
            runs.is_none_or(|runs| runs.contains(name))
        };
        let (names, unplanned): (Vec<&String>, Vec<&String>) = parts
            .run_names()
            .filter(|name| !state.has_failed(name))
            .partition(is_planned);
        if names.is_empty() {
            return Err(self.problem("nothing to evaluate, because all runs failed".into()));
        }
        let runs = names.iter().map(|name| self.run_path(name));
        let baseline = parts.baseline.iter().filter(|name| !state.has_failed(name));
        let mut request = ReportRequest::new(Request::new(self.qrels_path(), runs, measures));
        request.settings.baselines = baseline.cloned().collect();
        request.settings.resampling.seed = parts.seed;
        request.request.profile = conventions.profile;
        request.request.policies = conventions.profile.policies();
        request.request.policies.identical = parts.identical;
        for (policy, value) in &fixed.policies {
            request.request.policies.set(policy, value)?;
        }
        request.plan = planned.cloned();
        request.conventions = conventions;
        request.digits = parts.digits;
        request.title = parts
            .report
            .as_ref()
            .and_then(|report| report.title.clone());
        request.request.hashes = true;
        let inputs = Inputs::open(&request.request)?
            .load()?
            .relative_to(&parts.output);
        let mut warnings = Vec::new();
        if let Some(name) = parts.baseline.iter().find(|name| state.has_failed(name)) {
            warnings.push(format!(
                "the baseline {name} failed, so all runs are compared"
            ));
        }
        warnings.extend(self.reversed_grades(&inputs)?);
        if parts.identical == IdenticalIds::Keep {
            warnings.extend(topics_are_documents(&inputs)?);
        }
        let mut report = Report::of(inputs, request)?;
        report.labels = self.labels(&report)?;
        report.warnings.clone_from(&warnings);
        report.cost = self.cost();
        let mut outputs = vec![
            (self.in_output("leaderboard.csv"), report.to_csv()),
            (self.in_output("claims.md"), report.to_markdown()),
            (self.in_output(RESULTS), report.to_json()),
        ];
        if let Some(path) = self.report() {
            outputs.push((path, report.to_html()?));
        }
        let notes = report.evaluation.notes();
        let notes = notes.iter().map(ToString::to_string);
        let unplanned = (!unplanned.is_empty()).then(|| {
            let names: Vec<&str> = unplanned.into_iter().map(String::as_str).collect();
            format!("not in the plan, and not evaluated: {}", names.join(", "))
        });
        let mut made = Made {
            notes: notes.chain(warnings).chain(unplanned).collect(),
            ..Made::default()
        };
        for (path, text) in outputs {
            cranfield_io::save_text(&text, &path)?;
            made.files.push(path);
        }
        Ok(made)
    }

    /// The cost of the engines, as far as it was measured.
    fn cost(&self) -> Option<Cost> {
        self.parts.bench.as_ref()?;
        let result = std::fs::read(self.in_output(BENCH)).ok()?;
        Some(cost_section(&serde_json::from_slice(&result).ok()?))
    }

    /// Titles of topics and of the documents that the report shows.
    fn labels(&self, report: &Report) -> Result<Labels, Error> {
        let runs = report.evaluation.runs.iter();
        let topics = runs
            .flat_map(|run| &run.scores.topics)
            .map(|topic| &*topic.id);
        let documents = report.documents()?;
        let documents = documents.iter().map(|id| &**id).collect();
        Ok(inputs::labels(
            &self.collection,
            &topics.collect(),
            &documents,
        )?)
    }

    /// A note if the grades look reversed in the first run.
    fn reversed_grades(&self, inputs: &Inputs) -> Result<Option<String>, Error> {
        let (Some(qrels), [first, ..]) = (inputs.qrels(), inputs.runs()) else {
            return Ok(None);
        };
        if !grades_look_reversed(&*first.run()?, qrels) {
            return Ok(None);
        }
        let collection = &self.parts.collection;
        let collection = collection.strip_prefix(self.folder()).unwrap_or(collection);
        let collection = collection.display();
        Ok(Some(format!(
            "documents with smaller grades rank higher in {}, so the grades are probably reversed, and graded measures wrong; `cranfield doctor {collection} --fix --in-place` maps them",
            first.name
        )))
    }
}

/// A note if most topics are documents of the collection, which a run finds first: their own ids count in their rankings.
fn topics_are_documents(inputs: &Inputs) -> Result<Option<String>, Error> {
    let (Some(qrels), [first, ..]) = (inputs.qrels(), inputs.runs()) else {
        return Ok(None);
    };
    let run = first.run()?;
    let is_itself = |topic: &QrelsTopic<'_>| {
        let id = topic.id();
        let ranking = run.get(id).map(|ranked| ranked.entries());
        let best = ranking
            .and_then(|entries| entries.max_by(|one, other| one.score.total_cmp(&other.score)));
        // A document that is judged relevant to the topic with its id has that id by chance.
        let is_relevant = topic.grade(id).is_some_and(|grade| grade > 0.0);
        !is_relevant && best.is_some_and(|best| best.doc == id)
    };
    let found = qrels.topics().filter(is_itself).count();
    Ok((2 * found > qrels.len()).then(|| {
        format!(
            "{found} of {} topics are documents of the collection, which {} ranks first for themselves; identical = \"drop\" under [evaluate] leaves them out of their rankings",
            qrels.len(), first.name
        )
    }))
}
