//! Move to front, and bandits whose arms are runs.

use cranfield_stats::random::Stream;

use super::Asking;
use super::arms::Arms;

/// Stays with a run while its documents are relevant. A document that is not lowers the run's priority by 1, and the run with the
/// highest priority is next.
#[derive(Debug)]
pub(super) struct MoveToFront {
    arms: Arms,
    priority: Vec<i64>,
    stay: Option<usize>,
}

impl MoveToFront {
    pub(super) fn new(arms: Arms) -> Self {
        Self {
            priority: vec![0; arms.len()],
            arms,
            stay: None,
        }
    }
}

impl Asking for MoveToFront {
    fn next(&mut self) -> Option<u32> {
        let (priority, stay) = (&self.priority, self.stay);
        self.arms.ask(|run| match stay {
            Some(stay) if stay == run => f64::INFINITY,
            _ => priority[run] as f64,
        })
    }

    fn answer(&mut self, relevant: bool) {
        let Some(run) = self.arms.current() else {
            return;
        };
        self.stay = relevant.then_some(run);
        self.priority[run] -= i64::from(!relevant);
    }

    fn run(&self) -> Option<usize> {
        self.arms.current()
    }
}

/// Counts of relevant and of all answers, by run. Before each answer both are multiplied by rho.
#[derive(Debug)]
struct Counts {
    rho: f64,
    relevant: Vec<f64>,
    all: Vec<f64>,
}

impl Counts {
    fn new(runs: usize, rho: f64) -> Self {
        Self {
            rho,
            relevant: vec![0.0; runs],
            all: vec![0.0; runs],
        }
    }

    fn add(&mut self, runs: &[usize], relevant: bool) {
        for &run in runs {
            self.relevant[run] = self.rho * self.relevant[run] + f64::from(u8::from(relevant));
            self.all[run] = self.rho * self.all[run] + 1.0;
        }
    }
}

/// The run with the largest mean, (1 + r) / (2 + n).
#[derive(Debug)]
pub(super) struct MaxMean {
    arms: Arms,
    counts: Counts,
}

impl MaxMean {
    pub(super) fn new(arms: Arms, rho: f64) -> Self {
        Self {
            counts: Counts::new(arms.len(), rho),
            arms,
        }
    }
}

impl Asking for MaxMean {
    fn next(&mut self) -> Option<u32> {
        let counts = &self.counts;
        self.arms
            .ask(|run| (1.0 + counts.relevant[run]) / (2.0 + counts.all[run]))
    }

    fn answer(&mut self, relevant: bool) {
        self.counts.add(&self.arms.learning(), relevant);
    }

    fn run(&self) -> Option<usize> {
        self.arms.current()
    }
}

/// The run with the largest draw of Beta(1 + r, 1 + n − r).
#[derive(Debug)]
pub(super) struct Thompson {
    arms: Arms,
    counts: Counts,
    stream: Stream,
}

impl Thompson {
    pub(super) fn new(arms: Arms, rho: f64, stream: Stream) -> Self {
        Self {
            counts: Counts::new(arms.len(), rho),
            arms,
            stream,
        }
    }
}

impl Asking for Thompson {
    fn next(&mut self) -> Option<u32> {
        let (counts, stream) = (&self.counts, &mut self.stream);
        self.arms.ask(|run| {
            let relevant = counts.relevant[run];
            let x = stream.gamma(1.0 + relevant);
            let y = stream.gamma(1.0 + counts.all[run] - relevant);
            x / (x + y)
        })
    }

    fn answer(&mut self, relevant: bool) {
        self.counts.add(&self.arms.learning(), relevant);
    }

    fn run(&self) -> Option<usize> {
        self.arms.current()
    }
}

/// The run with the largest r / n + √(2 ln t / n) after t answers; runs without an answer come first.
#[derive(Debug)]
pub(super) struct UpperConfidence {
    arms: Arms,
    counts: Counts,
}

impl UpperConfidence {
    pub(super) fn new(arms: Arms) -> Self {
        Self {
            counts: Counts::new(arms.len(), 1.0),
            arms,
        }
    }
}

impl Asking for UpperConfidence {
    fn next(&mut self) -> Option<u32> {
        let counts = &self.counts;
        let answers = self.arms.questions() as f64;
        self.arms.ask(|run| match counts.all[run] {
            0.0 => f64::INFINITY,
            n => counts.relevant[run] / n + (2.0 * answers.ln() / n).sqrt(),
        })
    }

    fn answer(&mut self, relevant: bool) {
        self.counts.add(&self.arms.learning(), relevant);
    }

    fn run(&self) -> Option<usize> {
        self.arms.current()
    }
}
