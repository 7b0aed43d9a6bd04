//! How a measure's value changes as a single relevant document moves down the ranking.

use cranfield_core::measure::{Computation, MeasureInfo};
use cranfield_core::params::CutoffRule;
use cranfield_core::topic::{GradeCount, Hit, JudgedRanking, Label, RecallBase};

use crate::spec::{Conventions, parse_measure};

/// Number of ranks in a profile.
const RANKS: u32 = 10;

/// Evaluates a measure with its default parameters and a cutoff of 10 (or a point of 0.5) on rankings of ten
/// judged documents. One of them is relevant, with grade 1: at rank 1, 2, … 10.
///
/// `None` if the measure needs judgements other than grades, or is undefined for such a ranking.
///
/// ```
/// use cranfield_measures::rank_profile;
/// use cranfield_measures::spec::find;
///
/// let profile = rank_profile(find("RR").unwrap()).unwrap();
/// assert_eq!(profile[..4], [1.0, 0.5, 1.0 / 3.0, 0.25]);
/// assert_eq!(rank_profile(find("PrefSimp").unwrap()), None);
/// ```
pub fn rank_profile(info: &'static MeasureInfo) -> Option<Vec<f64>> {
    let cutoff = match info.cutoff {
        CutoffRule::None => "",
        CutoffRule::Optional | CutoffRule::Required => "@10",
        CutoffRule::Point => "@0.5",
    };
    let measure = parse_measure(&format!("{}{cutoff}", info.name), &Conventions::default()).ok()?;
    let Computation::Ranked(measure) = measure.computation else {
        return None;
    };
    let grades = [(1.0, 1), (0.0, RANKS - 1)].map(|(grade, count)| GradeCount { grade, count });
    (1..=RANKS)
        .map(|relevant| {
            let hits: Vec<Hit> = (1..=RANKS)
                .map(|rank| Hit {
                    rank,
                    label: Label::Judged(f64::from(u8::from(rank == relevant))),
                })
                .collect();
            measure.evaluate(&JudgedRanking::new(
                RANKS as usize,
                &hits,
                RecallBase::new(&grades),
            ))
        })
        .collect()
}
