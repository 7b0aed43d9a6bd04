//! `trec_eval`, versions 10 and 9. Its names are parsed by [`crate::trec_names`]; this table lists only those
//! whose meaning differs from Cranfield's measure of the same name.

use cranfield_core::policy::{NegativeGrades, Policies, TieBreak, TopicPolicy};

use super::{At, Meaning, Program};

const POOLED: (&str, &str) = (
    "negative",
    "grades below zero are read as pooled but not judged",
);

/// Parameters of RBP on its command line.
const PAIRS: &[&str] = &["p", "gains"];
const RECALL_10: &[(&str, &str)] = &[(
    "recall",
    "a recall point of x * R documents is rounded to the nearest whole number",
)];
const RECALL_9: &[(&str, &str)] = &[(
    "recall",
    "a recall point of x * R documents is rounded as floor(x * R + 0.9)",
)];

const RBP: Meaning = Meaning::new("rbp", "RBP(p=0.9, gains='grade', scale='topic')")
    .at(At::Never)
    .takes(PAIRS)
    .because(&[
        ("p", "p is 0.9"),
        ("gains", "gains are grades"),
        ("rel", "gains are grades, whatever the level"),
        (
            "scale",
            "gains are mapped to the unit interval by the topic's own highest grade",
        ),
    ]);

const RESIDUAL: Meaning = Meaning::new("rbp_resid", "RBPResidual(p=0.9)")
    .at(At::Never)
    .takes(&["p"])
    .because(&[("p", "p is 0.9")]);

const fn iprec(measure: &'static str) -> Meaning {
    Meaning::new("iprec_at_recall", measure).takes(&["rel"])
}

const fn eleven_points(measure: &'static str) -> Meaning {
    Meaning::new("11pt_avg", measure)
        .at(At::Never)
        .takes(&["rel", "points"])
}

/// Version 10.
pub(super) const PROGRAM: Program = Program {
    policies: Policies {
        negative: NegativeGrades::Pooled,
        ..Policies::OWN
    },
    reasons: &[POOLED],
    defaults: &[("IPrec", "recall", "round"), ("IAP", "recall", "round")],
    names: &[
        RBP,
        RESIDUAL,
        iprec("IPrec(recall='round')").because(RECALL_10),
        eleven_points("IAP(recall='round')").because(RECALL_10),
    ],
};

/// Version 9, and therefore `pytrec_eval`.
pub(super) const PROGRAM_9: Program = Program {
    policies: Policies {
        ties: TieBreak::DocidDescF32,
        topics: TopicPolicy::Both,
        negative: NegativeGrades::Pooled,
        ..Policies::OWN
    },
    reasons: &[
        ("ties", "scores are rounded to 32 bits, which makes ties"),
        ("topics", "topics that the run lacks are not counted"),
        POOLED,
    ],
    defaults: &[
        ("IPrec", "recall", "floor(x+0.9)"),
        ("IAP", "recall", "floor(x+0.9)"),
    ],
    names: &[
        iprec("IPrec(recall='floor(x+0.9)')").because(RECALL_9),
        eleven_points("IAP(recall='floor(x+0.9)')").because(RECALL_9),
    ],
};
