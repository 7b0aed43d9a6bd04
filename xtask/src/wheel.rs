//! The wheel of the Python package: built, installed into an environment of its own, and tested there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{self, execute, program};

const REQUIREMENTS: &str = "python/tests/requirements.txt";
/// Packages of which only a part is needed, and none of their dependencies.
const WITHOUT_DEPENDENCIES: &str = "python/tests/requirements-no-deps.txt";
/// ranx, which compiles itself for some minutes when it is called.
const WITH_RANX: &str = "python/tests/requirements-ranx.txt";
/// The program that builds wheels.
const MATURIN: &str = "maturin==1.16.0";
const PIP: [&str; 4] = ["-m", "pip", "--disable-pip-version-check", "install"];

/// Installs what else the tests of the wheel need.
pub(crate) fn prepare() -> Result<(), String> {
    let environment = command::target_dir().join("venv-wheel");
    create(&environment)?;
    let python = interpreter(&environment);
    require(&python, &[], REQUIREMENTS)?;
    require(&python, &["--no-deps"], WITHOUT_DEPENDENCIES)
}

/// Builds the wheel and runs its tests: first with the libraries that it works with, then with nothing but pytest and numpy.
pub(crate) fn run() -> Result<(), String> {
    let (wheel, python) = installed()?;
    execute(pytest(&python).args(["-n", "auto", "python/tests"]))?;
    execute(
        program(&python)
            .args(["-m", "doctest_package"])
            .env("PYTHONPATH", "python/tests"),
    )?;
    let stubs = ["-m", "mypy.stubtest", "cranfield._core"];
    execute(
        program(&python)
            .args(stubs)
            .current_dir(command::target_dir()),
    )?;
    let mut types = program(&python);
    execute(types.args(["-m", "mypy", "--strict", "python/cranfield"]))?;
    alone(&wheel)
}

/// Calls the stand-in for ranx and ranx itself.
pub(crate) fn beside_ranx() -> Result<(), String> {
    let (_, python) = installed()?;
    require(&python, &[], WITH_RANX)?;
    execute(pytest(&python).args(["-n", "auto", "-k", "ranx", "python/tests"]))
}

/// The wheel, and the interpreter of the environment that it is installed into.
fn installed() -> Result<(PathBuf, PathBuf), String> {
    prepare()?;
    let wheel = build()?;
    let python = interpreter(&command::target_dir().join("venv-wheel"));
    install(&python, &["--force-reinstall", "--no-deps"], &wheel)?;
    Ok((wheel, python))
}

fn require(python: &Path, options: &[&str], file: &str) -> Result<(), String> {
    let file = ["--quiet", "--requirement", file];
    execute(program(python).args(PIP).args(options).args(file))
}

/// The package without any other library, installed where no compiler is found.
fn alone(wheel: &Path) -> Result<(), String> {
    let environment = command::target_dir().join("venv-wheel-alone");
    create(&environment)?;
    let python = interpreter(&environment);
    let mut bare = program(&python);
    bare.args(PIP)
        .args(["--quiet", "--force-reinstall"])
        .arg(wheel);
    execute(bare.env("PATH", python.parent().unwrap_or(&environment)))?;
    let requirements = command::root().join(REQUIREMENTS);
    let text = fs::read_to_string(&requirements).map_err(|why| format!("{REQUIREMENTS}: {why}"))?;
    let pinned = |name: &str| {
        text.lines()
            .find(|line| line.starts_with(name))
            .map(str::to_owned)
    };
    for name in ["pytest==", "numpy=="] {
        let pinned = pinned(name).ok_or_else(|| format!("{REQUIREMENTS} lacks {name}"))?;
        execute(program(&python).args(PIP).arg("--quiet").arg(pinned))?;
    }
    let without = ["--ignore", "python/tests/test_pytrec_eval.py"];
    execute(pytest(&python).args(without).arg("python/tests"))
}

/// Builds the wheel into `target/wheels`.
fn build() -> Result<PathBuf, String> {
    let environment = command::target_dir().join("venv-maturin");
    create(&environment)?;
    let python = interpreter(&environment);
    execute(program(&python).args(PIP).args(["--quiet", MATURIN]))?;
    let wheels = command::target_dir().join("wheels");
    if wheels.is_dir() {
        fs::remove_dir_all(&wheels).map_err(|why| format!("{}: {why}", wheels.display()))?;
    }
    let mut build = program(&python);
    build.args([
        "-m",
        "maturin",
        "build",
        "--release",
        "--manifest-path",
        "python/Cargo.toml",
    ]);
    execute(build.arg("--out").arg(&wheels))?;
    let entries = fs::read_dir(&wheels).map_err(|why| format!("{}: {why}", wheels.display()))?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let wheel = paths.find(|path| path.extension().is_some_and(|end| end == "whl"));
    wheel.ok_or_else(|| "maturin built no wheel".into())
}

fn create(environment: &Path) -> Result<(), String> {
    if interpreter(environment).exists() {
        return Ok(());
    }
    let python = if cfg!(windows) { "python" } else { "python3" };
    execute(program(python).args(["-m", "venv"]).arg(environment))
}

fn interpreter(environment: &Path) -> PathBuf {
    if cfg!(windows) {
        environment.join("Scripts").join("python.exe")
    } else {
        environment.join("bin").join("python")
    }
}

fn install(python: &Path, options: &[&str], wheel: &Path) -> Result<(), String> {
    execute(
        program(python)
            .args(PIP)
            .arg("--quiet")
            .args(options)
            .arg(wheel),
    )
}

fn pytest(python: &Path) -> std::process::Command {
    let mut pytest = program(python);
    pytest.env("PYTHONDONTWRITEBYTECODE", "1");
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest
}
