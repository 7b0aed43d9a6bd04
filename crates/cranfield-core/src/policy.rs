//! The policies under which rankings are made and scores are averaged.
//!
//! Each policy is a type whose name appears in every interface and report.

use crate::error::Error;
use crate::measure::Input;
use crate::setting::{Choice, Message, Setting};

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
    /// The order of documents, in particular of those with equal scores.
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
        /// Both ends: the interval from the smallest to the largest value that ties allow.
        Bounds = "bounds",
    }
}

named_enum! {
    /// The topics to evaluate and average.
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
    /// The treatment of unjudged documents.
    Unjudged ("unjudged rule") {
        /// Not relevant.
        NonRelevant = "nonrelevant",
        /// Dropped from the ranking; later documents move up.
        Condensed = "condensed",
        /// As relevant as the topic's most relevant document, and part of its recall base.
        Relevant = "relevant",
        /// Both ends: the interval from the smallest to the largest value over the ways to take each unjudged document as
        /// not relevant or as relevant.
        Bounds = "bounds",
    }
}

named_enum! {
    /// The meaning of grades below zero.
    NegativeGrades ("rule for negative grades") {
        /// The document was judged, and is not relevant.
        Judged = "judged",
        /// The document was pooled but not judged (`trec_eval`).
        Pooled = "pooled",
    }
}

named_enum! {
    /// The treatment of undefined values (no relevant document, empty ranking) in averages.
    Undefined ("undefined rule") {
        /// Zero.
        Zero = "zero",
        /// The topic is left out of that measure's average.
        Skip = "skip",
    }
}

named_enum! {
    /// The treatment of a document with the id of the topic, as when documents serve as queries.
    IdenticalIds ("rule for identical ids") {
        /// It is kept like any other document.
        Keep = "keep",
        /// It is removed from the ranking before anything is counted.
        Drop = "drop",
    }
}

/// The end of the interval to compute, if a policy is `bounds`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum End {
    /// The smallest value.
    #[default]
    Least,
    /// The largest value.
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
    /// Maximum number of documents to keep of each ranking.
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
    /// If the policy or the value is unknown.
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
                let wrong = |_| Error::parameter(format!("depth must be a number, not `{value}`"));
                self.depth = Some(value.parse().map_err(wrong)?);
            }
            _ => return Err(Error::unknown(format!("unknown policy `{policy}`"))),
        }
        Ok(())
    }

    /// Takes one policy, by its name, from another set.
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

/// Policies of one measure that differ from those of the program's other measures.
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

    /// Removes the override of one policy, by its name, because the user set it.
    pub fn forget(&mut self, policy: &str) {
        match policy {
            "ties" => self.ties = None,
            "topics" => self.topics = None,
            "unjudged" => self.unjudged = None,
            "undefined" => self.undefined = None,
            _ => {}
        }
    }

    /// Applies the overrides to policies.
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

impl Policies {
    /// Whether values are intervals.
    pub fn are_bounds(&self) -> bool {
        self.bounds().is_some()
    }

    /// The policy, if any, under which values are intervals.
    pub fn bounds(&self) -> Option<RefusedPolicy> {
        match (self.ties, self.unjudged) {
            (TieBreak::Bounds, _) => Some(self.rejected_ties()),
            (_, Unjudged::Bounds) => Some(self.rejected_unjudged()),
            _ => None,
        }
    }

    /// The policy, if any, under which a value is computed from several rankings or assumed judgements.
    pub fn of_several_rankings(&self) -> Option<RefusedPolicy> {
        let ties = match self.ties {
            TieBreak::Expected | TieBreak::Best | TieBreak::Worst | TieBreak::Bounds => {
                Some(self.rejected_ties())
            }
            _ => None,
        };
        let unjudged = match self.unjudged {
            Unjudged::Relevant | Unjudged::Bounds => Some(self.rejected_unjudged()),
            _ => None,
        };
        ties.or(unjudged)
    }

    fn rejected_ties(&self) -> RefusedPolicy {
        RefusedPolicy {
            option: Setting::Ties.to(self.ties),
            instead: Message::from("an order of ties such as ")
                .then(Setting::Ties.to(TieBreak::DocidDesc)),
        }
    }

    fn rejected_unjudged(&self) -> RefusedPolicy {
        RefusedPolicy {
            option: Setting::Unjudged.to(self.unjudged),
            instead: Setting::Unjudged.to(Unjudged::NonRelevant).into(),
        }
    }

    /// The policy, if any, under which measures of this input are undefined. Measures of grades are defined under all policies,
    /// the others for a single ranking only, and those of samples only if unjudged documents are kept.
    pub fn refused_by(&self, input: Input) -> Option<RefusedPolicy> {
        let condensed = self.unjudged == Unjudged::Condensed;
        match input {
            Input::Grades => None,
            Input::Strata | Input::Prels if condensed => {
                let several = self.of_several_rankings();
                Some(several.unwrap_or_else(|| self.rejected_unjudged()))
            }
            _ => self.of_several_rankings(),
        }
    }
}

/// A policy that does not apply to a measure or vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPolicy {
    /// The policy, such as `ties=expected`.
    pub option: Choice,
    /// A policy that does apply.
    pub instead: Message,
}

impl RefusedPolicy {
    /// The message that this policy gives intervals, which cannot be processed further; `why` is the predicate.
    pub fn as_interval(self, why: &str) -> Message {
        Message::from(self.option)
            .then(format!(" gives intervals, which {why}; use "))
            .then(self.instead)
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
    }

    #[test]
    fn policies_are_set_by_name() {
        assert_eq!(Policies::OWN, Policies::default());
        let other = Policies {
            ties: TieBreak::DocidAsc,
            topics: TopicPolicy::Both,
            negative: NegativeGrades::Pooled,
            identical: IdenticalIds::Drop,
            ..Policies::OWN
        };
        let names: Vec<_> = other
            .differing(&Policies::OWN)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["ties", "topics", "negative", "identical"]);
        let back = names.iter().fold(other.clone(), |policies, name| {
            policies.with_from(name, &Policies::OWN)
        });
        assert_eq!(back, Policies::OWN);
        let mut read = Policies {
            depth: Some(7),
            ..Policies::OWN
        };
        for (name, value) in other.named() {
            read.set(name, &value).unwrap();
        }
        assert_eq!(read, other);
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
    fn rejected_policies_come_with_an_alternative() {
        let of = |ties, unjudged| Policies {
            ties,
            unjudged,
            ..Policies::OWN
        };
        let rejected = |policies: &Policies, input| {
            let rejected = policies.refused_by(input)?;
            Some((rejected.option.to_string(), rejected.instead.to_string()))
        };
        let bounds = of(TieBreak::DocidDesc, Unjudged::Bounds);
        let (policy, instead) = rejected(&bounds, Input::Groups).expect("rejected");
        assert_eq!(
            (policy.as_str(), instead.as_str()),
            ("unjudged=bounds", "unjudged=nonrelevant")
        );
        assert_eq!(rejected(&bounds, Input::Grades), None);
        let condensed = of(TieBreak::DocidDesc, Unjudged::Condensed);
        assert_eq!(rejected(&condensed, Input::Sessions), None);
        let (policy, _) = rejected(&condensed, Input::Prels).expect("rejected");
        assert_eq!(policy, "unjudged=condensed");
        let both = of(TieBreak::Best, Unjudged::Condensed);
        let (policy, instead) = rejected(&both, Input::Strata).expect("rejected");
        assert_eq!(policy, "ties=best");
        assert_eq!(instead, "an order of ties such as ties=docid-desc");
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
