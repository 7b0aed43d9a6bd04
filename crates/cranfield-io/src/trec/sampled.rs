//! Judgements of samples: of a pool cut into strata, and of documents drawn with unequal probabilities.

use std::collections::BTreeMap;

use cranfield_core::sampled::{
    DrawnJudgement, Inclusion, PoolDocument, RepeatedJudgement, SampledQrels, SampledQrelsBuilder,
};

use super::columns::{Fault, each_line, grade};
use super::offset_in;
use crate::code::Code;
use crate::error::Error;
use crate::escape::quoted;
use crate::problem::{Place, Problem};
use crate::source::Source;

/// Reads judgements of a pool cut into strata: `topic iteration document stratum grade`. A grade below zero means that
/// the document is in the pool but was not sampled for judgement. Names of strata are arbitrary.
pub fn read_strata(source: &Source) -> Result<SampledQrels<PoolDocument>, Error> {
    let mut lines = Vec::new();
    let names = "topic iteration document stratum grade";
    each_line(source, names, |[topic, _, doc, stratum, given]| {
        lines.push((topic, doc, stratum, grade(given)?));
        Ok(())
    })?;
    // Numbered by name, so that the order of lines does not matter.
    let mut strata: BTreeMap<&[u8], u32> = lines.iter().map(|line| (line.2, 0)).collect();
    strata.values_mut().zip(0..).for_each(|(id, n)| *id = n);
    let mut builder = SampledQrelsBuilder::default();
    for (topic, doc, stratum, grade) in &lines {
        let document = PoolDocument {
            stratum: strata[stratum],
            grade: Some(*grade).filter(|grade| *grade >= 0.0),
        };
        builder.push(topic, doc, document);
    }
    let docs: Vec<_> = lines.iter().map(|line| (line.0, line.1)).collect();
    builder
        .finish()
        .map_err(|twice| repeated(source, &docs, twice))
}

/// Grade of a document that was selected but not judged.
const NOT_JUDGED: f64 = -999.0;

/// Reads judgements of documents drawn with unequal probabilities, known as prels: `topic document grade method
/// probability`.
///
/// Documents that another method selected (method 0, or 2 for both) have probability 1, whatever the last column says. A document
/// with probability `NA` is not part of the sample, and one with grade −999 was not judged; both are skipped.
pub fn read_prels(source: &Source) -> Result<SampledQrels<DrawnJudgement>, Error> {
    let mut lines = Vec::new();
    let names = "topic document grade method probability";
    each_line(source, names, |[topic, doc, given, method, probability]| {
        let grade = grade(given)?;
        if !matches!(method, b"0" | b"1" | b"2") {
            return Err(unknown_method(method));
        }
        if probability != b"NA" && grade != NOT_JUDGED {
            lines.push((topic, doc, grade, inclusion(method, probability)?));
        }
        Ok(())
    })?;
    if lines.is_empty() {
        let message = "contains no document with a grade and a probability";
        return Err(Problem::file(Code::EmptyFile, source.name(), message).into());
    }
    let mut builder = SampledQrelsBuilder::default();
    for (topic, doc, grade, inclusion) in &lines {
        let judgement = DrawnJudgement {
            grade: *grade,
            inclusion: *inclusion,
        };
        builder.push(topic, doc, judgement);
    }
    let docs: Vec<_> = lines.iter().map(|line| (line.0, line.1)).collect();
    builder
        .finish()
        .map_err(|twice| repeated(source, &docs, twice))
}

fn unknown_method(method: &[u8]) -> Fault<'_> {
    let message = format!("method is {}, expected 0, 1 or 2", quoted(method));
    Fault::new(Code::BadMethod, method, message)
        .with_help("1 is for sampled documents, 0 and 2 for documents that another method selected")
}

/// Returns the inclusion probability of a document.
fn inclusion<'a>(method: &[u8], probability: &'a [u8]) -> Result<Inclusion, Fault<'a>> {
    let inclusion = match method {
        b"0" | b"2" => Inclusion::new(1.0),
        _ => super::number::strict(probability).and_then(Inclusion::new),
    };
    inclusion.ok_or_else(|| {
        let found = quoted(probability);
        let message = format!("probability is {found}, expected a number above 0 and at most 1");
        Fault::new(Code::BadProbability, probability, message)
            .with_help("write NA for a document that is not part of the sample")
    })
}

/// The error for a document that is judged twice.
fn repeated(source: &Source, docs: &[(&[u8], &[u8])], twice: RepeatedJudgement) -> Error {
    let ((_, earlier), (topic, doc)) = (docs[twice.first], docs[twice.second]);
    let bytes = source.bytes();
    let first = Place::of(bytes, offset_in(bytes, earlier)).line;
    let message = format!(
        "document {} of topic {} is judged twice; first on line {first}",
        quoted(doc),
        quoted(topic)
    );
    let fault = Fault::new(Code::ConflictingJudgement, doc, message);
    fault.problem(source).into()
}
