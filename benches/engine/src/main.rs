//! Times the built-in engines in one process, without reading files and writing runs.
//!
//! `cranfield-engine search INDEX QUERIES DEPTH [ids]` searches for every query three times on one thread, and prints the seconds of
//! processor time of the best pass, the number of queries and the number of documents found. `cranfield-engine dense FOLDER DEPTH`
//! does the same for vectors.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use cpu_time::ThreadTime;
use cranfield_search::dense::{DenseIndex, Similarity, VectorFolder, Vectors};
use cranfield_search::{Index, Model, Searcher};

const PASSES: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let line = match arguments[..] {
        ["search", index, queries, depth] => search(index, queries, depth.parse()?, false),
        ["search", index, queries, depth, "ids"] => search(index, queries, depth.parse()?, true),
        ["dense", folder, depth] => dense(Path::new(folder), depth.parse()?),
        _ => Err(
            "usage: cranfield-engine search INDEX QUERIES DEPTH [ids] | dense FOLDER DEPTH".into(),
        ),
    }?;
    println!("{line}");
    Ok(())
}

/// Seconds of the fastest of several passes, and what the last of them returned.
fn best<T>(
    mut pass: impl FnMut() -> Result<T, Box<dyn Error>>,
) -> Result<(f64, T), Box<dyn Error>> {
    let mut least = f64::INFINITY;
    let mut timed = || -> Result<T, Box<dyn Error>> {
        let start = ThreadTime::now();
        let found = pass()?;
        least = least.min(start.elapsed().as_secs_f64());
        Ok(found)
    };
    for _ in 1..PASSES {
        timed()?;
    }
    let found = timed()?;
    Ok((least, found))
}

fn search(index: &str, queries: &str, depth: usize, ids: bool) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(queries)?;
    let queries: Vec<&str> = text
        .lines()
        .filter_map(|line| Some(line.split_once('\t')?.1))
        .collect();
    let model: Model = "BM25(k1=0.9, b=0.4)".parse()?;
    let searcher = Searcher::new(Arc::new(Index::open(index)?), &model, None)?;
    let (seconds, found) = best(|| {
        let mut found = 0;
        for query in &queries {
            let hits = searcher.search(query, depth)?;
            let is_counted = |doc| !ids || !searcher.index().id(doc).is_empty();
            found += hits.iter().filter(|hit| is_counted(hit.doc)).count();
        }
        Ok(found)
    })?;
    Ok(format!("{seconds} {} {found}", queries.len()))
}

fn dense(folder: &Path, depth: usize) -> Result<String, Box<dyn Error>> {
    let files = VectorFolder::find(folder)?;
    let documents = DenseIndex::open(&files.documents, Similarity::Dot)?;
    let topics = Vectors::open(&files.topics)?;
    let (seconds, found) = best(|| {
        Ok(documents
            .search(&topics, depth, 1)?
            .iter()
            .map(Vec::len)
            .sum::<usize>())
    })?;
    Ok(format!("{seconds} {} {found}", topics.ids().len()))
}
