//! A comparison as tables and as a page.

use cranfield_core::measure::Direction;
use cranfield_render::{Cell, Column, Page, Table};
use cranfield_stats::groups::letter;
use cranfield_stats::short;

use super::methods::list;
use super::wording::{bare_p, correction_title, share_in_percent};
use super::{Comparison, MeasureTable, Pair, Planned, Role};
use crate::limits::capitalised;

/// Most pairs of a measure that are shown without being asked for.
const FEW_PAIRS: usize = 10;

/// Most letters and signs behind a value.
const MOST_MARKS: usize = 14;

/// What a page shows beside the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// All pairs, however many; otherwise only a few.
    pub pairs: bool,
    /// The claims, however many; otherwise only a few.
    pub claims: bool,
    /// The paragraph on methods.
    pub methods: bool,
    /// Decimals.
    pub digits: usize,
}

impl Comparison {
    /// The comparison for people.
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
        }
        if parts.methods && self.role.is_none() {
            page.heading("Methods");
            page.paragraph(self.methods());
        }
    }

    /// What stands before a heading, where there is a plan.
    fn role_prefix(&self) -> &'static str {
        match self.role {
            None => "",
            Some(Role::Confirmatory) => "CONFIRMATORY. ",
            Some(Role::Exploratory) => "EXPLORATORY. ",
        }
    }

    /// Number of pairs that a page leaves out unless they are asked for.
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
        let intervals = self.told_method().map_or(String::new(), |method| {
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

    /// All runs by all measures, best first by the first measure; letters name the runs that a run is significantly better than.
    pub fn summary(&self, digits: usize) -> Table {
        let measures = self
            .measures
            .iter()
            .map(|table| Column::number(&*table.measure));
        let names = [Column::text("run"), Column::text("")];
        let mut summary = Table::new(names.into_iter().chain(measures));
        summary.digits = digits;
        (summary.shrink, summary.keys) = (vec![0], 2);
        let order = self.measures.first().map_or(&[][..], |table| &table.order);
        for &run in order {
            let values = self
                .measures
                .iter()
                .map(|table| Cell::Marked(table.systems[run].mean, self.marks(table, run)));
            let names = [
                Cell::text(&*self.runs[run]),
                Cell::text(letter(self.place(run))),
            ];
            summary.push(names.into_iter().chain(values));
        }
        summary
    }

    /// Letters of the runs that a run is significantly better than by a measure; where they are too many to name, how many.
    pub fn marks(&self, table: &MeasureTable, run: usize) -> String {
        let beaten = table.beaten_by(run).into_iter();
        let mut places: Vec<usize> = beaten.map(|other| self.place(other)).collect();
        places.sort_unstable();
        let named = named(&places);
        if named.len() > MOST_MARKS {
            return format!("({})", places.len());
        }
        named
    }

    /// Place of a run in the order of the first measure, which names it by a letter.
    pub(super) fn place(&self, run: usize) -> usize {
        let order = self.measures.first().map(|table| table.order.as_slice());
        let place = order.and_then(|order| order.iter().position(|other| *other == run));
        place.unwrap_or(run)
    }

    /// What the letters of the summary mean.
    pub fn legend(&self) -> String {
        let settings = &self.settings;
        let tables = self.measures.iter();
        let mut counts: Vec<usize> = tables.map(|table| table.topics.count).collect();
        counts.sort_unstable();
        counts.dedup();
        let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
        format!(
            "{}Means over {} topics.{} A letter behind a value names a run that it is significantly better than{} ({}, correction: {}, alpha {}).",
            match self.role {
                None => "",
                Some(Role::Confirmatory) => "Confirmatory. ",
                Some(Role::Exploratory) =>
                    "Exploratory, not planned; pairs of the plan have their letters above. ",
            },
            counts.join(" or "),
            self.smaller_sentence(),
            self.abbreviations(),
            settings.test.title(),
            self.correction_in_words(),
            short(settings.alpha)
        )
    }

    /// Of which measures smaller values are better, with a blank before it; empty if of none.
    pub fn smaller_sentence(&self) -> String {
        let tables = self.measures.iter();
        let smaller = tables.filter(|table| table.direction == Direction::LowerIsBetter);
        let names: Vec<&str> = smaller.map(|table| table.measure.as_str()).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(" Smaller values of {} are better.", list(names)),
        }
    }

    /// What marks that are no letters mean, if there are any.
    fn abbreviations(&self) -> String {
        let tables = self.measures.iter();
        let marks: Vec<String> = tables
            .flat_map(|table| table.order.iter().map(|run| self.marks(table, *run)))
            .collect();
        let mut ranges = marks.iter().flat_map(|marks| marks.split(','));
        let range = ranges.find_map(|part| part.split_once('-'));
        let range = range.map(|(from, to)| format!("{from}-{to} names {from} to {to}"));
        let counts = "a number in parentheses counts them";
        match (range, marks.iter().any(|marks| marks.contains('('))) {
            (None, false) => String::new(),
            (Some(range), false) => format!(", and {range}"),
            (None, true) => format!(", and {counts}"),
            (Some(range), true) => format!(", {range}, and {counts}"),
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
                Cell::text(&*system.letters),
            ]);
        }
        systems
    }

    /// The pairs by one measure.
    pub fn pairs(&self, table: &MeasureTable, digits: usize) -> Table {
        let texts = ["run", "against", "verdict"].map(Column::text);
        let numbers = ["diff", "low", "high", "p", "d_z"].map(Column::number);
        let size = self.settings.standardise.is_none().then_some("%");
        let chances = self.settings.rope.map(|_| "b/e/w");
        let more = ["W/T/L"].into_iter().chain(size).chain(chances);
        let columns = texts.into_iter().chain(numbers);
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
        cells.extend(pair.importance.map(|size| Cell::text(size.least_share())));
        cells.extend(pair.chances(table).map(|chances| {
            let [better, equal, worse] = chances.map(|chance| format!("{:.0}", 100.0 * chance));
            Cell::text(format!("{better}/{equal}/{worse} %"))
        }));
        cells
    }
}

/// A note as a sentence of its own; nothing of nothing.
fn sentence(note: &str) -> String {
    match note {
        "" => String::new(),
        note => capitalised(note) + ".",
    }
}

/// Letters of places in ascending order; three and more in a row are a range.
fn named(places: &[usize]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for row in places.chunk_by(|a, b| a + 1 == *b) {
        match row {
            [first, _, .., last] => parts.push(format!("{}-{}", letter(*first), letter(*last))),
            few => parts.extend(few.iter().map(|place| letter(*place))),
        }
    }
    let has_range = parts.iter().any(|part| part.contains('-'));
    parts.join(if has_range { "," } else { "" })
}

impl Planned {
    /// Both parts for people, the planned one first.
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
    use super::named;

    #[test]
    fn letters_in_a_row_are_a_range() {
        assert_eq!(named(&[]), "");
        assert_eq!(named(&[1, 2, 5]), "bcf");
        assert_eq!(named(&[0, 2, 3, 4, 6, 7]), "a,c-e,g,h");
        assert_eq!(named(&(20..30).collect::<Vec<_>>()), "u-Ad");
    }
}
