//! Figures of evaluations, and the report page that puts an evaluation and its comparison into one offline file.

pub mod plots;
mod report;

pub use report::{COST_END, COST_START, Cost, Report, ReportError, ReportRequest, STYLE};
