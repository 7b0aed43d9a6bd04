//! Times exact search over the vectors of a folder: `dense FOLDER [DEPTH] [THREADS]`.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use cranfield_search::dense::{DenseIndex, Similarity, VectorFolder, Vectors};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = VectorFolder::find(args.next().ok_or("expected a folder")?)?;
    let depth = args.next().map_or(Ok(1000), |depth| depth.parse())?;
    let threads = args.next().map_or(Ok(1), |threads| threads.parse())?;
    let start = Instant::now();
    let index = DenseIndex::open(&folder.documents, Similarity::Dot)?;
    let topics = Vectors::open(&folder.topics)?;
    println!("opened in {:.3} s", start.elapsed().as_secs_f64());
    for _ in 0..5 {
        let start = Instant::now();
        let hits = index.search(&topics, depth, threads)?;
        let found: usize = hits.iter().map(Vec::len).sum();
        println!("{found} hits in {:.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
