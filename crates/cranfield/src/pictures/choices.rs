//! What a user may choose about a picture.

use cranfield_core::named_enum;

named_enum! {
    /// What is drawn around the mean curve of a run.
    Bands ("kind of band") {
        /// An interval over resampled topics if there are few runs.
        Auto = "auto",
        /// Nothing.
        None = "none",
        /// The mean, less and more its standard error over topics.
        StandardError = "se",
        /// The interval of the mean over resampled topics, rank by rank.
        Bootstrap = "bootstrap",
    }
}

named_enum! {
    /// Which curves of gain are drawn to compare with.
    Ideals ("kind of ideal") {
        /// The ideal, and for few runs the best order of what they retrieved.
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
    /// The order of topics that are shown as bars.
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
