//! Tables and pages of a comparison.

use cranfield_core::measure::Direction;
use cranfield_render::{Cell, Column, Page, Table};
use cranfield_stats::short;

use super::methods::list;
use super::wording::{bare_p, correction_title, share_in_percent};
use super::{Comparison, MeasureTable, Pair, Planned, Role};
use crate::limits::capitalised;

/// Most pairs of a measure that are shown without being asked for.
const FEW_PAIRS: usize = 10;

/// The meaning of the letters of groups.
const SHARED_LETTER: &str = "Runs that share a letter do not differ significantly";

/// Optional parts of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// All pairs; otherwise only if they are few.
    pub pairs: bool,
    /// All claims; otherwise only if they are few.
    pub claims: bool,
    /// The paragraph on methods.
    pub methods: bool,
    /// Decimals.
    pub digits: usize,
}

impl Comparison {
    /// The comparison as a page.
    pub fn page(&self, parts: &Parts) -> Page {
        let mut page = Page::new("Comparison of runs");
        self.fill(&mut page, parts);
        page
    }

    fn fill(&self, page: &mut Page, parts: &Parts) {
        if self.measures.len() > 1 {
            page.heading(format!("{}Runs by all measures", self.role_prefix()));
            page.table(self.summary(parts.digits));
            page.paragraph(self.legend());
        }
        for table in &self.measures {
            page.heading(self.title(table));
            page.table(self.systems(table, parts.digits));
            if self.measures.len() == 1 && !table.groups.is_empty() {
                page.paragraph(format!("{SHARED_LETTER}."));
            }
            page.paragraph(sentence(&table.rank_warning()));
            page.paragraph(table.groups_left_out());
            page.paragraph(table.omnibus_says(self.settings.alpha));
            let few = table.pairs.len() <= FEW_PAIRS;
            if few || parts.pairs {
                page.table(self.pairs(table, parts.digits));
                page.paragraph(sentence(&self.short_intervals(table)));
            }
            if few || parts.claims {
                page.lines(
                    table
                        .ordered_pairs()
                        .into_iter()
                        .map(|pair| pair.claim.lines()),
                );
            }
            if (few || parts.pairs) && table.pairs.iter().any(|pair| !pair.topics.is_empty()) {
                page.paragraph("Topics on which runs differ most:");
                page.table(self.differing_table(table, parts.digits));
            }
        }
        if parts.methods && self.role.is_none() {
            page.heading("Methods");
            page.paragraph(self.methods());
        }
    }

    /// Prefix of headings of a planned comparison.
    fn role_prefix(&self) -> &'static str {
        match self.role {
            None => "",
            Some(Role::Confirmatory) => "CONFIRMATORY. ",
            Some(Role::Exploratory) => "EXPLORATORY. ",
        }
    }

    /// Number of pairs that a page leaves out by default.
    pub fn hidden_pairs(&self) -> usize {
        let counts = self.measures.iter().map(|table| table.pairs.len());
        counts.filter(|count| *count > FEW_PAIRS).sum()
    }

    fn title(&self, table: &MeasureTable) -> String {
        let settings = &self.settings;
        let corrected = match (settings.test.corrects_itself(), table.family) {
            (_, 1) => String::new(),
            (true, family) => match table.measures_in_family {
                1 => format!(" for {family} pairs together"),
                measures => format!(" for {family} pairs of {measures} measures together"),
            },
            (false, family) => {
                let method = correction_title(settings.correction());
                format!(", {family} tests, correction: {method}")
            }
        };
        let intervals = self.shown_method().map_or(String::new(), |method| {
            format!(", {} intervals", method.title())
        });
        format!(
            "{}{} on {} topics: {}{corrected}, alpha {}{intervals}",
            self.role_prefix(),
            table.directed_name(),
            table.topics.count,
            settings.test.title(),
            short(settings.alpha)
        )
    }

    /// All runs by all measures, best first by the first measure, with [marks](Self::marks) of significance.
    pub fn summary(&self, digits: usize) -> Table {
        let measures = self
            .measures
            .iter()
            .map(|table| Column::number(&*table.measure));
        let mut summary = Table::new(std::iter::once(Column::text("run")).chain(measures));
        summary.digits = digits;
        (summary.shrink, summary.keys) = (vec![0], 1);
        let order = self.measures.first().map_or(&[][..], |table| &table.order);
        for &run in order {
            let values = self
                .measures
                .iter()
                .map(|table| Cell::Marked(table.systems[run].mean, self.marks(table, run)));
            summary.push(std::iter::once(Cell::text(&*self.runs[run])).chain(values));
        }
        summary
    }

    /// Marks of significance of a run by a measure: the letters of its groups; or with baselines, + or - where it is significantly
    /// better or worse than all of them.
    pub fn marks(&self, table: &MeasureTable, run: usize) -> String {
        if self.baselines.is_empty() {
            return ranges(&table.systems[run].letters);
        }
        let winners: Vec<_> = table.pairs.iter().filter_map(Pair::winner).collect();
        let is_all = |wins: bool| {
            let mut baselines = self.baselines.iter();
            baselines.all(|baseline| {
                let (winner, loser) = if wins {
                    (run, *baseline)
                } else {
                    (*baseline, run)
                };
                winners.contains(&(winner, loser))
            })
        };
        match (is_all(true), is_all(false)) {
            (true, _) => "+".into(),
            (_, true) => "-".into(),
            _ => String::new(),
        }
    }

    /// The meaning of the marks; empty if there are none.
    pub fn marks_legend(&self) -> String {
        let settings = &self.settings;
        let test = format!(
            "({}, correction: {}, alpha {})",
            settings.test.title(),
            self.correction_in_words(),
            short(settings.alpha)
        );
        let baselines: Vec<&str> = self.baselines.iter().map(|run| &*self.runs[*run]).collect();
        match baselines.as_slice() {
            [] if self.measures.iter().all(|table| table.groups.is_empty()) => String::new(),
            [] => format!("{SHARED_LETTER} {test}."),
            all => format!(
                "+ and - mark runs that are significantly better or worse than {} {test}.",
                list(all)
            ),
        }
    }

    /// The numbers of topics, the direction of measures, and the meaning of the marks.
    pub fn legend(&self) -> String {
        let role = match self.role {
            None => "",
            Some(Role::Confirmatory) => "Confirmatory. ",
            Some(Role::Exploratory) => "Exploratory: not part of the plan. ",
        };
        let text = format!(
            "{role}Means over {} topics.{} {}",
            self.topic_counts(),
            self.smaller_sentence(),
            self.marks_legend()
        );
        text.trim_end().to_owned()
    }

    /// The numbers of topics of all measures.
    pub(super) fn topic_counts(&self) -> String {
        let tables = self.measures.iter();
        let mut counts: Vec<usize> = tables.map(|table| table.topics.count).collect();
        counts.sort_unstable();
        counts.dedup();
        let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
        counts.join(" or ")
    }

    /// Names the measures of which smaller values are better, after a space; empty if there are none.
    pub fn smaller_sentence(&self) -> String {
        let tables = self.measures.iter();
        let smaller = tables.filter(|table| table.direction == Direction::LowerIsBetter);
        let names: Vec<&str> = smaller.map(|table| table.measure.as_str()).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(" Smaller values of {} are better.", list(names)),
        }
    }

    /// The correction in a caption.
    fn correction_in_words(&self) -> String {
        let settings = &self.settings;
        let first = self.measures.first();
        match first.map_or(1, |table| table.measures_in_family) {
            _ if !settings.test.corrects_itself() => {
                correction_title(settings.correction()).to_owned()
            }
            1 => "by the test".into(),
            measures => format!("by the test, and Bonferroni for {measures} measures"),
        }
    }

    /// The runs by one measure, best first.
    pub fn systems(&self, table: &MeasureTable, digits: usize) -> Table {
        let has_groups = !table.groups.is_empty();
        let mut columns = vec![
            Column::text("run"),
            Column::number(&*table.measure),
            Column::number("low"),
            Column::number("high"),
            Column::number("rank"),
            Column::number("ranks"),
            Column::number("best"),
        ];
        if has_groups {
            columns.push(Column::text("group"));
        }
        let mut systems = Table::new(columns);
        systems.digits = digits;
        systems.shrink = vec![0];
        for &run in &table.order {
            let system = &table.systems[run];
            let rank = &system.rank;
            let interval = system
                .interval
                .map(|interval| [interval.low, interval.high]);
            let [low, high] =
                interval.map_or([Cell::Missing, Cell::Missing], |ends| ends.map(Cell::Real));
            systems.push([
                Cell::text(&*self.runs[run]),
                Cell::Real(system.mean),
                low,
                high,
                Cell::text(rank.rank.to_string()),
                Cell::text(format!("{}-{}", rank.lowest, rank.highest)),
                Cell::text(share_in_percent(rank.best, 0)),
                Cell::text(ranges(&system.letters)),
            ]);
        }
        systems
    }

    /// The pairs by one measure.
    pub fn pairs(&self, table: &MeasureTable, digits: usize) -> Table {
        let names = ["run", "against", "verdict"].map(Column::text);
        let numbers = ["diff", "low", "high", "p", "d_z"].map(Column::number);
        let size = self.settings.standardise.is_none().then_some("size");
        let chances = self.settings.rope.map(|_| "b/e/w");
        let more = ["W/T/L"].into_iter().chain(size).chain(chances);
        let columns = names.into_iter().chain(numbers);
        let mut pairs = Table::new(columns.chain(more.map(Column::text)));
        pairs.digits = digits;
        (pairs.shrink, pairs.keys) = (vec![0, 1], 2);
        for pair in table.ordered_pairs() {
            pairs.push(self.pair_cells(table, pair));
        }
        pairs
    }

    fn pair_cells(&self, table: &MeasureTable, pair: &Pair) -> Vec<Cell> {
        let [run, against] = [pair.first, pair.second].map(|run| Cell::text(&*self.runs[run]));
        let p = bare_p(pair.adjusted, self.settings.alpha).replace("< ", "<");
        let effect = pair.effect.value;
        let wins = pair.wins;
        let mut cells = vec![
            run,
            against,
            Cell::text(pair.claim.verdict.name()),
            Cell::Real(pair.difference),
            Cell::Real(pair.interval.low),
            Cell::Real(pair.interval.high),
            Cell::text(p),
            Cell::text(effect.map_or("–".into(), |value| format!("{value:.2}"))),
            Cell::text(format!("{}/{}/{}", wins.wins, wins.ties, wins.losses)),
        ];
        cells.extend(pair.importance.map(|size| Cell::text(size.short_share())));
        cells.extend(pair.chances(table).map(|chances| {
            let [better, equal, worse] = chances.map(|chance| format!("{:.0}", 100.0 * chance));
            Cell::text(format!("{better}/{equal}/{worse} %"))
        }));
        cells
    }
}

/// A note as a sentence; empty if the note is.
fn sentence(note: &str) -> String {
    match note {
        "" => String::new(),
        note => capitalised(note) + ".",
    }
}

/// Letters in ascending order, with three and more in a row as a range.
fn ranges(letters: &str) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let rows = letters.chunk_by(|a, b| u32::from(*a) + 1 == u32::from(*b));
    rows.map(|row| match row {
        [first, _, .., last] => format!("{first}-{last}"),
        few => few.iter().collect(),
    })
    .collect()
}

impl Planned {
    /// Both parts as a page, the planned one first.
    pub fn page(&self, parts: &Parts) -> Page {
        let mut page = Page::new("Comparison of runs by plan");
        let title = self
            .plan
            .title
            .as_ref()
            .map_or(String::new(), |title| format!(": {title}"));
        page.heading(format!("Plan {}{title}", self.plan.path));
        page.paragraph(self.plan.says());
        for part in self.parts() {
            part.fill(&mut page, parts);
        }
        if parts.methods {
            page.heading("Methods");
            page.paragraph(self.methods());
        }
        page
    }

    /// The confirmatory part, and the exploratory one if there is one.
    pub fn parts(&self) -> impl Iterator<Item = &Comparison> {
        std::iter::once(&self.confirmatory).chain(&self.exploratory)
    }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn letters_in_a_row_are_a_range() {
        assert_eq!(ranges(""), "");
        assert_eq!(ranges("bcf"), "bcf");
        assert_eq!(ranges("acdegh"), "ac-egh");
    }
}
