//! Plans: what is compared, written down before the data are seen, and kept apart from what is looked at beside it.

use std::path::Path;

use cranfield_core::policy::{Policies, Profile};
use cranfield_core::spec::{Conventions, nearest_name};
use cranfield_io::{Error, Source};

use super::scores::{ScoreTable, Selection};
use super::settings::Settings;
use super::{Asked, CompareError, Comparison, Role, Setup, StepWatcher, compare_tables};
use cranfield_eval::Evaluation;
use cranfield_eval::hash_of_read;

/// A plan: the comparisons that are to confirm something, and how.
///
/// A file in TOML with the keys `measures` and `runs` or `baseline`, and where they should not be the usual ones `test`,
/// `correction`, `family`, `alpha`, `margin`, `replicates`, `seed`, `topics` and `title`. p-values are corrected for all tests
/// of the plan (`family = "all"`) unless it says `family = "measure"`. `profile`, `level`, `topic_rule`, `ties`, `unjudged`,
/// `negative`, `undefined`, `depth` and `identical` fix how runs are evaluated; what is not there is left open.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Where it comes from.
    pub path: String,
    /// Hash of the file.
    pub blake3: Option<String>,
    /// The file's content.
    pub text: String,
    /// What it is for.
    pub title: Option<String>,
    /// Primary measures, by their canonical names.
    pub measures: Vec<String>,
    /// Names of the runs; all that are given if empty.
    pub runs: Vec<String>,
    /// The topics.
    pub topics: PlannedTopics,
    /// Test, correction, level, margin, seed and baselines.
    pub settings: Settings,
    /// How runs are evaluated.
    pub policies: PlannedPolicies,
}

/// How a plan has runs evaluated; what it does not say is open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedPolicies {
    /// Whose conventions.
    pub profile: Option<Profile>,
    /// The least relevant grade of measures that do not name it.
    pub level: Option<f64>,
    /// Policies and their values, by their printed names.
    pub policies: Vec<(&'static str, String)>,
}

impl PlannedPolicies {
    /// Everything that it fixes, with its name.
    pub fn named(&self) -> Vec<String> {
        let profile = self.profile.map(|profile| format!("profile {profile}"));
        let level = self.level.map(|level| format!("level {level}"));
        let policies = self.policies.iter();
        let policies = policies.map(|(policy, value)| format!("{policy} {value}"));
        profile.into_iter().chain(level).chain(policies).collect()
    }

    /// Whether the plan says that a policy has this value, itself or by a profile that has it.
    fn fixes(&self, policy: &str, value: &str) -> bool {
        let has = |name: &str, found: &str| name == policy && found == value;
        let own = self.policies.iter().any(|(name, found)| has(name, found));
        let profile = self.profile.map(|profile| profile.policies().named());
        own || profile.is_some_and(|named| named.iter().any(|(name, found)| has(name, found)))
    }

    /// What the evaluation does otherwise.
    fn contradicted(&self, evaluation: &Evaluation) -> Option<String> {
        let there = |name: &str, found: String, planned: String| {
            (found != planned)
                .then(|| format!("the plan has {name} {planned}, and the evaluation {found}"))
        };
        let profile = self.profile.and_then(|profile| {
            there(
                "profile",
                evaluation.profile.to_string(),
                profile.to_string(),
            )
        });
        let found = evaluation.plan.policies.named();
        let policies = self.policies.iter().filter_map(|(policy, planned)| {
            let (name, found) = found.iter().find(|(name, _)| name == policy)?;
            there(name, found.clone(), planned.clone())
        });
        profile.into_iter().chain(policies).next()
    }
}

/// The topics of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedTopics {
    /// Whichever count.
    Any,
    /// So many.
    Count(u64),
    /// These.
    Ids(Vec<String>),
}

impl Plan {
    /// Reads a plan; names of measures are read under these conventions.
    ///
    /// # Errors
    /// If the file is not a plan, or names something that does not exist; every mistake is told with its line.
    pub fn read(path: &Path, conventions: &Conventions) -> Result<Self, Error> {
        let source = Source::open(path)?;
        let mut plan = Self::of(&source, conventions)?;
        plan.blake3 = hash_of_read(path, source.bytes());
        Ok(plan)
    }

    fn has_run(&self, name: &str) -> bool {
        self.runs.is_empty() || self.runs.iter().any(|run| run == name)
    }

    /// Refuses an evaluation that lacks what the plan names.
    fn check(&self, evaluation: &Evaluation) -> Result<(), CompareError> {
        let refuse = |why: String| Err(CompareError::Settings(format!("{}: {why}", self.path)));
        let names: Vec<&str> = evaluation
            .runs
            .iter()
            .map(|run| run.scores.name.as_str())
            .collect();
        let wanted = self.runs.iter().chain(&self.settings.baselines);
        for run in wanted {
            if !names.contains(&run.as_str()) {
                let near = nearest_name(run, &names)
                    .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                return refuse(format!(
                    "the plan names the run `{run}`, and the runs are {}{near}",
                    names.join(", ")
                ));
            }
        }
        for measure in &self.measures {
            let mut measures = evaluation.plan.measures.iter();
            if !measures.any(|found| found.to_string() == *measure) {
                return refuse(format!("the plan names {measure}, which was not evaluated"));
            }
        }
        if let Some(why) = self.policies.contradicted(evaluation) {
            return refuse(format!(
                "{why}; evaluate as it was planned, or change the plan"
            ));
        }
        let selection = Selection::of(evaluation, |run| self.has_run(run));
        let topics = selection.topic_ids();
        match &self.topics {
            PlannedTopics::Count(count) if *count != topics.len() as u64 => refuse(format!(
                "the plan has {count} topics, and {} count; give the judgements that were planned for, or change the plan",
                topics.len()
            )),
            PlannedTopics::Ids(ids) => {
                let mut planned: Vec<&[u8]> = ids.iter().map(String::as_bytes).collect();
                planned.sort_unstable();
                planned.dedup();
                let other = |of: &[&[u8]], from: &[&[u8]]| {
                    let missing = of.iter().find(|id| from.binary_search(id).is_err());
                    missing.map(|id| cranfield_io::quoted(id))
                };
                match (other(&planned, &topics), other(&topics, &planned)) {
                    (Some(id), _) => refuse(format!(
                        "topic {id} of the plan does not count; give the judgements that were planned for"
                    )),
                    (_, Some(id)) => refuse(format!(
                        "topic {id} counts, and is not in the plan; give the judgements that were planned for"
                    )),
                    (None, None) => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Refuses to leave topics of the plan out by a policy that the plan does not fix.
    fn check_counted(
        &self,
        evaluation: &Evaluation,
        tables: &[ScoreTable],
    ) -> Result<(), CompareError> {
        let less = tables.iter().find(|table| table.topics.left_out > 0);
        let (Some(table), false) = (less, self.topics == PlannedTopics::Any) else {
            return Ok(());
        };
        let unusual = evaluation.plan.policies.differing(&Policies::OWN);
        let mut open = unusual.into_iter().filter(|(policy, value)| {
            ["topics", "undefined"].contains(policy) && !self.policies.fixes(policy, value)
        });
        let Some((policy, value)) = open.next() else {
            return Ok(());
        };
        let key = if policy == "topics" {
            "topic_rule"
        } else {
            policy
        };
        Err(CompareError::Settings(format!(
            "{}: the plan has {} topics, and {} is compared on {} of them, because of {policy} {value}; leave that out, or let the plan say {key} = \"{value}\"",
            self.path,
            table.topics.count + table.topics.left_out,
            table.measure,
            table.topics.count
        )))
    }
}

/// A comparison by plan.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// What the plan names. It is the same whatever else is asked for.
    pub confirmatory: Comparison,
    /// Everything else that was asked for, corrected on its own; `None` if there is nothing.
    pub exploratory: Option<Comparison>,
}

/// Compares the runs of an evaluation by a plan: what it names, and apart from it all other runs and measures.
///
/// The confirmatory part looks at the runs of the plan only, so that runs beside it change neither topics nor corrections.
///
/// # Errors
/// If the evaluation lacks runs, measures or topics of the plan, or allows no test.
pub fn compare_planned(evaluation: &Evaluation, plan: &Plan) -> Result<Planned, CompareError> {
    compare_planned_watched(evaluation, plan, &|_| ())
}

/// The same, telling how far it has come.
///
/// # Errors
/// As for [`compare_planned`].
pub fn compare_planned_watched(
    evaluation: &Evaluation,
    plan: &Plan,
    watcher: StepWatcher<'_>,
) -> Result<Planned, CompareError> {
    plan.check(evaluation)?;
    let is_planned = |at: usize| {
        plan.measures
            .contains(&evaluation.plan.measures[at].to_string())
    };
    let selection = Selection::of(evaluation, |run| plan.has_run(run));
    let measures = 0..evaluation.plan.measures.len();
    let (planned, others): (Vec<usize>, Vec<usize>) = measures.partition(|at| is_planned(*at));
    let tables = planned.iter().map(|at| selection.measure(*at));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    plan.check_counted(evaluation, &tables)?;
    let asked = Asked {
        role: Some(Role::Confirmatory),
        setup: Some(Setup::of(evaluation)),
        pairs: None,
        watcher: Some(watcher),
    };
    let confirmatory = compare_tables(selection.names(), &tables, &plan.settings, &asked)?;
    let exploratory = explore(evaluation, plan, (&planned, &others), watcher)?;
    Ok(Planned {
        plan: plan.clone(),
        confirmatory,
        exploratory,
    })
}

/// All pairs that the plan does not name: of all runs by other measures, and of other runs by its own.
fn explore(
    evaluation: &Evaluation,
    plan: &Plan,
    (planned, others): (&[usize], &[usize]),
    watcher: StepWatcher<'_>,
) -> Result<Option<Comparison>, CompareError> {
    let selection = Selection::all(evaluation);
    let names = selection.names();
    let has_others = names.iter().any(|name| !plan.has_run(name));
    let mut measures = if has_others {
        planned.to_vec()
    } else {
        Vec::new()
    };
    let by_plan = measures.len();
    measures.extend(others);
    if measures.is_empty() {
        return Ok(None);
    }
    let tables = measures.iter().map(|at| selection.measure(*at));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    let in_plan: Vec<bool> = names.iter().map(|name| plan.has_run(name)).collect();
    let asked = Asked {
        role: Some(Role::Exploratory),
        setup: Some(Setup::of(evaluation)),
        pairs: Some(Box::new(move |measure, a, b| {
            measure >= by_plan || !(in_plan[a] && in_plan[b])
        })),
        watcher: Some(watcher),
    };
    compare_tables(names, &tables, &plan.settings, &asked).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile fixes the policies that it has, and no others.
    #[test]
    fn policies_are_fixed_by_name_or_by_profile() {
        let mut planned = PlannedPolicies {
            profile: Some(Profile::TrecEval9),
            ..PlannedPolicies::default()
        };
        assert!(planned.fixes("topics", "both") && !planned.fixes("topics", "run"));
        planned.policies.push(("topics", "run".into()));
        assert!(planned.fixes("topics", "run"));
        planned.profile = Some(Profile::Cranfield);
        assert!(!planned.fixes("topics", "both") && !planned.fixes("undefined", "skip"));
    }
}
