//! The significance matrix: p-values of all pairs above the diagonal, differences below it.

use cranfield_report::picture::{
    Axis, Layer, Matrix, MatrixCell, Picture, PictureError, PictureKind, Tone,
};
use cranfield_report::{Cell, Column, Table};

use super::Drawing;
use super::captions::{caption, interval_text, short, short_p, signed};
use super::compared::Compared;
use crate::Evaluation;
use crate::compare::{Pair, StepWatcher};

pub(super) fn significance(
    drawing: &Drawing,
    evaluation: &Evaluation,
    watcher: StepWatcher<'_>,
) -> Result<Picture, PictureError> {
    let compared = Compared::of(drawing, evaluation, watcher)?;
    let table = compared.table();
    let (measure, order) = (&table.measure, &table.order);
    let differences = table.pairs.iter().map(|pair| pair.difference.abs());
    let largest = differences.fold(0.0, f64::max);
    let mut cells: Vec<MatrixCell> = Vec::new();
    for (place, run) in order.iter().enumerate() {
        let mean = table.systems[*run].mean;
        cells.push(MatrixCell {
            row: place,
            column: place,
            tone: Tone::Plain,
            texts: vec![short(mean)],
            title: format!("{}: mean {}", compared.name(*run), signed(mean)),
        });
        for (other, against) in order.iter().enumerate().skip(place + 1) {
            if let Some(pair) = table.pair(*run, *against) {
                cells.extend(both_cells(&compared, pair, (place, other), largest));
            }
        }
    }
    let rows = order.iter().enumerate();
    let rows = rows.map(|(at, run)| format!("{}  {}", at + 1, compared.name(*run)));
    let columns = (1..=order.len()).map(|place| place.to_string());
    let found = table.pairs.iter().filter(|pair| pair.significant).count();
    let mut more = vec![
        format!("Above the diagonal: p of {}", compared.test()),
        match table.pairs.len() {
            1 => format!("Significant pairs: {found} of 1"),
            pairs => format!("Significant: {found} of {pairs} pairs"),
        },
        "Below: how much better the run of the column is, and where there is room the effect size d_z; on it: mean".into(),
    ];
    more.extend(compared.left_out());
    Ok(Picture {
        kind: PictureKind::Significance,
        title: format!("Differences of {measure} between runs"),
        caption: caption(
            evaluation,
            &format!("{measure} of all pairs of runs, best mean first"),
            &more,
        ),
        series: "run".into(),
        x: Axis::names("run, by its place", columns.collect()),
        y: Axis::names("", rows.collect()).with_field("run"),
        layers: vec![
            Layer::Matrix(Matrix {
                cells,
                keys: keys(compared.comparison.settings.alpha, largest),
            }),
            Layer::Data(data(&compared)),
        ],
    })
}

/// The cells of a pair: p in the row of the better run, the difference in that of the other.
fn both_cells(
    compared: &Compared,
    pair: &Pair,
    (better, other): (usize, usize),
    largest: f64,
) -> [MatrixCell; 2] {
    let title = title(compared, pair);
    let alpha = compared.comparison.settings.alpha;
    let share = if largest > 0.0 {
        pair.difference.abs() / largest
    } else {
        0.0
    };
    let effect = pair
        .effect
        .value
        .map(|value| format!("d {:.2}", value.abs()));
    let difference = short(pair.difference.abs());
    [
        MatrixCell {
            row: better,
            column: other,
            tone: Tone::Class(class(pair.adjusted, alpha)),
            texts: vec![short_p(pair.adjusted)],
            title: title.clone(),
        },
        MatrixCell {
            row: other,
            column: better,
            tone: Tone::Warm(share),
            texts: std::iter::once(difference).chain(effect).collect(),
            title,
        },
    ]
}

/// How small a p-value is: 1 up to alpha, 2 up to a fifth of it, 3 up to a fiftieth.
fn class(p: f64, alpha: f64) -> u8 {
    match p {
        p if p <= alpha / 50.0 => 3,
        p if p <= alpha / 5.0 => 2,
        p if p <= alpha => 1,
        _ => 0,
    }
}

fn keys(alpha: f64, largest: f64) -> Vec<(Tone, String)> {
    // 0.05 / 50 has more digits in binary than on paper.
    let limit = |parts: f64| (alpha / parts * 1e12).round() / 1e12;
    vec![
        (Tone::Class(3), format!("p ≤ {}", limit(50.0))),
        (Tone::Class(2), format!("p ≤ {}", limit(5.0))),
        (Tone::Class(1), format!("p ≤ {alpha}")),
        (Tone::Class(0), format!("p > {alpha}")),
        (Tone::Warm(0.0), "difference 0".into()),
        (Tone::Warm(1.0), format!("difference {}", signed(largest))),
    ]
}

fn title(compared: &Compared, pair: &Pair) -> String {
    let [first, second] = [pair.first, pair.second].map(|run| compared.name(run));
    let effect = pair.effect.value;
    let effect = effect.map_or(String::new(), |value| format!(", d_z {value:.2}"));
    format!(
        "{first} minus {second}: {}, {}{effect}, p {:.4}, corrected {:.4}",
        signed(pair.difference),
        interval_text(&pair.interval),
        pair.p,
        pair.adjusted
    )
}

fn data(compared: &Compared) -> Table {
    let texts = ["run", "against"].map(Column::text);
    let numbers = ["difference", "low", "high", "d_z", "p", "p_corrected"].map(Column::number);
    let mut table = Table::new(texts.into_iter().chain(numbers));
    for pair in compared.table().ordered_pairs() {
        table.push([
            Cell::text(compared.name(pair.first)),
            Cell::text(compared.name(pair.second)),
            Cell::Real(pair.difference),
            Cell::Real(pair.interval.low),
            Cell::Real(pair.interval.high),
            Cell::real(pair.effect.value),
            Cell::Real(pair.p),
            Cell::Real(pair.adjusted),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_alpha_a_fifth_and_a_fiftieth() {
        assert_eq!(
            [0.06, 0.05, 0.01, 0.001].map(|p| class(p, 0.05)),
            [0, 1, 2, 3]
        );
        let texts: Vec<String> = keys(0.05, 0.25).into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            texts[..4],
            ["p ≤ 0.001", "p ≤ 0.01", "p ≤ 0.05", "p > 0.05"]
        );
        assert_eq!(texts[5], "difference 0.2500");
    }
}
