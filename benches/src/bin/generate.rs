//! Writes the benchmark data: `generate --out DIR [--set S,M,L,W] [--seed N]`.

use std::path::PathBuf;
use std::process::ExitCode;

use cranfield_benches::shape::{SHAPES, Shape};
use cranfield_benches::write::write_set;

const USAGE: &str = "usage: generate --out DIR [--set S,M,L,W] [--seed N]";

struct Options {
    out: PathBuf,
    sets: String,
    seed: u64,
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)).and_then(|options| generate(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("generate: {message}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let (mut out, mut sets, mut seed) = (None, "S,M,L,W".to_owned(), 1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or(USAGE)?;
        match option.as_str() {
            "--out" => out = Some(PathBuf::from(value)),
            "--set" => sets = value,
            "--seed" => {
                seed = value
                    .parse()
                    .map_err(|_| format!("not a seed: `{value}`"))?
            }
            _ => return Err(USAGE.to_owned()),
        }
    }
    let out = out.ok_or(USAGE)?;
    Ok(Options { out, sets, seed })
}

fn generate(options: &Options) -> Result<(), String> {
    for name in options.sets.split(',') {
        let shape = find(name)?;
        let set = shape.name;
        write_set(shape, options.seed, &options.out, |written| {
            let (file, lines, bytes) = (&written.file, written.lines, written.bytes);
            println!(
                "{set}/{file:<12} {lines:>10} lines {bytes:>11} bytes  fnv {:016x}",
                written.checksum
            );
        })
        .map_err(|error| format!("{}: {error}", options.out.display()))?;
    }
    Ok(())
}

fn find(name: &str) -> Result<&'static Shape, String> {
    let known = SHAPES.iter().find(|shape| shape.name == name);
    known.ok_or_else(|| format!("unknown set `{name}`, expected S, M, L or W"))
}
