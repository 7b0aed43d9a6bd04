//! Compresses the files of the bundled collection, which are half as large then.

#![allow(clippy::print_stdout, reason = "Cargo reads the output")]

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> io::Result<()> {
    let garden = Path::new("../../examples/garden");
    println!("cargo::rerun-if-changed={}", garden.display());
    let out = env::var_os("OUT_DIR").unwrap_or_default();
    for folder in ["", "vectors"] {
        let to = Path::new(&out).join(folder);
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(garden.join(folder))? {
            let path = entry?.path();
            if let (true, Some(name)) = (path.is_file(), path.file_name()) {
                let mut packed = name.to_owned();
                packed.push(".gz");
                let mut packed =
                    GzEncoder::new(File::create(to.join(packed))?, Compression::best());
                io::copy(&mut File::open(&path)?, &mut packed)?;
                packed.finish()?;
            }
        }
    }
    Ok(())
}
