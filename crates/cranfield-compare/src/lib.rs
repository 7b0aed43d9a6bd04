//! From scores to claims: comparisons of runs, the effect of assessors on them, gates for continuous integration, power analysis, and the discriminative power of
//! measures.

pub mod assessors;
pub mod compare;
pub mod discriminate;
pub mod flattered;
pub mod gate;
pub mod limits;
pub mod power;

#[cfg(test)]
mod test_data;
