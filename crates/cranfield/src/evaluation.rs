//! From files to scores: opens, reads in parallel, evaluates, and refuses what would change a number silently.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cranfield_core::evaluate::Plan;
use cranfield_core::groups::GroupedQrels;
use cranfield_core::known::KnownDocuments;
use cranfield_core::measure::{BoundMeasure, Computation, Input};
use cranfield_core::policy::{End, Policies, Profile, TieBreak, TopicPolicy, Undefined, Unjudged};
use cranfield_core::prefs::Preferences;
use cranfield_core::qrels::Qrels;
use cranfield_core::sampled::{DrawnJudgement, PoolDocument, SampledQrels};
use cranfield_core::session::{Session, Sessions};
use cranfield_core::vectors::BoundVector;
use cranfield_engine::{
    EvaluatedJudgements, RunScores, TopicScores, evaluate_groups, evaluate_preferences,
    evaluate_prels, evaluate_run, evaluate_sessions, evaluate_strata, evaluate_text,
};
use cranfield_io::trec::{Dialect, RunLines, run_problem};
use cranfield_io::{Code, Error, Problem, Problems, QrelsFormat, RunFormat, Source};

/// What to evaluate.
#[derive(Clone, Debug)]
pub struct Request {
    /// File of judgements; `-` is standard input.
    pub qrels: PathBuf,
    /// Its format, if it should not be told by its content.
    pub qrels_format: Option<QrelsFormat>,
    /// File that says how likely the intents of topics are, for judgements in groups; without it all are equally likely.
    pub intents: Option<PathBuf>,
    /// Files of runs.
    pub runs: Vec<PathBuf>,
    /// Their format, if it should not be told by their content.
    pub run_format: Option<RunFormat>,
    /// File of documents that users knew before they searched, for measures that need it.
    pub known: Option<PathBuf>,
    /// File of sessions; if given, sessions are evaluated in place of topics.
    pub sessions: Option<PathBuf>,
    /// Measures.
    pub measures: Vec<BoundMeasure>,
    /// Vectors.
    pub vectors: Vec<BoundVector>,
    /// Whether the vectors of single topics are kept.
    pub topic_vectors: bool,
    /// Policies.
    pub policies: Policies,
    /// Whose conventions; results are labelled with it.
    pub profile: Profile,
    /// Number of threads; all cores if not given.
    pub threads: Option<usize>,
}

impl Request {
    /// An evaluation under Cranfield's own conventions.
    pub fn new<R: Into<PathBuf>>(
        qrels: impl Into<PathBuf>,
        runs: impl IntoIterator<Item = R>,
        measures: Vec<BoundMeasure>,
    ) -> Self {
        Self {
            qrels: qrels.into(),
            qrels_format: None,
            intents: None,
            runs: runs.into_iter().map(Into::into).collect(),
            run_format: None,
            known: None,
            sessions: None,
            measures,
            vectors: Vec::new(),
            topic_vectors: false,
            policies: Policies::default(),
            profile: Profile::default(),
            threads: None,
        }
    }
}

/// A file that an evaluation read.
#[derive(Clone, Debug, PartialEq)]
pub struct InputFile {
    /// Name as the user gave it.
    pub path: String,
    /// Harmless peculiarities.
    pub notes: Vec<Problem>,
}

impl InputFile {
    pub(crate) fn of(source: &Source) -> Self {
        Self {
            path: source.name().into(),
            notes: source.notes().to_vec(),
        }
    }
}

/// A run and its scores.
#[derive(Clone, Debug)]
pub struct EvaluatedRun {
    /// Where it came from.
    pub file: InputFile,
    /// The scores; under [`TieBreak::Bounds`] and [`Unjudged::Bounds`] the least ones.
    pub scores: RunScores,
    /// Under [`TieBreak::Bounds`] and [`Unjudged::Bounds`], the greatest ones.
    pub upper: Option<RunScores>,
}

impl EvaluatedRun {
    /// Number of topics where this measure (by its place in the plan) is an estimate, because there were too many orders
    /// of ties or readings of unjudged documents; measures from the 64th on are told together.
    pub fn inexact_topics(&self, measure: usize) -> usize {
        let is_inexact = |topic: &TopicScores| topic.notes.inexact >> measure.min(63) & 1 == 1;
        let upper = self.upper.as_ref().map(|scores| scores.topics.as_slice());
        let lower = self.scores.topics.iter().enumerate();
        let inexact = lower.filter(|(at, topic)| {
            let other = upper.and_then(|topics| topics.get(*at));
            is_inexact(topic) || other.is_some_and(is_inexact)
        });
        inexact.count()
    }
}

/// Scores of runs, with the plan and the files behind them.
#[derive(Debug)]
pub struct Evaluation {
    /// What was computed.
    pub plan: Plan,
    /// Whose conventions.
    pub profile: Profile,
    /// The judgements' file.
    pub qrels: InputFile,
    /// The file of intents, if one was given.
    pub intents: Option<InputFile>,
    /// The file of known documents.
    pub known: Option<InputFile>,
    /// The file of sessions.
    pub sessions: Option<InputFile>,
    /// Number of topics with judgements, or of sessions.
    pub topics: usize,
    /// Number of judgements.
    pub judgements: usize,
    /// The runs, in the order given.
    pub runs: Vec<EvaluatedRun>,
}

impl Evaluation {
    /// Reads and evaluates files.
    pub fn of_files(request: Request) -> Result<Self, Error> {
        let evaluated = {
            let threads = request.threads;
            cranfield_engine::with_threads(threads, || evaluate_files(request))
        };
        evaluated.unwrap_or_else(|why| {
            Err(Problem::file(Code::CannotRead, "threads", why.to_string()).into())
        })
    }
}

/// What runs are evaluated against.
#[derive(Debug)]
pub(crate) enum Judgements {
    Grades(Qrels),
    Groups(GroupedQrels),
    Preferences(Preferences),
    Strata(SampledQrels<PoolDocument>),
    Prels(SampledQrels<DrawnJudgement>),
    Sessions(Qrels, Sessions, InputFile),
}

impl Judgements {
    pub(crate) fn read(source: &Source, format: Option<QrelsFormat>) -> Result<Self, Error> {
        use cranfield_io::trec;
        match format {
            Some(QrelsFormat::Strata) => trec::read_strata(source).map(Self::Strata),
            Some(QrelsFormat::Prels) => trec::read_prels(source).map(Self::Prels),
            Some(QrelsFormat::Groups) => trec::read_groups(source).map(Self::Groups),
            Some(QrelsFormat::Prefs) => trec::read_preferences(source).map(Self::Preferences),
            Some(QrelsFormat::QrelsPrefs) => {
                trec::read_qrels_as_preferences(source).map(Self::Preferences)
            }
            _ => read_qrels(source, format).map(Self::Grades),
        }
    }

    /// The judgements of a request, with the files that they come from, if its measures and policies can be had from them.
    pub(crate) fn of(request: &Request) -> Result<(Source, Self, Option<Source>), Error> {
        let source = Source::open(&request.qrels)?;
        check_groups(request, &source)?;
        let mut judgements = Self::read(&source, request.qrels_format)?;
        let read_sessions = cranfield_io::trec::read_sessions;
        if let Some((sessions, file)) = read_beside(request.sessions.as_deref(), read_sessions)? {
            judgements = judgements.in_sessions(sessions, file, &source)?;
        }
        judgements.check(&request.measures, source.name(), request.known.is_some())?;
        judgements.check_policies(&request.policies, &source)?;
        let intents = request.intents.as_ref();
        let intents = intents.map(Source::open).transpose()?;
        let judgements = match &intents {
            Some(intents) => judgements.with_intents(intents)?,
            None => judgements,
        };
        Ok((source, judgements, intents))
    }

    /// Judgement groups with the intents of a file; other judgements have none.
    fn with_intents(self, source: &Source) -> Result<Self, Error> {
        let Self::Groups(qrels) = self else {
            return Ok(self);
        };
        let intents = cranfield_io::trec::read_intents(source)?;
        cranfield_io::trec::with_intents(qrels, &intents, source).map(Self::Groups)
    }

    /// Number of topics and of judgements.
    fn size(&self) -> (usize, usize) {
        match self {
            Self::Grades(qrels) => (qrels.len(), qrels.judgements()),
            Self::Sessions(qrels, sessions, _) => (sessions.len(), qrels.judgements()),
            Self::Strata(qrels) => (qrels.topics().len(), qrels.judgements()),
            Self::Prels(qrels) => (qrels.topics().len(), qrels.judgements()),
            Self::Groups(qrels) => {
                let groups = qrels
                    .topics()
                    .flat_map(|topic| topic.groups().collect::<Vec<_>>());
                (
                    qrels.topics().count(),
                    groups.map(|group| group.judgements().count()).sum(),
                )
            }
            Self::Preferences(preferences) => {
                let documents = preferences.topics().map(|topic| topic.documents().count());
                (preferences.topics().count(), documents.sum())
            }
        }
    }

    /// The same judgements, of sessions.
    fn in_sessions(
        self,
        sessions: Sessions,
        mut file: InputFile,
        source: &Source,
    ) -> Result<Self, Error> {
        let Self::Grades(qrels) = self else {
            let message = "sessions need judgements that are grades";
            return Err(Problem::file(Code::UnknownFormat, source.name(), message).into());
        };
        let others = sessions
            .iter()
            .filter(|known| qrels.get(known.id).is_none());
        let topics = others.flat_map(Session::topics);
        note_unjudged(&mut file, topics.filter(|id| qrels.get(id).is_none()));
        Ok(Self::Sessions(qrels, sessions, file))
    }

    /// What they are, and which measures there are for them.
    fn kind(&self) -> (&'static str, &'static str) {
        match self {
            Self::Grades(_) => (
                "grades",
                "name the file's format with --qrels-format qrels_jg, prefs or qrels_prefs",
            ),
            Self::Groups(_) => (
                "judgement groups",
                "measures of judgement groups are in the group `qrels_jg`",
            ),
            Self::Preferences(_) => (
                "preferences",
                "measures of preferences are in the group `all_prefs`",
            ),
            Self::Strata(_) => (
                "a sample by strata",
                "its measures are xinfAP, infNDCG, iP@k, iNumRel and iNumRelRet",
            ),
            Self::Prels(_) => (
                "a sample with probabilities",
                "its measures are statAP, statP@k and statNumRel",
            ),
            Self::Sessions(..) => (
                "those of sessions",
                "with --sessions there are SessionDCG and nsDCG; leave it out for other measures",
            ),
        }
    }

    /// Refuses measures that these judgements cannot give.
    pub(crate) fn check(
        &self,
        measures: &[BoundMeasure],
        file: &str,
        known: bool,
    ) -> Result<(), Error> {
        let fits = |measure: &&BoundMeasure| match (&measure.computation, self) {
            (Computation::TopicCount | Computation::RunId, _) => true,
            (computation, _) => matches!(
                (computation.input(), self),
                (Input::Grades | Input::Known, Self::Grades(_))
                    | (Input::Groups, Self::Groups(_))
                    | (Input::Preferences, Self::Preferences(_))
                    | (Input::Strata, Self::Strata(_))
                    | (Input::Prels, Self::Prels(_))
                    | (Input::Sessions, Self::Sessions(..))
            ),
        };
        let refuse = |message: String, help: &str| {
            let problem = Problem::file(Code::UnknownFormat, file, message);
            Err(problem.with_help(help).into())
        };
        let needs = |input: Input| {
            measures
                .iter()
                .find(move |m| m.computation.input() == input)
        };
        if let (Some(measure), false) = (needs(Input::Known), known) {
            let message = format!("{measure} needs the documents that users knew before");
            return refuse(
                message,
                "give a file of lines `topic document` with --known",
            );
        }
        if let (Some(measure), Self::Grades(_)) = (needs(Input::Sessions), self) {
            let message = format!("{measure} needs to know which topics are a session");
            return refuse(
                message,
                "give a file of lines `session topic` with --sessions",
            );
        }
        let Some(wrong) = measures.iter().find(|measure| !fits(measure)) else {
            return Ok(());
        };
        let (what, help) = self.kind();
        let help = match (self, wrong.computation.input()) {
            (Self::Grades(_), Input::Strata) => "name the file's format with --qrels-format strata",
            (Self::Grades(_), Input::Prels) => "name the file's format with --qrels-format prels",
            _ => help,
        };
        let message = format!("the judgements are {what}, from which {wrong} cannot be computed");
        refuse(message, help)
    }

    /// Refuses policies that have a meaning for grades only.
    fn check_policies(&self, policies: &Policies, source: &Source) -> Result<(), Error> {
        let wrong = policies
            .of_several_rankings()
            .filter(|_| !matches!(self, Self::Grades(_)));
        let Some(wrong) = wrong else {
            return Ok(());
        };
        let message = format!("{wrong} needs judgements that are grades, which these are not");
        let help = "leave the option out, or choose an order of ties such as --ties docid-desc";
        Err(Problem::file(Code::UnknownFormat, source.name(), message)
            .with_help(help)
            .into())
    }
}

/// Refuses policies that samples, sessions and measures of known documents do not have.
pub(crate) fn check_own_policies(plan: &Plan, source: &Source) -> Result<(), Error> {
    for measure in &plan.measures {
        let policies = measure.overrides.over(&plan.policies);
        let input = measure.computation.input();
        let sampled = matches!(input, Input::Strata | Input::Prels);
        let ordered = sampled || matches!(input, Input::Known | Input::Sessions);
        let open = matches!(
            policies.ties,
            TieBreak::Expected | TieBreak::Best | TieBreak::Worst | TieBreak::Bounds
        );
        let refused = if ordered && open {
            Some(("--ties", policies.ties.name()))
        } else if ordered && matches!(policies.unjudged, Unjudged::Relevant | Unjudged::Bounds)
            || sampled && policies.unjudged == Unjudged::Condensed
        {
            Some(("--unjudged", policies.unjudged.name()))
        } else {
            None
        };
        if let Some((option, value)) = refused {
            let message = format!("{measure} cannot be computed under {option} {value}");
            let problem = Problem::file(Code::UnknownFormat, source.name(), message);
            let help = format!("choose another {option}, or ask for it without this measure");
            return Err(problem.with_help(help).into());
        }
    }
    Ok(())
}

/// The documents that users knew, with their file.
pub(crate) fn read_known(request: &Request) -> Result<Option<(KnownDocuments, InputFile)>, Error> {
    read_beside(request.known.as_deref(), cranfield_io::trec::read_known)
}

/// A small file beside the judgements, read.
fn read_beside<T>(
    path: Option<&Path>,
    read: impl Fn(&Source) -> Result<T, Error>,
) -> Result<Option<(T, InputFile)>, Error> {
    path.map(|path| {
        let source = Source::open(path)?;
        Ok((read(&source)?, InputFile::of(&source)))
    })
    .transpose()
}

/// Notes that judgements lack topics of a file.
fn note_unjudged<'a>(file: &mut InputFile, topics: impl Iterator<Item = &'a [u8]>) {
    let count = topics.count();
    if count > 0 {
        let plural = if count == 1 { " is" } else { "s are" };
        let message = format!("{count} topic{plural} not in the judgements");
        let note = Problem::file(Code::UnknownTopic, &file.path, message);
        file.notes.push(note);
    }
}

/// Refuses what only judgement groups have, before other judgements are read: a file of groups that is read as grades is full of
/// contradictions, which would hide the real mistake.
fn check_groups(request: &Request, source: &Source) -> Result<(), Error> {
    let is_grouped =
        |measure: &&BoundMeasure| matches!(measure.computation, Computation::Grouped(_));
    let message = match request.measures.iter().find(is_grouped) {
        _ if request.qrels_format == Some(QrelsFormat::Groups) => return Ok(()),
        Some(measure) => format!("{measure} needs judgement groups, such as subtopics"),
        None if request.intents.is_some() => "intents need judgement groups".into(),
        None => return Ok(()),
    };
    Err(Problem::file(Code::UnknownFormat, source.name(), message)
        .with_help("if the second column names them, add --qrels-format qrels_jg")
        .into())
}

/// Most numbers that the vectors of one run may have: 2 GiB of them.
const MAX_NUMBERS: usize = 1 << 28;

impl Judgements {
    /// Refuses vectors that these judgements cannot give, or that would fill the memory.
    fn check_vectors(&self, request: &Request, source: &Source) -> Result<(), Error> {
        let vectors = &request.vectors;
        let Some(first) = vectors.first() else {
            return Ok(());
        };
        if let Some(policy) = request.policies.of_several_rankings() {
            let message = format!("the vector {first} has no value under {policy}");
            let help =
                "vectors are of one ranking: choose an order of ties such as --ties docid-desc";
            let problem = Problem::file(Code::UnknownFormat, source.name(), message);
            return Err(problem.with_help(help).into());
        }
        let Self::Grades(qrels) = self else {
            let message =
                format!("the vector {first} needs grades, and these are other judgements");
            let help = "vectors need judgements with one grade per document";
            let problem = Problem::file(Code::UnknownFormat, source.name(), message);
            return Err(problem.with_help(help).into());
        };
        check_size(
            source,
            qrels.len(),
            vectors.iter().map(BoundVector::columns).sum(),
        )
    }
}

fn check_size(source: &Source, topics: usize, columns: usize) -> Result<(), Error> {
    if topics.saturating_mul(columns) <= MAX_NUMBERS {
        return Ok(());
    }
    let message =
        format!("{topics} topics with vectors of {columns} numbers do not fit into 2 GiB");
    let problem = Problem::file(Code::ExpandsTooFar, source.name(), message);
    Err(problem
        .with_help("ask for a smaller depth, or for fewer vectors at a time")
        .into())
}

/// Refuses a run whose topics have too long vectors, where it is the run that says which topics count.
fn check_topics(source: &Source, plan: &Plan, topics: impl FnOnce() -> usize) -> Result<(), Error> {
    if plan.vectors.is_empty() || plan.policies.topics != TopicPolicy::Run {
        return Ok(());
    }
    check_size(source, topics(), plan.width())
}

/// The number of topics of a TREC run; more if they are interleaved.
fn changes_of_topic(source: &Source) -> usize {
    let mut last = None;
    let lines = RunLines::new(source.bytes(), Dialect::Strict).flatten();
    lines
        .filter(|line| last.replace(line.topic) != Some(line.topic))
        .count()
}

/// Whether undefined values are the numbers that the profile's program has for them: where it does not leave them
/// out. `trec_eval` never does.
pub(crate) fn has_reference_values(profile: Profile, policies: &Policies) -> bool {
    let skips = !profile.prints_trec_names() && policies.undefined == Undefined::Skip;
    profile != Profile::Cranfield && !skips
}

/// Evaluates a plan under the policies of each of its measures.
pub(crate) fn by_policies(
    profile: Profile,
    plan: &Plan,
    evaluate: impl Fn(&Plan) -> Result<RunScores, Error>,
) -> Result<RunScores, Error> {
    let mut groups: Vec<(Policies, Vec<usize>)> = Vec::new();
    for (at, measure) in plan.measures.iter().enumerate() {
        let policies = measure.overrides.over(&plan.policies);
        match groups.iter_mut().find(|(known, _)| *known == policies) {
            Some((_, measures)) => measures.push(at),
            None => groups.push((policies, vec![at])),
        }
    }
    if groups
        .iter()
        .all(|(policies, _)| *policies == plan.policies)
    {
        return evaluate(plan);
    }
    let evaluated = groups.into_iter().map(|(policies, measures)| {
        let plan = Plan {
            reference_values: has_reference_values(profile, &policies),
            policies,
            ..plan.clone()
        };
        Ok((evaluate(&plan)?, measures))
    });
    let parts = evaluated.collect::<Result<Vec<_>, Error>>()?;
    Ok(RunScores::joined(&parts, plan))
}

fn evaluate_files(request: Request) -> Result<Evaluation, Error> {
    let (source, judgements, intents) = Judgements::of(&request)?;
    judgements.check_vectors(&request, &source)?;
    let mut known = read_known(&request)?;
    if let (Some((known, file)), Judgements::Grades(qrels)) = (&mut known, &judgements) {
        note_unjudged(file, known.topics().filter(|id| qrels.get(id).is_none()));
    }
    let (known, known_file) = known.unzip();
    let sessions_file = match &judgements {
        Judgements::Sessions(_, _, file) => Some(file.clone()),
        _ => None,
    };
    let plan = Plan {
        measures: request.measures,
        vectors: request.vectors,
        topic_vectors: request.topic_vectors,
        reference_values: has_reference_values(request.profile, &request.policies),
        policies: request.policies,
        missing_document: None,
        end: End::default(),
        known: known.map(Arc::new),
    };
    check_own_policies(&plan, &source)?;
    let evaluated = cranfield_engine::in_parallel(&request.runs, |path| {
        evaluate_file(
            path,
            request.run_format,
            &judgements,
            request.profile,
            &plan,
        )
    });
    let mut runs = evaluated.into_iter().collect::<Result<Vec<_>, _>>()?;
    name_runs(&mut runs);
    let repeated = match &judgements {
        Judgements::Grades(qrels) | Judgements::Sessions(qrels, ..) => {
            repeated_judgements(&source, qrels)
        }
        _ => None,
    };
    let notes = source.notes().iter().cloned().chain(repeated);
    let (topics, count) = judgements.size();
    Ok(Evaluation {
        qrels: InputFile {
            path: source.name().into(),
            notes: notes.collect(),
        },
        intents: intents.as_ref().map(InputFile::of),
        known: known_file,
        sessions: sessions_file,
        topics,
        judgements: count,
        plan,
        profile: request.profile,
        runs,
    })
}

/// Reads qrels of any format; TREC text by all threads. Problems are found again by the careful reader, which tells them in full.
fn read_qrels(source: &Source, format: Option<QrelsFormat>) -> Result<Qrels, Error> {
    let format = format.map_or_else(|| cranfield_io::detect_qrels(source), Ok)?;
    if !matches!(format, QrelsFormat::Trec | QrelsFormat::MsMarco) {
        return cranfield_io::read_qrels(source, Some(format));
    }
    let read = cranfield_engine::read_qrels(&source.shared(), Dialect::Strict);
    let conflict = read
        .qrels
        .duplicates()
        .any(cranfield_core::qrels::DuplicateJudgement::is_conflict);
    if read.fault_count > 0 || conflict || read.qrels.is_empty() {
        return cranfield_io::read_qrels(source, Some(format));
    }
    Ok(read.qrels)
}

fn repeated_judgements(source: &Source, qrels: &Qrels) -> Option<Problem> {
    let count = qrels.duplicates().count();
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("{count} judgement{plural} repeated with the same grade, counted once");
    (count > 0).then(|| Problem::file(Code::DuplicateJudgement, source.name(), message))
}

fn evaluate_file(
    path: &Path,
    format: Option<RunFormat>,
    judgements: &Judgements,
    profile: Profile,
    plan: &Plan,
) -> Result<EvaluatedRun, Error> {
    let source = Source::open(path)?;
    let format = format.map_or_else(|| cranfield_io::detect_run(&source), Ok)?;
    let once = |plan: &Plan| match (judgements, format) {
        (Judgements::Grades(qrels), RunFormat::Trec) => {
            check_topics(&source, plan, || changes_of_topic(&source))?;
            evaluate_trec(&source, qrels, plan)
        }
        (Judgements::Grades(qrels), _) => {
            let run = cranfield_io::read_run(&source, Some(format))?;
            check_topics(&source, plan, || run.topics().count())?;
            Ok(evaluate_run(&run, qrels, plan))
        }
        _ => evaluate_others(&source, format, judgements, plan),
    };
    let evaluate = |plan: &Plan| by_policies(profile, plan, once);
    let file = InputFile::of(&source);
    if !plan.policies.are_bounds() {
        return Ok(EvaluatedRun {
            file,
            scores: evaluate(plan)?,
            upper: None,
        });
    }
    Ok(EvaluatedRun {
        file,
        scores: evaluate(&plan.at(End::Least))?,
        upper: Some(evaluate(&plan.at(End::Greatest))?),
    })
}

fn evaluate_trec(source: &Source, qrels: &Qrels, plan: &Plan) -> Result<RunScores, Error> {
    let evaluated = evaluate_text(source.bytes(), Dialect::Strict, qrels, plan);
    let is_empty = evaluated.scores.extra_topics == 0
        && !evaluated.scores.topics.iter().any(|topic| topic.in_run);
    if evaluated.fault_count > 0 || !evaluated.duplicates.is_empty() || is_empty {
        // The careful reader tells all problems in full, but for those of a rank column that only this evaluation looks at.
        cranfield_io::read_run(source, Some(RunFormat::Trec))?;
        let mut problems = Problems::default();
        for fault in &evaluated.faults {
            problems.push_with(|| run_problem(source, fault));
        }
        problems.into_result()?;
    }
    Ok(evaluated.scores)
}

/// Evaluates against judgements that are not grades. The run is read carefully first, and handed on as TREC text.
fn evaluate_others(
    source: &Source,
    format: RunFormat,
    judgements: &Judgements,
    plan: &Plan,
) -> Result<RunScores, Error> {
    let run = cranfield_io::read_run(source, Some(format))?;
    let mut text = Vec::new();
    cranfield_io::write_run(&run, RunFormat::Trec, &mut text)?;
    let evaluated = match judgements {
        Judgements::Grades(qrels) => return Ok(evaluate_run(&run, qrels, plan)),
        Judgements::Sessions(qrels, sessions, _) => {
            return Ok(evaluate_sessions(&run, qrels, sessions, plan));
        }
        Judgements::Strata(qrels) => evaluate_strata(&text, Dialect::Strict, qrels, plan),
        Judgements::Prels(qrels) => evaluate_prels(&text, Dialect::Strict, qrels, plan),
        Judgements::Groups(groups) => evaluate_groups(&text, Dialect::Strict, groups, plan),
        Judgements::Preferences(preferences) => {
            evaluate_preferences(&text, Dialect::Strict, preferences, plan)
        }
    };
    without_contradictions(source, evaluated)
}

fn without_contradictions(
    source: &Source,
    evaluated: EvaluatedJudgements,
) -> Result<RunScores, Error> {
    let mut problems = Problems::default();
    for (topic, contradiction) in &evaluated.contradictions {
        let id = cranfield_io::quoted(&evaluated.scores.topics[*topic].id);
        let message = format!("preferences of topic {id}: {contradiction}");
        problems.push(Problem::file(
            Code::ConflictingJudgement,
            source.name(),
            message,
        ));
    }
    problems.into_result()?;
    Ok(evaluated.scores)
}

/// Names runs by their files: without folders and known extensions, but with as much as is needed to tell them apart.
fn name_runs(runs: &mut [EvaluatedRun]) {
    let short: Vec<String> = runs.iter().map(|run| short_name(&run.file.path)).collect();
    for (at, run) in runs.iter_mut().enumerate() {
        let unique = short.iter().filter(|name| **name == short[at]).count() == 1;
        run.scores.name = if unique {
            short[at].clone()
        } else {
            run.file.path.clone()
        };
    }
}

/// Names of two files; their paths where the names are the same.
pub(crate) fn short_names(files: &[InputFile; 2]) -> [String; 2] {
    let names = files.each_ref().map(|file| short_name(&file.path));
    if names[0] == names[1] {
        return files.each_ref().map(|file| file.path.clone());
    }
    names
}

pub(crate) fn short_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let mut name = name.strip_prefix("input.").unwrap_or(name);
    for extension in [".gz", ".zst", ".bz2", ".xz", ".lz4"] {
        name = name.strip_suffix(extension).unwrap_or(name);
    }
    for extension in [
        ".run", ".txt", ".trec", ".res", ".json", ".jsonl", ".csv", ".tsv", ".parquet",
    ] {
        name = name.strip_suffix(extension).unwrap_or(name);
    }
    if name.is_empty() {
        path.into()
    } else {
        name.into()
    }
}
