//! A tmux for the tests that judge in a terminal.

use crate::{command, system};

/// Whether there is a tmux, after installing one where that can be done.
pub(crate) fn prepare() -> Result<bool, String> {
    if is_there() {
        println!("tmux is there");
        return Ok(true);
    }
    Ok(system::install(&["tmux"])? && is_there())
}

fn is_there() -> bool {
    command::capture(command::program("tmux").arg("-V")).is_ok()
}
