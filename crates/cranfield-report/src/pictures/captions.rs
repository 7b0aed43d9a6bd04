//! What a reader of a picture must know.

use cranfield_core::policy::{Policies, Profile};
use cranfield_render::{rounded, with_exponent};
use cranfield_stats::Interval;

use cranfield_compare::compare::IntervalMethod;
use cranfield_eval::Evaluation;

/// A caption: what is shown, of how many topics, under which policies, and whatever else must be known.
pub(super) fn caption(evaluation: &Evaluation, what: &str, more: &[String]) -> String {
    captioned(evaluation, what, more, true)
}

/// The same of a picture in which topics that a run lacks are left out, and do not count as empty rankings.
pub(super) fn caption_without_empty(
    evaluation: &Evaluation,
    what: &str,
    more: &[String],
) -> String {
    captioned(evaluation, what, more, false)
}

fn captioned(evaluation: &Evaluation, what: &str, more: &[String], counts_empty: bool) -> String {
    let runs = &evaluation.runs;
    let counts = runs.iter().map(|run| run.scores.topics.len());
    let (least, most) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
    let topics = match (least == most, most) {
        (true, 1) => "1 topic".into(),
        (true, count) => format!("{count} topics"),
        (false, _) => format!("{least} to {most} topics"),
    };
    let lacking = |run: &cranfield_eval::EvaluatedRun| {
        let topics = run.scores.topics.iter();
        topics.filter(|topic| !topic.in_run).count()
    };
    let missing = runs.iter().map(lacking).max().unwrap_or(0);
    let mut sentences = vec![format!("{what}; {topics}")];
    if missing > 0 && counts_empty {
        let whose = if runs.len() == 1 {
            "the run lacks"
        } else {
            "a run lacks up to"
        };
        let rankings = match missing {
            1 => "1 topic, which counts as an empty ranking".into(),
            missing => format!("{missing} topics, which count as empty rankings"),
        };
        sentences.push(format!("Of these, {whose} {rankings}"));
    }
    sentences.extend(more.iter().cloned());
    sentences.push(policies(&evaluation.plan.policies, evaluation.profile));
    sentences.join(". ") + "."
}

/// The policies that a reader must know: those that most change numbers, and all that are not Cranfield's own.
fn policies(policies: &Policies, profile: Profile) -> String {
    let own = Policies::OWN.named();
    let always = ["ties", "topics", "unjudged"];
    let named = policies.named().into_iter().zip(own);
    let shown: Vec<String> = named
        .filter(|((name, value), (_, own))| always.contains(name) || value != own)
        .map(|((name, value), _)| format!("{name} {value}"))
        .collect();
    let profile = match profile {
        Profile::Cranfield => String::new(),
        profile => format!(", profile {profile}"),
    };
    format!("Policies: {}{profile}", shown.join(", "))
}

/// A confidence as a percentage: `95 %`.
pub(super) fn percent(level: f64) -> String {
    format!("{} %", cranfield_compare::compare::percent(level))
}

/// An interval in a sentence; `how` is how it was made, where that does not go without saying.
pub(super) fn interval_text(interval: &Interval, how: Option<IntervalMethod>) -> String {
    let Interval { low, high, level } = interval;
    let level = percent(*level);
    let how = how.map_or(String::new(), |how| format!("{} ", how.title()));
    format!(
        "{level} {how}interval {} to {}",
        signed(*low),
        signed(*high)
    )
}

/// A number of a table with a true minus.
pub(super) fn signed(value: f64) -> String {
    rounded(value, 4).replace('-', "−")
}

/// A number for a small cell: three decimals without the zero before the point, or three digits.
pub(super) fn short(value: f64) -> String {
    let size = value.abs();
    let text = match size {
        size if size < 9.9995 => format!("{size:.3}"),
        size if size < 99.995 => format!("{size:.1}"),
        size if size < 99_999.5 => format!("{size:.0}"),
        size => with_exponent(size, 1),
    };
    let text = match text.strip_prefix("0.") {
        Some(decimals) => format!(".{decimals}"),
        None => text,
    };
    let is_zero = text.chars().all(|c| c == '0' || c == '.');
    format!("{}{text}", if value < 0.0 && !is_zero { "−" } else { "" })
}

/// A p-value for a small cell.
pub(super) fn short_p(p: f64) -> String {
    match p {
        p if p < 0.0005 => "<.001".into(),
        p if p > 0.9995 => "1".into(),
        p => short(p),
    }
}
