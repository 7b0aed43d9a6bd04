//! Progress of long computations: a bar on the terminal, or a function of the caller.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use cranfield::compare::{Progress, Step};
use cranfield::report::visible;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Computations that take less time have no bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two updates.
const PAUSE: Duration = Duration::from_millis(100);

/// A bar on standard error, if that is a terminal, which disappears when this is dropped.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    /// The handle that computations report to.
    pub(crate) progress: Progress,
}

impl ProgressLine {
    /// Reports to the caller if it wants to know, or else shows a bar unless `quiet`.
    pub(crate) fn new(caller: Option<Progress>, quiet: bool) -> Self {
        let target = if quiet || caller.is_some() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(0), target).with_style(style());
        let progress = caller.unwrap_or_else(|| reports_to(bar.clone()));
        Self { bar, progress }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn reports_to(bar: ProgressBar) -> Progress {
    let next = Mutex::new(Instant::now() + PATIENCE);
    Progress::new(move |step| {
        // Another thread that holds the lock is reporting.
        let Ok(mut next) = next.try_lock() else {
            return;
        };
        let now = Instant::now();
        if now >= *next && !bar.is_finished() {
            *next = now + PAUSE;
            show(&bar, step);
        }
    })
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
