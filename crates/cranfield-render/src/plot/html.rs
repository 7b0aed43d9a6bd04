//! A self-contained page with a figure, its caption, and its data as a table. Its colours follow the light or dark theme of
//! the browser.

use super::style::{BOX, GREY, GRID, INK, MUTED, PAPER, Rgb, SERIES, hex};
use super::{Plot, PlotError, Sheet};
use crate::Format;
use crate::html::escape;

/// Most rows of the table; CSV has all of them.
const MOST_ROWS: usize = 5000;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --line: #d0d0d0; --band: #f4f4f4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e4; --paper: #17181a; --line: #44474b; --band: #202226; }
}
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; margin: 0 0 1rem; }
figure { margin: 0; }
figure svg { width: 100%; height: auto; }
figcaption { max-width: 50rem; margin: 0.5rem 0 1.5rem; }
.table { overflow-x: auto; max-height: 30rem; overflow-y: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.7rem; border-bottom: 1px solid var(--line); text-align: left; }
thead th { position: sticky; top: 0; background: var(--band); }
.key[data-series] { cursor: pointer; }
.off { opacity: 0.12; }
.key.off { opacity: 0.4; }
.point:hover > *, .point:focus > * { stroke: var(--ink); stroke-width: 1px; }
#tip { position: absolute; padding: 0.2rem 0.5rem; border: 1px solid var(--line); border-radius: 3px;
  background: var(--paper); color: var(--ink); font-size: 0.85rem; pointer-events: none; }
";

/// Tooltips without delay, and a legend that shows and hides lines, by pointer or keyboard.
const SCRIPT: &str = "
const svg = document.querySelector('figure svg'), tip = document.getElementById('tip');
for (const title of svg.querySelectorAll('title')) {
  title.parentNode.dataset.tip = title.textContent;
  title.remove();
}
svg.setAttribute('aria-label', document.querySelector('h1').textContent);
svg.addEventListener('pointermove', event => {
  const group = event.target.closest('g[data-tip]');
  tip.hidden = !group;
  if (!group) return;
  tip.textContent = group.dataset.tip;
  const wide = document.documentElement.clientWidth - tip.offsetWidth - 16;
  tip.style.left = Math.min(event.pageX + 12, wide) + 'px';
  tip.style.top = event.pageY + 16 + 'px';
});
svg.addEventListener('pointerleave', () => { tip.hidden = true; });
for (const key of svg.querySelectorAll('.key[data-series]')) {
  key.setAttribute('tabindex', '0');
  key.setAttribute('role', 'button');
  const toggle = () => {
    const off = key.classList.toggle('off');
    key.setAttribute('aria-pressed', String(!off));
    for (const part of svg.querySelectorAll(`[data-series='${key.dataset.series}']:not(.key)`)) {
      part.classList.toggle('off', off);
    }
  };
  key.addEventListener('click', toggle);
  key.addEventListener('keydown', event => {
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); toggle(); }
  });
}
";

impl Plot {
    /// The page.
    pub(super) fn html(&self, sheet: &Sheet) -> Result<String, PlotError> {
        // Title and caption are on the page.
        let bare = Sheet {
            bare: true,
            ..*sheet
        };
        let svg = self.svg(&self.scene(&bare, true)?);
        let (title, caption) = (escape(&self.title), escape(&self.caption));
        let data = self.data();
        let rows = data.len();
        let table = if rows <= MOST_ROWS {
            format!(
                "<div class=\"table\" tabindex=\"0\">\n{}</div>",
                data.render(Format::Html)
            )
        } else {
            format!("<p>The table has {rows} rows, too many for a page. Use the format csv.</p>")
        };
        Ok(format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}{}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<figure>\n{svg}\
             <figcaption>{caption}</figcaption>\n</figure>\n<details>\n<summary>Data</summary>\n{table}\n</details>\n\
             <div id=\"tip\" hidden></div>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
            dark()
        ))
    }
}

/// Colours that differ in the dark theme, each with its replacement: paper, text, lines, the black series, and boxes.
pub fn dark_colours() -> [(String, &'static str); 7] {
    let pairs: [(Rgb, &str); 7] = [
        (PAPER, "#17181a"),
        (INK, "#e4e4e4"),
        (GREY, "#b4b4b4"),
        (MUTED, "#6a6a6a"),
        (GRID, "#33363a"),
        (SERIES[6], "#ffffff"),
        (BOX, "#20303c"),
    ];
    pairs.map(|(light, dark)| (hex(light), dark))
}

fn dark() -> String {
    let rules = dark_colours().into_iter().map(|(light, dark)| {
        format!(
            "  svg [fill=\"{light}\"] {{ fill: {dark}; }}\n  svg [stroke=\"{light}\"] {{ stroke: {dark}; }}\n"
        )
    });
    let rules: String = rules.collect();
    format!("@media (prefers-color-scheme: dark) {{\n{rules}}}\n")
}
