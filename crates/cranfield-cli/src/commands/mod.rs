//! One file per command.

pub(crate) mod agree;
pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod discriminate;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod experiment;
pub(crate) mod explain;
pub(crate) mod gate;
pub(crate) mod index;
pub(crate) mod judge;
pub(crate) mod measures;
#[cfg(feature = "plots")]
pub(crate) mod plot;
pub(crate) mod power;
#[cfg(feature = "plots")]
pub(crate) mod report;
pub(crate) mod rosetta;
pub(crate) mod search;
pub(crate) mod similarity;
pub(crate) mod tune;
pub(crate) mod whence;
