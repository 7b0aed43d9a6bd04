//! Preference measures, one file each, and their shared code.

use cranfield_core::measure::{Aggregate, Computation, Direction, MeasureInfo, Range};
use cranfield_core::params::CutoffRule;
use cranfield_core::prefs::{PreferenceGroup, PreferenceTopic, Scope};

pub(super) mod num_prefs;
pub(super) mod num_prefs_ful;
pub(super) mod num_prefs_ful_ret;
pub(super) mod pref_avgjg;
pub(super) mod pref_avgjg_imp;
pub(super) mod pref_avgjg_ret;
pub(super) mod pref_avgjg_rnonrel;
pub(super) mod pref_avgjg_rnonrel_ret;
pub(super) mod pref_pair;
pub(super) mod pref_pair_imp;
pub(super) mod pref_pair_ret;
pub(super) mod pref_simp;
pub(super) mod pref_simp_imp;
pub(super) mod pref_simp_ret;

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;

/// Fields shared by the fractions of preferences.
const SHARE: MeasureInfo = MeasureInfo {
    name: "",
    summary: "",
    page: "",
    cutoff: CutoffRule::None,
    references: &[
        "C. Buckley: trec_eval, versions 9 and 10, https://github.com/usnistgov/trec_eval",
        "B. Carterette, P. Bennett, D. Chickering and S. Dumais: Here or there: preference judgments for relevance. ECIR 2008",
    ],
    build: |_| Ok(Computation::TopicCount),
    ..MeasureInfo::DEFAULT
};

/// Fields shared by the counts of preferences.
const COUNT: MeasureInfo = MeasureInfo {
    range: Range::COUNT,
    aggregate: Aggregate::Sum,
    direction: Direction::Neutral,
    ..SHARE
};

fn share(fulfilled: u64, possible: u64) -> Option<f64> {
    (possible > 0).then(|| fulfilled as f64 / possible as f64)
}

/// The fraction of preferences fulfilled over all groups.
fn simple(topic: &PreferenceTopic, scope: Scope) -> Option<f64> {
    share(topic.fulfilled(scope), topic.possible(scope))
}

/// The mean over groups of the fraction of preferences fulfilled; a group without preferences counts 0.
fn by_group(topic: &PreferenceTopic, scope: Scope) -> Option<f64> {
    let shares = topic.groups().iter().map(|group| {
        let counts = &group.pairs;
        share(counts.fulfilled(scope), counts.possible(scope)).unwrap_or(0.0)
    });
    let sum: f64 = shares.sum();
    (topic.possible(scope) > 0).then(|| sum / topic.groups().len() as f64)
}

/// The mean over groups of the fraction of preferences fulfilled, with equal numbers of relevant and
/// non-relevant documents.
fn balanced(topic: &PreferenceTopic, scope: Scope) -> Option<f64> {
    let mut sum = 0.0;
    for group in topic.groups() {
        sum += balanced_share(group, scope)?;
    }
    let groups = topic.groups().len();
    (groups > 0).then(|| sum / groups as f64)
}

fn balanced_share(group: &PreferenceGroup, scope: Scope) -> Option<f64> {
    let (relevant, others) = match scope {
        Scope::Retrieved => (group.relevant_retrieved, group.nonrelevant_retrieved),
        Scope::All | Scope::Implied => (group.relevant, group.nonrelevant),
    };
    let Some(missing) = relevant.checked_sub(others) else {
        let (fulfilled, possible) = group.recount(scope);
        return share(fulfilled, possible);
    };
    let fulfilled = group.pairs.fulfilled(scope) + group.relevant_retrieved * missing;
    share(
        fulfilled,
        group.pairs.possible(scope) + group.relevant * missing,
    )
}
