//! Progress of long computations: a bar on the terminal, or a function of the caller.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use cranfield::compare::{Step, StepWatcher};
use cranfield::report::visible;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Computations that take less time have no bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two updates.
const PAUSE: Duration = Duration::from_millis(100);

/// Receives the steps of a computation.
pub(crate) enum Progress<'a> {
    /// A function of the caller.
    Function(StepWatcher<'a>),
    /// A bar on standard error, if that is a terminal.
    Bar {
        /// The bar, which disappears when the computation ends.
        bar: ProgressBar,
        /// Time of the next update.
        next: Mutex<Instant>,
    },
}

impl<'a> Progress<'a> {
    /// Reports to the function, or else shows a bar unless `quiet`.
    pub(crate) fn new(watcher: Option<StepWatcher<'a>>, quiet: bool) -> Self {
        if let Some(function) = watcher {
            return Self::Function(function);
        }
        let target = if quiet {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        Self::Bar {
            bar: ProgressBar::with_draw_target(Some(0), target).with_style(style()),
            next: Mutex::new(Instant::now() + PATIENCE),
        }
    }

    /// Reports a step.
    pub(crate) fn report(&self, step: Step<'_>) {
        match self {
            Self::Function(function) => function(step),
            Self::Bar { bar, next } => {
                // Another thread that holds the lock is reporting.
                let Ok(mut next) = next.try_lock() else {
                    return;
                };
                let now = Instant::now();
                if now >= *next {
                    *next = now + PAUSE;
                    show(bar, step);
                }
            }
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Self::Bar { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

fn style() -> ProgressStyle {
    let style = ProgressStyle::with_template("{bar:20} {percent:>3} % {wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.progress_chars("##.")
}

fn show(bar: &ProgressBar, step: Step<'_>) {
    let message = match step.measure {
        "" => step.what.to_owned(),
        measure => format!("{}: {}", visible(measure), step.what),
    };
    bar.set_length(step.total as u64);
    bar.set_position(step.done as u64);
    bar.set_message(message);
    bar.tick();
}
