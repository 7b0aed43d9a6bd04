//! Values by topic of a run and its baseline, and checks that they are comparable.

use cranfield_core::measure::Direction;
use cranfield_core::policy::TopicPolicy;
use cranfield_core::setting::{Message, Setting};
use cranfield_io::{Code, Error, Problem, Problems, quoted};

use super::lock_file::Lock;
use crate::flattered::{is_flattered, named, says};
use cranfield_eval::Evaluation;

/// Values of a run.
pub(super) struct Arm {
    pub(super) name: String,
    path: String,
    /// Ids of topics, ascending.
    pub(super) topics: Vec<String>,
    /// Values of each topic, by measure; NaN where undefined.
    pub(super) values: Vec<Vec<f64>>,
    /// Whether there is a ranking for each topic; always true for a lock.
    ran: Vec<bool>,
}

impl Arm {
    /// A run of an evaluation, which must have a judged topic.
    pub(super) fn of_run(evaluation: &Evaluation, at: usize) -> Result<Self, Error> {
        let Some(run) = evaluation.runs.get(at) else {
            let message = format!(
                "expected one run and one baseline, found {} runs",
                evaluation.runs.len()
            );
            return Err(Problem::file(Code::NothingToGate, "gate", message).into());
        };
        let scores = &run.scores;
        let ran = |topic: &&cranfield_eval::TopicScores| topic.in_run && topic.in_qrels;
        if scores.topics.iter().filter(ran).count() == 0 {
            let message = format!("no topic of {} is judged", scores.name);
            let problem = Problem::file(Code::NothingToGate, &run.file.path, message);
            return Err(problem
                .with_help("check that the run belongs to these judgements; `cranfield doctor` finds ids that are spelled differently")
                .into());
        }
        let mut problems = Problems::default();
        let mut topics = Vec::with_capacity(scores.topics.len());
        for topic in &scores.topics {
            match std::str::from_utf8(&topic.id) {
                Ok(id) => topics.push(id.to_owned()),
                Err(_) => problems.push_with(|| {
                    let message = format!("topic {} is not UTF-8", quoted(&topic.id));
                    Problem::file(Code::InvalidUtf8, &run.file.path, message)
                }),
            }
        }
        problems.into_result()?;
        let values = (0..topics.len()).map(|place| scores.row(place).to_vec());
        Ok(Self {
            name: scores.name.clone(),
            path: run.file.path.clone(),
            values: values.collect(),
            ran: scores.topics.iter().map(|topic| topic.in_run).collect(),
            topics,
        })
    }

    /// The run of a lock file, which must have a value for each measure.
    pub(super) fn of_lock(path: &str, lock: &Lock) -> Result<Self, Error> {
        let lacks = |row: &&Vec<f64>| row.len() != lock.measures.len();
        if lock.topics.values().any(|row| lacks(&row)) {
            let message = "a topic lacks the value of a measure";
            return Err(Problem::file(Code::BadLock, path, message).into());
        }
        Ok(Self {
            name: lock.run.clone(),
            path: path.into(),
            topics: lock.topics.keys().cloned().collect(),
            values: lock.topics.values().cloned().collect(),
            ran: vec![true; lock.topics.len()],
        })
    }

    fn column(&self, measure: usize) -> impl Iterator<Item = f64> {
        self.values.iter().map(move |row| row[measure])
    }
}

/// Rejects a measure that is defined on one side only for some topic, where such topics would be left out: a run would pass for
/// lacking the topics on which it is bad, and an update would lower the lock. Undefined values that count as 0 are fine.
pub(super) fn check_defined(
    evaluation: &Evaluation,
    run: &Arm,
    baseline: &Arm,
) -> Result<(), Error> {
    let mut problems = Problems::default();
    for (at, measure) in evaluation.plan.measures.iter().enumerate() {
        let flatters = measure.info.direction == Direction::LowerIsBetter;
        if !flatters && !evaluation.plan.leaves_out_undefined(measure) {
            continue;
        }
        let lacking = |of: &Arm, from: &Arm, which: &str| {
            let topics = from.topics.iter().enumerate();
            let missing = topics.filter(|(place, _)| {
                of.values[*place][at].is_nan() && !from.values[*place][at].is_nan()
            });
            let missing: Vec<&str> = missing.map(|(_, topic)| topic.as_str()).collect();
            (!missing.is_empty())
                .then(|| format!("undefined for the {which} on {}", named(&missing)))
        };
        let both = [
            lacking(run, baseline, "run"),
            lacking(baseline, run, "baseline"),
        ];
        let message = both.into_iter().flatten().collect::<Vec<_>>().join("; ");
        if !message.is_empty() {
            let name = evaluation.profile.name_of(measure);
            let message = format!("{name} is defined on one side only: {message}");
            let problem = Problem::file(Code::NothingToGate, &run.path, message);
            problems.push(problem.with_help(
                "complete the run, or gate on a measure that is 0 where nothing is retrieved, such as AP",
            ));
        }
    }
    problems.into_result()
}

/// Rejects a side that lacks rankings of topics and is better for it, which happens for measures of which smaller values are better: a
/// run would pass for retrieving nothing.
pub(super) fn check_ran(evaluation: &Evaluation, run: &Arm, baseline: &Arm) -> Result<(), Error> {
    let mut problems = Problems::default();
    for (at, measure) in evaluation.plan.measures.iter().enumerate() {
        let name = evaluation.profile.name_of(measure);
        let direction = measure.info.direction;
        for (of, other) in [(run, baseline), (baseline, run)] {
            let topics = of.topics.iter().zip(&of.ran).enumerate();
            let lacking = topics.filter(|(place, (_, ran))| {
                let [value, other] = [of, other].map(|arm| arm.values[*place][at]);
                is_flattered(direction, **ran, value, other)
            });
            let lacking: Vec<&str> = lacking.map(|(_, (topic, _))| topic.as_str()).collect();
            if lacking.is_empty() {
                continue;
            }
            let message = says(&of.name, &lacking, &name);
            let problem = Problem::file(Code::NothingToGate, &of.path, message);
            problems.push(problem.with_help(
                "complete the run, or gate on a measure that is 0 where nothing is retrieved, such as AP",
            ));
        }
    }
    problems.into_result()
}

/// Rejects sides with different topics, whose means are not comparable.
pub(super) fn check_topics(run: &Arm, baseline: &Arm) -> Result<(), Error> {
    if run.topics == baseline.topics {
        return Ok(());
    }
    let lacking = |of: &Arm, from: &Arm, which: &str| {
        let missing = of
            .topics
            .iter()
            .filter(|topic| from.topics.binary_search(topic).is_err());
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        (!missing.is_empty()).then(|| format!("the {which} lacks {}", named(&missing)))
    };
    let both = [
        lacking(baseline, run, "run"),
        lacking(run, baseline, "baseline"),
    ];
    let message = both.into_iter().flatten().collect::<Vec<_>>().join("; ");
    let problem = Problem::file(
        Code::OtherThanLocked,
        &run.path,
        format!("run and baseline have different topics: {message}"),
    );
    Err(problem
        .with_help(
            Message::from(Setting::Topics.to(TopicPolicy::Judged))
                .then(" counts all judged topics for both"),
        )
        .into())
}

/// Rejects sides without values, and those whose values are all 0: a run that crashed must not look like a bad run, and no run
/// can be worse than a baseline of 0.
pub(super) fn check_values(
    evaluation: &Evaluation,
    run: &Arm,
    baseline: &Arm,
) -> Result<(), Error> {
    let mut problems = Problems::default();
    let measures = evaluation.plan.measures.iter().enumerate();
    let mut only_zeros = true;
    for (at, measure) in measures {
        let name = evaluation.profile.name_of(measure);
        for arm in [run, baseline] {
            if arm.column(at).all(f64::is_nan) {
                problems.push(suspicious(
                    arm,
                    format!("{name} is undefined on every topic of {}", arm.name),
                ));
            }
        }
        if measure.info.direction == Direction::LowerIsBetter {
            only_zeros = false;
            continue;
        }
        only_zeros &= run.column(at).all(|value| value.is_nan() || value == 0.0);
        if baseline.column(at).all(|value| value == 0.0) {
            let message = format!(
                "{name} is 0 on every topic of {}, so no run can be worse",
                baseline.name
            );
            problems.push(suspicious(baseline, message));
        }
    }
    if only_zeros && problems.is_empty() {
        let message = format!(
            "all values of {} are 0: nothing relevant was retrieved for any topic",
            run.name
        );
        problems.push(suspicious(run, message));
    }
    problems.into_result()
}

fn suspicious(arm: &Arm, message: String) -> Problem {
    let problem = Problem::file(Code::NothingToGate, &arm.path, message);
    problem.with_help("check the run with `cranfield doctor`")
}
