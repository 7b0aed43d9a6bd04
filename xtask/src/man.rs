//! The man pages of `cranfield`, one per command.

use crate::command::{cargo, execute};

/// Writes the pages into a folder.
pub(crate) fn write(folder: &str) -> Result<(), String> {
    let example = [
        "run",
        "--release",
        "--package",
        "cranfield-cli",
        "--example",
        "man",
        "--",
        folder,
    ];
    execute(&mut cargo(&example))?;
    println!("wrote man pages to {folder}");
    Ok(())
}
