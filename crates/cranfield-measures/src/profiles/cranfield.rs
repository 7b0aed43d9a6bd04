//! Cranfield itself.

use cranfield_core::policy::Policies;

use super::Program;

pub(super) const PROGRAM: Program = Program {
    policies: Policies::OWN,
    reasons: &[],
    defaults: &[],
    names: &[],
};
