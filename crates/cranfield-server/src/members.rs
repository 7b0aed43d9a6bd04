//! Members of campaigns and teams.

use rusqlite::{Connection, OptionalExtension, Transaction};
use serde_json::{Value, json};

use crate::audit::{self, Event};
use crate::campaign::Campaign;
use crate::names;
use crate::policy::Role;
use crate::problem::Problem;

/// Records what `by` did to a person in a campaign.
pub(crate) fn record(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    by: i64,
    action: &str,
    person: i64,
    details: Value,
    now: i64,
) -> Result<(), Problem> {
    let event = Event {
        at: now,
        actor: Some(by),
        campaign: Some(campaign.id),
        action,
        object: format!("person {person}"),
        details,
    };
    audit::record(tx, event)
}

/// The role of a person.
pub(crate) fn role_of(
    db: &Connection,
    campaign: i64,
    person: i64,
) -> Result<Option<Role>, Problem> {
    let name = db
        .prepare_cached("SELECT role FROM member WHERE campaign = ?1 AND person = ?2")?
        .query_row((campaign, person), |row| row.get::<_, String>(0))
        .optional()?;
    Ok(name.and_then(|name| Role::of(&name)))
}

/// Adds a person to a campaign.
pub(crate) fn add(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    person: i64,
    role: Role,
    by: i64,
    now: i64,
) -> Result<(), Problem> {
    let added = tx.execute(
        "INSERT INTO member (campaign, person, role) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        (campaign.id, person, role.name()),
    )?;
    if added == 0 {
        let message = "You are a member of this campaign already.";
        return Err(Problem::conflict("member", message));
    }
    let details = json!({ "role": role.name() });
    record(tx, campaign, by, "member.add", person, details, now)
}

/// Gives a member another role. A campaign keeps an organiser, and only participants are in teams.
pub(crate) fn set_role(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    person: i64,
    role: Role,
    by: i64,
    now: i64,
) -> Result<(), Problem> {
    tx.execute(
        "UPDATE member SET role = ?3 WHERE campaign = ?1 AND person = ?2",
        (campaign.id, person, role.name()),
    )?;
    keep_organiser(tx, campaign)?;
    if role != Role::Participant {
        leave_team(tx, campaign, person)?;
    }
    let details = json!({ "role": role.name() });
    record(tx, campaign, by, "member.role", person, details, now)
}

/// Takes a person out of a campaign. Entries and the log stay.
pub(crate) fn remove(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    person: i64,
    by: i64,
    now: i64,
) -> Result<(), Problem> {
    leave_team(tx, campaign, person)?;
    tx.execute(
        "DELETE FROM member WHERE campaign = ?1 AND person = ?2",
        (campaign.id, person),
    )?;
    keep_organiser(tx, campaign)?;
    record(tx, campaign, by, "member.remove", person, json!({}), now)
}

fn keep_organiser(tx: &Transaction<'_>, campaign: &Campaign) -> Result<(), Problem> {
    let query = "SELECT EXISTS (SELECT 1 FROM member WHERE campaign = ?1 AND role = 'organiser')";
    if tx.query_row(query, [campaign.id], |row| row.get(0))? {
        return Ok(());
    }
    let message = "A campaign needs an organiser. Make another member an organiser first.";
    Err(Problem::conflict("organiser", message))
}

fn leave_team(tx: &Transaction<'_>, campaign: &Campaign, person: i64) -> Result<(), Problem> {
    tx.execute(
        "DELETE FROM team_member WHERE campaign = ?1 AND person = ?2",
        (campaign.id, person),
    )?;
    Ok(())
}

/// The team with a name that looks like this one; an error if members cannot be added to it.
pub(crate) fn team_named(
    db: &Connection,
    campaign: i64,
    name: &str,
) -> Result<Option<i64>, Problem> {
    let found = db
        .prepare_cached(
            "SELECT id, kind = 'team' AND merged_into IS NULL FROM team WHERE campaign = ?1 AND name_key = ?2",
        )?
        .query_row((campaign, names::key(name)), |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    match found {
        Some((_, false)) => Err(Problem::field(
            "team",
            "A baseline or a merged team has this name.",
        )),
        Some((id, true)) => Ok(Some(id)),
        None => Ok(None),
    }
}

/// Makes a team with this person as its first member.
pub(crate) fn found_team(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    person: i64,
    name: &str,
    now: i64,
) -> Result<i64, Problem> {
    if team_named(tx, campaign.id, name)?.is_some() {
        let message = "A team has this name. Choose another one, or ask a member of the team for an invitation.";
        return Err(Problem::field("team", message));
    }
    let team = add_team(tx, campaign, name, "team", now)?;
    enter_team(tx, campaign, person, team, person, now)?;
    Ok(team)
}

/// Adds a participant without a team to one.
pub(crate) fn enter_team(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    person: i64,
    team: i64,
    by: i64,
    now: i64,
) -> Result<(), Problem> {
    let (number, members): (i64, u32) = tx.query_row(
        "SELECT number, (SELECT count(*) FROM team_member WHERE team = t.id) FROM team t WHERE id = ?1 AND merged_into IS NULL",
        [team],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let most = campaign.settings.team_size;
    if members >= most {
        let message = format!("Team {number} is full: a team has at most {most} members.");
        return Err(Problem::field("team", message));
    }
    let added = tx.execute(
        "INSERT INTO team_member (campaign, person, team) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        (campaign.id, person, team),
    )?;
    if added == 0 {
        let message = "A person is in one team only. Leave the other team first.";
        return Err(Problem::conflict("team", message));
    }
    let details = json!({ "team": number });
    record(tx, campaign, by, "team.enter", person, details, now)
}

/// Puts a participant into the team with a name, which is made if there is none, or into no team.
pub(crate) fn assign_team(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    person: i64,
    name: Option<&str>,
    by: i64,
    now: i64,
) -> Result<(), Problem> {
    let wanted = match name {
        None => None,
        Some(name) => Some(match team_named(tx, campaign.id, name)? {
            Some(team) => team,
            None => add_team(tx, campaign, name, "team", now)?,
        }),
    };
    if wanted == team_of(tx, campaign.id, person)? {
        return Ok(());
    }
    leave_team(tx, campaign, person)?;
    match wanted {
        Some(team) => enter_team(tx, campaign, person, team, by, now),
        None => record(tx, campaign, by, "team.leave", person, json!({}), now),
    }
}

/// The team of a person.
pub(crate) fn team_of(db: &Connection, campaign: i64, person: i64) -> Result<Option<i64>, Problem> {
    Ok(db
        .prepare_cached("SELECT team FROM team_member WHERE campaign = ?1 AND person = ?2")?
        .query_row((campaign, person), |row| row.get(0))
        .optional()?)
}

/// Adds a team or a baseline, and returns it.
pub(crate) fn add_team(
    tx: &Transaction<'_>,
    campaign: &Campaign,
    name: &str,
    kind: &str,
    now: i64,
) -> Result<i64, Problem> {
    let id = tx.query_row(
        "INSERT INTO team (campaign, number, name, name_key, kind, created)
         VALUES (?1, (SELECT 1 + count(*) FROM team WHERE campaign = ?1), ?2, ?3, ?4, ?5) RETURNING id",
        (campaign.id, name, names::key(name), kind, now),
        |row| row.get(0),
    )?;
    Ok(id)
}
