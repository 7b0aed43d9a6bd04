//! Notes on ties and unjudged documents, for judgements other than qrels.

use cranfield_core::evaluate::TopicNotes;
use cranfield_core::ranking::Ranking;

/// The judgement of a document, as far as notes need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mark {
    /// Whether it was judged.
    pub(crate) judged: bool,
    /// Equal for documents whose exchange changes no value.
    pub(crate) key: Vec<u64>,
}

/// Notes on the ranking of one topic, or on the rankings of one session.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Noted {
    pub(crate) notes: TopicNotes,
    /// Unjudged documents above each cutoff.
    pub(crate) unjudged: Vec<u32>,
    /// Documents above each cutoff.
    pub(crate) shown: Vec<u32>,
}

impl Noted {
    /// Creates empty notes for a number of cutoffs.
    pub(crate) fn new(cutoffs: usize) -> Self {
        Self {
            notes: TopicNotes::default(),
            unjudged: vec![0; cutoffs],
            shown: vec![0; cutoffs],
        }
    }

    /// Adds an ordered ranking, of which the first `kept` documents count, with marks by rank. In a condensed ranking only judged
    /// documents matter. Cutoffs are in ascending order.
    pub(crate) fn add(
        &mut self,
        ranking: &Ranking<'_>,
        kept: usize,
        marks: &[Mark],
        condensed: bool,
        cutoffs: &[usize],
    ) {
        let notes = &mut self.notes;
        notes.retrieved += ranking.len() as u32;
        for group in ranking.tie_groups() {
            let (start, end) = (group.start as usize, group.end as usize);
            notes.tie_groups += 1;
            notes.tied_docs += group.len() as u32;
            let tied = marks.get(start..end).unwrap_or(&[]).iter();
            let mut tied = tied.filter(|mark| mark.judged || !condensed);
            let first = tied.next();
            let mixed = tied.any(|mark| Some(mark) != first);
            notes.mixed_groups += u32::from(mixed && start < kept);
            for (place, cutoff) in cutoffs.iter().enumerate() {
                if (start + 1..end).contains(cutoff) {
                    notes.straddled.insert(place);
                }
            }
        }
        for (place, cutoff) in cutoffs.iter().enumerate() {
            let shown = &marks[..marks.len().min(kept).min(*cutoff)];
            let unjudged = shown.iter().filter(|mark| !mark.judged).count();
            self.shown[place] += shown.len() as u32;
            self.unjudged[place] += unjudged as u32;
        }
    }
}
