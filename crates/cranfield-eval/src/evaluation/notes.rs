//! Notes of an evaluation: the topics that count, and what the numbers depend on.

use crate::engine::RunNotes;
use cranfield_core::policy::{TieBreak, TopicPolicy, Undefined, Unjudged};
use cranfield_core::setting::{Message, Setting};
use cranfield_core::small_sort::SmallSort;
use cranfield_render::plural;

use super::{EvaluatedRun, Evaluation, UnlistedGrades};

/// Maximum number of runs that a note names.
const NAMED: usize = 3;
/// Maximum number of measures that a note names.
const NAMED_MEASURES: usize = 8;

impl Evaluation {
    /// The topics that count and what the numbers depend on, one sentence each.
    pub fn notes(&self) -> Vec<Message> {
        lines(self)
    }
}

fn lines(evaluation: &Evaluation) -> Vec<Message> {
    let notes: Vec<RunNotes> = evaluation
        .runs
        .iter()
        .map(|run| run.scores.notes(&evaluation.plan))
        .collect();
    let counts = |count: fn(&RunNotes) -> usize| notes.iter().map(count).collect::<Vec<_>>();
    let mut lines: Vec<Message> = vec![counted(evaluation, &notes).into()];
    let own_policies = own_policies(evaluation).into_iter();
    lines.extend(own_policies.map(Message::from));
    lines.extend(file_notes(evaluation));
    lines.extend(unused(evaluation).map(Message::from));
    let unlisted = evaluation.unlisted_grades();
    let unlisted = unlisted.iter().map(UnlistedGrades::says);
    lines.extend(unlisted.map(Message::from));
    lines.extend(missing(evaluation, &notes));
    let extra = counts(|note| note.extra);
    let ignored = match evaluation.sessions {
        Some(_) => "not in any session, ignored",
        None => "not in the judgements, ignored",
    };
    lines.extend(named(evaluation, &extra, "topic", ignored));
    lines.extend(ties(evaluation, &counts(|note| note.mixed_topics)));
    lines.extend(inexact(evaluation).map(Message::from));
    lines.extend(unjudged(evaluation, &notes).map(Message::from));
    lines.extend(undefined(evaluation));
    lines
}

/// The number of topics and the policies, in one line.
fn counted(evaluation: &Evaluation, notes: &[RunNotes]) -> String {
    let topics: Vec<usize> = notes.iter().map(|note| note.topics).collect();
    let (least, most) = (
        topics.iter().min().copied().unwrap_or(0),
        topics.iter().max().copied().unwrap_or(0),
    );
    let unit = unit(evaluation);
    let topics = if least == most {
        plural(most, unit)
    } else {
        format!("{least} to {most} {unit}s")
    };
    let (policies, usual) = (&evaluation.plan.policies, evaluation.profile.policies());
    let mut text = format!(
        "{topics} evaluated, {} judged; profile {}, topics {}, ties {}, unjudged {}",
        evaluation.topics, evaluation.profile, policies.topics, policies.ties, policies.unjudged
    );
    if policies.negative != usual.negative {
        text.push_str(&format!(", negative {}", policies.negative));
    }
    if policies.undefined != usual.undefined {
        text.push_str(&format!(", undefined {}", policies.undefined));
    }
    if let Some(depth) = policies.depth {
        text.push_str(&format!(", depth {depth}"));
    }
    if policies.identical != usual.identical {
        text.push_str(&format!(", identical {}", policies.identical));
    }
    text
}

/// Measures with other policies in the program of the profile, grouped by policies.
fn own_policies(evaluation: &Evaluation) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    let usual = &evaluation.plan.policies;
    for measure in &evaluation.plan.measures {
        let own = measure.overrides.over(usual).differing(usual);
        let text: Vec<String> = own
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        let (text, name) = (text.join(", "), evaluation.profile.name_of(measure));
        match groups.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(name),
            None => groups.push((text, vec![name])),
        }
    }
    let own = groups.into_iter().filter(|(text, _)| !text.is_empty());
    own.map(|(text, names)| format!("{}: {text}, as in {}", names.join(", "), evaluation.profile))
        .collect()
}

/// The unit that scores are averaged over.
fn unit(evaluation: &Evaluation) -> &'static str {
    match evaluation.sessions {
        Some(_) => "session",
        None => "topic",
    }
}

fn file_notes(evaluation: &Evaluation) -> impl Iterator<Item = Message> {
    let files = evaluation
        .runs
        .iter()
        .map(|run| &run.file)
        .chain([&evaluation.qrels])
        .chain(&evaluation.intents)
        .chain(&evaluation.known)
        .chain(&evaluation.sessions);
    files.flat_map(|file| file.notes.iter().map(|note| note.to_string().into()))
}

/// The note on a file of known documents that no measure uses.
fn unused(evaluation: &Evaluation) -> Option<String> {
    let path = &evaluation.unused_known()?.path;
    Some(format!(
        "{path} is not used: only Coverage, Novelty, RelativeRecall and RecallEffort need known documents"
    ))
}

fn missing(evaluation: &Evaluation, notes: &[RunNotes]) -> Vec<Message> {
    let count = |of: &dyn Fn(&RunNotes) -> usize| notes.iter().map(of).collect::<Vec<_>>();
    if evaluation.plan.policies.topics == TopicPolicy::Judged {
        let missing = count(&|note| note.missing);
        let what = "missing from the run, scored as an empty ranking";
        let line = named(evaluation, &missing, unit(evaluation), what);
        return line.into_iter().collect();
    }
    let unit = match evaluation.sessions {
        Some(_) => "session",
        None => "judged topic",
    };
    let skipped = count(&|note| {
        // Sessions count whether they are judged or not.
        let counted = match evaluation.sessions {
            Some(_) => note.topics,
            None => note.judged,
        };
        evaluation.topics.saturating_sub(counted + note.left_out)
    });
    let what = "missing from the run, excluded";
    let skipped = named(evaluation, &skipped, unit, what);
    let left_out = count(&|note| note.left_out);
    let what = "without a relevant document, excluded";
    let left_out = named(evaluation, &left_out, unit, what);
    skipped.into_iter().chain(left_out).collect()
}

fn ties(evaluation: &Evaluation, mixed: &[usize]) -> Option<Message> {
    match evaluation.plan.policies.ties {
        TieBreak::RankColumn | TieBreak::FileOrder | TieBreak::Expected | TieBreak::Bounds => None,
        _ => {
            let judged = if evaluation.graded {
                "grades"
            } else {
                "judgements"
            };
            let what = format!("with tied scores for documents with different {judged} (");
            let what = Message::from(what);
            let what = if evaluation.graded && evaluation.sessions.is_none() {
                let [best, worst] =
                    [TieBreak::Best, TieBreak::Worst].map(|ties| Setting::Ties.to(ties));
                what.then(best).then(" and ").then(worst)
            } else {
                what.then("other values of ").then(Setting::Ties)
            };
            let what = what.then(" show the effect)");
            named(evaluation, mixed, unit(evaluation), what)
        }
    }
}

/// Measures whose values are estimates, because there are too many orders of ties or assignments of grades to unjudged documents.
fn inexact(evaluation: &Evaluation) -> Option<String> {
    let (plan, runs) = (&evaluation.plan, &evaluation.runs);
    let most = |measure: usize| runs.iter().map(|run| run.inexact_topics(measure)).max();
    let mut names = Vec::new();
    let mut topics = 0;
    for (at, measure) in plan.measures.iter().enumerate() {
        let found = most(at).unwrap_or(0);
        if found > 0 {
            names.push(evaluation.profile.name_of(measure));
            topics = topics.max(found);
        }
    }
    let shown = names.len().min(NAMED_MEASURES);
    let more = match names.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = (!names.is_empty()).then(|| names[..shown].join(", "))?;
    let what = match (plan.policies.ties, plan.policies.unjudged) {
        (_, Unjudged::Bounds) => {
            "the extremes over some assignments of grades to unjudged documents, not strict bounds"
        }
        (TieBreak::Expected, _) => "the mean over sampled orders of ties",
        _ => "the extremes over sampled orders of ties, not strict bounds",
    };
    let topics = plural(topics, "topic");
    Some(format!(
        "{names}{more}: values are {what}, for up to {topics} of a run"
    ))
}

fn unjudged(evaluation: &Evaluation, notes: &[RunNotes]) -> Option<String> {
    if evaluation.plan.policies.unjudged == Unjudged::Condensed {
        return None;
    }
    let share = |note: &RunNotes| {
        let cutoff = note.cutoffs.first()?;
        let share = 100.0 * cutoff.unjudged as f64 / cutoff.shown.max(1) as f64;
        (cutoff.unjudged > 0).then_some((cutoff.cutoff, share))
    };
    let shares: Vec<(String, usize, f64)> = notes
        .iter()
        .zip(&evaluation.runs)
        .filter_map(|(note, run)| {
            share(note).map(|(cutoff, share)| (run.scores.name.clone(), cutoff, share))
        })
        .collect();
    let worst = shares.iter().max_by(|a, b| a.2.total_cmp(&b.2))?;
    let (name, cutoff, percent) = worst;
    Some(match shares.len() {
        1 => format!("{percent:.1} % of the top {cutoff} documents of {name} are unjudged"),
        n => format!(
            "{n} runs have unjudged documents in the top {cutoff}, most in {name}: {percent:.1} %"
        ),
    })
}

fn undefined(evaluation: &Evaluation) -> Vec<Message> {
    let plan = &evaluation.plan;
    let most = |run: &EvaluatedRun, left_out: bool| {
        let totals = run.scores.totals.iter().zip(&plan.measures);
        let counted = totals.filter(|(total, measure)| {
            total.value.is_some() && plan.leaves_out_undefined(measure) == left_out
        });
        let counts = counted.map(|(total, _)| total.undefined);
        counts.max().unwrap_or(0)
    };
    let note = |left_out: bool, treatment: Message| {
        let runs = evaluation.runs.iter();
        let counts: Vec<usize> = runs.map(|run| most(run, left_out)).collect();
        named(evaluation, &counts, unit(evaluation), treatment)
    };
    let zero = Message::from("where a measure is undefined, counted as 0 (")
        .then(Setting::Undefined.to(Undefined::Skip))
        .then(" excludes them)");
    let skip = match plan.policies.undefined {
        Undefined::Skip => "where a measure is undefined, excluded from its mean",
        Undefined::Zero => "where a lower-is-better measure is undefined, excluded from its mean",
    };
    note(false, zero)
        .into_iter()
        .chain(note(true, skip.into()))
        .collect()
}

/// `3 topics of bm25, 1 of dense WHAT`: the runs with a positive count.
fn named(
    evaluation: &Evaluation,
    counts: &[usize],
    unit: &str,
    what: impl Into<Message>,
) -> Option<Message> {
    let names = evaluation.runs.iter().map(|run| run.scores.name.as_str());
    let counted = counts.iter().copied().zip(names);
    let mut found: Vec<(usize, &str)> = counted.filter(|(count, _)| *count > 0).collect();
    found.small_sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let (first, rest) = found.split_first()?;
    let mut text = format!("{} of {}", plural(first.0, unit), first.1);
    for (count, name) in rest.iter().take(NAMED - 1) {
        text.push_str(&format!(", {count} of {name}"));
    }
    if found.len() > NAMED {
        text.push_str(&format!(" and in {} more runs", found.len() - NAMED));
    }
    Some(Message::from(text + " ").then(what))
}
