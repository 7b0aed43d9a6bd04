//! The policies under which rankings are made and scores are averaged.
//!
//! Each is a type with a name that the command line, Python and every report print; none is silent.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// Declares an enum whose variants have one name each, with `FromStr`, `Display` and the list of all.
macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident ($what:literal) { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }

        impl Default for $name {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        impl $name {
            /// All values, the default first.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The name that is read and printed.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                Self::ALL.iter().copied().find(|v| v.name() == text).ok_or_else(|| {
                    let known: Vec<_> = Self::ALL.iter().map(|v| v.name()).collect();
                    Error::unknown(format!("unknown {} `{text}`; one of: {}", $what, known.join(", ")))
                })
            }
        }
    };
}

named_enum! {
    /// How documents with equal scores are ordered, and what a score is.
    TieBreak ("tie rule") {
        /// Score as 64-bit float descending, then document id descending (`trec_eval` 10).
        DocidDesc = "docid-desc",
        /// Score rounded to a 32-bit float descending, then document id descending (`trec_eval` 9,
        /// `pytrec_eval`).
        DocidDescF32 = "docid-desc-f32",
        /// Score descending, then document id ascending.
        DocidAsc = "docid-asc",
        /// Score descending, then the order of the file.
        InputOrder = "input-order",
        /// The rank column ascending, then the order of the file; scores are ignored.
        RankColumn = "rank-column",
        /// The expected value over all orders of each tie group.
        Expected = "expected",
        /// Within a tie group the highest grade first: the best value that ties allow.
        Best = "best",
        /// Within a tie group the lowest grade first: the worst value that ties allow.
        Worst = "worst",
    }
}

named_enum! {
    /// Which topics are evaluated and averaged.
    TopicPolicy ("topic rule") {
        /// All topics of the qrels; one that the run lacks is an empty ranking.
        Judged = "judged",
        /// Topics that are in the qrels and in the run.
        Both = "both",
        /// All topics of the run; one without judgements has no relevant document.
        Run = "run",
    }
}

named_enum! {
    /// What an unjudged document counts as.
    Unjudged ("unjudged rule") {
        /// Not relevant.
        NonRelevant = "nonrelevant",
        /// Dropped from the ranking; later documents move up.
        Condensed = "condensed",
        /// As relevant as the topic's most relevant document, and part of its recall base.
        Relevant = "relevant",
        /// Both extremes: an interval from the value as `nonrelevant` to that as `relevant`.
        Bounds = "bounds",
    }
}

named_enum! {
    /// What a grade below zero says.
    NegativeGrades ("rule for negative grades") {
        /// The document was judged, and is not relevant.
        Judged = "judged",
        /// The document was pooled but not judged (`trec_eval`).
        Pooled = "pooled",
    }
}

named_enum! {
    /// What an undefined value (no relevant document, empty ranking) counts as in an average.
    Undefined ("undefined rule") {
        /// Zero.
        Zero = "zero",
        /// The topic is left out of that measure's average.
        Skip = "skip",
    }
}

/// All policies of an evaluation; by default the first value of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policies {
    /// Order of documents with equal scores.
    pub ties: TieBreak,
    /// Topics evaluated and averaged.
    pub topics: TopicPolicy,
    /// Reading of unjudged documents.
    pub unjudged: Unjudged,
    /// Reading of grades below zero.
    pub negative: NegativeGrades,
    /// Undefined values in averages.
    pub undefined: Undefined,
    /// Only the first so many documents of each ranking are kept, if given.
    pub depth: Option<usize>,
}

named_enum! {
    /// A named set of policies and of conventions behind measure names, after a program that has them.
    Profile ("profile") {
        /// Cranfield's own defaults.
        Cranfield = "cranfield",
        /// `trec_eval` 10.
        TrecEval = "trec_eval",
        /// `trec_eval` 9, and so `pytrec_eval`.
        TrecEval9 = "trec_eval-9",
    }
}

impl Profile {
    /// The policies that this profile sets; flags given by the user replace them one by one.
    pub fn policies(self) -> Policies {
        let own = Policies::default();
        match self {
            Self::Cranfield => own,
            Self::TrecEval => Policies {
                negative: NegativeGrades::Pooled,
                ..own
            },
            Self::TrecEval9 => Policies {
                ties: TieBreak::DocidDescF32,
                topics: TopicPolicy::Both,
                negative: NegativeGrades::Pooled,
                ..own
            },
        }
    }

    /// The default of a measure's parameter in this profile, where it differs from Cranfield's.
    pub fn convention(self, measure: &str, param: &str) -> Option<&'static str> {
        match (self, measure, param) {
            (Self::TrecEval9, "IPrec" | "IAP", "recall") => Some("floor(x+0.9)"),
            _ => None,
        }
    }

    /// Whether measures are printed under `trec_eval`'s names.
    pub fn prints_trec_names(self) -> bool {
        self != Self::Cranfield
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for ties in TieBreak::ALL {
            assert_eq!(ties.name().parse::<TieBreak>().as_ref(), Ok(ties));
        }
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse::<Profile>().as_ref(), Ok(profile));
        }
    }

    #[test]
    fn unknown_name_lists_the_known() {
        let error = "docid".parse::<TieBreak>().unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("unknown tie rule `docid`; one of: docid-desc, ")
        );
    }
}
