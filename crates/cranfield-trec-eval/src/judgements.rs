//! The first file, in one of its four formats, and a run evaluated against it.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use cranfield_core::evaluate::Plan;
use cranfield_core::groups::{GroupedQrels, GroupedQrelsBuilder};
use cranfield_core::policy::{NegativeGrades, Policies, TieBreak, TopicPolicy, Unjudged};
use cranfield_core::prefs::{PreferenceError, Preferences, PreferencesBuilder};
use cranfield_core::qrels::Qrels;
use cranfield_eval::{EvaluatedJudgements, RunScores};
use cranfield_io::Bytes;
use cranfield_io::trec::{Dialect, QrelsLines, RunLines, atof};

use super::exit::{Exit, INPUT};
use super::input::{self, Comments};
use super::options::{Compat, Options};
use super::request::Needs;

/// The document that a missing topic is evaluated with.
const MISSING: &[u8] = b"ceci_nest_pas_un_docno";

/// Format of the first file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Qrels,
    QrelsJg,
    Prefs,
    QrelsPrefs,
}

impl Format {
    pub(super) const ALL: [Self; 4] = [Self::Qrels, Self::QrelsJg, Self::Prefs, Self::QrelsPrefs];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Qrels => "qrels",
            Self::QrelsJg => "qrels_jg",
            Self::Prefs => "prefs",
            Self::QrelsPrefs => "qrels_prefs",
        }
    }

    pub(super) fn find(name: &[u8]) -> Result<Self, Exit> {
        let found = Self::ALL
            .into_iter()
            .find(|format| format.name().as_bytes() == name);
        found.ok_or_else(|| Exit::new(INPUT, &[b"trec_eval: Illegal rel_format '", name, b"'\n"]))
    }

    fn cannot_read(self) -> &'static [u8] {
        match self {
            Self::Qrels => b"trec_eval.get_qrels: Cannot read qrels file '",
            Self::QrelsJg => b"trec_eval.get_qrels_jg: Cannot read qrels file '",
            Self::Prefs | Self::QrelsPrefs => b"trec_eval.get_prefs: Cannot read prefs file '",
        }
    }
}

/// The judgements that a run is evaluated against.
#[derive(Debug)]
pub(super) enum Judgements {
    Grades(Qrels),
    Groups(GroupedQrels),
    Preferences(Preferences),
}

impl Judgements {
    /// Reads a file.
    pub(super) fn read(format: Format, path: &OsStr, compat: Compat) -> Result<Self, Exit> {
        let bytes = &input::open(path).ok_or_else(|| {
            let exit = Exit::new(
                INPUT,
                &[format.cannot_read(), path.as_encoded_bytes(), b"'\n"],
            );
            input::quit(exit, path)
        })?;
        let read = match format {
            Format::Qrels => read_qrels(bytes, compat).map(Self::Grades),
            Format::QrelsJg => read_groups(bytes, compat).map(Self::Groups),
            Format::Prefs => read_prefs(bytes, compat).map(Self::Preferences),
            Format::QrelsPrefs => read_qrels_prefs(bytes, compat).map(Self::Preferences),
        };
        read.map_err(|exit| input::quit(exit, path))
    }

    /// The inputs of measures that these judgements provide.
    pub(super) fn provides(&self) -> Needs {
        match self {
            Self::Grades(_) => Needs::Grades,
            Self::Groups(_) => Needs::Groups,
            Self::Preferences(_) => Needs::Preferences,
        }
    }

    /// The plan's settings for these judgements.
    pub(super) fn configure(&self, plan: &mut Plan, options: &Options) {
        let ties = match (self, options.compat) {
            (Self::Preferences(_), _) => TieBreak::DocidAsc,
            (_, Compat::Nine) => TieBreak::DocidDescF32,
            (_, Compat::Ten) => TieBreak::DocidDesc,
        };
        plan.policies = Policies {
            ties,
            topics: TopicPolicy::Judged,
            unjudged: if options.judged_only {
                Unjudged::Condensed
            } else {
                Unjudged::NonRelevant
            },
            negative: NegativeGrades::Pooled,
            depth: options
                .depth
                .map(|depth| usize::try_from(depth).unwrap_or(usize::MAX)),
            ..Policies::default()
        };
        plan.reference_values = true;
        plan.missing_document =
            (options.complete && options.compat == Compat::Ten).then_some(MISSING);
    }

    /// Evaluates a run.
    pub(super) fn evaluate(
        &self,
        bytes: &[u8],
        plan: &Plan,
        compat: Compat,
    ) -> Result<Evaluated, Exit> {
        let dialect = input::dialect(compat);
        let (evaluated, fault_count) = match self {
            Self::Grades(qrels) => {
                let text = cranfield_eval::evaluate_text(bytes, dialect, qrels, plan);
                (
                    Evaluated::new(text.scores, judged_twice(qrels)),
                    text.fault_count,
                )
            }
            Self::Groups(qrels) => {
                let text = cranfield_eval::evaluate_groups((bytes, dialect), qrels, plan);
                (Evaluated::of_groups(text.scores), text.fault_count)
            }
            Self::Preferences(preferences) => {
                let text =
                    cranfield_eval::evaluate_preferences((bytes, dialect), preferences, plan);
                let fault_count = text.fault_count;
                (Evaluated::of_preferences(text), fault_count)
            }
        };
        if fault_count > 0 {
            let line = input::first_fault(RunLines::new(bytes, dialect));
            return Err(input::malformed(INPUT, "get_results", line));
        }
        Ok(Evaluated {
            tag: tag(&evaluated.scores, bytes, dialect),
            ..evaluated
        })
    }

    /// Number of judgements above zero, at any relevance level.
    pub(super) fn positive(&self) -> u64 {
        let Self::Grades(qrels) = self else { return 0 };
        let counts = qrels
            .topics()
            .flat_map(|topic| topic.base(NegativeGrades::Pooled).positive());
        counts.map(|level| u64::from(level.count)).sum()
    }
}

fn read_qrels(bytes: &Bytes, compat: Compat) -> Result<Qrels, Exit> {
    let dialect = input::dialect(compat);
    let read = cranfield_eval::read_qrels(bytes, dialect);
    if read.fault_count == 0 {
        return Ok(read.qrels);
    }
    let line = input::first_fault(QrelsLines::new(bytes, dialect));
    Err(input::malformed(INPUT, "get_qrels", line))
}

fn read_groups(bytes: &[u8], compat: Compat) -> Result<GroupedQrels, Exit> {
    let mut builder = GroupedQrelsBuilder::default();
    for (line, number) in QrelsLines::new(bytes, input::dialect(compat)).zip(1..) {
        let line = line.map_err(|_| input::malformed(INPUT, "get_qrels_jg", number))?;
        builder.push(line.topic, line.group, line.doc, line.grade);
    }
    builder.finish().map_err(|duplicate| Exit {
        code: INPUT,
        message: duplicate.trec_eval_text(),
    })
}

fn comments(compat: Compat) -> Comments {
    match compat {
        Compat::Nine => Comments::Data,
        Compat::Ten => Comments::Skipped,
    }
}

/// A level; version 9 keeps it in 32 bits.
fn level(token: &[u8], compat: Compat) -> f64 {
    match compat {
        Compat::Nine => f64::from(atof(token) as f32),
        Compat::Ten => atof(token),
    }
}

fn read_prefs(bytes: &[u8], compat: Compat) -> Result<Preferences, Exit> {
    let mut builder = PreferencesBuilder::default();
    for line in input::fields(bytes, comments(compat)) {
        let [topic, group, subgroup, doc, token] =
            line.map_err(|number| input::malformed(INPUT, "get_prefs", number))?;
        builder.push(topic, group, subgroup, doc, level(token, compat));
    }
    Ok(builder.finish())
}

fn read_qrels_prefs(bytes: &[u8], compat: Compat) -> Result<Preferences, Exit> {
    let mut builder = PreferencesBuilder::default();
    for line in input::fields(bytes, comments(compat)) {
        let [topic, group, doc, token] =
            line.map_err(|number| input::malformed(INPUT, "get_qrels_prefs", number))?;
        builder.push(topic, group, b"0", doc, level(token, compat));
    }
    Ok(builder.finish())
}

/// The first document that the qrels judge twice, by topic.
fn judged_twice(qrels: &Qrels) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut first: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    for duplicate in qrels.duplicates() {
        let known = first
            .entry(duplicate.topic.clone())
            .or_insert_with(|| duplicate.doc.clone());
        if duplicate.doc < *known {
            known.clone_from(&duplicate.doc);
        }
    }
    first
}

/// The run's tag, byte for byte.
fn tag(scores: &RunScores, bytes: &[u8], dialect: Dialect) -> Vec<u8> {
    if !scores.tag.contains(char::REPLACEMENT_CHARACTER) {
        return scores.tag.clone().into_bytes();
    }
    // The engine's is UTF-8, which this one need not be.
    let lines = bytes.rsplit(|byte| *byte == b'\n');
    let mut tags = lines.filter_map(|line| Some(RunLines::new(line, dialect).next()?.ok()?.tag));
    tags.next().unwrap_or_default().to_vec()
}

/// Why a topic has no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// A measure fails with this message.
    Failure(Vec<u8>),
    /// The reference aborts with this message.
    Abort(Vec<u8>),
}

/// The values of a run.
#[derive(Debug)]
pub(super) struct Evaluated {
    pub(super) scores: RunScores,
    /// Why topics have no values, by place.
    pub(super) causes: BTreeMap<usize, Cause>,
    pub(super) tag: Vec<u8>,
}

impl Evaluated {
    fn new(scores: RunScores, judged_twice: BTreeMap<Vec<u8>, Vec<u8>>) -> Self {
        let mut causes = duplicates(&scores, b"trec_eval.form_res_qrels: duplicate docs ");
        for (topic, doc) in judged_twice {
            if let Ok(at) = scores
                .topics
                .binary_search_by(|known| known.id.as_ref().cmp(&topic))
            {
                let text = [
                    b"trec_eval.form_res_rels: duplicate docs ".as_slice(),
                    &doc,
                    b"\n",
                ]
                .concat();
                causes.entry(at).or_insert(Cause::Failure(text));
            }
        }
        Self {
            scores,
            causes,
            tag: Vec::new(),
        }
    }

    fn of_groups(scores: RunScores) -> Self {
        Self::new(scores, BTreeMap::new())
    }

    fn of_preferences(evaluated: EvaluatedJudgements) -> Self {
        let mut causes = duplicates(
            &evaluated.scores,
            b"trec_eval.form_prefs_counts: duplicate docs ",
        );
        causes.extend(
            evaluated
                .contradictions
                .iter()
                .map(|(at, error)| (*at, contradiction(error))),
        );
        Self {
            scores: evaluated.scores,
            causes,
            tag: Vec::new(),
        }
    }
}

fn contradiction(error: &PreferenceError) -> Cause {
    let text = error
        .trec_eval_text()
        .unwrap_or_else(|| format!("trec_eval: {error}\n").into_bytes());
    match error {
        PreferenceError::Conflict { .. } => Cause::Abort(text),
        _ => Cause::Failure(text),
    }
}

/// Topics whose ranking holds a document twice. The message has no newline.
fn duplicates(scores: &RunScores, text: &[u8]) -> BTreeMap<usize, Cause> {
    let found = scores
        .topics
        .iter()
        .enumerate()
        .filter_map(|(at, topic)| Some((at, topic.duplicate.as_ref()?)));
    found
        .map(|(at, doc)| (at, Cause::Failure([text, doc.as_ref()].concat())))
        .collect()
}
