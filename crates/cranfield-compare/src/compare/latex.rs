//! A comparison as tables of a paper.

use cranfield_render::{Format, latex_text, rounded};
use cranfield_stats::groups::letter;

use super::{Comparison, MeasureTable, Parts, Planned};
use cranfield_render::{latex_words as text, long_table};

/// Letters on a line of an article, and of one in small type; columns are this far apart there.
const LINE: f64 = 66.0;
const GAP: f64 = 2.4;
const SMALL_LINE: f64 = 70.0;
const SMALL_GAP: f64 = 1.8;

/// Width of a small letter behind a value.
const MARK: f64 = 0.75;

/// Longest name of a run and of a measure that stands in one line of small type; a longer run is broken, a longer measure is told
/// in the caption.
const NAME: usize = 24;
const HEADING: usize = 14;

/// Most runs on one page.
const PAGE: usize = 40;

impl Comparison {
    /// A `table` with all runs and measures; letters name the runs that a run is significantly better than. One that is too wide
    /// for a page is set in small type and broken into several, and one that is too long is a `longtable`. The preamble needs
    /// booktabs, and longtable where that is used.
    pub fn latex(&self, parts: &Parts) -> String {
        let mut caption = self.legend() + &self.omnibus_caption();
        if parts.methods && self.role.is_none() {
            caption = format!("{caption} {}", self.methods());
        }
        let columns: Vec<Column> = self
            .measures
            .iter()
            .map(|table| Column::of(self, table, parts.digits))
            .collect();
        let names = self.runs.iter().map(|run| run.chars().count());
        let longest = names.max().unwrap_or(0);
        let widths = columns
            .iter()
            .map(|column| GAP + column.width.max(column.name.chars().count() as f64));
        let width = longest as f64 + 3.0 + 2.0 * GAP + widths.sum::<f64>();
        if width <= LINE && self.runs.len() <= PAGE {
            let table = self.summary(parts.digits).render(Format::Latex);
            return format!(
                "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n{table}\\end{{table}}\n",
                latex_text(&caption)
            );
        }
        self.small_tables(&caption, &columns, longest)
    }

    /// As many tables side by side as the measures need.
    fn small_tables(&self, caption: &str, columns: &[Column], longest: usize) -> String {
        let room = SMALL_LINE - longest.min(NAME) as f64 - 4.0 - 2.0 * SMALL_GAP;
        let blocks = blocks(columns, room);
        let parts = blocks.len();
        let tables = blocks.into_iter().enumerate().map(|(at, block)| {
            let part = match parts {
                1 => String::new(),
                _ => format!(" Part {} of {parts}.", at + 1),
            };
            self.small_table(&format!("{caption}{part}"), block, longest)
        });
        tables.collect::<Vec<_>>().join("\n")
    }

    fn small_table(&self, caption: &str, columns: &[Column], longest: usize) -> String {
        let mut caption = caption.to_owned();
        let mut heads = vec!["run".to_owned(), String::new()];
        for (at, column) in columns.iter().enumerate() {
            if column.name.chars().count() <= HEADING {
                heads.push(text(&column.name));
            } else {
                caption.push_str(&format!(" ({}): {}.", at + 1, column.name));
                heads.push(format!("({})", at + 1));
            }
        }
        let name = if longest <= NAME {
            "l"
        } else {
            "p{0.32\\textwidth}"
        };
        let layout = format!("{name}l{}", "r".repeat(columns.len()));
        let order = self.measures.first().map_or(&[][..], |table| &table.order);
        let rows = order.iter().map(|run| {
            let names = [text(&self.runs[*run]), letter(self.place(*run))];
            let cells = columns.iter().map(|column| column.cells[*run].clone());
            names.into_iter().chain(cells).collect::<Vec<String>>()
        });
        if self.runs.len() > PAGE {
            let table = long_table(&text(&caption), &layout, &heads, rows);
            return format!("% needs \\usepackage{{booktabs,longtable}}\n{table}");
        }
        let rows: String = rows
            .map(|row| format!("{} \\\\\n", row.join(" & ")))
            .collect();
        format!(
            "\\begin{{table}}\n\\centering\\small\n\\setlength{{\\tabcolsep}}{{4pt}}\n\\caption{{{}}}\n\
             % needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{layout}}}\n\\toprule\n{} \\\\\n\\midrule\n\
             {rows}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n",
            text(&caption),
            heads.join(" & ")
        )
    }
}

/// The values of all runs by a measure.
struct Column {
    name: String,
    /// By the place of the run.
    cells: Vec<String>,
    /// Letters of the widest cell.
    width: f64,
}

impl Column {
    fn of(comparison: &Comparison, table: &MeasureTable, digits: usize) -> Self {
        let (mut cells, mut width) = (Vec::with_capacity(table.systems.len()), 0.0_f64);
        for (run, system) in table.systems.iter().enumerate() {
            let value = rounded(system.mean, digits);
            let marks = comparison.marks(table, run);
            let letters = value.len() as f64 + MARK * marks.len() as f64;
            width = width.max(letters);
            let value = value.replace('-', "$-$");
            cells.push(match &*marks {
                "" => value,
                marks => format!("{value}\\textsuperscript{{{marks}}}"),
            });
        }
        Self {
            name: table.measure.clone(),
            cells,
            width,
        }
    }

    /// Letters of the column in small type, with the space before it.
    fn small_width(&self) -> f64 {
        let name = self.name.chars().count();
        let head = if name <= HEADING { name } else { 4 };
        self.width.max(head as f64) + SMALL_GAP
    }
}

/// Columns that fit side by side, at least one in each block.
fn blocks(columns: &[Column], room: f64) -> Vec<&[Column]> {
    let mut blocks = Vec::new();
    let (mut rest, mut used, mut taken) = (columns, 0.0, 0);
    for column in columns {
        if taken > 0 && used + column.small_width() > room {
            let (block, others) = rest.split_at(taken);
            blocks.push(block);
            (rest, used, taken) = (others, 0.0, 0);
        }
        used += column.small_width();
        taken += 1;
    }
    blocks.push(rest);
    blocks
}

impl Planned {
    /// A `table` for the plan, and one for everything else.
    pub fn latex(&self, parts: &Parts) -> String {
        let mut tables: Vec<String> = self.parts().map(|part| part.latex(parts)).collect();
        if parts.methods {
            tables.push(format!("{}\n", latex_text(&self.methods())));
        }
        tables.join("\n")
    }
}
