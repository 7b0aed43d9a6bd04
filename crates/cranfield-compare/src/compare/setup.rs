//! Under which conventions and policies runs were evaluated before they were compared.

use cranfield_core::params::Value;
use cranfield_core::policy::{Policies, Profile};

use cranfield_eval::{Evaluation, UnlistedGrades};

/// How runs were evaluated.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Whose conventions.
    pub profile: Profile,
    /// The policies.
    pub policies: Policies,
    /// The least relevant grade of all measures that have one, where it is the same for all.
    pub level: Option<f64>,
    /// Measures whose tables of gains do not list all grades of the judgements.
    pub unlisted: Vec<UnlistedGrades>,
}

impl Setup {
    /// That of an evaluation.
    pub fn of(evaluation: &Evaluation) -> Self {
        let measures = evaluation.plan.measures.iter();
        let mut levels = measures.filter_map(|measure| match measure.params.value("rel") {
            Some(Value::Real(level)) => Some(*level),
            _ => None,
        });
        let first = levels.next();
        Self {
            profile: evaluation.profile,
            policies: evaluation.plan.policies.clone(),
            unlisted: evaluation.unlisted_grades(),
            level: first.filter(|first| levels.all(|level| level == *first)),
        }
    }

    /// What is not as usual, in sentences; empty where everything is.
    pub(super) fn says(&self) -> String {
        let mut sentences = Vec::new();
        let policies = self.policies.differing(&Policies::OWN);
        let named: Vec<String> = policies
            .iter()
            .map(|(policy, value)| format!("{policy} {value}"))
            .collect();
        match (self.profile, named.as_slice()) {
            (Profile::Cranfield, []) => {}
            (Profile::Cranfield, _) => {
                sentences.push(format!("Policies are {}.", named.join(", ")));
            }
            (profile, []) => sentences.push(format!("Conventions are those of {profile}.")),
            (profile, _) => sentences.push(format!(
                "Conventions are those of {profile}, and policies are {}.",
                named.join(", ")
            )),
        }
        if let Some(level) = self.level.filter(|level| *level != 1.0) {
            sentences.push(format!("Grades of {level} and more count as relevant."));
        }
        if !self.unlisted.is_empty() {
            let unlisted: Vec<String> = self.unlisted.iter().map(UnlistedGrades::says).collect();
            sentences.push(format!("As to gains: {}.", unlisted.join("; ")));
        }
        sentences.join(" ")
    }
}
