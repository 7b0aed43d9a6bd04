//! Figures of evaluations, and the report page that puts an evaluation and its comparison into one offline file.

pub mod plots;
mod report;

pub use report::{Report, ReportError, ReportRequest, STYLE};
