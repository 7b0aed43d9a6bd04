//! The effect of assessors in every format.

use cranfield_core::small_sort::SmallSort;
use cranfield_eval::MergeRule;
use cranfield_render::{Cell, Column, Content, Field, Records, Render, Section, Table};
use cranfield_stats::short;
use serde_json::{Value, json};

use super::{Change, Conclusion, Effects, Flip, MeasureEffects};
use crate::compare::Verdict;

/// The agreement of assessors followed by their effect on runs, which can be rendered.
///
/// Formats with one record per value hold the effect only.
#[derive(Clone, Copy)]
pub struct EffectsOutput<'a> {
    /// The agreement of the assessors.
    pub agreement: &'a dyn Render,
    /// Their effect.
    pub effects: &'a Effects,
    /// Decimals of tables.
    pub digits: usize,
}

impl Render for EffectsOutput<'_> {
    fn content(&self) -> Content {
        let mut sections = match self.agreement.content() {
            Content::Sections(sections) => sections,
            Content::Page(_) => Vec::new(),
        };
        let effects = self.effects;
        for measure in &effects.measures {
            let title = format!(
                "{}: mean and rank of the runs under each set of judgements",
                measure.measure
            );
            sections.push(self.section(title, effects.standings(measure, self.digits)));
            let title = format!(
                "{}: change of the ranking between judgements",
                measure.measure
            );
            sections.push(self.section(title, effects.changes(measure)));
        }
        sections.push(self.section(effects.conclusions_title(), effects.counts()));
        let flips = effects.flips();
        if !flips.is_empty() {
            let title = "conclusions that depend on the judgements: > first run better, < worse, = equivalent, ! contrary, . open".into();
            sections.push(self.section(title, flips));
        }
        Content::Sections(sections)
    }

    fn records(&self) -> Records<'_> {
        let fields = [
            Field::new("measure"),
            Field::new("figure"),
            Field::optional("judgements"),
            Field::optional("against"),
            Field::optional("run"),
            Field::optional("other"),
            Field::new("value"),
        ];
        Records::new(fields, self.effects.records().into_iter())
    }

    fn json(&self) -> Value {
        let mut document = self.agreement.json();
        document["effects"] = self.effects.object();
        document
    }
}

impl EffectsOutput<'_> {
    fn section(&self, title: String, mut table: Table) -> Section {
        table.digits = self.digits;
        table.shrink = vec![0, 1];
        Section { title, table }
    }
}

/// The sign of a verdict in a narrow column.
fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => ">",
        Verdict::Worse => "<",
        Verdict::Equivalent | Verdict::Identical => "=",
        Verdict::Contrary => "!",
        Verdict::Open => ".",
    }
}

impl Effects {
    fn set_columns(&self) -> impl Iterator<Item = Column> {
        self.sets.iter().map(|set| Column::number(&set.name))
    }

    fn standings(&self, measure: &MeasureEffects, digits: usize) -> Table {
        let mut table = Table::new([Column::text("run")].into_iter().chain(self.set_columns()));
        let mut order: Vec<usize> = (0..self.runs.len()).collect();
        order.small_sort_by_key(|run| measure.standings.first().map(|set| set[*run].rank));
        for run in order {
            let cells = measure.standings.iter().map(|set| {
                let standing = set[run];
                Cell::text(format!("{:.digits$} #{}", standing.mean, standing.rank))
            });
            table.push([Cell::text(&*self.runs[run])].into_iter().chain(cells));
        }
        table
    }

    fn changes(&self, measure: &MeasureEffects) -> Table {
        let numbers = ["tau", "tau_ap", "swaps", "drop"].map(Column::number);
        let texts = ["judgements", "against"].map(Column::text);
        let columns = texts
            .into_iter()
            .chain(numbers)
            .chain([Column::text("run")]);
        let mut table = Table::new(columns);
        table.keys = 2;
        // Merged judgements are compared with assessors, and not with each other.
        let is_shown = |change: &&Change| self.sets[change.first].rule.is_none();
        for change in measure.changes.iter().filter(is_shown) {
            let dropped = change.drop.map_or("", |(run, _)| &*self.runs[run]);
            table.push([
                Cell::text(&*self.sets[change.first].name),
                Cell::text(&*self.sets[change.second].name),
                Cell::real(change.tau),
                Cell::real(change.tau_ap),
                Cell::count(change.swaps.len()),
                Cell::count(change.places()),
                Cell::text(dropped),
            ]);
        }
        table
    }

    fn conclusions_title(&self) -> String {
        let settings = &self.settings;
        format!(
            "conclusions on pairs of runs by {} at alpha {}, correction {}",
            settings.test.title(),
            short(settings.alpha),
            settings.correction().name(),
        )
    }

    /// Numbers of conclusions that are the same under all judgements, or not.
    pub fn counts(&self) -> Table {
        let numbers = ["pairs", "same", "changed", "reversed"].map(Column::number);
        let mut table = Table::new([Column::text("measure")].into_iter().chain(numbers));
        for measure in &self.measures {
            let [changed, reversed] = measure.counts();
            let pairs = measure.conclusions.len();
            let numbers = [pairs, pairs - changed - reversed, changed, reversed];
            let numbers = numbers.map(Cell::count);
            table.push([Cell::text(&*measure.measure)].into_iter().chain(numbers));
        }
        table
    }

    /// The conclusions that are not the same under all judgements.
    pub fn flips(&self) -> Table {
        let texts = ["measure", "run", "other", "flip"].map(Column::text);
        let mut table = Table::new(texts.into_iter().chain(self.set_columns()));
        table.keys = 3;
        for measure in &self.measures {
            for (conclusion, flip) in measure.flips() {
                let under = conclusion.under.iter();
                let under = under.map(|under| Cell::text(sign(under.verdict)));
                let [first, second] = self.names(conclusion);
                let named = [&*measure.measure, first, second, flip.name()].map(Cell::text);
                table.push(named.into_iter().chain(under));
            }
        }
        table
    }

    fn names(&self, conclusion: &Conclusion) -> [&str; 2] {
        [conclusion.first, conclusion.second].map(|run| &*self.runs[run])
    }

    fn records(&self) -> Vec<Vec<Cell>> {
        let mut records = Vec::new();
        for measure in &self.measures {
            let mut push = |figure: &str,
                            [judgements, against]: [Option<usize>; 2],
                            [run, other]: [Option<usize>; 2],
                            value| {
                let set = |at: Option<usize>| {
                    at.map_or(Cell::Missing, |at| Cell::text(&*self.sets[at].name))
                };
                let named =
                    |at: Option<usize>| at.map_or(Cell::Missing, |at| Cell::text(&*self.runs[at]));
                records.push(vec![
                    Cell::text(&*measure.measure),
                    Cell::text(figure),
                    set(judgements),
                    set(against),
                    named(run),
                    named(other),
                    value,
                ]);
            };
            for (set, standings) in measure.standings.iter().enumerate() {
                for (run, standing) in standings.iter().enumerate() {
                    let (sets, runs) = ([Some(set), None], [Some(run), None]);
                    push("mean", sets, runs, Cell::Real(standing.mean));
                    push("rank", sets, runs, Cell::count(standing.rank));
                }
            }
            for change in &measure.changes {
                let sets = [Some(change.first), Some(change.second)];
                push("tau", sets, [None; 2], Cell::real(change.tau));
                push("tau_ap", sets, [None; 2], Cell::real(change.tau_ap));
                push("swaps", sets, [None; 2], Cell::count(change.swaps.len()));
                let dropped = change.drop.map(|(run, _)| run);
                push("drop", sets, [dropped, None], Cell::count(change.places()));
            }
            for conclusion in &measure.conclusions {
                let runs = [Some(conclusion.first), Some(conclusion.second)];
                for (set, under) in conclusion.under.iter().enumerate() {
                    let sets = [Some(set), None];
                    push("verdict", sets, runs, Cell::text(under.verdict.name()));
                    push("difference", sets, runs, Cell::Real(under.difference));
                    push("p", sets, runs, Cell::Real(under.p));
                }
                let flip = conclusion.flip().map_or("same", Flip::name);
                push("flip", [None; 2], runs, Cell::text(flip));
            }
        }
        records
    }

    fn object(&self) -> Value {
        let sets = self.sets.iter().map(|set| {
            json!({"name": set.name, "rule": set.rule.map(MergeRule::name), "judgements": set.judgements})
        });
        json!({
            "topics": self.topics,
            "topics_left_out": self.left_out,
            "test": self.settings.test.name(),
            "correction": self.settings.correction().name(),
            "alpha": self.settings.alpha,
            "replicates": self.settings.resampling.replicates,
            "seed": self.settings.resampling.seed,
            "judgements": sets.collect::<Vec<_>>(),
            "runs": self.runs,
            "measures": self.measures.iter().map(|measure| self.measure_object(measure)).collect::<Vec<_>>(),
        })
    }

    fn measure_object(&self, measure: &MeasureEffects) -> Value {
        let (set, run) = (
            |at: usize| &*self.sets[at].name,
            |at: usize| &*self.runs[at],
        );
        let standings = measure.standings.iter().enumerate().map(|(at, standings)| {
            let runs = standings.iter().zip(&self.runs);
            let runs = runs.map(|(standing, name)| json!({"run": name, "mean": standing.mean, "rank": standing.rank}));
            json!({"judgements": set(at), "runs": runs.collect::<Vec<_>>()})
        });
        let changes = measure.changes.iter().map(|change| {
            let swaps = change.swaps.iter().map(|(a, b)| [run(*a), run(*b)]);
            json!({
                "judgements": set(change.first),
                "against": set(change.second),
                "tau": change.tau,
                "tau_ap": change.tau_ap,
                "swaps": swaps.collect::<Vec<_>>(),
                "drop": change.drop.map(|(at, places)| json!({"run": run(at), "places": places})),
            })
        });
        let conclusions = measure.conclusions.iter().map(|conclusion| {
            let under = conclusion.under.iter().zip(&self.sets).map(|(under, set)| {
                json!({"judgements": set.name, "verdict": under.verdict.name(), "difference": under.difference, "p": under.p})
            });
            let [first, second] = self.names(conclusion);
            json!({
                "run": first,
                "other": second,
                "flip": conclusion.flip().map(Flip::name),
                "under": under.collect::<Vec<_>>(),
            })
        });
        json!({
            "measure": measure.measure,
            "standings": standings.collect::<Vec<_>>(),
            "changes": changes.collect::<Vec<_>>(),
            "conclusions": conclusions.collect::<Vec<_>>(),
        })
    }
}

impl Change {
    /// The largest number of places that a run loses.
    fn places(&self) -> usize {
        self.drop.map_or(0, |(_, places)| places)
    }
}

impl MeasureEffects {
    /// Numbers of changed and of reversed conclusions.
    fn counts(&self) -> [usize; 2] {
        let count = |wanted| {
            self.flips()
                .iter()
                .filter(|(_, flip)| *flip == wanted)
                .count()
        };
        [count(Flip::Changed), count(Flip::Reversed)]
    }
}
