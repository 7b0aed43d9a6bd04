//! Means and standard deviations of measures by topic, from the file of `-Z`.

use std::collections::HashMap;
use std::ffi::OsStr;

use cranfield_io::trec::atof;

use super::exit::{Exit, ZSCORES};
use super::input::{self, Comments};

/// The score of a value that the file does not have, or has with an invalid deviation.
const UNKNOWN: f64 = -1_000_000.0;

/// A measure's mean and standard deviation for one topic.
#[derive(Clone, Copy, Debug)]
struct Norm {
    mean: f64,
    deviation: f64,
}

/// All norms.
#[derive(Debug, Default)]
pub(super) struct ZScores {
    by_topic: HashMap<Vec<u8>, HashMap<Vec<u8>, Norm>>,
}

impl ZScores {
    /// Reads `topic measure mean deviation`.
    pub(super) fn read(path: &OsStr) -> Result<Self, Exit> {
        let name = path.as_encoded_bytes();
        let cannot: &[&[u8]] = &[
            b"trec_eval.get_zscores: Cannot read zscores file '",
            name,
            b"'\n",
        ];
        let content = input::open(path).ok_or_else(|| Exit::new(ZSCORES, cannot))?;
        let mut scores = Self::default();
        for line in input::fields(&content, Comments::Data) {
            let [topic, measure, mean, deviation] =
                line.map_err(|number| input::malformed(ZSCORES, "get_zscores", number))?;
            let norms = scores.by_topic.entry(topic.to_vec()).or_default();
            let norm = Norm {
                mean: atof(mean),
                deviation: atof(deviation),
            };
            norms.entry(measure.to_vec()).or_insert(norm);
        }
        Ok(scores)
    }

    /// The z-score of a measure's value.
    pub(super) fn score(&self, topic: &[u8], measure: &str, value: f64) -> f64 {
        let norm = self
            .by_topic
            .get(topic)
            .and_then(|norms| norms.get(measure.as_bytes()));
        match norm {
            Some(Norm { mean, deviation }) if *deviation != 0.0 => (value - mean) / deviation,
            Some(Norm { mean, .. }) if *mean == value => 0.0,
            _ => UNKNOWN,
        }
    }
}
