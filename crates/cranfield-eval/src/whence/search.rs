//! Breadth-first search through the settings, fewest changes first.

use std::collections::BTreeMap;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::policy::Policies;
use cranfield_core::small_sort::SmallSort;
use cranfield_io::Error;
use cranfield_measures::profiles::Profile;
use cranfield_measures::profiles::in_program;
use cranfield_measures::variants::{Change, Variant, variants};

use super::steps::{PolicyStep, steps};
use super::{Answer, Candidate, Question};
use crate::inputs::Inputs;

/// Maximum number of rankings that a search evaluates, where a ranking counts once for each measure. It bounds the time on large
/// collections and, unlike a time limit, gives the same answer on every machine.
pub(super) const MAX_RANKINGS: usize = 50_000_000;

/// Maximum number of combinations of policies in one search.
const MAX_POLICY_SETS: usize = 600;

/// Maximum number of scores held in memory at once.
const MAX_SCORES: usize = 4_000_000;

/// Number of values to report if none matches.
pub(super) const NEAREST: usize = 5;

pub(super) fn run(inputs: &Inputs, question: &Question, budget: usize) -> Result<Answer, Error> {
    let mut search = Search::new(inputs, question, budget);
    search.programs()?;
    let options = steps(inputs, &question.policies);
    for changes in 0..=question.changes {
        search.evaluate_all(&[], changes)?;
        for step in options.iter().flatten().filter(|_| changes > 0) {
            search.evaluate_all(std::slice::from_ref(step), changes - 1)?;
        }
        let effective: Vec<Vec<PolicyStep>> = options
            .iter()
            .map(|options| search.effective(options))
            .collect();
        search.combine(&effective, &mut Vec::new(), changes)?;
    }
    Ok(search.finish())
}

struct Search<'a> {
    inputs: &'a Inputs,
    question: &'a Question,
    /// Variants of the measure by number of changes, fewest first.
    variants: Vec<Variant>,
    /// The values of the first variants under each set of policies, as bits, NaN for none.
    values: BTreeMap<Vec<Change>, Vec<u64>>,
    topics: usize,
    /// Number of rankings that may still be evaluated.
    budget: usize,
    answer: Answer,
}

impl<'a> Search<'a> {
    fn new(inputs: &'a Inputs, question: &'a Question, budget: usize) -> Self {
        Self {
            inputs,
            question,
            variants: variants(&question.measure, &inputs.grades(), question.changes),
            values: BTreeMap::new(),
            topics: inputs.judgements().size().0.max(1),
            budget,
            answer: Answer::default(),
        }
    }

    /// Evaluates the variants with at most `changes` changes under the policies that `steps` lead to, except those that are already
    /// evaluated.
    fn evaluate_all(&mut self, steps: &[PolicyStep], changes: usize) -> Result<(), Error> {
        let changes = if steps.iter().any(PolicyStep::is_costly) {
            changes.min(1)
        } else {
            changes
        };
        let key: Vec<Change> = steps.iter().map(|step| step.change.clone()).collect();
        if !self.values.contains_key(&key) && self.values.len() == MAX_POLICY_SETS {
            self.answer.cut_short = true;
            return Ok(());
        }
        let start = self.question.policies.clone();
        let policies = steps
            .iter()
            .fold(start, |policies, step| step.over(&policies));
        let wanted = self
            .variants
            .partition_point(|variant| variant.changes.len() <= changes);
        let mut values = self.values.remove(&key).unwrap_or_default();
        while values.len() < wanted {
            let affordable = match self.budget / self.topics {
                // The question itself is always evaluated.
                0 if key.is_empty() && values.is_empty() => 1,
                0 => {
                    self.answer.cut_short = true;
                    break;
                }
                affordable => affordable,
            };
            let at_once = (MAX_SCORES / self.topics).max(1);
            let count = (wanted - values.len()).min(affordable).min(at_once);
            self.budget = self.budget.saturating_sub(count * self.topics);
            self.evaluate(&policies, &key, &mut values, count)?;
        }
        self.values.insert(key, values);
        Ok(())
    }

    /// Evaluates the next `count` variants under policies, and appends their values.
    fn evaluate(
        &mut self,
        policies: &Policies,
        of_policies: &[Change],
        values: &mut Vec<u64>,
        count: usize,
    ) -> Result<(), Error> {
        let first = values.len();
        let measures: Vec<BoundMeasure> = self.variants[first..first + count]
            .iter()
            .map(|variant| variant.measure.clone())
            .collect();
        let scores = self
            .inputs
            .scores(&measures, self.question.profile, policies)?;
        for (at, measure) in measures.into_iter().enumerate() {
            let value = scores.aggregate(at).unwrap_or(f64::NAN);
            values.push(value.to_bits());
            let changes = self.variants[first + at].changes.iter();
            let changes = changes.chain(of_policies).cloned().collect();
            self.consider(changes, measure, policies, value);
        }
        Ok(())
    }

    /// The steps that change the value of at least one variant.
    fn effective(&self, steps: &[PolicyStep]) -> Vec<PolicyStep> {
        let start = self.values.get(&Vec::new()).map_or(&[][..], Vec::as_slice);
        let has_effect = |step: &&PolicyStep| {
            let values = self.values.get(std::slice::from_ref(&step.change));
            values.is_some_and(|values| values.iter().zip(start).any(|(one, other)| one != other))
        };
        steps.iter().filter(has_effect).cloned().collect()
    }

    /// Evaluates the measure as other programs define it. Each program counts as one change.
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
            self.budget = self.budget.saturating_sub(self.topics);
            let changes = vec![Change::new("profile", profile.name())];
            let value = scores.aggregate(0).unwrap_or(f64::NAN);
            self.consider(changes, measure, &policies, value);
        }
        Ok(())
    }

    /// Evaluates all combinations of two or more steps, at most one for each policy, with `changes` changes in total.
    fn combine(
        &mut self,
        effective: &[Vec<PolicyStep>],
        chosen: &mut Vec<PolicyStep>,
        changes: usize,
    ) -> Result<(), Error> {
        if chosen.len() > 1 {
            self.evaluate_all(chosen, changes - chosen.len())?;
        }
        if chosen.len() == changes {
            return Ok(());
        }
        for (place, options) in effective.iter().enumerate() {
            for step in options {
                chosen.push(step.clone());
                self.combine(&effective[place + 1..], chosen, changes)?;
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
        let setting = Candidate {
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

    /// Keeps the nearest distinct values, each with the fewest changes.
    fn keep_nearest(&mut self, setting: Candidate) {
        let wanted = self.question.published.value;
        let order = |setting: &Candidate| ((setting.value - wanted).abs(), setting.changes.len());
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
        nearest.small_sort_by(|a, b| {
            let ((near, few), (far, many)) = (order(a), order(b));
            near.total_cmp(&far).then(few.cmp(&many))
        });
        nearest.truncate(NEAREST);
    }

    fn finish(self) -> Answer {
        let mut answer = self.answer;
        let wanted = self.question.published.value;
        // A profile changes many settings at once, so a single setting comes first.
        let of_program = |setting: &Candidate| {
            setting
                .changes
                .iter()
                .any(|change| change.what == "profile")
        };
        answer.found.small_sort_by(|a, b| {
            let (near, far) = ((a.value - wanted).abs(), (b.value - wanted).abs());
            let by_changes = a.changes.len().cmp(&b.changes.len());
            by_changes
                .then(a.agreement.cmp(&b.agreement))
                .then(of_program(a).cmp(&of_program(b)))
                .then(near.total_cmp(&far))
        });
        let mut least: Vec<Candidate> = Vec::new();
        for setting in answer.found {
            // A match by truncation does not hide a match by rounding.
            let covers = |known: &Candidate| {
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
