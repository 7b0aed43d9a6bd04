//! What organisers do: change settings, and publish, freeze and release a campaign.

use askama::Template;
use axum::extract::State;
use rusqlite::{Connection, Transaction};
use serde::Serialize;
use serde_json::json;

use crate::audit::{self, Event};
use crate::phase::{Phase, freeze};
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::settings::{Audience, FinalTopics, Ladder, Names, Settings};
use crate::web::{Done, Path, Shown, view};

/// What needs attention, and what can be done.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the page shows"
)]
#[derive(Serialize, Template)]
#[template(path = "admin.html")]
pub(crate) struct Cockpit {
    slug: String,
    title: String,
    phase: &'static str,
    is_draft: bool,
    is_open: bool,
    may_freeze: bool,
    may_release: bool,
    is_released: bool,
    topics: usize,
    public_topics: usize,
    measures: Vec<String>,
    /// The dates in their order.
    dates: Vec<Date>,
    attention: Vec<Hint>,
    /// What a draft needs before it is published.
    checklist: Vec<Hint>,
    /// What others see: each switch with its value.
    switches: Vec<Switch>,
    teams: Vec<TeamLine>,
    entries: i64,
    waiting: i64,
    is_organiser: bool,
}

/// A date of the campaign.
#[derive(Serialize)]
struct Date {
    what: &'static str,
    at: String,
    /// Such as `in 3 days`.
    distance: String,
}

/// Something to look at, and where.
#[derive(Serialize)]
struct Hint {
    text: String,
    href: String,
    done: bool,
}

/// A setting that decides what others see.
#[derive(Serialize)]
struct Switch {
    what: &'static str,
    value: &'static str,
}

/// A team in the cockpit.
#[derive(Serialize)]
struct TeamLine {
    number: i64,
    name: String,
    kind: String,
    entries: i64,
    invalid: i64,
    /// Whether it takes part: baselines and merged teams do not.
    takes_part: bool,
}

view! {
    Cockpit: |page| format!("Organise {}", page.title), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn cockpit(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            access.staff()?;
            cockpit_page(db, &access)
        })
        .await?;
    Ok(page.into())
}

fn cockpit_page(db: &Connection, access: &Access) -> Result<Cockpit, Problem> {
    let campaign = &access.campaign;
    let mut query = db.prepare_cached(
        "SELECT t.number, t.name, t.kind, count(e.id), coalesce(sum(e.state = 'invalid'), 0),
                t.kind = 'team' AND t.merged_into IS NULL
         FROM team t LEFT JOIN submission e ON e.team = t.id WHERE t.campaign = ?1 GROUP BY t.id ORDER BY t.number",
    )?;
    let teams = query.query_map([campaign.id], |row| {
        Ok(TeamLine {
            number: row.get(0)?,
            name: row.get(1)?,
            kind: row.get(2)?,
            entries: row.get(3)?,
            invalid: row.get(4)?,
            takes_part: row.get(5)?,
        })
    })?;
    let teams: Vec<TeamLine> = teams.collect::<Result<_, _>>()?;
    let (entries, waiting) = db.query_row(
        "SELECT count(*), coalesce(sum(state = 'received'), 0) FROM submission WHERE campaign = ?1",
        [campaign.id],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let public = campaign.public_topics(db)?;
    Ok(Cockpit {
        slug: campaign.slug.clone(),
        title: campaign.settings.title.clone(),
        phase: access.phase.title(),
        is_draft: access.phase == Phase::Draft,
        is_open: access.phase.takes_entries(),
        may_freeze: access.phase == Phase::Open,
        may_release: access.phase == Phase::Closed,
        is_released: access.phase == Phase::Released,
        topics: public.len(),
        public_topics: public.iter().filter(|public| **public).count(),
        measures: campaign.settings.measures.clone(),
        dates: dates(access),
        attention: attention(db, access)?,
        checklist: if access.phase == Phase::Draft {
            checklist(db, access, public.len())?
        } else {
            Vec::new()
        },
        switches: switches(&campaign.settings),
        teams,
        entries,
        waiting,
        is_organiser: access.is_organiser(),
    })
}

/// The dates that are set, in their order.
fn dates(access: &Access) -> Vec<Date> {
    let campaign = &access.campaign;
    let mut dates: Vec<(i64, &'static str)> = [
        (Some(campaign.dates.opens), "entries begin"),
        (freeze(campaign.frozen, campaign.dates), "the board freezes"),
        (campaign.dates.merges, "teams may no longer merge"),
        (Some(campaign.dates.closes), "entries end"),
        (campaign.released, "released"),
    ]
    .into_iter()
    .filter_map(|(at, what)| Some((at?, what)))
    .collect();
    dates.sort_unstable();
    let date = |(at, what)| Date {
        what,
        at: campaign.date(at),
        distance: distance(at - access.now),
    };
    dates.into_iter().map(date).collect()
}

/// How far away a moment is, in the largest unit of which there are two.
fn distance(milliseconds: i64) -> String {
    let minutes = milliseconds.abs() / 60_000;
    let (count, unit) = match minutes {
        0..120 => (minutes, "minutes"),
        120..2880 => (minutes / 60, "hours"),
        _ => (minutes / 1440, "days"),
    };
    if milliseconds < 0 {
        format!("{count} {unit} ago")
    } else {
        format!("in {count} {unit}")
    }
}

/// What staff should look at.
fn attention(db: &Connection, access: &Access) -> Result<Vec<Hint>, Problem> {
    let campaign = access.campaign.id;
    let count = |query: &str| db.query_row(query, [campaign], |row| row.get::<_, i64>(0));
    let place = format!("/c/{}/admin", access.campaign.slug);
    let mut hints = Vec::new();
    let mut hint = |text: String, page: &str| {
        hints.push(Hint {
            text,
            href: format!("{place}/{page}"),
            done: false,
        });
    };
    let entries = |count: i64| {
        if count == 1 {
            "1 entry".to_owned()
        } else {
            format!("{count} entries")
        }
    };
    let failed = count("SELECT count(*) FROM submission WHERE campaign = ?1 AND state = 'failed'")?;
    if failed > 0 {
        let text = format!(
            "{} failed on the side of the server. Its log has the cause; queue them again when it is gone.",
            entries(failed)
        );
        hint(text, "entries?state=failed");
    }
    let oldest = count(
        "SELECT coalesce(min(j.created), 9223372036854775807) FROM job j JOIN submission e ON e.id = j.submission
         WHERE e.campaign = ?1 AND j.state IN ('queued', 'running') AND j.scoring IS NULL",
    )?;
    let waited = access.now.saturating_sub(oldest) / 60_000;
    if waited >= 1 {
        let text = format!("The oldest entry in the queue has waited for {waited} min.");
        hint(text, "entries?state=received");
    }
    let asked = count(
        "SELECT count(DISTINCT q.submission) FROM question q JOIN submission e ON e.id = q.submission
         WHERE e.campaign = ?1 AND e.rejected IS NULL AND e.withdrawn IS NULL",
    )?;
    if asked > 0 {
        let text = format!(
            "{}: the same as another team's, or too good to be true?",
            entries(asked)
        );
        hint(text, "entries?state=question");
    }
    if access.is_organiser() {
        let previews = count(
            "SELECT count(*) FROM scoring WHERE campaign = ?1 AND applied IS NULL AND cancelled IS NULL",
        )?;
        if previews > 0 {
            let text = "A version of the judgements waits to be applied or cancelled.";
            hint(text.into(), "qrels");
        }
        let search = "SELECT coalesce((SELECT state = 'failed' FROM search WHERE campaign = ?1 ORDER BY id DESC LIMIT 1), 0)";
        if count(search)? != 0 {
            hint("The last search for baselines failed.".into(), "baselines");
        }
    }
    if access.phase.takes_entries() && !may_join(db, access)? {
        let text = "No one can take part yet: make a code, or add a roster.";
        hint(text.into(), "people");
    }
    Ok(hints)
}

/// Whether there are participants, or codes for some.
fn may_join(db: &Connection, access: &Access) -> Result<bool, Problem> {
    let query = "SELECT EXISTS (SELECT 1 FROM member WHERE campaign = ?1 AND role = 'participant') OR EXISTS (
        SELECT 1 FROM join_code WHERE campaign = ?1 AND role = 'participant' AND revoked IS NULL AND expires > ?2 AND uses < most_uses)";
    let key = (access.campaign.id, access.now);
    Ok(db.query_row(query, key, |row| row.get(0))?)
}

/// What a draft needs before it is published.
fn checklist(db: &Connection, access: &Access, topics: usize) -> Result<Vec<Hint>, Problem> {
    let campaign = &access.campaign;
    let query = "SELECT count(DISTINCT t.id) FROM team t JOIN submission e ON e.team = t.id WHERE t.campaign = ?1 AND t.kind = 'baseline'";
    let baselines: i64 = db.query_row(query, [campaign.id], |row| row.get(0))?;
    let has_rules = !campaign.settings.rules.trim().is_empty();
    let is_over = campaign.dates.closes <= access.now;
    let may_join = may_join(db, access)?;
    let dates = format!(
        "entries from {} to {}",
        campaign.date(campaign.dates.opens),
        campaign.date(campaign.dates.closes)
    );
    let of_baselines = match baselines {
        0 => "No baselines yet, which teams can compare with".into(),
        1 => "1 baseline".into(),
        _ => format!("{baselines} baselines"),
    };
    let of_rules = if has_rules {
        "Rules"
    } else {
        "No rules yet: what is allowed, and where the documents and topics are"
    };
    let of_dates = if is_over {
        format!("Dates: {dates}, which is over")
    } else {
        format!("Dates: {dates}")
    };
    let of_people = if may_join {
        "Participants, or a code for them"
    } else {
        "No one can take part yet: make a code, or add a roster"
    };
    let lines = [
        (true, format!("Judgements of {topics} topics"), "qrels"),
        (baselines > 0, of_baselines, "baselines"),
        (has_rules, of_rules.into(), "settings"),
        (!is_over, of_dates, "settings"),
        (may_join, of_people.into(), "people"),
    ];
    let hint = |(done, text, page): (bool, String, &str)| Hint {
        text,
        href: format!("/c/{}/admin/{page}", campaign.slug),
        done,
    };
    Ok(lines.into_iter().map(hint).collect())
}

/// What others see, in the words of the form of the settings.
fn switches(settings: &Settings) -> Vec<Switch> {
    let audience = |audience| match audience {
        Audience::Everyone => "everyone",
        Audience::Members => "members",
        Audience::Organisers => "organisers",
    };
    let names = match settings.names {
        Names::Real => "shown",
        Names::Numbers => "replaced by numbers",
    };
    let own_score = match (settings.own_score, settings.ladder) {
        (false, _) => "hidden",
        (true, Ladder::Off) => "shown to the team",
        (true, _) => "shown as steps of the board only",
    };
    let late = match (settings.accept_late, settings.count_late) {
        (false, _) => "rejected",
        (true, false) => "accepted without a rank",
        (true, true) => "ranked",
    };
    let final_on = match settings.final_on {
        FinalTopics::Private => "from private topics",
        FinalTopics::All => "from all topics",
    };
    let switches = [
        ("board before the release", audience(settings.board)),
        ("names of teams", names),
        ("scores of the own entries", own_score),
        ("late entries", late),
        ("final board", final_on),
        (
            "judgements after the release",
            audience(settings.release_qrels),
        ),
        ("runs after the release", audience(settings.release_runs)),
    ];
    let switch = |(what, value)| Switch { what, value };
    switches.into_iter().map(switch).collect()
}

pub(super) fn record(
    tx: &Transaction<'_>,
    access: &Access,
    person: i64,
    action: &str,
    details: serde_json::Value,
) -> Result<(), Problem> {
    let event = Event {
        at: access.now,
        actor: Some(person),
        campaign: Some(access.campaign.id),
        action,
        object: access.campaign.slug.clone(),
        details,
    };
    audit::record(tx, event)
}

/// Sets one of the moments of a campaign to now, if its phase allows it.
async fn mark(
    server: Server,
    viewer: Viewer,
    slug: String,
    action: &'static str,
    column: &'static str,
    allowed: fn(Phase) -> bool,
    why: &'static str,
) -> Result<Done, Problem> {
    let (now, place) = (server.now(), format!("/c/{slug}/admin"));
    server
        .store
        .write(move |tx| {
            let access = Access::open(tx, &viewer, &slug, now)?;
            let person = access.organiser()?.id;
            if !allowed(access.phase) {
                return Err(Problem::conflict("phase", why));
            }
            tx.execute(
                &format!("UPDATE campaign SET {column} = ?2 WHERE id = ?1"),
                (access.campaign.id, now),
            )?;
            record(tx, &access, person, action, json!({}))
        })
        .await?;
    Ok(Done::at(place))
}

pub(crate) async fn publish(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_draft = |phase| phase == Phase::Draft;
    mark(
        server,
        viewer,
        slug,
        "campaign.publish",
        "published",
        is_draft,
        "The campaign is public already.",
    )
    .await
}

pub(crate) async fn freeze_board(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_open = |phase| phase == Phase::Open;
    mark(
        server,
        viewer,
        slug,
        "campaign.freeze",
        "frozen",
        is_open,
        "Only the board of an open campaign can be frozen.",
    )
    .await
}

pub(crate) async fn release(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Done, Problem> {
    let is_closed = |phase| phase == Phase::Closed;
    let why = "A campaign is released after its end. Change the end first if it should be earlier.";
    mark(
        server,
        viewer,
        slug,
        "campaign.release",
        "released",
        is_closed,
        why,
    )
    .await
}
