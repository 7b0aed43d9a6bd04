//! Files and clients that mean harm.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use super::{Answer, Story, run};
use crate::net::{Patience, accept};

/// A server on a real port. It stops when the sender is used or dropped.
async fn listening(
    story: &Story,
    patience: Patience,
) -> (SocketAddr, oneshot::Sender<()>, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = oneshot::channel();
    let (app, server) = (story.app.clone(), Arc::clone(&story.site.server));
    let task = tokio::spawn(async move {
        let stop = async move {
            let _ = stopped.await;
            server.stop();
        };
        accept(listener, app, Arc::from([]), patience, stop).await;
    });
    (address, stop, task)
}

fn impatient() -> Patience {
    Patience {
        headers: Duration::from_millis(300),
        stalled: Duration::from_millis(500),
        grace: Duration::from_secs(5),
        connections: 8,
    }
}

/// What arrives until the server closes the connection, or none if it does not within ten seconds.
async fn rest(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut bytes)).await;
    // A connection may also be reset.
    read.ok()?.ok();
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test]
async fn silent_and_slow_clients_lose_their_connection() {
    let story = Story::new();
    let (address, _stop, _) = listening(&story, impatient()).await;
    let connect = || TcpStream::connect(address);
    let mut silent = connect().await.expect("a connection");
    assert_eq!(rest(&mut silent).await.as_deref(), Some(""));
    let mut slow = connect().await.expect("a connection");
    let started = Instant::now();
    // A byte now and then does not help.
    for byte in b"GET /healthz HTTP/1.1\r\nX-A: aaaaaaaaaaaaaaaaaaaaaa" {
        if slow.write_all(&[*byte]).await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(started.elapsed() < Duration::from_secs(2));
    let mut idle = connect().await.expect("a connection");
    let request = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    idle.write_all(request).await.expect("sent");
    let answer = rest(&mut idle).await.expect("the end");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // The body of a form stops.
    let mut form = connect().await.expect("a connection");
    let head = b"POST /login HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\n\
                 Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nlogin=";
    form.write_all(head).await.expect("sent");
    let answer = rest(&mut form).await.expect("the end");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
}

#[tokio::test]
async fn an_upload_that_stops_is_not_kept() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    let (address, _stop, _) = listening(&story, impatient()).await;
    let mut upload = TcpStream::connect(address).await.expect("a connection");
    let head = format!(
        "POST /c/hw1/submit HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\nCookie: {team}\r\n\
         Content-Type: multipart/form-data; boundary=e\r\nContent-Length: 9999\r\n\r\n\
         --e\r\nContent-Disposition: form-data; name=\"run\"; filename=\"a.run\"\r\n\r\n1 Q0 a 1 1 t\n"
    );
    upload.write_all(head.as_bytes()).await.expect("sent");
    let answer = rest(&mut upload).await.expect("the end");
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let incoming = story.site.server.data.join("incoming");
    assert_eq!(std::fs::read_dir(incoming).expect("a folder").count(), 0);
    let entries = story.get(&team, "/api/v1/c/hw1/team").await.json();
    assert_eq!(entries["entries"].as_array().map(Vec::len), Some(0));
}

#[tokio::test]
async fn a_client_that_does_not_read_loses_its_connection() {
    let story = Story::new();
    let (address, _stop, _) = listening(&story, impatient()).await;
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    // Answers to many requests fill the buffers in between.
    let requests = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2000);
    let sent = tokio::time::timeout(Duration::from_secs(20), async {
        stream.write_all(requests.as_bytes()).await?;
        loop {
            stream.write_all(b"\r\n").await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    let error: std::io::Result<()> = sent.await.expect("an end");
    assert!(error.is_err());
}

#[tokio::test]
async fn connections_beyond_the_limit_are_closed_at_once() {
    let story = Story::new();
    let patience = Patience {
        headers: Duration::from_mins(1),
        ..impatient()
    };
    let (address, _stop, _) = listening(&story, patience).await;
    let mut streams = Vec::new();
    for _ in 0..8 {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(b"GET /").await.expect("sent");
        streams.push(stream);
    }
    // The eight are accepted in the order in which they came.
    let mut ninth = TcpStream::connect(address).await.expect("a connection");
    assert_eq!(rest(&mut ninth).await.as_deref(), Some(""));
    drop(streams);
}

#[tokio::test]
async fn a_server_that_stops_ends_events_and_lets_uploads_finish() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    let patience = Patience {
        headers: Duration::from_mins(1),
        ..impatient()
    };
    let (address, stop, task) = listening(&story, patience).await;
    let mut events = TcpStream::connect(address).await.expect("a connection");
    let request = b"GET /c/hw1/events HTTP/1.1\r\nHost: a\r\n\r\n";
    events.write_all(request).await.expect("sent");
    let mut first = [0; 12];
    events.read_exact(&mut first).await.expect("an answer");
    let mut idle = TcpStream::connect(address).await.expect("a connection");
    let mut upload = TcpStream::connect(address).await.expect("a connection");
    let body = format!(
        "--e\r\nContent-Disposition: form-data; name=\"run\"; filename=\"a.run\"\r\n\r\n{}\r\n--e--\r\n",
        run(2)
    );
    let head = format!(
        "POST /api/v1/c/hw1/submit HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin\r\nCookie: {team}\r\n\
         Content-Type: multipart/form-data; boundary=e\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    upload.write_all(head.as_bytes()).await.expect("sent");
    upload
        .write_all(&body.as_bytes()[..50])
        .await
        .expect("sent");
    assert_eq!(story.get("", "/readyz").await.status, StatusCode::OK);
    tokio::time::sleep(Duration::from_millis(200)).await;
    stop.send(()).expect("stopped");
    assert!(rest(&mut events).await.is_some());
    assert_eq!(rest(&mut idle).await.as_deref(), Some(""));
    assert_eq!(
        story.get("", "/readyz").await.status,
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert!(!task.is_finished(), "the upload is waited for");
    upload
        .write_all(&body.as_bytes()[50..])
        .await
        .expect("sent");
    let answer = rest(&mut upload).await.expect("the end");
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    tokio::time::timeout(Duration::from_secs(10), task)
        .await
        .expect("an end")
        .expect("no panic");
    assert!(TcpStream::connect(address).await.is_err());
}

impl Story {
    async fn submit_bytes(&self, cookie: &str, name: &str, file: &[u8]) -> Answer {
        self.submit_raw(cookie, name, file, None).await
    }

    async fn submit_with_key(&self, cookie: &str, key: &str, run: &str) -> Answer {
        self.submit_raw(cookie, "a.run", run.as_bytes(), Some(key))
            .await
    }

    async fn submit_raw(&self, cookie: &str, name: &str, file: &[u8], key: Option<&str>) -> Answer {
        let head = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"run\"; filename=\"{name}\"\r\n\r\n"
        );
        let body = [head.as_bytes(), file, b"\r\n--edge--\r\n"].concat();
        let mut request = Request::post("/api/v1/c/hw1/submit")
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=edge")
            .header("sec-fetch-site", "same-origin");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        self.send(request.body(Body::from(body)).expect("a request"))
            .await
    }
}

fn gzip(pieces: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for piece in pieces {
        packer.write_all(&piece).expect("memory");
    }
    packer.finish().expect("memory")
}

/// A zstd frame with a window of 2^`log` bytes, and blocks that are each one byte 2^17 times.
fn zstd(log: u8, blocks: usize) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3];
    for block in 1..=blocks {
        let header = u32::from(block == blocks) | 1 << 1 | (1 << 17) << 3;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.push(b'a');
    }
    frame
}

/// An archive with a run.
fn tar() -> Vec<u8> {
    let mut header = [0; 512];
    header[..5].copy_from_slice(b"a.run");
    header[257..262].copy_from_slice(b"ustar");
    let mut run = run(2).into_bytes();
    run.resize(1024, 0);
    [header.to_vec(), run].concat()
}

/// The codes of the findings of a file that is sent, and its state.
async fn sent(story: &Story, team: &str, file: &[u8]) -> (String, Vec<String>) {
    let answer = story.submit_bytes(team, "a.run", file).await;
    if answer.status != StatusCode::ACCEPTED {
        return (answer.status.to_string(), Vec::new());
    }
    story.settle().await;
    let place = answer.json()["location"]
        .as_str()
        .expect("a place")
        .to_owned();
    let entry = story.get(team, &format!("/api/v1{place}")).await.json();
    let findings = entry["findings"].as_array().expect("findings");
    let codes = findings
        .iter()
        .map(|finding| finding["code"].as_str().expect("a code").to_owned());
    (
        entry["state"].as_str().expect("a state").to_owned(),
        codes.collect(),
    )
}

#[tokio::test]
async fn bombs_are_invalid_and_cost_neither_memory_nor_quota() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("entries_per_day", "1")]).await;
    let team = story.team(&prof, "ann", "A").await;
    // A gigabyte of one line, and of members that are each small.
    let line = gzip((0..1024).map(|_| vec![b'a'; 1 << 20]));
    let members = gzip(std::iter::once(vec![b'1'; 1 << 20])).repeat(300);
    let nested = gzip(std::iter::once(line.clone()));
    // 104 topics of 1,000 documents are possible in a campaign of four topics.
    let lines =
        gzip((0..105).map(|topic| format!("{topic} Q0 d 1 1 t\n").repeat(1000).into_bytes()));
    let ids = gzip((0..50).map(|n| {
        [
            b"1 Q0 ".to_vec(),
            vec![b'x'; 1 << 20],
            format!(" 1 {n} t\n").into_bytes(),
        ]
        .concat()
    }));
    // Which limit finds them, if it is not the form of what they expand to.
    let (size, stream) = (Some("IR005"), Some("IR004"));
    for (name, file, limit) in [
        ("line", line, size),
        ("members", members, size),
        ("zstd", zstd(17, 8192), size),
        ("a window of 2 GiB", zstd(31, 1), stream),
        ("nested", nested, None),
        ("ids", ids, None),
        ("tar", tar(), None),
    ] {
        let (state, codes) = sent(&story, &team, &file).await;
        assert_eq!(state, "invalid", "{name}: {codes:?}");
        assert!(!codes.is_empty(), "{name}");
        assert!(
            limit.is_none_or(|limit| codes == [limit]),
            "{name}: {codes:?}"
        );
    }
    let (state, codes) = sent(&story, &team, &lines).await;
    assert_eq!(
        (state.as_str(), codes),
        ("invalid", vec!["too-many-lines".to_owned()])
    );
    for file in [
        b"PK\x03\x04".as_slice(),
        b"\x7fELF",
        b"%PDF-1.7",
        b"\x89PNG",
    ] {
        let (status, _) = sent(&story, &team, file).await;
        assert!(status.starts_with("415"), "{status}");
    }
    // None of them took the one entry of the day.
    let (state, _) = sent(&story, &team, run(2).as_bytes()).await;
    assert_eq!(state, "scored");
}

#[tokio::test]
async fn names_of_files_are_text_and_never_paths() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    let long = "x".repeat(4096);
    let names = [
        "../../x",
        "C:\\x",
        "/etc/passwd",
        "a\u{202e}b",
        "..",
        long.as_str(),
    ];
    for (found, name) in names.iter().enumerate() {
        let answer = story
            .submit_bytes(
                &team,
                name,
                format!("{}1 Q0 e{found} 2 0.5 t\n", run(1)).as_bytes(),
            )
            .await;
        assert!(
            [StatusCode::ACCEPTED, StatusCode::TOO_MANY_REQUESTS].contains(&answer.status),
            "{name}: {}",
            answer.text
        );
    }
    story.settle().await;
    let data = &story.site.server.data;
    let mut found: Vec<String> = std::fs::read_dir(data)
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| !name.starts_with("cranfield.db"))
        .collect();
    found.sort();
    assert_eq!(found, ["LOCK", "blobs", "incoming"]);
    let file = story.get(&team, "/c/hw1/team/1/1/file").await;
    assert!(
        file.headers.contains("attachment") && !file.headers.contains(".."),
        "{}",
        file.headers
    );
    assert!(file.headers.contains("application/octet-stream"));
}

#[tokio::test]
async fn the_same_request_fifty_times_is_one_entry_even_without_quota() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[("entries_per_day", "1")]).await;
    let team = story.team(&prof, "ann", "A").await;
    let story = Arc::new(story);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (story, team) = (Arc::clone(&story), team.clone());
        tasks.spawn(async move { story.submit_with_key(&team, "key", &run(2)).await });
    }
    let mut accepted = 0;
    while let Some(answer) = tasks.join_next().await {
        let answer = answer.expect("an answer");
        if answer.status == StatusCode::ACCEPTED {
            assert_eq!(answer.json()["entry"], 1);
            accepted += 1;
        } else {
            assert_eq!(
                answer.status,
                StatusCode::TOO_MANY_REQUESTS,
                "{}",
                answer.text
            );
        }
    }
    assert!(accepted >= 1);
    story.site.server.advance(60_000);
    // The quota is used up, and the answer of the first request is still there.
    let again = story.submit_with_key(&team, "key", &run(2)).await;
    assert_eq!(again.status, StatusCode::ACCEPTED, "{}", again.text);
    assert_eq!(again.json()["entry"], 1);
    let other = story.submit_with_key(&team, "key", &run(3)).await;
    assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY);
    let new = story.submit_with_key(&team, "another", &run(3)).await;
    assert_eq!(new.status, StatusCode::TOO_MANY_REQUESTS);
    let entries = story.get(&team, "/api/v1/c/hw1/team").await.json();
    assert_eq!(entries["entries"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_check_finds_what_sending_would_and_keeps_nothing() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "A").await;
    let check = async |run: &str| {
        let fields = [("run", Some("my.run"), run)];
        story
            .upload(&team, "/api/v1/c/hw1/submit/check", &fields)
            .await
    };
    let broken = check("1 Q0 a 1 one t\n").await;
    assert_eq!(broken.status, StatusCode::OK, "{}", broken.text);
    assert_eq!(broken.json()["invalid"], true);
    assert_eq!(broken.json()["findings"][0]["places"][0]["line"], 1);
    assert_eq!(check(&run(2)).await.json()["invalid"], false);
    let data = &story.site.server.data;
    assert_eq!(
        std::fs::read_dir(data.join("incoming"))
            .expect("a folder")
            .count(),
        0
    );
    let entries = story.get(&team, "/api/v1/c/hw1/team").await.json();
    assert_eq!(entries["entries"].as_array().map(Vec::len), Some(0));
    let page = story
        .upload(
            &team,
            "/c/hw1/submit/check",
            &[("run", Some("my.run"), &run(2))],
        )
        .await;
    assert!(page.text.contains("nothing of it is kept"), "{}", page.text);
    let nobody = story
        .upload("", "/api/v1/c/hw1/submit/check", &[("run", Some("a"), "a")])
        .await;
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn metrics_have_no_names() {
    let story = Story::new();
    let prof = story.organiser().await;
    story.campaign(&prof, &[]).await;
    let team = story.team(&prof, "ann", "Secret Team").await;
    story.submit(&team, &run(2)).await;
    story.settle().await;
    story.get("", "/c/hw1/board").await;
    let text = crate::metrics::text(&story.site.server)
        .await
        .expect("metrics");
    let has = |wanted: &str| assert!(text.contains(wanted), "{wanted}: {text}");
    has(
        "cranfield_request_seconds_count{route=\"/c/{slug}/board\",method=\"GET\",status=\"200\"} 1\n",
    );
    has("cranfield_jobs{state=\"queued\"} 0\n");
    has("cranfield_uploads_total 2\n");
    for secret in ["hw1", "Secret", "ann", "canary"] {
        assert!(!text.contains(secret), "{secret}");
    }
    // Each line is a comment or a value.
    for line in text.lines() {
        let value = line.rsplit_once(' ').map(|(_, value)| value.parse::<f64>());
        assert!(
            line.starts_with('#') || matches!(value, Some(Ok(_))),
            "{line}"
        );
    }
}
