//! Reports: an evaluation and its comparison in one file that needs nothing else.
//!
//! ```no_run
//! use cranfield_report::{Report, ReportRequest};
//! use cranfield_eval::{Conventions, Request, parse_measures};
//!
//! let measures = parse_measures("nDCG@10 AP", &Conventions::default())?;
//! let request = Request::new("qrels.txt", ["bm25.run", "dense.run"], measures);
//! let report = Report::of_files(ReportRequest::new(request))?;
//! cranfield_io::save_text(&report.to_html()?, "report.html")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
mod cost;
mod data;
mod document;
mod figures;
mod judging;
mod leaderboard;
mod markup;
mod rankings;
mod records;
mod request;
mod sections;
mod svg;
#[cfg(test)]
mod tests;
mod warnings;

pub use cost::{COST_END, COST_START, Cost};
pub use document::STYLE;
pub use request::{Report, ReportError, ReportRequest};
