//! Programs as assessors.
//!
//! A program reads a JSON object per line and writes one per line: the question's id and a grade. Answers may come in any order.
//! They are kept in the program's audit file, which is also the cache: a question is asked again only if its text, the prompt, the
//! scale or the program's version changes.

mod fake;
mod grading;
mod program;
mod question;
mod reply;
mod request;
mod result;

pub use fake::{Confusion, FakeGrader};
pub use grading::{Grading, Outcome};
pub use program::{Asked, Limits, Program};
pub use question::{PROMPT, Question};
pub use request::{FinishedGrading, GradingRequest, OpenGrading};
pub use result::{Graded, Refused, SelfAgreement};
