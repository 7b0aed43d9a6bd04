//! A report as Markdown, and as a LaTeX document.

use cranfield_render::{Cell, Column, Page, PageFormat, Table, plural, rounded};

use super::Report;
use super::leaderboard::{SHARED_LETTERS, level_text};
use cranfield_compare::compare::{Comparison, MeasureTable, share_in_percent};
use cranfield_eval::VERSION;
use cranfield_render::{latex_words as text, long_table};

/// Claims of a measure.
const CLAIMS: usize = 10;

/// Measures side by side in a table of all of them.
const ABREAST: usize = 4;

/// Letters of a measure's name above a column; the caption lists longer names.
const HEADING: usize = 14;

pub(super) fn markdown(report: &Report) -> String {
    let title = report.title();
    let digits = report.request.digits;
    let mut page = Page::new(&*title);
    page.heading(&*title);
    page.paragraph(summary(report));
    for warning in &report.warnings {
        page.paragraph(format!("Warning: {warning}."));
    }
    if let Some(comparison) = &report.comparison {
        if comparison.measures.len() > 1 {
            page.heading("Runs by all measures");
            page.table(comparison.summary(digits));
            page.paragraph(comparison.legend());
        }
        for table in &comparison.measures {
            page.heading(format!(
                "{} on {}",
                table.directed_name(),
                plural(table.topics.count, "topic")
            ));
            page.table(comparison.systems(table, digits));
            page.paragraph(table.omnibus_says(comparison.settings.alpha));
            page.lines(claims(table));
        }
        page.heading("Methods");
        page.paragraph(report.methods());
    } else {
        page.table(values(report));
    }
    page.heading("Diagnostics");
    page.lines(report.notes());
    page.heading("Provenance");
    page.lines(facts(report));
    page.table(files(report));
    page.render(PageFormat::Markdown, 80)
}

/// The evaluation in one sentence.
fn summary(report: &Report) -> String {
    let evaluation = &report.evaluation;
    format!(
        "{} by {} on the judgements {}, which have {} and {}.",
        plural(evaluation.runs.len(), "run"),
        report.measure_names().join(", "),
        evaluation.qrels.path,
        plural(evaluation.topics, "topic"),
        plural(evaluation.judgements, "judgement"),
    )
}

/// The claims of the best runs.
fn claims(table: &MeasureTable) -> Vec<String> {
    let pairs = table.ordered_pairs();
    let more = pairs.len().saturating_sub(CLAIMS);
    let shown = pairs.iter().take(CLAIMS);
    let mut lines: Vec<String> = shown
        .map(|pair| format!("{} {}", pair.claim.says, pair.claim.does_not_say))
        .collect();
    if more > 0 {
        lines.push(format!(
            "{more} more pairs were tested; the formats html and json have them."
        ));
    }
    lines
}

/// The values of runs that are compared with nothing.
fn values(report: &Report) -> Table {
    let names = report.measure_names();
    let columns = names.iter().map(Column::number);
    let mut table = Table::new(std::iter::once(Column::text("run")).chain(columns));
    table.digits = report.request.digits;
    for run in &report.evaluation.runs {
        let cells = (0..names.len()).map(|at| Cell::real(run.scores.aggregate(at)));
        table.push(std::iter::once(Cell::text(&*run.scores.name)).chain(cells));
    }
    table
}

fn facts(report: &Report) -> Vec<String> {
    let evaluation = &report.evaluation;
    let mut facts = vec![
        format!("Cranfield {VERSION}, profile {}", evaluation.profile),
        policies(report),
    ];
    if let Some(comparison) = &report.comparison {
        let settings = comparison.named_settings().into_iter();
        let settings = settings.map(|(name, value)| format!("{name} {value}"));
        facts.push(settings.collect::<Vec<_>>().join(", "));
    }
    if let Some(planned) = &report.planned {
        let hash = planned.plan.blake3.as_deref().unwrap_or_default();
        facts.push(format!("plan {} {hash}", planned.plan.path));
    }
    facts
}

fn policies(report: &Report) -> String {
    let named = report.evaluation.plan.policies.named().into_iter();
    let named: Vec<String> = named
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    named.join(", ")
}

fn files(report: &Report) -> Table {
    let evaluation = &report.evaluation;
    let mut table = Table::new([Column::text("file"), Column::text("BLAKE3")]);
    let runs = evaluation.runs.iter().map(|run| &run.file);
    for file in std::iter::once(&evaluation.qrels).chain(runs) {
        let hash = file.blake3().unwrap_or_default();
        table.push([Cell::text(&*file.path), Cell::text(hash)]);
    }
    table
}

const PREAMBLE: &str = r"\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\usepackage[margin=2.5cm]{geometry}
\usepackage{booktabs}
\usepackage{longtable}
\setlength{\LTcapwidth}{\textwidth}
\begin{document}
\sloppy
";

pub(super) fn latex(report: &Report) -> String {
    let mut out = String::from(PREAMBLE);
    out.push_str(&format!(
        "\\section*{{{}}}\n{}\n\n",
        text(&report.title()),
        text(&summary(report))
    ));
    let measures = report.evaluation.plan.measures.len();
    if measures > 1 || report.comparison.is_none() {
        let places: Vec<usize> = (0..measures).collect();
        for block in places.chunks(ABREAST) {
            out.push_str(&all_measures(report, block));
        }
    }
    if let Some(comparison) = &report.comparison {
        for table in &comparison.measures {
            out.push_str(&measure_table(report, comparison, table));
            let omnibus = table.omnibus_says(comparison.settings.alpha);
            out.push_str(&format!("{}\n\n", text(&omnibus)));
        }
        out.push_str("\\section*{Claims}\n");
        for table in &comparison.measures {
            out.push_str(&list(&text(&table.measure), &claims(table)));
        }
        out.push_str(&format!(
            "\\section*{{Methods}}\n{}\n\n",
            text(&report.methods())
        ));
    }
    out.push_str("\\section*{Diagnostics}\n");
    out.push_str(&list("", &report.notes()));
    out.push_str("\\section*{Provenance}\n");
    out.push_str(&list("", &facts(report)));
    out.push_str("\\end{document}\n");
    out
}

/// All runs by some measures.
fn all_measures(report: &Report, measures: &[usize]) -> String {
    let names = report.compared_names();
    let (means, smaller) = report.means_in_words();
    let mut caption = format!("{means} over topics.{smaller}");
    let mut heads = vec!["run".to_owned()];
    for at in measures {
        if names[*at].chars().count() <= HEADING {
            heads.push(text(&names[*at]));
        } else {
            caption.push_str(&format!(" ({}): {}.", at + 1, names[*at]));
            heads.push(format!("({})", at + 1));
        }
    }
    let rows = report.order(0).into_iter().map(|run| {
        let values = measures.iter().map(|at| {
            let mean = report.mean(*at, run);
            mean.map_or("--".into(), |mean| number(mean, report.request.digits))
        });
        let name = text(&report.evaluation.runs[run].scores.name);
        std::iter::once(name).chain(values).collect()
    });
    long_table(&text(&caption), &columns(measures.len()), &heads, rows)
}

fn columns(numbers: usize) -> String {
    format!("p{{0.36\\textwidth}}{}", "r".repeat(numbers))
}

/// All runs by one measure.
fn measure_table(report: &Report, comparison: &Comparison, table: &MeasureTable) -> String {
    let digits = report.request.digits;
    let level = level_text(comparison.settings.level());
    let mut heads = ["run", "mean", "low", "high", "rank", "ranks", "best"]
        .map(String::from)
        .to_vec();
    let mut columns = columns(6);
    let mut legend = String::new();
    if !table.groups.is_empty() {
        heads.push("group".into());
        columns.push_str("p{0.14\\textwidth}");
        legend = format!(" {SHARED_LETTERS}");
    }
    let rows = table.order.iter().map(|run| {
        let system = &table.systems[*run];
        let end = |end: Option<f64>| end.map_or("--".into(), |end| number(end, digits));
        let mut row = vec![
            text(&comparison.runs[*run]),
            number(system.mean, digits),
            end(system.interval.map(|interval| interval.low)),
            end(system.interval.map(|interval| interval.high)),
            system.rank.rank.to_string(),
            format!("{}--{}", system.rank.lowest, system.rank.highest),
            text(&share_in_percent(system.rank.best, 0)),
        ];
        if !table.groups.is_empty() {
            row.push(letters(&system.letters));
        }
        row
    });
    let caption = format!(
        "{} on {}, with {level} intervals of means and ranks.{legend}",
        table.directed_name(),
        plural(table.topics.count, "topic")
    );
    long_table(&text(&caption), &columns, &heads, rows)
}

fn list(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let title = match title {
        "" => String::new(),
        title => format!("\\subsection*{{{title}}}\n"),
    };
    let items: String = lines
        .iter()
        .map(|line| format!("\\item {}\n", text(line)))
        .collect();
    format!("{title}\\begin{{itemize}}\n{items}\\end{{itemize}}\n\n")
}

fn number(value: f64, digits: usize) -> String {
    rounded(value, digits).replace('-', "$-$")
}

/// Letters of groups, which may be broken anywhere.
fn letters(letters: &str) -> String {
    let pieces: Vec<String> = letters
        .chars()
        .map(|letter| text(&letter.to_string()))
        .collect();
    pieces.join("\\allowbreak{}")
}
