//! Programs whose numbers Cranfield reproduces: one table each, with the program's policies, its names of
//! measures, what they mean there, and why that is not what they mean here.
//!
//! A new profile is a file with a [`Program`], its line in [`Profile::program`] and its variant of [`Profile`].

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
mod tests;

use crate::policy::{Overrides, Policies, Profile, TieBreak, TopicPolicy, Undefined};

pub use asked::{Difference, InProgram, NotThere, in_program};
pub(crate) use asked::{NEEDS_CUTOFF, NO_CUTOFF};
pub(crate) use names::{parse, parse_foreign, restate};

/// What is known of a program.
#[derive(Debug)]
pub struct Program {
    /// How it orders, judges and averages.
    pub policies: Policies,
    /// Why its policies are not Cranfield's: name of the policy, and a sentence.
    pub reasons: &'static [(&'static str, &'static str)],
    /// Defaults of parameters that it has for every spelling of a measure.
    pub defaults: &'static [ParameterDefault],
    /// Its names.
    pub names: &'static [Meaning],
}

/// A measure's parameter, and its default in a program.
pub type ParameterDefault = (&'static str, &'static str, &'static str);

impl Program {
    /// Why a policy, by its name, is not Cranfield's.
    pub fn reason(&self, policy: &str) -> Option<&'static str> {
        let found = self.reasons.iter().find(|(name, _)| *name == policy);
        found.map(|(_, reason)| *reason)
    }
}

/// What stands behind `@` in a program's name.
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

/// What a name means in a program.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// The program's name, without what stands behind `@`.
    pub name: &'static str,
    /// What stands behind `@`.
    pub at: At,
    /// An argument that must be given with this value for the name to have this meaning; it is used up.
    pub when: Option<(&'static str, &'static str)>,
    /// The measure, as its canonical name with the parameters that the program has by default.
    pub measure: &'static str,
    /// Cranfield's measure that users think of when they say this name: that of the same name, mostly.
    pub concept: &'static str,
    /// Arguments that the program lets users choose, by the program's names.
    pub takes: &'static [&'static str],
    /// Our name of a parameter that has no default in the program; empty if all have.
    pub needs: &'static str,
    /// The program's names of arguments, and ours; `@` is the cutoff.
    pub renamed: &'static [(&'static str, &'static str)],
    /// Policies that the program has for this measure alone.
    pub overrides: Overrides,
    /// What is not as in Cranfield's measure: a parameter, a policy, `cutoff` or `measure`, and a sentence.
    pub reasons: &'static [(&'static str, &'static str)],
    /// What the program does wrongly and Cranfield does not copy, so that its number cannot be told; empty if nothing.
    pub not_copied: &'static str,
}

impl Meaning {
    /// A name that may have a cutoff, for a measure that is its concept as well.
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

    /// Cranfield's measure that users think of at this name.
    pub fn thought_of(&self) -> &'static str {
        if self.concept.is_empty() {
            self.family()
        } else {
            self.concept
        }
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
}
