//! Ranks of runs with intervals.

use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::{Axis, IntervalRow, Intervals, Layer, Plot, PlotKind};
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::bootstrap::{MOST_KEPT, RankInterval, rank_intervals};

use super::captions::{caption, percent, signed};
use super::compared::{check_topics, failed, left_out, score_table};
use super::{Drawing, DrawingError};
use cranfield_compare::compare::scores::ScoreTable;
use cranfield_compare::compare::{Step, share_in_percent};
use cranfield_compare::limits::{capitalised, few_topics_for_ranks, would_do};
use cranfield_eval::Evaluation;

/// A run, its mean and its rank.
struct Row {
    name: String,
    mean: f64,
    rank: RankInterval,
}

/// Ranks with bootstrap intervals.
pub(super) fn ranks(drawing: &Drawing, evaluation: &Evaluation) -> Result<Plot, DrawingError> {
    let scores = score_table(evaluation)?;
    check_topics(&scores)?;
    let rows = rows(drawing, evaluation, &scores)?;
    let mut more = vec![legend(drawing)];
    more.extend(few_topics_for_ranks(scores.matrix.topics()).map(|note| capitalised(&note)));
    more.extend(left_out(&scores));
    let names = rows.iter().map(|row| row.name.clone()).collect();
    let what = format!("Rank of each run by mean {}", scores.directed_name());
    Ok(Plot {
        kind: PlotKind::Ranks,
        title: format!("Ranks of runs by {} with intervals", scores.measure),
        caption: caption(evaluation, &what, &more),
        series: "run".into(),
        x: Axis::whole("rank", 0.5, rows.len() as f64 + 0.5),
        y: Axis::names("", names).with_field("run"),
        layers: vec![
            Layer::Data(data(&rows)),
            Layer::Intervals(Intervals {
                heading: "P(best)".into(),
                rows: rows.iter().map(interval).collect(),
            }),
        ],
    })
}

/// The runs, best first; equal ones by name.
fn rows(
    drawing: &Drawing,
    evaluation: &Evaluation,
    scores: &ScoreTable,
) -> Result<Vec<Row>, DrawingError> {
    let fail = |error| failed(PlotKind::Ranks, &error);
    let progress = |done, total| {
        drawing.tests.progress.report(Step {
            measure: &scores.measure,
            what: "ranks",
            done,
            total,
        });
    };
    let resampling = drawing.tests.rank_resampling().watched(&progress);
    let oriented = scores.oriented().map_err(fail)?;
    let found = rank_intervals(&oriented, drawing.tests.level(), resampling);
    let runs = evaluation.runs.iter().zip(found.map_err(fail)?);
    let mut rows: Vec<Row> = runs
        .map(|(run, rank)| Row {
            name: run.scores.name.clone(),
            mean: scores.sign() * rank.mean,
            rank,
        })
        .collect();
    rows.small_sort_by(|a, b| (a.rank.rank, &a.name).cmp(&(b.rank.rank, &b.name)));
    Ok(rows)
}

/// How to read the intervals.
fn legend(drawing: &Drawing) -> String {
    let too_few = drawing.tests.lacking_resamples();
    let too_few = too_few.map_or(String::new(), |needed| {
        format!(", too few for this level ({})", would_do(needed, MOST_KEPT))
    });
    let resampling = drawing.tests.rank_resampling();
    format!(
        "Lines: {} interval of the rank over {} bootstrap samples of the topics (seed {}){too_few}; the point is the rank by mean. \
         P(best): proportion of the samples in which the run is first",
        percent(drawing.tests.level()),
        resampling.replicates,
        resampling.seed
    )
}

fn interval(row: &Row) -> IntervalRow {
    let RankInterval {
        rank,
        lowest,
        highest,
        best,
        ..
    } = row.rank;
    let share = share_in_percent(best, 1);
    IntervalRow {
        low: lowest as f64,
        value: rank as f64,
        high: highest as f64,
        title: format!(
            "{}: mean {}, rank {rank}, {lowest} to {highest}, best in {share} of samples",
            row.name,
            signed(row.mean)
        ),
        note: share,
    }
}

fn data(rows: &[Row]) -> Table {
    let numbers = ["mean", "rank", "low", "high", "best"].map(Column::number);
    let mut table = Table::new(std::iter::once(Column::text("run")).chain(numbers));
    let count = |rank: usize| Cell::Int(i64::try_from(rank).unwrap_or(i64::MAX));
    for row in rows {
        table.push([
            Cell::text(&row.name),
            Cell::Real(row.mean),
            count(row.rank.rank),
            count(row.rank.lowest),
            count(row.rank.highest),
            Cell::Real(row.rank.best),
        ]);
    }
    table
}
