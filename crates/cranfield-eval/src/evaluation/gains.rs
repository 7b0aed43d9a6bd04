//! Grades that are missing from tables of gains.

use cranfield_core::evaluate::Plan;
use cranfield_core::gains::Gains;
use cranfield_core::measure::BoundMeasure;
use cranfield_core::params::Value;
use cranfield_core::policy::NegativeGrades;
use cranfield_core::qrels::Qrels;

use super::Evaluation;

/// A measure whose table of gains does not list all grades.
#[derive(Clone, Debug, PartialEq)]
pub struct UnlistedGrades {
    /// The name of the measure.
    pub measure: String,
    /// Positive grades of the judgements that the table does not list, ascending. The gain of each is the grade itself.
    pub grades: Vec<f64>,
}

impl UnlistedGrades {
    /// A note that names the measure and the grades.
    pub fn says(&self) -> String {
        let grades: Vec<String> = self.grades.iter().map(ToString::to_string).collect();
        let (noun, gain) = match self.grades.len() {
            1 => ("grade", "the grade itself is its gain"),
            _ => ("grades", "the grades themselves are the gains"),
        };
        format!(
            "the gains of {} do not list {noun} {}: {gain}",
            self.measure,
            grades.join(", ")
        )
    }
}

impl Evaluation {
    /// The measures whose tables of gains do not list all grades of the judgements. A grade that is not listed is its own gain, so
    /// `gains='0,1'` is not binary if grades go up to 3.
    pub fn unlisted_grades(&self) -> Vec<UnlistedGrades> {
        let measures = self.plan.measures.iter();
        let found = measures.filter_map(|measure| {
            let listed = table(measure)?.pairs();
            let is_unlisted = |grade: &f64| listed.iter().all(|(known, _)| known != grade);
            let grades: Vec<f64> = self.grades.iter().copied().filter(is_unlisted).collect();
            (!grades.is_empty()).then(|| UnlistedGrades {
                measure: self.profile.name_of(measure),
                grades,
            })
        });
        found.collect()
    }
}

/// The positive grades of the judgements, ascending; empty unless a measure has a table of gains.
pub(crate) fn grades(plan: &Plan, qrels: Option<&Qrels>) -> Vec<f64> {
    if !plan.measures.iter().any(|measure| table(measure).is_some()) {
        return Vec::new();
    }
    let topics = qrels.into_iter().flat_map(Qrels::topics);
    let mut grades: Vec<f64> = Vec::new();
    for topic in topics {
        let base = topic.base(NegativeGrades::Judged);
        grades.extend(base.positive().iter().map(|known| known.grade));
        grades.sort_unstable_by(f64::total_cmp);
        grades.dedup();
    }
    grades
}

/// The table of gains of a measure.
fn table(measure: &BoundMeasure) -> Option<&Gains> {
    match measure.params.value(Gains::PARAM.name) {
        Some(Value::Gains(gains)) if !gains.pairs().is_empty() => Some(gains),
        _ => None,
    }
}
