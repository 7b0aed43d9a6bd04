//! Accounts, backups and checks from a terminal, while the server runs.

use axum::http::StatusCode;

use super::{Story, run};
use crate::serve::{Config, Site};
use crate::{Folder, restore};

impl Story {
    fn folder(&self) -> Folder {
        Folder::open(&self.site.server.data).expect("a folder")
    }
}

#[tokio::test]
async fn accounts_are_added_and_disabled_while_the_server_runs() {
    let story = Story::new();
    let folder = story.folder();
    let password = folder.add_user("ann", "Ann Lee", true).expect("added");
    assert!(folder.add_user("ANN", "Ann", false).is_err());
    let sign_in = async |password: &str| {
        let form = [("login", "ann"), ("password", password)];
        let form = serde_urlencoded::to_string(form).expect("a form");
        story.post("", "/login", form).await
    };
    let session = sign_in(&password).await;
    assert_eq!(session.status, StatusCode::SEE_OTHER, "{}", session.text);
    // A one-time password has to be changed before anything else.
    let home = story.get(&session.cookie, "/new").await;
    assert_eq!(home.status, StatusCode::FORBIDDEN);
    let again = folder.reset_password("ann").expect("a password");
    assert_eq!(
        sign_in(&password).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let me = story.get(&session.cookie, "/me").await;
    assert_eq!(me.status, StatusCode::UNAUTHORIZED);
    let session = sign_in(&again).await;
    assert_eq!(session.status, StatusCode::SEE_OTHER);
    folder.disable("ann").expect("disabled");
    let me = story.get(&session.cookie, "/me").await;
    assert_eq!(me.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        sign_in(&again).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let error = folder.disable("nemo").expect_err("nobody").to_string();
    assert_eq!(error, "There is no account with the login nemo.");
    assert_eq!(folder.check().expect("checked"), [""; 0]);
}

#[tokio::test]
async fn a_backup_of_a_running_server_is_restored_whole() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    story.submit(&team, &run(2)).await;
    story.settle().await;
    let place = tempfile::tempdir().expect("a folder");
    let (backup, restored) = (place.path().join("backup"), place.path().join("restored"));
    // The judgements and one run, then another.
    assert_eq!(story.folder().backup(&backup).expect("a backup"), 2);
    story.submit(&team, &run(3)).await;
    story.settle().await;
    assert_eq!(story.folder().backup(&backup).expect("a backup"), 3);
    let board = story.get(&prof, "/api/v1/c/hw1/board").await.json();
    restore(&backup, &restored).expect("restored");
    assert!(restore(&backup, &restored).is_err(), "over a folder in use");
    let folder = Folder::open(&restored).expect("a folder");
    assert_eq!(folder.check().expect("checked"), [""; 0]);
    drop(folder);
    let config = Config {
        data: restored.clone(),
        public_url: None,
    };
    let site = Site::open(&config).expect("a site");
    site.server.advance(60_000);
    let other = Story {
        app: site.app(),
        site,
        _folder: tempfile::tempdir().expect("a folder"),
    };
    let same = other.get(&prof, "/api/v1/c/hw1/board").await.json();
    assert_eq!(same["rows"], board["rows"]);
    drop(other);
    // A changed file is named by the check, and a backup that has one is not restored.
    let blob = |folder: &std::path::Path| {
        let text = std::fs::read_to_string(backup.join("MANIFEST.blake3")).expect("a manifest");
        let name = text.split_once("  ").expect("a line").1;
        folder.join(name.lines().next().expect("a name"))
    };
    std::fs::write(blob(&restored), "changed").expect("written");
    let folder = Folder::open(&restored).expect("a folder");
    let name = blob(&restored).display().to_string();
    assert_eq!(
        folder.check().expect("checked"),
        [format!("{name}: the file was changed")]
    );
    std::fs::write(blob(&backup), "changed").expect("written");
    let target = place.path().join("other");
    let error = restore(&backup, &target).expect_err("damaged").to_string();
    assert_eq!(error, format!("{} is damaged", blob(&backup).display()));
    assert!(!target.exists());
    // What is not a backup is left alone.
    let error = story.folder().backup(&restored).expect_err("used");
    assert!(error.to_string().contains("is not empty and has no backup"));
}

#[tokio::test]
async fn a_changed_log_and_dangling_rows_are_found() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let data = story.site.server.data.join("cranfield.db");
    let db = rusqlite::Connection::open(data).expect("a database");
    db.execute_batch(
        "PRAGMA foreign_keys = OFF; DROP TRIGGER audit_u; UPDATE audit SET object = 'x' WHERE id = 2;
         INSERT INTO notice (campaign, at, text) VALUES (99, 0, '')",
    )
    .expect("changed");
    let problems = story.folder().check().expect("checked");
    assert_eq!(
        problems,
        [
            "database: row 1 of notice refers to a row of campaign that is missing",
            "log: row 2 was changed, or one before it is missing"
        ]
    );
}
