//! The JSON document of an evaluation, with its measures, files and policies.

use cranfield_core::policy::Policies;
use serde_json::{Map, Value, json};

use crate::{EvaluatedRun, Evaluation, VERSION};

/// The document of an evaluation, with the given objects for the runs.
pub fn document(evaluation: &Evaluation, runs: &[Value]) -> Value {
    let policies = &evaluation.plan.policies;
    let measures: Vec<Value> = evaluation
        .plan
        .measures
        .iter()
        .map(|measure| json!({"name": evaluation.profile.name_of(measure), "canonical": measure.to_string()}))
        .collect();
    let mut document = json!({
        "cranfield": VERSION,
        "profile": evaluation.profile.name(),
        "policies": self::policies(policies),
        "measures": measures,
        "qrels": {
            "path": evaluation.qrels.path,
            "blake3": evaluation.qrels.blake3(),
            "topics": evaluation.topics,
            "judgements": evaluation.judgements,
            "notes": notes(&evaluation.qrels.notes),
        },
        "runs": runs,
    });
    let optional = [
        ("intents", &evaluation.intents),
        ("known", &evaluation.known),
        ("sessions", &evaluation.sessions),
    ];
    for (name, file) in optional {
        if let (Some(file), Some(document)) = (file, document.as_object_mut()) {
            let file =
                json!({"path": file.path, "blake3": file.blake3(), "notes": notes(&file.notes)});
            document.insert(name.into(), file);
        }
    }
    document
}

/// The document of an evaluation, with the provenance of each run.
pub fn with_runs(evaluation: &Evaluation) -> Value {
    let runs = evaluation.runs.iter();
    let runs: Vec<Value> = runs.map(|one| run(evaluation, one).into()).collect();
    document(evaluation, &runs)
}

/// The policies by name.
pub fn policies(policies: &Policies) -> Value {
    json!({
        "ties": policies.ties.name(),
        "topics": policies.topics.name(),
        "unjudged": policies.unjudged.name(),
        "negative": policies.negative.name(),
        "undefined": policies.undefined.name(),
        "depth": policies.depth,
        "identical": policies.identical.name(),
    })
}

/// A run's name, file and notes.
pub fn run(evaluation: &Evaluation, run: &EvaluatedRun) -> Map<String, Value> {
    let counted = run.scores.notes(&evaluation.plan);
    let cutoffs: Vec<Value> = counted
        .cutoffs
        .iter()
        .map(|at| json!({"cutoff": at.cutoff, "tied_topics": at.straddled, "unjudged": at.unjudged, "documents": at.shown}))
        .collect();
    let mut object = Map::new();
    object.insert("run".into(), json!(run.scores.name));
    object.insert("tag".into(), json!(run.scores.tag));
    object.insert("path".into(), json!(run.file.path));
    object.insert("blake3".into(), json!(run.file.blake3()));
    object.insert(
        "counted".into(),
        json!({
            "topics": counted.topics,
            "missing": counted.missing,
            "extra": counted.extra,
            "documents": counted.retrieved,
            "tie_groups": counted.tie_groups,
            "tied_documents": counted.tied_docs,
            "cutoffs": cutoffs,
            "notes": notes(&run.file.notes),
        }),
    );
    object
}

fn notes(problems: &[cranfield_io::Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}
