//! Fusion of whole runs: topic by topic, on all cores, in an order that does not depend on them.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::mpsc::sync_channel;

use cranfield_core::qrels::Qrels;
use cranfield_core::run::{Run, RunBuilder};
use cranfield_eval::{Progress, Step};
use rayon::prelude::*;

use crate::error::Error;
use crate::method::Method;
use crate::segments::{Grouped, NotGrouped};
use crate::settings::Fusion;
use crate::topic::Fuser;
use crate::training::{Trained, Trainer};

/// Topics that one task fuses.
const TASK: usize = 4;
/// Tasks per thread whose results are kept until they are written.
const TASKS_PER_THREAD: usize = 4;

/// A run to be fused.
#[derive(Debug)]
pub(crate) enum Lists<'a> {
    /// In memory.
    Memory(&'a Run),
    /// In a file that is read while it is fused.
    Text(Grouped<'a>),
}

impl<'a> Lists<'a> {
    fn topics(&self) -> Vec<&'a [u8]> {
        match self {
            Self::Memory(run) => run.topics().map(|topic| topic.id()).collect(),
            Self::Text(grouped) => grouped.topics().collect(),
        }
    }

    fn read(&self, topic: &[u8], docs: &mut Vec<(&'a [u8], f64)>) -> Result<(), NotGrouped> {
        match self {
            Self::Text(grouped) => grouped.read(topic, docs),
            Self::Memory(run) => {
                docs.clear();
                let entries = run.get(topic).into_iter().flat_map(|topic| topic.entries());
                docs.extend(entries.map(|entry| (entry.doc, entry.score)));
                Ok(())
            }
        }
    }
}

/// A failure of one run's file, or of the fusion.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The run at this place is not grouped by topic, or has a faulty line.
    NotGrouped(usize),
    /// Anything else.
    Error(Error),
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// Runs with their names, and the union of their topics.
#[derive(Debug)]
pub(crate) struct Runs<'a> {
    names: Vec<String>,
    lists: Vec<Lists<'a>>,
    topics: Vec<&'a [u8]>,
    counts: Vec<usize>,
}

/// Counts of a fusion, for its notes and its provenance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Topics that any run has.
    pub topics: usize,
    /// Names of the runs, with the number of topics that each of them has.
    pub runs: Vec<(String, usize)>,
    /// Documents of the fused run.
    pub documents: usize,
    /// Documents whose fused score another document of the topic has, too.
    pub tied: usize,
    /// Topics with such documents.
    pub tied_topics: usize,
    /// Topics that the method was trained on.
    pub trained_on: usize,
    /// The method, if normalisations were given that have no effect with it.
    pub without_norms: Option<&'static str>,
}

impl<'a> Runs<'a> {
    /// The topics are in the order of the first run; those that it lacks follow in ascending order of their ids.
    pub(crate) fn new(names: Vec<String>, lists: Vec<Lists<'a>>) -> Self {
        let mut topics = Vec::new();
        let mut seen = HashSet::new();
        let mut counts: Vec<usize> = Vec::new();
        for list in &lists {
            let own = list.topics();
            counts.push(own.len());
            topics.extend(own.into_iter().filter(|topic| seen.insert(*topic)));
        }
        let of_first = counts.first().copied().unwrap_or(0);
        topics[of_first..].sort_unstable();
        Self {
            names,
            lists,
            topics,
            counts,
        }
    }

    /// Learns from judgements what the method needs.
    pub(crate) fn train(&self, fusion: &Fusion, qrels: &Qrels) -> Result<Trained, Failure> {
        let is_judged = |topic: &&&[u8]| qrels.get(topic).is_some();
        let count = self.topics.iter().filter(is_judged).count();
        let mut trainer = Trainer::new(fusion.method, self.lists.len(), count);
        let mut reader = Reader::new(self, fusion);
        for topic in &self.topics {
            if let Some(judged) = qrels.get(topic) {
                reader.read(topic)?;
                trainer.add(&reader.fuser.candidates, &judged);
            }
        }
        Ok(trainer.finish())
    }

    /// Fuses all topics. `task` makes something of the documents of each topic, and `take` receives these in the order of the topics.
    fn fuse<T: Send>(
        &self,
        fusion: &Fusion,
        progress: &Progress,
        task: impl Fn(&mut T, &'a [u8], &mut dyn ExactSizeIterator<Item = (&'a [u8], f64)>) + Sync,
        empty: impl Fn() -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<Summary, Failure> {
        fusion.check(self.lists.len())?;
        let mut summary = self.summary(fusion);
        let batch = TASK * TASKS_PER_THREAD * rayon::current_num_threads().max(1);
        let mut done = 0;
        for topics in self.topics.chunks(batch) {
            let fused: Vec<Result<(T, Summary), Failure>> = topics
                .par_chunks(TASK)
                .map_init(
                    || Reader::new(self, fusion),
                    |reader, topics| reader.task(topics, &task, empty()),
                )
                .collect();
            for part in fused {
                let (part, counts) = part?;
                summary.documents += counts.documents;
                summary.tied += counts.tied;
                summary.tied_topics += counts.tied_topics;
                take(part)?;
            }
            done += topics.len();
            progress.report(Step {
                measure: "",
                what: "topics",
                done,
                total: self.topics.len(),
            });
        }
        Ok(summary)
    }

    fn summary(&self, fusion: &Fusion) -> Summary {
        let names = self.names.iter().cloned();
        Summary {
            topics: self.topics.len(),
            runs: names.zip(self.counts.iter().copied()).collect(),
            trained_on: fusion.trained.as_ref().map_or(0, Trained::topics),
            without_norms: (!fusion.norms.is_empty() && fusion.used_norms().is_empty())
                .then(|| fusion.method.name()),
            ..Summary::default()
        }
    }

    /// Fuses all topics into a run.
    pub(crate) fn to_run(
        &self,
        fusion: &Fusion,
        tag: &str,
        progress: &Progress,
    ) -> Result<(Run, Summary), Failure> {
        type Part<'a> = Vec<(&'a [u8], Vec<(&'a [u8], f64)>)>;
        let mut run = RunBuilder::default();
        run.set_tag(tag);
        let summary = self.fuse(
            fusion,
            progress,
            |part: &mut Part<'a>, topic, docs| part.push((topic, docs.collect())),
            Vec::new,
            |part| {
                for (topic, docs) in part {
                    run.add_topic(topic);
                    for ((doc, score), rank) in docs.into_iter().zip(1u32..) {
                        run.push(topic, doc, score, Some(f64::from(rank)));
                    }
                }
                Ok(())
            },
        )?;
        Ok((run.finish(), summary))
    }

    /// Fuses all topics into the lines of a TREC run. Another thread writes while topics are fused.
    pub(crate) fn to_lines(
        &self,
        fusion: &Fusion,
        tag: &str,
        progress: &Progress,
        out: &mut (dyn Write + Send),
    ) -> Result<Summary, Failure> {
        let (send, receive) = sync_channel::<Vec<u8>>(2 * TASKS_PER_THREAD);
        std::thread::scope(|scope| {
            let writer = scope.spawn(move || {
                let written = receive.iter().try_for_each(|lines| out.write_all(&lines));
                written.map_err(|error| cranfield_io::cannot_write("<output>", &error))
            });
            let fused = self.fuse(
                fusion,
                progress,
                |lines: &mut Vec<u8>, topic, docs| {
                    cranfield_io::trec::push_run_lines(lines, topic, docs, tag);
                },
                Vec::new,
                // A writer that failed has dropped its end; its own error is the one that is reported.
                |lines| {
                    let sent = send.send(lines);
                    sent.map_err(|_| Error::Scores("cannot write".into()).into())
                },
            );
            drop(send);
            match writer.join() {
                Ok(written) => written?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
            fused
        })
    }
}

/// Scratch space of one thread: the lists of a topic, and its fusion.
struct Reader<'r, 'a> {
    runs: &'r Runs<'a>,
    lists: Vec<Vec<(&'a [u8], f64)>>,
    fuser: Fuser<'r, 'a>,
}

impl<'r, 'a> Reader<'r, 'a> {
    fn new(runs: &'r Runs<'a>, fusion: &'r Fusion) -> Self {
        Self {
            runs,
            lists: vec![Vec::new(); runs.lists.len()],
            fuser: Fuser::new(fusion, &runs.names),
        }
    }

    fn read_lists(&mut self, topic: &[u8]) -> Result<(), Failure> {
        for (at, (list, docs)) in self.runs.lists.iter().zip(&mut self.lists).enumerate() {
            list.read(topic, docs)
                .map_err(|NotGrouped| Failure::NotGrouped(at))?;
        }
        Ok(())
    }

    /// Reads and ranks the lists of a topic.
    fn read(&mut self, topic: &[u8]) -> Result<(), Failure> {
        self.read_lists(topic)?;
        let lists = self.lists.iter().map(|list| list.iter().copied());
        Ok(self.fuser.read(topic, lists)?)
    }

    fn task<T>(
        &mut self,
        topics: &[&'a [u8]],
        task: &impl Fn(&mut T, &'a [u8], &mut dyn ExactSizeIterator<Item = (&'a [u8], f64)>),
        mut made: T,
    ) -> Result<(T, Summary), Failure> {
        let mut counts = Summary::default();
        for topic in topics {
            self.read_lists(topic)?;
            let lists = self.lists.iter().map(|list| list.iter().copied());
            self.fuser.fuse(topic, lists)?;
            let tied = self.fuser.tied();
            counts.tied += tied;
            counts.tied_topics += usize::from(tied > 0);
            let mut docs = self.fuser.docs();
            counts.documents += docs.len();
            task(&mut made, topic, &mut docs);
        }
        Ok((made, counts))
    }
}

/// Learns from judgements what a method needs, from runs in memory. Topics that are not judged are not used.
pub fn train(fusion: &Fusion, runs: &[&Run], qrels: &Qrels) -> Result<Trained, Error> {
    in_memory(runs).train(fusion, qrels).map_err(error_of)
}

/// Fuses runs in memory. Topics are those that any run has; a run that lacks one has an empty list for it.
///
/// ```
/// use cranfield_core::run::Run;
/// use cranfield_eval::Progress;
/// use cranfield_fusion::{Fusion, fuse_runs};
///
/// let a = Run::from_scores("a", [("1", "d1", 2.0), ("1", "d2", 1.0)]);
/// let b = Run::from_scores("b", [("1", "d2", 0.9), ("2", "d1", 0.5)]);
/// let (fused, summary) = fuse_runs(&Fusion::default(), &[&a, &b], "fused", &Progress::default())?;
/// assert_eq!(fused.get(b"1").unwrap().entries().next().unwrap().doc, b"d2");
/// assert_eq!(summary.topics, 2);
/// # Ok::<(), cranfield_fusion::Error>(())
/// ```
pub fn fuse_runs(
    fusion: &Fusion,
    runs: &[&Run],
    tag: &str,
    progress: &Progress,
) -> Result<(Run, Summary), Error> {
    in_memory(runs)
        .to_run(fusion, tag, progress)
        .map_err(error_of)
}

/// Normalises the scores of a run. Documents are in rank order.
///
/// # Errors
/// If the scores do not suit the normalisation.
pub fn normalise_run(run: &Run, fusion: &Fusion) -> Result<Run, Error> {
    let fusion = Fusion {
        method: Method::Sum,
        ..fusion.clone()
    };
    let tag = run.tag().to_owned();
    Ok(fuse_runs(&fusion, &[run], &tag, &Progress::default())?.0)
}

fn in_memory<'a>(runs: &[&'a Run]) -> Runs<'a> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let names = runs.iter().zip(1..).map(|(run, number)| match run.tag() {
        "" => number.to_string(),
        tag => {
            let count = seen.entry(tag).or_default();
            *count += 1;
            match count {
                1 => tag.to_owned(),
                count => format!("{tag} ({count})"),
            }
        }
    });
    let names = names.collect();
    Runs::new(names, runs.iter().map(|run| Lists::Memory(run)).collect())
}

/// The error of a fusion of runs in memory, which are always grouped.
fn error_of(failure: Failure) -> Error {
    match failure {
        Failure::Error(error) => error,
        Failure::NotGrouped(run) => Error::Scores(format!("run {run} changed").into()),
    }
}
