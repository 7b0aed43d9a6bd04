//! # What it measures
//! Time-biased gain: the expected number of relevant documents a user saves, as users drop out over time. Every
//! summary and every document read takes time.
//!
//! # User model
//! Spends time on every summary and document, saves relevant documents with some probability, and becomes more
//! likely to give up over time.
//!
//! # Formula
//! ```math
//! \mathrm{TBG} = \sum_{i\ \mathrm{rel}} c_{\mathrm{rel}}\, s\, 2^{-t_i / h}, \quad t_i = \sum_{j < i} \left( t_{\mathrm{summary}} + c_j (w\, t_{\mathrm{word}} + t_{\mathrm{fixed}}) \right)
//! ```
//! TBG = Σ over relevant ranks i of click_rel · save · 2^(−time(i) / halflife), where time(i) is the sum over
//! the ranks before i of summary + click · (per_word · words + fixed) seconds; click is click_rel at relevant
//! ranks and click_nonrel at all others, including unjudged ones. `words` is the length of every document.
//!
//! # Worked example
//! Ranking: relevant, non-relevant, relevant, with `words=0, fixed=10, halflife=10`: a relevant document takes
//! 4.4 + 6.4 = 10.8 s, a non-relevant one 4.4 + 3.9 = 8.3 s. TBG = 0.4928 · (1 + 2^(−19.1 / 10)) = 0.623930.
//!
//! # Undefined when
//! The topic has no relevant document.
//!
//! # Differences between tools
//! The defaults are the authors' estimates except `words`, which they take from each document; a judged ranking
//! does not contain lengths, and 500 is an arbitrary choice. Their zero reading time for duplicates is not
//! modelled. CWL_TBG is the form of `cwl_eval`, with weights that sum to 1.
//!
//! # References
//! Smucker and Clarke 2012.

use cranfield_core::error::Error;
use cranfield_core::measure::{Computation, Measure, MeasureInfo, Range};
use cranfield_core::params::{ParamInfo, ParamKind, Params};
use cranfield_core::topic::{JudgedRanking, Label};

use super::CWL;

/// Time-biased gain.
#[derive(Clone, Copy, Debug)]
struct Tbg {
    level: f64,
    /// Gain of a relevant document.
    gain: f64,
    halflife: f64,
    /// Seconds spent on a relevant document.
    relevant: f64,
    /// Seconds spent on a non-relevant document.
    other: f64,
}

impl Measure for Tbg {
    fn evaluate(&self, topic: &JudgedRanking<'_>) -> Option<f64> {
        let found = topic.relevant(self.level);
        let mut sum = 0.0;
        for (before, &rank) in (0u32..).zip(&found.ranks) {
            let others = f64::from(rank) - 1.0 - f64::from(before);
            let time = f64::from(before) * self.relevant + others * self.other;
            sum += self.gain * (-time / self.halflife).exp2();
        }
        (found.total > 0 || !found.ranks.is_empty()).then_some(sum)
    }

    fn level(&self) -> Option<f64> {
        Some(self.level)
    }

    fn merit(&self, label: Label) -> Option<f64> {
        Some(label.relevance(self.level))
    }
}

pub(in crate::measures) const INFO: MeasureInfo = MeasureInfo {
    name: "TBG",
    aliases: &["time_biased_gain"],
    summary: "time-biased gain",
    page: crate::page::page!("tbg.rs"),
    params: &[
        HALFLIFE,
        SUMMARY,
        PER_WORD,
        FIXED,
        WORDS,
        CLICK_REL,
        CLICK_NONREL,
        SAVE,
        ParamInfo::LEVEL,
    ],
    range: Range::COUNT,
    references: &[
        "M. Smucker and C. Clarke: Time-based calibration of effectiveness measures. SIGIR 2012. doi:10.1145/2348283.2348300",
    ],
    build,
    ..CWL
};

const HALFLIFE: ParamInfo = ParamInfo {
    name: "halflife",
    kind: ParamKind::Real {
        min: 0.001,
        max: 1e9,
    },
    default: "224",
    help: "half-life in seconds: time after which half of the users have left",
};

const SUMMARY: ParamInfo = seconds("summary", "4.4", "seconds to look at one summary");
const PER_WORD: ParamInfo = seconds("per_word", "0.018", "seconds to read one word");
const FIXED: ParamInfo = seconds(
    "fixed",
    "7.8",
    "seconds per document, independent of its length",
);
const WORDS: ParamInfo = seconds("words", "500", "number of words in each document");
const CLICK_REL: ParamInfo = share(
    "click_rel",
    "0.64",
    "probability that a relevant document is opened",
);
const CLICK_NONREL: ParamInfo = share(
    "click_nonrel",
    "0.39",
    "probability that a non-relevant document is opened",
);
const SAVE: ParamInfo = share(
    "save",
    "0.77",
    "probability that an opened relevant document is saved",
);

const fn seconds(name: &'static str, default: &'static str, help: &'static str) -> ParamInfo {
    ParamInfo {
        name,
        kind: ParamKind::Real { min: 0.0, max: 1e6 },
        default,
        help,
    }
}

const fn share(name: &'static str, default: &'static str, help: &'static str) -> ParamInfo {
    ParamInfo {
        name,
        kind: ParamKind::Real { min: 0.0, max: 1.0 },
        default,
        help,
    }
}

fn build(params: &Params) -> Result<Computation, Error> {
    let read = params.real("per_word") * params.real("words") + params.real("fixed");
    let time = |click: &str| params.real("summary") + params.real(click) * read;
    Ok(Computation::ranked(Tbg {
        level: params.level(),
        gain: params.real("click_rel") * params.real("save"),
        halflife: params.real("halflife"),
        relevant: time("click_rel"),
        other: time("click_nonrel"),
    }))
}

#[cfg(test)]
mod tests {
    use crate::measures::cwl::tests::check;
    use crate::measures::tests::undefined;

    #[test]
    fn worked_example() {
        check(
            "TBG(words=0, fixed=10, halflife=10)",
            &[1, 0, 1],
            &[1, 1, 0],
            0.64 * 0.77 * (1.0 + 2f64.powf(-1.91)),
        );
    }

    #[test]
    fn edges() {
        check("TBG", &[], &[1], 0.0);
        check("TBG", &[1], &[1], 0.64 * 0.77);
        // One unjudged document before it: 4.4 + 0.39 · (9 + 7.8) seconds.
        check(
            "TBG",
            &[-1, 2],
            &[2],
            0.64 * 0.77 * 2f64.powf(-10.952 / 224.0),
        );
        check(
            "TBG(halflife=0.001, summary=1000000)",
            &[0, 1],
            &[1, 0],
            0.0,
        );
        undefined("TBG", &[0], &[0]);
    }
}
