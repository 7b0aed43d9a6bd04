//! Merging the judgements of several assessors into one set.

use std::collections::BTreeSet;

use cranfield_core::qrels::{Qrels, QrelsTopic};
use cranfield_core::small_sort::SmallSort;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// How the grades of several assessors become one. Only assessors who judged a document count.
///
/// For the grades 0, 0, 1, 3:
///
/// | rule | merged |
/// |---|---|
/// | majority | 0 |
/// | max | 3 |
/// | min | 0 |
/// | mean | 1 |
/// | median | 0 |
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = unknown)]
pub enum MergeRule {
    /// The most frequent grade; the lower one of a tie.
    #[default]
    Majority,
    /// The highest grade: one assessor is enough to make a document relevant.
    Max,
    /// The lowest grade: all assessors must find a document relevant.
    Min,
    /// The mean, which may lie between two grades.
    Mean,
    /// The middle grade; the lower one of the two middle grades of an even number.
    Median,
}

impl MergeRule {
    /// All rules.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name of the rule.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The merged grade of grades in ascending order; `None` if there are none.
    fn merge(self, ascending: &[f64]) -> Option<f64> {
        let (&least, &greatest) = ascending.first().zip(ascending.last())?;
        Some(match self {
            Self::Majority => majority(ascending).unwrap_or(least),
            Self::Max => greatest,
            Self::Min => least,
            // Rounding must not lift the mean of equal grades above them.
            Self::Mean => {
                let mean = ascending.iter().sum::<f64>() / ascending.len() as f64;
                mean.clamp(least, greatest)
            }
            Self::Median => ascending[(ascending.len() - 1) / 2],
        })
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = MergeRule::ALL.iter().map(|rule| rule.name()).collect();
    format!("unknown rule `{name}`; the rules are {}", names.join(", "))
}

/// The most frequent of grades in ascending order; the lowest of a tie.
fn majority(ascending: &[f64]) -> Option<f64> {
    let groups = ascending.chunk_by(|a, b| a == b);
    // Of equal counts, `max_by_key` takes the last, which is the lowest grade here.
    let descending: Vec<&[f64]> = groups.collect();
    let largest = descending.into_iter().rev().max_by_key(|group| group.len());
    largest?.first().copied()
}

/// Merges the judgements of several assessors. A document is judged if any of them judged it; an adjudicated grade replaces
/// the merged one, whether or not an assessor judged the document.
///
/// Documents are in ascending order of their ids, so the order of the assessors changes nothing.
///
/// ```
/// use cranfield_eval::merging::{MergeRule, merge_qrels};
/// use cranfield_eval::Qrels;
///
/// let ann = Qrels::from_judgements([("q", "a", 2.0), ("q", "b", 0.0)]);
/// let bob = Qrels::from_judgements([("q", "a", 1.0), ("q", "b", 0.0), ("q", "c", 1.0)]);
/// let cid = Qrels::from_judgements([("q", "a", 2.0), ("q", "b", 3.0)]);
/// let chair = Qrels::from_judgements([("q", "b", 1.0)]);
/// let merged = merge_qrels(&[&ann, &bob, &cid], MergeRule::Majority, Some(&chair));
/// let grades: Vec<_> = merged.topic(0).judgements().map(|(_, grade)| grade).collect();
/// assert_eq!(grades, [2.0, 1.0, 1.0]);
/// ```
pub fn merge_qrels(assessors: &[&Qrels], rule: MergeRule, adjudicated: Option<&Qrels>) -> Qrels {
    let sets = || assessors.iter().copied().chain(adjudicated);
    let mut topics: BTreeSet<&[u8]> = BTreeSet::new();
    for qrels in sets() {
        topics.extend(qrels.topics().map(|topic| topic.id()));
    }
    Qrels::from_topics(topics.into_iter().map(|topic| {
        let merged = merge_topic(topic, assessors, rule, adjudicated);
        (topic, merged)
    }))
}

fn merge_topic<'a>(
    topic: &[u8],
    assessors: &[&'a Qrels],
    rule: MergeRule,
    adjudicated: Option<&'a Qrels>,
) -> Vec<(&'a [u8], f64)> {
    let adjudicated = adjudicated.and_then(|qrels| qrels.get(topic));
    let mut judged: Vec<(&[u8], f64)> = assessors
        .iter()
        .filter_map(|qrels| qrels.get(topic))
        .flat_map(|topic| topic.judgements())
        // -0 is 0.
        .map(|(doc, grade)| (doc, grade + 0.0))
        .filter(|(doc, _)| adjudicated.is_none_or(|topic| topic.grade(doc).is_none()))
        .collect();
    judged.small_sort_by(|a, b| a.0.cmp(b.0).then(a.1.total_cmp(&b.1)));
    let documents = judged.chunk_by(|a, b| a.0 == b.0);
    let merged = documents.filter_map(|document| {
        let grades: Vec<f64> = document.iter().map(|(_, grade)| *grade).collect();
        Some((document[0].0, rule.merge(&grades)?))
    });
    let settled = adjudicated.iter().flat_map(QrelsTopic::judgements);
    let mut merged: Vec<(&[u8], f64)> = merged.chain(settled).collect();
    merged.small_sort_by(|a, b| a.0.cmp(b.0));
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Judgement = (u8, u8, i8);

    fn qrels(judgements: &[Judgement]) -> Qrels {
        let named = judgements.iter().map(|(topic, doc, grade)| {
            let grade = f64::from(*grade) / 2.0;
            (format!("q{topic}"), format!("d{doc}"), grade)
        });
        Qrels::from_judgements(named.collect::<Vec<_>>())
    }

    fn judgements(qrels: &Qrels) -> Vec<(Vec<u8>, Vec<u8>, f64)> {
        let topics = qrels.topics().flat_map(|topic| {
            let judged = topic.judgements();
            judged.map(move |(doc, grade)| (topic.id().to_vec(), doc.to_vec(), grade))
        });
        topics.collect()
    }

    fn sorted(qrels: &Qrels) -> Vec<(Vec<u8>, Vec<u8>, f64)> {
        let mut all = judgements(qrels);
        all.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        all
    }

    /// The table of [`MergeRule`].
    #[test]
    fn the_worked_example() {
        let merged = MergeRule::ALL
            .iter()
            .map(|rule| (rule.name(), rule.merge(&[0.0, 0.0, 1.0, 3.0])));
        let expected = [
            ("majority", Some(0.0)),
            ("max", Some(3.0)),
            ("min", Some(0.0)),
            ("mean", Some(1.0)),
            ("median", Some(0.0)),
        ];
        assert_eq!(merged.collect::<Vec<_>>(), expected);
        assert_eq!(
            MergeRule::Majority.merge(&[0.0, 1.0, 1.0, 2.0, 2.0]),
            Some(1.0)
        );
        assert_eq!(MergeRule::Majority.merge(&[1.0, 2.0]), Some(1.0));
        assert_eq!(MergeRule::Median.merge(&[0.0, 1.0, 3.0]), Some(1.0));
        assert_eq!(MergeRule::Mean.merge(&[]), None);
    }

    #[test]
    fn names_parse() {
        for rule in MergeRule::ALL {
            assert_eq!(rule.name().parse(), Ok(*rule));
        }
        let error = "mode".parse::<MergeRule>().expect_err("no such rule");
        assert!(
            error.contains("`mode`") && error.contains("majority, max"),
            "{error}"
        );
    }

    #[test]
    fn an_adjudicated_grade_wins() {
        let (ann, bob) = (qrels(&[(1, 1, 0)]), qrels(&[(1, 1, 2), (1, 2, 4)]));
        let settled = qrels(&[(1, 1, 6), (1, 3, 2), (2, 1, 0)]);
        let merged = merge_qrels(&[&ann, &bob], MergeRule::Max, Some(&settled));
        assert_eq!(
            sorted(&merged),
            sorted(&qrels(&[(1, 1, 6), (1, 2, 4), (1, 3, 2), (2, 1, 0)]))
        );
        assert!(merge_qrels(&[], MergeRule::Max, None).is_empty());
    }

    fn assessor() -> impl Strategy<Value = Vec<Judgement>> {
        prop::collection::vec((0..3_u8, 0..6_u8, -2..8_i8), 0..20)
    }

    proptest! {
        #[test]
        fn merging_equal_judgements_changes_nothing(own in assessor(), copies in 1..5_usize) {
            let own = qrels(&own);
            for rule in MergeRule::ALL {
                let merged = merge_qrels(&vec![&own; copies], *rule, None);
                prop_assert_eq!(sorted(&own), judgements(&merged));
            }
        }

        #[test]
        fn the_order_of_assessors_does_not_matter(
            sets in prop::collection::vec(assessor(), 1..5),
            first in any::<prop::sample::Index>(),
        ) {
            let sets: Vec<Qrels> = sets.iter().map(|set| qrels(set)).collect();
            let mut turned: Vec<&Qrels> = sets.iter().collect();
            turned.rotate_left(first.index(sets.len()));
            turned.reverse();
            let given: Vec<&Qrels> = sets.iter().collect();
            for rule in MergeRule::ALL {
                let [one, other] = [&given, &turned].map(|sets| merge_qrels(sets, *rule, None));
                prop_assert_eq!(judgements(&one), judgements(&other));
            }
        }

        /// Every rule judges the same documents, and each merged grade lies between the lowest and the highest.
        #[test]
        fn rules_lie_between_min_and_max(sets in prop::collection::vec(assessor(), 1..5)) {
            let sets: Vec<Qrels> = sets.iter().map(|set| qrels(set)).collect();
            let sets: Vec<&Qrels> = sets.iter().collect();
            let merged = |rule| judgements(&merge_qrels(&sets, rule, None));
            let (low, high) = (merged(MergeRule::Min), merged(MergeRule::Max));
            for rule in [MergeRule::Majority, MergeRule::Mean, MergeRule::Median] {
                let middle = merged(rule);
                prop_assert_eq!(middle.len(), low.len());
                for ((low, middle), high) in low.iter().zip(&middle).zip(&high) {
                    prop_assert_eq!((&low.0, &low.1), (&middle.0, &middle.1));
                    prop_assert!(low.2 <= middle.2 && middle.2 <= high.2);
                }
            }
        }
    }
}
