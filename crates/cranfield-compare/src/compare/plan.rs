//! Comparison plans, made before the data are seen, which separate confirmatory from exploratory comparisons.

use std::path::Path;

use cranfield_core::grammar::nearest_name;
use cranfield_core::policy::Policies;
use cranfield_core::setting::{Message, Setting};
use cranfield_io::{Error, Source};
use cranfield_measures::profiles::Profile;
use cranfield_measures::spec::Conventions;

use super::scores::{ScoreTable, Selection};
use super::settings::Settings;
use super::{CompareError, Comparison, Role, Scope, compare_tables};
use cranfield_eval::Evaluation;
use cranfield_eval::hash_of_read;

/// A comparison plan: the confirmatory comparisons and their settings.
///
/// A TOML file with the keys `measures` and `runs` or `baseline`, and optionally `test`,
/// `correction`, `family`, `alpha`, `margin`, `replicates`, `seed`, `topics` and `title`. p-values are corrected for all tests
/// of the plan (`family = "all"`) unless it has `family = "measure"`. `profile`, `level`, `topic_rule`, `ties`, `unjudged`,
/// `negative`, `undefined`, `depth` and `identical` fix the evaluation; other settings are left open.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonPlan {
    /// Path of the file.
    pub path: String,
    /// Hash of the file.
    pub blake3: Option<String>,
    /// Content of the file.
    pub text: String,
    /// Title.
    pub title: Option<String>,
    /// Primary measures, by their canonical names.
    pub measures: Vec<String>,
    /// Names of the runs; all runs if empty.
    pub runs: Vec<String>,
    /// The topics.
    pub topics: PlannedTopics,
    /// Test, correction, level, margin, seed and baselines.
    pub settings: Settings,
    /// Settings of the evaluation.
    pub policies: PlannedPolicies,
}

/// Settings of the evaluation in a plan; `None` and missing policies are left open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedPolicies {
    /// The program whose conventions apply.
    pub profile: Option<Profile>,
    /// Relevance level of measures that do not name one.
    pub level: Option<f64>,
    /// Names and values of policies.
    pub policies: Vec<(&'static str, String)>,
}

impl PlannedPolicies {
    /// All fixed settings with their names.
    pub fn named(&self) -> Vec<String> {
        let profile = self.profile.map(|profile| format!("profile {profile}"));
        let level = self.level.map(|level| format!("level {level}"));
        let policies = self.policies.iter();
        let policies = policies.map(|(policy, value)| format!("{policy} {value}"));
        profile.into_iter().chain(level).chain(policies).collect()
    }

    /// Whether the plan fixes this value of a policy, directly or by its profile.
    fn fixes(&self, policy: &str, value: &str) -> bool {
        let has = |name: &str, found: &str| name == policy && found == value;
        let own = self.policies.iter().any(|(name, found)| has(name, found));
        let profile = self.profile.map(|profile| profile.policies().named());
        own || profile.is_some_and(|named| named.iter().any(|(name, found)| has(name, found)))
    }

    /// The first setting of the evaluation that contradicts the plan.
    fn contradicted(&self, evaluation: &Evaluation) -> Option<String> {
        let conflict = |name: &str, found: String, planned: String| {
            (found != planned)
                .then(|| format!("the plan has {name} {planned}, but the evaluation has {found}"))
        };
        let profile = self.profile.and_then(|profile| {
            conflict(
                "profile",
                evaluation.profile.to_string(),
                profile.to_string(),
            )
        });
        let found = evaluation.plan.policies.named();
        let policies = self.policies.iter().filter_map(|(policy, planned)| {
            let (name, found) = found.iter().find(|(name, _)| name == policy)?;
            conflict(name, found.clone(), planned.clone())
        });
        profile.into_iter().chain(policies).next()
    }
}

/// The topics of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedTopics {
    /// Any topics.
    Any,
    /// This number of topics.
    Count(u64),
    /// These topics.
    Ids(Vec<String>),
}

impl ComparisonPlan {
    /// Names of the settings that a plan fixes.
    pub const FIXED: [&'static str; 11] = [
        "baseline",
        "test",
        "correction",
        "alpha",
        "replicates",
        "seed",
        "family",
        "margin",
        "rope",
        "interval",
        "standardise",
    ];

    /// Reads a plan; names of measures are read under these conventions.
    ///
    /// # Errors
    /// If the file is not a plan or contains unknown names. Every error has its line.
    pub fn read(path: &Path, conventions: &Conventions) -> Result<Self, Error> {
        let source = Source::open(path)?;
        let mut plan = Self::of(&source, conventions)?;
        plan.blake3 = hash_of_read(path, source.bytes());
        Ok(plan)
    }

    fn has_run(&self, name: &str) -> bool {
        self.runs.is_empty() || self.runs.iter().any(|run| run == name)
    }

    /// Rejects an evaluation without the runs, measures or topics of the plan.
    fn check(&self, evaluation: &Evaluation) -> Result<(), CompareError> {
        let reject = |why: String| {
            Err(CompareError::Settings(
                format!("{}: {why}", self.path).into(),
            ))
        };
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
                return reject(format!(
                    "the plan names the run `{run}`, but the runs are {}{near}",
                    names.join(", ")
                ));
            }
        }
        for measure in &self.measures {
            let mut measures = evaluation.plan.measures.iter();
            if !measures.any(|found| found.to_string() == *measure) {
                return reject(format!("the plan names {measure}, which is not evaluated"));
            }
        }
        if let Some(why) = self.policies.contradicted(evaluation) {
            return reject(format!("{why}; evaluate as planned, or change the plan"));
        }
        let selection = Selection::of(evaluation, |run| self.has_run(run));
        let topics = selection.topic_ids();
        match &self.topics {
            PlannedTopics::Count(count) if *count != topics.len() as u64 => reject(format!(
                "the plan has {count} topics, but {} are evaluated; use the planned judgements, or change the plan",
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
                    (Some(id), _) => reject(format!(
                        "topic {id} of the plan is not evaluated; use the planned judgements"
                    )),
                    (_, Some(id)) => reject(format!(
                        "topic {id} is evaluated but not in the plan; use the planned judgements"
                    )),
                    (None, None) => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Rejects an evaluation that excludes topics of the plan by a policy that the plan does not fix.
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
        let (setting, key) = if policy == "topics" {
            (Setting::Topics, "topic_rule")
        } else {
            (Setting::Undefined, policy)
        };
        let message = Message::from(format!(
            "{}: the plan has {} topics, but {} is compared on {} of them because of ",
            self.path,
            table.topics.count + table.topics.left_out,
            table.measure,
            table.topics.count
        ));
        let remedy = format!("; omit it, or add {key} = \"{value}\" to the plan");
        Err(CompareError::Settings(
            message.then(setting.to(value)).then(remedy),
        ))
    }
}

/// A comparison by plan.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: ComparisonPlan,
    /// The comparisons of the plan, which do not depend on any others.
    pub confirmatory: Comparison,
    /// All other comparisons, corrected separately; `None` if there are none.
    pub exploratory: Option<Comparison>,
}

/// Compares the runs of an evaluation by a plan, and separately all other runs and measures.
///
/// The confirmatory part uses only the runs of the plan, so that other runs change neither topics nor corrections.
///
/// # Errors
/// If runs, measures or topics of the plan are missing, or if no test is possible.
pub fn compare_planned(
    evaluation: &Evaluation,
    plan: &ComparisonPlan,
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
    let scope = Scope {
        role: Some(Role::Confirmatory),
        ..Scope::of(evaluation)
    };
    let confirmatory = compare_tables(selection.names(), &tables, &plan.settings, &scope)?;
    let exploratory = explore(evaluation, plan, (&planned, &others))?;
    Ok(Planned {
        plan: plan.clone(),
        confirmatory,
        exploratory,
    })
}

/// Compares all pairs that are not in the plan: all runs by other measures, and other runs by the planned measures.
fn explore(
    evaluation: &Evaluation,
    plan: &ComparisonPlan,
    (planned, others): (&[usize], &[usize]),
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
    let scope = Scope {
        role: Some(Role::Exploratory),
        pairs: Some(Box::new(move |measure, a, b| {
            measure >= by_plan || !(in_plan[a] && in_plan[b])
        })),
        ..Scope::of(evaluation)
    };
    compare_tables(names, &tables, &plan.settings, &scope).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile fixes its own policies and no others.
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
