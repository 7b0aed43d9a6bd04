//! One run, by topics.

use cranfield_core::explain::{MeanExplanation, TopicShare};
use cranfield_core::measure::Aggregate;
use cranfield_core::policy::TopicPolicy;
use cranfield_core::small_sort::SmallSort;
use cranfield_render::{Cell, Column, Table};

use super::{Writer, aggregate, named, text};

impl Writer<'_> {
    pub(super) fn mean(&mut self, run: &str, mean: &MeanExplanation) {
        let name = self.name(&mean.measure);
        let value = self.value(mean.value);
        self.page.heading(format!(
            "{name} of {run}, {} over topics: {value}",
            aggregate(&mean.measure)
        ));
        self.about(&mean.measure);
        let mut topics: Vec<&TopicShare> = mean.topics.iter().collect();
        topics.small_sort_by(|a, b| b.share.total_cmp(&a.share));
        let has_titles = self.all.labels.has_topics();
        let columns = [
            Column::text("topic"),
            Column::number("value"),
            Column::number("share"),
            Column::number("sum"),
            Column::text(""),
        ];
        let titles = columns.len();
        let mut table = Table::new(columns.into_iter().chain(Self::title_column(has_titles)));
        table.shrink = vec![titles];
        table.digits = self.shown.digits;
        let mut sum = 0.0;
        let (top, bottom) = self.ends(topics.len());
        for (at, topic) in topics.iter().enumerate() {
            sum += topic.share;
            if at == top && top < bottom {
                let hidden = &topics[top..bottom];
                let share = hidden.iter().map(|topic| topic.share).sum();
                table.push([
                    Cell::text(format!("… {} omitted", hidden.len())),
                    Cell::text(""),
                    Cell::Real(share),
                    Cell::text(""),
                    Cell::text(""),
                    Cell::text(""),
                ]);
            }
            if at >= top && at < bottom {
                continue;
            }
            table.push([
                Cell::text(text(&topic.id)),
                Cell::real(topic.value),
                Cell::real(Some(topic.share)),
                Cell::real(Some(sum)),
                Cell::text(self.remark(topic)),
                Cell::text(self.topic_title(&topic.id)),
            ]);
        }
        self.page.table(table);
        let lines = self.mean_lines(&name, mean);
        self.page.lines(lines);
    }

    pub(super) fn remark(&self, topic: &TopicShare) -> &'static str {
        let missing = !topic.in_run && self.all.plan.policies.topics == TopicPolicy::Judged;
        match (missing, topic.value, topic.counted) {
            (_, None, false) => "undefined, excluded",
            (true, None, true) => "not in the run, undefined, counted as 0",
            (true, Some(_), _) => "not in the run",
            (false, None, true) => "undefined, counted as 0",
            (false, Some(_), _) => "",
        }
    }

    pub(super) fn mean_lines(&self, name: &str, mean: &MeanExplanation) -> Vec<String> {
        let (n, total) = (mean.counted, mean.total());
        let Some(value) = mean.value else {
            return vec![format!("{name} is undefined: no topic has a value")];
        };
        let value = self.real(value);
        let mut lines = match mean.measure.info.aggregate {
            Aggregate::Sum => vec![format!("{name} = sum over {n} topics = {value}")],
            Aggregate::GeometricMean => vec![
                format!("share = ln(value, at least 0.00001) / n, n = {n} topics"),
                format!(
                    "{name} = e^(sum of shares) = e^({}) = {value}",
                    self.real(total)
                ),
            ],
            Aggregate::Mean | Aggregate::None => {
                let sum = self.number(total * n as f64);
                vec![
                    format!("share = value / n, n = {n} topics"),
                    format!("{name} = sum of values / n = {sum} / {n} = {value}"),
                ]
            }
        };
        let undefined = mean.topics.iter().filter(|topic| topic.value.is_none());
        lines.extend(named("undefined", undefined));
        let missing = mean.topics.iter().filter(|topic| !topic.in_run);
        lines.extend(named("not in the run", missing));
        lines
    }
}
