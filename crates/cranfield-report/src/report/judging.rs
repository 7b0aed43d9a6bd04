//! Sections on what was judged and by whom: the pool of the runs, and other assessors.

use cranfield_compare::assessors::{Effects, EffectsRequest};
use cranfield_eval::agreement::{Assessor, Panel, PanelPlan};
use cranfield_eval::{MergeRule, in_parallel};
use cranfield_pool::missing::{MissingSettings, missing};
use cranfield_pool::{Coverage, Groups, PoolStats, named_runs};
use cranfield_render::plot::Plot;
use cranfield_render::{Format, Table, html_text as escape, plural};
use cranfield_stats::random::Resampling;

use super::Report;
use super::figures::{Figure, Place, alone};
use crate::plots;

/// A section.
pub(super) struct Judging {
    pub(super) place: Place,
    lead: String,
    /// Tables below the figures, with their captions.
    tables: Vec<(String, Table)>,
    pub(super) figures: Vec<Figure>,
}

/// Makes a section, if the inputs allow it; or returns why there is none.
type Part = fn(&Report) -> Result<Option<Judging>, String>;

/// The sections that the inputs allow, and notes on what they lack.
pub(super) fn sections(report: &Report) -> (Vec<Judging>, Vec<String>) {
    let parts: [Part; 2] = [pool, assessors];
    let (mut sections, mut notes) = (Vec::new(), Vec::new());
    for found in in_parallel(&parts, |part| part(report)) {
        match found {
            Ok(section) => sections.extend(section),
            Err(why) => notes.push(why),
        }
    }
    (sections, notes)
}

/// Growth and unique contributions, for grades and two or more runs.
fn pool(report: &Report) -> Result<Option<Judging>, String> {
    let inputs = &report.inputs;
    let Some(qrels) = inputs.qrels().filter(|_| inputs.runs().len() > 1) else {
        return Ok(None);
    };
    let failed = |why: &dyn std::fmt::Display| format!("no section on the pool: {why}");
    let runs = named_runs(inputs.runs()).map_err(|why| failed(&why))?;
    let ties = report.request.request.policies.ties;
    let (rankings, coverage) =
        Coverage::cut(&runs, ties, None, qrels).map_err(|why| failed(&why))?;
    let settings = MissingSettings {
        level: report.request.conventions.level.unwrap_or(1.0),
        ..MissingSettings::default()
    };
    let groups = Groups::single(&rankings.names);
    let stats = PoolStats::contributions(&rankings, &groups, Some(qrels), settings.level);
    let found = missing(&rankings, &groups, qrels, &settings);
    let figures = drawn(
        Place::Pool,
        [("growth", found.figure()), ("unique", stats.figure())],
    );
    Ok(Some(Judging {
        place: Place::Pool,
        lead: format!(
            "What the runs contribute to the documents that were judged. {}",
            super::sections::sentence(&coverage.message().0.to_string())
        ),
        tables: vec![(
            "Estimated relevant documents, with 95 % intervals. Runs find the same documents more often than independent captures would, \
             so the estimates from captures are lower bounds."
                .into(),
            found.estimates(),
        )],
        figures: figures.map_err(|why| failed(&why))?,
    }))
}

/// Agreement with other assessors, and what depends on them.
fn assessors(report: &Report) -> Result<Option<Judging>, String> {
    let others = &report.request.assessors;
    if others.is_empty() {
        return Ok(None);
    }
    let Some(qrels) = report.inputs.qrels() else {
        return Err("no section on assessors: the judgements are not grades".into());
    };
    let failed = |why: &dyn std::fmt::Display| format!("no section on assessors: {why}");
    let path = &report.evaluation.qrels.path;
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let own = Assessor::in_memory(file.split('.').next().unwrap_or(file), qrels.clone());
    let all: Vec<Assessor> = std::iter::once(own).chain(others.iter().cloned()).collect();
    let settings = &report.request.settings;
    let default = PanelPlan::default();
    let plan = PanelPlan {
        level: report.request.conventions.level.unwrap_or(1.0),
        intervals: cranfield_eval::agreement::Intervals {
            level: 1.0 - settings.alpha,
            resampling: Resampling {
                seed: settings.resampling.seed,
                ..default.intervals.resampling
            },
        },
        ..default
    };
    let panel = Panel::of(&all, &plan).map_err(|why| failed(&why))?;
    let rules: &[MergeRule] = if all.len() > 2 {
        &[MergeRule::Majority]
    } else {
        &[]
    };
    let mut lead = format!(
        "Agreement of the judgements of this report, {}, with {}.",
        all[0].name,
        plural(others.len(), "other assessor"),
    );
    let mut tables = Vec::new();
    if report.comparison.is_some() {
        let effects = Effects::of(&EffectsRequest {
            assessors: &all,
            rules,
            adjudicated: None,
            runs: report.inputs.runs(),
            request: &report.request.request,
            settings,
        });
        let effects = effects.map_err(|why| failed(&why))?;
        lead += &format!(
            " Runs are compared on the {} that all assessors judged.",
            plural(effects.topics, "topic")
        );
        tables.push((
            "Conclusions on pairs of runs that are the same under all judgements, or not.".into(),
            effects.counts(),
        ));
        let flips = effects.flips();
        if !flips.is_empty() {
            let caption = "Conclusions that depend on the judgements: > first run better, < worse, = equivalent, ! contrary, . open.";
            tables.push((caption.into(), flips));
        }
    }
    let figures = drawn(Place::Assessors, [("agreement", plots::assessors(&panel))]);
    Ok(Some(Judging {
        place: Place::Assessors,
        lead,
        tables,
        figures: figures.map_err(|why| failed(&why))?,
    }))
}

fn drawn<const N: usize>(
    place: Place,
    plots: [(&'static str, Plot); N],
) -> Result<Vec<Figure>, plots::DrawingError> {
    let figures = plots.into_iter();
    let figures = figures.map(|(name, plot)| alone(place, name, &plot));
    figures.collect()
}

impl Judging {
    /// The section; `figures` are all of the page.
    pub(super) fn html(&self, figures: &[Figure], digits: usize) -> String {
        let mut out = format!(
            "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"lead\">{}</p>\n",
            self.place.id(),
            self.place.title(),
            escape(&self.lead)
        );
        out.push_str(&super::sections::drawings(figures, self.place));
        for (caption, table) in &self.tables {
            let mut table = table.clone();
            table.digits = digits;
            // Styles in attributes are not allowed on the page.
            let cells = table.render(Format::Html);
            let cells = cells.replace(" style=\"text-align: right\"", " class=\"n\"");
            out.push_str(&format!(
                "<p>{}</p>\n<div class=\"table\" tabindex=\"0\">{cells}</div>\n",
                escape(caption)
            ));
        }
        out.push_str("</section>\n");
        out
    }
}
