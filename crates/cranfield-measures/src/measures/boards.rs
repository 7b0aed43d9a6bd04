//! Computation tables shared by several measures; see [`cranfield_core::explain`].

use cranfield_core::explain::{Board, BoardRow, Step};
use cranfield_core::params::Cutoff;
use cranfield_core::topic::{JudgedRanking, Label, Relevant};

use super::common::{dcg, depth, ideal_dcg, precision_sum, quotient};
use super::discount::Discount;
use super::gain_model::TopicGains;

/// R, as used by most binary measures.
pub(super) fn recall_base(relevant: usize) -> Step {
    Step::given("R", "relevant documents in the judgements", relevant as f64)
}

/// The value of [`found_board`]'s formula: documents found divided by `whole`.
pub(super) fn found_of(formula: &'static str, found: usize, whole: usize, value: f64) -> Step {
    Step::result(formula, "{} / {}", [found as f64, whole as f64], value)
}

/// Tabulates documents that count equally: each rank has the same share.
pub(super) fn found_board(
    ranks: impl IntoIterator<Item = u32>,
    share: f64,
    steps: Vec<Step>,
) -> Board {
    let rows = ranks
        .into_iter()
        .zip(1u32..)
        .map(|(rank, found)| BoardRow::new(rank, [f64::from(found)], share));
    Board {
        columns: vec!["found"],
        rows: rows.collect(),
        steps,
    }
}

/// Relevant ranks down to a depth.
pub(super) fn ranks_at(relevant: &Relevant, depth: usize) -> impl Iterator<Item = u32> + '_ {
    let within = relevant.ranks.iter().copied();
    within.take_while(move |rank| *rank as usize <= depth)
}

/// Tabulates average precision: the sum of precisions at relevant ranks, divided by `most`.
pub(super) fn precision_board(
    relevant: &Relevant,
    cutoff: Option<Cutoff>,
    most: usize,
) -> Option<Board> {
    let whole = (relevant.total > 0).then_some(most as f64)?;
    let mut sum = 0.0;
    let ranks = ranks_at(relevant, depth(cutoff)).zip(relevant.precisions());
    let rows = ranks.zip(1u32..).map(|((rank, precision), found)| {
        sum += precision;
        BoardRow::new(rank, [f64::from(found), precision, sum], precision / whole)
    });
    let rows = rows.collect();
    let sum = precision_sum(relevant, cutoff);
    let mut steps = vec![recall_base(relevant.total)];
    let (formula, worked) = if most == relevant.total {
        ("sum / R", "{} / {}")
    } else {
        ("sum / min(R, k)", "{} / {}")
    };
    steps.push(Step::result(formula, worked, [sum, whole], sum / whole));
    Some(Board {
        columns: vec!["found", "found/rank", "sum"],
        rows,
        steps,
    })
}

/// Tabulates binary preference: the terms of [`super::common::bpref`].
pub(super) fn preference_board(topic: &JudgedRanking<'_>, level: f64) -> Option<Board> {
    let base = topic.base();
    let (total, nonrelevant) = (base.relevant(level), base.nonrelevant(level));
    let whole = (total > 0).then_some(total as f64)?;
    let most_above = nonrelevant.min(total) as f64;
    let (mut sum, mut above, mut rows) = (0.0, 0usize, Vec::new());
    for hit in topic.hits() {
        let judged = matches!(hit.label, Label::Judged(_));
        if judged && !hit.label.is_relevant(level) {
            above += 1;
        } else if judged {
            let term = if above == 0 {
                1.0
            } else {
                1.0 - above.min(total) as f64 / most_above
            };
            sum += term;
            let cells = [above as f64, above.min(total) as f64, term, sum];
            rows.push(BoardRow {
                needed: true,
                ..BoardRow::new(hit.rank, cells, term / whole)
            });
        }
    }
    Some(Board {
        columns: vec!["n", "min(n,R)", "term", "sum"],
        rows,
        steps: vec![
            Step::column("n", "judged non-relevant documents above"),
            recall_base(total),
            Step::given(
                "N",
                "non-relevant documents in the judgements",
                nonrelevant as f64,
            ),
            if most_above > 0.0 {
                let formula = "1 - min(n,R) / min(N,R)";
                Step::rule("term", formula, "1 - min(n,R) / {}", [most_above])
            } else {
                Step::column("term", "1, since no document was judged non-relevant")
            },
            Step::result("sum / R", "{} / {}", [sum, whole], sum / whole),
        ],
    })
}

/// Labels of a table of gains: the column of the sum, the ideal's sum, and the value's formula.
#[derive(Clone, Copy, Debug)]
pub(super) struct GainNames {
    pub(super) sum: &'static str,
    pub(super) ideal: &'static str,
    pub(super) terms: &'static str,
    pub(super) quotient: &'static str,
}

/// Discounted gain.
pub(super) const DCG: GainNames = GainNames {
    sum: "DCG",
    ideal: "IDCG",
    terms: "sum of gain / disc.",
    quotient: "DCG / IDCG",
};

/// Gain without discount.
pub(super) const CG: GainNames = GainNames {
    sum: "CG",
    ideal: "ideal CG",
    terms: "sum of gain",
    quotient: "CG / ideal CG",
};

/// Tabulates the sum of discounted gains down to a depth.
pub(super) fn gain_board(
    gains: &TopicGains<'_>,
    depth: usize,
    discount: Discount,
    names: GainNames,
) -> Option<Board> {
    let mut walk = GainWalk::new(gains, depth, discount);
    let mut rows = Vec::new();
    while let Some(rank) = walk.next_rank(false) {
        rows.push(BoardRow::new(rank, walk.cells(rank), walk.term));
    }
    let sum = dcg(gains, depth, discount);
    let mut steps = discount_step(discount);
    steps.push(Step::result(names.terms, "{}", [sum], sum));
    sum.is_finite().then(|| Board {
        columns: walk.columns(names),
        rows,
        steps,
    })
}

/// Tabulates the sum of discounted gains next to that of the ideal ranking, by which it is divided.
pub(super) fn normalised_gain_board(
    gains: &TopicGains<'_>,
    depth: usize,
    discount: Discount,
    names: GainNames,
) -> Option<Board> {
    let (sum, ideal) = (
        dcg(gains, depth, discount),
        ideal_dcg(gains, depth, discount),
    );
    let value = quotient(sum, ideal)?;
    let mut walk = GainWalk::new(gains, depth, discount);
    let (mut rows, mut ideal_sum) = (Vec::new(), 0.0);
    let mut columns = walk.columns(names);
    columns.extend(["ideal", names.ideal]);
    let ideal_gains = gains.ideal_gains().take(gains.ideal_depth(depth));
    let ideal_gains: Vec<f64> = ideal_gains.collect();
    while let Some(rank) = walk.next_rank(true) {
        let best = ideal_gains.get(rank as usize - 1).copied();
        let mut row = BoardRow {
            cells: walk.optional_cells(rank),
            needed: best.is_some(),
            ..BoardRow::new(rank, [], walk.term / ideal)
        };
        ideal_sum += best.map_or(0.0, |gain| gain / discount.at(rank));
        row.cells.extend([best, best.map(|_| ideal_sum)]);
        rows.push(row);
    }
    let mut steps = discount_step(discount);
    steps.push(Step::result(names.quotient, "{} / {}", [sum, ideal], value));
    Some(Board {
        columns,
        rows,
        steps,
    })
}

fn discount_step(discount: Discount) -> Vec<Step> {
    match discount {
        Discount::None => Vec::new(),
        _ => vec![Step::rule("disc.", discount.formula(), "", [])],
    }
}

/// A walk down the ranks that have a gain in the ranking or in its ideal.
struct GainWalk {
    documents: std::iter::Peekable<std::vec::IntoIter<(u32, f64)>>,
    ideal_len: u32,
    discount: Discount,
    rank: u32,
    /// Gain at the current rank, its discounted value, and the sum so far.
    gain: Option<f64>,
    term: f64,
    sum: f64,
}

impl GainWalk {
    fn new(gains: &TopicGains<'_>, depth: usize, discount: Discount) -> Self {
        let within = |document: &(u32, f64)| document.0 as usize <= depth;
        let documents: Vec<(u32, f64)> = gains.documents().take_while(within).collect();
        Self {
            documents: documents.into_iter().peekable(),
            ideal_len: gains
                .ideal_len()
                .min(gains.ideal_depth(depth))
                .min(u32::MAX as usize) as u32,
            discount,
            rank: 0,
            gain: None,
            term: 0.0,
            sum: 0.0,
        }
    }

    fn columns(&self, names: GainNames) -> Vec<&'static str> {
        match self.discount {
            Discount::None => vec!["gain", names.sum],
            _ => vec!["gain", "disc.", "gain/d", names.sum],
        }
    }

    /// The next rank with a gain, or if `ideal` is set with a gain in the ideal ranking.
    fn next_rank(&mut self, ideal: bool) -> Option<u32> {
        let found = self.documents.peek().map(|(rank, _)| *rank);
        let best = Some(self.rank + 1).filter(|rank| ideal && *rank <= self.ideal_len);
        self.rank = match (found, best) {
            (Some(found), Some(best)) => found.min(best),
            (found, best) => found.or(best)?,
        };
        let here = self.documents.next_if(|(rank, _)| *rank == self.rank);
        self.gain = here.map(|(_, gain)| gain);
        self.term = self
            .gain
            .map_or(0.0, |gain| gain / self.discount.at(self.rank));
        self.sum += self.term;
        Some(self.rank)
    }

    fn cells(&self, rank: u32) -> Vec<f64> {
        self.optional_cells(rank).into_iter().flatten().collect()
    }

    fn optional_cells(&self, rank: u32) -> Vec<Option<f64>> {
        let term = self.gain.map(|_| self.term);
        let sum = self.gain.map(|_| self.sum);
        match self.discount {
            Discount::None => vec![self.gain, sum],
            _ => vec![self.gain, Some(self.discount.at(rank)), term, sum],
        }
    }
}
