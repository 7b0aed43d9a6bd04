//! Rank discounts for the measures of the cumulated gain family.

use cranfield_core::params::{ParamInfo, ParamKind, Params};
use cranfield_core::topic::log2_discount;

/// The divisor of a gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Discount {
    /// log2(rank + 1).
    Log2,
    /// The logarithm of the rank to this base, starting at the rank equal to the base; 1 before it.
    Logarithm(f64),
    /// 1.
    None,
    /// The rank.
    Zipf,
}

impl Discount {
    /// The parameter that selects it.
    pub(super) const PARAM: ParamInfo = ParamInfo {
        name: "discount",
        kind: ParamKind::Word(&["log2", "jk", "none", "zipf"]),
        default: "log2",
        help: "divisor of the gain at rank i: log2(i + 1), log_base(i) from rank base on, 1, or i",
    };

    /// The base of `discount='jk'`.
    pub(super) const BASE: ParamInfo = ParamInfo {
        name: "base",
        kind: ParamKind::Real {
            min: 2.0,
            max: f64::INFINITY,
        },
        default: "2",
        help: "base of the logarithm of discount='jk'",
    };

    /// Reads the parameters [`Discount::PARAM`] and [`Discount::BASE`].
    pub(crate) fn of(params: &Params) -> Self {
        match params.word("discount") {
            "jk" => Self::Logarithm(params.real("base")),
            "none" => Self::None,
            "zipf" => Self::Zipf,
            _ => Self::Log2,
        }
    }

    /// The discount as a formula.
    pub(super) fn formula(self) -> &'static str {
        match self {
            Self::Log2 => "log2(rank + 1)",
            Self::Logarithm(_) => "log(rank) / log(base), and 1 for ranks below the base",
            Self::None => "1",
            Self::Zipf => "rank",
        }
    }

    /// The divisor of the gain at this rank.
    pub(crate) fn at(self, rank: u32) -> f64 {
        match self {
            Self::Log2 => log2_discount(rank),
            Self::Logarithm(base) => logarithm(f64::from(rank), base),
            Self::None => 1.0,
            Self::Zipf => f64::from(rank),
        }
    }

    /// Sum of discounted gains, over documents by rank.
    pub(crate) fn sum(self, documents: impl Iterator<Item = (u32, f64)>) -> f64 {
        match self {
            Self::Log2 => sum_by(documents, log2_discount),
            Self::Logarithm(base) => sum_by(documents, |rank| logarithm(f64::from(rank), base)),
            Self::None => sum_by(documents, |_| 1.0),
            Self::Zipf => sum_by(documents, f64::from),
        }
    }
}

/// Chooses the discount once instead of for each document.
fn sum_by(documents: impl Iterator<Item = (u32, f64)>, discount: impl Fn(u32) -> f64) -> f64 {
    let mut sum = 0.0;
    documents.for_each(|(rank, gain)| sum += gain / discount(rank));
    sum
}

/// The logarithm of a rank, and 1 for a rank below the base. Bases 2 and 10 use dedicated functions that are
/// exact for their powers.
fn logarithm(rank: f64, base: f64) -> f64 {
    if rank < base {
        1.0
    } else if base == 2.0 {
        rank.log2()
    } else if base == 10.0 {
        rank.log10()
    } else {
        rank.ln() / base.ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discounts_of_three_ranks() {
        let ones = || [1, 3, 8].map(|rank| (rank, 1.0)).into_iter();
        assert_eq!(Discount::Log2.sum(ones()), 1.0 + 0.5 + 1.0 / 9f64.log2());
        assert_eq!(
            Discount::Logarithm(2.0).sum(ones()),
            1.0 + 1.0 / 3f64.log2() + 1.0 / 3.0
        );
        assert_eq!(Discount::Logarithm(8.0).sum(ones()), 3.0);
        assert_eq!(Discount::None.sum(ones()), 3.0);
        assert_eq!(Discount::Zipf.sum(ones()), 1.0 + 1.0 / 3.0 + 1.0 / 8.0);
        for discount in [Discount::Log2, Discount::Logarithm(3.0), Discount::Zipf] {
            assert_eq!(
                discount.sum([(7, 1.0)].into_iter()),
                1.0 / discount.at(7),
                "{discount:?}"
            );
        }
    }

    #[test]
    fn powers_of_a_base_are_exact() {
        assert_eq!(logarithm(1000.0, 10.0), 3.0);
        assert_eq!(logarithm(1024.0, 2.0), 10.0);
        assert_eq!(logarithm(7.0, 1e300), 1.0);
    }
}
