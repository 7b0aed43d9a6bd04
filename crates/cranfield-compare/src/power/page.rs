//! Designs in every format.

use cranfield_core::setting::Message;
use cranfield_eval::{Evaluation, VERSION, provenance};
use cranfield_render::{Cell, Column, Content, Records, Render, Section, Table};
use cranfield_stats::short;
use serde_json::{Value, json};

use super::{Design, Narrow, Needed, Pilot, Power, Sensitivity};
use crate::compare::{percent, topic_notes};

/// Designs with the evaluation of the pilot runs, which can be rendered.
#[derive(Clone, Copy, Debug)]
pub struct PowerOutput<'a> {
    /// The designs.
    pub power: &'a Power,
    /// The evaluation of the pilot runs, if there are any.
    pub pilot: Option<&'a Evaluation>,
    /// Decimals of tables.
    pub digits: usize,
}

impl Render for PowerOutput<'_> {
    fn content(&self) -> Content {
        let sections = self.power.tables().into_iter();
        let filled = sections.filter(|(_, table)| !table.is_empty());
        let sections = filled.map(|(title, mut table)| {
            table.digits = self.digits;
            Section { title, table }
        });
        Content::Sections(sections.collect())
    }

    fn records(&self) -> Records<'_> {
        let designs = self.power.designs.iter();
        let rows = designs.flat_map(|design| self.power.of_design(design));
        let names = ["measure", "figure", "test", "topics", "difference", "value"];
        Records::named(names, rows.map(Record::cells))
    }

    fn json(&self) -> Value {
        let mut document = match self.pilot {
            Some(pilot) => provenance::with_runs(pilot),
            None => json!({"cranfield": VERSION}),
        };
        document["settings"] = self.power.settings_object();
        document["designs"] = self.power.objects().into();
        document
    }
}

impl Power {
    fn tables(&self) -> [(String, Table); 4] {
        let (power, alpha) = (self.settings.power, short(self.settings.alpha));
        let unit = if self.is_standardised {
            ", in standard deviations of the differences"
        } else {
            ""
        };
        let level = percent(1.0 - self.settings.alpha);
        [
            ("Variance of the pilot's scores".into(), self.variances()),
            (
                format!(
                    "Minimum detectable difference of a paired t test{unit}: power {power}, alpha {alpha}"
                ),
                self.shown(),
            ),
            (
                format!("Topics needed to detect a difference{unit}: power {power}, alpha {alpha}"),
                self.needed(),
            ),
            (
                format!("Topics needed for a {level} % interval of this width"),
                self.intervals(),
            ),
        ]
    }

    /// Notes on the pilot.
    pub fn notes(&self) -> Vec<Message> {
        let pilots = self.pilots();
        let notes = pilots.map(|pilot| topic_notes(&pilot.measure, &pilot.topics));
        notes.flatten().collect()
    }

    fn pilots(&self) -> impl Iterator<Item = &Pilot> {
        self.designs
            .iter()
            .filter_map(|design| design.pilot.as_ref())
    }

    /// A table with a column for the measure if there is a pilot.
    fn table(&self, columns: impl IntoIterator<Item = Column>) -> Table {
        let measure = self.pilots().next().map(|_| Column::text("measure"));
        let mut table = Table::new(measure.into_iter().chain(columns));
        table.shrink = vec![0];
        table
    }

    fn variances(&self) -> Table {
        let names = [
            "runs",
            "topics",
            "var_runs",
            "var_topics",
            "var_rest",
            "sd_score",
            "sd_diff",
        ];
        let mut table = self.table(names.map(Column::number));
        for design in &self.designs {
            let Some(pilot) = &design.pilot else { continue };
            let parts = &pilot.components;
            design.push(
                &mut table,
                [
                    count(pilot.runs),
                    count(pilot.topics.count),
                    Cell::Real(parts.system),
                    Cell::Real(parts.topic),
                    Cell::Real(parts.residual),
                    Cell::Real(design.score_variance.sqrt()),
                    Cell::Real(design.difference_variance.sqrt()),
                ],
            );
        }
        table
    }

    fn shown(&self) -> Table {
        let names = ["topics", "difference"].map(Column::number);
        let differences = self.settings.differences.iter();
        let powers = differences.map(|difference| Column::number(format!("power({difference})")));
        let mut table = self.table(names.into_iter().chain(powers));
        for design in &self.designs {
            for shown in &design.shown {
                let powers = shown.powers.iter().map(|power| Cell::Real(*power));
                let cells = [count(shown.topics), Cell::Real(shown.detectable)];
                design.push(&mut table, cells.into_iter().chain(powers));
            }
        }
        table
    }

    fn needed(&self) -> Table {
        let anova = self.designs.first().map_or(String::new(), |design| {
            format!("anova of {} runs", design.among)
        });
        let names = ["difference".into(), "paired t".into(), anova];
        let mut table = self.table(names.map(Column::number));
        for design in &self.designs {
            for needed in &design.needed {
                let cells = [
                    Cell::text(needed.difference.to_string()),
                    count(needed.t.topics),
                    count(needed.anova),
                ];
                design.push(&mut table, cells);
            }
        }
        table
    }

    fn intervals(&self) -> Table {
        let mut table = self.table(["width", "topics"].map(Column::number));
        for design in &self.designs {
            for narrow in &design.intervals {
                let width = Cell::text(narrow.width.to_string());
                design.push(&mut table, [width, count(narrow.topics)]);
            }
        }
        table
    }

    fn of_design<'a>(&'a self, design: &'a Design) -> Vec<Record<'a>> {
        let mut records = design.variance_records();
        let record = |figure, test| Record::new(design, figure, test);
        for shown in &design.shown {
            let at = Some(shown.topics);
            records.push(record("detectable", Some("t")).at(at, None, shown.detectable));
            for (difference, power) in self.settings.differences.iter().zip(&shown.powers) {
                records.push(record("power", Some("t")).at(at, Some(*difference), *power));
            }
        }
        for needed in &design.needed {
            let tests = [("t", needed.t.topics), ("anova", needed.anova)];
            for (test, topics) in tests {
                let difference = Some(needed.difference);
                records.push(record("needed", Some(test)).at(None, difference, topics as f64));
            }
        }
        for narrow in &design.intervals {
            let (width, topics) = (Some(narrow.width), narrow.topics as f64);
            records.push(record("needed", Some("interval")).at(None, width, topics));
        }
        records
    }

    fn settings_object(&self) -> Value {
        json!({
            "power": self.settings.power,
            "alpha": self.settings.alpha,
            "standardised": self.is_standardised,
        })
    }

    fn objects(&self) -> Vec<Value> {
        let differences = &self.settings.differences;
        let one = |design: &Design| design.object(differences, 1.0 - self.settings.alpha);
        self.designs.iter().map(one).collect()
    }
}

fn count(count: usize) -> Cell {
    Cell::text(count.to_string())
}

/// One number.
struct Record<'a> {
    measure: Option<&'a str>,
    figure: &'static str,
    test: Option<&'static str>,
    topics: Option<usize>,
    difference: Option<f64>,
    value: f64,
}

impl<'a> Record<'a> {
    fn new(design: &'a Design, figure: &'static str, test: Option<&'static str>) -> Self {
        Self {
            measure: design.pilot.as_ref().map(|pilot| &*pilot.measure),
            figure,
            test,
            topics: None,
            difference: None,
            value: 0.0,
        }
    }

    fn at(self, topics: Option<usize>, difference: Option<f64>, value: f64) -> Self {
        Self {
            topics,
            difference,
            value,
            ..self
        }
    }

    fn cells(self) -> Vec<Cell> {
        let text = |text: Option<&str>| text.map_or(Cell::Missing, Cell::text);
        let count = |count| Cell::Int(i64::try_from(count).unwrap_or(i64::MAX));
        vec![
            text(self.measure),
            Cell::text(self.figure),
            text(self.test),
            self.topics.map_or(Cell::Missing, count),
            Cell::real(self.difference),
            Cell::Real(self.value),
        ]
    }
}

impl Design {
    fn push(&self, table: &mut Table, cells: impl IntoIterator<Item = Cell>) {
        let measure = self.pilot.as_ref().map(|pilot| Cell::text(&*pilot.measure));
        table.push(measure.into_iter().chain(cells));
    }

    fn variance_records(&self) -> Vec<Record<'_>> {
        let parts = self.pilot.as_ref().map(|pilot| pilot.components);
        let of_pilot = parts.into_iter().flat_map(|parts| {
            [
                ("variance_runs", parts.system),
                ("variance_topics", parts.topic),
                ("variance_residual", parts.residual),
            ]
        });
        let used = [
            ("variance_score", self.score_variance),
            ("variance_difference", self.difference_variance),
        ];
        let all = of_pilot.chain(used);
        all.map(|(figure, value)| Record::new(self, figure, None).at(None, None, value))
            .collect()
    }

    fn object(&self, differences: &[f64], level: f64) -> Value {
        let shown = |shown: &Sensitivity| {
            let powers = differences.iter().zip(&shown.powers);
            let powers =
                powers.map(|(difference, power)| json!({"difference": difference, "power": power}));
            json!({
                "topics": shown.topics,
                "detectable": shown.detectable,
                "power": powers.collect::<Vec<_>>(),
            })
        };
        let needed = |needed: &Needed| {
            json!({
                "difference": needed.difference,
                "t": {"topics": needed.t.topics, "exact": needed.t.exact},
                "anova": {"topics": needed.anova, "runs": self.among},
            })
        };
        let narrow = |narrow: &Narrow| json!({"width": narrow.width, "level": level, "topics": narrow.topics});
        json!({
            "measure": self.pilot.as_ref().map(|pilot| &pilot.measure),
            "pilot": self.pilot.as_ref().map(pilot_object),
            "variance": {"difference": self.difference_variance, "score": self.score_variance},
            "shown": self.shown.iter().map(shown).collect::<Vec<_>>(),
            "needed": self.needed.iter().map(needed).collect::<Vec<_>>(),
            "intervals": self.intervals.iter().map(narrow).collect::<Vec<_>>(),
        })
    }
}

fn pilot_object(pilot: &Pilot) -> Value {
    let parts = &pilot.components;
    json!({
        "runs": pilot.runs,
        "topics": pilot.topics.count,
        "topics_left_out": pilot.topics.left_out,
        "undefined_as_zero": pilot.topics.zeros,
        "variance": {"runs": parts.system, "topics": parts.topic, "residual": parts.residual},
    })
}
