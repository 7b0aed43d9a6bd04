//! Tuning in every format.

use cranfield_compare::compare::Claim;
use cranfield_eval::VERSION;
use cranfield_render::{
    Cell, Column, Content, Page, Records, Render, Table, plural, rounded, signed,
};
use serde_json::{Value as Json, json};

use super::point::{Point, Value};
use super::tuned::{FoldResult, Tuned};

impl Render for Tuned {
    fn content(&self) -> Content {
        let mut page = Page::new(format!("Tuning of {}", self.measure));
        page.heading(self.title());
        page.table(self.table());
        page.paragraph(self.summary());
        page.lines(self.claim().map(Claim::lines));
        Content::Page(page)
    }

    fn records(&self) -> Records<'_> {
        let rows = self.topics.iter().map(|topic| {
            let fold = self.folds.iter().find(|fold| fold.name == topic.fold);
            let point = fold.map_or(String::new(), |fold| fold.point.to_string());
            vec![
                Cell::text(&*topic.id),
                Cell::text(&*topic.fold),
                Cell::text(point),
                Cell::Real(topic.tuned),
                Cell::Real(topic.default),
            ]
        });
        Records::named(["topic", "fold", "point", "tuned", "default"], rows)
    }

    fn json(&self) -> Json {
        let topics = self.topics.iter().map(|topic| {
            json!({"topic": topic.id, "fold": topic.fold, "tuned": topic.tuned, "default": topic.default})
        });
        let interval = self.interval().map(|it| [it.low, it.high]);
        json!({
            "cranfield": VERSION,
            "measure": self.measure,
            "space": self.space.text(),
            "search": self.settings.search.to_string(),
            "choice": self.settings.choice.to_string(),
            "seed": self.settings.seed,
            "points": self.points,
            "default": {"point": object(&self.default), "test": self.default_test()},
            "train": self.train(),
            "test": self.test(),
            "interval": interval,
            "optimism": self.optimism(),
            "best_on_all": {"point": object(&self.overall.0), "train": self.overall.1},
            "folds": self.folds.iter().map(fold_object).collect::<Vec<_>>(),
            "comparison": self.comparison_object(),
            "topics": topics.collect::<Vec<_>>(),
        })
    }
}

fn fold_object(fold: &FoldResult) -> Json {
    json!({
        "fold": fold.name,
        "topics": fold.topics,
        "point": object(&fold.point),
        "train": fold.train,
        "test": fold.test,
        "default": fold.default,
    })
}

fn object(point: &Point) -> Json {
    let members = point.values().iter().map(|(name, value)| {
        let value = match value {
            Value::Number(number) => json!(number),
            Value::Choice(choice) => json!(choice),
        };
        (name.clone(), value)
    });
    Json::Object(members.collect())
}

impl Tuned {
    fn title(&self) -> String {
        let settings = &self.settings;
        format!(
            "{} on {}: {}; search: {}, {}; choice: {}; seed {}",
            self.measure,
            plural(self.topics.len(), "topic"),
            settings.folding.describe(self.folds.len()),
            settings.search,
            plural(self.points, "point"),
            settings.choice,
            settings.seed,
        )
    }

    fn table(&self) -> Table {
        let columns = [
            Column::text("fold"),
            Column::number("topics"),
            Column::text("point"),
        ];
        let numbers = ["train", "test", "default"].map(Column::number);
        let mut table = Table::new(columns.into_iter().chain(numbers));
        for fold in &self.folds {
            table.push([
                Cell::text(&*fold.name),
                Cell::text(fold.topics.to_string()),
                Cell::text(fold.point.to_string()),
                Cell::Real(fold.train),
                Cell::Real(fold.test),
                Cell::Real(fold.default),
            ]);
        }
        table.push([
            Cell::text("all"),
            Cell::text(self.topics.len().to_string()),
            Cell::Missing,
            Cell::Real(self.train()),
            Cell::Real(self.test()),
            Cell::Real(self.default_test()),
        ]);
        table.shrink = vec![2];
        table
    }

    fn summary(&self) -> String {
        let number = |value: f64| rounded(value, 4);
        let interval = self.interval().map_or(String::new(), |it| {
            let level = 100.0 * (1.0 - self.settings.comparison.alpha);
            format!(
                " ({level} % interval {} to {})",
                number(it.low),
                number(it.high)
            )
        });
        format!(
            "Test mean {}{interval}; optimism {} (train minus test). Default: {}. Best on all topics: {} with {}, which is measured on the topics that chose it.",
            number(self.test()),
            signed(self.optimism(), 4),
            self.default,
            self.overall.0,
            number(self.overall.1),
        )
    }

    fn comparison_object(&self) -> Json {
        let Some(pair) = self.comparison.pairs.first() else {
            return Json::Null;
        };
        json!({
            "test": self.settings.comparison.test.name(),
            "alpha": self.settings.comparison.alpha,
            "difference": pair.difference,
            "interval": [pair.interval.low, pair.interval.high],
            "p": pair.p,
            "significant": pair.significant,
            "verdict": pair.claim.verdict.name(),
            "says": pair.claim.says,
            "does_not_say": pair.claim.does_not_say,
        })
    }
}
