//! Cranfield itself.

use super::Program;
use crate::policy::Policies;

pub(super) const PROGRAM: Program = Program {
    policies: Policies::OWN,
    reasons: &[],
    defaults: &[],
    names: &[],
};
