//! Walks down two rankings in parallel and counts shared items.

use super::{RankingPair, Side, Ties};

/// A list at some depth: groups before `group` count fully, `group` partially, later ones not yet.
#[derive(Debug)]
struct Cursor<'a> {
    side: &'a Side,
    group: usize,
}

impl Cursor<'_> {
    /// Number of items of the current group; 0 beyond the end.
    fn size(&self) -> usize {
        self.side.end(self.group) - self.side.start(self.group)
    }

    /// The fraction of the current group within the first `depth` ranks.
    fn fraction(&self, depth: usize, ties: Ties) -> f64 {
        let within = depth.saturating_sub(self.side.start(self.group));
        match (ties, self.size()) {
            (Ties::SameRank, _) | (_, 0) => 1.0,
            (_, size) => within.min(size) as f64 / size as f64,
        }
    }

    /// The size of the list at `depth`: Σ c, or Σ c² for the corrected variant; `depth` itself beyond the
    /// list's end.
    fn mass(&self, depth: usize, ties: Ties) -> f64 {
        if depth > self.side.len() {
            return depth as f64;
        }
        match ties {
            Ties::SameRank => self.side.end(self.group) as f64,
            Ties::Expected => depth as f64,
            Ties::Corrected => {
                let part = self.fraction(depth, ties);
                self.side.start(self.group) as f64 + self.size() as f64 * part * part
            }
        }
    }
}

/// Numbers of items in a list's current group and in the groups before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) before: usize,
    pub(super) current: usize,
}

impl Counts {
    /// The count, with the current group counted partially.
    pub(super) fn weighted(self, fraction: f64) -> f64 {
        self.before as f64 + fraction * self.current as f64
    }

    fn of(&mut self, is_current: bool) -> &mut usize {
        if is_current {
            &mut self.current
        } else {
            &mut self.before
        }
    }
}

/// The two rankings at one depth. The whole walk takes time linear in the number of items.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    ties: Ties,
    depth: usize,
    short: Cursor<'a>,
    long: Cursor<'a>,
    /// Shared items by position in the longer list, for those before and in the shorter list's current group.
    by_short: [Counts; 2],
    /// Items only in the longer list.
    only_long: Counts,
}

impl<'a> Walk<'a> {
    pub(super) fn new(pair: &'a RankingPair, ties: Ties) -> Self {
        let cursor = |side| Cursor { side, group: 0 };
        let mut walk = Self {
            ties,
            depth: 0,
            short: cursor(&pair.short),
            long: cursor(&pair.long),
            by_short: [Counts::default(); 2],
            only_long: Counts::default(),
        };
        // The shorter list starts in its first group, so that pairs of first groups are counted once.
        walk.enter_long();
        walk
    }

    /// Advances by one rank.
    pub(super) fn advance(&mut self) {
        self.depth += 1;
        if self.short.group < self.short.side.ends.len()
            && self.depth > self.short.side.end(self.short.group)
        {
            self.leave_short();
            self.short.group += 1;
            self.enter_short();
        }
        if self.long.group < self.long.side.ends.len()
            && self.depth > self.long.side.end(self.long.group)
        {
            self.leave_long();
            self.long.group += 1;
            self.enter_long();
        }
    }

    /// X: the overlap.
    pub(super) fn overlap(&self) -> f64 {
        let (short, long) = (self.short_fraction(), self.long_fraction());
        let [before, current] = self.by_short;
        before.weighted(long) + short * current.weighted(long)
    }

    /// Converts an overlap at this depth to an agreement.
    pub(super) fn agreement(&self, overlap: f64) -> f64 {
        let (ties, depth) = (self.ties, self.depth);
        let (short, long) = (self.short.mass(depth, ties), self.long.mass(depth, ties));
        match ties {
            Ties::SameRank => 2.0 * overlap / (short + long),
            Ties::Expected => overlap / depth as f64,
            Ties::Corrected => overlap / (short * long).sqrt(),
        }
    }

    /// The most that `unseen` further items of the shorter list can add: the first items only in the longer
    /// list.
    pub(super) fn most_added(&self, unseen: usize) -> f64 {
        let before = self.only_long.before.min(unseen);
        let current = self.only_long.current.min(unseen - before);
        Counts { before, current }.weighted(self.long_fraction())
    }

    /// The mean weight of the items only in the longer list at this depth.
    pub(super) fn mean_share(&self) -> f64 {
        let seen = self.only_long.before + self.only_long.current;
        if seen == 0 {
            return 0.0;
        }
        self.only_long.weighted(self.long_fraction()) / seen as f64
    }

    fn short_fraction(&self) -> f64 {
        self.short.fraction(self.depth, self.ties)
    }

    fn long_fraction(&self) -> f64 {
        self.long.fraction(self.depth, self.ties)
    }

    /// Counts the items of the shorter list's new group that the longer list has reached.
    fn enter_short(&mut self) {
        for long in partners(&self.short).flatten() {
            if long <= self.long.group {
                *self.by_short[1].of(long == self.long.group) += 1;
            }
        }
    }

    fn leave_short(&mut self) {
        let [before, current] = &mut self.by_short;
        before.before += std::mem::take(&mut current.before);
        before.current += std::mem::take(&mut current.current);
    }

    /// Counts the items of the longer list's new group.
    fn enter_long(&mut self) {
        for short in partners(&self.long) {
            match short {
                None => self.only_long.current += 1,
                Some(short) if short <= self.short.group => {
                    self.by_short[usize::from(short == self.short.group)].current += 1;
                }
                Some(_) => {}
            }
        }
    }

    fn leave_long(&mut self) {
        for counts in self.by_short.iter_mut().chain([&mut self.only_long]) {
            counts.before += std::mem::take(&mut counts.current);
        }
    }
}

/// The groups of the current group's items in the other list.
fn partners<'a>(cursor: &Cursor<'a>) -> impl Iterator<Item = Option<usize>> + use<'a> {
    let side = cursor.side;
    let items = side.start(cursor.group)..side.end(cursor.group);
    side.partners[items].iter().copied()
}
