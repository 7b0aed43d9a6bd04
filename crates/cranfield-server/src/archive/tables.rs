//! The tables of a campaign as lines of JSON. Rows refer to each other by what they are in the campaign, never by numbers of the database.

use std::collections::{BTreeSet, HashMap};

use cranfield_core::small_sort::SmallSort;
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, Transaction};
use serde_json::{Map, Value, json};

use crate::pages::campaign::hex;
use crate::problem::Problem;

/// A row, by column.
pub(crate) type Row = Map<String, Value>;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The number of the row or its campaign in the database, which an archive does not have.
    Own,
    /// A person: `P1`.
    Person,
    /// A team: its number.
    Team,
    /// An entry: `T001-E001`.
    Entry,
    /// A scoring: its place among those of the campaign, from 1.
    Scoring,
    /// What another member has.
    Elsewhere,
}

/// A table of which an archive has rows.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    filter: &'static str,
    order: &'static str,
    columns: &'static [(&'static str, Kind)],
}

const fn table(
    name: &'static str,
    order: &'static str,
    columns: &'static [(&'static str, Kind)],
) -> Table {
    let filter = "campaign = ?1";
    Table {
        name,
        filter,
        order,
        columns,
    }
}

/// A table whose rows belong to teams.
const fn of_teams(
    name: &'static str,
    order: &'static str,
    columns: &'static [(&'static str, Kind)],
) -> Table {
    let filter = "team IN (SELECT id FROM team WHERE campaign = ?1)";
    Table {
        filter,
        ..table(name, order, columns)
    }
}

/// The row of the campaign itself.
pub(crate) const CAMPAIGN: Table = Table {
    name: "campaign",
    filter: "id = ?1",
    order: "id",
    columns: &[("id", Kind::Own), ("scoring", Kind::Scoring)],
};

/// Tables in an order in which rows refer to earlier ones only, except that teams refer to teams.
pub(crate) const TABLES: &[Table] = &[
    table(
        "settings",
        "version",
        &[("campaign", Kind::Own), ("by", Kind::Person)],
    ),
    table("topic", "place", &[("campaign", Kind::Own)]),
    table(
        "qrels",
        "version",
        &[("campaign", Kind::Own), ("by", Kind::Person)],
    ),
    table(
        "split",
        "version",
        &[("campaign", Kind::Own), ("public", Kind::Elsewhere)],
    ),
    table(
        "scoring",
        "id",
        &[
            ("id", Kind::Own),
            ("campaign", Kind::Own),
            ("previous", Kind::Scoring),
        ],
    ),
    table(
        "member",
        "person, role",
        &[("campaign", Kind::Own), ("person", Kind::Person)],
    ),
    table(
        "team",
        "number",
        &[
            ("id", Kind::Own),
            ("campaign", Kind::Own),
            ("merged_into", Kind::Team),
        ],
    ),
    table(
        "team_member",
        "person",
        &[
            ("campaign", Kind::Own),
            ("person", Kind::Person),
            ("team", Kind::Team),
        ],
    ),
    table(
        "submission",
        "id",
        &[
            ("id", Kind::Own),
            ("campaign", Kind::Own),
            ("team", Kind::Team),
            ("by", Kind::Person),
        ],
    ),
    of_teams(
        "pick",
        "team, submission",
        &[("team", Kind::Team), ("submission", Kind::Entry)],
    ),
    of_teams(
        "team_merge",
        "team, other",
        &[
            ("team", Kind::Team),
            ("other", Kind::Team),
            ("by", Kind::Person),
        ],
    ),
    of_teams(
        "team_grant",
        "id",
        &[
            ("id", Kind::Own),
            ("team", Kind::Team),
            ("by", Kind::Person),
        ],
    ),
    table(
        "notice",
        "id",
        &[("id", Kind::Own), ("campaign", Kind::Own)],
    ),
];

/// The name of an entry in archives.
pub(crate) fn entry_name(team: i64, entry: i64) -> String {
    format!("T{team:03}-E{entry:03}")
}

impl Table {
    /// Whether rows have the number of their campaign.
    pub(crate) fn has_campaign(&self) -> bool {
        self.kind("campaign") == Some(Kind::Own)
    }

    fn kind(&self, column: &str) -> Option<Kind> {
        let found = self.columns.iter().find(|(name, _)| *name == column);
        found.map(|(_, kind)| *kind)
    }

    fn sql(&self, columns: &str) -> String {
        format!(
            "SELECT {columns} FROM {} WHERE {} ORDER BY {}",
            self.name, self.filter, self.order
        )
    }

    /// The rows of a campaign.
    pub(crate) fn read(
        &self,
        db: &Connection,
        campaign: i64,
        names: &Names,
    ) -> Result<Vec<Row>, Problem> {
        let mut query = db.prepare(&self.sql("*"))?;
        let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
        let mut rows = query.query([campaign])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let mut line = Row::new();
            for (at, column) in columns.iter().enumerate() {
                let value: Sql = row.get(at)?;
                let value = match (self.kind(column), value) {
                    (Some(Kind::Own | Kind::Elsewhere), _) => continue,
                    (_, Sql::Null) => Value::Null,
                    (Some(kind), Sql::Integer(id)) => names.name(kind, id)?,
                    (_, Sql::Integer(number)) => json!(number),
                    (_, Sql::Real(number)) => json!(number),
                    (_, Sql::Text(text)) => json!(text),
                    (_, Sql::Blob(bytes)) => json!({ "hex": hex(&bytes) }),
                };
                line.insert(column.clone(), value);
            }
            found.push(line);
        }
        // The order of people is that of their names here, not that of their accounts.
        found.small_sort_by_key(|row| row.get("person").and_then(Value::as_str).map(place_of));
        Ok(found)
    }

    /// Inserts a row, and returns its number in the database. A team's successor is inserted later.
    pub(crate) fn insert(
        &self,
        tx: &Transaction<'_>,
        row: &Row,
        names: &Names,
        own: &[(&str, Sql)],
    ) -> Result<i64, Problem> {
        let known: Vec<String> = tx
            .prepare_cached(&format!("SELECT * FROM {} LIMIT 0", self.name))?
            .column_names()
            .map(str::to_owned)
            .collect();
        let mut columns: Vec<(&str, Sql)> = own.to_vec();
        for (column, value) in row {
            if !known.contains(column) {
                return Err(Problem::invalid(format!(
                    "The archive has {}.{column}, which this version does not know. Use the version that wrote it.",
                    self.name
                )));
            }
            let kind = self.kind(column);
            if self.name == "team" && kind == Some(Kind::Team) {
                continue;
            }
            columns.push((column, self.value(column, value, names)?));
        }
        let list: Vec<&str> = columns.iter().map(|(column, _)| *column).collect();
        let places: Vec<String> = (1..=list.len()).map(|at| format!("?{at}")).collect();
        let values = columns.iter().map(|(_, value)| value);
        tx.execute(
            &format!(
                "INSERT INTO {} ({}) VALUES ({})",
                self.name,
                list.join(", "),
                places.join(", ")
            ),
            rusqlite::params_from_iter(values),
        )
        .map_err(|error| {
            Problem::invalid(format!(
                "A row of {} does not fit into the database: {error}",
                self.name
            ))
        })?;
        Ok(tx.last_insert_rowid())
    }

    /// The value of a column in the database.
    pub(crate) fn value(&self, column: &str, value: &Value, names: &Names) -> Result<Sql, Problem> {
        let wrong = || {
            Problem::invalid(format!(
                "{}.{column} of the archive is not valid: {value}",
                self.name
            ))
        };
        if let Some(kind) = self.kind(column).filter(|_| !value.is_null()) {
            return names
                .number(kind, value)
                .map(Sql::Integer)
                .ok_or_else(wrong);
        }
        Ok(match value {
            Value::Null => Sql::Null,
            Value::String(text) => Sql::Text(text.clone()),
            Value::Number(number) => match number.as_i64() {
                Some(number) => Sql::Integer(number),
                None => Sql::Real(number.as_f64().ok_or_else(wrong)?),
            },
            Value::Object(object) => {
                let digits = object.get("hex").and_then(Value::as_str);
                Sql::Blob(digits.and_then(unhex).ok_or_else(wrong)?)
            }
            Value::Bool(_) | Value::Array(_) => return Err(wrong()),
        })
    }

    /// The references of a row: the kind and the name of each.
    pub(crate) fn references<'r>(
        &'r self,
        row: &'r Row,
    ) -> impl Iterator<Item = (Kind, &'r Value)> {
        let columns = self.columns.iter();
        columns.filter_map(|(column, kind)| {
            let value = row.get(*column).filter(|value| !value.is_null())?;
            Some((*kind, value))
        })
    }
}

/// The place of a person: 12 for `P12`.
fn place_of(person: &str) -> u64 {
    let digits = person.strip_prefix('P').unwrap_or_default();
    digits.parse().unwrap_or_default()
}

/// The bytes of hexadecimal digits.
pub(crate) fn unhex(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| {
            let text = std::str::from_utf8(pair)
                .ok()
                .filter(|text| text.len() == 2)?;
            u8::from_str_radix(text, 16).ok()
        })
        .collect()
}

/// The names by which the rows of an archive refer to each other, and the numbers of the database that they stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    people: HashMap<String, i64>,
    teams: HashMap<i64, i64>,
    entries: HashMap<String, i64>,
    scorings: HashMap<i64, i64>,
    /// The other way round.
    backward: HashMap<(u8, i64), Value>,
}

impl Names {
    /// Names for the rows of a campaign. People are in the order of their logins if these are part of the archive, and else in that of their accounts.
    pub(crate) fn of(db: &Connection, campaign: i64, by_login: bool) -> Result<Self, Problem> {
        let mut names = Self::default();
        let mut people = BTreeSet::new();
        for table in TABLES {
            for (column, _) in table
                .columns
                .iter()
                .filter(|(_, kind)| *kind == Kind::Person)
            {
                let mut query = db.prepare(&table.sql(column))?;
                for id in query.query_map([campaign], |row| row.get::<_, i64>(0))? {
                    people.insert(id?);
                }
            }
        }
        let mut people: Vec<(String, i64)> = people
            .into_iter()
            .map(|id| {
                let query = "SELECT login_key FROM person WHERE id = ?1";
                Ok((db.query_row(query, [id], |row| row.get(0))?, id))
            })
            .collect::<Result<_, Problem>>()?;
        if by_login {
            people.sort_unstable();
        }
        for (at, (_, id)) in people.into_iter().enumerate() {
            names.add(Kind::Person, json!(format!("P{}", at + 1)), id);
        }
        let pairs = |query: &str| -> Result<Vec<(i64, i64)>, Problem> {
            let mut query = db.prepare(query)?;
            let rows = query.query_map([campaign], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        for (id, number) in pairs("SELECT id, number FROM team WHERE campaign = ?1")? {
            names.add(Kind::Team, json!(number), id);
        }
        let scorings = pairs("SELECT id, 0 FROM scoring WHERE campaign = ?1 ORDER BY id")?;
        for (number, (id, _)) in (1_i64..).zip(scorings) {
            names.add(Kind::Scoring, json!(number), id);
        }
        for (team, number) in pairs("SELECT id, number FROM team WHERE campaign = ?1")? {
            let mut query =
                db.prepare_cached("SELECT id, entry FROM submission WHERE team = ?1")?;
            let rows = query.query_map([team], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
            for row in rows {
                let (id, entry) = row?;
                names.add(Kind::Entry, json!(entry_name(number, entry)), id);
            }
        }
        Ok(names)
    }

    pub(crate) fn add(&mut self, kind: Kind, name: Value, id: i64) {
        match (kind, &name) {
            (Kind::Person, Value::String(name)) => {
                self.people.insert(name.clone(), id);
            }
            (Kind::Entry, Value::String(name)) => {
                self.entries.insert(name.clone(), id);
            }
            (Kind::Team, Value::Number(number)) => {
                self.teams
                    .extend(number.as_i64().map(|number| (number, id)));
            }
            (Kind::Scoring, Value::Number(number)) => {
                self.scorings
                    .extend(number.as_i64().map(|number| (number, id)));
            }
            _ => {}
        }
        self.backward.insert((kind as u8, id), name);
    }

    /// The name of a row.
    pub(crate) fn name(&self, kind: Kind, id: i64) -> Result<Value, Problem> {
        let found = self.backward.get(&(kind as u8, id)).cloned();
        found.ok_or_else(|| Problem::internal(&format!("{kind:?} {id} is not of the campaign")))
    }

    /// The number of a row with a name.
    pub(crate) fn number(&self, kind: Kind, name: &Value) -> Option<i64> {
        match kind {
            Kind::Person => self.people.get(name.as_str()?).copied(),
            Kind::Entry => self.entries.get(name.as_str()?).copied(),
            Kind::Team => self.teams.get(&name.as_i64()?).copied(),
            Kind::Scoring => self.scorings.get(&name.as_i64()?).copied(),
            Kind::Own | Kind::Elsewhere => None,
        }
    }

    /// People by name, in the order of their numbers.
    pub(crate) fn people(&self) -> Vec<(String, i64)> {
        let mut people: Vec<(String, i64)> = self
            .people
            .iter()
            .map(|(name, id)| (name.clone(), *id))
            .collect();
        people.small_sort_by_key(|(name, _)| place_of(name));
        people
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    /// Tables that are no part of an archive, and why.
    const OTHERS: &[&str] = &[
        // People are exported by name.
        "person",
        // Secrets.
        "session",
        "token",
        "join_code",
        // Members of their own.
        "blob",
        "score",
        "audit",
        // Made again by an import.
        "job",
        // Work of the server, whose runs are entries.
        "search",
        // For the organisers of this server.
        "question",
    ];

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("a.db")).expect("a database");
        (folder, store)
    }

    #[test]
    fn every_table_is_in_the_archive_or_known_not_to_be() {
        let (_folder, store) = store();
        let tables: Vec<String> = store
            .read_here(|db| {
                let mut query =
                    db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
                let names = query.query_map([], |row| row.get(0))?;
                Ok(names.collect::<Result<_, _>>()?)
            })
            .expect("tables");
        for table in tables {
            let is_known = OTHERS.contains(&table.as_str())
                || table == CAMPAIGN.name
                || TABLES.iter().any(|known| known.name == table);
            assert!(is_known, "add the table {table} to archives, or to OTHERS");
        }
    }

    #[test]
    fn every_reference_has_a_name_in_the_archive() {
        let (_folder, store) = store();
        for table in TABLES.iter().chain([&CAMPAIGN]) {
            let columns: Vec<String> = store
                .read_here(|db| {
                    let query = format!(
                        "SELECT \"from\" FROM pragma_foreign_key_list('{0}') WHERE \"table\" <> 'blob'
                         UNION SELECT name FROM pragma_table_info('{0}') WHERE name IN ('by', 'id')",
                        table.name
                    );
                    let mut query = db.prepare(&query)?;
                    let names = query.query_map([], |row| row.get(0))?;
                    Ok(names.collect::<Result<_, _>>()?)
                })
                .expect("columns");
            for column in columns {
                // The id of a topic is text.
                let is_topic = table.name == "topic" && column == "id";
                assert!(
                    is_topic || table.kind(&column).is_some(),
                    "{}.{column}",
                    table.name
                );
            }
        }
    }
}
