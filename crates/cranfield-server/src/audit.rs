//! The log of what was done: each row has the hash of the one before it of the same campaign, or of the server, so that a changed or missing row is
//! found.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::problem::Problem;

/// What happened. Details hold neither passwords nor tokens, grades or scores.
pub(crate) struct Event<'a> {
    pub(crate) at: i64,
    /// The person, or `None` for the server itself.
    pub(crate) actor: Option<i64>,
    pub(crate) campaign: Option<i64>,
    pub(crate) action: &'a str,
    pub(crate) object: String,
    pub(crate) details: Value,
}

/// A row of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Row {
    #[serde(skip)]
    pub(crate) id: i64,
    pub(crate) at: i64,
    pub(crate) actor: Option<i64>,
    #[serde(skip)]
    pub(crate) campaign: Option<i64>,
    pub(crate) action: String,
    pub(crate) object: String,
    pub(crate) details: String,
    /// The hash of the row before it of the same campaign, or of the server.
    pub(crate) prev: String,
    pub(crate) hash: String,
    /// Whether the actor is the number of a person on another server.
    #[serde(skip)]
    pub(crate) imported: bool,
}

impl Row {
    /// Whether this row follows the one with the hash `prev`, and is as it was written.
    pub(crate) fn follows(&self, prev: &str) -> bool {
        self.prev == prev && self.hash == self.computed_hash()
    }

    fn computed_hash(&self) -> String {
        let text = serde_json::json!([
            self.prev,
            self.at,
            self.actor,
            self.action,
            self.object,
            self.details
        ]);
        blake3::hash(text.to_string().as_bytes())
            .to_hex()
            .to_string()
    }

    pub(crate) fn insert(&self, tx: &Transaction<'_>) -> Result<(), Problem> {
        tx.prepare_cached(
            "INSERT INTO audit (id, at, actor, campaign, action, object, details, prev, hash, imported)
             VALUES ((SELECT 1 + coalesce(max(id), 0) FROM audit), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute((
            self.at,
            self.actor,
            self.campaign,
            &self.action,
            &self.object,
            &self.details,
            &self.prev,
            &self.hash,
            self.imported,
        ))?;
        Ok(())
    }
}

/// Appends an event to the log, in the transaction of the change that it describes.
pub(crate) fn record(tx: &Transaction<'_>, event: Event<'_>) -> Result<(), Problem> {
    let prev = tx
        .prepare_cached("SELECT hash FROM audit WHERE campaign IS ?1 ORDER BY id DESC LIMIT 1")?
        .query_row([event.campaign], |row| row.get(0))
        .optional()?;
    let mut row = Row {
        id: 0,
        at: event.at,
        actor: event.actor,
        campaign: event.campaign,
        action: event.action.into(),
        object: event.object,
        details: event.details.to_string(),
        prev: prev.unwrap_or_default(),
        hash: String::new(),
        imported: false,
    };
    row.hash = row.computed_hash();
    row.insert(tx)
}

/// Which rows of a log are wanted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Filter {
    /// How the action begins, such as `entry`.
    pub(crate) action: String,
    /// The number of a person.
    pub(crate) person: String,
    /// A part of the object.
    pub(crate) object: String,
    /// Rows before the one with this number.
    pub(crate) before: Option<i64>,
}

/// The rows of a campaign that a filter lets through, the newest first.
pub(crate) fn newest(
    db: &Connection,
    campaign: i64,
    filter: &Filter,
    most: u32,
) -> Result<Vec<Row>, Problem> {
    let mut query = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM audit WHERE campaign = ?1 AND (?2 IS NULL OR id < ?2)
           AND substr(action, 1, length(?3)) = ?3 AND (?4 = '' OR cast(actor AS TEXT) = ?4) AND instr(object, ?5) > 0
         ORDER BY id DESC LIMIT ?6"
    ))?;
    let key = (
        campaign,
        filter.before,
        filter.action.trim(),
        filter.person.trim(),
        filter.object.trim(),
        most,
    );
    let rows = query.query_map(key, read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

const COLUMNS: &str = "id, at, actor, campaign, action, object, details, prev, hash, imported";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        id: row.get(0)?,
        at: row.get(1)?,
        actor: row.get(2)?,
        campaign: row.get(3)?,
        action: row.get(4)?,
        object: row.get(5)?,
        details: row.get(6)?,
        prev: row.get(7)?,
        hash: row.get(8)?,
        imported: row.get(9)?,
    })
}

/// The rows of a campaign, in their order.
pub(crate) fn rows(db: &Connection, campaign: i64) -> Result<Vec<Row>, Problem> {
    let mut query = db.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM audit WHERE campaign = ?1 ORDER BY id"
    ))?;
    let rows = query.query_map([campaign], read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The first row that was changed, or that does not follow the one before it.
pub(crate) fn first_broken(db: &Connection) -> Result<Option<i64>, Problem> {
    let mut last: HashMap<Option<i64>, String> = HashMap::new();
    let mut query = db.prepare(&format!("SELECT {COLUMNS} FROM audit ORDER BY id"))?;
    for (place, row) in (1..).zip(query.query_map([], read)?) {
        let row = row?;
        let prev = last.entry(row.campaign).or_default();
        if row.id != place || !row.follows(prev) {
            return Ok(Some(row.id));
        }
        *prev = row.hash;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn log(store: &Store, campaign: Option<i64>, object: &str) {
        let event = Event {
            at: 1,
            actor: Some(7),
            campaign,
            action: "test.add",
            object: object.into(),
            details: Value::Null,
        };
        store
            .write_here(move |tx| record(tx, event))
            .expect("recorded");
    }

    fn broken_after(change: &'static str) -> Option<i64> {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("a.db")).expect("a database");
        for (campaign, object) in [
            (None, "one"),
            (Some(1), "two"),
            (Some(2), "three"),
            (Some(1), "four"),
        ] {
            log(&store, campaign, object);
        }
        store
            .write_here(move |tx| {
                tx.execute_batch("DROP TRIGGER audit_u; DROP TRIGGER audit_d;")?;
                Ok(tx.execute_batch(change)?)
            })
            .expect("changed");
        store.read_here(first_broken).expect("read")
    }

    #[test]
    fn a_changed_or_missing_row_is_found() {
        assert_eq!(broken_after(""), None);
        let change = "UPDATE audit SET object = 'too' WHERE id = 2";
        assert_eq!(broken_after(change), Some(2));
        assert_eq!(broken_after("DELETE FROM audit WHERE id = 3"), Some(4));
        let moved = "UPDATE audit SET campaign = 2 WHERE id = 4";
        assert_eq!(broken_after(moved), Some(4));
    }

    #[test]
    fn filters_choose_rows_of_one_campaign() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("a.db")).expect("a database");
        for (campaign, object) in [(1, "team 1"), (2, "team 1"), (1, "team 2"), (1, "team 12")] {
            log(&store, Some(campaign), object);
        }
        let found = |filter: &Filter, most| -> Vec<i64> {
            let rows = store.read_here(|db| newest(db, 1, filter, most));
            rows.expect("rows").iter().map(|row| row.id).collect()
        };
        let filter = |action: &str, person: &str, object: &str, before| Filter {
            action: action.into(),
            person: person.into(),
            object: object.into(),
            before,
        };
        assert_eq!(found(&Filter::default(), 10), [4, 3, 1]);
        assert_eq!(found(&Filter::default(), 2), [4, 3]);
        assert_eq!(found(&filter("", "", "", Some(3)), 2), [1]);
        assert_eq!(found(&filter("test", "7", "team 1", None), 9), [4, 1]);
        assert_eq!(found(&filter("", "8", "", None), 9), [0; 0]);
        assert_eq!(found(&filter("%", "", "", None), 9), [0; 0]);
    }
}
