//! The log of what was done: each row has the hash of the one before it, so that a changed or missing row is found.

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::Serialize;
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
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) at: i64,
    pub(crate) actor: Option<i64>,
    pub(crate) campaign: Option<i64>,
    pub(crate) action: String,
    pub(crate) object: String,
    pub(crate) details: String,
    pub(crate) prev: String,
    pub(crate) hash: String,
}

impl Row {
    fn computed_hash(&self) -> String {
        let text = serde_json::json!([
            self.prev,
            self.id,
            self.at,
            self.actor,
            self.campaign,
            self.action,
            self.object,
            self.details
        ]);
        blake3::hash(text.to_string().as_bytes())
            .to_hex()
            .to_string()
    }
}

/// Appends an event to the log, in the transaction of the change that it describes.
pub(crate) fn record(tx: &Transaction<'_>, event: Event<'_>) -> Result<(), Problem> {
    let last = tx
        .prepare_cached("SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1")?
        .query_row([], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        })
        .optional()?;
    let (id, prev) = last.map_or((1, String::new()), |(id, hash)| (id + 1, hash));
    let mut row = Row {
        id,
        at: event.at,
        actor: event.actor,
        campaign: event.campaign,
        action: event.action.into(),
        object: event.object,
        details: event.details.to_string(),
        prev,
        hash: String::new(),
    };
    row.hash = row.computed_hash();
    tx.prepare_cached(
        "INSERT INTO audit (id, at, actor, campaign, action, object, details, prev, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute((
        row.id,
        row.at,
        row.actor,
        row.campaign,
        &row.action,
        &row.object,
        &row.details,
        &row.prev,
        &row.hash,
    ))?;
    Ok(())
}

/// The rows of a campaign, or all of them, in their order.
pub(crate) fn rows(db: &Connection, campaign: Option<i64>) -> Result<Vec<Row>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT id, at, actor, campaign, action, object, details, prev, hash FROM audit
         WHERE ?1 IS NULL OR campaign = ?1 ORDER BY id",
    )?;
    let rows = query.query_map([campaign], |row| {
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
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The first row that was changed, or that does not follow the one before it.
pub(crate) fn first_broken(db: &Connection) -> Result<Option<i64>, Problem> {
    let mut prev = String::new();
    for (place, row) in (1..).zip(rows(db, None)?) {
        let follows = row.prev == prev && row.id == place;
        if !follows || row.hash != row.computed_hash() {
            return Ok(Some(row.id));
        }
        prev = row.hash;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn a_changed_row_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("a.db")).expect("a database");
        for object in ["one", "two", "three"] {
            let event = Event {
                at: 1,
                actor: Some(7),
                campaign: None,
                action: "test",
                object: object.into(),
                details: Value::Null,
            };
            store
                .write_here(move |tx| record(tx, event))
                .expect("recorded");
        }
        assert_eq!(store.read_here(first_broken).expect("read"), None);
        let changed = store.write_here(|tx| {
            tx.execute_batch("DROP TRIGGER audit_u; UPDATE audit SET object = 'too' WHERE id = 2")?;
            Ok(())
        });
        changed.expect("changed");
        assert_eq!(store.read_here(first_broken).expect("read"), Some(2));
    }
}
