//! LaTeX tables of a comparison.

use cranfield_core::measure::Direction;
use cranfield_render::{latex_text, rounded};

use super::methods::list;
use super::{Comparison, MeasureTable, Parts, Planned, Role};
use cranfield_render::{latex_words as text, long_table};

/// Characters of small type on a line of a two-column paper, and of a page, which a `longtable` has.
const COLUMN: f64 = 50.0;
const PAGE: f64 = 70.0;
/// Space between columns in characters.
const GAP: f64 = 1.8;
/// Width of a superscript character.
const MARK: f64 = 0.75;

/// Longest names of a run and of a measure in one line. A longer run is broken, a longer measure is named in the caption.
const RUN: usize = 20;
const MEASURE: usize = 14;
/// Part of a line for the names of runs that are broken.
const BROKEN: f64 = 0.4;

/// Most runs of a `table`.
const MOST_RUNS: usize = 40;

impl Comparison {
    /// A `table` with the means of all runs, the best in bold, with marks of significance. Measures that do not fit in a column of a
    /// two-column paper are in further tables. More than 40 runs are a `longtable`. The preamble needs booktabs, and longtable
    /// where that is used.
    pub fn latex(&self, parts: &Parts) -> String {
        let columns: Vec<Column> = self
            .measures
            .iter()
            .map(|table| Column::of(self, table, parts.digits))
            .collect();
        let longest = self.runs.iter().map(|run| run.chars().count()).max();
        let longest = longest.unwrap_or(0);
        let line = if self.is_long() { PAGE } else { COLUMN };
        let names = if longest <= RUN {
            longest as f64
        } else {
            BROKEN * line
        };
        let blocks = blocks(&columns, line - names - GAP);
        let tables = blocks.iter().enumerate().map(|(at, block)| {
            let mut caption = self.caption(block);
            if at == 0 && parts.methods && self.role.is_none() {
                caption = format!("{caption}{} {}", self.omnibus_caption(), self.methods());
            }
            let label = match at {
                0 => self.label().to_owned(),
                at => format!("{}-{}", self.label(), at + 1),
            };
            self.block(&caption, &label, block, longest)
        });
        tables.collect::<Vec<_>>().join("\n")
    }

    fn is_long(&self) -> bool {
        self.runs.len() > MOST_RUNS
    }

    fn label(&self) -> &'static str {
        match self.role {
            None => "tab:comparison",
            Some(Role::Confirmatory) => "tab:confirmatory",
            Some(Role::Exploratory) => "tab:exploratory",
        }
    }

    fn caption(&self, columns: &[Column]) -> String {
        let role = match self.role {
            None => "",
            Some(Role::Confirmatory) => "Confirmatory comparison. ",
            Some(Role::Exploratory) => "Exploratory comparison, not part of the plan. ",
        };
        let names = columns.iter().enumerate().map(|(at, column)| {
            if column.is_numbered() {
                format!("({}) {}", at + 1, column.name)
            } else {
                column.name.clone()
            }
        });
        let names: Vec<String> = names.collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let caption = format!(
            "{role}Mean {} of {} runs over {} topics.{} The best value of each measure is in bold. {}",
            list(&names),
            self.runs.len(),
            self.topic_counts(),
            self.smaller_sentence(),
            self.marks_legend()
        );
        caption.trim_end().to_owned()
    }

    fn block(&self, caption: &str, label: &str, columns: &[Column], longest: usize) -> String {
        let heads = columns.iter().enumerate().map(|(at, column)| {
            if column.is_numbered() {
                format!("({})", at + 1)
            } else {
                text(&column.name)
            }
        });
        let heads: Vec<String> = std::iter::once("run".to_owned()).chain(heads).collect();
        let name = if longest <= RUN {
            "l".to_owned()
        } else {
            format!("p{{{BROKEN}\\columnwidth}}")
        };
        let layout = format!("{name}{}", "r".repeat(columns.len()));
        let order = self.measures.first().map_or(&[][..], |table| &table.order);
        let rows = order.iter().map(|run| {
            let cells = columns.iter().map(|column| column.cells[*run].clone());
            let name = text(&self.runs[*run]);
            std::iter::once(name).chain(cells).collect::<Vec<String>>()
        });
        let caption = format!("{}\\label{{{label}}}", text(caption));
        if self.is_long() {
            let table = long_table(&caption, &layout, &heads, rows);
            return format!("% needs \\usepackage{{booktabs,longtable}}\n{table}");
        }
        let rows: String = rows
            .map(|row| format!("{} \\\\\n", row.join(" & ")))
            .collect();
        format!(
            "% needs \\usepackage{{booktabs}}\n\\begin{{table}}\n\\centering\\small\n\\setlength{{\\tabcolsep}}{{4pt}}\n\\caption{{{caption}}}\n\
             \\begin{{tabular}}{{{layout}}}\n\\toprule\n{} \\\\\n\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n",
            heads.join(" & ")
        )
    }
}

/// The values of all runs by a measure.
struct Column {
    name: String,
    /// By the place of the run.
    cells: Vec<String>,
    /// Characters of the widest cell.
    width: f64,
}

impl Column {
    fn of(comparison: &Comparison, table: &MeasureTable, digits: usize) -> Self {
        let best = table.order.first().map(|run| table.systems[*run].mean);
        let best = best.filter(|_| table.direction != Direction::Neutral);
        let best = best.map(|mean| rounded(mean, digits));
        let (mut cells, mut width) = (Vec::with_capacity(table.systems.len()), 0.0_f64);
        for (run, system) in table.systems.iter().enumerate() {
            let value = rounded(system.mean, digits);
            let marks = comparison.marks(table, run);
            width = width.max(value.len() as f64 + MARK * marks.len() as f64);
            let set = value.replace('-', "$-$");
            let set = if best.as_ref() == Some(&value) {
                format!("\\textbf{{{set}}}")
            } else {
                set
            };
            cells.push(match &*marks {
                "" => set,
                "-" => format!("{set}\\textsuperscript{{$-$}}"),
                marks => format!("{set}\\textsuperscript{{{marks}}}"),
            });
        }
        Self {
            name: table.measure.clone(),
            cells,
            width,
        }
    }

    /// Whether the name is too long for the head of the column.
    fn is_numbered(&self) -> bool {
        self.name.chars().count() > MEASURE
    }

    /// Characters of the column with the space before it.
    fn full_width(&self) -> f64 {
        let name = self.name.chars().count();
        let head = if self.is_numbered() { 4 } else { name };
        self.width.max(head as f64) + GAP
    }
}

/// Columns that fit next to each other, at least one in each block.
fn blocks(columns: &[Column], room: f64) -> Vec<&[Column]> {
    let mut blocks = Vec::new();
    let (mut rest, mut used, mut taken) = (columns, 0.0, 0);
    for column in columns {
        if taken > 0 && used + column.full_width() > room {
            let (block, others) = rest.split_at(taken);
            blocks.push(block);
            (rest, used, taken) = (others, 0.0, 0);
        }
        used += column.full_width();
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
