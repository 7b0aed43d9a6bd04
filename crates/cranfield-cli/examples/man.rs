//! Writes the man pages into a folder: `cargo run --example man -- DIR`. `cargo xtask man` calls this.

use std::path::PathBuf;

use clap::CommandFactory;
use cranfield_cli::args::Args;

fn main() -> std::io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| "target/man".into());
    std::fs::create_dir_all(&folder)?;
    clap_mangen::generate_to(Args::command(), folder)
}
