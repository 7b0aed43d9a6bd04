//! Ranks of runs with intervals.

use cranfield_render::picture::{
    Axis, IntervalRow, Intervals, Layer, Picture, PictureError, PictureKind,
};
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::bootstrap::{MOST_KEPT, RankInterval, rank_intervals_watched};

use super::Drawing;
use super::captions::{caption, percent, signed};
use super::compared::{check_topics, failed, left_out, score_table};
use cranfield_compare::compare::{Step, StepWatcher, share_in_percent};
use cranfield_compare::limits::{capitalised, few_topics_for_ranks, would_do};
use cranfield_eval::Evaluation;

/// A run, its mean and its rank.
struct Row {
    name: String,
    mean: f64,
    rank: RankInterval,
}

pub(super) fn ranks(
    drawing: &Drawing,
    evaluation: &Evaluation,
    watcher: StepWatcher<'_>,
) -> Result<Picture, PictureError> {
    let fail = |error| failed(PictureKind::Ranks, &error);
    let scores = score_table(evaluation)?;
    check_topics(&scores)?;
    let (level, resampling) = (drawing.tests.level(), drawing.tests.rank_resampling());
    let oriented = scores.oriented().map_err(fail)?;
    let (measure, what) = (&scores.measure, "ranks");
    let tell = |done, total| {
        watcher(Step {
            measure,
            what,
            done,
            total,
        });
    };
    let found = rank_intervals_watched(&oriented, level, resampling, &tell).map_err(fail)?;
    let runs = evaluation.runs.iter().zip(found);
    let mut rows: Vec<Row> = runs
        .map(|(run, rank)| Row {
            name: run.scores.name.clone(),
            mean: scores.sign() * rank.mean,
            rank,
        })
        .collect();
    rows.sort_by(|a, b| (a.rank.rank, &a.name).cmp(&(b.rank.rank, &b.name)));
    let rough = drawing
        .tests
        .lacking_resamples()
        .map_or(String::new(), |needed| {
            format!(
                ", which are too few for this level ({})",
                would_do(needed, MOST_KEPT)
            )
        });
    let mut more = vec![format!(
        "Lines: {} interval of the rank over {} bootstrap samples of the topics (seed {}){rough}; the point is the rank by mean. \
         Best: share of the samples in which the run is first",
        percent(level),
        resampling.replicates,
        resampling.seed
    )];
    more.extend(few_topics_for_ranks(scores.matrix.topics()).map(|note| capitalised(&note)));
    more.extend(left_out(&scores));
    let names = rows.iter().map(|row| row.name.clone()).collect();
    Ok(Picture {
        kind: PictureKind::Ranks,
        title: format!("How sure the ranks of runs by {measure} are"),
        caption: caption(
            evaluation,
            &format!("Rank of each run by mean {}", scores.directed_name()),
            &more,
        ),
        series: "run".into(),
        x: Axis::whole("rank", 0.5, rows.len() as f64 + 0.5),
        y: Axis::names("", names).with_field("run"),
        layers: vec![
            Layer::Data(data(&rows)),
            Layer::Intervals(Intervals {
                heading: "best".into(),
                rows: rows.iter().map(interval).collect(),
            }),
        ],
    })
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
