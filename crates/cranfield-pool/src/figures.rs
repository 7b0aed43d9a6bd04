//! Figures of pools.

use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::{
    Axis, Band, Ink, IntervalRow, Intervals, Layer, Line, Look, Plot, PlotKind,
};
use cranfield_render::{Cell, Column, Table};

use crate::bias::PoolBias;
use crate::missing::Missing;
use crate::stats::PoolStats;

/// Points of a line beyond the pool.
const STEPS: usize = 60;

impl Missing {
    /// Relevant documents by depth, and how they may continue.
    pub fn figure(&self) -> Plot {
        let found = self.growth.found();
        let places = (1..=found.len()).zip(&found);
        let points = places.map(|(depth, found)| [depth as f64, *found as f64]);
        let mut layers = vec![Layer::Line(Line {
            name: "found".into(),
            ink: Ink::Series(0),
            look: Look::Plain,
            points: points.collect(),
        })];
        let mut caption = "Relevant documents in the pool, by its depth".to_owned();
        let mut most = found.last().copied().unwrap_or(0) as f64;
        let mut deepest = found.len();
        if let Some(beyond) = &self.growth.extrapolation {
            let (line, band) = self.beyond(beyond);
            most = band
                .points
                .iter()
                .fold(most, |most, point| most.max(point[2]));
            deepest = beyond.to;
            caption += &format!(
                "; dotted: {}, with a 95 % bootstrap band over topics",
                beyond.decline
            );
            layers.splice(0..0, [Layer::Band(band), Layer::Line(line)]);
        }
        Plot {
            kind: PlotKind::Recall,
            title: "Growth of the pool".into(),
            caption: caption + ".",
            series: "line".into(),
            x: Axis::whole("depth", 1.0, deepest.max(2) as f64),
            y: Axis::fitted("relevant documents", [0.0, most], true),
            layers,
        }
    }

    /// The line beyond the pool, and its band.
    fn beyond(&self, beyond: &crate::missing::Extrapolation) -> (Line, Band) {
        let depth = self.growth.documents.len();
        let found = beyond.estimate.found;
        let (low, high) = beyond.estimate.interval.unwrap_or((found, found));
        let all = beyond
            .decline
            .beyond(depth, beyond.to)
            .max(f64::MIN_POSITIVE);
        let (mut points, mut band) = (Vec::new(), Vec::new());
        for step in 0..=STEPS {
            let place = depth + (beyond.to - depth) * step / STEPS;
            let share = beyond.decline.beyond(depth, place) / all;
            let at = |end: f64| found + (end - found) * share;
            points.push([place as f64, at(beyond.estimate.total)]);
            band.push([place as f64, at(low), at(high)]);
        }
        let name = "extrapolated";
        let line = Line {
            name: name.into(),
            ink: Ink::Series(1),
            look: Look::Thin,
            points,
        };
        let band = Band {
            name: name.into(),
            ink: Ink::Series(1),
            points: band,
        };
        (line, band)
    }
}

impl PoolStats {
    /// Documents that only one run has.
    pub fn figure(&self) -> Plot {
        let all = self.of_runs.iter().map(|run| run.unique as f64);
        let most = all.fold(1.0, f64::max);
        let mut table = Table::new(
            [Column::text("run")]
                .into_iter()
                .chain(["unique", "relevant"].map(Column::number)),
        );
        let rows = self.runs.iter().zip(&self.of_runs).map(|(name, run)| {
            let (unique, relevant) = (run.unique as f64, run.unique_relevant as f64);
            let known = if self.is_judged { relevant } else { unique };
            table.push([Cell::text(name), Cell::Real(unique), Cell::Real(relevant)]);
            let row = IntervalRow {
                low: 0.0,
                value: known,
                high: unique,
                note: known.to_string(),
                title: format!("{name}: {unique} unique documents"),
            };
            (name.clone(), row)
        });
        let rows: Vec<(String, IntervalRow)> = rows.collect();
        let (heading, caption) = if self.is_judged {
            let caption = "Documents of the pool that only one run has. The point and the number: those that are relevant.";
            ("relevant", caption)
        } else {
            ("unique", "Documents of the pool that only one run has.")
        };
        let x = Axis::fitted("unique documents", [0.0, most], true);
        rows_figure("Unique contributions", caption, x, heading, rows, table)
    }
}

impl PoolBias {
    /// Scores of runs, and what they become without their own documents.
    pub fn figure(&self) -> Plot {
        let mut runs: Vec<_> = self.runs.iter().collect();
        runs.small_sort_by_key(|run| (run.rank, &run.run));
        let mut table = Table::new(
            [Column::text("run")]
                .into_iter()
                .chain(["score", "without", "change"].map(Column::number)),
        );
        let rows = runs.iter().map(|run| {
            let (with, without) = (run.score, run.score_without);
            let cells = [with, without, run.change()].map(Cell::Real);
            table.push([Cell::text(&run.run)].into_iter().chain(cells));
            let row = IntervalRow {
                low: with.min(without),
                value: with,
                high: with.max(without),
                note: format!("{:+.4}", run.change()),
                title: format!("{}: {with:.4}, without its documents {without:.4}", run.run),
            };
            (run.run.clone(), row)
        });
        let rows: Vec<(String, IntervalRow)> = rows.collect();
        let ends = rows.iter().flat_map(|(_, row)| [row.low, row.high]);
        let x = Axis::fitted(&self.measure, ends, false);
        let what = if self.by_group { "its group" } else { "it" };
        let caption = format!(
            "Points: {} of each run with all judgements. Other end of the line: without the documents that only {what} contributed to \
             the pool of depth {}.",
            self.measure, self.depth
        );
        rows_figure(
            "Runs left out of the pool",
            &caption,
            x,
            "change",
            rows,
            table,
        )
    }
}

fn rows_figure(
    title: &str,
    caption: &str,
    x: Axis,
    heading: &str,
    rows: Vec<(String, IntervalRow)>,
    data: Table,
) -> Plot {
    let (names, rows) = rows.into_iter().unzip();
    Plot {
        kind: PlotKind::Ranks,
        title: title.into(),
        caption: caption.into(),
        series: "run".into(),
        x,
        y: Axis::names("", names).with_field("run"),
        layers: vec![
            Layer::Data(data),
            Layer::Intervals(Intervals {
                heading: heading.into(),
                rows,
            }),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_example::{RELEVANT, example};
    use crate::{Groups, Rankings};
    use cranfield_core::qrels::Qrels;
    use cranfield_render::plot::{PlotFormat, Sheet};

    #[test]
    fn unique_contributions_as_data() {
        let names = ["A", "B", "C"].map(String::from).to_vec();
        let rankings = Rankings {
            topics: vec![example()],
            names: names.clone(),
        };
        let qrels = Qrels::from_judgements(RELEVANT.map(|doc| ("1", doc, 1.0)));
        let stats = PoolStats::new(&rankings, &Groups::single(&names), Some(&qrels), 1.0);
        let csv = stats.figure().render(PlotFormat::Csv, &Sheet::default());
        let csv = String::from_utf8(csv.unwrap()).unwrap();
        assert_eq!(csv, "run,unique,relevant\nA,2,0\nB,3,0\nC,3,1\n");
        let svg = stats.figure().render(PlotFormat::Svg, &Sheet::default());
        assert!(String::from_utf8_lossy(&svg.unwrap()).contains("Unique contributions"));
    }
}
