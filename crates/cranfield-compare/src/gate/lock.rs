//! Lock files: created from an evaluation, and checked against one.

use std::collections::BTreeMap;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::Policies;
use cranfield_core::setting::{Choice, Message, Setting};
use cranfield_io::{Code, Error, Problem, Problems, quoted};
use cranfield_measures::profiles::Profile;
use cranfield_stats::sample::mean;

use super::arms::Arm;
use super::lock_file::{Lock, LockedFile};
use super::{GateError, check_measure};
use cranfield_eval::InputFile;
use cranfield_eval::{Evaluation, VERSION};

/// The first version with the values of this one. A commit that changes values raises it, and older locks become invalid.
pub const VALUES_SINCE: &str = "0.1.0";

/// Creates the lock of the first run of an evaluation.
///
/// # Errors
/// If the run has no judged topic, a measure cannot be gated, or a file was standard input, which cannot be read again.
pub fn lock(evaluation: &Evaluation, seed: u64) -> Result<Lock, GateError> {
    for measure in &evaluation.plan.measures {
        check_measure(evaluation, measure)?;
    }
    let arm = Arm::of_run(evaluation, 0)?;
    super::arms::check_values(evaluation, &arm, &arm)?;
    let Some(run) = evaluation.runs.first() else {
        return Err(Error::from(Problem::file(Code::NothingToGate, "gate", "no run")).into());
    };
    let rows: Vec<&[f64]> = arm.values.iter().map(Vec::as_slice).collect();
    let measures = evaluation.plan.measures.iter();
    let files = other_files(evaluation).into_iter();
    let files = files.map(|(kind, file)| Ok((kind.to_owned(), locked(file)?)));
    Ok(Lock {
        cranfield: VERSION.into(),
        profile: evaluation.profile.name().into(),
        policies: policies(evaluation),
        seed,
        qrels: locked(&evaluation.qrels)?,
        other_files: files.collect::<Result<_, Error>>()?,
        run: arm.name,
        run_file: locked(&run.file)?,
        measures: measures.map(ToString::to_string).collect(),
        means: means(evaluation, &rows),
        topics: arm.topics.into_iter().zip(arm.values).collect(),
    })
}

/// The mean of each measure, as the gate compares it, also of those that are printed as sums.
fn means(evaluation: &Evaluation, rows: &[&[f64]]) -> Vec<f64> {
    let measures = evaluation.plan.measures.iter().enumerate();
    let of = |(at, measure): (usize, &BoundMeasure)| {
        let skips = evaluation.plan.leaves_out_undefined(measure);
        let values = rows.iter().filter_map(|row| row.get(at).copied());
        let counted = values.filter(|value| !(skips && value.is_nan()));
        let counted: Vec<f64> = counted
            .map(|value| if value.is_nan() { 0.0 } else { value })
            .collect();
        mean(&counted).unwrap_or(f64::NAN)
    };
    measures.map(of).collect()
}

fn policies(evaluation: &Evaluation) -> BTreeMap<String, String> {
    let named = evaluation.plan.policies.named();
    named
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn other_files(evaluation: &Evaluation) -> Vec<(&'static str, &InputFile)> {
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
    let blake3 = file.blake3().ok_or_else(|| {
        let message = "cannot be read again, so a lock file cannot record its hash";
        let problem = Problem::file(Code::CannotRead, &file.path, message);
        problem.with_help("pass a file instead of standard input")
    })?;
    Ok(LockedFile {
        path: file.path.clone(),
        blake3,
    })
}

const OR_LOCK_AGAIN: &str = ", or write a new lock";

fn use_or_lock_again(setting: Choice) -> Message {
    Message::from("use ").then(setting).then(OR_LOCK_AGAIN)
}

/// Reasons why a lock cannot be compared with an evaluation.
struct Mismatches<'a> {
    name: &'a str,
    lock: &'a Lock,
    problems: Problems,
}

impl Mismatches<'_> {
    /// The lock is valid, but was made with other inputs or settings.
    fn other(&mut self, message: String, help: impl Into<Message>) {
        let problem = Problem::file(Code::OtherThanLocked, self.name, message);
        self.problems.push(problem.with_help(help));
    }

    /// The lock is not what Cranfield writes.
    fn wrong(&mut self, message: String) {
        let problem = Problem::file(Code::BadLock, self.name, message);
        self.problems.push(problem.with_help("write a new lock"));
    }

    fn check_version(&mut self) {
        match version(&self.lock.cranfield) {
            Locked::Same => {}
            Locked::Newer => self.other(
                format!(
                    "the lock was written by Cranfield {}, which is newer than this {VERSION}",
                    self.lock.cranfield
                ),
                "use that version, or write a new lock",
            ),
            Locked::Older => self.other(
                format!(
                    "the lock was written by Cranfield {}, and values changed in {VALUES_SINCE}",
                    self.lock.cranfield
                ),
                "write a new lock from the same run",
            ),
            Locked::None => {
                self.wrong(format!(
                    "`{}` is not a version of Cranfield",
                    self.lock.cranfield
                ));
            }
        }
    }

    fn check_profile(&mut self, now: Profile) {
        let locked = &self.lock.profile;
        if locked.parse::<Profile>().is_err() {
            self.wrong(format!("unknown profile `{locked}`"));
        } else if locked != now.name() {
            self.other(
                format!("the lock has profile {locked}, this evaluation has {now}"),
                use_or_lock_again(Setting::Profile.to(locked)),
            );
        }
    }

    fn check_policies(&mut self, now: &BTreeMap<String, String>) {
        for policy in self.lock.policies.keys() {
            if !now.contains_key(policy) {
                self.wrong(format!("unknown policy `{policy}`"));
            }
        }
        for (policy, now) in now {
            let Some(locked) = self.lock.policies.get(policy) else {
                self.wrong(format!("the lock lacks the policy {policy}"));
                continue;
            };
            if Policies::OWN.clone().set(policy, locked).is_err() {
                self.wrong(format!("invalid value `{locked}` of the policy {policy}"));
            } else if locked != now {
                let help = match Setting::named(policy) {
                    Some(setting) if locked != "none" => use_or_lock_again(setting.to(locked)),
                    Some(setting) => Message::from("omit ").then(setting).then(OR_LOCK_AGAIN),
                    None => "write a new lock".into(),
                };
                self.other(
                    format!("the lock has {policy} {locked}, this evaluation has {now}"),
                    help,
                );
            }
        }
    }

    fn check_measures(&mut self, evaluation: &Evaluation) {
        let measures = evaluation.plan.measures.iter();
        let measures: Vec<String> = measures.map(ToString::to_string).collect();
        if measures != self.lock.measures {
            self.other(
                format!(
                    "the lock has the measures {}, this evaluation has {}",
                    self.lock.measures.join(" "),
                    measures.join(" ")
                ),
                "use the measures of the lock, or write a new lock",
            );
        }
    }

    fn check_files(&mut self, evaluation: &Evaluation) {
        let files = other_files(evaluation);
        for (kind, file) in files.iter().copied().chain([("qrels", &evaluation.qrels)]) {
            let locked = if kind == "qrels" {
                Some(&self.lock.qrels)
            } else {
                self.lock.other_files.get(kind)
            };
            let (path, now) = (&file.path, file.blake3());
            if now.is_none() {
                self.other(
                    format!(
                        "{path} cannot be read again to compare its hash with the lock ({kind})"
                    ),
                    "pass a file instead of standard input",
                );
            } else if locked.map(|locked| &locked.blake3) != now.as_ref() {
                self.other(
                    format!("{path} is not the file that the lock was made with ({kind}: different hash)"),
                    "use the same file; if it was changed on purpose, write a new lock",
                );
            }
        }
        for kind in self.lock.other_files.keys() {
            if !files.iter().any(|(found, _)| found == kind) {
                self.other(
                    format!("the lock was made with a {kind} file"),
                    format!("add the {kind} file, or write a new lock"),
                );
            }
        }
    }

    /// Checks the means against the values, and the values against the run if it is the run of the lock.
    fn check_numbers(&mut self, evaluation: &Evaluation, run: &Arm) {
        let lock = self.lock;
        let rows: Vec<&[f64]> = lock.topics.values().map(Vec::as_slice).collect();
        let means = means(evaluation, &rows);
        for ((name, locked), mean) in lock.measures.iter().zip(&lock.means).zip(means) {
            if !is_near(*locked, mean) {
                self.wrong(format!(
                    "the lock has a mean {name} of {locked}, but its values have a mean of {mean}"
                ));
            }
        }
        let hash = evaluation.runs.first().and_then(|run| run.file.blake3());
        if hash.as_ref() != Some(&lock.run_file.blake3) {
            return;
        }
        for (topic, values) in run.topics.iter().zip(&run.values) {
            let Some(locked) = lock.topics.get(topic) else {
                continue;
            };
            for ((name, locked), value) in lock.measures.iter().zip(locked).zip(values) {
                if !is_near(*locked, *value) {
                    self.wrong(format!(
                        "the lock was made from this run and has {name} {locked} on topic {}, but the run has {value}",
                        quoted(topic.as_bytes())
                    ));
                }
            }
        }
    }
}

/// Whether two numbers are equal up to differences in arithmetic between machines; NaN equals NaN.
fn is_near(one: f64, other: f64) -> bool {
    let most = one.abs().max(other.abs()).max(1.0);
    (one.is_nan() && other.is_nan()) || (one - other).abs() <= 1e-9 * most
}

/// Rejects a lock whose values are not comparable with those of an evaluation, with a list of all differences.
pub(super) fn check(
    evaluation: &Evaluation,
    name: &str,
    lock: &Lock,
    run: &Arm,
) -> Result<(), Error> {
    let mut mismatches = Mismatches {
        name,
        lock,
        problems: Problems::default(),
    };
    mismatches.check_version();
    mismatches.check_profile(evaluation.profile);
    mismatches.check_policies(&policies(evaluation));
    mismatches.check_measures(evaluation);
    mismatches.check_files(evaluation);
    // Numbers of something else would differ for that reason.
    if mismatches.problems.is_empty() {
        mismatches.check_numbers(evaluation, run);
    }
    mismatches.problems.into_result()
}

/// Version of a lock relative to this one.
#[derive(Debug, PartialEq, Eq)]
enum Locked {
    /// Its values are comparable.
    Same,
    Newer,
    /// Its values differ.
    Older,
    /// Not a version.
    None,
}

fn version(locked: &str) -> Locked {
    let number = |text: &str| {
        let mut parts = text.split('.').map(|part| part.parse::<u64>().ok());
        let [a, b, c] = [parts.next()??, parts.next()??, parts.next()??];
        // Without signs and leading zeros.
        let is_plain = format!("{a}.{b}.{c}") == text;
        is_plain.then_some([a, b, c])
    };
    // The suffix of an unreleased version matches only itself.
    let bare = |text: &'static str| text.split(['-', '+']).next().unwrap_or(text);
    match (
        number(locked),
        number(bare(VALUES_SINCE)),
        number(bare(VERSION)),
    ) {
        _ if locked == VERSION => Locked::Same,
        (Some(found), Some(since), Some(now)) if (since..=now).contains(&found) => Locked::Same,
        (Some(found), _, Some(now)) if found > now => Locked::Newer,
        (Some(_), ..) => Locked::Older,
        (None, ..) => Locked::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_with_other_values_are_rejected() {
        assert_eq!(version(VERSION), Locked::Same);
        assert_eq!(version("99.0.0"), Locked::Newer);
        assert_eq!(version("0.0.9"), Locked::Older);
        for text in [
            "",
            "1",
            "0.1.x",
            "0.1.0.0",
            "00.1.0",
            "0.+1.0",
            "0.1.0-evil",
            "0.1.0+x",
        ] {
            assert_eq!(version(text), Locked::None, "{text}");
        }
    }
}
