//! The policies under which rankings are made and scores are averaged.
//!
//! Each is a type with a name that the command line, Python and every report print; none is silent.

use crate::error::Error;
use crate::measure::Input;

/// Declares an enum whose variants have one name each, with `FromStr`, `Display` and the list of all; the first is the default.
#[macro_export]
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

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::error::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|v| v.name() == text).ok_or_else(|| {
                    let known: Vec<&str> = Self::ALL.iter().map(|v| v.name()).collect();
                    $crate::error::Error::unknown_among($what, text, &known)
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
        /// The order of the file; scores and ranks are ignored.
        FileOrder = "file-order",
        /// The expected value over all orders of each tie group.
        Expected = "expected",
        /// The best value that any order of the tied documents gives, for each measure and topic.
        Best = "best",
        /// The worst value that any order of the tied documents gives.
        Worst = "worst",
        /// Both ends: an interval from the least to the greatest value that ties allow.
        Bounds = "bounds",
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
        /// Topics that are in both, and in the qrels with a document whose grade is above zero.
        Relevant = "relevant",
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
        /// Both ends: an interval from the least to the greatest value over the ways to take each unjudged document as
        /// not relevant or as relevant.
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

named_enum! {
    /// What becomes of a document whose id is that of the topic, as where documents are searched by documents.
    IdenticalIds ("rule for identical ids") {
        /// It is a document as any other.
        Keep = "keep",
        /// It is taken out of the ranking before anything is counted.
        Drop = "drop",
    }
}

/// Which end of an interval is computed, where a policy says `bounds`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum End {
    /// The least value.
    #[default]
    Least,
    /// The greatest value.
    Greatest,
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
    /// Documents that have the topic's id.
    pub identical: IdenticalIds,
}

impl Policies {
    /// Cranfield's own policies, the first value of each.
    pub const OWN: Self = Self {
        ties: TieBreak::DocidDesc,
        topics: TopicPolicy::Judged,
        unjudged: Unjudged::NonRelevant,
        negative: NegativeGrades::Judged,
        undefined: Undefined::Zero,
        depth: None,
        identical: IdenticalIds::Keep,
    };

    /// Name and value of every policy, in the order in which they are printed; no depth is `none`.
    pub fn named(&self) -> [(&'static str, String); 7] {
        [
            ("ties", self.ties.to_string()),
            ("topics", self.topics.to_string()),
            ("unjudged", self.unjudged.to_string()),
            ("negative", self.negative.to_string()),
            ("undefined", self.undefined.to_string()),
            (
                "depth",
                self.depth.map_or("none".into(), |depth| depth.to_string()),
            ),
            ("identical", self.identical.to_string()),
        ]
    }

    /// The policies in which two sets differ, with the values of this one.
    pub fn differing(&self, other: &Self) -> Vec<(&'static str, String)> {
        let pairs = self.named().into_iter().zip(other.named());
        pairs
            .filter(|(own, other)| own != other)
            .map(|(own, _)| own)
            .collect()
    }

    /// Sets one policy, by its name, to a value, by its name; a depth is a number, or `none`.
    ///
    /// # Errors
    /// If there is no such policy or no such value.
    pub fn set(&mut self, policy: &str, value: &str) -> Result<(), Error> {
        match policy {
            "ties" => self.ties = value.parse()?,
            "topics" => self.topics = value.parse()?,
            "unjudged" => self.unjudged = value.parse()?,
            "negative" => self.negative = value.parse()?,
            "undefined" => self.undefined = value.parse()?,
            "identical" => self.identical = value.parse()?,
            "depth" if value == "none" => self.depth = None,
            "depth" => {
                let wrong = |_| Error::parameter(format!("a depth is a number, not `{value}`"));
                self.depth = Some(value.parse().map_err(wrong)?);
            }
            _ => return Err(Error::unknown(format!("unknown policy `{policy}`"))),
        }
        Ok(())
    }

    /// The same with one policy, by its name, as another set has it.
    #[must_use]
    pub fn with_from(&self, policy: &str, other: &Self) -> Self {
        let mut policies = self.clone();
        match policy {
            "ties" => policies.ties = other.ties,
            "topics" => policies.topics = other.topics,
            "unjudged" => policies.unjudged = other.unjudged,
            "negative" => policies.negative = other.negative,
            "undefined" => policies.undefined = other.undefined,
            "depth" => policies.depth = other.depth,
            "identical" => policies.identical = other.identical,
            _ => {}
        }
        policies
    }
}

/// Policies of one measure in a program that has others for its other measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Order of documents with equal scores.
    pub ties: Option<TieBreak>,
    /// Topics evaluated and averaged.
    pub topics: Option<TopicPolicy>,
    /// Reading of unjudged documents.
    pub unjudged: Option<Unjudged>,
    /// Undefined values in averages.
    pub undefined: Option<Undefined>,
}

impl Overrides {
    /// None.
    pub const NONE: Self = Self {
        ties: None,
        topics: None,
        unjudged: None,
        undefined: None,
    };

    /// Gives up one policy, by its name, for one that the user chose.
    pub fn forget(&mut self, policy: &str) {
        match policy {
            "ties" => self.ties = None,
            "topics" => self.topics = None,
            "unjudged" => self.unjudged = None,
            "undefined" => self.undefined = None,
            _ => {}
        }
    }

    /// The policies with these in their place.
    #[must_use]
    pub fn over(self, policies: &Policies) -> Policies {
        Policies {
            ties: self.ties.unwrap_or(policies.ties),
            topics: self.topics.unwrap_or(policies.topics),
            unjudged: self.unjudged.unwrap_or(policies.unjudged),
            undefined: self.undefined.unwrap_or(policies.undefined),
            ..policies.clone()
        }
    }
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
        /// `ir_measures`, with the programs behind it.
        IrMeasures = "ir_measures",
        /// ranx.
        Ranx = "ranx",
        /// gdeval of the TREC web track.
        Gdeval = "gdeval",
        /// ndeval of the TREC web track, for diversity.
        Ndeval = "ndeval",
        /// NTCIREVAL.
        Ntcireval = "ntcireval",
        /// `cwl_eval`.
        Cwl = "cwl",
        /// The evaluation of BEIR.
        Beir = "beir",
        /// The scorers of Quepid.
        Quepid = "quepid",
    }
}

impl Policies {
    /// Whether values are intervals.
    pub fn are_bounds(&self) -> bool {
        self.ties == TieBreak::Bounds || self.unjudged == Unjudged::Bounds
    }

    /// The policy under which a value is not that of one ranking with the judgements as they are.
    pub fn of_several_rankings(&self) -> Option<RefusedPolicy> {
        let ties = match self.ties {
            TieBreak::Expected | TieBreak::Best | TieBreak::Worst | TieBreak::Bounds => {
                Some(RefusedPolicy {
                    option: format!("--ties {}", self.ties),
                    instead: "an order of ties such as --ties docid-desc",
                })
            }
            _ => None,
        };
        let unjudged = match self.unjudged {
            Unjudged::Relevant | Unjudged::Bounds => Some(self.refused_unjudged()),
            _ => None,
        };
        ties.or(unjudged)
    }

    fn refused_unjudged(&self) -> RefusedPolicy {
        RefusedPolicy {
            option: format!("--unjudged {}", self.unjudged),
            instead: "--unjudged nonrelevant",
        }
    }

    /// The policy under which measures of such judgements have no value. Grades have values under all; whatever else
    /// there is has them for one ranking only, and samples only for rankings with their unjudged documents.
    pub fn refused_by(&self, input: Input) -> Option<RefusedPolicy> {
        let condensed = self.unjudged == Unjudged::Condensed;
        match input {
            Input::Grades => None,
            Input::Strata | Input::Prels if condensed => {
                let several = self.of_several_rankings();
                Some(several.unwrap_or_else(|| self.refused_unjudged()))
            }
            _ => self.of_several_rankings(),
        }
    }
}

/// A policy that something cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPolicy {
    /// The policy as an option, such as `--ties expected`.
    pub option: String,
    /// What could be chosen.
    pub instead: &'static str,
}

impl Profile {
    /// The policies that this profile sets; flags given by the user replace them one by one.
    pub fn policies(self) -> Policies {
        self.program().policies.clone()
    }

    /// The default of a measure's parameter in this profile, where it differs from Cranfield's.
    pub fn convention(self, measure: &str, param: &str) -> Option<&'static str> {
        let found = self.program().defaults.iter();
        let mut found = found.filter(|(name, known, _)| *name == measure && *known == param);
        found.next().map(|(_, _, value)| *value)
    }

    /// Whether measures are printed under `trec_eval`'s names.
    pub fn prints_trec_names(self) -> bool {
        matches!(self, Self::TrecEval | Self::TrecEval9)
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
    fn policies_are_told_by_name() {
        assert_eq!(Policies::OWN, Policies::default());
        let other = Profile::Beir.policies();
        let names: Vec<_> = other
            .differing(&Policies::OWN)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["ties", "topics", "negative", "identical"]);
        let back = names.iter().fold(other, |policies, name| {
            policies.with_from(name, &Policies::OWN)
        });
        assert_eq!(back, Policies::OWN);
        let mut read = Policies {
            depth: Some(7),
            ..Policies::OWN
        };
        for (name, value) in Profile::Beir.policies().named() {
            read.set(name, &value).unwrap();
        }
        assert_eq!(read, Profile::Beir.policies());
        read.set("depth", "30").unwrap();
        assert_eq!(read.depth, Some(30));
        assert!(read.set("depth", "x").is_err() && read.set("tie", "best").is_err());
        let condensed = Overrides {
            unjudged: Some(Unjudged::Condensed),
            ..Overrides::NONE
        };
        assert_eq!(condensed.over(&Policies::OWN).unjudged, Unjudged::Condensed);
        assert_eq!(Overrides::NONE.over(&Policies::OWN), Policies::OWN);
    }

    #[test]
    fn what_is_refused_has_an_option_in_its_place() {
        let of = |ties, unjudged| Policies {
            ties,
            unjudged,
            ..Policies::OWN
        };
        let option = |policies: Policies, input| {
            let refused = policies.refused_by(input);
            refused.map(|refused| (refused.option, refused.instead))
        };
        let bounds = of(TieBreak::DocidDesc, Unjudged::Bounds);
        let (named, instead) = option(bounds.clone(), Input::Groups).expect("refused");
        assert_eq!(
            (named.as_str(), instead),
            ("--unjudged bounds", "--unjudged nonrelevant")
        );
        assert_eq!(option(bounds, Input::Grades), None);
        let condensed = of(TieBreak::DocidDesc, Unjudged::Condensed);
        assert_eq!(option(condensed.clone(), Input::Sessions), None);
        let (named, _) = option(condensed, Input::Prels).expect("refused");
        assert_eq!(named, "--unjudged condensed");
        let both = of(TieBreak::Best, Unjudged::Condensed);
        let (named, _) = option(both, Input::Strata).expect("refused");
        assert_eq!(named, "--ties best");
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
