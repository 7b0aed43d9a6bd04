//! Running programs from the root of the workspace.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the manifest of xtask lies one folder below the root")
}

/// The one target directory, also for the crates outside the workspace.
pub(crate) fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(path) => root().join(path),
        None => root().join("target"),
    }
}

/// A release binary of the workspace.
pub(crate) fn release_binary(name: &str) -> PathBuf {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    target_dir().join("release").join(file)
}

/// A program that will run in the root of the workspace. If it compiles, it shares the target directory, and clippy is the compiler
/// of our own crates: lints come with the compilation that tests need anyway, where `cargo clippy` would be a second one.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command
        .current_dir(root())
        .env("CARGO_TARGET_DIR", target_dir())
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        // As `cargo clippy -- -D warnings` passes it on.
        .env(
            "CLIPPY_ARGS",
            "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__",
        );
    command
}

/// The cargo that runs this task, with the given arguments.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    command
}

/// Shows the command, runs it, and fails unless it ends with code 0.
pub(crate) fn execute(command: &mut Command) -> Result<(), String> {
    let shown = describe(command);
    println!("$ {shown}");
    let status = command
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("`{shown}` failed: {status}"))
}

/// Runs one of several concurrent commands, and shows its output in one piece when it has ended.
pub(crate) fn execute_at_once(command: &mut Command) -> Result<(), String> {
    let shown = describe(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    print!("$ {shown}\n{out}{err}");
    if output.status.success() {
        return Ok(());
    }
    Err(format!("`{shown}` failed: {}", output.status))
}

/// Builds the programs, and the example that the oracles of statistics talk to. With examples, dependencies have the features that
/// they have in tests, so that nothing is built twice.
pub(crate) fn build_programs() -> Result<(), String> {
    let scope = ["build", "--release", "--workspace", "--bins", "--examples"];
    execute(&mut cargo(&scope))
}

/// Runs a command and returns its standard output. An exit code other than 0 is an error.
pub(crate) fn capture(command: &mut Command) -> Result<String, String> {
    let shown = describe(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run `{shown}`: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("`{shown}` failed: {}\n{message}", output.status));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| format!("`{shown}` printed text that is not UTF-8"))
}

/// The command line, with paths shown relative to the root.
fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = match program.file_stem() {
        Some(stem) if stem == "cargo" => Path::new("cargo"),
        _ => program,
    };
    let words = std::iter::once(program.as_os_str()).chain(command.get_args());
    let words: Vec<String> = words.map(|word| relative(Path::new(word))).collect();
    words.join(" ")
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}
