//! Kinds of plots.

use std::fmt;

/// A kind of plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlotKind {
    /// Precision by recall.
    Pr,
    /// Cumulated gain by rank.
    Cg,
    /// Discounted cumulated gain by rank.
    Dcg,
    /// Normalised cumulated gain by rank.
    Ncg,
    /// Normalised discounted cumulated gain by rank.
    Ndcg,
    /// Precision by rank.
    Precision,
    /// Recall by rank.
    Recall,
    /// Differences between two runs by topic.
    Histogram,
    /// Differences between a run and the median of all runs by topic.
    Deviation,
    /// Box plots over topics, by run.
    Box,
    /// Heat map of runs by topics.
    Heatmap,
    /// One measure against another.
    Scatter,
    /// Ranks of runs under two measures.
    Slope,
    /// Share of unjudged documents by rank.
    Unjudged,
    /// Differences and p-values of all pairs of runs.
    Significance,
    /// Critical difference diagram.
    Cd,
    /// Ranks of runs with intervals.
    Ranks,
    /// Agreement of measures on the order of runs.
    Tau,
}

impl PlotKind {
    /// All kinds.
    pub const ALL: [Self; 18] = [
        Self::Pr,
        Self::Cg,
        Self::Dcg,
        Self::Ncg,
        Self::Ndcg,
        Self::Precision,
        Self::Recall,
        Self::Histogram,
        Self::Deviation,
        Self::Box,
        Self::Heatmap,
        Self::Scatter,
        Self::Slope,
        Self::Unjudged,
        Self::Significance,
        Self::Cd,
        Self::Ranks,
        Self::Tau,
    ];

    /// The name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pr => "pr",
            Self::Cg => "cg",
            Self::Dcg => "dcg",
            Self::Ncg => "ncg",
            Self::Ndcg => "ndcg",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::Histogram => "histogram",
            Self::Deviation => "deviation",
            Self::Box => "box",
            Self::Heatmap => "heatmap",
            Self::Scatter => "scatter",
            Self::Slope => "slope",
            Self::Unjudged => "unjudged",
            Self::Significance => "significance",
            Self::Cd => "cd",
            Self::Ranks => "ranks",
            Self::Tau => "tau",
        }
    }
}

impl fmt::Display for PlotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
