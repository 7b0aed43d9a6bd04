//! Lists with two columns: known documents of topics, and topics of sessions.

use cranfield_core::known::KnownDocuments;
use cranfield_core::session::Sessions;

use super::columns::{Fault, each_line};
use crate::code::Code;
use crate::error::Error;
use crate::escape::quoted;
use crate::source::Source;

/// Reads documents that users knew before they searched: `topic document`. Repeated lines are ignored.
///
/// ```
/// use cranfield_io::{Source, trec::read_known};
///
/// let source = Source::from_bytes("known.txt", b"q1 d1\nq1\td2\n".to_vec())?;
/// assert!(read_known(&source)?.contains(b"q1", b"d2"));
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn read_known(source: &Source) -> Result<KnownDocuments, Error> {
    let mut known = KnownDocuments::default();
    each_line(source, "topic document", |[topic, doc]| {
        known.insert(topic, doc);
        Ok(())
    })?;
    Ok(known)
}

/// Reads sessions: `session topic`, the topics of a session in the order in which the user saw their rankings.
///
/// ```
/// use cranfield_io::{Source, trec::read_sessions};
///
/// let source = Source::from_bytes("sessions.txt", b"s1 q1\ns1 q2\ns2 q3\n".to_vec())?;
/// assert_eq!(read_sessions(&source)?.len(), 2);
/// # Ok::<(), cranfield_io::Error>(())
/// ```
pub fn read_sessions(source: &Source) -> Result<Sessions, Error> {
    let mut sessions = Sessions::default();
    each_line(source, "session topic", |[session, topic]| {
        sessions.push(session, topic).map_err(|_| {
            let (name, session) = (quoted(topic), quoted(session));
            let message = format!("topic {name} is in session {session} twice");
            Fault::new(Code::RepeatedTopic, topic, message)
        })
    })?;
    Ok(sessions)
}
