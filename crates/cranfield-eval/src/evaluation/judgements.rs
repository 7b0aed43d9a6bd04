//! Judgements and the files that go with them.

use std::path::Path;
use std::sync::Arc;

use cranfield_core::groups::{GroupedQrels, JudgementGroup, TopicGroups};
use cranfield_core::known::KnownDocuments;
use cranfield_core::measure::Input;
use cranfield_core::prefs::Preferences;
use cranfield_core::qrels::{DuplicateJudgement, Qrels};
use cranfield_core::sampled::{DrawnJudgement, PoolDocument, SampledQrels};
use cranfield_core::session::{Session, Sessions};
use cranfield_io::trec::{self, Dialect};
use cranfield_io::{Code, Error, Problem, QrelsFormat, Source};

use super::{InputFile, Request, checks};

/// Judgements of any kind.
#[derive(Debug)]
pub enum Judgements {
    /// One grade per document.
    Grades(Arc<Qrels>),
    /// Groups of judgements, such as subtopics.
    Groups(GroupedQrels),
    /// Preferences between documents.
    Preferences(Preferences),
    /// A pool sampled by strata.
    Strata(SampledQrels<PoolDocument>),
    /// Judgements drawn with unequal probabilities.
    Prels(SampledQrels<DrawnJudgement>),
    /// Grades, with the sessions to evaluate instead of topics.
    Sessions(Arc<Qrels>, Sessions, InputFile),
}

/// The judgements of a request, and the files that go with them.
pub(crate) struct JudgementsOfRequest {
    pub(crate) judgements: Judgements,
    pub(crate) qrels: InputFile,
    pub(crate) intents: Option<InputFile>,
    pub(crate) known: Option<(Arc<KnownDocuments>, InputFile)>,
}

impl JudgementsOfRequest {
    pub(crate) fn read(request: &Request) -> Result<Self, Error> {
        let (source, judged) = match &request.judged {
            None => (Source::open(&request.qrels)?, None),
            Some(qrels) => {
                let name = request.qrels.to_string_lossy();
                (
                    Source::from_bytes(&name, Vec::new())?,
                    Some(Arc::clone(qrels)),
                )
            }
        };
        checks::groups(request, &source)?;
        let mut judgements = match judged {
            None => Judgements::read(&source, request.qrels_format)?,
            Some(qrels) => Judgements::Grades(qrels),
        };
        let sessions = read_with_judgements(
            request.sessions.as_deref(),
            request.hashes,
            trec::read_sessions,
        )?;
        if let Some((sessions, file)) = sessions {
            judgements = judgements.in_sessions(sessions, file, &source)?;
        }
        let (judgements, intents) = match &request.intents {
            Some(path) => judgements.with_intents(&Source::open(path)?, request.hashes)?,
            None => (judgements, None),
        };
        let mut known =
            read_with_judgements(request.known.as_deref(), request.hashes, trec::read_known)?;
        if let (Some((known, file)), Judgements::Grades(qrels)) = (&mut known, &judgements) {
            note_unjudged(file, known.topics().filter(|id| qrels.get(id).is_none()));
        }
        let mut qrels = match &request.judged {
            None => InputFile::of(&source, request.hashes),
            Some(_) => InputFile::named(source.name()),
        };
        let repeated = judgements
            .qrels()
            .map(|qrels| repeated_judgements(&source, qrels));
        qrels.notes.extend(repeated.flatten());
        Ok(Self {
            judgements,
            qrels,
            intents,
            known: known.map(|(known, file)| (Arc::new(known), file)),
        })
    }
}

impl Judgements {
    /// Reads judgements of any format.
    pub fn read(source: &Source, format: Option<QrelsFormat>) -> Result<Self, Error> {
        match format {
            Some(QrelsFormat::Strata) => trec::read_strata(source).map(Self::Strata),
            Some(QrelsFormat::Prels) => trec::read_prels(source).map(Self::Prels),
            Some(QrelsFormat::Groups) => trec::read_groups(source).map(Self::Groups),
            Some(QrelsFormat::Prefs) => trec::read_preferences(source).map(Self::Preferences),
            Some(QrelsFormat::QrelsPrefs) => {
                trec::read_qrels_as_preferences(source).map(Self::Preferences)
            }
            _ => read_qrels(source, format).map(|qrels| Self::Grades(Arc::new(qrels))),
        }
    }

    /// The kind of input that they give to measures.
    pub fn input(&self) -> Input {
        match self {
            Self::Grades(_) => Input::Grades,
            Self::Groups(_) => Input::Groups,
            Self::Preferences(_) => Input::Preferences,
            Self::Strata(_) => Input::Strata,
            Self::Prels(_) => Input::Prels,
            Self::Sessions(..) => Input::Sessions,
        }
    }

    /// Adds the intents of a file to judgement groups; other judgements stay as they are.
    fn with_intents(
        self,
        source: &Source,
        hashes: bool,
    ) -> Result<(Self, Option<InputFile>), Error> {
        let mut file = InputFile::of(source, hashes);
        let Self::Groups(qrels) = self else {
            return Ok((self, Some(file)));
        };
        let intents = trec::read_intents(source)?;
        let others = intents.topics().filter(|id| qrels.topic(id).is_none());
        note_unjudged(&mut file, others);
        let qrels = trec::with_intents(qrels, &intents, source)?;
        Ok((Self::Groups(qrels), Some(file)))
    }

    /// Groups the topics of graded judgements into sessions.
    fn in_sessions(
        self,
        sessions: Sessions,
        mut file: InputFile,
        source: &Source,
    ) -> Result<Self, Error> {
        let Self::Grades(qrels) = self else {
            let message = "sessions need graded judgements";
            return Err(Problem::file(Code::UnknownFormat, source.name(), message).into());
        };
        let others = sessions
            .iter()
            .filter(|known| qrels.get(known.id).is_none());
        let topics = others.flat_map(Session::topics);
        note_unjudged(&mut file, topics.filter(|id| qrels.get(id).is_none()));
        Ok(Self::Sessions(qrels, sessions, file))
    }

    /// Number of topics and of judgements.
    pub(crate) fn size(&self) -> (usize, usize) {
        match self {
            Self::Grades(qrels) => (qrels.len(), qrels.judgements()),
            Self::Sessions(qrels, sessions, _) => (sessions.len(), qrels.judgements()),
            Self::Strata(qrels) => (qrels.topics().len(), qrels.judgements()),
            Self::Prels(qrels) => (qrels.topics().len(), qrels.judgements()),
            Self::Groups(qrels) => {
                let groups = qrels.topics().flat_map(TopicGroups::groups);
                let judgements = groups.map(|group| group.judgements().count()).sum();
                (qrels.topics().count(), judgements)
            }
            Self::Preferences(preferences) => {
                let documents = preferences.topics().map(|topic| topic.documents().count());
                (preferences.topics().count(), documents.sum())
            }
        }
    }

    /// The graded judgements of topics or sessions.
    pub(crate) fn qrels(&self) -> Option<&Qrels> {
        match self {
            Self::Grades(qrels) | Self::Sessions(qrels, ..) => Some(qrels),
            _ => None,
        }
    }

    /// The file of sessions.
    pub(crate) fn session_file(&self) -> Option<&InputFile> {
        match self {
            Self::Sessions(_, _, file) => Some(file),
            _ => None,
        }
    }

    /// Whether they have a topic, or a session.
    pub fn has(&self, topic: &[u8]) -> bool {
        match self {
            Self::Grades(qrels) => qrels.position(topic).is_some(),
            Self::Groups(groups) => groups.topic(topic).is_some(),
            Self::Preferences(preferences) => preferences.topic(topic).is_some(),
            Self::Strata(sample) => sample.topic(topic).is_some(),
            Self::Prels(sample) => sample.topic(topic).is_some(),
            Self::Sessions(_, sessions, _) => sessions.get(topic).is_some(),
        }
    }

    /// Whether a topic, or a topic of a session, has a relevant document. Always true for preferences, which do not define
    /// relevance.
    pub fn has_relevant(&self, topic: &[u8]) -> bool {
        match self {
            Self::Grades(qrels) => has_positive(qrels, topic),
            Self::Groups(groups) => groups.topic(topic).is_some_and(|topic| {
                let mut grades = topic.groups().flat_map(JudgementGroup::judgements);
                grades.any(|(_, grade)| grade > 0.0)
            }),
            Self::Preferences(_) => true,
            Self::Strata(sample) => sample.topic(topic).is_some_and(|topic| {
                let mut grades = topic.judgements().iter().filter_map(|found| found.grade);
                grades.any(|grade| grade > 0.0)
            }),
            Self::Prels(sample) => sample
                .topic(topic)
                .is_some_and(|topic| topic.judgements().iter().any(|found| found.grade > 0.0)),
            Self::Sessions(qrels, sessions, _) => sessions.get(topic).is_some_and(|session| {
                let mut topics = session.topics();
                topics.any(|topic| match qrels.get(topic) {
                    Some(_) => has_positive(qrels, topic),
                    None => has_positive(qrels, session.id),
                })
            }),
        }
    }

    /// Ids of the first topics, or sessions.
    pub fn first_ids(&self, most: usize) -> Vec<Box<[u8]>> {
        macro_rules! first {
            ($all:expr) => {
                $all.topics()
                    .take(most)
                    .map(|topic| topic.id().into())
                    .collect()
            };
        }
        match self {
            Self::Grades(all) => first!(all),
            Self::Groups(all) => first!(all),
            Self::Preferences(all) => first!(all),
            Self::Strata(all) => first!(all),
            Self::Prels(all) => first!(all),
            Self::Sessions(_, all, _) => {
                let first = all.iter().take(most);
                first.map(|session| session.id.into()).collect()
            }
        }
    }
}

/// Whether a grade of a topic is above zero.
fn has_positive(qrels: &Qrels, topic: &[u8]) -> bool {
    let topic = qrels.get(topic);
    topic.is_some_and(|topic| topic.judgements().any(|(_, grade)| grade > 0.0))
}

/// Reads an optional file that accompanies the judgements.
fn read_with_judgements<T>(
    path: Option<&Path>,
    hashes: bool,
    read: impl Fn(&Source) -> Result<T, Error>,
) -> Result<Option<(T, InputFile)>, Error> {
    path.map(|path| {
        let source = Source::open(path)?;
        Ok((read(&source)?, InputFile::of(&source, hashes)))
    })
    .transpose()
}

/// Adds a note on topics of a file that are not in the judgements.
fn note_unjudged<'a>(file: &mut InputFile, topics: impl Iterator<Item = &'a [u8]>) {
    let count = topics.count();
    if count > 0 {
        let plural = if count == 1 { " is" } else { "s are" };
        let message = format!("{count} topic{plural} not in the judgements");
        let note = Problem::file(Code::UnknownTopic, &file.path, message);
        file.notes.push(note);
    }
}

/// Reads qrels of any format, TREC files on all threads. If there is a problem, reads them again to report it in full.
fn read_qrels(source: &Source, format: Option<QrelsFormat>) -> Result<Qrels, Error> {
    let format = format.map_or_else(|| cranfield_io::detect_qrels(source), Ok)?;
    if !matches!(format, QrelsFormat::Trec | QrelsFormat::MsMarco) {
        return cranfield_io::read_qrels(source, Some(format));
    }
    let read = crate::engine::read_qrels(&source.shared(), Dialect::Strict);
    let mut repeated = read.qrels.duplicates();
    let conflict = repeated.any(DuplicateJudgement::is_conflict);
    drop(repeated);
    if read.fault_count > 0 || conflict || read.qrels.is_empty() {
        return cranfield_io::read_qrels(source, Some(format));
    }
    Ok(read.qrels)
}

/// A note on judgements that are repeated with the same grade.
fn repeated_judgements(source: &Source, qrels: &Qrels) -> Option<Problem> {
    let count = qrels.duplicates().count();
    let plural = if count == 1 { "" } else { "s" };
    let message = format!("{count} judgement{plural} repeated with the same grade, counted once");
    (count > 0).then(|| Problem::file(Code::DuplicateJudgement, source.name(), message))
}
