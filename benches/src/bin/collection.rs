//! Writes the synthetic collection: short documents whose words follow Zipf's law, and queries made of their words.
//!
//! `collection FOLDER [DOCUMENTS]` writes `documents.jsonl` and `queries.tsv`, with the same bytes on every machine.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

const SEED: u64 = 20_261_117;
const VOCABULARY: usize = 500_000;
const QUERIES: u64 = 1000;
/// Words of lower rank are too frequent to be searched for.
const MIN_QUERY_RANK: usize = 30;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .ok_or_else(|| io::Error::other("usage: collection FOLDER [DOCUMENTS]"))?;
    let documents = arguments
        .next()
        .map_or(Ok(1_000_000), |count| count.parse())
        .map_err(io::Error::other)?;
    write(Path::new(&folder), documents)
}

fn write(folder: &Path, documents: u64) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let words: Vec<String> = (0..VOCABULARY).map(word).collect();
    let cumulated = cumulated_weights();
    let mut out = BufWriter::new(File::create(folder.join("documents.jsonl"))?);
    let mut queries = BufWriter::new(File::create(folder.join("queries.tsv"))?);
    let every = (documents / QUERIES).max(1);
    let mut token = 0;
    for doc in 0..documents {
        let length = 20 + (160.0 * uniform(SEED ^ 1, doc) * uniform(SEED ^ 2, doc)) as u64;
        let ranks: Vec<usize> = (token..token + length)
            .map(|at| rank(&cumulated, uniform(SEED, at)))
            .collect();
        token += length;
        let text: Vec<&str> = ranks.iter().map(|rank| words[*rank].as_str()).collect();
        writeln!(
            out,
            "{{\"id\":\"D{doc}\",\"contents\":\"{}\"}}",
            text.join(" ")
        )?;
        if doc % every == 0 {
            let text: Vec<&str> = query(ranks, doc)
                .into_iter()
                .map(|rank| words[rank].as_str())
                .collect();
            writeln!(queries, "{}\t{}", doc / every + 1, text.join(" "))?;
        }
    }
    out.flush()?;
    queries.flush()
}

/// SplitMix64 by counter.
fn hash(seed: u64, counter: u64) -> u64 {
    let mut z = seed.wrapping_add(counter.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn uniform(seed: u64, counter: u64) -> f64 {
    (hash(seed, counter) >> 11) as f64 / (1u64 << 53) as f64
}

fn cumulated_weights() -> Vec<f64> {
    let mut sum = 0.0;
    let mut cumulated: Vec<f64> = (0..VOCABULARY)
        .map(|rank| {
            sum += 1.0 / (rank as f64 + 2.7);
            sum
        })
        .collect();
    cumulated.iter_mut().for_each(|weight| *weight /= sum);
    cumulated
}

fn rank(cumulated: &[f64], u: f64) -> usize {
    cumulated
        .partition_point(|weight| *weight <= u)
        .min(VOCABULARY - 1)
}

/// Two to five different words of a document.
fn query(mut ranks: Vec<usize>, doc: u64) -> Vec<usize> {
    ranks.retain(|rank| *rank >= MIN_QUERY_RANK);
    ranks.sort_unstable();
    ranks.dedup();
    let terms = 2 + hash(SEED ^ 3, doc) % 4;
    let mut chosen = Vec::new();
    for term in 0..terms {
        if ranks.is_empty() {
            break;
        }
        let at = hash(SEED ^ 4, 8 * doc + term) % ranks.len() as u64;
        chosen.push(ranks.swap_remove(at as usize));
    }
    chosen
}

/// The word of a rank: syllables of a consonant and a vowel.
fn word(rank: usize) -> String {
    const CONSONANTS: &[u8] = b"bcdfghjklmnpqrstvwxyz";
    const VOWELS: &[u8] = b"aeiou";
    let (mut word, mut rank) = (String::new(), rank);
    loop {
        let syllable = rank % 105;
        word.push(CONSONANTS[syllable / 5].into());
        word.push(VOWELS[syllable % 5].into());
        rank /= 105;
        if rank == 0 {
            return word;
        }
        rank -= 1;
    }
}
