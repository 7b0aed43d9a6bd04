//! Archives: written, verified, damaged, and imported.

use std::path::{Path, PathBuf};

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt;

use super::{Story, run};
use crate::archive::{import, zip};
use crate::{Verified, verify};

const CORRECTED: &str =
    "1 0 canary-1 1\n1 0 x 0\n2 0 canary-2 1\n3 0 canary-3 1\n4 0 canary-4 0\n4 0 z 1\n";

impl Story {
    async fn bytes(&self, cookie: &str, path: &str) -> (StatusCode, Vec<u8>) {
        let request = Request::get(path)
            .header(header::COOKIE, cookie)
            .body(Body::empty())
            .expect("a request");
        let response = self.app.clone().oneshot(request).await.expect("an answer");
        let status = response.status();
        let bytes = to_bytes(response.into_body(), usize::MAX).await;
        (status, bytes.expect("a body").to_vec())
    }

    async fn download(&self, cookie: &str, name: &str) -> Vec<u8> {
        let (status, bytes) = self.bytes(cookie, &format!("/c/hw1/{name}")).await;
        assert_eq!(status, StatusCode::OK);
        bytes
    }
}

/// A class with a correction, a pick, a withdrawn and an invalid entry.
async fn class() -> (Story, String, [String; 2]) {
    class_with(&[]).await
}

async fn class_with(settings: &[(&str, &str)]) -> (Story, String, [String; 2]) {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, settings).await;
    let first = story.team(&prof, "ann", "M10915010_盧克函").await;
    let second = story.team(&prof, "bob", "B").await;
    for (team, text) in [
        (&first, run(4)),
        (&first, run(1)),
        (&second, run(3)),
        (&second, "1 Q0 a 1 one t\n".to_owned()),
    ] {
        story.submit(team, &text).await;
    }
    story.settle().await;
    story.post(&first, "/c/hw1/team/1/2/withdraw", "").await;
    story.post(&second, "/c/hw1/team/picks", "entries=1").await;
    let fields = [
        ("qrels", Some("v2.txt"), CORRECTED),
        ("reason", None, "Topic 4 was judged wrongly"),
    ];
    story.upload(&prof, "/c/hw1/admin/qrels", &fields).await;
    story.settle().await;
    let applied = story.post(&prof, "/c/hw1/admin/scorings/2/apply", "").await;
    assert_eq!(applied.status, StatusCode::SEE_OTHER, "{}", applied.text);
    (story, prof, [first, second])
}

fn written(folder: &Path, bytes: &[u8]) -> PathBuf {
    let path = folder.join("a.zip");
    std::fs::write(&path, bytes).expect("written");
    path
}

fn checked(folder: &Path, bytes: &[u8], rescore: bool) -> Verified {
    verify(&written(folder, bytes), rescore).expect("read")
}

#[tokio::test]
async fn a_full_archive_is_the_same_each_time_and_has_the_same_bits() {
    let (story, prof, _) = class().await;
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = story.download(&prof, "admin/full.zip").await;
    assert_eq!(bytes, story.download(&prof, "admin/full.zip").await);
    let verified = checked(folder.path(), &bytes, true);
    assert_eq!(verified.damaged, [""; 0]);
    assert_eq!(verified.differing, [""; 0]);
    assert_eq!((verified.entries, verified.rescored), (4, 6));
    assert_eq!((&*verified.campaign, &*verified.profile), ("hw1", "full"));
    // Logins and names of people are in it only if asked for.
    let has = |bytes: &[u8], text: &str| {
        bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(!has(&bytes, "\"ann\"") && !has(&bytes, "Prof"));
    let named = story.download(&prof, "admin/full.zip?people=true").await;
    assert!(has(&named, "\"login\":\"ann\""));
}

#[tokio::test]
async fn a_flipped_bit_in_any_member_is_found_and_named() {
    let (story, prof, _) = class().await;
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = story.download(&prof, "admin/full.zip").await;
    let opened = zip::open(&written(folder.path(), &bytes)).expect("opened");
    assert!(opened.members.len() > 15, "{:?}", opened.members.keys());
    for (name, content) in &opened.members {
        let zip::Content::Part { start, length, .. } = content else {
            panic!("{name} is not in the file");
        };
        if *length == 0 {
            continue;
        }
        for at in [*start, start + length / 2, start + length - 1] {
            let mut damaged = bytes.clone();
            damaged[at as usize] ^= 4;
            let verified = checked(folder.path(), &damaged, false);
            let is_named = verified
                .damaged
                .iter()
                .any(|text| text.starts_with(&format!("{name}: ")));
            assert!(is_named, "{name}: {:?}", verified.damaged);
        }
    }
}

/// The archive with one member changed, and a manifest that fits.
fn forged(folder: &Path, bytes: &[u8], member: &str, from: &str, to: &str) -> Vec<u8> {
    let mut members = zip::open(&written(folder, bytes)).expect("opened").members;
    members.remove(zip::MANIFEST);
    let text = String::from_utf8(members[member].read().expect("read")).expect("text");
    assert!(text.contains(from), "{text}");
    let changed = zip::Content::Bytes(text.replacen(from, to, 1).into_bytes());
    members.insert(member.into(), changed);
    let mut out = Vec::new();
    zip::write(members, &mut out).expect("written");
    out
}

#[tokio::test]
async fn forged_archives_with_a_new_manifest_are_found() {
    let (story, prof, _) = class().await;
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = story.download(&prof, "admin/full.zip").await;
    let damaged = |member: &str, from: &str, to: &str| {
        let forged = forged(folder.path(), &bytes, member, from, to);
        // Written before the check, which reads the same path.
        checked(folder.path(), &forged, false).damaged
    };
    for (member, from, to) in [
        ("audit.jsonl", "entry.withdraw", "entry.accepted"),
        ("runs/T001-E001.run", "canary-4", "canary-5"),
        ("qrels/v002.qrels", "canary-3 1", "canary-3 0"),
        ("tables/pick.jsonl", "T002-E001", "T002-E009"),
        ("tables/team_member.jsonl", "\"P2\"", "\"P9\""),
        ("campaign.toml", "title = \"HW1\"", "title = \"HW2\""),
    ] {
        let found = damaged(member, from, to);
        assert!(
            found[0].starts_with(&format!("{member}: ")),
            "{member}: {found:?}"
        );
    }
    let moved = damaged("split/v001.tsv", "private", "public");
    assert_eq!(
        moved,
        ["split/v001.tsv: it does not match the commitment that was published"]
    );
    // A changed score is consistent, and scoring again finds it.
    let forged = forged(
        folder.path(),
        &bytes,
        "scores/s001.jsonl",
        "\"overall\":1.0",
        "\"overall\":0.9",
    );
    let verified = checked(folder.path(), &forged, true);
    assert_eq!(verified.damaged, [""; 0]);
    assert_eq!(verified.differing, ["scores/s001.jsonl: T001-E001, RR"]);
}

#[tokio::test]
async fn a_damaged_or_forged_archive_is_not_imported() {
    let (story, prof, _) = class().await;
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = story.download(&prof, "admin/full.zip").await;
    let other = Story::new();
    let forge = |member, from, to| forged(folder.path(), &bytes, member, from, to);
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    for (name, archive) in [
        ("flipped", flipped),
        ("cut", bytes[..bytes.len() / 2].to_vec()),
        ("run", forge("runs/T001-E001.run", "canary-4", "canary-5")),
        (
            "log",
            forge("audit.jsonl", "entry.withdraw", "entry.accepted"),
        ),
        ("pick", forge("tables/pick.jsonl", "T002-E001", "T002-E009")),
        ("split", forge("split/v001.tsv", "private", "public")),
        ("no archive", story.download(&prof, "admin/qrels/1").await),
    ] {
        let path = written(folder.path(), &archive);
        let refused = import::import(&other.site.server, &path, None).expect_err(name);
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
    }
    let blobs = std::fs::read_dir(other.site.server.data.join("blobs"));
    assert_eq!(blobs.expect("a folder").count(), 0);
    let found = other.site.server.store.read_here(|db| {
        Ok(db.query_row("SELECT count(*) FROM campaign", [], |row| {
            row.get::<_, i64>(0)
        })?)
    });
    assert_eq!(found.expect("a count"), 0);
}

#[tokio::test]
async fn an_import_exports_the_same_bytes() {
    for query in ["", "?people=true"] {
        let (story, prof, _) = class().await;
        let folder = tempfile::tempdir().expect("a folder");
        let bytes = story
            .download(&prof, &format!("admin/full.zip{query}"))
            .await;
        let path = written(folder.path(), &bytes);
        let board = story.get(&prof, "/api/v1/c/hw1/board?part=final").await;
        // The other server has an account already.
        let other = Story::new();
        other.site.server.advance(3_600_000);
        let root = other.organiser().await;
        let slug = import::import(&other.site.server, &path, None).expect("imported");
        assert_eq!(slug, "hw1");
        let again = import::import(&other.site.server, &path, None).expect_err("a second import");
        assert_eq!(again.status, StatusCode::CONFLICT);
        let exported = exported(&other, !query.is_empty());
        assert!(exported == bytes, "{query}");
        let broken = other
            .site
            .server
            .store
            .read_here(crate::audit::first_broken);
        assert_eq!(broken.expect("a log"), None);
        // Once there is an organiser, the boards are seen to be equal.
        let joined = other.site.server.store.write_here(|tx| {
            let id: i64 = tx.query_row("SELECT id FROM person WHERE login = 'prof'", [], |row| row.get(0))?;
            Ok(tx.execute(
                "INSERT INTO member (campaign, person, role) VALUES (1, ?1, 'organiser') ON CONFLICT DO NOTHING",
                [id],
            )?)
        });
        joined.expect("joined");
        let imported = other.get(&root, "/api/v1/c/hw1/board?part=final").await;
        assert_eq!(imported.json()["rows"], board.json()["rows"]);
    }
}

fn exported(story: &Story, with_people: bool) -> Vec<u8> {
    let server = &story.site.server;
    let exported = server.store.read_here(|db| {
        let campaign = crate::campaign::Campaign::by_slug(db, "hw1")?;
        let members = crate::archive::export::full(db, &server.data, &campaign, with_people)?;
        let mut out = Vec::new();
        zip::write(members, &mut out)?;
        Ok(out)
    });
    exported.expect("exported")
}

#[tokio::test]
async fn archives_of_teams_and_of_everyone_have_what_they_may_see() {
    let (story, prof, [first, second]) = class().await;
    let folder = tempfile::tempdir().expect("a folder");
    for (cookie, name) in [
        ("", "admin/full.zip"),
        (&first, "admin/full.zip"),
        (&first, "public.zip"),
        (&prof, "public.zip"),
    ] {
        let (status, _) = story.bytes(cookie, &format!("/c/hw1/{name}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{name}");
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let own = story.download(&second, "team.zip").await;
    assert_eq!(checked(folder.path(), &own, true).damaged, [""; 0]);
    let own = text(&own);
    assert!(own.contains("runs/T002-E001.run") && own.contains("\"public\""));
    for hidden in [
        "T001",
        "盧克函",
        "\"private\"",
        "commitment",
        "seed",
        "canary-4",
    ] {
        assert!(!own.contains(hidden), "{hidden}");
    }
}

#[tokio::test]
async fn the_archive_of_everyone_has_what_the_settings_release() {
    let folder = tempfile::tempdir().expect("a folder");
    let released = async |settings: &[(&str, &str)]| {
        let (story, prof, _) = class_with(settings).await;
        story.site.server.advance(11 * 3_600_000);
        story.post(&prof, "/c/hw1/admin/release", "").await;
        let reader = story.download("", "public.zip").await;
        (reader, story.download(&prof, "public.zip").await)
    };
    let check = |bytes: &[u8], there: &[&str], hidden: &[&str], rescored: usize| {
        let verified = checked(folder.path(), bytes, true);
        assert_eq!(verified.damaged, [""; 0]);
        assert_eq!(verified.differing, [""; 0]);
        assert_eq!(verified.rescored, rescored);
        let text = String::from_utf8_lossy(bytes);
        for part in there {
            assert!(text.contains(part), "{part}");
        }
        let never = ["\"P1\"", "T001-E002", "one t", "audit", "v001.qrels"];
        for part in hidden.iter().chain(&never) {
            assert!(!text.contains(part), "{part}");
        }
    };
    let always = ["盧克函", "\"private\"", "nonce", "T002-E001"];
    // By default the judgements, but not the runs.
    let (reader, organiser) = released(&[]).await;
    check(
        &reader,
        &[&always[..], &["qrels/v002.qrels", "\"topics\""]].concat(),
        &["runs/"],
        0,
    );
    check(
        &organiser,
        &[&always[..], &["runs/T002-E001.run"]].concat(),
        &[],
        2,
    );
    let (reader, _) = released(&[("release_qrels", "organisers")]).await;
    check(&reader, &always, &["canary", "runs/", "\"topics\""], 0);
    let (reader, _) = released(&[("release_runs", "everyone")]).await;
    check(
        &reader,
        &[&always[..], &["runs/T001-E001.run"]].concat(),
        &[],
        2,
    );
}
