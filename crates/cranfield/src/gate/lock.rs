//! Lock files: made of an evaluation, and held against one.

use std::collections::BTreeMap;

use cranfield_io::{Code, Error, Lock, LockedFile, Problem, Problems};

use super::arms::Arm;
use crate::evaluation::InputFile;
use crate::{Evaluation, VERSION, file_hash};

/// The first version whose values are those of this one. A commit that changes values raises it, and locks that were written
/// before are refused.
pub const VALUES_SINCE: &str = "0.1.0";

/// The lock of the first run of an evaluation.
///
/// # Errors
/// If the run has no judged topic, or a file was standard input, which cannot be read again.
pub fn lock(evaluation: &Evaluation, seed: u64) -> Result<Lock, Error> {
    let arm = Arm::of_run(evaluation, 0)?;
    super::arms::check_values(evaluation, &arm, &arm)?;
    let Some(run) = evaluation.runs.first() else {
        return Err(Problem::file(Code::NothingToGate, "gate", "no run").into());
    };
    let measures = evaluation.plan.measures.iter();
    let beside = beside(evaluation).into_iter();
    let beside = beside.map(|(kind, file)| Ok((kind.to_owned(), locked(file)?)));
    Ok(Lock {
        cranfield: VERSION.into(),
        profile: evaluation.profile.name().into(),
        policies: policies(evaluation),
        seed,
        qrels: locked(&evaluation.qrels)?,
        beside: beside.collect::<Result<_, Error>>()?,
        run: arm.name,
        run_file: locked(&run.file)?,
        measures: measures.map(ToString::to_string).collect(),
        means: (0..evaluation.plan.measures.len())
            .map(|at| run.scores.aggregate(at).unwrap_or(f64::NAN))
            .collect(),
        topics: arm.topics.into_iter().zip(arm.values).collect(),
    })
}

fn policies(evaluation: &Evaluation) -> BTreeMap<String, String> {
    let named = evaluation.plan.policies.named();
    named
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn beside(evaluation: &Evaluation) -> Vec<(&'static str, &InputFile)> {
    let files = [
        ("intents", &evaluation.intents),
        ("known", &evaluation.known),
        ("sessions", &evaluation.sessions),
    ];
    files
        .into_iter()
        .filter_map(|(kind, file)| file.as_ref().map(|file| (kind, file)))
        .collect()
}

fn locked(file: &InputFile) -> Result<LockedFile, Error> {
    let blake3 = file_hash(&file.path).ok_or_else(|| {
        let message = "cannot be read again, so a lock file cannot say what it was";
        let problem = Problem::file(Code::CannotRead, &file.path, message);
        problem.with_help("give a file in place of standard input")
    })?;
    Ok(LockedFile {
        path: file.path.clone(),
        blake3,
    })
}

/// Refuses a lock whose values are not comparable with those of an evaluation; tells everything that differs.
pub(super) fn check(evaluation: &Evaluation, name: &str, lock: &Lock) -> Result<(), Error> {
    let mut problems = Problems::default();
    let mut refuse = |message: String, help: String| {
        let problem = Problem::file(Code::OtherThanLocked, name, message);
        problems.push(problem.with_help(help));
    };
    if let Some(why) = other_version(&lock.cranfield) {
        refuse(
            why,
            "write the lock anew with --write-lock, from the run that it was made of".into(),
        );
    }
    if lock.profile != evaluation.profile.name() {
        let (locked, now) = (&lock.profile, evaluation.profile.name());
        refuse(
            format!("the lock has the profile {locked}, and this is {now}"),
            format!("add --profile {locked}"),
        );
    }
    for (policy, now) in policies(evaluation) {
        let locked = lock.policies.get(&policy).map_or("none", String::as_str);
        if locked != now {
            let same = match locked {
                "none" => format!("leave --{policy} out"),
                locked => format!("add --{policy} {locked}"),
            };
            refuse(
                format!("the lock has {policy} {locked}, and this is {now}"),
                format!("{same}, or write the lock anew with --write-lock"),
            );
        }
    }
    let measures: Vec<String> = evaluation
        .plan
        .measures
        .iter()
        .map(ToString::to_string)
        .collect();
    if measures != lock.measures {
        refuse(
            format!(
                "the lock has the measures {}, and these are {}",
                lock.measures.join(" "),
                measures.join(" ")
            ),
            "leave -m out to have those of the lock, or write the lock anew with --write-lock"
                .into(),
        );
    }
    let files = beside(evaluation);
    for (kind, file) in files.iter().copied().chain([("qrels", &evaluation.qrels)]) {
        let locked = if kind == "qrels" {
            Some(&lock.qrels)
        } else {
            lock.beside.get(kind)
        };
        let now = file_hash(&file.path);
        if locked.map(|locked| &locked.blake3) != now.as_ref() {
            let path = &file.path;
            refuse(
                format!("{path} is not the file that the lock was made with ({kind}: another hash)"),
                "give the same file; if it was changed on purpose, write the lock anew with --write-lock".into(),
            );
        }
    }
    for kind in lock
        .beside
        .keys()
        .filter(|kind| !files.iter().any(|(found, _)| found == kind))
    {
        refuse(
            format!("the lock was made with a file of {kind}"),
            format!("add --{kind} FILE"),
        );
    }
    problems.into_result()
}

/// Why values of another version cannot be compared.
fn other_version(locked: &str) -> Option<String> {
    let number = |text: &str| {
        let mut parts = text
            .split(['-', '+'])
            .next()?
            .split('.')
            .map(|part| part.parse::<u64>().ok());
        let number = [parts.next()??, parts.next()??, parts.next()??];
        parts.next().is_none().then_some(number)
    };
    match (number(locked), number(VALUES_SINCE), number(VERSION)) {
        (Some(found), Some(since), Some(now)) if (since..=now).contains(&found) => None,
        (Some(found), _, Some(now)) if found > now => Some(format!(
            "the lock is of Cranfield {locked}, which is newer than this {VERSION}"
        )),
        (Some(_), ..) => Some(format!(
            "the lock is of Cranfield {locked}, and values have changed in {VALUES_SINCE}"
        )),
        _ => Some(format!("`{locked}` is no version of Cranfield")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_with_other_values_are_refused() {
        assert_eq!(other_version(VERSION), None);
        assert!(other_version("99.0.0").is_some_and(|why| why.contains("newer")));
        assert!(other_version("0.0.9").is_some_and(|why| why.contains("have changed")));
        for text in ["", "1", "0.1.x", "0.1.0.0"] {
            assert!(
                other_version(text).is_some_and(|why| why.contains("no version")),
                "{text}"
            );
        }
    }
}
