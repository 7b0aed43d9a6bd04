//! Packages of the operating system, installed where that can be done.

use std::path::Path;
use std::sync::Mutex;

use crate::command::{capture, execute_at_once, program};

/// Held while apt-get runs, which cannot run twice at once; says whether its lists are fresh.
static LISTS_ARE_FRESH: Mutex<bool> = Mutex::new(false);

/// Installs packages of Debian; false where there is no apt-get, or its user is another.
pub(crate) fn install(packages: &[&str]) -> Result<bool, String> {
    if !Path::new("/usr/bin/apt-get").exists() || !is_administrator() {
        return Ok(false);
    }
    let mut fresh = LISTS_ARE_FRESH
        .lock()
        .map_err(|_| "another installation failed")?;
    if !*fresh {
        execute_at_once(apt_get().args(["update", "-qq"]))?;
        *fresh = true;
    }
    println!("installing {} with apt-get", packages.join(", "));
    let mut install = apt_get();
    install.args(["install", "-qq", "--yes", "--no-install-recommends"]);
    execute_at_once(install.args(packages))?;
    Ok(true)
}

fn apt_get() -> std::process::Command {
    let mut command = program("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn is_administrator() -> bool {
    capture(program("id").arg("-u")).is_ok_and(|printed| printed.trim() == "0")
}
