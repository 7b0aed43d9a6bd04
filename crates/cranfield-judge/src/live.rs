//! Judging while a strategy chooses: each grade decides which document comes next.

use std::collections::HashSet;

use cranfield_pool::{PoolSettings, Queue as Chooser, Rankings, TopicRankings, make};

use crate::assessor::Assessor;
use crate::error::JudgeError;
use crate::queue::{Pair, Queue, is_assigned, pairs_of, utf8};
use crate::settings::Settings;

/// The documents that a strategy chooses from runs, one at a time, topic after topic.
///
/// The order follows from the grades alone: known grades are answered again, so that a session can be resumed and a judgement taken
/// back. A document that is set aside holds up its topic, because the strategy waits for its grade; the other topics go on.
///
/// ```
/// use cranfield_judge::{Assessor, Live, Queue};
/// use cranfield_pool::{PoolSettings, Rankings, TopicRankings};
///
/// let topic = TopicRankings::new("301", &[vec!["a", "b"], vec!["c", "b"]], 100);
/// let rankings = Rankings { names: vec!["A".into(), "B".into()], topics: vec![topic] };
/// let mut live = Live::new(&rankings, &PoolSettings::new("mtf".parse()?))?;
/// assert_eq!(live.next(&Assessor::default()).unwrap().doc, "a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Live {
    settings: PoolSettings,
    topics: Vec<Topic>,
    pairs: Vec<Pair>,
    is_started: bool,
}

#[derive(Debug)]
struct Topic {
    id: String,
    rankings: TopicRankings,
    /// Most documents.
    most: usize,
    chooser: Option<Chooser>,
    /// Grades that the strategy knows, in its order.
    answered: Vec<(Pair, f64)>,
    /// Whether the strategy chooses no more documents.
    is_over: bool,
}

/// The documents to judge: for an adaptive strategy all that may come up, with the queue that chooses among them, and otherwise the
/// pool of the strategy.
///
/// # Errors
/// If the strategy needs longer rankings, or an id is not UTF-8.
pub fn candidates(
    rankings: &Rankings,
    depth: Option<usize>,
    settings: &PoolSettings,
) -> Result<(Vec<Pair>, Option<Live>), JudgeError> {
    settings.strategy.check(rankings, depth)?;
    if !settings.strategy.is_adaptive() {
        let pool = make(rankings, settings, None);
        return Ok((pairs_of(&pool.to_run())?, None));
    }
    let live = Live::new(rankings, settings)?;
    Ok((live.pairs.clone(), Some(live)))
}

impl Live {
    /// Lets the strategy choose from these rankings, at most the budget for each topic.
    ///
    /// # Errors
    /// If an id is not UTF-8.
    pub fn new(rankings: &Rankings, settings: &PoolSettings) -> Result<Self, JudgeError> {
        let (mut topics, mut pairs) = (Vec::new(), Vec::new());
        for rankings in &rankings.topics {
            let id = utf8(rankings.topic())?;
            for doc in rankings.docs() {
                let (topic, doc) = (id.clone(), utf8(doc)?);
                pairs.push(Pair { topic, doc });
            }
            topics.push(Topic {
                id,
                most: settings.budget.unwrap_or(usize::MAX).min(rankings.len()),
                rankings: rankings.clone(),
                chooser: None,
                answered: Vec::new(),
                is_over: false,
            });
        }
        Ok(Self {
            settings: settings.clone(),
            topics,
            pairs,
            is_started: false,
        })
    }

    /// The topics that an assessor judges: a strategy needs all grades of a topic, so topics are divided, not documents.
    #[must_use]
    pub fn assigned_to(mut self, who: &str, settings: &Settings) -> Self {
        self.retain(|topic| {
            let pair = Pair {
                topic: topic.into(),
                doc: String::new(),
            };
            is_assigned(&pair, who, settings)
        });
        self
    }

    /// Keeps the topics of these pairs.
    #[must_use]
    pub fn with_topics_of(mut self, pairs: &[Pair]) -> Self {
        let wanted: HashSet<&str> = pairs.iter().map(|pair| &*pair.topic).collect();
        self.retain(|topic| wanted.contains(topic));
        self
    }

    fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.topics.retain(|topic| is_wanted(&topic.id));
        self.pairs.retain(|pair| is_wanted(&pair.topic));
    }

    /// Forgets all grades, so that they are asked for again.
    pub(crate) fn reset(&mut self) {
        self.topics.iter_mut().for_each(Topic::reset);
    }

    /// Documents whose grades the strategy knows, and in all.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let done = self.topics.iter().map(|topic| topic.answered.len()).sum();
        (done, self.total())
    }

    /// The next documents of the topics in their order, up to the first that is not set aside: the others, and that one.
    pub(crate) fn advance(
        &mut self,
        mut grade: impl FnMut(&Pair) -> Result<Option<f64>, JudgeError>,
        is_aside: impl Fn(&Pair) -> bool,
    ) -> Result<(Vec<Pair>, Option<Pair>), JudgeError> {
        let mut aside = Vec::new();
        for topic in &mut self.topics {
            match topic.next(&self.settings, &mut grade)? {
                Some(pair) if is_aside(&pair) => aside.push(pair),
                Some(pair) => return Ok((aside, Some(pair))),
                None => {}
            }
        }
        Ok((aside, None))
    }
}

impl Topic {
    fn reset(&mut self) {
        self.chooser = None;
        self.answered.clear();
        self.is_over = false;
    }

    /// The first document that the strategy chooses and that has no grade.
    fn next(
        &mut self,
        settings: &PoolSettings,
        mut grade: impl FnMut(&Pair) -> Result<Option<f64>, JudgeError>,
    ) -> Result<Option<Pair>, JudgeError> {
        if self.is_over {
            return Ok(None);
        }
        let new = || {
            Chooser::new(
                &settings.strategy,
                &self.rankings,
                settings.level,
                settings.seed,
            )
        };
        let chooser = self.chooser.get_or_insert_with(new);
        while self.answered.len() < self.most
            && let Some(doc) = chooser.next()
        {
            let pair = Pair {
                topic: self.id.clone(),
                doc: utf8(doc)?,
            };
            let Some(grade) = grade(&pair)? else {
                return Ok(Some(pair));
            };
            chooser.answer(grade);
            self.answered.push((pair, grade));
        }
        self.is_over = true;
        Ok(None)
    }

    fn total(&self) -> usize {
        if self.is_over {
            self.answered.len()
        } else {
            self.most
        }
    }
}

impl Queue for Live {
    fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    fn next(&mut self, judged: &Assessor) -> Option<Pair> {
        let grade = |pair: &Pair| judged.grade(pair).map(f64::from);
        for topic in &mut self.topics {
            // A judgement was taken back: the strategy starts again with the others.
            let is_changed = |(pair, known): &(Pair, f64)| grade(pair) != Some(*known);
            if topic.answered.iter().any(is_changed) {
                topic.reset();
            }
        }
        if !std::mem::replace(&mut self.is_started, true) {
            // What was done in later topics counts as well.
            let begun: HashSet<&str> = judged.topics().collect();
            for topic in &mut self.topics {
                if begun.contains(&*topic.id) {
                    topic.next(&self.settings, |pair| Ok(grade(pair))).ok()?;
                }
            }
        }
        let found = self.advance(|pair| Ok(grade(pair)), |pair| judged.is_deferred(pair));
        let (aside, open) = found.ok()?;
        open.or_else(|| judged.deferred().find(|pair| aside.contains(pair)).cloned())
    }

    fn total(&self) -> usize {
        self.topics.iter().map(Topic::total).sum()
    }

    fn progress(&self, judged: &Assessor, topic: Option<&str>) -> (usize, usize) {
        let wanted = self.topics.iter();
        let wanted = wanted.filter(|known| topic.is_none_or(|topic| known.id == topic));
        wanted.fold((0, 0), |(done, total), topic| {
            let answered = topic.answered.iter();
            let graded = answered.filter(|(pair, _)| judged.grade(pair).is_some());
            (done + graded.count(), total + topic.total())
        })
    }
}

#[cfg(test)]
mod tests {
    use cranfield_eval::MergeRule;

    use super::*;
    use crate::session::Session;

    /// Two topics with the rankings of the worked example of `cranfield-pool`; a, b, c and j are relevant.
    fn live(strategy: &str, budget: Option<usize>) -> Live {
        let runs = ["abcde", "bfagh", "ijbck"].map(|run| {
            let docs = run.chars().map(|doc| doc.to_string());
            docs.collect::<Vec<_>>()
        });
        let rankings = Rankings {
            names: ["A", "B", "C"].map(String::from).to_vec(),
            topics: ["1", "2"]
                .map(|id| TopicRankings::new(id, &runs, 5))
                .to_vec(),
        };
        let settings = PoolSettings {
            budget,
            ..PoolSettings::new(strategy.parse().unwrap())
        };
        Live::new(&rankings, &settings).unwrap()
    }

    fn session(folder: &std::path::Path, live: Live) -> Session {
        Session::open(folder, "ann", Box::new(live), Settings::default()).unwrap()
    }

    fn shown(session: &Session) -> String {
        let pair = session.current();
        pair.map_or_else(String::new, |pair| format!("{}{}", pair.topic, pair.doc))
    }

    fn grade(session: &mut Session) -> String {
        let doc = shown(session);
        let is_relevant = doc.ends_with(['a', 'b', 'c', 'j']);
        session.grade(u8::from(is_relevant), 1).unwrap();
        doc
    }

    const ORDERS: [(&str, &str); 4] = [
        ("mtf", "abcdfiegjkh"),
        ("mm(0)", "abcdfiegjkh"),
        ("mm(1)", "abcdefigjkh"),
        ("hedge(0.1)", "bafcdigjehk"),
    ];

    #[test]
    fn grades_decide_the_order_and_sessions_resume() {
        for (strategy, order) in ORDERS {
            let folder = tempfile::tempdir().unwrap();
            let mut seen = String::new();
            for at in 0..22 {
                // A new session for every judgement.
                let mut session = session(folder.path(), live(strategy, None));
                assert_eq!(session.estimate().done, at);
                assert_eq!(session.estimate().total, 22);
                seen += &grade(&mut session);
            }
            let expected: String = ["1", "2"]
                .iter()
                .flat_map(|topic| order.chars().map(move |doc| format!("{topic}{doc}")))
                .collect();
            assert_eq!(seen, expected, "{strategy}");
            let session = session(folder.path(), live(strategy, None));
            assert_eq!(session.current(), None);
        }
    }

    #[test]
    fn a_judgement_that_is_taken_back_changes_the_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = session(folder.path(), live("mtf", Some(5)));
        assert_eq!(session.estimate().total, 10);
        let first: Vec<String> = (0..3).map(|_| grade(&mut session)).collect();
        assert_eq!(first, ["1a", "1b", "1c"]);
        assert!(session.undo().unwrap() && session.undo().unwrap());
        assert_eq!(
            (shown(&session).as_str(), session.estimate().done),
            ("1b", 1)
        );
        assert_eq!(session.topic_progress("1"), (1, 5));
        // Not relevant after all: the next run is asked.
        session.grade(0, 1).unwrap();
        assert_eq!(shown(&session), "1f");
        for _ in 0..3 {
            grade(&mut session);
        }
        // The budget of the first topic is spent.
        assert_eq!(shown(&session), "2a");
        assert_eq!(session.topic_progress("1"), (5, 5));
        let qrels = session.judged().qrels(MergeRule::Majority);
        assert_eq!(qrels.judgements(), 5);
    }

    #[test]
    fn a_document_that_is_set_aside_holds_up_its_topic_only() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = session(folder.path(), live("mtf", Some(2)));
        session.defer().unwrap();
        assert_eq!(grade(&mut session), "2a");
        assert_eq!(grade(&mut session), "2b");
        assert_eq!(grade(&mut session), "1a");
        assert_eq!(grade(&mut session), "1b");
        assert_eq!(session.current(), None);
        assert_eq!(session.estimate().done, 4);
    }

    #[test]
    fn topics_are_divided_among_assessors() {
        let rankings = Rankings {
            names: vec!["A".into()],
            topics: (0..100)
                .map(|id| TopicRankings::new(format!("{id:03}"), &[vec!["a", "b"]], 100))
                .collect(),
        };
        let settings = Settings {
            assessors: vec!["ann".into(), "bob".into()],
            overlap: 0.2,
            ..Settings::default()
        };
        let part = |who| {
            let live = Live::new(&rankings, &PoolSettings::new("mtf".parse().unwrap()));
            live.unwrap().assigned_to(who, &settings).total()
        };
        let both = part("ann") + part("bob");
        // 100 topics with two documents, and those of about 20 topics again.
        assert!((220..260).contains(&both), "{both}");
        assert!(part("ann") > 90 && part("bob") > 90);
    }
}
