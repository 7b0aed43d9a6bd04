//! Lines that programs write.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use crate::scale::Scale;

/// Longest reason that is kept, in bytes.
const MAX_REASON: usize = 10_000;
/// Longest wait that a program may ask for.
const MAX_WAIT: Duration = Duration::from_mins(10);

/// A line that a program wrote.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// Its name, version and number of questions that it takes at once.
    Hello {
        version: Option<String>,
        in_flight: Option<usize>,
    },
    /// A grade.
    Grade { id: String, answer: Answer },
    /// It declines.
    Skip { id: String, reason: String },
    /// It failed, and may succeed after a while.
    Error {
        id: String,
        message: String,
        wait: Duration,
    },
    /// A grade that is not on the scale.
    OffScale { id: String },
    /// An object with an id, but without a number as grade, a reason to skip or an error.
    NoGrade { id: String },
    /// Anything else.
    Garbage,
}

/// A grade and what a program adds to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer {
    pub(super) grade: u8,
    pub(super) reason: Option<String>,
    pub(super) confidence: Option<f64>,
    pub(super) model: Option<String>,
    pub(super) usage: Option<Value>,
}

#[derive(Deserialize)]
struct Line {
    hello: Option<Hello>,
    id: Option<String>,
    grade: Option<f64>,
    reason: Option<String>,
    confidence: Option<f64>,
    model: Option<String>,
    usage: Option<Value>,
    skip: Option<String>,
    error: Option<String>,
    retry_after: Option<f64>,
}

#[derive(Deserialize)]
struct WithId {
    id: String,
}

#[derive(Deserialize)]
struct Hello {
    name: Option<String>,
    version: Option<String>,
    in_flight: Option<usize>,
}

impl Reply {
    /// Reads a line.
    pub(super) fn read(line: &[u8], scale: &Scale) -> Self {
        let Ok(line) = serde_json::from_slice::<Line>(line) else {
            // A field may have another type: a program that echoes questions, or grades with words.
            let with_id = serde_json::from_slice::<WithId>(line);
            return with_id.map_or(Self::Garbage, |WithId { id }| Self::NoGrade { id });
        };
        if let Some(hello) = line.hello {
            let parts = [hello.name, hello.version];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            return Self::Hello {
                version: (!parts.is_empty()).then(|| parts.join(" ")),
                in_flight: hello.in_flight,
            };
        }
        let Some(id) = line.id else {
            return Self::Garbage;
        };
        if let Some(message) = line.error {
            let wait = line.retry_after.unwrap_or_default();
            let wait = Duration::try_from_secs_f64(wait).unwrap_or_default();
            let wait = wait.min(MAX_WAIT);
            return Self::Error { id, message, wait };
        }
        if let Some(reason) = line.skip {
            let reason = shortened(reason);
            return Self::Skip { id, reason };
        }
        let Some(grade) = line.grade else {
            return Self::NoGrade { id };
        };
        match scale.grade(grade) {
            None => Self::OffScale { id },
            Some(grade) => Self::Grade {
                id,
                answer: Answer {
                    grade,
                    reason: line.reason.map(shortened),
                    confidence: line.confidence,
                    model: line.model,
                    usage: line.usage,
                },
            },
        }
    }
}

/// Collects plain lines up to one that reads `grade: N`.
#[derive(Debug, Default)]
pub(super) struct PlainReader {
    reason: String,
}

impl PlainReader {
    /// Adds a line; the answer to the question `id` if it is complete.
    pub(super) fn read(&mut self, line: &[u8], id: &str, scale: &Scale) -> Option<Reply> {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        let head = line
            .get(..6)
            .filter(|head| head.eq_ignore_ascii_case("grade:"));
        let Some(head) = head else {
            if self.reason.len() < MAX_REASON {
                self.reason.push_str(line);
                self.reason.push('\n');
            }
            return None;
        };
        let reason = std::mem::take(&mut self.reason);
        let reason = Some(shortened(reason)).filter(|reason| !reason.is_empty());
        let number = line[head.len()..].trim().parse().ok();
        let grade = number.and_then(|grade| scale.grade(grade));
        let id = id.to_owned();
        Some(match grade {
            None => Reply::OffScale { id },
            Some(grade) => Reply::Grade {
                id,
                answer: Answer {
                    grade,
                    reason,
                    ..Answer::default()
                },
            },
        })
    }
}

fn shortened(mut text: String) -> String {
    if text.len() > MAX_REASON {
        let end = (0..=MAX_REASON).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or_default());
        text.push('…');
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Reply {
        Reply::read(line.as_bytes(), &Scale::default())
    }

    #[test]
    fn lines_are_read() {
        let hello = read(r#"{"hello":{"name":"g","version":"1.2","in_flight":4}}"#);
        let version = Some("g 1.2".to_owned());
        assert_eq!(
            hello,
            Reply::Hello {
                version,
                in_flight: Some(4)
            }
        );
        assert!(
            matches!(read(r#"{"id":"a","grade":2}"#), Reply::Grade { answer, .. } if answer.grade == 2)
        );
        assert!(matches!(
            read(r#"{"id":"a","grade":2.0,"reason":"r"}"#),
            Reply::Grade { .. }
        ));
        for off in ["4", "-1", "1.5", "1e300"] {
            let line = format!(r#"{{"id":"a","grade":{off}}}"#);
            assert_eq!(read(&line), Reply::OffScale { id: "a".into() }, "{off}");
        }
        for garbage in ["", "x", "[]", "{}", r#"{"id":7}"#, r#"{"grade":1}"#] {
            assert_eq!(read(garbage), Reply::Garbage, "{garbage}");
        }
        for without in ["", r#","grade":"2""#, r#","grade":null"#, r#","text":"t""#] {
            let line = format!(r#"{{"id":"a"{without}}}"#);
            assert_eq!(read(&line), Reply::NoGrade { id: "a".into() }, "{line}");
        }
        let wait = read(r#"{"id":"a","error":"rate","retry_after":5}"#);
        assert!(matches!(wait, Reply::Error { wait, .. } if wait == Duration::from_secs(5)));
        let wait = read(r#"{"id":"a","error":"rate","retry_after":-1}"#);
        assert!(matches!(wait, Reply::Error { wait, .. } if wait.is_zero()));
    }

    #[test]
    fn plain_answers_end_with_a_grade() {
        let mut reader = PlainReader::default();
        let scale = Scale::default();
        assert_eq!(reader.read(b"It is about wings.\n", "7", &scale), None);
        let reply = reader.read(b"Grade: 3\n", "7", &scale);
        assert!(
            matches!(reply, Some(Reply::Grade { id, answer }) if id == "7" && answer.grade == 3
            && answer.reason.as_deref() == Some("It is about wings."))
        );
        assert_eq!(
            reader.read(b"grade: 8", "8", &scale),
            Some(Reply::OffScale { id: "8".into() })
        );
    }
}
