//! What is to be judged, by whom, and in which order.

use std::collections::HashMap;

use cranfield_core::run::Run;

use crate::assessor::Assessor;
use crate::error::JudgeError;
use crate::settings::Settings;

/// A document to be judged for a topic.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The topic.
    pub topic: String,
    /// The document.
    pub doc: String,
}

/// The pairs of a pool, in its order.
///
/// # Errors
/// If an id is not UTF-8.
pub fn pairs_of(pool: &Run) -> Result<Vec<Pair>, JudgeError> {
    let mut pairs = Vec::new();
    for topic in pool.topics() {
        let id = utf8(topic.id())?;
        for entry in topic.entries() {
            let doc = utf8(entry.doc)?;
            let topic = id.clone();
            pairs.push(Pair { topic, doc });
        }
    }
    Ok(pairs)
}

/// An id as a string.
pub(crate) fn utf8(id: &[u8]) -> Result<String, JudgeError> {
    String::from_utf8(id.to_vec()).map_err(|_| {
        let id = cranfield_io::quoted(id);
        JudgeError::Setting(format!("the id `{id}` in the pool is not UTF-8"))
    })
}

/// Decides what an assessor judges next.
///
/// The answer depends on the judgements so far and on nothing else, so that a session can be resumed and a judgement taken back.
/// [`Blind`] has a fixed order; in [`Live`](crate::Live), the grades decide.
pub trait Queue {
    /// All pairs that may come up.
    fn pairs(&self) -> &[Pair];

    /// The next pair, or `None` if everything is judged.
    fn next(&mut self, judged: &Assessor) -> Option<Pair>;

    /// Documents in all.
    fn total(&self) -> usize {
        self.pairs().len()
    }

    /// Documents that are judged, and in all, of one topic or of all.
    fn progress(&self, judged: &Assessor, topic: Option<&str>) -> (usize, usize) {
        let pairs = self.pairs().iter();
        let pairs = pairs.filter(|pair| topic.is_none_or(|topic| pair.topic == topic));
        pairs.fold((0, 0), |(done, total), pair| {
            (done + usize::from(judged.grade(pair).is_some()), total + 1)
        })
    }
}

/// A fixed order that reveals nothing: topic after topic, documents shuffled by the seed and the assessor's name.
///
/// With several assessors, each document is assigned to one of them, and a share of the documents to all. Assignment and order
/// follow from hashes of the ids, so they remain the same when documents are added to the pool.
#[derive(Clone, Debug)]
pub struct Blind {
    pairs: Vec<Pair>,
}

impl Blind {
    /// The part of a pool that an assessor judges, in blind order.
    pub fn new(pool: &[Pair], who: &str, settings: &Settings) -> Self {
        let mut places: HashMap<&str, usize> = HashMap::new();
        for pair in pool {
            let next = places.len();
            places.entry(&pair.topic).or_insert(next);
        }
        let mut keyed: Vec<(usize, u64, &Pair)> = pool
            .iter()
            .filter(|pair| is_assigned(pair, who, settings))
            .map(|pair| {
                let place = places.get(pair.topic.as_str()).copied();
                let key = hash(&[&settings.seed.to_string(), "order", who], pair);
                (place.unwrap_or_default(), key, pair)
            })
            .collect();
        keyed.sort_unstable();
        let pairs = keyed.into_iter().map(|(_, _, pair)| pair.clone());
        Self {
            pairs: pairs.collect(),
        }
    }
}

impl Queue for Blind {
    fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    fn next(&mut self, judged: &Assessor) -> Option<Pair> {
        let mut open = self.pairs.iter();
        let open = open.find(|pair| judged.grade(pair).is_none() && !judged.is_deferred(pair));
        open.or_else(|| judged.deferred().find(|pair| self.pairs.contains(pair)))
            .cloned()
    }
}

/// Whether a pair is in the part of this assessor.
pub(crate) fn is_assigned(pair: &Pair, who: &str, settings: &Settings) -> bool {
    let Some(own) = settings.assessors.iter().position(|name| name == who) else {
        return true;
    };
    let key = hash(&[&settings.seed.to_string(), "assign"], pair);
    // The upper half of the bits decides about sharing, the lower half about the assessor.
    let share = (key >> 32) as f64 / (1_u64 << 32) as f64;
    let chosen = ((key & 0xffff_ffff) * settings.assessors.len() as u64) >> 32;
    share < settings.overlap || chosen == own as u64
}

/// A hash of strings and a pair, in which no two lists of strings run together.
fn hash(salt: &[&str], pair: &Pair) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in salt.iter().copied().chain([&*pair.topic, &*pair.doc]) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let hash = hasher.finalize();
    let first = hash.as_bytes().first_chunk().copied();
    u64::from_le_bytes(first.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(topics: usize, docs: usize) -> Vec<Pair> {
        let pair = |at: usize| Pair {
            topic: (at / docs).to_string(),
            doc: format!("d{}", at % docs),
        };
        (0..topics * docs).map(pair).collect()
    }

    fn settings(overlap: f64, assessors: &[&str]) -> Settings {
        Settings {
            overlap,
            assessors: assessors.iter().map(ToString::to_string).collect(),
            ..Settings::default()
        }
    }

    #[test]
    fn documents_are_shuffled_inside_their_topics() {
        let pool = pool(3, 50);
        let ann = Blind::new(&pool, "ann", &Settings::default());
        let topics: Vec<&str> = ann.pairs.iter().map(|pair| &*pair.topic).collect();
        assert!(topics.is_sorted());
        let mut sorted = ann.pairs.clone();
        sorted.sort();
        let mut expected = pool.clone();
        expected.sort();
        assert_eq!(sorted, expected);
        assert_ne!(ann.pairs, pool);
        assert_eq!(
            ann.pairs,
            Blind::new(&pool, "ann", &Settings::default()).pairs
        );
        let other = Settings {
            seed: 43,
            ..Settings::default()
        };
        assert_ne!(ann.pairs, Blind::new(&pool, "ann", &other).pairs);
        assert_ne!(
            ann.pairs,
            Blind::new(&pool, "bob", &Settings::default()).pairs
        );
    }

    #[test]
    fn each_document_goes_to_one_assessor_or_to_all() {
        let pool = pool(20, 100);
        let names = ["ann", "bob", "cat"];
        let settings = settings(0.2, &names);
        let parts = names.map(|name| Blind::new(&pool, name, &settings).pairs);
        let (mut one, mut all) = (0, 0);
        for pair in &pool {
            match parts.iter().filter(|part| part.contains(pair)).count() {
                1 => one += 1,
                3 => all += 1,
                other => panic!("{pair:?} goes to {other} assessors"),
            }
        }
        assert_eq!(one + all, 2000);
        // Five standard deviations of a binomial with 2000 draws and p = 0.2 are 90.
        assert!((310..490).contains(&all), "{all}");
        // A part is expected to hold 400 + 1600 / 3 = 933 pairs.
        assert!(parts.iter().all(|part| (820..1050).contains(&part.len())));
    }

    #[test]
    fn a_larger_pool_keeps_assignments_and_order() {
        let large = pool(4, 60);
        let small: Vec<Pair> = large.iter().step_by(2).cloned().collect();
        let settings = settings(0.1, &["ann", "bob"]);
        let of_small = Blind::new(&small, "bob", &settings).pairs;
        let of_large = Blind::new(&large, "bob", &settings).pairs;
        let kept: Vec<Pair> = of_large
            .into_iter()
            .filter(|pair| small.contains(pair))
            .collect();
        assert_eq!(kept, of_small);
    }
}
