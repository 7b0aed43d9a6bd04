//! The public and the private topics of a campaign: a stratified sample by difficulty, with a commitment that is published before the first entry.

use cranfield_core::small_sort::SmallSort;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// Draws the public topics. `difficulty` has one number for each topic; `public[t]` is whether topic t is public.
///
/// The topics are sorted by difficulty and cut into as many blocks of neighbours as the smaller part has topics; one topic is drawn from each
/// block, so that both parts are about equally difficult. The result depends on nothing but the arguments.
pub(crate) fn draw(ids: &[String], difficulty: &[f64], share: f64, seed: u32) -> Vec<bool> {
    let n = ids.len();
    if n < 2 {
        return vec![true; n];
    }
    let public_count = ((share * n as f64).round() as usize).clamp(1, n - 1);
    let draws_public = public_count * 2 <= n;
    let blocks = if draws_public {
        public_count
    } else {
        n - public_count
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.small_sort_by(|&a, &b| {
        difficulty[a]
            .total_cmp(&difficulty[b])
            .then_with(|| ids[a].cmp(&ids[b]))
    });
    let mut public = vec![!draws_public; n];
    for block in 0..blocks {
        let (start, end) = (block * n / blocks, (block + 1) * n / blocks);
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(seed));
        rng.set_stream(block as u64);
        public[order[start + below(&mut rng, end - start)]] = draws_public;
    }
    public
}

/// A number below `bound`, each equally likely.
fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    let bound = bound as u32;
    let most = u32::MAX - u32::MAX % bound;
    loop {
        let drawn = rng.next_u32();
        if drawn < most {
            return (drawn % bound) as usize;
        }
    }
}

/// The published hash of a split: whoever has the nonce, the split and the judgements after the release can compute it.
pub(crate) fn commitment(nonce: &[u8], ids: &[String], public: &[bool], qrels: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(nonce);
    for (id, public) in ids.iter().zip(public) {
        hasher.update(line(id, *public).as_bytes());
    }
    hasher.update(qrels.as_bytes());
    hasher.finalize().to_hex().to_string()
}

/// The line of a topic in the file of a split.
pub(crate) fn line(id: &str, public: bool) -> String {
    format!("{id}\t{}\n", if public { "public" } else { "private" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(n: usize) -> Vec<String> {
        (0..n).map(|id| format!("{id:03}")).collect()
    }

    #[test]
    fn every_block_of_equal_difficulty_gives_one_topic() {
        let difficulty: Vec<f64> = (0..50).map(f64::from).collect();
        let public = draw(&ids(50), &difficulty, 0.5, 7);
        assert_eq!(public.iter().filter(|is| **is).count(), 25);
        for pair in public.chunks(2) {
            assert_eq!(pair.iter().filter(|is| **is).count(), 1);
        }
        assert_eq!(public, draw(&ids(50), &difficulty, 0.5, 7));
        assert_ne!(public, draw(&ids(50), &difficulty, 0.5, 8));
    }

    #[test]
    fn a_large_share_draws_the_private_topics() {
        let public = draw(&ids(10), &[0.0; 10], 0.8, 1);
        assert_eq!(public.iter().filter(|is| **is).count(), 8);
        assert_eq!(
            draw(&ids(3), &[0.0; 3], 0.99, 1)
                .iter()
                .filter(|is| **is)
                .count(),
            2
        );
    }

    #[test]
    fn both_halves_are_about_as_difficult() {
        let difficulty: Vec<f64> = (0..50).map(|topic| f64::from(topic * topic)).collect();
        let mean = |public: &[bool], which: bool| {
            let of: Vec<f64> = (0..50)
                .filter(|t| public[*t] == which)
                .map(|t| difficulty[t])
                .collect();
            of.iter().sum::<f64>() / of.len() as f64
        };
        let differences = (0..200).map(|seed| {
            let public = draw(&ids(50), &difficulty, 0.5, seed);
            (mean(&public, true) - mean(&public, false)).abs()
        });
        // Two topics of a block differ by at most 97; random halves would differ by about 200 on average.
        assert!(differences.fold(0.0, f64::max) <= 97.0);
    }

    #[test]
    fn a_moved_topic_breaks_the_commitment() {
        let (a, b) = ([true, false, true], [true, true, false]);
        let one = commitment(b"n", &ids(3), &a, "q");
        assert_ne!(one, commitment(b"n", &ids(3), &b, "q"));
        assert_ne!(one, commitment(b"n", &ids(3), &a, "r"));
        assert_eq!(one, commitment(b"n", &ids(3), &a, "q"));
    }
}
