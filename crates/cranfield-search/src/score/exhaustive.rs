//! Every document that has a term of the query, over windows of documents that fit into the cache.

use super::top::Top;
use super::window::{Window, cursors};
use super::{Scorer, Term};
use crate::error::Error;
use crate::model::Rest;

/// Documents in a window.
const WINDOW: usize = 1 << 15;

pub(super) fn search(
    scorer: &Scorer,
    terms: &[Term],
    rest: &Rest,
    part: usize,
    top: &mut Top<'_>,
) -> Result<(), Error> {
    let mut cursors = cursors(scorer, terms, part)?;
    let segment = &scorer.index.parts()[part];
    if let [only] = &mut cursors[..] {
        only.each_block(scorer, segment.first, |docs, scores| {
            for (doc, sum) in docs.iter().zip(scores) {
                let doc = segment.first + doc;
                top.push(doc, scorer.model.finish(rest, doc, *sum));
            }
            true
        });
        return Ok(());
    }
    let mut window = Window::new(WINDOW.min(segment.documents as usize));
    for first in (0..segment.documents).step_by(WINDOW) {
        window.move_to(first);
        for cursor in &mut cursors {
            cursor.add_to(&mut window, scorer, segment.first);
        }
        window.drain(|doc, sum| {
            let doc = segment.first + doc;
            top.push(doc, scorer.model.finish(rest, doc, sum));
        });
    }
    Ok(())
}
