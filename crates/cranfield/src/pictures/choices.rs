//! What a user may choose about a picture.

use std::fmt;
use std::str::FromStr;

use cranfield_report::picture::PictureError;

macro_rules! choice {
    ($(#[$meta:meta])* $name:ident ($what:literal) { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$variant => $text,)+ })
            }
        }

        impl FromStr for $name {
            type Err = PictureError;

            fn from_str(text: &str) -> Result<Self, PictureError> {
                let known = Self::ALL.iter().copied().find(|value| value.to_string() == text);
                known.ok_or_else(|| {
                    let names: Vec<_> = Self::ALL.iter().map(ToString::to_string).collect();
                    PictureError::new(format!("unknown {} `{text}`; one of: {}", $what, names.join(", ")))
                })
            }
        }
    };
}

choice! {
    /// What is drawn around the mean curve of a run.
    Bands ("kind of band") {
        /// An interval over resampled topics if there are few runs.
        #[default]
        Auto = "auto",
        /// Nothing.
        None = "none",
        /// The mean, less and more its standard error over topics.
        StandardError = "se",
        /// The interval of the mean over resampled topics, rank by rank.
        Bootstrap = "bootstrap",
    }
}

choice! {
    /// Which curves of gain are drawn to compare with.
    Ideals ("kind of ideal") {
        /// The ideal, and for few runs the best order of what they retrieved.
        #[default]
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

choice! {
    /// The order of topics that are shown as bars.
    BarOrder ("order of topics") {
        /// By difference, greatest first.
        #[default]
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
