//! A campaign to look at: the kitchen garden, with baselines, three teams and their entries.

use std::path::Path;
use std::sync::atomic::Ordering;

use cranfield_collection::Collection;
use cranfield_io::Source;
use rusqlite::Transaction;

use crate::campaign::Campaign;
use crate::members;
use crate::net::Stop;
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

/// Fills an empty site with a sample campaign, unless it is asked to stop. The runs are made in `folder`.
///
/// # Errors
/// If the folder cannot be written.
pub fn demo(site: &Site, folder: &Path, stop: &Stop) -> Result<Vec<Login>, ServeError> {
    let failed = |error: &dyn std::fmt::Display| ServeError::Start(error.to_string());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| failed(&error))?;
    // Passwords are hashed while the runs are made.
    let accounts = runtime.spawn(accounts());
    let experiment = cranfield_lab::demo::demo(folder).map_err(|error| failed(&error))?;
    for run in ["bm25", "bm25-long", "vsm", "ql", "rm3", "dense"] {
        if stop.is_requested() {
            return Ok(Vec::new());
        }
        let made = experiment.run(Some(&format!("run.{run}")));
        made.map_err(|error| failed(&error))?;
    }
    let collection = Collection::open(folder).map_err(|error| failed(&error))?;
    // For those who want to make more baselines.
    let offered = site.server.data.join("collections").join(SLUG);
    cranfield_lab::demo::demo(&offered).map_err(|error| failed(&error))?;
    site.server.is_demo.store(true, Ordering::Relaxed);
    let accounts = runtime.block_on(accounts).map_err(|error| failed(&error))?;
    Ok(runtime.block_on(fill(&site.server, folder, &collection, accounts?))?)
}

/// The accounts of the organiser and of one member of each team.
async fn accounts() -> Result<Vec<(Login, NewPerson)>, Problem> {
    let members = TEAMS.map(|(team, login, _)| (login, format!("is the team {team}")));
    let organiser = ("lecturer", "organises the campaign".to_owned());
    let mut accounts = Vec::new();
    for (login, role) in [organiser].into_iter().chain(members) {
        let password = secret::code()?.to_lowercase();
        let person = NewPerson::check(login, login, password.clone()).await?;
        accounts.push((
            Login {
                login,
                password,
                role,
            },
            person,
        ));
    }
    Ok(accounts)
}

async fn fill(
    server: &Server,
    folder: &Path,
    collection: &Collection,
    accounts: Vec<(Login, NewPerson)>,
) -> Result<Vec<Login>, Problem> {
    let topics = collection
        .topics()
        .map_err(|error| Problem::internal(&error))?;
    let qrels_path = folder.join("qrels.txt");
    let source = Source::open(&qrels_path).map_err(|error| Problem::internal(&error))?;
    let qrels =
        cranfield_io::read_qrels(&source, None).map_err(|error| Problem::internal(&error))?;
    let now = server.now();
    let (logins, persons): (Vec<_>, Vec<_>) = accounts.into_iter().unzip();
    let people: Vec<i64> = server
        .store
        .write(move |tx| {
            let persons = persons.iter().enumerate();
            // The organiser comes first, and may make campaigns.
            let add = |(place, person): (usize, &NewPerson)| person.insert(tx, place == 0, now);
            persons.map(add).collect()
        })
        .await?;
    let organiser = people[0];
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
    let mut baselines = Vec::new();
    for (name, run) in [("BM25", "bm25"), ("Vector space", "vsm")] {
        baselines.push((name, run_of(server, folder, run)?));
    }
    let (mut entries, mut hours) = (Vec::new(), 60);
    for ((team, _, runs), person) in TEAMS.into_iter().zip(people.into_iter().skip(1)) {
        for (place, run) in runs.iter().enumerate() {
            let run = run_of(server, folder, run)?;
            entries.push((person, team, place == 0, run, now - hours * HOUR));
            hours -= 11;
        }
    }
    server
        .store
        .write(move |tx| {
            tx.execute("UPDATE campaign SET published = ?1", [now - 72 * HOUR])?;
            for (name, run) in &baselines {
                add_baseline(tx, organiser, name, run, now - 71 * HOUR)?;
            }
            for (person, team, is_first, run, received) in &entries {
                add_entry(tx, *person, team, *is_first, run, *received)?;
            }
            Ok(())
        })
        .await?;
    server.queue.wake();
    Ok(logins)
}

fn run_of(server: &Server, folder: &Path, name: &str) -> Result<upload::Stored, Problem> {
    let bytes = std::fs::read(folder.join("out/runs").join(format!("{name}.run")))?;
    upload::keep_here(&server.data, &bytes, &format!("{name}.run"))
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
