//! Measures averaged over judgement groups: each group is evaluated as a separate set of judgements.

use std::sync::Arc;

use cranfield_core::error::Error;
use cranfield_core::groups::{GroupMeasure, JudgedGroups};
use cranfield_core::measure::{Computation, Measure};
use cranfield_core::params::{CutoffRule, Params, Value};

use crate::spec::{self};

pub(super) mod ap;
pub(super) mod precision;
pub(super) mod rprec_mult;

/// The mean of a measure over judgement groups; a group for which it is undefined counts 0.
#[derive(Debug)]
struct GroupMean {
    inner: Arc<dyn Measure>,
}

impl GroupMean {
    /// The mean of another measure with these parameters' relevance level and cutoff or point.
    fn of(family: &str, params: &Params) -> Result<Computation, Error> {
        let info = spec::find_exact(family).ok_or_else(|| spec::unknown(family))?;
        let defaults = Params::defaults(info, |_| None);
        let inner = params
            .cutoff()
            .into_iter()
            .fold(defaults, Params::with_cutoff);
        let inner = if info.cutoff == CutoffRule::Point {
            inner.with_point(params.point())
        } else {
            inner
        };
        match info
            .bind(inner.with("rel", Value::Real(params.level())))?
            .computation
        {
            Computation::Ranked(inner) => Ok(Computation::grouped(Self { inner })),
            _ => Err(Error::parameter(format!(
                "{family} cannot be averaged over judgement groups"
            ))),
        }
    }
}

impl GroupMeasure for GroupMean {
    fn evaluate(&self, topic: &JudgedGroups<'_>) -> Option<f64> {
        let (mut sum, mut defined) = (0.0, false);
        for value in topic.rankings().map(|group| self.inner.evaluate(&group)) {
            sum += value.unwrap_or(0.0);
            defined |= value.is_some();
        }
        defined.then(|| {
            if topic.len() > 1 {
                sum / topic.len() as f64
            } else {
                sum
            }
        })
    }

    fn level(&self) -> Option<f64> {
        self.inner.level()
    }
}

#[cfg(test)]
mod tests {
    use crate::measures::tests::grouped_value;

    /// Ranks and grades of the retrieved documents that a group judged, and the number of documents at grades 1 and 0.
    pub(super) type Group<'a> = (&'a [(u32, f64)], u32, u32);

    /// Groups A (a relevant), B (b relevant, a not) and C (c relevant); ranking a, b.
    pub(super) const EXAMPLE: &[Group<'static>] = &[
        (&[(1, 1.0)], 1, 0),
        (&[(1, 0.0), (2, 1.0)], 1, 1),
        (&[], 1, 0),
    ];

    /// Retrieved documents are named by rank, missed ones by group.
    fn evaluate(name: &str, groups: &[Group<'_>]) -> Option<f64> {
        let mut judgements = Vec::new();
        for (at, (hits, relevant, others)) in groups.iter().enumerate() {
            let mut push = |doc, grade| judgements.push((at.to_string(), doc, grade));
            for (grade, count) in [(1.0, *relevant), (0.0, *others)] {
                let found = hits.iter().filter(|(_, known)| *known == grade);
                found
                    .clone()
                    .for_each(|(rank, _)| push(rank.to_string(), grade));
                (found.count()..count as usize)
                    .for_each(|missed| push(format!("{at} {grade} {missed}"), grade));
            }
        }
        grouped_value(name, &judgements, &[], &["1".into(), "2".into()])
    }

    #[track_caller]
    pub(super) fn check(name: &str, groups: &[Group<'_>], expected: f64) {
        assert_eq!(evaluate(name, groups), Some(expected), "{name}");
    }

    #[track_caller]
    pub(super) fn undefined(name: &str, groups: &[Group<'_>]) {
        assert_eq!(evaluate(name, groups), None, "{name}");
    }
}
