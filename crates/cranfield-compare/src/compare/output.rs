//! Comparisons in every format.

use cranfield_eval::{Evaluation, provenance, scenario_columns};
use cranfield_measures::scenario::BoundScenario;
use cranfield_render::{Cell, Content, Records, Render};
use serde_json::{Value, json};

use super::{
    CompareError, Comparison, ComparisonPlan, IntervalMethod, MeasureTable, Pair, Parts, Planned,
    Settings, compare, compare_planned, compare_scenarios,
};

/// The scores to compare runs by.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// The measures of the evaluation.
    Measures,
    /// Scenarios.
    Scenarios(&'a [BoundScenario]),
    /// The measures of a plan, which also fixes the settings.
    Plan(&'a ComparisonPlan),
}

/// Result of a comparison.
#[derive(Debug)]
pub enum Compared {
    /// As the settings say.
    Freely(Box<Comparison>),
    /// As a plan says.
    Planned(Box<Planned>),
}

impl Compared {
    /// Compares the runs of an evaluation.
    ///
    /// # Errors
    /// If the settings are invalid, or scores cannot be compared.
    pub fn of(
        evaluation: &Evaluation,
        by: By<'_>,
        settings: &Settings,
    ) -> Result<Self, CompareError> {
        let comparison = match by {
            By::Measures => compare(evaluation, settings)?,
            By::Scenarios(scenarios) => {
                let columns = scenario_columns(scenarios);
                compare_scenarios(evaluation, &columns, settings)?
            }
            By::Plan(plan) => {
                let planned = compare_planned(evaluation, plan)?;
                return Ok(Self::Planned(Box::new(planned)));
            }
        };
        Ok(Self::Freely(Box::new(comparison)))
    }

    /// The comparison, or the parts of a planned one.
    pub fn parts(&self) -> Vec<&Comparison> {
        match self {
            Self::Freely(comparison) => vec![comparison],
            Self::Planned(planned) => planned.parts().collect(),
        }
    }

    fn methods(&self) -> String {
        match self {
            Self::Freely(comparison) => comparison.methods(),
            Self::Planned(planned) => planned.methods(),
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (&Comparison, &MeasureTable, &Pair)> {
        self.parts().into_iter().flat_map(|part| {
            let tables = part.measures.iter();
            tables.flat_map(move |table| table.pairs.iter().map(move |pair| (part, table, pair)))
        })
    }
}

/// A comparison with its evaluation and the parts to show, which can be rendered.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonOutput<'a> {
    /// The evaluation.
    pub evaluation: &'a Evaluation,
    /// The comparison.
    pub compared: &'a Compared,
    /// Parts of pages and tables.
    pub parts: &'a Parts,
}

impl Render for ComparisonOutput<'_> {
    fn content(&self) -> Content {
        Content::Page(match self.compared {
            Compared::Freely(comparison) => comparison.page(self.parts),
            Compared::Planned(planned) => planned.page(self.parts),
        })
    }

    fn latex(&self) -> Option<String> {
        Some(match self.compared {
            Compared::Freely(comparison) => comparison.latex(self.parts),
            Compared::Planned(planned) => planned.latex(self.parts),
        })
    }

    /// One row per measure and pair; with a margin the p-values of equivalence, and with a plan the role.
    fn records(&self) -> Records<'_> {
        let columns = Columns::of(self.compared);
        let pairs = self.compared.pairs();
        let rows =
            pairs.map(move |(comparison, measure, pair)| columns.record(comparison, measure, pair));
        Records::named(columns.names(), rows)
    }

    fn objects(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        Box::new(self.compared.pairs().map(|(comparison, measure, pair)| {
            let mut object = comparison.pair_object(measure, pair);
            object["measure"] = json!(measure.measure);
            if let Some(role) = comparison.role {
                object["role"] = json!(role.name());
            }
            object
        }))
    }

    fn json(&self) -> Value {
        let mut document = provenance::with_runs(self.evaluation);
        if let Compared::Planned(planned) = self.compared {
            document["plan"] = planned.plan.object();
        }
        let parts = self.compared.parts();
        document["settings"] = parts.first().map(|part| part.settings_object()).into();
        let measures = parts.iter().flat_map(|part| {
            let measures = part.measures.iter();
            measures.map(move |table| part.measure_object(table))
        });
        document["comparison"] = measures.collect();
        document["methods"] = json!(self.compared.methods());
        document
    }
}

/// The optional columns of records.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each column is there or not")]
struct Columns {
    has_margin: bool,
    has_rope: bool,
    has_method: bool,
    has_role: bool,
}

impl Columns {
    fn of(compared: &Compared) -> Self {
        let parts = compared.parts();
        let any = |is: fn(&Comparison) -> bool| parts.iter().any(|part| is(part));
        Self {
            has_margin: any(|part| part.settings.margin.is_some()),
            has_rope: any(|part| part.settings.rope.is_some()),
            has_method: any(names_interval),
            has_role: any(|part| part.role.is_some()),
        }
    }

    fn names(self) -> Vec<&'static str> {
        let mut names = vec![
            "measure",
            "run",
            "against",
            "topics",
            "run_mean",
            "against_mean",
            "difference",
            "low",
            "high",
            "d_z",
            "p",
            "p_corrected",
            "wins",
            "ties",
            "losses",
        ];
        if self.has_margin {
            names.extend(["p_equal", "p_equal_corrected"]);
        }
        if self.has_rope {
            names.extend(["p_better", "p_equivalent", "p_worse"]);
        }
        names.extend(["verdict", "importance"]);
        names.extend(self.has_method.then_some("interval"));
        names.extend(self.has_role.then_some("role"));
        names
    }

    fn record(self, comparison: &Comparison, measure: &MeasureTable, pair: &Pair) -> Vec<Cell> {
        let mean = |run: usize| Cell::Real(measure.systems[run].mean);
        let count = |count: usize| Cell::Int(i64::try_from(count).unwrap_or(i64::MAX));
        let mut cells = vec![
            Cell::text(&*measure.measure),
            Cell::text(&*comparison.runs[pair.first]),
            Cell::text(&*comparison.runs[pair.second]),
            count(measure.topics.count),
            mean(pair.first),
            mean(pair.second),
            Cell::Real(pair.difference),
            Cell::Real(pair.interval.low),
            Cell::Real(pair.interval.high),
            Cell::real(pair.effect.value),
            Cell::Real(pair.p),
            Cell::Real(pair.adjusted),
            count(pair.wins.wins),
            count(pair.wins.ties),
            count(pair.wins.losses),
        ];
        if self.has_margin {
            let alone = pair.equivalence.as_ref().map(|tost| tost.p);
            cells.extend([alone, pair.equivalence_adjusted].map(Cell::real));
        }
        if self.has_rope {
            let chances = pair.chances(measure).map(|chances| chances.map(Some));
            cells.extend(chances.unwrap_or_default().map(Cell::real));
        }
        cells.push(Cell::text(pair.claim.verdict.name()));
        cells.push(name(pair.importance.map(super::model::Importance::name)));
        if self.has_method {
            let method = pair.interval_method;
            cells.push(Cell::text(
                method.map_or("simultaneous", IntervalMethod::name),
            ));
        }
        if self.has_role {
            cells.push(name(comparison.role.map(super::model::Role::name)));
        }
        cells
    }
}

fn name(name: Option<&str>) -> Cell {
    name.map_or(Cell::Missing, Cell::text)
}

/// Whether rows name the method of the interval, which is when it is not Student's t.
fn names_interval(comparison: &Comparison) -> bool {
    let settings = &comparison.settings;
    settings.test.has_own_intervals() || settings.requested_interval().is_resampled()
}
