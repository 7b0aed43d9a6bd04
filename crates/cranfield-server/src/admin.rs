//! Work on a data folder from a terminal, also while a server uses it: accounts, backups, checks and archives.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::json;

use crate::archive::{export, zip};
use crate::audit::{self, Event};
use crate::campaign::Campaign;
use crate::people::{self, NewPerson};
use crate::problem::Problem;
use crate::serve::ServeError;
use crate::server::blob_path;
use crate::store::Store;
use crate::{names, secret};

const DATABASE: &str = "cranfield.db";

/// An open data folder, which a server may use at the same time.
pub struct Folder {
    data: PathBuf,
    store: Store,
}

impl Folder {
    /// Opens a data folder.
    ///
    /// # Errors
    /// If there is no database in it.
    pub fn open(data: &Path) -> Result<Self, ServeError> {
        let path = data.join(DATABASE);
        std::fs::metadata(&path).map_err(|error| ServeError::Folder {
            path: path.clone(),
            error,
        })?;
        Ok(Self {
            data: data.to_owned(),
            store: Store::open(&path)?,
        })
    }

    /// Adds an account, and returns its one-time password.
    ///
    /// # Errors
    /// If the login is taken.
    pub fn add_user(
        &self,
        login: &str,
        name: &str,
        makes_campaigns: bool,
    ) -> Result<String, ServeError> {
        let password = people::one_time_password()?;
        let (login, name) = (names::login(login)?, names::checked("name", name)?);
        let hash = secret::hash_password(&password)?;
        let person = NewPerson::with_one_time_password(&login, &name, &hash);
        self.store.write_here(move |tx| {
            person.insert(tx, makes_campaigns, now())?;
            Ok(())
        })?;
        Ok(password)
    }

    /// Gives an account a one-time password, which is returned, and ends its sessions.
    ///
    /// # Errors
    /// If there is no such account.
    pub fn reset_password(&self, login: &str) -> Result<String, ServeError> {
        let password = people::one_time_password()?;
        let hash = secret::hash_password(&password)?;
        self.change(login, "person.password", move |tx, person| {
            people::set_one_time_password(tx, person, &hash)
        })?;
        Ok(password)
    }

    /// Ends the sessions of an account, revokes its tokens, and takes its password away until it gets another one.
    ///
    /// # Errors
    /// If there is no such account.
    pub fn disable(&self, login: &str) -> Result<(), ServeError> {
        self.change(login, "person.disable", |tx, person| {
            tx.execute("UPDATE person SET password = '' WHERE id = ?1", [person])?;
            tx.execute("DELETE FROM session WHERE person = ?1", [person])?;
            tx.execute(
                "UPDATE token SET revoked = ?2 WHERE person = ?1 AND revoked IS NULL",
                (person, now()),
            )?;
            Ok(())
        })
    }

    fn change(
        &self,
        login: &str,
        action: &'static str,
        change: impl FnOnce(&Transaction<'_>, i64) -> Result<(), Problem> + Send + 'static,
    ) -> Result<(), ServeError> {
        let (key, login) = (names::key(login), login.to_owned());
        self.store.write_here(move |tx| {
            let query = "SELECT id FROM person WHERE login_key = ?1";
            let found = tx.query_row(query, [key], |row| row.get(0)).optional()?;
            let Some(person) = found else {
                let message = format!("There is no account with the login {login}.");
                return Err(Problem::invalid(message));
            };
            change(tx, person)?;
            let event = Event {
                at: now(),
                actor: None,
                campaign: None,
                action,
                object: format!("person {person}"),
                details: json!({}),
            };
            audit::record(tx, event)
        })?;
        Ok(())
    }

    /// Writes an archive of a campaign.
    ///
    /// # Errors
    /// If there is no such campaign, or the file exists.
    pub fn export(&self, slug: &str, with_people: bool, to: &Path) -> Result<(), ServeError> {
        let members = self.store.read_here(|db| {
            let campaign = Campaign::by_slug(db, slug).map_err(|problem| {
                let message = format!("There is no campaign with the address {slug}.");
                if problem.code == "not-found" {
                    Problem::invalid(message)
                } else {
                    problem
                }
            })?;
            export::full(db, &self.data, &campaign, with_people)
        })?;
        let failed = failed(to);
        let file = File::create_new(to).map_err(&failed)?;
        let mut out = BufWriter::new(file);
        let written = zip::write(members, &mut out).and_then(|()| out.flush());
        if written.is_err() {
            // Half an archive is worse than none.
            let _ = std::fs::remove_file(to);
        }
        written.map_err(failed)
    }

    /// Copies the database and every file to a folder, which is empty or has an earlier backup. Files that it has already are not copied again.
    /// Returns their number.
    ///
    /// # Errors
    /// If the folder has something else in it, or cannot be written.
    pub fn backup(&self, to: &Path) -> Result<usize, ServeError> {
        let is_used = std::fs::read_dir(to).is_ok_and(|mut entries| entries.next().is_some());
        if is_used && !to.join(zip::MANIFEST).exists() {
            let message = format!("{} is not empty and has no backup", to.display());
            return Err(ServeError::Start(message));
        }
        crate::serve::make_folder(to).map_err(failed(to))?;
        let new = to.join("cranfield.db.new");
        let _ = std::fs::remove_file(&new);
        let copied = copy_database(&self.data.join(DATABASE), &new);
        let blobs = copied.map_err(|problem| ServeError::Start(problem.detail))?;
        let mut listed = BTreeMap::new();
        for hash in blobs {
            let (from, copy) = (blob_path(&self.data, &hash), blob_path(to, &hash));
            if file_hash(&copy).ok().as_ref() != Some(&hash) {
                copy_file(&from, &copy)?;
            }
            if file_hash(&copy).map_err(failed(&copy))? != hash {
                let message = format!("{} is damaged", from.display());
                return Err(ServeError::Start(message));
            }
            listed.insert(format!("blobs/{}/{}", &hash[..2], &hash[2..]), hash);
        }
        let files = listed.len();
        listed.insert(DATABASE.into(), file_hash(&new).map_err(failed(&new))?);
        let database = to.join(DATABASE);
        std::fs::rename(&new, &database).map_err(failed(&database))?;
        let lines = listed.iter().map(|(name, hash)| (name.as_str(), &**hash));
        write_whole(&to.join(zip::MANIFEST), zip::manifest(lines).as_bytes())?;
        Ok(files)
    }

    /// What is wrong with the folder: the database, its references, the log, and files that are missing or changed.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn check(&self) -> Result<Vec<String>, ServeError> {
        let (mut problems, blobs) = self.store.read_here(|db| {
            let mut problems = Vec::new();
            let mut query = db.prepare("PRAGMA integrity_check")?;
            for row in query.query_map([], |row| row.get::<_, String>(0))? {
                let text = row?;
                if text != "ok" {
                    problems.push(format!("database: {text}"));
                }
            }
            let mut query = db.prepare("PRAGMA foreign_key_check")?;
            let rows = query.query_map([], |row| {
                let (table, row, parent): (String, Option<i64>, String) =
                    (row.get(0)?, row.get(1)?, row.get(2)?);
                let row = row.map_or_else(String::new, |row| format!(" {row}"));
                Ok(format!(
                    "database: row{row} of {table} refers to a row of {parent} that is missing"
                ))
            })?;
            for row in rows {
                problems.push(row?);
            }
            if let Some(row) = audit::first_broken(db)? {
                problems.push(format!(
                    "log: row {row} was changed, or one before it is missing"
                ));
            }
            Ok((problems, blobs(db)?))
        })?;
        for hash in blobs {
            let path = blob_path(&self.data, &hash);
            match file_hash(&path) {
                Ok(found) if found == hash => {}
                Ok(_) => problems.push(format!("{}: the file was changed", path.display())),
                Err(error) => problems.push(format!("{}: {error}", path.display())),
            }
        }
        Ok(problems)
    }
}

/// Makes a data folder from a backup. Every file is compared with the manifest of the backup first.
///
/// # Errors
/// If the backup is damaged, or the folder exists and is not empty.
pub fn restore(backup: &Path, data: &Path) -> Result<(), ServeError> {
    let is_used = std::fs::read_dir(data).is_ok_and(|mut entries| entries.next().is_some());
    if is_used {
        let message = format!("{} is not empty", data.display());
        return Err(ServeError::Start(message));
    }
    let manifest = backup.join(zip::MANIFEST);
    let text = std::fs::read_to_string(&manifest).map_err(failed(&manifest))?;
    let damaged = |path: &Path| ServeError::Start(format!("{} is damaged", path.display()));
    let listed: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.split_once("  "))
        .collect();
    let lines = listed.iter().map(|(hash, name)| (*name, *hash));
    if zip::manifest(lines) != text {
        return Err(damaged(&manifest));
    }
    for (hash, name) in &listed {
        let path = backup.join(name);
        if file_hash(&path).map_err(failed(&path))? != *hash {
            return Err(damaged(&path));
        }
    }
    crate::serve::make_folder(data).map_err(failed(data))?;
    // The database comes last, so that a folder without all of its files is not taken for a whole one.
    let (database, files): (Vec<_>, Vec<_>) =
        listed.iter().partition(|(_, name)| *name == DATABASE);
    for (_, name) in files.into_iter().chain(database) {
        copy_file(&backup.join(name), &data.join(name))?;
    }
    Ok(())
}

fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> ServeError {
    let path = path.to_owned();
    move |error| ServeError::Folder {
        path: path.clone(),
        error,
    }
}

fn blobs(db: &Connection) -> Result<Vec<String>, Problem> {
    let mut query = db.prepare("SELECT hash FROM blob ORDER BY hash")?;
    let hashes = query.query_map([], |row| row.get(0))?;
    Ok(hashes.collect::<Result<_, _>>()?)
}

/// Copies a database as of one moment, and returns the files that it refers to.
fn copy_database(from: &Path, to: &Path) -> Result<Vec<String>, Problem> {
    let source = Connection::open(from)?;
    source.busy_timeout(std::time::Duration::from_secs(10))?;
    let mut copy = Connection::open(to)?;
    {
        let backup = Backup::new(&source, &mut copy)?;
        // All pages in one step, during which writers go on.
        while backup.step(-1)? != StepResult::Done {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    // One file, without a log of its own beside it.
    copy.pragma_update(None, "journal_mode", "DELETE")?;
    let blobs = blobs(&copy)?;
    drop(copy);
    File::open(to)?.sync_all()?;
    Ok(blobs)
}

fn file_hash(path: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), ServeError> {
    let mut input = File::open(from).map_err(failed(from))?;
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    let mut copy = || {
        let mut output = File::create(to)?;
        std::io::copy(&mut input, &mut output)?;
        output.sync_all()
    };
    copy().map_err(failed(to))
}

fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), ServeError> {
    let write = || {
        let mut output = File::create(path)?;
        output.write_all(bytes)?;
        output.sync_all()
    };
    write().map_err(failed(path))
}
