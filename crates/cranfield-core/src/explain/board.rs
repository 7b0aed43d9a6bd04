//! Tables in which measures show their own computation step by step.

use std::borrow::Cow;

/// A measure's computation on one topic, rank by rank.
///
/// The shares of the rows and the measure's [offset](crate::measure::Measure::offset) add up to the value, which is the last step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// Headings of the cells.
    pub columns: Vec<&'static str>,
    /// The ranks that matter, in ascending order.
    pub rows: Vec<BoardRow>,
    /// From sums to the value.
    pub steps: Vec<Step>,
}

/// One rank.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardRow {
    /// The rank, from 1; beyond the end of the ranking where an ideal ranking is longer.
    pub rank: u32,
    /// One cell per column.
    pub cells: Vec<Option<f64>>,
    /// The rank's part of the value.
    pub share: f64,
    /// Whether the value cannot be followed without this row, whatever its share.
    pub needed: bool,
}

impl BoardRow {
    /// A row of numbers.
    pub fn new(rank: u32, cells: impl IntoIterator<Item = f64>, share: f64) -> Self {
        Self {
            rank,
            cells: cells.into_iter().map(Some).collect(),
            share,
            needed: false,
        }
    }
}

/// One line below the table: a quantity, where it comes from, and its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Name of the quantity; empty for the measure itself.
    pub name: Cow<'static, str>,
    /// A description, or the formula in symbols.
    pub formula: &'static str,
    /// The formula with `{}` for each number; empty if there is nothing to compute.
    pub worked: &'static str,
    /// The numbers.
    pub numbers: Vec<f64>,
    /// The result; `None` for a quantity that differs by row.
    pub value: Option<f64>,
}

impl Step {
    /// A quantity that is given, with words for what it is.
    pub fn given(name: impl Into<Cow<'static, str>>, what: &'static str, value: f64) -> Self {
        Self {
            name: name.into(),
            formula: what,
            worked: "",
            numbers: Vec::new(),
            value: Some(value),
        }
    }

    /// Describes the numbers of a column.
    pub fn column(name: &'static str, what: &'static str) -> Self {
        Self::rule(name, what, "", [])
    }

    /// Shows how the numbers of a column are computed.
    pub fn rule(
        name: &'static str,
        formula: &'static str,
        worked: &'static str,
        numbers: impl Into<Vec<f64>>,
    ) -> Self {
        Self {
            name: name.into(),
            formula,
            worked,
            numbers: numbers.into(),
            value: None,
        }
    }

    /// A quantity that is computed on the way to the value.
    pub fn named(
        name: &'static str,
        formula: &'static str,
        worked: &'static str,
        numbers: impl Into<Vec<f64>>,
        value: f64,
    ) -> Self {
        Self {
            value: Some(value),
            ..Self::rule(name, formula, worked, numbers)
        }
    }

    /// The measure's value.
    pub fn result(
        formula: &'static str,
        worked: &'static str,
        numbers: impl Into<Vec<f64>>,
        value: f64,
    ) -> Self {
        Self::named("", formula, worked, numbers, value)
    }
}
