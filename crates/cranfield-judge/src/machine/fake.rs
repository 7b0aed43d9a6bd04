//! A grader for trying things out: it knows the truth, errs as often as it is asked to, and misbehaves on request.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use cranfield_core::qrels::Qrels;
use cranfield_search::Analyzer;
use cranfield_stats::random::Stream;
use serde::Deserialize;
use serde_json::json;

/// With shuffling, answers are held until no question has come for this long.
const QUIET: Duration = Duration::from_millis(10);

/// For each true grade, the probabilities of answering 0, 1, 2 and so on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Confusion(BTreeMap<u8, Vec<f64>>);

impl FromStr for Confusion {
    type Err = String;

    /// Parses rows such as `0:.8,.2; 1:.1,.9`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut rows = BTreeMap::new();
        for row in text.split(';').map(str::trim).filter(|row| !row.is_empty()) {
            let wrong = || format!("found `{row}`, expected a row such as 0:.8,.15,.05");
            let (grade, shares) = row.split_once(':').ok_or_else(wrong)?;
            let grade = grade.trim().parse().map_err(|_| wrong())?;
            let shares = shares.split(',').map(|share| share.trim().parse());
            let shares: Vec<f64> = shares.collect::<Result<_, _>>().map_err(|_| wrong())?;
            let is_share = |share: &f64| (0.0..=1.0).contains(share);
            let sum: f64 = shares.iter().sum();
            if !shares.iter().all(is_share) || (sum - 1.0).abs() > 1e-6 || shares.len() > 10 {
                return Err(format!(
                    "the shares of row `{row}` add up to {sum}, expected 1"
                ));
            }
            if rows.insert(grade, shares).is_some() {
                return Err(format!("grade {grade} has two rows"));
            }
        }
        if rows.is_empty() {
            return Err("expected a row per grade, such as 0:.8,.2; 1:.1,.9".into());
        }
        Ok(Self(rows))
    }
}

impl Confusion {
    /// The answer for a true grade and a random number; the truth for grades without a row.
    fn answer(&self, truth: u8, unit: f64) -> u8 {
        let Some(row) = self.0.get(&truth) else {
            return truth;
        };
        let mut sum = 0.0;
        for (grade, share) in (0..).zip(row) {
            sum += share;
            if unit < sum {
                return grade;
            }
        }
        // Rounding may leave the sum just below 1.
        let last = row.iter().rposition(|share| *share > 0.0);
        last.unwrap_or_default() as u8
    }
}

/// A grader without a model.
#[derive(Debug, Default)]
pub struct FakeGrader {
    /// True grades; unjudged documents have grade 0.
    pub truth: Option<Qrels>,
    /// Errors in reporting the truth.
    pub confusion: Confusion,
    /// Seed of the errors.
    pub seed: u64,
    /// Whether to grade by the share of the topic's terms that are in the document.
    pub overlap: bool,
    /// Time for each answer.
    pub delay: Duration,
    /// Questions to take at once.
    pub in_flight: usize,
    /// Ends after this many answers.
    pub die_after: Option<usize>,
    /// Writes a line that is not JSON before every nth answer.
    pub garbage_every: Option<usize>,
    /// Gives every nth answer twice.
    pub twice_every: Option<usize>,
    /// Whether to answer in another order.
    pub shuffle: bool,
}

#[derive(Deserialize)]
struct Question {
    id: String,
    topic: String,
    title: String,
    doc: String,
    text: String,
    scale: BTreeMap<u8, String>,
    sample: u64,
}

impl FakeGrader {
    /// Answers questions until there are no more; false if it died as it was asked to.
    ///
    /// # Errors
    /// If answers cannot be written.
    pub fn run(
        &self,
        questions: impl BufRead + Send + 'static,
        answers: &mut dyn Write,
    ) -> io::Result<bool> {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in questions.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let in_flight = self.in_flight.max(1);
        let hello =
            json!({"hello": {"name": "fake-grader", "version": "1", "in_flight": in_flight}});
        writeln!(answers, "{hello}")?;
        answers.flush()?;
        let mut stream = Stream::new(self.seed, 1);
        let mut count = 0;
        loop {
            let mut held = next(&lines, if self.shuffle { in_flight } else { 1 });
            if held.is_empty() {
                return Ok(true);
            }
            while !held.is_empty() {
                let at = if self.shuffle {
                    stream.index(held.len() as u32)
                } else {
                    0
                };
                let line = held.remove(at);
                if self.die_after.is_some_and(|most| count >= most) {
                    return Ok(false);
                }
                count += 1;
                self.answer(&line, count, answers)?;
            }
        }
    }

    fn answer(&self, line: &str, count: usize, answers: &mut dyn Write) -> io::Result<()> {
        let is_due = |every: Option<usize>| every.is_some_and(|every| count.is_multiple_of(every));
        std::thread::sleep(self.delay);
        if is_due(self.garbage_every) {
            writeln!(answers, "Loading checkpoint shards: {count} %")?;
        }
        let Ok(question) = serde_json::from_str::<Question>(line) else {
            writeln!(answers, "not a question")?;
            return answers.flush();
        };
        let grade = self.grade(&question);
        let answer = json!({"id": question.id, "grade": grade, "model": "fake-grader"});
        writeln!(answers, "{answer}")?;
        if is_due(self.twice_every) {
            writeln!(answers, "{answer}")?;
        }
        answers.flush()
    }

    fn grade(&self, question: &Question) -> u8 {
        if self.overlap {
            return by_terms(question);
        }
        let topic = self.truth.as_ref();
        let topic = topic.and_then(|truth| truth.get(question.topic.as_bytes()));
        let truth = topic.and_then(|topic| topic.grade(question.doc.as_bytes()));
        let truth = truth.unwrap_or_default().clamp(0.0, 9.0) as u8;
        let key = blake3::hash(format!("{}\0{}", question.topic, question.doc).as_bytes());
        let key = key.as_bytes().first_chunk().copied().unwrap_or_default();
        let mut stream = Stream::new(self.seed ^ u64::from_le_bytes(key), question.sample);
        self.confusion.answer(truth, stream.unit())
    }
}

/// A grade of the scale by the share of the title's terms that are in the document.
fn by_terms(question: &Question) -> u8 {
    let analyzer = Analyzer::default();
    let terms: BTreeSet<String> = analyzer.terms(&question.title).into_iter().collect();
    let text: BTreeSet<String> = analyzer.terms(&question.text).into_iter().collect();
    let shared = terms.intersection(&text).count();
    let grades: Vec<u8> = question.scale.keys().copied().collect();
    let step = shared * grades.len() / terms.len().max(1);
    let last = grades.len().saturating_sub(1);
    grades.get(step.min(last)).copied().unwrap_or_default()
}

/// Waits for a question, and then for up to `most` that follow closely; none at the end.
fn next(lines: &Receiver<String>, most: usize) -> Vec<String> {
    let Ok(first) = lines.recv() else {
        return Vec::new();
    };
    let mut held = vec![first];
    while held.len() < most {
        match lines.recv_timeout(QUIET) {
            Ok(line) => held.push(line),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_confusion_are_parsed() {
        let confusion: Confusion = "0:.8,.15,.05,0; 1:0,1".parse().unwrap();
        assert_eq!(confusion.answer(0, 0.5), 0);
        assert_eq!(confusion.answer(0, 0.9), 1);
        assert_eq!(confusion.answer(0, 0.999_999_999), 2);
        assert_eq!(confusion.answer(1, 0.3), 1);
        assert_eq!(confusion.answer(3, 0.3), 3);
        for wrong in ["", "0", "0:.5,.4", "0:2,-1", "x:1", "0:1;0:1"] {
            assert!(wrong.parse::<Confusion>().is_err(), "{wrong}");
        }
    }

    fn question(id: usize, title: &str, text: &str) -> String {
        let scale = json!({"0": "", "1": "", "2": "", "3": ""});
        format!(
            "{}\n",
            json!({"id": id.to_string(), "topic": "1", "title": title, "doc": format!("d{id}"), "text": text, "scale": scale, "sample": 0})
        )
    }

    fn answers(grader: &FakeGrader, questions: String) -> (bool, Vec<String>) {
        let mut out = Vec::new();
        let over = grader.run(io::Cursor::new(questions), &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        (over, lines.lines().skip(1).map(str::to_owned).collect())
    }

    #[test]
    fn terms_decide_with_overlap() {
        let grader = FakeGrader {
            overlap: true,
            ..FakeGrader::default()
        };
        let questions = question(1, "heat flows", "the flow of HEAT")
            + &question(2, "heat flow", "heat")
            + &question(3, "heat", "cold");
        let (_, lines) = answers(&grader, questions);
        let grade = |line: &str| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["grade"]
                .as_u64()
                .unwrap()
        };
        assert_eq!(
            lines.iter().map(|line| grade(line)).collect::<Vec<_>>(),
            [3, 2, 0]
        );
    }

    #[test]
    fn faults_come_as_ordered() {
        let grader = FakeGrader {
            truth: Some(Qrels::from_judgements([("1", "d2", 2.0)])),
            die_after: Some(5),
            garbage_every: Some(2),
            twice_every: Some(5),
            ..FakeGrader::default()
        };
        let questions: String = (0..9).map(|id| question(id, "", "")).collect();
        let (over, lines) = answers(&grader, questions);
        assert!(!over);
        assert_eq!(lines.len(), 5 + 2 + 1);
        assert!(
            lines
                .iter()
                .any(|line| line.contains("\"2\"") && line.contains("\"grade\":2"))
        );
    }
}
