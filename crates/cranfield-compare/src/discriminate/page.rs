//! Discriminative power in every format.

use cranfield_core::setting::Message;
use cranfield_eval::{Evaluation, provenance};
use cranfield_render::{Cell, Column, Content, Records, Render, Section, Table, plural};
use cranfield_stats::discriminative::SwapBin;
use cranfield_stats::random::MOST_REPLICATES;
use cranfield_stats::short;
use serde_json::{Value, json};

use super::{Discriminated, Discrimination};
use crate::compare::{FEW_RESAMPLES, topic_notes};
use crate::limits::would_do;

/// Discriminative power with its evaluation, which can be rendered.
#[derive(Clone, Copy, Debug)]
pub struct DiscriminationOutput<'a> {
    /// The result.
    pub found: &'a Discrimination,
    /// The evaluation.
    pub evaluation: &'a Evaluation,
    /// Whether to include swap rates by difference and the p-values of all pairs.
    pub curves: bool,
    /// Decimals of tables.
    pub digits: usize,
}

impl Render for DiscriminationOutput<'_> {
    fn content(&self) -> Content {
        let found = self.found;
        let mut sections = vec![(found.title(), found.summary())];
        if self.curves {
            sections.push(("Swaps by difference".into(), found.swaps()));
            sections.push(("p-values of all pairs, descending".into(), found.curve()));
        }
        let sections = sections.into_iter().map(|(title, mut table)| {
            table.digits = self.digits;
            table.shrink = vec![0];
            Section { title, table }
        });
        Content::Sections(sections.collect())
    }

    fn records(&self) -> Records<'_> {
        let numbers = self.found.numbers(self.curves).into_iter();
        let rows = numbers.map(|(measure, figure, at, value)| {
            vec![
                Cell::text(measure),
                Cell::text(figure),
                Cell::real(at),
                Cell::real(value),
            ]
        });
        Records::named(["measure", "figure", "point", "value"], rows)
    }

    fn json(&self) -> Value {
        let mut document = provenance::with_runs(self.evaluation);
        document["settings"] = self.found.settings_object();
        let measures = self.found.measures.iter();
        let rate = self.found.settings.rate;
        document["discrimination"] = measures.map(|measure| measure.object(rate)).collect();
        document
    }
}

impl Discrimination {
    pub(super) fn title(&self) -> String {
        let settings = &self.settings;
        format!(
            "{} of {} runs at alpha {}; sets of {}, drawn {} times with seed {}",
            settings.test.title(),
            self.runs,
            short(settings.alpha),
            self.half_in_words(),
            settings.resampling.replicates,
            settings.resampling.seed,
        )
    }

    /// Notes on topics, sets and replicates.
    pub fn notes(&self) -> Vec<Message> {
        let notes = self.measures.iter();
        let notes = notes.map(|found| topic_notes(&found.measure, &found.topics));
        let notes = notes.flatten().chain(self.replicate_notes());
        notes.chain(self.single_topics_note()).collect()
    }

    /// The note on sets of one topic.
    fn single_topics_note(&self) -> Option<Message> {
        let mut sizes = self.measures.iter().map(|found| found.swaps.size);
        sizes.any(|size| size == 1).then(|| {
            "rates of swaps, errors and ties are from sets of 1 topic, which say little about larger sets; use more topics or larger sets"
                .into()
        })
    }

    /// Notes on draws that are too few for rates, or permutations that are too few for significance.
    fn replicate_notes(&self) -> Vec<Message> {
        let (settings, mut notes) = (&self.settings, Vec::new());
        let there = settings.resampling.replicates;
        if there < FEW_RESAMPLES {
            let note = format!(
                "rates of swaps, errors and ties are from only {} of topics; ",
                plural(there, "draw")
            );
            notes.push(Message::from(note).then(would_do(FEW_RESAMPLES, MOST_REPLICATES)));
        }
        if let Some(needed) = settings.lacking_replicates() {
            let note = format!(
                "{} are too few for a significant p-value at alpha {}; ",
                plural(there, "permutation"),
                short(settings.alpha),
            );
            notes.push(Message::from(note).then(would_do(needed, MOST_REPLICATES)));
        }
        notes
    }

    fn half_in_words(&self) -> String {
        let mut sizes: Vec<usize> = self.measures.iter().map(|found| found.swaps.size).collect();
        sizes.dedup();
        if let [size] = *sizes {
            return plural(size, "topic");
        }
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        format!("{} topics", sizes.join(" or "))
    }

    fn summary(&self) -> Table {
        let numbers = [
            "pairs", "apart", "power", "above", "swaps", "sure", "error", "ties",
        ];
        let columns = [Column::text("measure")].into_iter();
        let mut table = Table::new(columns.chain(numbers.map(Column::number)));
        for found in &self.measures {
            table.push([
                Cell::text(&*found.measure),
                Cell::text(found.power.pairs.to_string()),
                Cell::text(found.power.significant.to_string()),
                Cell::Real(found.power.power),
                Cell::real(found.power.largest_insignificant),
                Cell::real(found.swaps.overall()),
                Cell::real(found.swaps.sure_difference(self.settings.rate)),
                Cell::Real(found.stability.error_rate),
                Cell::Real(found.stability.tie_rate),
            ]);
        }
        table
    }

    fn swaps(&self) -> Table {
        let numbers = ["from", "to", "pairs", "swapped", "rate"].map(Column::number);
        let mut table = Table::new([Column::text("measure")].into_iter().chain(numbers));
        for found in &self.measures {
            for (from, to, bin) in found.bins() {
                table.push([
                    Cell::text(&*found.measure),
                    Cell::Real(from),
                    Cell::Real(to),
                    Cell::text(bin.pairs.to_string()),
                    Cell::text(bin.swapped.to_string()),
                    Cell::real(bin.rate()),
                ]);
            }
        }
        table
    }

    fn curve(&self) -> Table {
        let numbers = ["rank", "p"].map(Column::number);
        let mut table = Table::new([Column::text("measure")].into_iter().chain(numbers));
        for found in &self.measures {
            for (at, p) in found.power.curve.iter().enumerate() {
                let rank = Cell::text((at + 1).to_string());
                table.push([Cell::text(&*found.measure), rank, Cell::Real(*p)]);
            }
        }
        table
    }

    fn numbers(&self, curves: bool) -> Vec<Number<'_>> {
        let mut numbers = Vec::new();
        for found in &self.measures {
            let name = &*found.measure;
            let figures = found.figures(self.settings.rate).into_iter();
            numbers.extend(figures.map(|(figure, value)| (name, figure, None, value)));
            if curves {
                let bins = found.bins();
                numbers
                    .extend(bins.map(|(from, _, bin)| (name, "swap_rate", Some(from), bin.rate())));
                let curve = found.power.curve.iter().enumerate();
                numbers.extend(curve.map(|(at, p)| (name, "p", Some((at + 1) as f64), Some(*p))));
            }
        }
        numbers
    }

    fn settings_object(&self) -> Value {
        let settings = &self.settings;
        json!({
            "test": settings.test.name(),
            "alpha": settings.alpha,
            "bin": settings.bin,
            "rate": settings.rate,
            "fuzziness": settings.fuzziness,
            "replicates": settings.resampling.replicates,
            "seed": settings.resampling.seed,
        })
    }
}

/// Measure, name of the number, position on a curve, and value.
type Number<'a> = (&'a str, &'static str, Option<f64>, Option<f64>);

impl Discriminated {
    /// Bins with their edges.
    fn bins(&self) -> impl Iterator<Item = (f64, f64, &SwapBin)> {
        let width = self.swaps.width;
        let bins = self.swaps.bins.iter().enumerate();
        bins.map(move |(at, bin)| (at as f64 * width, (at + 1) as f64 * width, bin))
    }

    fn figures(&self, rate: f64) -> [(&'static str, Option<f64>); 9] {
        let power = &self.power;
        [
            ("pairs", Some(power.pairs as f64)),
            ("significant", Some(power.significant as f64)),
            ("discriminative_power", Some(power.power)),
            ("largest_insignificant", power.largest_insignificant),
            ("smallest_significant", power.smallest_significant),
            ("swaps", self.swaps.overall()),
            ("sure_difference", self.swaps.sure_difference(rate)),
            ("error_rate", Some(self.stability.error_rate)),
            ("tie_rate", Some(self.stability.tie_rate)),
        ]
    }

    fn object(&self, rate: f64) -> Value {
        let bins = self.bins().map(|(from, to, bin)| {
            json!({"from": from, "to": to, "pairs": bin.pairs, "swapped": bin.swapped, "rate": bin.rate()})
        });
        json!({
            "measure": self.measure,
            "topics": self.topics.count,
            "topics_left_out": self.topics.left_out,
            "undefined_as_zero": self.topics.zeros,
            "pairs": self.power.pairs,
            "significant": self.power.significant,
            "discriminative_power": self.power.power,
            "largest_insignificant": self.power.largest_insignificant,
            "smallest_significant": self.power.smallest_significant,
            "curve": self.power.curve,
            "half": self.swaps.size,
            "swaps": self.swaps.overall(),
            "sure_difference": self.swaps.sure_difference(rate),
            "swap_bins": bins.collect::<Vec<_>>(),
            "error_rate": self.stability.error_rate,
            "tie_rate": self.stability.tie_rate,
        })
    }
}
