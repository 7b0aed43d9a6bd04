//! Reads documents and prints how fast: `cargo run --release -p cranfield-collection --example read_speed PATH...`.

use std::time::Instant;

use cranfield_collection::{DocumentOptions, Documents};

#[expect(clippy::print_stdout, reason = "it is a program")]
fn main() -> Result<(), cranfield_io::Error> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let start = Instant::now();
    let mut documents = Documents::open(&paths, DocumentOptions::default())?;
    for document in documents.by_ref() {
        document?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let megabytes = documents.progress().1 as f64 / 1e6;
    let speed = megabytes / seconds;
    println!("{}", documents.report());
    println!("{megabytes:.1} MB of files in {seconds:.2} s: {speed:.0} MB/s");
    Ok(())
}
