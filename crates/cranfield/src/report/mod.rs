//! Reports: an evaluation and its comparison in one file that needs nothing else.
//!
//! ```no_run
//! use cranfield::report::{Report, ReportRequest};
//! use cranfield::{Conventions, Request, parse_measures};
//!
//! let measures = parse_measures("nDCG@10 AP", &Conventions::default())?;
//! let request = Request::new("qrels.txt", ["bm25.run", "dense.run"], measures);
//! let report = Report::of_files(ReportRequest::new(request))?;
//! cranfield::io::save_text(&report.to_html()?, "report.html")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tables, pages and pictures are here too, which reports are made of.

pub use cranfield_report::*;

#[cfg(feature = "pictures")]
mod data;
#[cfg(feature = "pictures")]
mod document;
#[cfg(feature = "pictures")]
mod figures;
#[cfg(feature = "pictures")]
mod leaderboard;
#[cfg(feature = "pictures")]
mod markup;
#[cfg(feature = "pictures")]
mod rankings;
#[cfg(feature = "pictures")]
mod records;
#[cfg(feature = "pictures")]
mod request;
#[cfg(feature = "pictures")]
mod sections;
#[cfg(feature = "pictures")]
mod svg;
#[cfg(all(feature = "pictures", test))]
mod tests;

#[cfg(feature = "pictures")]
pub use request::{Report, ReportError, ReportRequest};
