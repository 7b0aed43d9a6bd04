//! The tests that use reports and campaigns in a browser, and what they need: Chromium and two packages of npm.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, execute, execute_at_once, program};
use crate::system;

const FOLDER: &str = "tests/browser";
const TESTS: [&str; 2] = ["report.mjs", "campaign.mjs"];
/// Installed by npm.
const PACKAGES: [&str; 2] = ["playwright-core", "axe-core"];
const CHROMIUM: &str = "/usr/bin/chromium";

/// Installs what is missing; the reason why not where this machine cannot.
pub(crate) fn prepare() -> Result<Option<&'static str>, String> {
    if !answers("node") || !answers("npm") {
        return Ok(Some("there is no Node.js; install node and npm"));
    }
    if chromium().is_none() {
        println!("this machine has no {CHROMIUM}");
        system::install(&["chromium"])?;
    }
    install_packages()?;
    Ok(missing())
}

/// Runs the tests; the reason why not where something is missing.
pub(crate) fn run() -> Result<Option<&'static str>, String> {
    let (Some(chromium), None) = (chromium(), missing()) else {
        return Ok(missing());
    };
    for name in TESTS {
        let mut test = program("node");
        test.env("CHROMIUM", &chromium);
        if std::env::var_os("CRANFIELD_BIN").is_none() {
            test.env("CRANFIELD_BIN", command::release_binary("cranfield"));
        }
        execute(test.arg(format!("{FOLDER}/{name}")))?;
    }
    Ok(None)
}

/// The missing programs of the tests.
fn missing() -> Option<&'static str> {
    let packages = command::root().join(FOLDER).join("node_modules");
    match () {
        () if !answers("node") => Some("there is no Node.js; install node and npm"),
        () if chromium().is_none() => {
            Some("there is no Chromium; install it, or name one with the variable CHROMIUM")
        }
        () if !PACKAGES.iter().all(|name| packages.join(name).exists()) => {
            Some("playwright-core or axe-core is not installed; the step chromium does it")
        }
        () => None,
    }
}

/// Whether a program is there.
fn answers(name: &str) -> bool {
    let asked = Command::new(name).arg("--version").output();
    asked.is_ok_and(|output| output.status.success())
}

/// The browser that is named, or Debian's.
fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    named.or_else(|| Some(PathBuf::from(CHROMIUM)).filter(|path| path.exists()))
}

/// Installs the pinned packages if the lock file changed since.
fn install_packages() -> Result<(), String> {
    let folder = command::root().join(FOLDER);
    let lock = folder.join("package-lock.json");
    let wanted = fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let stamp = folder.join("node_modules/installed-package-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        println!("up to date: {FOLDER}/package-lock.json is installed already");
        return Ok(());
    }
    println!("installing {FOLDER}/package-lock.json with npm, from the package index");
    let mut install = program("npm");
    execute_at_once(install.args(["ci", "--no-audit", "--no-fund", "--prefix", FOLDER]))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}
