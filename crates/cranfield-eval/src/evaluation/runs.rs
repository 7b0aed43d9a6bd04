//! Evaluation and names of runs.

use std::collections::BTreeSet;

use crate::engine::{
    EvaluatedJudgements, RunScores, evaluate_groups, evaluate_preferences, evaluate_prels,
    evaluate_run, evaluate_sessions, evaluate_strata, evaluate_text,
};
use cranfield_core::evaluate::Plan;
use cranfield_core::qrels::Qrels;
use cranfield_core::run::Run;
use cranfield_io::trec::{Dialect, run_problem};
use cranfield_io::{Code, Error, Problem, Problems, RunFormat, Source, quoted};

use super::{InputFile, Judgements, checks};
use crate::inputs::{RunContent, RunInput};

/// The scores of a run. A TREC file is evaluated while it is read, unless the judgements need the whole run.
pub(crate) fn scores_of(
    run: &RunInput,
    judgements: &Judgements,
    plan: &Plan,
) -> Result<RunScores, Error> {
    let file = run.file.path.as_str();
    match (&run.content, judgements) {
        (RunContent::Open(source, format), Judgements::Grades(qrels)) => {
            let format = format.map_or_else(|| cranfield_io::detect_run(source), Ok)?;
            if format == RunFormat::Trec {
                checks::topics(file, plan, || checks::changes_of_topic(source))?;
                return evaluate_trec(source, qrels, plan);
            }
            let run = cranfield_io::read_run(source, Some(format))?;
            checks::topics(file, plan, || run.topics().count())?;
            Ok(evaluate_run(&run, qrels, plan))
        }
        (RunContent::Data(data), Judgements::Grades(qrels)) => {
            without_duplicates(&run.name, data.evaluate(qrels, plan))
        }
        _ => {
            let rankings = run.run()?;
            checks::topics(file, plan, || rankings.topics().count())?;
            let scores = scores_of_rankings(&rankings, file, judgements, plan)?;
            without_duplicates(&run.name, scores)
        }
    }
}

/// The scores of a run in memory, against judgements of any kind.
fn scores_of_rankings(
    run: &Run,
    file: &str,
    judgements: &Judgements,
    plan: &Plan,
) -> Result<RunScores, Error> {
    let evaluated = match judgements {
        Judgements::Grades(qrels) => return Ok(evaluate_run(run, qrels, plan)),
        Judgements::Sessions(qrels, sessions, _) => {
            return Ok(evaluate_sessions(run, qrels, sessions, plan));
        }
        Judgements::Strata(qrels) => evaluate_strata(run, qrels, plan),
        Judgements::Prels(qrels) => evaluate_prels(run, qrels, plan),
        Judgements::Groups(groups) => evaluate_groups(run, groups, plan),
        Judgements::Preferences(preferences) => evaluate_preferences(run, preferences, plan),
    };
    without_contradictions(file, evaluated)
}

fn evaluate_trec(source: &Source, qrels: &Qrels, plan: &Plan) -> Result<RunScores, Error> {
    let evaluated = evaluate_text(source.bytes(), Dialect::Strict, qrels, plan);
    let is_empty = evaluated.scores.extra_topics == 0
        && !evaluated.scores.topics.iter().any(|topic| topic.in_run);
    if evaluated.fault_count > 0 || !evaluated.duplicates.is_empty() || is_empty {
        // The strict reader reports all problems in full, except those of a rank column, which only this evaluation reads.
        cranfield_io::read_run(source, Some(RunFormat::Trec))?;
        let mut problems = Problems::default();
        for fault in &evaluated.faults {
            problems.push_with(|| run_problem(source, fault));
        }
        problems.into_result()?;
    }
    Ok(evaluated.scores)
}

fn without_contradictions(file: &str, evaluated: EvaluatedJudgements) -> Result<RunScores, Error> {
    let mut problems = Problems::default();
    for (topic, contradiction) in &evaluated.contradictions {
        let id = cranfield_io::quoted(&evaluated.scores.topics[*topic].id);
        let message = format!("preferences of topic {id}: {contradiction}");
        problems.push(Problem::file(Code::ConflictingJudgement, file, message));
    }
    problems.into_result()?;
    Ok(evaluated.scores)
}

/// Rejects a run in memory that has a document twice in a ranking. Readers reject such files.
fn without_duplicates(name: &str, scores: RunScores) -> Result<RunScores, Error> {
    let twice = scores.topics.iter().find_map(|topic| {
        let document = topic.duplicate.as_ref()?;
        Some(format!(
            "document {} is in topic {} twice; keep it once, usually with its best score",
            quoted(document),
            quoted(&topic.id)
        ))
    });
    match twice {
        None => Ok(scores),
        Some(message) => Err(Problem::file(Code::DuplicateDocument, name, message).into()),
    }
}

/// Names runs after their files, without folders and known extensions unless names would be ambiguous. A repeated file gets a
/// number.
pub fn names_of(paths: &[&str]) -> Vec<String> {
    let short: Vec<String> = paths.iter().map(|path| short_name(path)).collect();
    let same_name = |at: usize| {
        let mut others = short.iter().zip(paths);
        others.any(|(name, path)| *name == short[at] && *path != paths[at])
    };
    let mut taken = BTreeSet::new();
    let named = (0..paths.len()).map(|at| {
        let name = if same_name(at) {
            paths[at]
        } else {
            short[at].as_str()
        };
        let numbered = (2..).map(|number: usize| format!("{name} ({number})"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let free = names.find(|name| taken.insert(name.clone()));
        free.unwrap_or_default()
    });
    named.collect()
}

/// Names two runs, see [`names_of`].
pub(crate) fn names_of_two(files: &[InputFile; 2]) -> [String; 2] {
    let paths = files.each_ref().map(|file| file.path.as_str());
    let mut names = names_of(&paths).into_iter();
    [(); 2].map(|()| names.next().unwrap_or_default())
}

fn short_name(path: &str) -> String {
    // A backslash separates folders on Windows only.
    let name = path.rsplit(std::path::is_separator).next().unwrap_or(path);
    let mut name = name.strip_prefix("input.").unwrap_or(name);
    for extension in [".gz", ".zst", ".bz2", ".xz", ".lz4"] {
        name = name.strip_suffix(extension).unwrap_or(name);
    }
    for extension in [
        ".run", ".txt", ".trec", ".res", ".json", ".jsonl", ".csv", ".tsv", ".parquet",
    ] {
        name = name.strip_suffix(extension).unwrap_or(name);
    }
    if name.is_empty() {
        path.into()
    } else {
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        assert_eq!(names_of(&["a/x.run", "b/y.run.gz"]), ["x", "y"]);
        assert_eq!(names_of(&["a/x.run", "b/x.run"]), ["a/x.run", "b/x.run"]);
        #[cfg(unix)]
        assert_eq!(names_of(&["a/x\\y.run"]), ["x\\y"]);
        assert_eq!(
            names_of(&["x.run", "x.run", "x.run"]),
            ["x", "x (2)", "x (3)"]
        );
        assert_eq!(
            names_of(&["x (2).run", "x.run", "x.run", "b/x.run"]),
            ["x (2)", "x.run", "x.run (2)", "b/x.run"]
        );
        assert_eq!(
            names_of(&["x (2).run", "x.run", "x.run"]),
            ["x (2)", "x", "x (3)"]
        );
    }
}
