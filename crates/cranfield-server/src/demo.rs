//! A campaign to look at: the kitchen garden, with baselines, three teams and their entries.

use std::path::Path;
use std::sync::atomic::Ordering;

use cranfield_collection::Collection;
use cranfield_io::Source;
use rusqlite::Transaction;

use crate::campaign::Campaign;
use crate::members;
use crate::pages::new::Draft;
use crate::pages::submit::{Target, insert};
use crate::people::NewPerson;
use crate::policy::{Access, Person, Role, Viewer};
use crate::problem::Problem;
use crate::serve::{ServeError, Site};
use crate::server::Server;
use crate::settings::Settings;
use crate::{secret, upload};

const HOUR: i64 = 3_600_000;
const SLUG: &str = "garden";

/// An account of the demonstration.
#[derive(Clone, Debug)]
pub struct Login {
    /// The login.
    pub login: &'static str,
    /// The password, which differs each time.
    pub password: String,
    /// What the account can do.
    pub role: String,
}

/// Teams with the login of their member and their runs.
const TEAMS: [(&str, &str, &[&str]); 3] = [
    ("Grüne Daumen", "ann", &["ql", "bm25-long"]),
    ("我們不要BM25了", "bob", &["vsm", "dense"]),
    ("Compost Heap", "cem", &["rm3"]),
];

/// Fills an empty site with a sample campaign. The runs are made in `folder`.
///
/// # Errors
/// If the folder cannot be written.
pub fn demo(site: &Site, folder: &Path) -> Result<Vec<Login>, ServeError> {
    let failed = |error: &dyn std::fmt::Display| ServeError::Start(error.to_string());
    let experiment = cranfield_lab::demo::demo(folder).map_err(|error| failed(&error))?;
    for run in ["bm25", "bm25-long", "vsm", "ql", "rm3", "dense"] {
        let made = experiment.run(Some(&format!("run.{run}")));
        made.map_err(|error| failed(&error))?;
    }
    let collection = Collection::open(folder).map_err(|error| failed(&error))?;
    // For those who want to make more baselines.
    let offered = site.server.data.join("collections").join(SLUG);
    cranfield_lab::demo::demo(&offered).map_err(|error| failed(&error))?;
    site.server.is_demo.store(true, Ordering::Relaxed);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| failed(&error))?;
    Ok(runtime.block_on(fill(&site.server, folder, &collection))?)
}

async fn fill(
    server: &Server,
    folder: &Path,
    collection: &Collection,
) -> Result<Vec<Login>, Problem> {
    let topics = collection
        .topics()
        .map_err(|error| Problem::internal(&error))?;
    let qrels_path = folder.join("qrels.txt");
    let source = Source::open(&qrels_path).map_err(|error| Problem::internal(&error))?;
    let qrels =
        cranfield_io::read_qrels(&source, None).map_err(|error| Problem::internal(&error))?;
    let mut logins = Vec::new();
    let organiser = account(
        server,
        &mut logins,
        "lecturer",
        "organises the campaign",
        true,
    )
    .await?;
    let now = server.now();
    let at = |hours: i64| {
        let time = jiff::Timestamp::from_millisecond(now + hours * HOUR).unwrap_or_default();
        time.to_zoned(jiff::tz::TimeZone::UTC)
            .datetime()
            .strftime("%Y-%m-%dT%H:%M")
            .to_string()
    };
    let draft = Draft {
        slug: SLUG.into(),
        settings: Settings {
            title: "The kitchen garden".into(),
            summary: "Find the passages that answer 30 questions about growing vegetables.".into(),
            rules: "Any method is welcome, as long as a program makes the run.\nDocuments and topics are those of the collection \
                    that the command cranfield demo writes."
                .into(),
            opens: at(-72),
            closes: at(24 * 11),
            ..Settings::default()
        },
        qrels: upload::keep_here(&server.data, source.bytes(), "qrels.txt")?,
        titles: topics.list.iter().map(|topic| (topic.id.clone(), topic.title().to_owned())).collect(),
        like: None,
    };
    let draft = draft.check(server, &qrels).await?;
    draft.create(server, organiser).await?;
    server
        .store
        .write(move |tx| {
            tx.execute("UPDATE campaign SET published = ?1", [now - 72 * HOUR])?;
            Ok(())
        })
        .await?;
    for (name, run) in [("BM25", "bm25"), ("Vector space", "vsm")] {
        let run = run_of(server, folder, run)?;
        server
            .store
            .write(move |tx| add_baseline(tx, organiser, name, &run, now - 71 * HOUR))
            .await?;
    }
    let mut hours = 60;
    for (team, login, runs) in TEAMS {
        let person = account(
            server,
            &mut logins,
            login,
            &format!("is the team {team}"),
            false,
        )
        .await?;
        for (place, run) in runs.iter().enumerate() {
            let run = run_of(server, folder, run)?;
            let received = now - hours * HOUR;
            server
                .store
                .write(move |tx| add_entry(tx, person, team, place == 0, &run, received))
                .await?;
            hours -= 11;
        }
    }
    server.queue.wake();
    Ok(logins)
}

fn run_of(server: &Server, folder: &Path, name: &str) -> Result<upload::Stored, Problem> {
    let bytes = std::fs::read(folder.join("out/runs").join(format!("{name}.run")))?;
    upload::keep_here(&server.data, &bytes, &format!("{name}.run"))
}

async fn account(
    server: &Server,
    logins: &mut Vec<Login>,
    login: &'static str,
    role: &str,
    admin: bool,
) -> Result<i64, Problem> {
    let password = secret::code()?.to_lowercase();
    let person = NewPerson::check(login, login, password.clone()).await?;
    let now = server.now();
    let id = server
        .store
        .write(move |tx| person.insert(tx, admin, now))
        .await?;
    logins.push(Login {
        login,
        password,
        role: role.into(),
    });
    Ok(id)
}

fn access_of(tx: &Transaction<'_>, person: i64, now: i64) -> Result<Access, Problem> {
    let viewer = Viewer {
        person: Some(Person::with_id(person)),
        ..Viewer::default()
    };
    Access::open(tx, &viewer, SLUG, now)
}

fn add_baseline(
    tx: &Transaction<'_>,
    person: i64,
    name: &str,
    run: &upload::Stored,
    now: i64,
) -> Result<(), Problem> {
    let access = access_of(tx, person, now)?;
    let team = members::add_team(tx, &access.campaign, name, "baseline", now)?;
    insert(
        tx,
        &Target {
            access,
            person,
            team,
        },
        run,
        "",
        true,
        None,
        now,
    )?;
    Ok(())
}

fn add_entry(
    tx: &Transaction<'_>,
    person: i64,
    team: &str,
    is_first: bool,
    run: &upload::Stored,
    now: i64,
) -> Result<(), Problem> {
    if is_first {
        let campaign = Campaign::by_slug(tx, SLUG)?;
        members::add(tx, &campaign, person, Role::Participant, person, now)?;
        members::found_team(tx, &campaign, person, team, now)?;
    }
    let access = access_of(tx, person, now)?;
    let team = access.team.ok_or_else(Problem::not_found)?;
    insert(
        tx,
        &Target {
            access,
            person,
            team,
        },
        run,
        "",
        true,
        None,
        now,
    )?;
    Ok(())
}
