//! The leaderboard of a page.

use cranfield_core::measure::Direction;
use cranfield_render::{html_text as escape, rounded};

use super::Report;
use super::warnings::Warnings;
use cranfield_compare::compare::{
    Comparison, MeasureTable, Pair, System, Verdict, percent, share_in_percent,
};

/// Most runs for which the table of all measures names the runs that each is better than.
const LETTERED: usize = 12;

/// Runs that a sentence names.
const NAMED: usize = 6;

/// Width and height of an interval that is drawn.
const WIDTH: f64 = 150.0;
const HEIGHT: f64 = 14.0;

/// The meaning of the letters of groups.
pub(super) const SHARED_LETTERS: &str =
    "Of runs that share a letter, none is shown to be better than another.";

pub(super) fn section(report: &Report) -> String {
    let warnings = Warnings::of(report);
    let Some(comparison) = &report.comparison else {
        return format!(
            "<section id=\"leaderboard\">\n<h2>Result</h2>\n{}{}</section>\n",
            warnings.sentence(),
            all_measures(report, None, &warnings)
        );
    };
    let mut tables = String::new();
    for (at, table) in comparison.measures.iter().enumerate() {
        tables.push_str(&board(report, comparison, at, table, &warnings));
    }
    let all = if comparison.measures.len() > 1 {
        all_measures(report, Some(comparison), &warnings)
    } else {
        String::new()
    };
    format!(
        "<section id=\"leaderboard\">\n<h2>Leaderboard</h2>\n{}{}<div class=\"tabs\" role=\"tablist\" aria-label=\"Measure\" hidden></div>\n\
         {tables}{all}</section>\n",
        finding(comparison, report.request.digits),
        warnings.sentence()
    )
}

/// The best run by the first measure, in sentences.
fn finding(comparison: &Comparison, digits: usize) -> String {
    let Some(table) = comparison.measures.first() else {
        return String::new();
    };
    let Some(&best) = table.order.first() else {
        return String::new();
    };
    let mut text = best_sentence(comparison, table, best, digits);
    let others = table.order.iter().copied();
    let tested: Vec<usize> = others
        .filter(|run| *run != best && table.pair(best, *run).is_some())
        .collect();
    let beaten = table.beaten_by(best).len();
    text.push_str(&match tested.as_slice() {
        [other] if beaten == 1 => format!(
            " It is significantly better than {}, the only run that it was compared with.",
            named(comparison, &[*other])
        ),
        _ => format!(
            " It is significantly better than {beaten} of the {} that it was compared with.",
            cranfield_render::plural(tested.len(), "run")
        ),
    });
    for (matches, says) in [
        (
            is_open as fn(&Pair) -> bool,
            "No difference is shown between it and",
        ),
        (is_contrary, "Mean and test disagree on it and"),
    ] {
        let found = tested.iter().copied();
        let found: Vec<usize> = found
            .filter(|run| table.pair(best, *run).is_some_and(matches))
            .collect();
        if !found.is_empty() {
            text.push_str(&format!(" {says} {}.", named(comparison, &found)));
        }
    }
    format!("<p class=\"finding\">{text}</p>\n")
}

/// The best run with its mean, interval and probability of being best.
fn best_sentence(
    comparison: &Comparison,
    table: &MeasureTable,
    best: usize,
    digits: usize,
) -> String {
    let system = &table.systems[best];
    let interval = system.interval.map_or(String::new(), |interval| {
        format!(
            ", {} interval {} to {}",
            level_text(interval.level),
            rounded(interval.low, digits),
            rounded(interval.high, digits)
        )
    });
    format!(
        "{} has the best {} of {} runs on {} topics: {}{interval}. When the topics are drawn again, it is the best in {} of the cases.",
        named(comparison, &[best]),
        escape(&table.directed_name()),
        comparison.runs.len(),
        table.topics.count,
        rounded(system.mean, digits),
        escape(&share_in_percent(system.rank.best, 0))
    )
}

/// The names of the first runs of a list, and the number of others.
fn named(comparison: &Comparison, runs: &[usize]) -> String {
    let shown = runs.iter().take(NAMED);
    let shown: Vec<String> = shown
        .map(|run| format!("<b>{}</b>", escape(&comparison.runs[*run])))
        .collect();
    let more = match runs.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

fn is_open(pair: &Pair) -> bool {
    !pair.significant
}

fn is_contrary(pair: &Pair) -> bool {
    pair.claim.verdict == Verdict::Contrary
}

/// A confidence as a percentage.
pub(super) fn level_text(level: f64) -> String {
    format!("{} %", percent(level))
}

/// The runs by one measure, best first.
fn board(
    report: &Report,
    comparison: &Comparison,
    at: usize,
    table: &MeasureTable,
    warnings: &Warnings<'_>,
) -> String {
    let scale = Scale::of(table, report.request.digits);
    let level = level_text(comparison.settings.level());
    let has_groups = !table.groups.is_empty();
    let better = match table.direction {
        Direction::LowerIsBetter => ", smaller is better",
        _ => "",
    };
    let mut rows = String::new();
    for run in &table.order {
        rows.push_str(&row(
            comparison,
            table,
            *run,
            at,
            &scale,
            &warnings.tags(*run),
        ));
    }
    let left_out = match table.topics.left_out {
        0 => String::new(),
        count => format!(
            "; {} left out, where a run has no value",
            cranfield_render::plural(count, "topic")
        ),
    };
    let (group, legend) = if has_groups {
        ("<th scope=\"col\">group</th>", format!(" {SHARED_LETTERS}"))
    } else {
        let left_out = match table.groups_left_out() {
            none if none.is_empty() => none,
            why => format!(" {why}"),
        };
        ("", left_out)
    };
    format!(
        "<div class=\"board\" data-board=\"{at}\">\n<h3>{measure}</h3>\n<div class=\"table\"><table class=\"sortable\">\n\
         <thead><tr><th scope=\"col\" class=\"n\">rank</th><th scope=\"col\">run</th><th scope=\"col\" class=\"n\">{measure}</th>\
         <th scope=\"col\" class=\"plain\"><span class=\"scale\"><span>{level} interval</span><span>{}</span><span>{}</span></span></th>\
         <th scope=\"col\" class=\"n\">low</th><th scope=\"col\" class=\"n\">high</th>\
         <th scope=\"col\" class=\"n\">ranks</th><th scope=\"col\" class=\"n\">best</th>{group}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n\
         <p class=\"legend\">{means} over {} topics{left_out}{better}. <b>ranks</b>: those that the run takes when the topics are drawn again ({level}); \
         <b>best</b>: how often it is the first then.{legend}{omnibus}</p>\n</div>\n",
        scale.label(scale.low),
        scale.label(scale.high),
        table.topics.count,
        measure = escape(&table.measure),
        means = report.means_in_words().0,
        omnibus = omnibus(comparison, table),
    )
}

/// The tests of all runs, if there are any.
fn omnibus(comparison: &Comparison, table: &MeasureTable) -> String {
    match table.omnibus_says(comparison.settings.alpha) {
        says if says.is_empty() => says,
        says => format!(" {}", escape(&says)),
    }
}

fn row(
    comparison: &Comparison,
    table: &MeasureTable,
    run: usize,
    at: usize,
    scale: &Scale,
    warnings: &str,
) -> String {
    let system = &table.systems[run];
    let rank = &system.rank;
    let limit = |end: Option<f64>| end.map_or("–".into(), |end| rounded(end, scale.digits));
    let baseline = if comparison.baselines.contains(&run) {
        " <span class=\"tag\">baseline</span>"
    } else {
        ""
    };
    let group = if table.groups.is_empty() {
        String::new()
    } else {
        format!("<td class=\"letters\">{}</td>", escape(&system.letters))
    };
    format!(
        "<tr><td class=\"n\">{}</td><th scope=\"row\" data-sort=\"{name}\">{name}{baseline}{warnings}</th><td class=\"n value\" data-run=\"{run}\" data-measure=\"{at}\">{}</td>\
         <td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\" data-sort=\"{}\">{}–{}</td>\
         <td class=\"n\" data-sort=\"{}\">{}</td>{group}</tr>\n",
        rank.rank,
        rounded(system.mean, scale.digits),
        scale.drawn(system),
        limit(system.interval.map(|interval| interval.low)),
        limit(system.interval.map(|interval| interval.high)),
        rank.lowest,
        rank.lowest,
        rank.highest,
        rank.best,
        escape(&share_in_percent(rank.best, 0)),
        name = escape(&comparison.runs[run]),
    )
}

/// The common scale of the intervals of a table.
struct Scale {
    low: f64,
    high: f64,
    /// Decimals.
    digits: usize,
}

impl Scale {
    fn of(table: &MeasureTable, digits: usize) -> Self {
        let ends = table.systems.iter().flat_map(|system| {
            let interval = system
                .interval
                .map(|interval| [interval.low, interval.high]);
            interval.unwrap_or([system.mean; 2])
        });
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| {
            (low.min(end), high.max(end))
        });
        let room = if high > low { 0.0 } else { 0.5 };
        Self {
            low: low - room,
            high: high + room,
            digits,
        }
    }

    fn label(&self, end: f64) -> String {
        if self.low.is_finite() && self.high.is_finite() {
            rounded(end, 2)
        } else {
            String::new()
        }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        4.0 + share.clamp(0.0, 1.0) * (WIDTH - 8.0)
    }

    /// A point with its interval.
    fn drawn(&self, system: &System) -> String {
        let (mean, middle) = (self.place(system.mean), HEIGHT / 2.0);
        let text = system.interval.map_or(String::new(), |interval| {
            let figures = [system.mean, interval.low, interval.high];
            let [mean, low, high] = figures.map(|figure| rounded(figure, self.digits));
            format!("{mean}, interval {low} to {high}")
        });
        let line = system.interval.map_or(String::new(), |interval| {
            let (low, high) = (self.place(interval.low), self.place(interval.high));
            format!("<path d=\"M{low:.1} {middle}H{high:.1}\"/>")
        });
        format!(
            "<svg class=\"interval\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{text}\">{line}\
             <circle cx=\"{mean:.1}\" cy=\"{middle}\" r=\"3\"/></svg>"
        )
    }
}

/// All runs by all measures.
fn all_measures(
    report: &Report,
    comparison: Option<&Comparison>,
    warnings: &Warnings<'_>,
) -> String {
    let names = report.compared_names();
    let order = report.order(0);
    let lettered = comparison.filter(|all| all.runs.len() <= LETTERED && all.runs.len() > 1);
    let columns: String = names
        .iter()
        .map(|name| format!("<th scope=\"col\" class=\"n\">{}</th>", escape(name)))
        .collect();
    let mut rows = String::new();
    for run in &order {
        let name = &report.evaluation.runs[*run].scores.name;
        let cells: String = (0..names.len())
            .map(|at| all_cell(report, lettered, at, *run))
            .collect();
        rows.push_str(&format!(
            "<tr><th scope=\"row\" data-sort=\"{name}\">{name}{}</th>{cells}</tr>\n",
            warnings.tags(*run),
            name = escape(name)
        ));
    }
    let legend = lettered.map_or(String::new(), |all| {
        format!("<p class=\"legend\">{}</p>\n", escape(&all.legend()))
    });
    format!(
        "<div class=\"board\" data-board=\"all\">\n<h3>All measures</h3>\n<div class=\"table\"><table class=\"sortable\">\n\
         <thead><tr><th scope=\"col\">run</th>{columns}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n{legend}</div>\n"
    )
}

fn all_cell(report: &Report, lettered: Option<&Comparison>, at: usize, run: usize) -> String {
    let mean = report.mean(at, run);
    let text = mean.map_or("–".into(), |mean| rounded(mean, report.request.digits));
    let beaten = lettered.map_or(String::new(), |all| {
        let letters = all.marks(&all.measures[at], run);
        format!("<sup>{letters}</sup>")
    });
    let sort = mean.map_or(String::new(), |mean| format!(" data-sort=\"{mean}\""));
    format!(
        "<td class=\"n value\" data-run=\"{run}\" data-measure=\"{at}\"{sort}>{text}{beaten}</td>"
    )
}
