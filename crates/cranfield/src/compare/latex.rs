//! A comparison as a table of a paper.

use cranfield_report::{Format, latex_text};

use super::{Comparison, Parts, Planned};

impl Comparison {
    /// A `table` with all runs and measures; letters name the runs that a run is significantly better than. The preamble
    /// needs booktabs.
    pub fn latex(&self, parts: &Parts) -> String {
        let table = self.summary(parts.digits).render(Format::Latex);
        let mut caption = self.legend();
        if parts.methods && self.role.is_none() {
            caption = format!("{caption} {}", self.methods());
        }
        format!(
            "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n{table}\\end{{table}}\n",
            latex_text(&caption)
        )
    }
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
