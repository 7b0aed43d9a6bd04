//! Preferences and judgement groups.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use cranfield_core::evaluate::Plan;
use cranfield_core::groups::{GroupedQrels, GroupedQrelsBuilder};
use cranfield_core::prefs::{
    PairCounts, PreferenceError, PreferenceTopic, Preferences, PreferencesBuilder, Scope,
};
use cranfield_eval::{EvaluatedJudgements, evaluate_groups, evaluate_preferences};
use cranfield_io::trec::{read_groups, read_intents, read_preferences};
use cranfield_io::{Code, Error, Problem, Source};
use cranfield_measures::profiles::Profile;
use cranfield_measures::spec::{Conventions, parse_measures};

use super::Target;
use super::evaluation::{Input, SEPARATOR, interleaved, pools, same_scores};
use super::formats::check_error;
use crate::reference::{self, fields, first_visible, number};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "prefs",
        property: "counts of preferences follow the definition, whatever the order of lines; scores do not depend on threads",
        run: prefs,
        seeds: pref_seeds,
        dictionary: DICTIONARY,
        max_len: 300,
        smoke: 40_000,
    },
    Target {
        name: "groups",
        property: "judgement groups hold what was put in, whatever the order of lines; scores do not depend on threads",
        run: groups,
        seeds: group_seeds,
        dictionary: DICTIONARY,
        max_len: 300,
        smoke: 15_000,
    },
];

const DICTIONARY: &[&str] = &[
    "1 A 0 a 2\n",
    "1 A 1 b 0\n",
    "1 A a 2\n",
    "1 Q0 a 1 2 t\n",
    "\n",
    " ",
    "-1",
    "0.5",
    "\x1e",
    "2",
    "B",
];

fn seeds(judgements: &[&str]) -> Vec<Vec<u8>> {
    let run = "1 Q0 b 1 3 t\n1 Q0 x 2 2 t\n1 Q0 a 3 1 t\n2 Q0 a 1 1 t\n2 Q0 c 2 1 t\n";
    let with_run =
        |judgements: &&str| [b"0000", judgements.as_bytes(), &[SEPARATOR], run.as_bytes()].concat();
    judgements.iter().map(with_run).collect()
}

fn pref_seeds() -> Vec<Vec<u8>> {
    seeds(&[
        "1 0 0 a 2\n1 0 0 b 1\n1 0 0 c 1\n2 0 0 a 1\n2 0 0 c 0\n",
        "1 A 0 a 3\n1 A 0 b 2\n1 A 1 b 2\n1 A 1 c 1\n1 B 0 c 2\n1 B 0 a 1\n",
        "1 A 0 a 2\n1 A 0 b 1\n1 A 1 b 2\n1 A 1 c 1\n1 A 2 c 2\n1 A 2 a 1\n",
        "1 A 0 a 1\n1 A 0 b 0\n1 A 1 b 1\n1 A 1 c 0\n",
        "1 A 0 a 1\n1 A 0 a 1\n1 A 0 b 0.5\n1 A 0 c -1\n",
    ])
}

fn group_seeds() -> Vec<Vec<u8>> {
    let mut seeds = seeds(&[
        "1 A a 2\n1 A b 0\n1 B a 0\n1 B c 1\n2 A a -1\n",
        "1 A a 2\n1 A a 1\n",
        "2 0 a 1\n1 0 a 1.5\n2 0 b 1\n1 0 x 1\n",
    ]);
    // Intents in place of a run.
    let intents = b"1 A 0.3 inf\n1 B 0.6 nav\n1 C 1\n";
    seeds.push([b"00001 A a 2\n1 B b 1\n", [SEPARATOR].as_slice(), intents].concat());
    seeds
}

/// Measures of judgement groups: those of `trec_eval`, and those of diversity.
const GROUP_MEASURES: &str = "qrels_jg alpha_nDCG@3 nERR_IA nNRBP(alpha=0.3) alpha_DCG@2 NRBP D_nDCG D_Q@2 \
                              Dsharp_nDCG DINsharp_nDCG@3 PPlusQsharp";

thread_local! {
    static PLANS: RefCell<[Plan; 2]> = RefCell::new(["all_prefs", GROUP_MEASURES].map(|name| {
        let measures = parse_measures(name, &Conventions::of(Profile::TrecEval)).expect("these are groups of measures");
        Plan { measures, ..Plan::default() }
    }));
}

fn with_plan(place: usize, input: &mut Input<'_>, run: impl FnOnce(&mut Input<'_>, &Plan)) {
    PLANS.with_borrow_mut(|plans| {
        input.configure(&mut plans[place]);
        run(input, &plans[place]);
    });
}

/// Compares the evaluation by one thread with that by two, and with that of interleaved topics.
pub(super) fn check_engine(
    input: &mut Input<'_>,
    evaluated: impl Fn(&[u8]) -> EvaluatedJudgements + Sync,
) {
    let [one, two] = pools();
    let expected = one.install(|| evaluated(input.run));
    let found = two.install(|| evaluated(input.run));
    same_scores(&expected.scores, &found.scores, "threads");
    assert_eq!(
        (expected.fault_count, &expected.faults),
        (found.fault_count, &found.faults)
    );
    assert_eq!(expected.contradictions, found.contradictions);
    let woven = interleaved(&mut input.random, input.run);
    same_scores(
        &expected.scores,
        &two.install(|| evaluated(&woven)).scores,
        "topics interleaved",
    );
}

/// A reader returns exactly the content of valid lines.
fn check_reader<T>(
    text: &[u8],
    lines: &[Line<'_>],
    reader: impl Fn(&Source) -> Result<T, Error>,
    is_same: impl Fn(&T) -> bool,
) {
    let Ok(source) = Source::from_bytes("fuzz", text.to_vec()) else {
        return;
    };
    if source.bytes() != text {
        return;
    }
    let data = data(text);
    let is_text = data.iter().all(|line| !line.contains(&0));
    let is_sound = data.len() == lines.len() && !lines.is_empty() && is_text;
    match reader(&source) {
        Ok(read) if is_sound => assert!(is_same(&read), "the reader finds something else"),
        Ok(_) => panic!("faults were not found"),
        Err(error) => {
            check_error(&error, text);
            let twice = |problem: &Problem| problem.code == Code::ConflictingJudgement;
            assert!(!is_sound || error.problems().iter().all(twice), "{error}");
        }
    }
}

/// The lines that are neither blank nor comments.
pub(super) fn data(text: &[u8]) -> Vec<&[u8]> {
    let mut lines = reference::lines(text);
    lines.retain(|line| first_visible(line).is_some_and(|byte| byte != b'#'));
    lines
}

/// A line of preferences, with the sub-group, or of grades.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line<'a> {
    topic: &'a [u8],
    group: &'a [u8],
    subgroup: &'a [u8],
    doc: &'a [u8],
    level: f64,
}

/// The lines with five fields, or those with four.
fn read(text: &[u8], columns: usize) -> Vec<Line<'_>> {
    let lines = data(text).into_iter().map(fields);
    let lines = lines.filter_map(|fields| match fields[..] {
        [topic, group, subgroup, doc, level] if columns == 5 => Some(Line {
            topic,
            group,
            subgroup,
            doc,
            level: number(level)?,
        }),
        [topic, group, doc, level] if columns == 4 => Some(Line {
            topic,
            group,
            subgroup: b"",
            doc,
            level: number(level)?,
        }),
        _ => None,
    });
    lines.filter(|line| line.level.is_finite()).collect()
}

fn prefs(bytes: &[u8]) {
    let Some(mut input) = Input::new(bytes) else {
        return;
    };
    let mut lines = read(input.judgements, 5);
    let preferences = build(&lines);
    check_reader(input.judgements, &lines, read_preferences, |read| {
        format!("{read:?}") == format!("{preferences:?}")
    });
    input.random.shuffle(&mut lines);
    let shuffled = build(&lines);
    let ranked: Vec<&[u8]> = reference::lines(input.run)
        .into_iter()
        .filter_map(|line| fields(line).get(2).copied())
        .collect();
    let topics: BTreeSet<&[u8]> = lines.iter().map(|line| line.topic).collect();
    assert!(
        preferences
            .topics()
            .map(|topic| topic.id())
            .eq(topics.iter().copied())
    );
    for topic in topics {
        let found = preferences.judge(topic, &ranked);
        check_topic(&lines, topic, &ranked, &found);
        match (found, shuffled.judge(topic, &ranked)) {
            (Ok(a), Ok(b)) => assert_eq!(summary(&a), summary(&b)),
            (a, b) => assert_eq!(a.err(), b.err()),
        }
    }
    let dialect = input.dialect;
    with_plan(0, &mut input, |input, plan| {
        check_engine(input, |run| {
            evaluate_preferences((run, dialect), &preferences, plan)
        });
    });
}

fn build(lines: &[Line<'_>]) -> Preferences {
    let mut builder = PreferencesBuilder::default();
    for line in lines {
        builder.push(line.topic, line.group, line.subgroup, line.doc, line.level);
    }
    builder.finish()
}

/// All that a measure can read.
fn summary(topic: &PreferenceTopic) -> String {
    let groups = topic.groups().iter().map(|group| {
        let recounts = [Scope::All, Scope::Retrieved].map(|scope| group.recount(scope));
        let documents = [
            group.relevant,
            group.relevant_retrieved,
            group.nonrelevant,
            group.nonrelevant_retrieved,
        ];
        format!("{:?} {documents:?} {recounts:?}", group.pairs)
    });
    let groups: Vec<String> = groups.collect();
    let means =
        [Scope::All, Scope::Implied, Scope::Retrieved].map(|scope| topic.mean_of_pairs(scope));
    format!("{groups:?} {means:?}")
}

/// Compares one topic with the definition.
fn check_topic(
    lines: &[Line<'_>],
    topic: &[u8],
    ranked: &[&[u8]],
    found: &Result<PreferenceTopic, PreferenceError>,
) {
    let mut groups: BTreeMap<&[u8], Vec<Line<'_>>> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.topic == topic) {
        groups.entry(line.group).or_default().push(*line);
    }
    for (place, lines) in groups.values().enumerate() {
        let expected = Pairs::of(lines).map(|pairs| pairs.count(ranked));
        match (expected, found) {
            (Ok(counts), Ok(topic)) => {
                assert_eq!(topic.groups()[place].pairs, counts);
                for scope in [Scope::All, Scope::Implied, Scope::Retrieved] {
                    assert!(topic.fulfilled(scope) <= topic.possible(scope));
                    assert!(
                        topic
                            .mean_of_pairs(scope)
                            .is_none_or(|mean| (0.0..=1.0).contains(&mean))
                    );
                }
            }
            // The first group that contradicts itself is reported.
            (Ok(_), Err(_)) => {}
            (Err(why), Err(error)) => {
                assert!(!error.to_string().is_empty() && error.trec_eval_text().is_some());
                return assert_eq!(Fault::of(error), Some(why));
            }
            (Err(why), Ok(_)) => panic!("{why:?} was not found"),
        }
    }
    assert!(found.is_ok(), "no group contradicts itself, but {found:?}");
}

/// Ways in which a group contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    TwoLevels,
    ZeroAndPositive,
    Conflict,
}

impl Fault {
    fn of(error: &PreferenceError) -> Option<Self> {
        match error {
            PreferenceError::TwoLevels { .. } => Some(Self::TwoLevels),
            PreferenceError::ZeroAndPositive { .. } => Some(Self::ZeroAndPositive),
            PreferenceError::Conflict { .. } => Some(Self::Conflict),
            _ => None,
        }
    }
}

/// How often each document of a group is preferred to each other.
struct Pairs<'a> {
    docs: Vec<&'a [u8]>,
    wins: Vec<Vec<u64>>,
}

impl<'a> Pairs<'a> {
    fn of(lines: &[Line<'a>]) -> Result<Self, Fault> {
        let docs: BTreeSet<&[u8]> = lines.iter().map(|line| line.doc).collect();
        let docs: Vec<&[u8]> = docs.into_iter().collect();
        let place = |line: &Line<'_>| {
            docs.iter()
                .position(|doc| *doc == line.doc)
                .expect("every document is listed")
        };
        let subgroups: BTreeSet<&[u8]> = lines.iter().map(|line| line.subgroup).collect();
        let mut wins = vec![vec![0; docs.len()]; docs.len()];
        for a in lines {
            for b in lines
                .iter()
                .filter(|b| b.subgroup == a.subgroup && a.level > b.level)
            {
                wins[place(a)][place(b)] += 1;
            }
        }
        if subgroups.len() == 1 {
            let twice = (0..docs.len()).any(|doc| wins[doc][doc] > 0);
            return if twice {
                Err(Fault::TwoLevels)
            } else {
                Ok(Self { docs, wins })
            };
        }
        let has = |doc: &[u8], test: fn(f64) -> bool| {
            lines.iter().any(|line| line.doc == doc && test(line.level))
        };
        if docs
            .iter()
            .any(|doc| has(doc, |level| level == 0.0) && has(doc, |level| level > 0.0))
        {
            return Err(Fault::ZeroAndPositive);
        }
        close(&mut wins);
        let conflict = (0..docs.len()).any(|a| (0..a).any(|b| wins[a][b] > 0 && wins[b][a] > 0));
        if conflict {
            Err(Fault::Conflict)
        } else {
            Ok(Self { docs, wins })
        }
    }

    fn count(&self, ranked: &[&[u8]]) -> PairCounts {
        let rank = |doc: usize| ranked.iter().position(|known| *known == self.docs[doc]);
        let mut counts = PairCounts::default();
        for a in 0..self.docs.len() {
            for b in (0..self.docs.len()).filter(|b| *b != a) {
                let wins = self.wins[a][b];
                match (rank(a), rank(b)) {
                    (Some(a), Some(b)) => {
                        counts.possible_retrieved += wins;
                        counts.fulfilled_retrieved += if a < b { wins } else { 0 };
                    }
                    (None, None) => counts.possible_elsewhere += wins,
                    (a, _) => {
                        counts.possible_implied += wins;
                        counts.fulfilled_implied += if a.is_some() { wins } else { 0 };
                    }
                }
            }
        }
        counts
    }
}

/// Warshall's closure; then each preference counts once.
fn close(wins: &mut [Vec<u64>]) {
    for through in 0..wins.len() {
        for from in 0..wins.len() {
            for to in 0..wins.len() {
                if wins[from][through] > 0 && wins[through][to] > 0 {
                    wins[from][to] = 1;
                }
            }
        }
    }
    wins.iter_mut()
        .flatten()
        .for_each(|wins| *wins = (*wins).min(1));
}

/// Topic, group and document.
type Key<'a> = (&'a [u8], &'a [u8], &'a [u8]);

fn groups(bytes: &[u8]) {
    let Some(mut input) = Input::new(bytes) else {
        return;
    };
    let mut lines = read(input.judgements, 4);
    let built = build_groups(&lines);
    check_reader(input.judgements, &lines, read_groups, |read| {
        built
            .as_ref()
            .is_ok_and(|built| format!("{read:?}") == format!("{built:?}"))
    });
    input.random.shuffle(&mut lines);
    let shuffled = build_groups(&lines);
    let mut known: BTreeMap<Key<'_>, f64> = BTreeMap::new();
    let mut twice: Option<Key<'_>> = None;
    for line in &lines {
        let key = (line.topic, line.group, line.doc);
        if known.insert(key, line.level).is_some() && twice.is_none_or(|earlier| key < earlier) {
            twice = Some(key);
        }
    }
    let (qrels, shuffled) = match (built, shuffled) {
        (Ok(qrels), Ok(shuffled)) => (qrels, shuffled),
        (a, b) => {
            let (a, b) = (a.err(), b.err());
            assert_eq!(a, b);
            let found = a
                .as_ref()
                .map(|twice| (&twice.topic[..], &twice.group[..], &twice.doc[..]));
            return assert_eq!(found, twice);
        }
    };
    assert_eq!(twice, None);
    for qrels in [&qrels, &shuffled] {
        let all = qrels
            .topics()
            .flat_map(|topic| topic.groups().map(move |group| (topic.id(), group)));
        let all: Vec<_> = all
            .flat_map(|(topic, group)| {
                group
                    .judgements()
                    .map(move |(doc, grade)| ((topic, group.id(), doc), grade))
            })
            .collect();
        assert!(
            all.iter()
                .copied()
                .eq(known.iter().map(|(key, grade)| (*key, *grade))),
            "{all:?}"
        );
    }
    check_intents(input.run, &qrels);
    let dialect = input.dialect;
    with_plan(1, &mut input, |input, plan| {
        check_engine(input, |run| evaluate_groups((run, dialect), &qrels, plan));
    });
}

/// Text that is read as intents is refused, or gives every topic probabilities that do not exceed 1 together.
fn check_intents(text: &[u8], qrels: &GroupedQrels) {
    let Ok(source) = Source::from_bytes("fuzz", text.to_vec()) else {
        return;
    };
    let Ok(intents) = read_intents(&source) else {
        return;
    };
    let Ok(qrels) = qrels.clone().with_intents(&intents) else {
        return;
    };
    for topic in qrels.topics() {
        let sum: f64 = topic.groups().map(|group| group.intent().probability).sum();
        assert!(
            (0.0..1.0 + 1e-9).contains(&sum),
            "probabilities add up to {sum}"
        );
    }
}

fn build_groups(
    lines: &[Line<'_>],
) -> Result<GroupedQrels, cranfield_core::groups::DuplicateJudgement> {
    let mut builder = GroupedQrelsBuilder::default();
    for line in lines {
        builder.push(line.topic, line.group, line.doc, line.level);
    }
    builder.finish()
}
