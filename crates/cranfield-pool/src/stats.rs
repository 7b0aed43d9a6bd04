//! Statistics of a pool: size, overlap, contributions, and the work that it takes to judge it.

use cranfield_core::qrels::Qrels;
use cranfield_render::{Cell, Column, Table};

use crate::groups::Groups;
use crate::rankings::{Rankings, TopicRankings};
use crate::tables::{Tables, count, id, numbers};

/// The pool of one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicSize {
    /// The topic's id.
    pub topic: Box<[u8]>,
    /// Documents in the pool.
    pub documents: usize,
    /// Documents that only one group holds.
    pub unique: usize,
    /// Documents that are judged.
    pub judged: usize,
    /// Documents that are relevant.
    pub relevant: usize,
}

/// Documents of a run or a group, over all topics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contribution {
    /// Documents that it adds to the pool.
    pub documents: usize,
    /// Documents that no other run or group holds.
    pub unique: usize,
    /// Relevant documents that no other run or group holds.
    pub unique_relevant: usize,
    /// Documents that are judged.
    pub judged: usize,
}

/// Statistics of the pool of several runs.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolStats {
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Their groups.
    pub groups: Groups,
    /// The pool of each topic.
    pub topics: Vec<TopicSize>,
    /// What each run contributes.
    pub of_runs: Vec<Contribution>,
    /// What each group contributes.
    pub of_groups: Vec<Contribution>,
    /// Mean over the topics of either run of shared documents / documents of either, by run and run; empty if it was not asked for.
    pub overlap: Vec<Vec<f64>>,
    /// Whether judgements were given.
    pub is_judged: bool,
}

impl PoolStats {
    /// Statistics of the pool of all ranked documents. Documents graded `level` or higher are relevant.
    pub fn new(rankings: &Rankings, groups: &Groups, qrels: Option<&Qrels>, level: f64) -> Self {
        let mut stats = Self::contributions(rankings, groups, qrels, level);
        let runs = rankings.names.len();
        stats.overlap = vec![vec![0.0; runs]; runs];
        for topic in &rankings.topics {
            stats.add_overlap(topic, &holders(topic));
        }
        for (first, sums) in stats.overlap.iter_mut().enumerate() {
            for (second, sum) in sums.iter_mut().enumerate() {
                let is_in = |topic: &&TopicRankings| {
                    !topic.runs()[first].is_empty() || !topic.runs()[second].is_empty()
                };
                let topics = rankings.topics.iter().filter(is_in).count();
                *sum /= topics.max(1) as f64;
            }
        }
        stats
    }

    /// Statistics without the overlap of runs, which takes most of the time.
    pub fn contributions(
        rankings: &Rankings,
        groups: &Groups,
        qrels: Option<&Qrels>,
        level: f64,
    ) -> Self {
        let mut stats = Self {
            runs: rankings.names.clone(),
            topics: Vec::new(),
            of_runs: vec![Contribution::default(); rankings.names.len()],
            of_groups: vec![Contribution::default(); groups.names.len()],
            overlap: Vec::new(),
            groups: groups.clone(),
            is_judged: qrels.is_some(),
        };
        for topic in &rankings.topics {
            stats.add(topic, qrels, level);
        }
        stats
    }

    fn add(&mut self, topic: &TopicRankings, qrels: Option<&Qrels>, level: f64) {
        let judged = qrels.and_then(|qrels| qrels.get(topic.topic()));
        let grade = |doc| judged.and_then(|judged| judged.grade(topic.doc(doc)));
        let mut size = TopicSize {
            topic: topic.topic().into(),
            documents: topic.len(),
            unique: 0,
            judged: 0,
            relevant: 0,
        };
        let holders = holders(topic);
        for (doc, runs) in holders.iter().enumerate() {
            let grade = grade(doc as u32);
            let is_relevant = grade.is_some_and(|grade| grade >= level);
            let mut groups: Vec<usize> = runs.iter().map(|run| self.groups.of_run[*run]).collect();
            groups.sort_unstable();
            groups.dedup();
            size.unique += usize::from(groups.len() == 1);
            size.judged += usize::from(grade.is_some());
            size.relevant += usize::from(is_relevant);
            add(&mut self.of_runs, runs, grade.is_some(), is_relevant);
            add(&mut self.of_groups, &groups, grade.is_some(), is_relevant);
        }
        self.topics.push(size);
    }

    fn add_overlap(&mut self, topic: &TopicRankings, holders: &[Vec<usize>]) {
        let runs = topic.runs().len();
        let mut shared = vec![vec![0usize; runs]; runs];
        for holding in holders {
            for first in holding {
                for second in holding {
                    shared[*first][*second] += 1;
                }
            }
        }
        let lengths: Vec<usize> = topic.runs().iter().map(Vec::len).collect();
        for ((sums, shared), first) in self.overlap.iter_mut().zip(&shared).zip(&lengths) {
            for ((sum, both), second) in sums.iter_mut().zip(shared).zip(&lengths) {
                let either = first + second - both;
                *sum += *both as f64 / either.max(1) as f64;
            }
        }
    }

    /// Documents of all topics: the pairs to judge.
    pub fn pairs(&self) -> usize {
        self.topics.iter().map(|topic| topic.documents).sum()
    }

    /// Hours that it takes to judge the pool.
    pub fn hours(&self, seconds: f64) -> f64 {
        self.pairs() as f64 * seconds / 3600.0
    }

    /// The statistics as tables; `per_topic` adds the topics, `seconds` is the time that one judgement takes.
    pub fn tables(&self, per_topic: bool, seconds: f64) -> Tables {
        let mut tables = Tables::new("pool stats")
            .setting("seconds", seconds)
            .part("pool", "", self.summary(seconds))
            .part(
                "runs",
                "Documents of each run, mean overlap with the others",
                self.run_table(),
            );
        if !self.groups.are_single() {
            tables = tables.part("groups", "Documents of each group", self.group_table());
        }
        tables = tables.part(
            "overlap",
            "Overlap: shared documents / documents of either run, mean over topics",
            self.overlap_table(),
        );
        if per_topic {
            tables = tables.part("topics", "Pool of each topic", self.topic_table());
        }
        tables
    }

    fn summary(&self, seconds: f64) -> Table {
        let sizes = self.topics.iter().map(|topic| topic.documents);
        let (least, most) = (sizes.clone().min().unwrap_or(0), sizes.max().unwrap_or(0));
        let mut table = numbers("pool", ["value"]);
        let mut row = |name: &str, value: Cell| table.push([Cell::text(name), value]);
        row("runs", count(self.runs.len()));
        row("topics", count(self.topics.len()));
        row("documents", count(self.pairs()));
        let mean = self.pairs() as f64 / self.topics.len().max(1) as f64;
        row("documents per topic, mean", Cell::Real(mean));
        row("documents per topic, least", count(least));
        row("documents per topic, most", count(most));
        if self.is_judged {
            let judged = self.topics.iter().map(|topic| topic.judged).sum();
            let relevant = self.topics.iter().map(|topic| topic.relevant).sum();
            row("judged", count(judged));
            row("relevant", count(relevant));
        }
        row("hours of work", Cell::Real(self.hours(seconds)));
        table
    }

    fn columns(&self) -> Vec<&'static str> {
        let judged = ["judged", "unique relevant"];
        let judged = judged.into_iter().filter(|_| self.is_judged);
        ["documents", "unique", "unique share"]
            .into_iter()
            .chain(judged)
            .collect()
    }

    fn cells(&self, contribution: &Contribution) -> Vec<Cell> {
        let share = |part: usize| Cell::Real(part as f64 / contribution.documents.max(1) as f64);
        let mut cells = vec![
            count(contribution.documents),
            count(contribution.unique),
            share(contribution.unique),
        ];
        if self.is_judged {
            cells.push(share(contribution.judged));
            cells.push(count(contribution.unique_relevant));
        }
        cells
    }

    fn run_table(&self) -> Table {
        let columns = self.columns().into_iter().chain(["overlap"]);
        let mut table = numbers("run", columns);
        for (at, (run, contribution)) in self.runs.iter().zip(&self.of_runs).enumerate() {
            let others = self.overlap[at].iter().sum::<f64>() - self.overlap[at][at];
            let mean = others / (self.runs.len() - 1).max(1) as f64;
            let cells = self.cells(contribution).into_iter();
            table.push(
                [Cell::text(run)]
                    .into_iter()
                    .chain(cells)
                    .chain([Cell::Real(mean)]),
            );
        }
        table
    }

    fn group_table(&self) -> Table {
        let mut table = numbers("group", ["runs"].into_iter().chain(self.columns()));
        for (at, (group, contribution)) in self.groups.names.iter().zip(&self.of_groups).enumerate()
        {
            let runs = self.groups.of_run.iter().filter(|of| **of == at).count();
            let cells = self.cells(contribution).into_iter();
            table.push([Cell::text(group), count(runs)].into_iter().chain(cells));
        }
        table
    }

    fn overlap_table(&self) -> Table {
        let mut table = numbers("run", self.runs.iter().map(String::as_str));
        for (run, row) in self.runs.iter().zip(&self.overlap) {
            let cells = row.iter().map(|value| Cell::Real(*value));
            table.push([Cell::text(run)].into_iter().chain(cells));
        }
        table
    }

    fn topic_table(&self) -> Table {
        let judged = ["judged", "relevant"]
            .into_iter()
            .filter(|_| self.is_judged);
        let columns = ["documents", "unique"]
            .into_iter()
            .chain(judged)
            .map(Column::number);
        let mut table = Table::new([Column::text("topic")].into_iter().chain(columns));
        for topic in &self.topics {
            let judged = [topic.judged, topic.relevant];
            let judged = judged.into_iter().filter(|_| self.is_judged);
            let counts = [topic.documents, topic.unique].into_iter().chain(judged);
            table.push([id(&topic.topic)].into_iter().chain(counts.map(count)));
        }
        table
    }
}

/// Runs that hold a document, by document.
pub(crate) fn holders(topic: &TopicRankings) -> Vec<Vec<usize>> {
    let mut holders = vec![Vec::new(); topic.len()];
    for (number, run) in topic.runs().iter().enumerate() {
        for doc in run {
            holders[*doc as usize].push(number);
        }
    }
    holders
}

fn add(to: &mut [Contribution], holding: &[usize], is_judged: bool, is_relevant: bool) {
    for at in holding {
        let contribution = &mut to[*at];
        contribution.documents += 1;
        contribution.judged += usize::from(is_judged);
        if holding.len() == 1 {
            contribution.unique += 1;
            contribution.unique_relevant += usize::from(is_relevant);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worked_example::{RELEVANT, example};

    #[test]
    fn contributions_of_the_worked_example() {
        let names = ["A", "B", "C"].map(String::from).to_vec();
        let rankings = Rankings {
            topics: vec![example()],
            names: names.clone(),
        };
        let judged = RELEVANT.map(|doc| ("1", doc, 1.0));
        let qrels = Qrels::from_judgements(judged);
        let stats = PoolStats::new(&rankings, &Groups::single(&names), Some(&qrels), 1.0);
        assert_eq!(stats.pairs(), 11);
        assert!((stats.hours(60.0) - 11.0 / 60.0).abs() < 1e-12);
        // A alone: d e; B alone: f g h; C alone: i j k, of which j is relevant.
        let unique: Vec<_> = stats
            .of_runs
            .iter()
            .map(|run| (run.unique, run.unique_relevant))
            .collect();
        assert_eq!(unique, [(2, 0), (3, 0), (3, 1)]);
        // A and B share a and b of eight documents, A and C b and c of eight, B and C only b of nine.
        assert_eq!(stats.overlap[0][1], 0.25);
        assert_eq!(stats.overlap[2][0], 0.25);
        assert_eq!(stats.overlap[1][2], 1.0 / 9.0);
        let groups = Groups {
            names: vec!["x".into(), "C".into()],
            of_run: vec![0, 0, 1],
        };
        let stats = PoolStats::new(&rankings, &groups, None, 1.0);
        // The group of A and B has all but i, j and k, and shares b and c with C.
        assert_eq!(
            (stats.of_groups[0].documents, stats.of_groups[0].unique),
            (8, 6)
        );
    }
}
