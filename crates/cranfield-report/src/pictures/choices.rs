//! What a user may choose about a picture.

use cranfield_core::named_enum;
use cranfield_render::picture::{PictureError, PictureKind};

use super::{Curve, Drawing};

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

named_enum! {
    /// Something that may be chosen about some kinds of pictures; others have no use for it.
    Choice ("choice") {
        /// Deepest rank.
        Cutoff = "cutoff",
        /// Recall levels.
        Levels = "levels",
        /// Around curves.
        Band = "band",
        /// Beside curves of gain.
        Ideal = "ideal",
        /// Order of topics.
        Order = "order",
        /// The run that is shown.
        Of = "of",
        /// The test of pairs.
        Test = "test",
        /// The correction of their p-values.
        Correction = "correction",
        /// Significance level, and confidence of intervals.
        Alpha = "alpha",
        /// Resamples.
        Replicates = "replicates",
        /// Seed of random numbers.
        Seed = "seed",
    }
}

impl Choice {
    /// The choices that a kind has.
    pub fn of_kind(kind: PictureKind) -> &'static [Self] {
        use Choice::{
            Alpha, Band, Correction, Cutoff, Ideal, Levels, Of, Order, Replicates, Seed, Test,
        };
        match kind {
            PictureKind::Pr => &[Levels, Band, Alpha, Replicates, Seed],
            PictureKind::Cg | PictureKind::Dcg | PictureKind::Ncg | PictureKind::Ndcg => {
                &[Cutoff, Ideal, Band, Alpha, Replicates, Seed]
            }
            PictureKind::Precision | PictureKind::Recall | PictureKind::Unjudged => {
                &[Cutoff, Band, Alpha, Replicates, Seed]
            }
            PictureKind::Histogram => &[Order, Alpha],
            PictureKind::Deviation => &[Order, Of, Alpha],
            PictureKind::Box => &[Alpha],
            PictureKind::Significance | PictureKind::Cd => {
                &[Test, Correction, Alpha, Replicates, Seed]
            }
            PictureKind::Ranks => &[Alpha, Replicates, Seed],
            // Heatmap, scatter, slope and tau show values as they are.
            _ => &[],
        }
    }

    /// The choices that bands have which are intervals over resampled topics, and other bands have not.
    const OF_RESAMPLES: [Self; 3] = [Self::Alpha, Self::Replicates, Self::Seed];

    /// Refuses what a kind would not take notice of.
    ///
    /// ```
    /// use cranfield_report::pictures::Choice;
    /// use cranfield_render::picture::PictureKind;
    /// assert!(Choice::check(PictureKind::Cd, &[Choice::Test]).is_ok());
    /// let why = Choice::check(PictureKind::Box, &[Choice::Alpha, Choice::Test]).unwrap_err();
    /// assert_eq!(why.to_string(), "box has no use for --test; leave it out (box takes --alpha)");
    /// ```
    ///
    /// # Errors
    /// If the kind has no such choice.
    pub fn check(kind: PictureKind, given: &[Self]) -> Result<(), PictureError> {
        let own = Self::of_kind(kind);
        let Some(unused) = given.iter().find(|choice| !own.contains(choice)) else {
            return Ok(());
        };
        let names: Vec<String> = own.iter().map(|choice| format!("--{choice}")).collect();
        let instead = match names.as_slice() {
            [] => String::new(),
            names => format!(" ({kind} takes {})", names.join(", ")),
        };
        Err(PictureError::new(format!(
            "{kind} has no use for --{unused}; leave it out{instead}"
        )))
    }
}

impl Drawing {
    /// Refuses what bands of a curve would not take notice of, where so many runs are drawn.
    ///
    /// ```
    /// use cranfield_report::pictures::{Bands, Choice, Drawing};
    /// use cranfield_render::picture::PictureKind;
    /// let drawing = Drawing { bands: Bands::StandardError, ..Drawing::new(PictureKind::Pr) };
    /// let why = drawing.check_bands(&[Choice::Alpha], 2).unwrap_err();
    /// assert_eq!(why.to_string(), "pr with --band se has no use for --alpha; leave it out, or choose --band bootstrap");
    /// ```
    ///
    /// # Errors
    /// If no interval over resampled topics is drawn, and a choice about them is given.
    pub fn check_bands(&self, given: &[Choice], runs: usize) -> Result<(), PictureError> {
        let mut given = given.iter();
        let unused = given.find(|choice| Choice::OF_RESAMPLES.contains(choice));
        let unused = unused.filter(|_| self.kind.is_curve());
        let (Some(unused), false) = (unused, self.wanted_bands(runs) == Bands::Bootstrap) else {
            return Ok(());
        };
        let kind = self.kind;
        let what = match self.bands {
            Bands::Auto => format!("{kind} of {runs} runs has no bands, and"),
            bands => format!("{kind} with --band {bands} has"),
        };
        Err(PictureError::new(format!(
            "{what} no use for --{unused}; leave it out, or choose --band bootstrap"
        )))
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
