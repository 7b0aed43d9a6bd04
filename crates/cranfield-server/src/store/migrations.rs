//! Migrations, which bring a database to the current version. The file keeps its version as `user_version`.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;

macro_rules! migrations {
    ($($version:literal $file:literal)*) => {
        &[$(($version, include_str!(concat!("../../migrations/V", $version, "__", $file, ".sql")))),*]
    };
}

/// Versions in ascending order, and how the one before becomes it.
const MIGRATIONS: &[(i64, &str)] = migrations! {
    1 "campaigns"
    10 "roles"
    11 "teams"
    20 "corrections"
    21 "log_of_campaigns"
    40 "searches"
    50 "previews"
    51 "tokens"
    52 "questions"
};

fn newest() -> i64 {
    MIGRATIONS.last().map_or(0, |(version, _)| *version)
}

/// Brings a database to the current version, or leaves it as it is.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::Database {
        path: path.to_owned(),
        error,
    };
    let tx = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed)?;
    let found = tx
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(failed)?;
    if found > newest() {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found,
            newest: newest(),
        });
    }
    for (version, sql) in MIGRATIONS.iter().filter(|(version, _)| *version > found) {
        tx.execute_batch(sql)
            .and_then(|()| tx.pragma_update(None, "user_version", version))
            .map_err(|error| StoreError::Migration {
                path: path.to_owned(),
                version: *version,
                error,
            })?;
    }
    tx.commit().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(connection: &Connection) -> i64 {
        connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .expect("a version")
    }

    #[test]
    fn every_file_is_a_migration() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
        assert_eq!(
            std::fs::read_dir(folder).expect("a folder").count(),
            MIGRATIONS.len()
        );
        assert!(MIGRATIONS.is_sorted_by(|(a, _), (b, _)| a < b));
    }

    #[test]
    fn each_migration_runs_once_on_the_version_before() {
        let mut connection = Connection::open_in_memory().expect("a database");
        let [(first, sql), ..] = MIGRATIONS else {
            panic!("no migrations");
        };
        connection.execute_batch(sql).expect("a first version");
        connection
            .pragma_update(None, "user_version", first)
            .expect("its number");
        for _ in 0..2 {
            migrate(&mut connection, Path::new("a.db")).expect("migrated");
            assert_eq!(version(&connection), newest());
        }
    }

    #[test]
    fn a_newer_database_is_refused_and_left_alone() {
        let mut connection = Connection::open_in_memory().expect("a database");
        connection
            .pragma_update(None, "user_version", 1_000_000)
            .expect("a version");
        let refused = migrate(&mut connection, Path::new("a.db")).expect_err("a newer version");
        let message = format!(
            "a.db: the database has version 1000000, and this program knows versions up to {}",
            newest()
        );
        assert_eq!(refused.to_string(), message);
        assert_eq!(version(&connection), 1_000_000);
    }

    #[test]
    fn a_migration_that_fails_leaves_nothing() {
        let mut connection = Connection::open_in_memory().expect("a database");
        connection
            .execute_batch("CREATE TABLE session (a)")
            .expect("a table in the way");
        let failed = migrate(&mut connection, Path::new("a.db")).expect_err("a conflict");
        assert!(
            failed
                .to_string()
                .starts_with("a.db: migration to version 1: table session"),
            "{failed}"
        );
        let tables = "SELECT count(*) FROM sqlite_schema WHERE name = 'person'";
        let count: i64 = connection
            .query_row(tables, [], |row| row.get(0))
            .expect("a count");
        assert_eq!((count, version(&connection)), (0, 0));
    }
}
