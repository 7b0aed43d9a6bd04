//! From scores to claims: comparisons of runs, gates for continuous integration, the topics an experiment needs, and what
//! measures can discriminate.

pub mod compare;
pub mod discriminate;
pub mod flattered;
pub mod gate;
pub mod limits;
pub mod power;
