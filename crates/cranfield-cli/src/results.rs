//! Results of commands and how they are rendered, for other programs than the command line.

#[cfg(feature = "plots")]
pub use crate::commands::agree::save_figure as save_agreement;
pub use crate::commands::agree::{
    Percent, effects_on_runs, intervals as agreement_intervals, rules as merge_rules, write_merged,
};
pub use crate::commands::compare::DEFAULT_MEASURES as COMPARED_MEASURES;
pub use crate::commands::convert::run as convert;
pub use crate::commands::doctor::{
    DoctorArgs, ReportFormat, catalogue, examine_files, findings_code, one_report,
};
pub use crate::commands::eval::{scenarios_named, scenarios_of, sort};
#[cfg(feature = "plots")]
pub use crate::commands::plot::Size;
#[cfg(feature = "plots")]
pub use crate::commands::report::{
    DEFAULT_MEASURES as REPORTED_MEASURES, PageFormat as ReportPage, by_extension,
    labels as report_labels,
};
pub use crate::commands::rosetta::{Programs, one_measure};
pub use crate::commands::search::notes_of as search_notes;
pub use crate::commands::similarity::SimilarPairs;
pub use crate::commands::tune::notes_of as tune_notes;
pub use crate::commands::whence::{FoundSettings, as_percent};
pub use crate::output::agreed::{Agreed, AgreedSettings, AgreedWithEffects};
pub use crate::output::agreement::AgreementStyle;
pub use crate::output::explanations::ExplainedOutput;
pub use crate::output::scenarios::ScenarioScores;
pub use crate::output::sideways::Sideways;
pub use crate::output::terminal_width;
pub use crate::output::topic_rows::TopicRows;
pub use crate::output::vectors::{Ranks, Vectors};
pub use crate::titles::{Titles, topics_of};
