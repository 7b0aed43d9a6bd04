//! The significance matrix: p-values of all pairs above the diagonal, differences below it.

use cranfield_render::plot::{Axis, Layer, Matrix, MatrixCell, Plot, PlotKind, Tone};
use cranfield_render::{Cell, Column, Table};
use cranfield_stats::short as short_number;

use super::captions::{caption, interval_text, short, short_p, signed};
use super::compared::Compared;
use super::{Drawing, DrawingError};
use cranfield_compare::compare::{Pair, bare_p};
use cranfield_eval::Evaluation;

pub(super) fn significance(
    drawing: &Drawing,
    evaluation: &Evaluation,
) -> Result<Plot, DrawingError> {
    let compared = Compared::of(drawing, evaluation)?;
    let table = compared.table();
    let (measure, order) = (&table.measure, &table.order);
    let largest = largest_difference(&compared);
    let rows = order.iter().enumerate();
    let rows = rows.map(|(at, run)| format!("{}  {}", at + 1, compared.name(*run)));
    let columns = (1..=order.len()).map(|place| place.to_string());
    let mut more = vec![
        format!("Above the diagonal: p of {}", compared.test()),
        significant_pairs(&compared),
        "Below: how much better the run of the column is, with the effect size d_z if there is room; on the diagonal: mean".into(),
    ];
    more.extend(swapped(&compared));
    more.extend(compared.left_out());
    Ok(Plot {
        kind: PlotKind::Significance,
        title: format!("Differences of {measure} between runs"),
        caption: caption(
            evaluation,
            &format!(
                "{} of all pairs of runs, best mean first",
                table.directed_name()
            ),
            &more,
        ),
        series: "run".into(),
        x: Axis::names("run, by its place", columns.collect()),
        y: Axis::names("", rows.collect()).with_field("run"),
        layers: vec![
            Layer::Matrix(Matrix {
                cells: cells(&compared),
                keys: keys(compared.comparison.settings.alpha, largest),
            }),
            Layer::Data(data(&compared)),
        ],
    })
}

fn largest_difference(compared: &Compared) -> f64 {
    let pairs = compared.table().pairs.iter();
    pairs.map(|pair| pair.difference.abs()).fold(0.0, f64::max)
}

/// Counts significant pairs, and those whose direction contradicts the means.
fn significant_pairs(compared: &Compared) -> String {
    let pairs = &compared.table().pairs;
    let found = pairs.iter().filter(|pair| pair.significant);
    let against = found.clone().filter(|pair| pair.is_contrary).count();
    let against = match against {
        0 => String::new(),
        count => format!(", {count} against the means, where neither run counts as better"),
    };
    match pairs.len() {
        1 => format!("Significant pairs: {} of 1{against}", found.count()),
        pairs => format!("Significant: {} of {pairs} pairs{against}", found.count()),
    }
}

/// Explains where pairs are in which the test favours the run with the worse mean, if there are any.
fn swapped(compared: &Compared) -> Option<String> {
    let table = compared.table();
    let place = |run: usize| table.order.iter().position(|other| *other == run);
    let is_swapped = |pair: &&Pair| {
        let places = (place(pair.first), place(pair.second));
        favours_the_lower(compared, pair, places.0.max(places.1))
    };
    let count = table.pairs.iter().filter(is_swapped).count();
    let whose = cranfield_render::plural(count, "pair");
    (count > 0).then(|| {
        format!(
            "{whose} swapped: p is below the diagonal, in the row of the run that the test favours, which has the worse mean"
        )
    })
}

/// Whether the test favours the run with the worse mean.
fn favours_the_lower(compared: &Compared, pair: &Pair, later: Option<usize>) -> bool {
    let table = compared.table();
    let lower = later.and_then(|place| table.order.get(place));
    pair.is_contrary && lower.is_some() && table.favoured(pair) == lower.copied()
}

fn cells(compared: &Compared) -> Vec<MatrixCell> {
    let table = compared.table();
    let largest = largest_difference(compared);
    let mut cells = Vec::new();
    for (place, run) in table.order.iter().enumerate() {
        let mean = table.systems[*run].mean;
        cells.push(MatrixCell {
            row: place,
            column: place,
            tone: Tone::Plain,
            lines: vec![short(mean)],
            title: format!("{}: mean {}", compared.name(*run), signed(mean)),
        });
        for (other, against) in table.order.iter().enumerate().skip(place + 1) {
            if let Some(pair) = table.pair(*run, *against) {
                cells.extend(both_cells(compared, pair, (place, other), largest));
            }
        }
    }
    cells
}

/// The cells of a pair, given the positions of the better mean and of the other. p is in the row of the run that the test
/// favours, which has the better mean unless they disagree; the difference is in the row of the other run.
fn both_cells(
    compared: &Compared,
    pair: &Pair,
    (better, other): (usize, usize),
    largest: f64,
) -> [MatrixCell; 2] {
    let title = title(compared, pair);
    let alpha = compared.comparison.settings.alpha;
    let amount = pair.difference.abs();
    let share = if largest > 0.0 { amount / largest } else { 0.0 };
    let effect = pair
        .effect
        .value
        .map(|value| format!("d {:.2}", value.abs()));
    let (row, column, amount) = if favours_the_lower(compared, pair, Some(other)) {
        (other, better, -amount)
    } else {
        (better, other, amount)
    };
    [
        MatrixCell {
            row,
            column,
            tone: Tone::Class(class(pair.adjusted, alpha)),
            lines: vec![short_p(pair.adjusted)],
            title: title.clone(),
        },
        MatrixCell {
            row: column,
            column: row,
            tone: Tone::Warm(share),
            lines: std::iter::once(short(amount)).chain(effect).collect(),
            title,
        },
    ]
}

/// The class of a p-value: 1 up to alpha, 2 up to a fifth of it, 3 up to a fiftieth.
fn class(p: f64, alpha: f64) -> u8 {
    match p {
        p if p <= alpha / 50.0 => 3,
        p if p <= alpha / 5.0 => 2,
        p if p <= alpha => 1,
        _ => 0,
    }
}

fn keys(alpha: f64, largest: f64) -> Vec<(Tone, String)> {
    // 0.05 / 50 is not exact in binary.
    let limit = |parts: f64| short_number((alpha / parts * 1e12).round() / 1e12);
    vec![
        (Tone::Class(3), format!("p ≤ {}", limit(50.0))),
        (Tone::Class(2), format!("p ≤ {}", limit(5.0))),
        (Tone::Class(1), format!("p ≤ {}", limit(1.0))),
        (Tone::Class(0), format!("p > {}", limit(1.0))),
        (Tone::Warm(0.0), "difference 0".into()),
        (Tone::Warm(1.0), format!("difference {}", signed(largest))),
    ]
}

fn title(compared: &Compared, pair: &Pair) -> String {
    let [first, second] = [pair.first, pair.second].map(|run| compared.name(run));
    let effect = pair.effect.value;
    let effect = effect.map_or(String::new(), |value| format!(", d_z {value:.2}"));
    let contrary = compared.table().favoured(pair).filter(|_| pair.is_contrary);
    let contrary = contrary.map_or(String::new(), |run| {
        format!(", in favour of {}", compared.name(run))
    });
    let alpha = compared.comparison.settings.alpha;
    let [alone, corrected] = [pair.p, pair.adjusted].map(|p| bare_p(p, alpha));
    format!(
        "{first} minus {second}: {}, {}{effect}, p {alone}, corrected {corrected}{contrary}",
        signed(pair.difference),
        interval_text(&pair.interval, compared.comparison.shown_method_of(pair)),
    )
}

fn data(compared: &Compared) -> Table {
    let names = ["run", "against"].map(Column::text);
    let numbers = ["difference", "low", "high", "d_z", "p", "p_corrected"].map(Column::number);
    let columns = names.into_iter().chain(numbers);
    let mut table = Table::new(columns.chain([Column::text("favours")]));
    for pair in compared.table().ordered_pairs() {
        let favoured = compared.table().favoured(pair);
        table.push([
            Cell::text(compared.name(pair.first)),
            Cell::text(compared.name(pair.second)),
            Cell::Real(pair.difference),
            Cell::Real(pair.interval.low),
            Cell::Real(pair.interval.high),
            Cell::real(pair.effect.value),
            Cell::Real(pair.p),
            Cell::Real(pair.adjusted),
            Cell::text(favoured.map_or(String::new(), |run| compared.name(run))),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranfield_compare::compare::scores::ScoreTable;
    use cranfield_compare::compare::{Comparison, Settings, Test, TopicTable, compare_scores};
    use cranfield_core::measure::Direction;
    use cranfield_stats::ScoreMatrix;

    /// `rare` wins one topic of twelve by far, and has the better mean: 41/12 against 2. `often` wins eleven; the sign test has
    /// p = 2 (1 + 12) / 4096. `last` loses to both on every topic, p = 2 / 4096.
    fn compared(test: Test) -> Compared {
        let mut rare = vec![1.0; 12];
        rare[11] = 30.0;
        let scores = [rare, vec![2.0; 12], vec![0.0; 12]];
        let runs = ["rare", "often", "last"].map(String::from).to_vec();
        let settings = Settings {
            test,
            ..Settings::default()
        };
        Compared {
            comparison: Comparison {
                measures: vec![compare_scores("AP", &runs, &scores, &settings).unwrap()],
                settings,
                runs,
                baselines: Vec::new(),
                raised_from: None,
                setup: None,
                role: None,
            },
            scores: ScoreTable {
                measure: "AP".into(),
                direction: Direction::HigherIsBetter,
                range: None,
                topics: TopicTable::of(12),
                matrix: ScoreMatrix::new(&scores).unwrap(),
            },
        }
    }

    fn cell(cells: &[MatrixCell], row: usize, column: usize) -> (&[String], &str) {
        let found = cells.iter().find(|it| (it.row, it.column) == (row, column));
        let found = found.unwrap();
        (&found.lines, &found.title)
    }

    #[test]
    fn p_is_in_the_row_of_the_run_that_the_test_favours() {
        let compared = compared(Test::Sign);
        let cells = cells(&compared);
        assert_eq!(cells.len(), 9);
        // Corrected by Holm: 3 times 2/4096 twice, and 0.0063 as it is.
        assert_eq!(cell(&cells, 1, 0).0, [".006"]);
        assert_eq!(cell(&cells, 0, 1).0[0], "−1.417");
        assert!(cell(&cells, 0, 1).1.ends_with(", in favour of often"));
        for better in [0, 1] {
            assert_eq!(cell(&cells, better, 2).0, [".001"]);
            assert!(!cell(&cells, better, 2).1.contains("favour"));
        }
        assert_eq!(cell(&cells, 2, 1).0[0], "2.000");
        assert_eq!(
            significant_pairs(&compared),
            "Significant: 3 of 3 pairs, 1 against the means, where neither run counts as better"
        );
        assert!(
            swapped(&compared)
                .unwrap()
                .starts_with("1 pair swapped: p is below")
        );
        let rows = data(&compared).render(cranfield_render::Format::Csv);
        let favours: Vec<_> = rows.lines().map(|row| row.rsplit(',').next()).collect();
        let expected = ["favours", "often", "rare", "often"];
        assert_eq!(favours, expected.map(Some));
    }

    /// A test of the means cannot disagree with them.
    #[test]
    fn tests_of_means_have_p_above_the_diagonal() {
        let compared = compared(Test::T);
        let cells = cells(&compared);
        assert_eq!(cell(&cells, 1, 0).0[0], "1.417");
        assert_eq!(swapped(&compared), None);
        assert!(!significant_pairs(&compared).contains("against"));
    }

    #[test]
    fn classes_are_alpha_a_fifth_and_a_fiftieth() {
        assert_eq!(
            [0.06, 0.05, 0.01, 0.001].map(|p| class(p, 0.05)),
            [0, 1, 2, 3]
        );
        let labels: Vec<String> = keys(0.05, 0.25).into_iter().map(|(_, text)| text).collect();
        assert_eq!(
            labels[..4],
            ["p ≤ 0.001", "p ≤ 0.01", "p ≤ 0.05", "p > 0.05"]
        );
        assert_eq!(labels[5], "difference 0.2500");
        assert_eq!(keys(1e-6, 0.25)[0].1, "p ≤ 2e-8");
    }
}
