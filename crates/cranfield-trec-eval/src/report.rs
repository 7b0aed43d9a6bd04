//! The printed lines: values by topic, and the summary.

use cranfield_core::measure::{Aggregate, GEOMETRIC_FLOOR};
use cranfield_measures::trec_names::TrecKind;

use super::exit::{ABORT, CALCULATION, Exit, NO_TOPIC};
use super::judgements::{Cause, Evaluated, Judgements};
use super::options::{Compat, Options};
use super::output::Output;
use super::print::{self, Cell, Scale};
use super::request::{Column, Needs, Selection};
use super::zscores::ZScores;

/// The inputs of the report.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) options: &'a Options,
    pub(super) selection: &'a Selection,
    pub(super) judgements: &'a Judgements,
    pub(super) evaluated: &'a Evaluated,
    pub(super) zscores: Option<&'a ZScores>,
}

/// Sums over topics, one per column.
struct Sums {
    values: Vec<f64>,
    topics: usize,
}

impl Report<'_> {
    /// Writes all lines. Lines before a failure stay written.
    pub(super) fn write(&self, out: &mut Output<'_>) -> Result<(), Exit> {
        let mut sums = Sums {
            values: vec![0.0; self.selection.columns.len()],
            topics: 0,
        };
        for (at, topic) in self.evaluated.scores.topics.iter().enumerate() {
            let is_other = |wanted: &Vec<u8>| **wanted != *topic.id;
            if self.options.topic.as_ref().is_some_and(is_other) || !self.is_present(at)? {
                continue;
            }
            self.check(at)?;
            let values = self.stored(at);
            if self.options.per_topic {
                self.write_topic(&mut out.buffer, at, &values);
                out.spill();
            }
            sums.values
                .iter_mut()
                .zip(values)
                .for_each(|(sum, value)| *sum += value);
            sums.topics += 1;
        }
        if sums.topics == 0 {
            return Err(Exit::says(
                NO_TOPIC,
                "No queries with both results and relevance info",
            ));
        }
        if self.options.summary {
            self.write_summary(&mut out.buffer, &sums);
        }
        Ok(())
    }

    /// Whether a topic is evaluated. Version 9 skips topics that the run lacks; version 10 exits unless all judged topics count.
    fn is_present(&self, at: usize) -> Result<bool, Exit> {
        let topic = &self.evaluated.scores.topics[at];
        match self.options.compat {
            _ if topic.in_run => Ok(true),
            Compat::Nine => Ok(false),
            Compat::Ten if self.options.complete => Ok(true),
            Compat::Ten => {
                let text: &[&[u8]] = &[
                    b"trec_eval: result qid '",
                    &topic.id,
                    b"' not found in qrels\n",
                ];
                Err(Exit::new(CALCULATION, text))
            }
        }
    }

    /// Exits if a measure cannot be computed for a topic: the first in the order of the registry.
    fn check(&self, at: usize) -> Result<(), Exit> {
        let cause = self.evaluated.causes.get(&at);
        for (row, needs) in self
            .selection
            .rows
            .iter()
            .filter(|(_, needs)| *needs != Needs::Nothing)
        {
            let failed = |text: &[u8]| {
                let exit = Exit::new(CALCULATION, &[text]);
                Err(exit.then(&[
                    b"trec_eval: Can't calculate measure '",
                    row.name.as_bytes(),
                    b"'\n",
                ]))
            };
            if *needs != self.judgements.provides() {
                return failed(wrong_format(*needs));
            }
            if row.name == "utility" && self.selection.bad_utility {
                return failed(b"trec_eval.calc_utility: improper number of coefficients\n");
            }
            match cause {
                Some(Cause::Failure(text)) => return failed(text),
                Some(Cause::Abort(text)) => return Err(Exit::new(ABORT, &[text])),
                None => {}
            }
        }
        Ok(())
    }

    /// A topic's values as they are added up: those of the missing document cleared, logarithms for geometric means, z-scores.
    fn stored(&self, at: usize) -> Vec<f64> {
        let topic = &self.evaluated.scores.topics[at];
        let columns = self.selection.measures().zip(self.evaluated.scores.row(at));
        let stored = columns.map(|((column, measure), &value)| {
            let value = if !topic.in_run && is_cleared(&column.name) {
                0.0
            } else {
                value
            };
            let value = match measure.info.aggregate {
                Aggregate::GeometricMean => value.max(GEOMETRIC_FLOOR).ln(),
                _ => value,
            };
            self.zscores
                .map_or(value, |scores| scores.score(&topic.id, &column.name, value))
        });
        stored.collect()
    }

    fn scale(&self) -> Scale {
        if self.zscores.is_some() {
            Scale::ZScores
        } else {
            Scale::Raw
        }
    }

    fn write_topic(&self, out: &mut Vec<u8>, at: usize, values: &[f64]) {
        let scores = &self.evaluated.scores;
        let topic = &scores.topics[at];
        let n_strings = scores.strings.len() / scores.topics.len();
        let mut strings = scores.strings[at * n_strings..(at + 1) * n_strings].iter();
        for (column, value) in self
            .selection
            .columns
            .iter()
            .zip(values)
            .filter(|(column, _)| column.row.per_topic)
        {
            let cell = if is_text(column) {
                let text = strings.next().map_or("", String::as_str);
                let is_cleared = !topic.in_run && column.name == "relstring";
                Cell::Quoted(if is_cleared { "" } else { text })
            } else {
                number(column, *value)
            };
            print::line(out, self.scale(), &column.name, &topic.id, cell);
        }
    }

    fn write_summary(&self, out: &mut Vec<u8>, sums: &Sums) {
        let n = if self.options.complete {
            self.evaluated.scores.topics.len()
        } else {
            sums.topics
        };
        for (((column, measure), sum), _) in self
            .selection
            .measures()
            .zip(&sums.values)
            .zip(0..)
            .filter(|(((column, _), _), _)| column.row.summary)
        {
            let cell = match (column.row.name, measure.info.aggregate) {
                ("runid", _) => Cell::Text(&self.evaluated.tag),
                ("num_q", _) => Cell::Whole(n as f64),
                ("num_rel", _) if self.options.complete => {
                    Cell::Whole(self.judgements.positive() as f64)
                }
                (_, Aggregate::GeometricMean) => {
                    let skipped = (n - sums.topics) as f64;
                    Cell::Real(((sum + skipped * GEOMETRIC_FLOOR.ln()) / n as f64).exp())
                }
                (_, Aggregate::Mean) => number(column, sum / n as f64),
                (_, Aggregate::Sum | Aggregate::None) => number(column, *sum),
            };
            print::line(out, self.scale(), &column.name, b"all", cell);
        }
    }
}

fn wrong_format(needs: Needs) -> &'static [u8] {
    match needs {
        Needs::Groups => b"trec_eval: rel_info format not qrels_jg or results format not trec_results\n",
        Needs::Preferences => {
            b"trec_eval.form_prefs_info: prefs_info format not (prefs or qrels_prefs) or results format not trec_results\n"
        }
        Needs::Grades | Needs::Nothing => {
            b"trec_eval.form_res_qrels: rel_info format not qrels or results format not trec_results\n"
        }
    }
}

/// Whether the value of a missing topic's placeholder document is set to zero, which depends on the printed name.
fn is_cleared(name: &str) -> bool {
    matches!(name, "num_ret" | "utility" | "rbp_resid") || name.starts_with("unj")
}

fn is_text(column: &Column) -> bool {
    column.row.name == "relstring"
}

fn number(column: &Column, value: f64) -> Cell<'static> {
    match column.row.kind {
        TrecKind::Count => Cell::Whole(value),
        _ => Cell::Real(value),
    }
}
