//! Captions of plots.

use cranfield_core::policy::Policies;
use cranfield_measures::profiles::Profile;
use cranfield_render::{plural, rounded, with_exponent};
use cranfield_stats::Interval;

use cranfield_compare::compare::IntervalMethod;
use cranfield_eval::Evaluation;

const OF_THESE: &str = "Of these,";

/// A caption: the subject, the number of topics, further sentences, and the policies.
pub(super) fn caption(evaluation: &Evaluation, what: &str, more: &[String]) -> String {
    let mut sentences = vec![format!("{what}; {}", topic_count(evaluation))];
    sentences.extend(missing_topics(evaluation));
    sentences.extend(more.iter().cloned());
    finished(evaluation, sentences)
}

/// A caption of a plot that leaves out the topics that a run lacks.
pub(super) fn caption_without_empty(
    evaluation: &Evaluation,
    what: &str,
    more: &[String],
) -> String {
    let mut sentences = vec![format!("{what}; {}", topic_count(evaluation))];
    sentences.extend(more.iter().cloned());
    finished(evaluation, sentences)
}

/// A caption of a plot of one topic.
pub(super) fn topic_caption(
    evaluation: &Evaluation,
    topic: &str,
    what: &str,
    more: &[String],
) -> String {
    let mut sentences = vec![format!("{what}; topic {topic}")];
    let lacking = evaluation.runs.iter().filter(|run| {
        let mut topics = run.scores.topics.iter();
        !topics.any(|found| found.in_run && *found.id == *topic.as_bytes())
    });
    let lacking: Vec<&str> = lacking.map(|run| run.scores.name.as_str()).collect();
    if !lacking.is_empty() {
        let names = lacking.join(", ");
        sentences.push(format!("No documents for this topic in {names}"));
    }
    sentences.extend(more.iter().cloned());
    finished(evaluation, sentences)
}

/// The part of captions that all plots of an evaluation share: the topics and the policies.
pub(crate) fn common(evaluation: &Evaluation) -> String {
    let mut sentences = vec![topic_count(evaluation)];
    sentences.extend(missing_topics(evaluation));
    finished(evaluation, sentences)
}

/// A caption without the sentences of [`common`].
pub(crate) fn without_common(caption: &str, evaluation: &Evaluation) -> String {
    let policies = policies(&evaluation.plan.policies, evaluation.profile);
    let mut rest = caption.replace(&format!(" {policies}."), "");
    if let Some(missing) = missing_topics(evaluation) {
        rest = rest.replace(&format!(" {missing}."), "");
    }
    if rest.contains(OF_THESE) {
        return rest;
    }
    rest.replacen(&format!("; {}.", topic_count(evaluation)), ".", 1)
}

fn finished(evaluation: &Evaluation, mut sentences: Vec<String>) -> String {
    sentences.push(policies(&evaluation.plan.policies, evaluation.profile));
    sentences.join(". ") + "."
}

fn topic_count(evaluation: &Evaluation) -> String {
    let counts = evaluation.runs.iter().map(|run| run.scores.topics.len());
    let (least, most) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
    if least == most {
        plural(most, "topic")
    } else {
        format!("{least} to {most} topics")
    }
}

/// How many topics count as empty rankings, if there are any.
fn missing_topics(evaluation: &Evaluation) -> Option<String> {
    let runs = &evaluation.runs;
    let lacking = runs.iter().map(|run| {
        let topics = run.scores.topics.iter();
        topics.filter(|topic| !topic.in_run).count()
    });
    let missing = lacking.max().unwrap_or(0);
    let whose = if runs.len() == 1 {
        "the run lacks"
    } else {
        "a run lacks up to"
    };
    let rankings = match missing {
        0 => return None,
        1 => "1 topic, which counts as an empty ranking".into(),
        missing => format!("{missing} topics, which count as empty rankings"),
    };
    Some(format!("{OF_THESE} {whose} {rankings}"))
}

/// The policies with the largest effect on values, and all that differ from Cranfield's defaults.
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

/// An interval in a sentence, with its method if `how` is given.
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

/// A number with four decimals and a minus sign, not a hyphen.
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
