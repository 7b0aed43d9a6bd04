//! Rosters: people of a campaign as a CSV file with the columns `login`, `name`, `role` and `team`.
//!
//! A roster is planned first, which changes nothing, and applied as a whole or not at all.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::Serialize;

use crate::members;
use crate::names;
use crate::people::NewPerson;
use crate::policy::{Access, Role};
use crate::problem::Problem;

/// The most people of one roster.
const MOST_ROWS: usize = 500;
/// The most bytes of a roster.
pub(crate) const MOST_BYTES: usize = 256 << 10;

/// A row of a roster, and what would happen to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Row {
    pub(crate) line: u64,
    pub(crate) login: String,
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) team: String,
    /// What would happen; empty if nothing can.
    pub(crate) action: String,
    /// Why nothing can.
    pub(crate) error: Option<String>,
    #[serde(skip)]
    known: Option<i64>,
    #[serde(skip)]
    is_member: bool,
}

impl Row {
    /// Whether an account is made.
    pub(crate) fn is_new(&self) -> bool {
        self.known.is_none() && self.error.is_none()
    }
}

/// Reads the text of a file: UTF-8, with or without a byte order mark.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, Problem> {
    if bytes.len() > MOST_BYTES {
        return Err(Problem::too_large("A roster has at most 256 KiB."));
    }
    let refused = |before: &[u8]| {
        let line = 1 + String::from_utf8_lossy(before).matches('\n').count();
        Problem::field(
            "csv",
            format!("Line {line} is not UTF-8. Save the file as CSV UTF-8."),
        )
    };
    let text = std::str::from_utf8(bytes);
    let text = text.map_err(|error| refused(&bytes[..error.valid_up_to()]))?;
    // What a form or an editor leaves of bytes that are not UTF-8.
    if let Some(at) = text.find('\u{fffd}') {
        return Err(refused(&bytes[..at]));
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Reads a roster, and finds out what would happen to each row.
pub(crate) fn plan(db: &Connection, access: &Access, text: &str) -> Result<Vec<Row>, Problem> {
    let mut rows = read(text)?;
    let mut lines = HashMap::new();
    let mut sizes = team_sizes(db, access)?;
    for row in &mut rows {
        let key = names::key(&row.login);
        let planned = match lines.insert(key, row.line) {
            Some(line) => Err(format!("The login is in line {line} too.")),
            None => plan_row(db, access, row, &mut sizes)?,
        };
        match planned {
            Ok(action) => row.action = action,
            Err(error) => row.error = Some(error),
        }
    }
    Ok(rows)
}

fn read(text: &str) -> Result<Vec<Row>, Problem> {
    let wrong = |message: String| Problem::field("csv", message);
    let header = text.lines().next().unwrap_or_default();
    // Spreadsheets of many countries write semicolons.
    let delimiter = [b',', b';', b'\t'];
    let delimiter = delimiter
        .into_iter()
        .find(|byte| header.contains(char::from(*byte)));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or(b','))
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let columns = reader.headers().map_err(|error| wrong(error.to_string()))?;
    let columns: Vec<String> = columns.iter().map(str::to_lowercase).collect();
    let known = ["login", "name", "role", "team"];
    if let Some(other) = columns
        .iter()
        .find(|column| !known.contains(&column.as_str()))
    {
        return Err(wrong(format!(
            "The first line names the columns login, name, role and team; `{other}` is not one of them."
        )));
    }
    let place = |name: &str| columns.iter().position(|column| column == name);
    let (Some(login), Some(name)) = (place("login"), place("name")) else {
        let message = "The first line must name the columns: login,name,role,team.";
        return Err(wrong(message.into()));
    };
    let (role, team) = (place("role"), place("team"));
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(error.to_string()))?;
        let field = |place: Option<usize>| {
            place
                .and_then(|place| record.get(place))
                .unwrap_or_default()
                .to_owned()
        };
        if rows.len() == MOST_ROWS {
            return Err(wrong(format!(
                "A roster has at most {MOST_ROWS} rows. Cut it in parts."
            )));
        }
        let role = field(role).to_lowercase();
        rows.push(Row {
            line: record.position().map_or(0, csv::Position::line),
            login: field(Some(login)),
            name: field(Some(name)),
            role: if role.is_empty() {
                "participant".into()
            } else {
                role
            },
            team: field(team),
            ..Row::default()
        });
    }
    if rows.is_empty() {
        return Err(wrong("The roster has no rows below its first line.".into()));
    }
    Ok(rows)
}

/// Number of members by team.
fn team_sizes(db: &Connection, access: &Access) -> Result<BTreeMap<String, u32>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT t.name_key, count(*) FROM team t JOIN team_member m ON m.team = t.id WHERE t.campaign = ?1 GROUP BY t.id",
    )?;
    let rows = query.query_map([access.campaign.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// What would happen to a row, or why nothing can.
fn plan_row(
    db: &Connection,
    access: &Access,
    row: &mut Row,
    sizes: &mut BTreeMap<String, u32>,
) -> Result<Result<String, String>, Problem> {
    let campaign = access.campaign.id;
    let Some(role) = Role::of(&row.role) else {
        let message = "The roles are participant, observer, assistant and organiser.";
        return Ok(Err(message.into()));
    };
    if !access.handles(role) {
        return Ok(Err("Only organisers add organisers and assistants.".into()));
    }
    let checked = names::login(&row.login).and_then(|login| {
        row.login = login;
        row.name = names::checked("name", &row.name)?;
        if !row.team.is_empty() {
            row.team = names::checked("team", &row.team)?;
        }
        Ok(())
    });
    if let Err(problem) = checked {
        return Ok(Err(problem.detail));
    }
    if !row.team.is_empty() && role != Role::Participant {
        return Ok(Err("Only participants are in teams.".into()));
    }
    row.known = db
        .prepare_cached("SELECT id FROM person WHERE login_key = ?1")?
        .query_row([names::key(&row.login)], |found| found.get(0))
        .optional()?;
    let before = match row.known {
        None => None,
        Some(person) => members::role_of(db, campaign, person)?,
    };
    if let Some(before) = before
        && before != role
    {
        return Ok(Err(format!(
            "This member is {} already. Change the role on the page of people.",
            before.name()
        )));
    }
    row.is_member = before.is_some();
    let old_team = match row.known {
        None => None,
        Some(person) => members::team_of(db, campaign, person)?,
    };
    let team = if row.team.is_empty() {
        String::new()
    } else {
        let found = match members::team_named(db, campaign, &row.team) {
            Ok(found) => found,
            Err(problem) => return Ok(Err(problem.detail)),
        };
        if found.is_some() && found == old_team {
            String::new()
        } else {
            let size = sizes.entry(names::key(&row.team)).or_default();
            let is_new = found.is_none() && *size == 0;
            *size += 1;
            let most = access.campaign.settings.team_size;
            if *size > most {
                return Ok(Err(format!(
                    "The team would have more than {most} members."
                )));
            }
            let kind = if is_new { "new team" } else { "team" };
            format!("{kind} {}", row.team)
        }
    };
    let person = match (row.known, before) {
        (None, _) => "new account",
        (Some(_), None) => "known account joins",
        (Some(_), Some(_)) if team.is_empty() => "nothing changes",
        (Some(_), Some(_)) => "member changes",
    };
    Ok(Ok(if team.is_empty() {
        person.into()
    } else {
        format!("{person}, {team}")
    }))
}

/// Carries a roster out. `passwords` has the hash of a one-time password for each new account, by line.
pub(crate) fn apply(
    tx: &Transaction<'_>,
    access: &Access,
    rows: &[Row],
    passwords: &HashMap<u64, String>,
) -> Result<(), Problem> {
    let (campaign, by, now) = (&access.campaign, access.staff()?.id, access.now);
    for row in rows {
        let role = Role::of(&row.role).ok_or_else(Problem::not_found)?;
        let person = match (row.known, passwords.get(&row.line)) {
            (Some(person), _) => person,
            (None, Some(hash)) => NewPerson::with_one_time_password(&row.login, &row.name, hash)
                .insert_by(tx, by, now)?,
            (None, None) => {
                let message = "Accounts changed meanwhile. Send the roster again.";
                return Err(Problem::conflict("roster", message));
            }
        };
        if !row.is_member {
            members::add(tx, campaign, person, role, by, now)?;
        }
        if !row.team.is_empty() {
            members::assign_team(tx, campaign, person, Some(&row.team), by, now)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_may_have_any_order_and_delimiter() {
        for text in [
            "login,name,role,team\nann,Ann,participant,A\n",
            "team;name;login\nA;Ann;ann\n",
            "Login\tName\tTeam\n ann \tAnn\t\"A\"\r\n",
        ] {
            let rows = read(text).expect(text);
            let row = &rows[0];
            let fields = [&row.login, &row.name, &row.role, &row.team].map(String::as_str);
            assert_eq!(
                (rows.len(), fields),
                (1, ["ann", "Ann", "participant", "A"]),
                "{text}"
            );
            assert_eq!(row.line, 2);
        }
    }

    #[test]
    fn wrong_files_are_explained() {
        let long: String = (0..501).map(|row| format!("a{row},A\n")).collect();
        for (text, wanted) in [
            (String::new(), "must name the columns"),
            ("login,name\n".into(), "no rows"),
            ("login,name,email\na,A,b\n".into(), "`email`"),
            ("name,team\na,A\n".into(), "must name the columns"),
            ("login,name\na\n".into(), "line: 2"),
            (format!("login,name\n{long}"), "at most 500 rows"),
        ] {
            let problem = read(&text).expect_err(wanted);
            assert!(problem.detail.contains(wanted), "{}", problem.detail);
        }
    }

    #[test]
    fn text_is_utf_8_with_or_without_a_mark() {
        assert_eq!(text("\u{feff}login".as_bytes()).expect("text"), "login");
        let big5 = text(b"login,name\nann,\xb8\xb9\n").expect_err("Big5");
        assert!(big5.detail.starts_with("Line 2 "), "{}", big5.detail);
        assert!(text(&vec![b'a'; MOST_BYTES + 1]).is_err());
    }
}
