//! Programs whose values Cranfield reproduces. Each has a table with its policies, its measure names, their
//! definitions, and how these differ from Cranfield's.
//!
//! To add a profile, add a file with a [`Program`], an arm in [`Profile::program`] and a variant of
//! [`Profile`].

mod asked;
mod beir;
mod cranfield;
mod cwl;
mod gdeval;
mod ir_measures;
mod names;
mod ndeval;
mod ntcireval;
mod quepid;
mod ranx;
mod trec_eval;

#[cfg(test)]
mod asked_tests;
#[cfg(test)]
mod tests;

use cranfield_core::measure::BoundMeasure;
use cranfield_core::named_enum;
use cranfield_core::policy::{Overrides, Policies, TieBreak, TopicPolicy, Undefined};

use crate::trec_names;

pub use asked::{Difference, InProgram, NotThere, in_program};
pub(crate) use asked::{NEEDS_CUTOFF, NO_CUTOFF};
pub(crate) use names::{parse, parse_foreign, restate};

/// Policies and measure names of a program.
#[derive(Debug)]
pub struct Program {
    /// Its policies for ordering, judging and averaging.
    pub policies: Policies,
    /// Differences from Cranfield's policies: the policy's name and a sentence.
    pub reasons: &'static [(&'static str, &'static str)],
    /// Parameter defaults that apply to every spelling of a measure.
    pub defaults: &'static [ParameterDefault],
    /// Its measure names.
    pub names: &'static [Meaning],
}

/// A measure, a parameter, and its default in a program.
pub type ParameterDefault = (&'static str, &'static str, &'static str);

impl Program {
    /// Describes how the policy of this name differs from Cranfield's.
    pub fn reason(&self, policy: &str) -> Option<&'static str> {
        let found = self.reasons.iter().find(|(name, _)| *name == policy);
        found.map(|(_, reason)| *reason)
    }
}

/// The part after `@` in a program's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A cutoff, or nothing.
    Maybe,
    /// A cutoff.
    Always,
    /// Nothing.
    Never,
    /// The value of this parameter, or nothing.
    Parameter(&'static str),
}

/// The meaning of a name in a program.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// The program's name, without the part after `@`.
    pub name: &'static str,
    /// The part after `@`.
    pub at: At,
    /// An argument that must have this value for the name to have this meaning; it is consumed.
    pub when: Option<(&'static str, &'static str)>,
    /// The measure, as a canonical name with the program's default parameters.
    pub measure: &'static str,
    /// Cranfield's measure that users associate with this name, usually that of the same name.
    pub concept: &'static str,
    /// Arguments that users can set, by the program's names.
    pub takes: &'static [&'static str],
    /// Our name of a parameter without a default in the program; empty if all have one.
    pub needs: &'static str,
    /// The program's names of arguments, and ours; `@` is the cutoff.
    pub renamed: &'static [(&'static str, &'static str)],
    /// Policies that the program has for this measure alone.
    pub overrides: Overrides,
    /// Differences from Cranfield's measure: a parameter, a policy, `cutoff` or `measure`, and a sentence.
    pub reasons: &'static [(&'static str, &'static str)],
    /// A defect of the program that Cranfield does not reproduce, so that its value is unavailable; empty if
    /// none.
    pub not_copied: &'static str,
}

impl Meaning {
    /// Creates a name with an optional cutoff for a measure that is also its concept.
    const fn new(name: &'static str, measure: &'static str) -> Self {
        Self {
            name,
            at: At::Maybe,
            when: None,
            measure,
            concept: "",
            takes: &[],
            needs: "",
            renamed: &[],
            overrides: Overrides::NONE,
            reasons: &[],
            not_copied: "",
        }
    }

    const fn at(self, at: At) -> Self {
        Self { at, ..self }
    }

    const fn when(self, argument: &'static str, value: &'static str) -> Self {
        Self {
            when: Some((argument, value)),
            ..self
        }
    }

    const fn concept(self, concept: &'static str) -> Self {
        Self { concept, ..self }
    }

    const fn renamed(self, renamed: &'static [(&'static str, &'static str)]) -> Self {
        Self { renamed, ..self }
    }

    const fn ties(self, ties: TieBreak) -> Self {
        let overrides = Overrides {
            ties: Some(ties),
            ..self.overrides
        };
        Self { overrides, ..self }
    }

    const fn topics(self, topics: TopicPolicy) -> Self {
        let overrides = Overrides {
            topics: Some(topics),
            ..self.overrides
        };
        Self { overrides, ..self }
    }

    const fn undefined(self, undefined: Undefined) -> Self {
        let overrides = Overrides {
            undefined: Some(undefined),
            ..self.overrides
        };
        Self { overrides, ..self }
    }

    const fn takes(self, takes: &'static [&'static str]) -> Self {
        Self { takes, ..self }
    }

    const fn needs(self, needs: &'static str) -> Self {
        Self { needs, ..self }
    }

    const fn because(self, reasons: &'static [(&'static str, &'static str)]) -> Self {
        Self { reasons, ..self }
    }

    const fn not_copied(self, not_copied: &'static str) -> Self {
        Self { not_copied, ..self }
    }

    /// The measure's family, without parameters.
    fn family(&self) -> &'static str {
        let end = self.measure.find(['(', '@']);
        &self.measure[..end.unwrap_or(self.measure.len())]
    }

    /// Cranfield's measure that users associate with this name.
    pub fn thought_of(&self) -> &'static str {
        if self.concept.is_empty() {
            self.family()
        } else {
            self.concept
        }
    }
}

named_enum! {
    /// A named set of policies and of conventions for measure names, those of a program.
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

impl Profile {
    /// The table of the program that this profile is named after.
    pub fn program(self) -> &'static Program {
        match self {
            Self::Cranfield => &cranfield::PROGRAM,
            Self::TrecEval => &trec_eval::PROGRAM,
            Self::TrecEval9 => &trec_eval::PROGRAM_9,
            Self::IrMeasures => &ir_measures::PROGRAM,
            Self::Ranx => &ranx::PROGRAM,
            Self::Gdeval => &gdeval::PROGRAM,
            Self::Ndeval => &ndeval::PROGRAM,
            Self::Ntcireval => &ntcireval::PROGRAM,
            Self::Cwl => &cwl::PROGRAM,
            Self::Beir => &beir::PROGRAM,
            Self::Quepid => &quepid::PROGRAM,
        }
    }

    /// The policies of this profile. Settings of the user replace them one by one.
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

    /// The name of a measure under this profile: the program's where the profile and the measure have one.
    pub fn name_of(self, measure: &BoundMeasure) -> String {
        let foreign = match self {
            Self::Cranfield => None,
            _ if self.prints_trec_names() => trec_names::printed_name(measure),
            _ => measure.label.clone(),
        };
        foreign.unwrap_or_else(|| measure.to_string())
    }
}
