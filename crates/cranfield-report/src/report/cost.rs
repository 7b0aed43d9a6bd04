//! The cost of the runs' engines, which differs whenever it is measured.

use cranfield_render::html_text as escape;
use cranfield_render::plot::Plot;

use super::figures::small_svg;

/// The beginning of a part of a page that differs whenever cost is measured.
pub const COST_START: &str = "<!-- cost -->";
/// The end of such a part.
pub const COST_END: &str = "<!-- end of cost -->";

/// The link and the section before which cost is shown.
const NEXT: [&str; 2] = ["<a href=\"#methods\">", "<section id=\"methods\">"];

/// What engines cost.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// How it was measured.
    pub introduction: String,
    /// Names of columns; the first has the names of engines.
    pub columns: Vec<String>,
    /// Cells of each row.
    pub rows: Vec<Vec<String>>,
    /// The figure of quality against cost.
    pub figure: Option<Plot>,
    /// Remarks on the measurement.
    pub notes: Vec<String>,
}

impl Cost {
    /// The page with this section, which is marked, so that pages can be compared without it.
    pub(super) fn added_to(&self, page: &str) -> String {
        let link = "<a href=\"#cost\">Cost</a>";
        let [next_link, next_section] = NEXT;
        let marked = |part: &str, next: &str| format!("{COST_START}{part}{COST_END}{next}");
        let page = page.replacen(next_link, &marked(link, next_link), 1);
        page.replacen(next_section, &marked(&self.section(), next_section), 1)
    }

    fn section(&self) -> String {
        let class = |at: usize| if at == 0 { "" } else { " class=\"n\"" };
        let heads = self.columns.iter().enumerate();
        let heads: String = heads
            .map(|(at, name)| format!("<th scope=\"col\"{}>{}</th>", class(at), escape(name)))
            .collect();
        let row = |row: &Vec<String>| {
            let cells = row.iter().enumerate().map(|(at, cell)| match at {
                0 => format!("<th scope=\"row\">{}</th>", escape(cell)),
                _ => format!("<td class=\"n\">{}</td>", escape(cell)),
            });
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let rows: String = self.rows.iter().map(row).collect();
        let notes: String = self
            .notes
            .iter()
            .map(|note| format!("<li>{}</li>\n", escape(note)))
            .collect();
        format!(
            "<section id=\"cost\">\n<h2>Cost</h2>\n<p class=\"lead\">{}</p>\n<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>{heads}</tr></thead>\n\
             <tbody>\n{rows}</tbody>\n</table></div>\n<ul class=\"notes\">\n{notes}</ul>\n{}</section>\n",
            escape(&self.introduction),
            self.drawn()
        )
    }

    fn drawn(&self) -> String {
        let drawn = self.figure.as_ref().and_then(|plot| {
            let svg = small_svg(plot).ok()?;
            Some(format!(
                "<figure class=\"plot\">\n<h3>{}</h3>\n<div class=\"drawing\">{svg}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
                escape(&plot.title),
                escape(&plot.caption)
            ))
        });
        drawn.unwrap_or_default()
    }
}
