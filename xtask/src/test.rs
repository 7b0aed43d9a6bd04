//! `cargo xtask test`: every check of the repository, step by step.

use std::sync::mpsc;
use std::time::Instant;

use crate::command::{self, cargo, execute};
use crate::{browser, docs, latex, python, tmux, wheel};

/// One step; it says itself what it runs, and installs only what its summary says.
struct Step {
    name: &'static str,
    summary: &'static str,
    when: When,
    run: fn() -> Result<Outcome, String>,
}

/// When a step begins.
enum When {
    /// At once, in parallel with the others: it installs something, and mostly waits for the network.
    AtOnce,
    /// When those before it have ended, also the one of this name that began at once.
    After(&'static str),
    /// Like the above, but later steps do not wait for it: it compiles nothing, and compilers leave a core idle now and then.
    Parallel(&'static str),
    /// When those before it have ended.
    InTurn,
    /// Only if it is named: it takes too long for every change.
    Asked,
}

/// How a step ended that did not fail.
enum Outcome {
    Passed,
    Skipped(&'static str),
}

const STEPS: [Step; 15] = [
    Step {
        name: "fmt",
        summary: "the code is formatted",
        when: When::InTurn,
        run: fmt,
    },
    Step {
        name: "latex",
        summary: "installs texlive-latex-base and texlive-latex-recommended (48 MB) and tmux by apt-get if they are missing; tests compile tables and judge in a terminal with them",
        when: When::AtOnce,
        run: latex_program,
    },
    Step {
        name: "test",
        summary: "no lint warnings of clippy; unit, integration and documentation tests of all crates",
        when: When::After("latex"),
        run: test,
    },
    Step {
        name: "doc",
        summary: "the API documentation builds without warnings",
        when: When::InTurn,
        run: doc,
    },
    Step {
        name: "build",
        summary: "the release binaries and the example stats_oracle, which the next steps use",
        when: When::InTurn,
        run: build,
    },
    Step {
        name: "docs",
        summary: "the generated reference pages are not stale",
        when: When::InTurn,
        run: generated_docs,
    },
    Step {
        name: "chromium",
        summary: "installs tests/browser/package-lock.json (npm) into tests/browser/node_modules; chromium by apt-get if missing",
        when: When::AtOnce,
        run: browser_and_package,
    },
    Step {
        name: "browser",
        summary: "reports of two TREC tracks and whole campaigns, used in Chromium as people do; axe-core on every page",
        when: When::Parallel("chromium"),
        run: in_a_browser,
    },
    Step {
        name: "python",
        summary: "installs tests/oracles/requirements.txt (PyPI) into target/venv; python3-venv by apt-get if missing",
        when: When::AtOnce,
        run: python_environment,
    },
    Step {
        name: "oracles",
        summary: "comparison with pytrec_eval, ir_measures, ranx, cwl_eval, pyndeval, pyNTCIREVAL and scikit-learn, for statistics with scipy, statsmodels, pingouin and baycomp, and with the published scores of two TREC tracks; the API of a campaign server against its description, with requests of schemathesis",
        when: When::Parallel("python"),
        run: oracles,
    },
    Step {
        name: "benches",
        summary: "the benchmark generator builds and makes the same bytes as ever",
        when: When::InTurn,
        run: benches,
    },
    Step {
        name: "fuzz",
        summary: "a bounded run of every fuzz target",
        when: When::InTurn,
        run: fuzz,
    },
    Step {
        name: "packages",
        summary: "installs python/tests/requirements.txt (PyPI) into target/venv-wheel",
        when: When::AtOnce,
        run: wheel_environment,
    },
    Step {
        name: "wheel",
        summary: "builds the Python package with maturin (PyPI), installs it into target/venv-wheel, tests it there, and compares it with pytrec_eval, ir_measures, BEIR and scikit-learn",
        when: When::After("packages"),
        run: wheel,
    },
    Step {
        name: "ranx",
        summary: "only with --only: installs ranx (PyPI) into target/venv-wheel and compares the package with it; ranx compiles itself for minutes",
        when: When::Asked,
        run: beside_ranx,
    },
];

/// Which steps to run.
#[derive(Default)]
pub(crate) struct Selection {
    list: bool,
    only: Vec<String>,
    skip: Vec<String>,
}

impl Selection {
    /// Reads the options of the task; a step that does not exist is an error.
    pub(crate) fn parse(options: &[&str]) -> Result<Self, String> {
        let mut selection = Self::default();
        let mut rest = options.iter();
        while let Some(&option) = rest.next() {
            match option {
                "--list" => selection.list = true,
                "--only" => selection.only.push(step_name(rest.next())?),
                "--skip" => selection.skip.push(step_name(rest.next())?),
                other => return Err(format!("unknown option `{other}` of test")),
            }
        }
        Ok(selection)
    }

    fn includes(&self, step: &Step) -> bool {
        let named = |names: &[String]| names.iter().any(|name| name == step.name);
        let usual = self.only.is_empty() && !matches!(step.when, When::Asked);
        (usual || named(&self.only)) && !named(&self.skip)
    }
}

fn step_name(word: Option<&&str>) -> Result<String, String> {
    let names = STEPS.map(|step| step.name);
    match word {
        Some(&name) if names.contains(&name) => Ok(name.to_owned()),
        _ => Err(format!("expected a step: {}", names.join(", "))),
    }
}

/// Runs the selected steps; a failing step does not keep the later ones from running.
pub(crate) fn run(selection: &Selection) -> Result<(), String> {
    let steps = STEPS.iter().filter(|step| selection.includes(step));
    if selection.list {
        steps.for_each(|step| println!("{:8} {}", step.name, step.summary));
        return Ok(());
    }
    let started = Instant::now();
    let (mut passed, mut skipped, mut failed) = (0, 0, Vec::new());
    for (name, outcome) in outcomes(&steps.collect::<Vec<_>>()) {
        match outcome {
            Ok(Outcome::Passed) => passed += 1,
            Ok(Outcome::Skipped(_)) => skipped += 1,
            Err(_) => failed.push(name),
        }
    }
    let seconds = started.elapsed().as_secs();
    let count = failed.len();
    let summary =
        format!("{passed} steps passed, {count} failed, {skipped} skipped in {seconds} s");
    if failed.is_empty() {
        println!("\nxtask test: {summary}");
        return Ok(());
    }
    Err(format!("test: {summary}; failed: {}", failed.join(", ")))
}

/// Runs the steps and reports how each ended.
fn outcomes(steps: &[&Step]) -> Vec<(&'static str, Result<Outcome, String>)> {
    std::thread::scope(|scope| {
        let (early, others): (Vec<&Step>, Vec<&Step>) =
            (steps.iter()).partition(|step| matches!(step.when, When::AtOnce));
        let mut early: Vec<_> = early
            .into_iter()
            .map(|step| (step.name, scope.spawn(|| run_step(step))))
            .collect();
        let mut outcomes = Vec::new();
        let (queue, parallel) = mpsc::channel::<&Step>();
        let parallel = scope.spawn(|| {
            let steps = parallel.into_iter();
            steps.map(|step| (step.name, run_step(step))).collect()
        });
        for step in others {
            let awaited = |name: &str| matches!(step.when, When::After(other) | When::Parallel(other) if other == name);
            if let Some(at) = early.iter().position(|(name, _)| awaited(name)) {
                outcomes.push(ended(early.swap_remove(at)));
            }
            match step.when {
                // Fails only if the thread panicked, which is reported when it is joined.
                When::Parallel(_) => queue.send(step).unwrap_or_default(),
                _ => outcomes.push((step.name, run_step(step))),
            }
        }
        drop(queue);
        outcomes.extend(early.into_iter().map(ended));
        let parallel: Result<Vec<_>, _> = parallel.join();
        let panicked = |_| vec![("a parallel step", Err("it panicked".to_owned()))];
        outcomes.extend(parallel.unwrap_or_else(panicked));
        outcomes
    })
}

type Running<'s> = std::thread::ScopedJoinHandle<'s, Result<Outcome, String>>;

fn ended((name, step): (&'static str, Running<'_>)) -> (&'static str, Result<Outcome, String>) {
    let outcome = step.join();
    (
        name,
        outcome.unwrap_or_else(|_| Err("it panicked".to_owned())),
    )
}

fn run_step(step: &Step) -> Result<Outcome, String> {
    println!("\n=== {}: {}", step.name, step.summary);
    let started = Instant::now();
    let outcome = (step.run)();
    let seconds = started.elapsed().as_secs_f64();
    match &outcome {
        Ok(Outcome::Passed) => println!("=== {}: passed in {seconds:.1} s", step.name),
        Ok(Outcome::Skipped(reason)) => println!("=== {}: skipped, {reason}", step.name),
        Err(message) => println!("=== {}: FAILED in {seconds:.1} s: {message}", step.name),
    }
    outcome
}

fn passed(result: Result<(), String>) -> Result<Outcome, String> {
    result.map(|()| Outcome::Passed)
}

fn fmt() -> Result<Outcome, String> {
    passed(execute(&mut cargo(&["fmt", "--all", "--check"])))
}

fn latex_program() -> Result<Outcome, String> {
    let (has_latex, has_tmux) = (latex::prepare()?, tmux::prepare()?);
    if !has_latex {
        return Ok(Outcome::Skipped(
            "there is no pdflatex, and it cannot be installed; tests of tables look at their text alone",
        ));
    }
    if !has_tmux {
        return Ok(Outcome::Skipped(
            "there is no tmux, and it cannot be installed; judging in a terminal is not tested",
        ));
    }
    Ok(Outcome::Passed)
}

fn test() -> Result<Outcome, String> {
    passed(execute(&mut cargo(&["test", "--workspace", "--release"])))
}

fn doc() -> Result<Outcome, String> {
    // Libraries only: the program `cranfield` and the library `cranfield` would write the same page.
    let scope = ["doc", "--workspace", "--lib", "--no-deps", "--release"];
    let mut doc = cargo(&scope);
    doc.arg("--document-private-items");
    passed(execute(doc.env("RUSTDOCFLAGS", "-D warnings")))
}

fn build() -> Result<Outcome, String> {
    passed(command::build_programs())
}

fn generated_docs() -> Result<Outcome, String> {
    passed(docs::check())
}

fn benches() -> Result<Outcome, String> {
    let manifest = ["--manifest-path", "benches/Cargo.toml"];
    execute(cargo(&["fmt", "--check"]).args(manifest))?;
    execute(cargo(&["test", "--release"]).args(manifest))?;
    passed(execute(cargo(&["build", "--release"]).args(manifest)))
}

fn fuzz() -> Result<Outcome, String> {
    if !command::root().join("fuzz").is_dir() {
        return Ok(Outcome::Skipped("there is no folder fuzz"));
    }
    let mut fuzz = cargo(&["run", "--release", "--manifest-path", "fuzz/Cargo.toml"]);
    passed(execute(fuzz.args(["--", "--smoke"])))
}

fn browser_and_package() -> Result<Outcome, String> {
    Ok(browser::prepare()?.map_or(Outcome::Passed, Outcome::Skipped))
}

fn in_a_browser() -> Result<Outcome, String> {
    Ok(browser::run()?.map_or(Outcome::Passed, Outcome::Skipped))
}

fn python_environment() -> Result<Outcome, String> {
    passed(python::prepare())
}

fn wheel_environment() -> Result<Outcome, String> {
    passed(wheel::prepare())
}

fn beside_ranx() -> Result<Outcome, String> {
    passed(wheel::beside_ranx())
}

fn wheel() -> Result<Outcome, String> {
    passed(wheel::run())
}

fn oracles() -> Result<Outcome, String> {
    passed(python::run_oracles())
}
