//! The other sections of a page, readable without JavaScript.

use cranfield_core::measure::BoundMeasure;
use cranfield_core::small_sort::SmallSort;
use cranfield_render::plot::dark_colours;
use cranfield_render::{html_text as escape, plural};

use super::Report;
use super::data::Detail;
use super::figures::{Figure, Place};
use super::judging::Judging;
use crate::plots::captions::common;
use cranfield_compare::compare::{Comparison, MeasureTable, Pair, Verdict, topic_notes};
use cranfield_eval::VERSION;
use cranfield_measures::profiles::Profile;

/// Claims of a measure that the page shows if there are more than it shows in full.
const FEW_CLAIMS: usize = 5;
/// Most claims of a measure that the page shows in full.
const MOST_CLAIMS: usize = 10;

const SECTIONS: [(&str, &str); 9] = [
    ("leaderboard", "Leaderboard"),
    ("claims", "Claims"),
    ("topics", "Topics"),
    ("plots", "Figures"),
    ("pool", "Pool"),
    ("assessors", "Assessors"),
    ("methods", "Methods"),
    ("diagnostics", "Diagnostics"),
    ("provenance", "Provenance"),
];

pub(super) fn header(report: &Report, judging: &[Judging]) -> String {
    let evaluation = &report.evaluation;
    let is_there = |id: &str| match id {
        "claims" => report.comparison.is_some(),
        "pool" | "assessors" => judging.iter().any(|section| section.place.id() == id),
        _ => true,
    };
    let links = SECTIONS.iter().filter(|(id, _)| is_there(id));
    let links: String = links
        .map(|(id, name)| format!("<a href=\"#{id}\">{name}</a>"))
        .collect();
    let mut facts = vec![
        plural(evaluation.runs.len(), "run"),
        plural(evaluation.topics, "judged topic"),
        report.measure_names().join(", "),
        evaluation
            .qrels
            .path
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or("")
            .to_owned(),
    ];
    if evaluation.profile != Profile::Cranfield {
        facts.push(format!("profile {}", evaluation.profile));
    }
    let facts: String = facts
        .iter()
        .map(|fact| format!("<li>{}</li>", escape(fact)))
        .collect();
    format!(
        "<a class=\"skip\" href=\"#leaderboard\">Skip to the leaderboard</a>\n<header>\n<nav aria-label=\"Sections\">{links}\
         <span class=\"tools\" hidden><button type=\"button\" id=\"theme\">Theme: auto</button>\
         <button type=\"button\" id=\"help-button\" aria-label=\"Keyboard help\">?</button></span></nav>\n\
         <h1>{}</h1>\n<ul class=\"facts\">{facts}</ul>\n</header>\n<main>\n",
        escape(&report.title())
    )
}

/// The section in which the script shows topics and rankings.
pub(super) fn topics(report: &Report, detail: Detail, has_rankings: bool) -> String {
    let what = if has_rankings {
        format!("Rankings are shown down to rank {}.", detail.depth)
    } else {
        "Sessions have several rankings each; see cranfield explain.".into()
    };
    let unit = match report.evaluation.sessions {
        Some(_) => "session",
        None => "topic",
    };
    format!(
        "<section id=\"topics\">\n<h2>Topics</h2>\n<p class=\"lead\">Each run on each {unit}. {what} \
         Click a value for its explanation.</p>\n\
         <noscript><p>This section needs JavaScript; the script is part of this page.</p></noscript>\n\
         <div id=\"topic-view\" hidden></div>\n</section>\n"
    )
}

pub(super) fn plots(report: &Report, figures: &[Figure]) -> String {
    format!(
        "<section id=\"plots\">\n<h2>Figures</h2>\n<p class=\"lead\">Unless a caption says otherwise: {}</p>\n{}</section>\n",
        escape(&common(&report.evaluation)),
        drawings(figures, Place::Figures)
    )
}

/// The figures of a section, which are known by their places among all.
pub(super) fn drawings(figures: &[Figure], place: Place) -> String {
    let mut out = String::from("<div class=\"figures\">\n");
    let own = figures.iter().enumerate();
    for (at, figure) in own.filter(|(_, figure)| figure.place == place) {
        out.push_str(&format!(
            "<figure class=\"plot\" id=\"plot-{name}\" data-plot=\"{at}\">\n<h3>{}</h3>\n<div class=\"drawing\">{}</div>\n\
             <figcaption>{}</figcaption>\n</figure>\n",
            escape(&figure.title),
            figure.svg,
            escape(&figure.caption),
            name = figure.name
        ));
    }
    out.push_str("</div>\n");
    out
}

/// Style rules that map colours of figures to variables, which change in dark mode.
pub(super) fn plot_colours() -> String {
    let colours = dark_colours();
    let variables = |dark: bool| -> String {
        let pairs = colours.iter().enumerate();
        pairs
            .map(|(at, (light, other))| {
                format!(
                    "--plot-{at}: {};",
                    if dark { *other } else { light.as_str() }
                )
            })
            .collect()
    };
    let rules: String = colours
        .iter()
        .enumerate()
        .map(|(at, (light, _))| {
            format!(
                ".drawing [fill=\"{light}\"] {{ fill: var(--plot-{at}); }}\n\
                 .drawing [stroke=\"{light}\"] {{ stroke: var(--plot-{at}); }}\n"
            )
        })
        .collect();
    format!(
        ":root {{ {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root:not([data-theme=\"light\"]) {{ {dark} }} }}\n\
         @media screen {{ :root[data-theme=\"dark\"] {{ {dark} }} }}\n{rules}",
        light = variables(false),
        dark = variables(true)
    )
}

pub(super) fn claims(report: &Report, detail: Detail) -> String {
    let Some(comparison) = &report.comparison else {
        return String::new();
    };
    let mut out = String::from("<section id=\"claims\">\n<h2>Claims</h2>\n");
    out.push_str(
        "<p class=\"lead\">What the data support, with the numbers to check it, and what they do not.</p>\n",
    );
    if detail.claims > 0 {
        out.push_str("<div id=\"claim-view\" hidden></div>\n");
    }
    for table in &comparison.measures {
        out.push_str(&claims_of(comparison, table));
    }
    out.push_str("</section>\n");
    out
}

/// The first claims by a measure: significant ones first, those of the best runs before others.
fn claims_of(comparison: &Comparison, table: &MeasureTable) -> String {
    let mut pairs = table.ordered_pairs();
    pairs.small_sort_by_key(|pair| !pair.significant);
    let shown = match pairs.len() {
        count if count <= MOST_CLAIMS => count,
        _ => FEW_CLAIMS,
    };
    let items: String = pairs
        .iter()
        .take(shown)
        .map(|pair| {
            let claim = &pair.claim;
            format!(
                "<li data-pair=\"{} {}\"><span class=\"verdict {}\">{}</span> {} <span class=\"but\">{}</span></li>\n",
                pair.first,
                pair.second,
                claim.verdict.name(),
                claim.verdict.name(),
                escape(&claim.says),
                escape(&claim.does_not_say)
            )
        })
        .collect();
    let counted = match pairs.len() {
        count if count > shown => format!("{shown} of {count} pairs"),
        count => plural(count, "pair"),
    };
    let measure = escape(&table.measure);
    let significant = table.pairs.iter().filter(|pair| pair.significant).count();
    let is_contrary = |pair: &&Pair| pair.claim.verdict == Verdict::Contrary;
    let contrary = match table.pairs.iter().filter(is_contrary).count() {
        0 => String::new(),
        count => format!(", of which {count} against the mean"),
    };
    let open = if comparison
        .measures
        .first()
        .is_some_and(|first| std::ptr::eq(first, table))
    {
        " open"
    } else {
        ""
    };
    format!(
        "<details class=\"claims\"{open}>\n<summary>{measure}: {counted}; {significant} significant of {} tested{contrary}</summary>\n<ul>\n{items}</ul>\n</details>\n",
        pairs.len()
    )
}

pub(super) fn methods(report: &Report) -> String {
    let mut out = String::from("<section id=\"methods\">\n<h2>Methods</h2>\n");
    if report.comparison.is_some() {
        out.push_str(&format!("<p>{}</p>\n", escape(&report.methods())));
    }
    out.push_str("<dl class=\"measures\">\n");
    for measure in &report.evaluation.plan.measures {
        out.push_str(&definition(report, measure));
    }
    out.push_str("</dl>\n</section>\n");
    out
}

fn definition(report: &Report, measure: &BoundMeasure) -> String {
    let (name, canonical) = (
        report.evaluation.profile.name_of(measure),
        measure.to_string(),
    );
    let canonical = if name == canonical {
        String::new()
    } else {
        format!(" <span class=\"quiet\">{}</span>", escape(&canonical))
    };
    let info = measure.info;
    let line = |title: &str, text: &str| match text {
        "" => String::new(),
        text => format!(
            "<p><span class=\"quiet\">{title}</span> {}</p>",
            prose(text)
        ),
    };
    format!(
        "<dt>{}{canonical}</dt>\n<dd><p>{}</p>{}{}{}{}</dd>\n",
        escape(&name),
        prose(&info.section("What it measures")),
        line("User model:", &info.section("User model")),
        line("Formula:", &formula(measure)),
        line("Undefined when:", &info.section("Undefined when")),
        line("References:", &info.references.join("; ")),
    )
}

/// Text with backticks as code.
fn prose(text: &str) -> String {
    let text = text.replace('\n', " ");
    let pieces = text.split('`').enumerate();
    let pieces = pieces.map(|(at, piece)| match at % 2 {
        0 => escape(piece),
        _ => format!("<code>{}</code>", escape(piece)),
    });
    pieces.collect()
}

/// A measure's formula in words and symbols, without the TeX.
pub(super) fn formula(measure: &BoundMeasure) -> String {
    let text = measure.info.section("Formula");
    let mut kept = String::new();
    for (at, piece) in text.split("```").enumerate() {
        if at % 2 == 0 {
            kept.push_str(piece);
        }
    }
    kept.trim().to_owned()
}

pub(super) fn diagnostics(report: &Report, notes: &[String]) -> String {
    let own = report.notes();
    let mut all: Vec<String> = own.iter().chain(notes).map(|note| sentence(note)).collect();
    if let Some(comparison) = &report.comparison {
        all.extend(comparison_notes(comparison));
    }
    let items: String = all
        .iter()
        .map(|note| format!("<li>{}</li>\n", escape(note)))
        .collect();
    format!(
        "<section id=\"diagnostics\">\n<h2>Diagnostics</h2>\n<p class=\"lead\">Ties, missing topics and unjudged documents that affect the numbers.</p>\n\
         <ul class=\"notes\">\n{items}</ul>\n{}</section>\n",
        counts(report)
    )
}

/// A note as a sentence.
pub(super) fn sentence(note: &str) -> String {
    let mut letters = note.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let end = if note.ends_with(['.', ')']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

fn comparison_notes(comparison: &Comparison) -> impl Iterator<Item = String> {
    let tables = comparison.measures.iter();
    let notes = tables.flat_map(|table| topic_notes(&table.measure, &table.topics));
    notes.map(|note| format!("Comparison of {note}."))
}

/// Topics, documents, ties and unjudged documents by run.
fn counts(report: &Report) -> String {
    let evaluation = &report.evaluation;
    let notes: Vec<_> = evaluation
        .runs
        .iter()
        .map(|run| (&run.scores.name, run.scores.notes(&evaluation.plan)))
        .collect();
    let cutoffs = notes.first().map_or(&[][..], |(_, note)| &note.cutoffs);
    let unjudged: String = cutoffs
        .iter()
        .map(|at| format!("<th scope=\"col\" class=\"n\">unjudged@{}</th>", at.cutoff))
        .collect();
    let mut rows = String::new();
    for (name, note) in &notes {
        let shares: String = note
            .cutoffs
            .iter()
            .map(|at| {
                let share = at.unjudged as f64 / at.shown.max(1) as f64;
                format!(
                    "<td class=\"n\" data-sort=\"{share}\">{:.1} %</td>",
                    100.0 * share
                )
            })
            .collect();
        rows.push_str(&format!(
            "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>{shares}</tr>\n",
            escape(name),
            note.topics,
            note.missing,
            note.extra,
            note.retrieved,
            note.tied_docs,
            note.mixed_topics,
        ));
    }
    format!(
        "<div class=\"table\" tabindex=\"0\"><table class=\"sortable\">\n<thead><tr><th scope=\"col\">run</th><th scope=\"col\" class=\"n\">topics</th>\
         <th scope=\"col\" class=\"n\">missing</th><th scope=\"col\" class=\"n\">extra</th><th scope=\"col\" class=\"n\">documents</th>\
         <th scope=\"col\" class=\"n\">tied</th><th scope=\"col\" class=\"n\">ties matter</th>{unjudged}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n\
         <p class=\"legend\"><b>missing</b>: judged topics missing from the run; <b>extra</b>: topics without judgements; \
         <b>tied</b>: documents with equal scores; <b>ties matter</b>: topics where such documents have different grades.</p>\n"
    )
}

pub(super) fn provenance(report: &Report) -> String {
    let evaluation = &report.evaluation;
    let fact = |(name, value): (&str, String)| (name.to_owned(), value);
    let made = [
        ("command", &report.request.command),
        ("date", &report.request.date),
    ];
    let made = made
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.clone()?)));
    let mut facts: Vec<(String, String)> = made.map(fact).collect();
    facts.extend([
        fact(("Cranfield", VERSION.to_owned())),
        fact(("profile", evaluation.profile.to_string())),
        fact(("measures", report.measure_names().join(", "))),
    ]);
    facts.extend(evaluation.plan.policies.named().into_iter().map(fact));
    if let Some(comparison) = &report.comparison {
        facts.extend(comparison.named_settings());
        if let Some(planned) = &report.planned {
            let hash = planned.plan.blake3.as_deref().unwrap_or_default();
            facts.push(fact(("plan", format!("{} {hash}", planned.plan.path))));
        }
    }
    facts.push(fact(("judgements", evaluation.judgements.to_string())));
    let facts: String = facts
        .iter()
        .map(|(name, value)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(value)))
        .collect();
    format!(
        "<section id=\"provenance\">\n<h2>Provenance</h2>\n<dl class=\"facts\">\n{facts}</dl>\n{}</section>\n",
        files(report)
    )
}

fn files(report: &Report) -> String {
    let evaluation = &report.evaluation;
    let others = [&evaluation.intents, &evaluation.known, &evaluation.sessions];
    let others = others.into_iter().flatten().map(|file| ("", "", file));
    let qrels = std::iter::once(("judgements", "", &evaluation.qrels));
    let runs = evaluation
        .runs
        .iter()
        .map(|run| (run.scores.name.as_str(), run.scores.tag.as_str(), &run.file));
    let rows: String = qrels
        .chain(others)
        .chain(runs)
        .map(|(name, tag, file)| {
            let hash = file.blake3().unwrap_or_default();
            format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"hash\">{hash}</td></tr>\n",
                escape(name),
                escape(tag),
                escape(&file.path)
            )
        })
        .collect();
    format!(
        "<details><summary>Files and their BLAKE3 hashes</summary>\n<div class=\"table\" tabindex=\"0\"><table class=\"files\">\n<thead><tr><th scope=\"col\">name</th><th scope=\"col\">tag</th>\
         <th scope=\"col\">file</th><th scope=\"col\">BLAKE3</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n</details>\n"
    )
}

/// The end of the page, with the dialogs that the script opens.
pub(super) fn footer() -> String {
    format!(
        "</main>\n<footer>Made by Cranfield {VERSION}. This page is one file and needs no network.</footer>\n\
         <dialog id=\"explanation\" aria-labelledby=\"explanation-title\"></dialog>\n\
         <dialog id=\"help\" aria-labelledby=\"help-title\"></dialog>\n"
    )
}
