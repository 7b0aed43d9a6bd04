//! Files of runs, evaluated and named.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::engine::{
    EvaluatedJudgements, RunScores, evaluate_groups, evaluate_preferences, evaluate_prels,
    evaluate_run, evaluate_sessions, evaluate_strata, evaluate_text,
};
use cranfield_core::evaluate::Plan;
use cranfield_core::policy::{End, Profile};
use cranfield_core::qrels::Qrels;
use cranfield_io::trec::{Dialect, run_problem};
use cranfield_io::{Code, Error, Problem, Problems, RunFormat, Source};

use super::{EvaluatedRun, InputFile, Judgements, by_policies, checks};

/// The only run of a request, opened while the judgements are read. Standard input may be that of the judgements, and is left.
pub(super) fn open_single(runs: &[PathBuf]) -> Option<Result<Source, Error>> {
    match runs {
        [run] if run.as_os_str() != "-" => Some(Source::open(run)),
        _ => None,
    }
}

/// Evaluates a file under the policies of each measure; at both ends where values are intervals.
pub(super) fn evaluate_file(
    source: &Source,
    format: Option<RunFormat>,
    judgements: &Judgements,
    profile: Profile,
    plan: &Plan,
) -> Result<EvaluatedRun, Error> {
    let format = format.map_or_else(|| cranfield_io::detect_run(source), Ok)?;
    let once = |plan: &Plan| match (judgements, format) {
        (Judgements::Grades(qrels), RunFormat::Trec) => {
            checks::topics(source, plan, || checks::changes_of_topic(source))?;
            evaluate_trec(source, qrels, plan)
        }
        (Judgements::Grades(qrels), _) => {
            let run = cranfield_io::read_run(source, Some(format))?;
            checks::topics(source, plan, || run.topics().count())?;
            Ok(evaluate_run(&run, qrels, plan))
        }
        _ => evaluate_others(source, format, judgements, plan),
    };
    let evaluate = |plan: &Plan| by_policies(profile, plan, once);
    let file = InputFile::of(source);
    if !plan.policies.are_bounds() {
        return Ok(EvaluatedRun {
            file,
            scores: evaluate(plan)?,
            upper: None,
        });
    }
    Ok(EvaluatedRun {
        file,
        scores: evaluate(&plan.at(End::Least))?,
        upper: Some(evaluate(&plan.at(End::Greatest))?),
    })
}

fn evaluate_trec(source: &Source, qrels: &Qrels, plan: &Plan) -> Result<RunScores, Error> {
    let evaluated = evaluate_text(source.bytes(), Dialect::Strict, qrels, plan);
    let is_empty = evaluated.scores.extra_topics == 0
        && !evaluated.scores.topics.iter().any(|topic| topic.in_run);
    if evaluated.fault_count > 0 || !evaluated.duplicates.is_empty() || is_empty {
        // The careful reader tells all problems in full, but for those of a rank column that only this evaluation looks at.
        cranfield_io::read_run(source, Some(RunFormat::Trec))?;
        let mut problems = Problems::default();
        for fault in &evaluated.faults {
            problems.push_with(|| run_problem(source, fault));
        }
        problems.into_result()?;
    }
    Ok(evaluated.scores)
}

/// Evaluates against judgements that are not grades. The run is read carefully first, and handed on as TREC text.
fn evaluate_others(
    source: &Source,
    format: RunFormat,
    judgements: &Judgements,
    plan: &Plan,
) -> Result<RunScores, Error> {
    let run = cranfield_io::read_run(source, Some(format))?;
    let mut text = Vec::new();
    cranfield_io::write_run(&run, RunFormat::Trec, &mut text)?;
    let evaluated = match judgements {
        Judgements::Grades(qrels) => return Ok(evaluate_run(&run, qrels, plan)),
        Judgements::Sessions(qrels, sessions, _) => {
            return Ok(evaluate_sessions(&run, qrels, sessions, plan));
        }
        Judgements::Strata(qrels) => evaluate_strata(&text, Dialect::Strict, qrels, plan),
        Judgements::Prels(qrels) => evaluate_prels(&text, Dialect::Strict, qrels, plan),
        Judgements::Groups(groups) => evaluate_groups(&text, Dialect::Strict, groups, plan),
        Judgements::Preferences(preferences) => {
            evaluate_preferences(&text, Dialect::Strict, preferences, plan)
        }
    };
    without_contradictions(source, evaluated)
}

fn without_contradictions(
    source: &Source,
    evaluated: EvaluatedJudgements,
) -> Result<RunScores, Error> {
    let mut problems = Problems::default();
    for (topic, contradiction) in &evaluated.contradictions {
        let id = cranfield_io::quoted(&evaluated.scores.topics[*topic].id);
        let message = format!("preferences of topic {id}: {contradiction}");
        problems.push(Problem::file(
            Code::ConflictingJudgement,
            source.name(),
            message,
        ));
    }
    problems.into_result()?;
    Ok(evaluated.scores)
}

/// Names of runs by their files: without folders and known extensions, but with as much as is needed to tell them apart.
/// A file that is given again has a number.
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

/// The same for two files.
pub(crate) fn names_of_two(files: &[InputFile; 2]) -> [String; 2] {
    let paths = files.each_ref().map(|file| file.path.as_str());
    let mut names = names_of(&paths).into_iter();
    [(); 2].map(|()| names.next().unwrap_or_default())
}

fn short_name(path: &str) -> String {
    // A backslash parts folders on Windows only; elsewhere it is a letter.
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
    fn runs_are_told_apart() {
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
