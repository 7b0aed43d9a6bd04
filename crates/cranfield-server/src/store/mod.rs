//! The database: one thread that writes, and connections that read.
//!
//! All rules that must hold between rows, such as quotas, are checked inside a write, of which there is one at a time.
//! A write that was answered is on disk.

mod changes;
mod migrations;
mod writer;

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags, Transaction};

use crate::problem::Problem;
pub(crate) use changes::{Changes, Count};
use writer::Writer;

/// The answer of a query or a change without its type, so that there is one copy of the code that carries them between threads.
type Answer = Box<dyn Any + Send>;
type Query = Box<dyn FnOnce(&Connection) -> Result<Answer, Problem> + Send>;
type Change = Box<dyn FnOnce(&Transaction<'_>) -> Result<Answer, Problem> + Send>;

fn without_type<T: Send + 'static>(answer: T) -> Answer {
    Box::new(answer)
}

fn with_type<T: 'static>(answer: Answer) -> T {
    *answer.downcast().expect("the type that was put in")
}

/// The database of a server.
#[derive(Clone)]
pub(crate) struct Store {
    writer: Writer,
    readers: Arc<Mutex<Vec<Connection>>>,
    changes: Arc<Changes>,
    path: PathBuf,
}

/// Why a database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// From the database.
    #[error("{path}: {error}")]
    Database {
        /// The file.
        path: PathBuf,
        /// What the database reports.
        error: rusqlite::Error,
    },
    /// A migration failed, and nothing was changed.
    #[error("{path}: migration to version {version}: {error}")]
    Migration {
        /// The file.
        path: PathBuf,
        /// The version that it leads to.
        version: i64,
        /// What the database reports.
        error: rusqlite::Error,
    },
    /// The file was written by a newer program.
    #[error(
        "{path}: the database has version {found}, and this program knows versions up to {newest}"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: i64,
        /// The version that this program writes.
        newest: i64,
    },
}

impl Store {
    /// Opens a database, creates it if there is none, and brings it to the current version.
    pub(crate) fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |error| StoreError::Database {
            path: path.to_owned(),
            error,
        };
        let mut connection = Connection::open(path).map_err(failed)?;
        prepare(&connection).map_err(failed)?;
        migrations::migrate(&mut connection, path)?;
        let changes = Arc::new(Changes::default());
        changes.watch(&mut connection).map_err(failed)?;
        Ok(Self {
            writer: Writer::start(connection, Arc::clone(&changes)),
            readers: Arc::default(),
            changes,
            path: path.to_owned(),
        })
    }

    /// Runs a transaction, and returns when it is on disk. If `change` fails, nothing of it is kept.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let change = Box::new(|tx: &Transaction<'_>| change(tx).map(without_type));
        self.writer.run(change).await.map(with_type)
    }

    /// The same, for threads that may wait.
    pub(crate) fn write_here<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let change = Box::new(|tx: &Transaction<'_>| change(tx).map(without_type));
        self.writer.run_here(change).map(with_type)
    }

    /// What was written since the start, for those who keep what they have read.
    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Reads on a thread that may wait.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let query = Box::new(|db: &Connection| query(db).map(without_type));
        self.read_there(query).await.map(with_type)
    }

    async fn read_there(&self, query: Query) -> Result<Answer, Problem> {
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || store.read_here(query)).await;
        done.map_err(|error| Problem::internal(&error))?
    }

    /// Reads on this thread. All statements of one read see the same state.
    pub(crate) fn read_here<T>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let connection = self.begin()?;
        let answer = query(&connection);
        self.end(connection)?;
        answer
    }

    fn begin(&self) -> Result<Connection, Problem> {
        let connection = self.reader()?;
        connection.execute_batch("BEGIN")?;
        Ok(connection)
    }

    fn end(&self, connection: Connection) -> Result<(), Problem> {
        connection.execute_batch("ROLLBACK")?;
        self.lock().push(connection);
        Ok(())
    }

    fn reader(&self) -> Result<Connection, Problem> {
        if let Some(connection) = self.lock().pop() {
            return Ok(connection);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        prepare_any(&connection)?;
        Ok(connection)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    prepare_any(connection)
}

fn prepare_any(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.pragma_update(None, "trusted_schema", "OFF")?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("cranfield.db")).expect("a database");
        (folder, store)
    }

    fn insert(tx: &Transaction<'_>, login: &str) -> Result<(), Problem> {
        tx.execute(
            "INSERT INTO person (login, login_key, name, password, created) VALUES (?1, ?1, ?1, '', 0)",
            [login],
        )?;
        Ok(())
    }

    fn count(store: &Store) -> i64 {
        let count = |db: &Connection| {
            Ok(db.query_row("SELECT count(*) FROM person", [], |row| row.get(0))?)
        };
        store.read_here(count).expect("a count")
    }

    #[test]
    fn a_failed_write_leaves_nothing_and_others_of_its_batch_stay() {
        let (_folder, store) = store();
        let failed = store.write_here(|tx| {
            insert(tx, "lost")?;
            Err::<(), _>(Problem::not_found())
        });
        assert!(failed.is_err());
        store.write_here(|tx| insert(tx, "kept")).expect("written");
        assert_eq!(count(&store), 1);
    }

    #[test]
    fn a_panic_in_a_write_is_an_error_of_that_write_alone() {
        let (_folder, store) = store();
        let panicked = store.write_here(|_| -> Result<(), Problem> { panic!("on purpose") });
        assert!(panicked.is_err());
        store.write_here(|tx| insert(tx, "kept")).expect("written");
        assert_eq!(count(&store), 1);
    }

    #[test]
    fn changes_are_counted_by_what_they_may_show() {
        let (_folder, store) = store();
        let before = store.changes().now();
        store.write_here(|tx| insert(tx, "a")).expect("written");
        let person = store.changes().now();
        assert_ne!(person.content, before.content);
        assert_eq!(person.rules, before.rules);
        let campaign = |tx: &Transaction<'_>| {
            tx.execute_batch("INSERT INTO campaign (slug, settings, created) VALUES ('a', 1, 0)")?;
            Ok(())
        };
        store.write_here(campaign).expect("written");
        let rules = store.changes().now();
        assert_ne!(rules.rules, person.rules);
        let session = |tx: &Transaction<'_>| {
            tx.execute_batch(
                "INSERT INTO session (hash, person, created, seen, expires) VALUES (x'00', 1, 0, 0, 0)",
            )?;
            Ok(())
        };
        store.write_here(session).expect("written");
        assert_eq!(store.changes().now(), rules);
    }

    #[test]
    fn records_cannot_be_changed() {
        let (_folder, store) = store();
        let changed = store.write_here(|tx| {
            tx.execute_batch(
                "INSERT INTO audit (at, action, object, details, prev, hash) VALUES (0, 'a', 'o', '{}', '', 'h');
                 UPDATE audit SET action = 'b'",
            )?;
            Ok(())
        });
        assert!(changed.is_err());
    }
}
