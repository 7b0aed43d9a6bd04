//! Values as they are printed.

use cranfield::report::{Cell, rounded};
use serde_json::{Value, json};

/// A number, an interval, or text.
#[derive(Clone, Debug)]
pub(crate) enum Scored {
    Number(Number),
    Interval(Number, Number),
    Text(String),
}

/// A number; `None` is undefined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    pub(crate) value: Option<f64>,
    /// Whether it is a count: a whole number, unless it is an expected value.
    pub(crate) count: bool,
    /// Whether averages skip it if it is undefined, instead of counting it as 0.
    pub(crate) left_out: bool,
}

impl Number {
    /// A number that is not a count, and counts as 0 if it is undefined.
    pub(crate) fn real(value: Option<f64>) -> Self {
        Self {
            value,
            count: false,
            left_out: false,
        }
    }

    /// The value as a whole number, if it is a count and whole.
    fn whole(self) -> Option<i64> {
        let value = self
            .value
            .filter(|value| self.count && value.fract() == 0.0);
        value.map(|value| value as i64)
    }

    pub(crate) fn cell(self) -> Cell {
        self.whole().map_or(Cell::real(self.value), Cell::Int)
    }

    pub(crate) fn json(self) -> Value {
        match self.whole() {
            Some(whole) => json!(whole),
            None => json!(self.value),
        }
    }

    fn text(self, value: f64, digits: usize) -> String {
        match self.whole() {
            Some(whole) => whole.to_string(),
            None => rounded(value, digits),
        }
    }

    /// The number as `trec_eval` prints it: an undefined value is 0, or `nan` if averages skip it.
    pub(crate) fn trec(self) -> String {
        match self.value {
            Some(value) if value.is_nan() => "  -nan".into(),
            Some(value) if self.count => format!("{value}"),
            Some(value) => format!("{value:6.4}"),
            None if self.count => "0".into(),
            None if self.left_out => "   nan".into(),
            None => "0.0000".into(),
        }
    }
}

impl Scored {
    /// The interval between two values, the smaller one first.
    pub(crate) fn between(one: Number, other: Number) -> Self {
        if one.value > other.value && other.value.is_some() {
            Self::Interval(other, one)
        } else {
            Self::Interval(one, other)
        }
    }

    /// The value in a table for reading.
    pub(crate) fn cell(&self, digits: usize) -> Cell {
        match self {
            Self::Number(number) => number.cell(),
            Self::Interval(low, high) if low == high => low.cell(),
            Self::Interval(low, high) => match (low.value, high.value) {
                (Some(one), Some(other)) => Cell::text(format!(
                    "{}..{}",
                    low.text(one, digits),
                    high.text(other, digits)
                )),
                _ => Cell::Missing,
            },
            Self::Text(text) => Cell::text(text.clone()),
        }
    }

    /// The value in a record, and the upper end of an interval.
    pub(crate) fn exact(&self) -> [Cell; 2] {
        match self {
            Self::Number(number) => [number.cell(), Cell::Missing],
            Self::Interval(low, high) => [low.cell(), high.cell()],
            Self::Text(text) => [Cell::text(text.clone()), Cell::Missing],
        }
    }

    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Number(number) => number.json(),
            Self::Interval(low, high) => json!([low.json(), high.json()]),
            Self::Text(text) => json!(text),
        }
    }
}
