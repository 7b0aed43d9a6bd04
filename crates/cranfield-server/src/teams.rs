//! What changes a team: its name, its members, merging with another team, and extra entries.

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde::Serialize;
use serde_json::{Value, json};

use crate::audit::{self, Event};
use crate::members;
use crate::names;
use crate::policy::Access;
use crate::problem::Problem;

fn record(
    tx: &Transaction<'_>,
    access: &Access,
    by: i64,
    action: &str,
    team: i64,
    details: Value,
) -> Result<(), Problem> {
    let event = Event {
        at: access.now,
        actor: Some(by),
        campaign: Some(access.campaign.id),
        action,
        object: format!("team {}", number_of(tx, team)?),
        details,
    };
    audit::record(tx, event)
}

fn number_of(db: &Connection, team: i64) -> Result<i64, Problem> {
    let query = "SELECT number FROM team WHERE id = ?1";
    Ok(db.query_row(query, [team], |row| row.get(0))?)
}

/// The team with a number that others can still work with: neither a baseline nor part of another team.
pub(crate) fn by_number(db: &Connection, campaign: i64, number: i64) -> Result<i64, Problem> {
    let found = db
        .query_row(
            "SELECT id FROM team WHERE campaign = ?1 AND number = ?2 AND kind = 'team' AND merged_into IS NULL",
            (campaign, number),
            |row| row.get(0),
        )
        .optional()?;
    found.ok_or_else(Problem::not_found)
}

/// Gives a team another name.
pub(crate) fn rename(
    tx: &Transaction<'_>,
    access: &Access,
    by: i64,
    team: i64,
    name: &str,
) -> Result<(), Problem> {
    let taken = tx
        .query_row(
            "SELECT 1 FROM team WHERE campaign = ?1 AND name_key = ?2 AND id <> ?3",
            (access.campaign.id, names::key(name), team),
            |_| Ok(()),
        )
        .optional()?;
    if taken.is_some() {
        return Err(Problem::field("name", "Another team has this name."));
    }
    tx.execute(
        "UPDATE team SET name = ?2, name_key = ?3, changed = ?4 WHERE id = ?1",
        (team, name, names::key(name), access.now),
    )?;
    record(tx, access, by, "team.rename", team, json!({}))
}

/// Number of entries that count for the limits of some teams.
fn entries_of(db: &Connection, teams: [i64; 2]) -> Result<u32, Problem> {
    Ok(db.query_row(
        "SELECT count(*) FROM submission WHERE team IN (?1, ?2) AND state IN ('received', 'valid', 'scored')",
        teams,
        |row| row.get(0),
    )?)
}

/// Takes a person out of the team. A team with entries keeps its members, or each new team would begin with new limits.
pub(crate) fn leave(
    tx: &Transaction<'_>,
    access: &Access,
    person: i64,
    team: i64,
) -> Result<(), Problem> {
    if entries_of(tx, [team, team])? > 0 {
        let message = "A team that has sent entries keeps its members. Ask an organiser.";
        return Err(Problem::conflict("entries", message));
    }
    members::assign_team(tx, &access.campaign, person, None, person, access.now)
}

/// A team that wants to merge, or that was asked to.
#[derive(Debug, Serialize)]
pub(crate) struct Proposal {
    pub(crate) number: i64,
    pub(crate) name: String,
    /// Whether the own team asked.
    pub(crate) is_own: bool,
}

/// What was asked by and of a team.
pub(crate) fn proposals(
    db: &Connection,
    access: &Access,
    team: i64,
) -> Result<Vec<Proposal>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT t.number, t.name, m.team = ?1 FROM team_merge m
         JOIN team t ON t.id = CASE WHEN m.team = ?1 THEN m.other ELSE m.team END
         WHERE m.team = ?1 OR m.other = ?1 ORDER BY m.at, t.number",
    )?;
    let rows = query.query_map([team], |row| {
        let number: i64 = row.get(0)?;
        let name = row.get(1)?;
        Ok(Proposal {
            number,
            name: if access.hides_names() {
                format!("Team {number}")
            } else {
                name
            },
            is_own: row.get(2)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Asks another team to merge. If it has asked before, the own team becomes part of it. Returns whether it did.
pub(crate) fn propose(
    tx: &Transaction<'_>,
    access: &Access,
    by: i64,
    team: i64,
    other: i64,
) -> Result<bool, Problem> {
    if team == other {
        return Err(Problem::field("with", "This is your own team."));
    }
    check_merge(tx, access, team, other)?;
    let is_mutual = tx
        .query_row(
            "SELECT 1 FROM team_merge WHERE team = ?1 AND other = ?2",
            (other, team),
            |_| Ok(()),
        )
        .optional()?
        .is_some();
    if is_mutual {
        merge(tx, access, by, team, other)?;
        return Ok(true);
    }
    tx.execute(
        "INSERT INTO team_merge (team, other, by, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        (team, other, by, access.now),
    )?;
    let details = json!({ "with": number_of(tx, other)? });
    record(tx, access, by, "team.merge-ask", team, details)?;
    Ok(false)
}

/// Takes back what the own team asked, or declines what the other one did.
pub(crate) fn decline(
    tx: &Transaction<'_>,
    access: &Access,
    by: i64,
    team: i64,
    other: i64,
) -> Result<(), Problem> {
    let removed = tx.execute(
        "DELETE FROM team_merge WHERE (team = ?1 AND other = ?2) OR (team = ?2 AND other = ?1)",
        (team, other),
    )?;
    if removed == 0 {
        return Err(Problem::not_found());
    }
    let details = json!({ "with": number_of(tx, other)? });
    record(tx, access, by, "team.merge-decline", team, details)
}

/// Two teams may merge if one team could have sent all of their entries.
fn check_merge(db: &Connection, access: &Access, team: i64, other: i64) -> Result<(), Problem> {
    let settings = &access.campaign.settings;
    if access
        .campaign
        .dates
        .merges
        .is_some_and(|until| until <= access.now)
    {
        let message = "The time to merge teams is over.";
        return Err(Problem::conflict("deadline", message));
    }
    let members: u32 = db.query_row(
        "SELECT count(*) FROM team_member WHERE team IN (?1, ?2)",
        [team, other],
        |row| row.get(0),
    )?;
    if members > settings.team_size {
        let message = format!(
            "Together the teams have {members} members; a team has at most {}.",
            settings.team_size
        );
        return Err(Problem::conflict("size", message));
    }
    let entries = entries_of(db, [team, other])?;
    let most = (days_open(access)? * settings.entries_per_day).min(settings.entries_in_all);
    if entries > most {
        let message = format!(
            "Together the teams have sent {entries} entries; one team could have sent {most} by now."
        );
        return Err(Problem::conflict("entries", message));
    }
    Ok(())
}

/// Days since the campaign opened, today included.
fn days_open(access: &Access) -> Result<u32, Problem> {
    let zone = access.campaign.settings.time_zone()?;
    let day = |at: i64| {
        let at =
            jiff::Timestamp::from_millisecond(at).map_err(|error| Problem::internal(&error))?;
        Ok::<_, Problem>(at.to_zoned(zone.clone()).date())
    };
    let (first, today) = (day(access.campaign.dates.opens)?, day(access.now)?);
    let days = first
        .until(today)
        .map_err(|error| Problem::internal(&error))?;
    Ok(u32::try_from(days.get_days() + 1).unwrap_or(0))
}

/// Makes a team part of another one, which takes its members, entries and extra entries.
fn merge(
    tx: &Transaction<'_>,
    access: &Access,
    by: i64,
    team: i64,
    into: i64,
) -> Result<(), Problem> {
    let before: i64 = tx.query_row(
        "SELECT coalesce(max(entry), 0) FROM submission WHERE team = ?1",
        [into],
        |row| row.get(0),
    )?;
    let moved = tx.execute(
        "UPDATE submission SET team = ?2, entry = entry + ?3, idem = NULL WHERE team = ?1",
        (team, into, before),
    )?;
    // The merged team picks anew.
    tx.execute("DELETE FROM pick WHERE team IN (?1, ?2)", [team, into])?;
    tx.execute(
        "UPDATE team_member SET team = ?2 WHERE team = ?1",
        [team, into],
    )?;
    tx.execute(
        "UPDATE team_grant SET team = ?2 WHERE team = ?1",
        [team, into],
    )?;
    tx.execute(
        "UPDATE join_code SET revoked = ?2 WHERE team = ?1 AND revoked IS NULL",
        [team, access.now],
    )?;
    tx.execute("DELETE FROM team_merge WHERE ?1 IN (team, other)", [team])?;
    tx.execute("DELETE FROM team_merge WHERE ?1 IN (team, other)", [into])?;
    tx.execute(
        "UPDATE team SET merged_into = ?2, changed = ?3 WHERE id = ?1",
        [team, into, access.now],
    )?;
    // Entry n of this team is entry n + before of the other one.
    let details = json!({ "into": number_of(tx, into)?, "entries": moved, "after": before });
    record(tx, access, by, "team.merge", team, details)
}

/// Gives a team entries beyond its limits.
pub(crate) fn grant(
    tx: &Transaction<'_>,
    access: &Access,
    by: i64,
    team: i64,
    entries: u32,
    reason: &str,
) -> Result<(), Problem> {
    tx.execute(
        "INSERT INTO team_grant (team, entries, reason, by, at) VALUES (?1, ?2, ?3, ?4, ?5)",
        (team, entries, reason, by, access.now),
    )?;
    let details = json!({ "entries": entries, "reason": reason });
    record(tx, access, by, "team.grant", team, details)
}

/// Extra entries of a team: those granted since a moment, and all of them.
pub(crate) fn granted(db: &Connection, team: i64, since: i64) -> Result<(u32, u32), Problem> {
    let mut query = db.prepare_cached(
        "SELECT coalesce(sum(CASE WHEN at >= ?2 THEN entries END), 0), coalesce(sum(entries), 0) FROM team_grant WHERE team = ?1",
    )?;
    Ok(query.query_row((team, since), |row| Ok((row.get(0)?, row.get(1)?)))?)
}
