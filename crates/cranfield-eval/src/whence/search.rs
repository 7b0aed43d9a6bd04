//! The search: all settings with at most so many changes, fewest first.

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::{Policies, Profile};
use cranfield_core::profiles::in_program;
use cranfield_core::variants::{Change, Variant, variants};
use cranfield_io::Error;

use super::steps::{Step, steps};
use super::{Answer, Question, Setting};
use crate::inputs::Inputs;

/// Most evaluations of one search.
const MAX_EVALUATIONS: usize = 600;

/// Values shown where none matches.
pub(super) const NEAREST: usize = 5;

pub(super) fn run(inputs: &Inputs, question: &Question) -> Result<Answer, Error> {
    let mut search = Search::new(inputs, question);
    search.programs()?;
    let start = search.evaluate(&question.policies, &[], question.changes)?;
    let mut effective: Vec<Vec<Step>> = Vec::new();
    for options in steps(inputs, &question.policies) {
        let mut kept = Vec::new();
        for step in options {
            let Some(left) = question.changes.checked_sub(1) else {
                break;
            };
            let found = search.evaluate(&step.over(&question.policies), &[&step], left)?;
            // Both begin with the same variants.
            if found.iter().zip(&start).any(|(one, other)| one != other) {
                kept.push(step);
            }
        }
        effective.push(kept);
    }
    search.combine(&effective, &mut Vec::new(), 0)?;
    Ok(search.finish())
}

struct Search<'a> {
    inputs: &'a Inputs,
    question: &'a Question,
    /// Variants of the measure by number of changes, fewest first.
    variants: Vec<Variant>,
    evaluations: usize,
    answer: Answer,
}

impl<'a> Search<'a> {
    fn new(inputs: &'a Inputs, question: &'a Question) -> Self {
        Self {
            inputs,
            question,
            variants: variants(&question.measure, &inputs.grades(), question.changes),
            evaluations: 0,
            answer: Answer::default(),
        }
    }

    /// Evaluates all variants with at most `left` changes under policies; their values, NaN for none.
    fn evaluate(
        &mut self,
        policies: &Policies,
        steps: &[&Step],
        left: usize,
    ) -> Result<Vec<u64>, Error> {
        if self.evaluations == MAX_EVALUATIONS {
            self.answer.cut_short = true;
            return Ok(Vec::new());
        }
        self.evaluations += 1;
        let left = if steps.iter().any(|step| step.is_costly()) {
            left.min(1)
        } else {
            left
        };
        let count = self
            .variants
            .partition_point(|variant| variant.changes.len() <= left);
        let measures: Vec<BoundMeasure> = self.variants[..count]
            .iter()
            .map(|variant| variant.measure.clone())
            .collect();
        let scores = self
            .inputs
            .scores(&measures, self.question.profile, policies)?;
        let mut values = Vec::with_capacity(count);
        for (at, measure) in measures.into_iter().enumerate() {
            let value = scores.aggregate(at).unwrap_or(f64::NAN);
            values.push(value.to_bits());
            let of_policies = steps.iter().map(|step| step.change.clone());
            let changes = self.variants[at].changes.iter().cloned().chain(of_policies);
            self.consider(changes.collect(), measure, policies, value);
        }
        Ok(values)
    }

    /// The measure as other programs have it, each a change by itself.
    fn programs(&mut self) -> Result<(), Error> {
        let (question, inputs) = (self.question, self.inputs);
        let named = question.canonical();
        let others = Profile::ALL
            .iter()
            .filter(|profile| **profile != question.profile);
        for profile in others.filter(|_| question.changes > 0) {
            let Ok(found) = in_program(*profile, &named) else {
                continue;
            };
            let policies = found.measure.overrides.over(&profile.policies());
            let measure = found.measure;
            let scores = inputs.scores(std::slice::from_ref(&measure), *profile, &policies)?;
            let changes = vec![Change::new("profile", profile.name())];
            let value = scores.aggregate(0).unwrap_or(f64::NAN);
            self.consider(changes, measure, &policies, value);
        }
        Ok(())
    }

    /// Evaluates all sets of two and more steps, one of a policy each.
    fn combine(
        &mut self,
        effective: &[Vec<Step>],
        chosen: &mut Vec<Step>,
        from: usize,
    ) -> Result<(), Error> {
        if chosen.len() >= self.question.changes {
            return Ok(());
        }
        for (place, options) in effective.iter().enumerate().skip(from) {
            for step in options {
                chosen.push(step.clone());
                if chosen.len() > 1 {
                    let start = self.question.policies.clone();
                    let policies = chosen
                        .iter()
                        .fold(start, |policies, step| step.over(&policies));
                    let steps: Vec<&Step> = chosen.iter().collect();
                    self.evaluate(&policies, &steps, self.question.changes - chosen.len())?;
                }
                self.combine(effective, chosen, place + 1)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    fn consider(
        &mut self,
        changes: Vec<Change>,
        measure: BoundMeasure,
        policies: &Policies,
        value: f64,
    ) {
        self.answer.tried += 1;
        if !value.is_finite() {
            return;
        }
        let setting = Setting {
            changes,
            measure,
            policies: policies.clone(),
            value,
            agreement: self.question.published.agrees(value),
        };
        if setting.agreement.is_some() {
            self.answer.found.push(setting);
        } else {
            self.keep_nearest(setting);
        }
    }

    /// Keeps the nearest values, each once, with the fewest changes.
    fn keep_nearest(&mut self, setting: Setting) {
        let wanted = self.question.published.value;
        let order = |setting: &Setting| ((setting.value - wanted).abs(), setting.changes.len());
        let nearest = &mut self.answer.nearest;
        if let Some(known) = nearest
            .iter_mut()
            .find(|known| known.value.to_bits() == setting.value.to_bits())
        {
            if setting.changes.len() < known.changes.len() {
                *known = setting;
            }
            return;
        }
        nearest.push(setting);
        nearest.sort_by(|a, b| {
            let ((near, few), (far, many)) = (order(a), order(b));
            near.total_cmp(&far).then(few.cmp(&many))
        });
        nearest.truncate(NEAREST);
    }

    fn finish(self) -> Answer {
        let mut answer = self.answer;
        let wanted = self.question.published.value;
        // A profile is many settings at once, and comes behind one.
        let of_program = |setting: &Setting| {
            setting
                .changes
                .iter()
                .any(|change| change.what == "profile")
        };
        answer.found.sort_by(|a, b| {
            let (near, far) = ((a.value - wanted).abs(), (b.value - wanted).abs());
            let by_changes = a.changes.len().cmp(&b.changes.len());
            by_changes
                .then(a.agreement.cmp(&b.agreement))
                .then(of_program(a).cmp(&of_program(b)))
                .then(near.total_cmp(&far))
        });
        let mut least: Vec<Setting> = Vec::new();
        for setting in answer.found {
            // A number that was cut does not stand in the way of one that was rounded.
            let covers = |known: &Setting| {
                let within = known
                    .changes
                    .iter()
                    .all(|change| setting.changes.contains(change));
                within && known.agreement <= setting.agreement
            };
            if !least.iter().any(covers) {
                least.push(setting);
            }
        }
        if !least.is_empty() {
            answer.nearest.clear();
        }
        answer.found = least;
        answer
    }
}
