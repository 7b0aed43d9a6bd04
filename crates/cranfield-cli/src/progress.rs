//! A line on the terminal that says how far a long computation has come.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cranfield::compare::{Step, StepWatcher};
use cranfield::report::visible;

/// Nothing is shown of what takes less than this.
const PATIENCE: Duration = Duration::from_millis(500);
/// Least time between two lines.
const PAUSE: Duration = Duration::from_millis(100);

/// Who is told how far a command has come: a function, or else a line on the terminal.
pub(crate) enum Progress<'a> {
    /// A function.
    Function(StepWatcher<'a>),
    /// A line, if there is a terminal.
    Line(Option<ProgressLine>),
}

impl<'a> Progress<'a> {
    /// The function, or else a line unless the user wants to hear nothing.
    pub(crate) fn new(watcher: Option<StepWatcher<'a>>, quiet: bool) -> Self {
        let line = || Self::Line(ProgressLine::unless(quiet));
        watcher.map_or_else(line, Self::Function)
    }

    /// Tells a step.
    pub(crate) fn tell(&self, step: Step<'_>) {
        match self {
            Self::Function(function) => function(step),
            Self::Line(line) => line.iter().for_each(|line| line.show(step)),
        }
    }
}

/// The line, rewritten in place; it is gone when the computation is over.
pub(crate) struct ProgressLine {
    state: Mutex<State>,
}

struct State {
    next: Instant,
    /// Characters on the terminal.
    shown: usize,
}

impl ProgressLine {
    /// A line on standard error, if that is a terminal and the user wants to hear anything.
    fn unless(quiet: bool) -> Option<Self> {
        let wanted = !quiet && io::stderr().is_terminal();
        wanted.then(|| Self {
            state: Mutex::new(State {
                next: Instant::now() + PATIENCE,
                shown: 0,
            }),
        })
    }

    /// Shows a step. A terminal that takes no more text is no reason to stop.
    fn show(&self, step: Step<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now < state.next {
            return;
        }
        state.next = now + PAUSE;
        let text = text(step, crate::output::terminal_width());
        let shown = text.chars().count();
        let _ = write!(io::stderr(), "\r{text:<width$}", width = state.shown);
        let _ = io::stderr().flush();
        state.shown = state.shown.max(shown);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        let shown = self
            .state
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .shown;
        if shown > 0 {
            let _ = write!(io::stderr(), "\r{:shown$}\r", "");
        }
    }
}

/// A bar of twenty places, the share, and what is done, no longer than the terminal is wide.
fn text(step: Step<'_>, width: usize) -> String {
    let Step {
        measure,
        what,
        done,
        total,
    } = step;
    let share = done as f64 / total.max(1) as f64;
    let filled = (20.0 * share) as usize;
    let bar: String = (0..20)
        .map(|at| if at < filled { '#' } else { '.' })
        .collect();
    let colon = if measure.is_empty() { "" } else { ": " };
    let percent = (100.0 * share).floor();
    let measure = visible(measure);
    let text = format!("{bar} {percent:3.0} % {measure}{colon}{what}");
    text.chars().take(width.saturating_sub(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_a_bar_and_a_share() {
        let step = |done| Step {
            measure: "AP",
            what: "randomised Tukey HSD",
            done,
            total: 1000,
        };
        assert_eq!(
            text(step(456), 80),
            "#########...........  45 % AP: randomised Tukey HSD"
        );
        assert_eq!(text(step(1000), 30), "#################### 100 % AP");
        let of_all = Step {
            measure: "",
            ..step(1000)
        };
        assert!(text(of_all, 80).ends_with("# 100 % randomised Tukey HSD"));
        let nothing = Step {
            total: 0,
            ..step(0)
        };
        assert!(text(nothing, 80).starts_with("....................   0 %"));
    }
}
