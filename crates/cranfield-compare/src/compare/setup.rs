//! Conventions and policies of the evaluation behind a comparison.

use cranfield_core::params::Value;
use cranfield_core::policy::Policies;
use cranfield_measures::profiles::Profile;

use cranfield_eval::{Evaluation, UnlistedGrades};

/// The settings of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The program whose conventions apply.
    pub profile: Profile,
    /// The policies.
    pub policies: Policies,
    /// The relevance level, if it is the same for all measures that have one.
    pub level: Option<f64>,
    /// Measures whose tables of gains do not list all grades of the judgements.
    pub unlisted: Vec<UnlistedGrades>,
}

impl Setup {
    /// The settings of an evaluation.
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

    /// Sentences on settings that are not the default; empty if there are none.
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
                sentences.push(format!("The policies are {}.", named.join(", ")));
            }
            (profile, []) => sentences.push(format!("The conventions are those of {profile}.")),
            (profile, _) => sentences.push(format!(
                "The conventions are those of {profile}, with the policies {}.",
                named.join(", ")
            )),
        }
        if let Some(level) = self.level.filter(|level| *level != 1.0) {
            sentences.push(format!("Grades of {level} or more count as relevant."));
        }
        if !self.unlisted.is_empty() {
            let unlisted: Vec<String> = self.unlisted.iter().map(UnlistedGrades::says).collect();
            sentences.push(format!("Note that {}.", unlisted.join("; ")));
        }
        sentences.join(" ")
    }
}
