//! From a path to an engine.

use std::path::Path;

use cranfield_io::{Code, Error, Problem};

use super::{Engine, read_engine};

/// Opens the engine that a path names: a TOML file that describes a program or a server.
///
/// # Errors
/// If the path is a folder, or the file does not describe an engine.
pub fn open_engine(path: &Path) -> Result<Box<dyn Engine>, Error> {
    if path.is_dir() {
        let name = path.display().to_string();
        let message = "a folder, expected a file that describes an engine";
        return Err(Problem::file(Code::BadEngine, &name, message).into());
    }
    read_engine(path)
}
