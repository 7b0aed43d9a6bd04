//! Counts of preferences by whether their documents were retrieved.

/// The preferences that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All; one between two documents that were not retrieved is not fulfilled.
    All,
    /// Those with at least one document retrieved: a retrieved document is implied to be ranked before one that is not.
    Implied,
    /// Those with both documents retrieved.
    Retrieved,
}

/// Numbers of preferences 'a to b', possible and fulfilled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// Both retrieved.
    pub possible_retrieved: u64,
    /// One of the two retrieved.
    pub possible_implied: u64,
    /// Neither retrieved.
    pub possible_elsewhere: u64,
    /// Both retrieved, a before b.
    pub fulfilled_retrieved: u64,
    /// Only a retrieved.
    pub fulfilled_implied: u64,
}

impl PairCounts {
    /// Possible preferences.
    pub fn possible(&self, scope: Scope) -> u64 {
        match scope {
            Scope::All => self.possible(Scope::Implied) + self.possible_elsewhere,
            Scope::Implied => self.possible_retrieved + self.possible_implied,
            Scope::Retrieved => self.possible_retrieved,
        }
    }

    /// Fulfilled preferences.
    pub fn fulfilled(&self, scope: Scope) -> u64 {
        match scope {
            Scope::All | Scope::Implied => self.fulfilled_retrieved + self.fulfilled_implied,
            Scope::Retrieved => self.fulfilled_retrieved,
        }
    }
}

/// Preferences over all groups, summed up for each pair of documents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairMeans {
    /// Pairs with both documents retrieved.
    pub(super) retrieved: PairSum,
    /// Includes pairs with one retrieved document.
    pub(super) implied: PairSum,
    /// Number of pairs with neither retrieved.
    pub(super) elsewhere: u64,
}

/// A sum over pairs, and how many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairSum {
    sum: f64,
    pairs: u64,
}

impl PairSum {
    /// Adds a pair whose documents are ranked in this order by `forward` preferences and against it by `backward`.
    pub(super) fn add(&mut self, forward: u64, backward: u64) {
        self.sum += forward as f64 / (forward + backward) as f64;
        self.pairs += 1;
    }
}

impl PairMeans {
    /// The sum if no pair of documents has two preferences.
    pub(super) fn of_distinct(counts: &PairCounts) -> Self {
        let sum = |scope| PairSum {
            sum: counts.fulfilled(scope) as f64,
            pairs: counts.possible(scope),
        };
        Self {
            retrieved: sum(Scope::Retrieved),
            implied: sum(Scope::Implied),
            elsewhere: counts.possible_elsewhere,
        }
    }

    /// The mean over pairs of the share of preferences that are fulfilled.
    pub(super) fn mean(&self, scope: Scope) -> Option<f64> {
        let (part, more) = match scope {
            Scope::All => (self.implied, self.elsewhere),
            Scope::Implied => (self.implied, 0),
            Scope::Retrieved => (self.retrieved, 0),
        };
        let pairs = part.pairs + more;
        (pairs > 0).then(|| part.sum / pairs as f64)
    }
}

/// Preferences of one document, gathered from all groups: against those with greater numbers, in both directions.
#[derive(Debug)]
pub(super) struct Row {
    /// To each document.
    pub(super) forward: Vec<u64>,
    /// From each document.
    pub(super) backward: Vec<u64>,
}

impl Row {
    /// Creates space for `docs` documents.
    pub(super) fn new(docs: usize) -> Self {
        Self {
            forward: vec![0; docs],
            backward: vec![0; docs],
        }
    }

    /// Takes the preferences against documents from `first` on, by ascending number, and leaves zeros.
    pub(super) fn take(&mut self, first: usize) -> impl Iterator<Item = (usize, u64, u64)> + '_ {
        let both = self.forward[first..]
            .iter_mut()
            .zip(&mut self.backward[first..])
            .zip(first..);
        both.filter(|((forward, backward), _)| **forward + **backward > 0)
            .map(|((forward, backward), doc)| {
                (doc, std::mem::take(forward), std::mem::take(backward))
            })
    }
}
