//! Options of plots.

use cranfield_compare::limits::by_name;
use cranfield_core::named_enum;
use cranfield_render::plot::PlotKind;

use super::DrawingError;

/// Other names of kinds.
const ALIASES: [(&str, PlotKind); 2] = [
    ("diff", PlotKind::Histogram),
    ("difference", PlotKind::Histogram),
];

/// The kind of plot with a name.
///
/// # Errors
/// If there is none.
pub fn kind_named(name: &str) -> Result<PlotKind, DrawingError> {
    let kinds = PlotKind::ALL.into_iter().map(|kind| (kind.name(), kind));
    let known: Vec<_> = kinds.chain(ALIASES).collect();
    by_name("kind of plot", name, &known).map_err(DrawingError::new)
}

named_enum! {
    /// Uncertainty shown around the mean curve of a run.
    Bands ("kind of band") {
        /// A bootstrap interval for up to two runs, which bands of more runs would cover.
        Auto = "auto",
        /// Nothing.
        None = "none",
        /// The mean ± its standard error over topics.
        StandardError = "se",
        /// The bootstrap interval of the mean at each point.
        Bootstrap = "bootstrap",
    }
}

named_enum! {
    /// Reference curves of gain.
    Ideals ("kind of ideal") {
        /// The ideal, and for up to two runs the best order of the documents that they retrieved.
        Auto = "auto",
        /// None.
        None = "none",
        /// The ideal ranking of the judged documents.
        Judged = "judged",
        /// The retrieved documents in the best order, run by run.
        Retrieved = "retrieved",
        /// Both.
        Both = "both",
    }
}

named_enum! {
    /// Order of topics in a bar chart.
    BarOrder ("order of topics") {
        /// By difference, greatest first.
        Difference = "difference",
        /// By topic.
        Topic = "topic",
    }
}

impl Ideals {
    pub(super) fn needs_vectors(self) -> bool {
        self != Self::None
    }

    pub(super) fn has_judged(self) -> bool {
        matches!(self, Self::Judged | Self::Both)
    }

    pub(super) fn has_retrieved(self) -> bool {
        matches!(self, Self::Retrieved | Self::Both)
    }
}
