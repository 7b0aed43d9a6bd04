//! The Python programs that compare Cranfield with other tools, and the virtual environment they need.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::command::{self, execute_at_once, program};
use crate::system;

const ORACLES: &str = "tests/oracles";
const REQUIREMENTS: &str = "tests/oracles/requirements.txt";
/// Packages of which only a part is needed, and none of their dependencies.
const WITHOUT_DEPENDENCIES: &str = "tests/oracles/requirements-no-deps.txt";

/// Creates the virtual environment, and installs the pinned requirements if they changed since.
pub(crate) fn prepare() -> Result<(), String> {
    if !interpreter().exists() {
        create_environment()?;
    }
    let read = |path: &str| {
        fs::read_to_string(command::root().join(path)).map_err(|error| format!("{path}: {error}"))
    };
    let wanted = read(REQUIREMENTS)? + &read(WITHOUT_DEPENDENCIES)?;
    let stamp = environment().join("installed-requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        println!("up to date: {REQUIREMENTS} is installed already");
        return Ok(());
    }
    install()?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Runs every oracle program, as many at once as there are cores; files that start with an underscore are their helpers.
pub(crate) fn run_oracles() -> Result<(), String> {
    let mut oracles = oracles()?;
    // Those of statistics take longest, and come last.
    oracles.reverse();
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = oracles.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let (Err(failure), Ok(mut failures)) = (run_oracle(path), failures.lock()) {
                failures.push(failure);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let mut failures = failures.into_inner().unwrap_or_default();
    failures.sort();
    if failures.is_empty() {
        return Ok(());
    }
    Err(failures.join("; "))
}

fn environment() -> PathBuf {
    command::target_dir().join("venv")
}

fn interpreter() -> PathBuf {
    if cfg!(windows) {
        environment().join("Scripts").join("python.exe")
    } else {
        environment().join("bin").join("python")
    }
}

fn create_environment() -> Result<(), String> {
    if try_create().is_ok() {
        return Ok(());
    }
    println!("this machine has no python3 with the venv module");
    if !system::install(&["python3", "python3-venv"])? {
        return Err("install Python 3 with the venv module, then run this again".to_owned());
    }
    try_create()
}

fn try_create() -> Result<(), String> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    let mut create = program(python);
    execute_at_once(create.args(["-m", "venv", "--clear"]).arg(environment()))
}

fn install() -> Result<(), String> {
    println!("installing {REQUIREMENTS} into the virtual environment, from the package index");
    let pip = ["-m", "pip", "--disable-pip-version-check"];
    let mut install = program(interpreter());
    install
        .args(pip)
        .args(["install", "--quiet", "--requirement"]);
    execute_at_once(install.arg(REQUIREMENTS))?;
    let mut part = program(interpreter());
    part.args(pip)
        .args(["install", "--quiet", "--no-deps", "--requirement"]);
    execute_at_once(part.arg(WITHOUT_DEPENDENCIES))?;
    let mut list = program(interpreter());
    execute_at_once(list.args(pip).args(["list", "--format", "freeze"]))
}

fn oracles() -> Result<Vec<PathBuf>, String> {
    let folder = command::root().join(ORACLES);
    let entries = fs::read_dir(folder).map_err(|error| format!("{ORACLES}: {error}"))?;
    let is_program = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".py") && !name.starts_with('_')
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_program)
        .collect();
    paths.sort();
    Ok(paths)
}

fn run_oracle(path: &Path) -> Result<(), String> {
    let mut oracle = program(interpreter());
    oracle.env("PYTHONDONTWRITEBYTECODE", "1");
    if std::env::var_os("CRANFIELD_BIN").is_none() {
        oracle.env("CRANFIELD_BIN", command::release_binary("cranfield"));
    }
    execute_at_once(oracle.arg(path))
}
