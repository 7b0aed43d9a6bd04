//! The types of `cranfield-core` with measures by name.

mod evaluate;
mod explain;
mod orders;
mod params;
mod sampled;
mod session;
