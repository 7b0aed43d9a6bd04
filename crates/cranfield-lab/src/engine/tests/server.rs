//! A small HTTP server whose answers a test scripts.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as the server received it.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) line: String,
    pub(super) headers: String,
    pub(super) body: String,
}

/// One answer: a status and a body, after a delay.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: String,
    pub(super) delay: Duration,
}

impl Reply {
    pub(super) fn new(status: u16, body: impl Into<String>) -> Self {
        let (body, delay) = (body.into(), Duration::ZERO);
        Self {
            status,
            body,
            delay,
        }
    }

    pub(super) fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }
}

/// A server that chooses the reply by a word of the request. A word's replies are used in order, and the last one again and again.
pub(super) struct Server {
    pub(super) address: String,
    pub(super) received: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    pub(super) fn start(replies: &[(&'static str, Vec<Reply>)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address").to_string();
        let received = Arc::new(Mutex::new(Vec::new()));
        let replies = Arc::new(Mutex::new(
            replies.iter().cloned().collect::<HashMap<_, _>>(),
        ));
        let log = Arc::clone(&received);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, replies) = (Arc::clone(&log), Arc::clone(&replies));
                std::thread::spawn(move || serve(stream, &log, &replies));
            }
        });
        Self { address, received }
    }

    /// Number of requests that contain a word.
    pub(super) fn count(&self, word: &str) -> usize {
        let received = self.received.lock().expect("no panic");
        let has = |one: &&Received| one.line.contains(word) || one.body.contains(word);
        received.iter().filter(has).count()
    }
}

type Replies = Mutex<HashMap<&'static str, Vec<Reply>>>;

fn serve(stream: TcpStream, log: &Mutex<Vec<Received>>, replies: &Replies) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut stream = stream;
    while let Some(request) = read_request(&mut reader) {
        let text = format!("{} {}", request.line, request.body);
        log.lock().expect("no panic").push(request);
        let reply = next_reply(&text, replies);
        std::thread::sleep(reply.delay);
        let answer = format!(
            "HTTP/1.1 {} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
            reply.status,
            reply.body.len(),
            reply.body
        );
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn next_reply(text: &str, replies: &Replies) -> Reply {
    let mut replies = replies.lock().expect("no panic");
    let list = replies
        .iter_mut()
        .find(|(word, _)| text.contains(**word))
        .map(|(_, list)| list);
    match list {
        Some(list) if list.len() > 1 => list.remove(0),
        Some(list) => list[0].clone(),
        None => Reply::new(404, "no such word"),
    }
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut line = String::new();
    reader
        .read_line(&mut line)
        .ok()
        .filter(|length| *length > 0)?;
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut header = String::new();
        reader
            .read_line(&mut header)
            .ok()
            .filter(|length| *length > 0)?;
        if header.trim().is_empty() {
            break;
        }
        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        headers.push_str(&header);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8_lossy(&body).into_owned();
    Some(Received {
        line,
        headers,
        body,
    })
}
