//! # What it measures
//! Work saved over sampling at recall x: the fraction of the collection that need not be read once recall x is
//! reached, beyond what a random order would save.
//!
//! # User model
//! A reviewer who must reach recall x and counts the documents left unread.
//!
//! # Formula
//! ```math
//! \mathrm{WSS@}x = \frac{N - k}{N} - (1 - x), \quad k = \mathrm{rank}_{\lceil x R \rceil}
//! ```
//! WSS@x = (N − k) / N − (1 − x), where k is the rank at which ⌈x · R⌉ relevant documents are found and N the
//! number of documents. Relevant documents that were not retrieved take the last ranks of the collection. Its
//! size is `docs`, or the number of retrieved documents plus missed relevant ones if that is larger.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant, then seven non-relevant; two relevant documents in the qrels:
//! WSS@1 = (10 − 3) / 10 − 0 = 0.7, WSS@0.5 = (10 − 1) / 10 − 0.5 = 0.4.
//!
//! # Undefined when
//! The topic has no relevant document, or x is not above 0 and at most 1.
//!
//! # Differences between tools
//! Cohen et al. use x = 0.95. The script of the CLEF task on technologically assisted reviews uses x = 0.95 and
//! 1; scripts differ in how they round x · R. N is the number of documents to screen, so `docs` is needed if
//! the run does not contain them all.
//!
//! # References
//! Cohen et al. 2006; Kanoulas et al. 2017.

use cranfield_core::measure::{Computation, Measure, MeasureInfo, Range};
use cranfield_core::params::{CutoffRule, ParamInfo};
use cranfield_core::tied::TiedRanking;
use cranfield_core::topic::{JudgedRanking, Label};

use super::completed::{Completed, DOCS};

/// Work saved over sampling.
#[derive(Clone, Debug)]
pub(super) struct Wss {
    level: f64,
    docs: f64,
    recall: f64,
}

impl Measure for Wss {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        self.saved(topic, |order| order.rank_of(self.wanted(order)))
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }

    fn expected(&self, topic: &TiedRanking<'_>) -> Option<f64> {
        self.saved(&topic.order(), |order| {
            order.expected_rank_of(topic, self.level, self.wanted(order))
        })
    }
}

impl Wss {
    /// The number of relevant documents needed to reach the recall.
    fn wanted(&self, order: &Completed<'_>) -> usize {
        let wanted = (self.recall * order.relevant() as f64 - ROUNDING).ceil();
        wanted.max(1.0) as usize
    }

    /// The work saved, given the rank of the last document needed.
    fn saved(
        &self,
        topic: &JudgedRanking<'_>,
        rank_of: impl Fn(&Completed<'_>) -> Option<f64>,
    ) -> Option<f64> {
        let relevant = topic.relevant(self.level);
        let order = Completed::new(topic, &relevant, self.docs);
        if self.recall <= 0.0 || self.recall > 1.0 {
            return None;
        }
        let rank = rank_of(&order)?;
        Some((order.docs() - rank) / order.docs() - (1.0 - self.recall))
    }
}

pub(super) const INFO: MeasureInfo = MeasureInfo {
    name: "WSS",
    aliases: &["work_saved_over_sampling"],
    summary: "work saved over sampling at recall x",
    page: crate::page::page!("wss.rs"),
    params: &[DOCS, ParamInfo::LEVEL],
    cutoff: CutoffRule::Point,
    range: Range {
        min: -1.0,
        max: 1.0,
    },
    references: &[
        "A. M. Cohen, W. R. Hersh, K. Peterson and P.-Y. Yen: Reducing workload in systematic review preparation using automated document classification. JAMIA 13(2), 2006",
        "E. Kanoulas, D. Li, L. Azzopardi and R. Spijker: CLEF 2017 technologically assisted reviews in empirical medicine overview. CLEF working notes, 2017",
    ],
    build: |params| {
        Ok(Computation::ranked(Wss {
            level: params.level(),
            docs: params.real("docs"),
            recall: params.point(),
        }))
    },
    ..MeasureInfo::DEFAULT
};

/// Tolerance by which x · R may exceed a whole number and still count as it: 0.7 · 10 is slightly above 7.
const ROUNDING: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::measures::tests::{TestTopic, check, measure, undefined};
    use cranfield_core::measure::Computation;

    const RANKING: &[i32] = &[1, 0, 1, 0, 0, 0, 0, -1, -1, -1];

    #[test]
    fn worked_example() {
        check("WSS@1", RANKING, &[1, 1, 0, 0, 0, 0, 0], 0.7);
        check("WSS@0.5", RANKING, &[1, 1, 0, 0, 0, 0, 0], 0.9 - 0.5);
        check(
            "WSS@0.95",
            RANKING,
            &[1, 1, 0, 0, 0, 0, 0],
            0.7 - (1.0 - 0.95),
        );
        check("WSS(docs=100)@1", RANKING, &[1, 1, 0, 0, 0, 0, 0], 0.97);
    }

    #[test]
    fn seven_tenths_of_ten_is_seven() {
        let ranking = [1; 10];
        check("WSS@0.7", &ranking, &ranking, 0.3 - (1.0 - 0.7));
    }

    #[test]
    fn edges() {
        check("WSS@1", &[], &[1], 0.0);
        check("WSS@1", &[1, 0], &[1, 1, 0], 0.0);
        check("WSS@0.001", &[0, 1], &[1, 0], 0.0 - (1.0 - 0.001));
        undefined("WSS@0", &[1], &[1]);
        undefined("WSS@1.5", &[1], &[1]);
        undefined("WSS@1", &[0], &[0]);
    }

    proptest! {
        #[test]
        fn it_is_what_the_counts_of_a_reader_say(ranking in prop::collection::vec(0..2, 1..25), tenths in 1u32..=10) {
            // The reader stops at the first rank where recall is reached.
            let total = ranking.iter().filter(|grade| **grade == 1).count();
            prop_assume!(total > 0);
            let recall = |read: usize| ranking[..read].iter().filter(|grade| **grade == 1).count() * 10;
            let enough = (0..=ranking.len()).find(|read| recall(*read) >= total * tenths as usize);
            let unread = ranking.len() - enough.unwrap_or(ranking.len());
            let sampling = f64::from(10 - tenths) / 10.0;
            let expected = unread as f64 / ranking.len() as f64 - sampling;
            let point = f64::from(tenths) / 10.0;
            let topic = TestTopic::new(&ranking, &ranking);
            let value = match measure(&format!("WSS@{point}")).computation {
                Computation::Ranked(measure) => measure.evaluate(&topic.ranking()),
                _ => None,
            };
            prop_assert!((value.unwrap_or(f64::NAN) - expected).abs() < 1e-12, "{:?}, not {}", value, expected);
        }
    }
}
