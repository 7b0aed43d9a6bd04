//! Critical difference diagrams.

use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::{Axis, Critical, CriticalItem, Layer, Plot, PlotKind, Scale};
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::friedman::{self, critical_difference};
use cranfield_stats::groups::groups;
use cranfield_stats::tukey;

use super::captions::{caption, signed};
use super::compared::{Compared, failed};
use super::{Drawing, DrawingError};
use cranfield_compare::compare::Test;
use cranfield_eval::Evaluation;

/// Most groups that have a bar.
const MOST_BARS: usize = 100;

/// Positions of runs on the axis.
struct Axes {
    /// By run.
    places: Vec<f64>,
    /// Whether positions are mean ranks, not means.
    is_rank: bool,
    difference: Option<f64>,
    sentence: Option<String>,
}

impl Axes {
    fn field(&self) -> &'static str {
        if self.is_rank { "mean_rank" } else { "mean" }
    }

    fn text(&self, place: f64) -> String {
        if self.is_rank {
            format!("{place:.2}")
        } else {
            signed(place)
        }
    }
}

/// A critical difference diagram.
pub(super) fn critical(drawing: &Drawing, evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let compared = Compared::of(drawing, evaluation)?;
    let axes = axes(&compared)?;
    let order = order(&compared, &axes);
    let found = joined(&compared, &axes, &order)?;
    let measure = &compared.table().measure;
    let directed = compared.table().directed_name();
    let (label, what) = if axes.is_rank {
        (
            "mean rank, best on the left".to_owned(),
            format!("Mean rank of each run within topics by {directed}"),
        )
    } else {
        (
            format!("mean {measure}, best on the left"),
            format!("Mean {directed} of each run"),
        )
    };
    Ok(Plot {
        kind: PlotKind::Cd,
        title: format!("Runs that do not differ significantly by {measure}"),
        caption: caption(evaluation, &what, &legend(&compared, &axes)),
        series: "run".into(),
        x: axis(&compared, &axes),
        y: Axis::names(label, Vec::new()),
        layers: vec![
            Layer::Data(data(&compared, &axes, &order, &found)),
            Layer::Critical(diagram(&compared, &axes, &order, &found)),
        ],
    })
}

/// The sets of runs that do not differ significantly.
fn joined(
    compared: &Compared,
    axes: &Axes,
    order: &[usize],
) -> Result<Vec<Vec<usize>>, DrawingError> {
    // On an axis of ranks the test's own direction is that of the axis.
    let differ = |a: usize, b: usize| {
        let pair = compared.table().pair(a, b);
        pair.is_some_and(|pair| pair.significant && (axes.is_rank || !pair.is_contrary))
    };
    groups(order, MOST_BARS, differ).ok_or_else(|| {
        DrawingError::new(format!(
            "cd: more than {MOST_BARS} groups of runs do not differ, too many to draw; use significance, or fewer runs"
        ))
    })
}

fn diagram(compared: &Compared, axes: &Axes, order: &[usize], groups: &[Vec<usize>]) -> Critical {
    let items = order.iter().map(|run| CriticalItem {
        name: compared.name(*run),
        place: axes.places[*run],
        figure: axes.text(axes.places[*run]),
    });
    let place = |run: &usize| order.iter().position(|other| other == run);
    let groups = groups
        .iter()
        .map(|group| group.iter().filter_map(place).collect());
    let difference = axes.difference;
    Critical {
        items: items.collect(),
        groups: groups.collect(),
        difference: difference
            .map(|difference| (difference, format!("CD = {}", axes.text(difference)))),
    }
}

/// How to read the diagram.
fn legend(compared: &Compared, axes: &Axes) -> Vec<String> {
    let mut more: Vec<String> = axes.sentence.clone().into_iter().collect();
    more.push(format!(
        "Bars join runs, marked by dots, that do not differ by {}",
        compared.test()
    ));
    if axes.difference.is_some() {
        more.push("CD: the smallest significant difference".into());
    }
    more.extend(compared.left_out());
    more
}

/// Mean ranks for tests by ranks, means for others.
fn axes(compared: &Compared) -> Result<Axes, DrawingError> {
    let fail = |error| failed(PlotKind::Cd, &error);
    let (settings, scores) = (&compared.comparison.settings, &compared.scores);
    let systems = &compared.table().systems;
    let means: Vec<f64> = systems.iter().map(|system| system.mean).collect();
    let of_means = |difference| Axes {
        places: means,
        is_rank: false,
        difference,
        sentence: None,
    };
    match settings.test {
        test if test.is_by_ranks() => {
            let all = friedman::test(&scores.oriented().map_err(fail)?).map_err(fail)?;
            let runs = systems.len();
            let difference = critical_difference(runs, all.topics, settings.alpha).map_err(fail)?;
            let p = compared.table().friedman_p_text(settings.alpha);
            let chi = all
                .chi_square
                .map(|chi| format!("Friedman's test: chi-square {chi:.2}, df {}, {p}", all.df));
            Ok(Axes {
                places: all
                    .mean_ranks
                    .iter()
                    .map(|rank| runs as f64 + 1.0 - rank)
                    .collect(),
                is_rank: true,
                difference: (settings.test == Test::Nemenyi).then_some(difference),
                sentence: chi,
            })
        }
        Test::Tukey => {
            let all = tukey::paired(&scores.matrix, settings.level()).map_err(fail)?;
            Ok(of_means(Some(all.least_significant_difference)))
        }
        _ => Ok(of_means(None)),
    }
}

/// The runs, best first.
fn order(compared: &Compared, axes: &Axes) -> Vec<usize> {
    let mut order = compared.table().order.clone();
    if axes.is_rank {
        // The sort is stable: runs of the same mean rank stay in the order of their means.
        order.small_sort_by(|a, b| axes.places[*a].total_cmp(&axes.places[*b]));
    }
    order
}

/// An axis that contains all positions, the better ones on the left.
fn axis(compared: &Compared, axes: &Axes) -> Axis {
    let places = axes.places.iter().copied();
    let mut axis = if axes.is_rank {
        // From one whole rank to another.
        let (low, high) = places.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), place| {
            (low.min(place.floor()), high.max(place.ceil()))
        });
        Axis::linear("", low, high)
    } else {
        Axis::fitted("", places, false)
    };
    let is_least_best = axes.is_rank || compared.scores.sign() < 0.0;
    if let (Scale::Linear { min, max, .. }, false) = (&mut axis.scale, is_least_best) {
        std::mem::swap(min, max);
    }
    axis.with_field(axes.field())
}

fn data(compared: &Compared, axes: &Axes, order: &[usize], groups: &[Vec<usize>]) -> Table {
    let mut table = Table::new([
        Column::text("run"),
        Column::number(axes.field()),
        Column::text("groups"),
    ]);
    for run in order {
        let mine = groups
            .iter()
            .enumerate()
            .filter(|(_, group)| group.contains(run));
        let mine: Vec<String> = mine.map(|(at, _)| (at + 1).to_string()).collect();
        table.push([
            Cell::text(compared.name(*run)),
            Cell::Real(axes.places[*run]),
            Cell::text(mine.join(" ")),
        ]);
    }
    table
}
