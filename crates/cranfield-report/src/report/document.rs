//! The page: one file with style, script and data, which forbids itself the network.

use cranfield_render::html_text as escape;

use super::data::{self, Detail};
use super::figures::Figure;
use super::judging::Judging;
use super::rankings::Rankings;
use super::{Report, ReportError, figures, judging, leaderboard, rankings, sections};

/// Most bytes of a page; one that would be larger has less detail.
const MOST_BYTES: usize = 3_000_000;

/// Ranks of a ranking below which depth is worth more than anything else.
const FEW_RANKS: usize = 10;

/// The style of the page, which other pages share.
pub const STYLE: &str = include_str!("page/style.css");

/// The script, file by file; the last one starts it.
const SCRIPTS: [&str; 8] = [
    include_str!("page/base.js"),
    include_str!("page/tables.js"),
    include_str!("page/explain.js"),
    include_str!("page/topics.js"),
    include_str!("page/rankings.js"),
    include_str!("page/claims.js"),
    include_str!("page/plots.js"),
    include_str!("page/start.js"),
];

/// The whole page.
pub(super) fn page(report: &Report) -> Result<String, ReportError> {
    let (mut figures, mut not_drawn) = figures::draw(report);
    let (mut judging, notes) = judging::sections(report);
    figures.extend(judging.iter_mut().flat_map(|part| part.figures.drain(..)));
    not_drawn.extend(notes);
    let rankings = rankings::read(report)?;
    let full = full(report, rankings.as_ref());
    let mut smallest = String::new();
    for detail in ladder(full) {
        let notes = [not_drawn.clone(), left_out(report, full, detail)].concat();
        let parts = Parts {
            figures: &figures,
            judging: &judging,
            rankings: rankings.as_ref(),
        };
        if let Some(page) = written(report, &parts, detail, &notes) {
            smallest = page;
            if smallest.len() <= MOST_BYTES {
                break;
            }
        }
    }
    Ok(smallest)
}

/// What a page is written from.
struct Parts<'p> {
    figures: &'p [Figure],
    judging: &'p [Judging],
    rankings: Option<&'p Rankings>,
}

/// All that there is.
fn full(report: &Report, rankings: Option<&Rankings>) -> Detail {
    let measures = report.evaluation.plan.measures.len();
    let shown = rankings.map(|all| all.topics.len());
    Detail {
        topics: shown.unwrap_or_else(|| super::records::topic_places(report).len()),
        depth: report.request.depth,
        explained: measures,
        tables: true,
        claims: measures,
        snippets: report.labels.has_documents(),
        digits: report.request.digits,
    }
}

/// Ever less detail, the least useful left out first.
fn ladder(full: Detail) -> Vec<Detail> {
    let mut steps = vec![full];
    let mut add = |change: &dyn Fn(&mut Detail)| {
        let mut next = steps.last().copied().unwrap_or(full);
        change(&mut next);
        if steps.last() != Some(&next) {
            steps.push(next);
        }
    };
    add(&|detail| detail.tables = false);
    add(&|detail| detail.snippets = false);
    add(&|detail| detail.claims = detail.claims.min(1));
    add(&|detail| detail.explained = detail.explained.min(2));
    add(&|detail| detail.depth = detail.depth.min(FEW_RANKS));
    add(&|detail| detail.explained = detail.explained.min(1));
    add(&|detail| detail.claims = 0);
    add(&|detail| detail.explained = 0);
    add(&|detail| detail.depth = detail.depth.min(FEW_RANKS / 2));
    while steps.last().is_some_and(|detail| detail.topics > 0) {
        let mut next = steps.last().copied().unwrap_or(full);
        next.topics /= 2;
        steps.push(next);
    }
    steps
}

/// Parts that a page omits.
fn left_out(report: &Report, full: Detail, detail: Detail) -> Vec<String> {
    let all_topics = super::records::topic_places(report).len();
    let mut lacks = Vec::new();
    if detail.topics < all_topics {
        lacks.push(format!(
            "topics beyond the first {} of {all_topics}",
            detail.topics
        ));
    }
    if detail.depth < full.depth {
        lacks.push(format!(
            "ranks beyond {}, though {} are asked for",
            detail.depth, full.depth
        ));
    }
    if detail.explained < full.explained {
        let names = report.measure_names();
        let names = names[detail.explained..].join(", ");
        lacks.push(format!("the shares of documents in {names}"));
    } else if !detail.tables {
        lacks.push("the tables of computations rank by rank".into());
    }
    if detail.snippets != full.snippets {
        lacks.push("the texts of documents below their titles".into());
    }
    if detail.claims < full.claims && report.comparison.is_some() {
        let names = report.measure_names();
        lacks.push(format!(
            "the claims of single pairs by {}",
            names[detail.claims..].join(", ")
        ));
    }
    if lacks.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "to keep this page small, it lacks {}; explain, compare and the format json have them",
        lacks.join("; ")
    )]
}

/// A page; `None` if it is known to be too large before it is complete.
fn written(report: &Report, parts: &Parts<'_>, detail: Detail, notes: &[String]) -> Option<String> {
    let Parts {
        figures,
        judging,
        rankings,
    } = *parts;
    let data = data::script(report, rankings, figures, detail, MOST_BYTES)?;
    let title = escape(&report.title());
    let body = [
        sections::header(report, judging),
        leaderboard::section(report),
        sections::claims(report, detail),
        sections::topics(report, detail, rankings.is_some()),
        sections::plots(report, figures),
        judging
            .iter()
            .map(|part| part.html(figures, report.request.digits))
            .collect(),
        sections::methods(report),
        sections::diagnostics(report, notes),
        sections::provenance(report),
        sections::footer(),
    ];
    let body = body.concat();
    let style = format!("{STYLE}{}", sections::plot_colours());
    let script = format!("(() => {{\n'use strict';\n{}}})();\n", SCRIPTS.concat());
    let nonce = nonce(&[&body, &data, &style, &script]);
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data: blob:; \
         base-uri 'none'; form-action 'none'"
    );
    Some(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Cranfield {}\">\n\
         <title>{title}</title>\n<style nonce=\"{nonce}\">\n{style}</style>\n</head>\n<body>\n{body}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script nonce=\"{nonce}\">\n{script}</script>\n</body>\n</html>\n",
        cranfield_eval::VERSION
    ))
}

/// A word that only this content has, so that nothing in the content can name it.
fn nonce(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Detail = Detail {
        topics: 50,
        depth: 20,
        explained: 5,
        tables: true,
        claims: 5,
        snippets: true,
        digits: 4,
    };

    #[test]
    fn every_step_has_less() {
        let steps = ladder(FULL);
        assert_eq!(steps[0], FULL);
        let size = |detail: &Detail| {
            detail.topics * (1 + detail.depth) * (1 + detail.explained)
                + usize::from(detail.tables)
                + usize::from(detail.snippets)
                + detail.claims
        };
        assert!(
            steps.windows(2).all(|pair| size(&pair[1]) < size(&pair[0])),
            "{steps:?}"
        );
        assert_eq!(steps.last().map(|last| last.topics), Some(0));
    }

    #[test]
    fn a_nonce_hangs_on_all_parts() {
        assert_ne!(nonce(&["ab", "c"]), nonce(&["a", "bc"]));
        assert_eq!(nonce(&["a"]).len(), 32);
    }
}
