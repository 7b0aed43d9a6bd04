//! Scores as lines of an archive. Numbers are written with as many digits as their bits need.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::tables::{Kind, Names};
use crate::problem::Problem;
use crate::scoring::{Values, of_bytes};

/// The values of an entry by one measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) entry: String,
    pub(crate) measure: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) public: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) private: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) overall: Option<f64>,
    /// In the order of the topics; none where the measure is undefined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) topics: Vec<Option<f64>>,
}

impl Line {
    /// Whether these values have the same bits.
    pub(crate) fn is_same(&self, values: &Values) -> bool {
        let bits = |value: Option<f64>| value.map(f64::to_bits);
        let topics = values
            .topics
            .iter()
            .map(|value| Some(*value).filter(|value| !value.is_nan()));
        bits(self.public) == bits(values.public)
            && bits(self.private) == bits(values.private)
            && bits(self.overall) == bits(values.overall)
            && self.topics.iter().copied().map(bits).eq(topics.map(bits))
    }
}

/// The values of a scoring, by entry and measure.
pub(crate) fn lines(
    db: &Connection,
    scoring: i64,
    measures: &[String],
    names: &Names,
) -> Result<Vec<Line>, Problem> {
    let mut query = db.prepare(
        "SELECT submission, measure, public, private, overall, topics FROM score WHERE scoring = ?1 ORDER BY submission, measure",
    )?;
    let mut rows = query.query([scoring])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        let entry = names.name(Kind::Entry, row.get(0)?)?;
        let measure = measures.get(row.get::<_, u32>(1)? as usize);
        let topics = of_bytes(&row.get::<_, Vec<u8>>(5)?);
        lines.push(Line {
            entry: entry.as_str().unwrap_or_default().to_owned(),
            measure: measure.cloned().unwrap_or_default(),
            public: row.get(2)?,
            private: row.get(3)?,
            overall: row.get(4)?,
            topics: topics
                .into_iter()
                .map(|value| Some(value).filter(|value| !value.is_nan()))
                .collect(),
        });
    }
    Ok(lines)
}
