//! Grades of judgements that tables of gains do not list.

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
    /// Grades above zero that judgements have and the table has not, ascending. Each gains its own number.
    pub grades: Vec<f64>,
}

impl UnlistedGrades {
    /// The measure and its grades: a beginning of a sentence.
    pub fn says(&self) -> String {
        let grades: Vec<String> = self.grades.iter().map(ToString::to_string).collect();
        let (noun, verb) = match self.grades.len() {
            1 => ("grade", "gains its"),
            _ => ("grades", "gain their"),
        };
        format!(
            "the gains of {} do not list {noun} {}, which {verb} own number",
            self.measure,
            grades.join(", ")
        )
    }
}

impl Evaluation {
    /// The measures whose tables of gains do not list all grades of the judgements: a grade beyond a table keeps its number, so that
    /// `gains='0,1'` is not binary where grades go up to 3.
    pub fn unlisted_grades(&self) -> Vec<UnlistedGrades> {
        let measures = self.plan.measures.iter();
        let found = measures.filter_map(|measure| {
            let listed = table(measure)?.pairs();
            let is_unlisted = |grade: &f64| listed.iter().all(|(known, _)| known != grade);
            let grades: Vec<f64> = self.grades.iter().copied().filter(is_unlisted).collect();
            (!grades.is_empty()).then(|| UnlistedGrades {
                measure: measure.name_in(self.profile),
                grades,
            })
        });
        found.collect()
    }
}

/// Grades above zero of the judgements, ascending, if a measure has a table of gains; without one, nobody asks.
pub(crate) fn grades(plan: &Plan, qrels: Option<&Qrels>) -> Vec<f64> {
    if !plan.measures.iter().any(|measure| table(measure).is_some()) {
        return Vec::new();
    }
    let topics = qrels.into_iter().flat_map(Qrels::topics);
    let mut grades: Vec<f64> = Vec::new();
    for topic in topics {
        let base = topic.base(NegativeGrades::Judged);
        grades.extend(base.positive().iter().map(|known| known.grade));
        grades.sort_by(f64::total_cmp);
        grades.dedup();
    }
    grades
}

/// The table of gains that a measure has, if it has one.
fn table(measure: &BoundMeasure) -> Option<&Gains> {
    match measure.params.value(Gains::PARAM.name) {
        Some(Value::Gains(gains)) if !gains.pairs().is_empty() => Some(gains),
        _ => None,
    }
}
