//! The thread that writes. It takes all waiting writes, runs each in a savepoint, commits them together, and answers then.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use super::{Answer, Change, Changes};
use crate::problem::Problem;

/// The most writes of one commit.
const BATCH: usize = 256;

/// A change that waits for its turn, and what gets its answer when the commit is known to have succeeded or not.
struct Waiting {
    change: Change,
    reply: Reply,
}

type Reply = Box<dyn FnOnce(Result<Answer, Problem>) + Send>;

/// A handle of the thread.
#[derive(Clone)]
pub(super) struct Writer {
    changes: Sender<Waiting>,
}

impl Writer {
    pub(super) fn start(connection: Connection, counts: Arc<Changes>) -> Self {
        let (changes, waiting) = channel();
        std::thread::spawn(move || run(connection, &waiting, &counts));
        Self { changes }
    }

    pub(super) async fn run(&self, change: Change) -> Result<Answer, Problem> {
        let (answer, answered) = oneshot::channel();
        // Whoever asked may have gone; the write stands.
        self.send(change, Box::new(|result| drop(answer.send(result))));
        answered.await.unwrap_or_else(|_| Err(stopped()))
    }

    pub(super) fn run_here(&self, change: Change) -> Result<Answer, Problem> {
        let (answer, answered) = channel();
        self.send(change, Box::new(move |result| drop(answer.send(result))));
        answered.recv().unwrap_or_else(|_| Err(stopped()))
    }

    fn send(&self, change: Change, reply: Reply) {
        // A closed channel drops the change with its reply, which the caller sees.
        let _ = self.changes.send(Waiting { change, reply });
    }
}

fn stopped() -> Problem {
    Problem::internal(&"the database has stopped")
}

fn in_savepoint(tx: &Transaction<'_>, change: Change) -> Result<Answer, Problem> {
    tx.execute_batch("SAVEPOINT change")?;
    let result = catch_unwind(AssertUnwindSafe(|| change(tx)))
        .unwrap_or_else(|_| Err(Problem::internal(&"a write panicked")));
    if result.is_err() {
        tx.execute_batch("ROLLBACK TO change")?;
    }
    tx.execute_batch("RELEASE change")?;
    result
}

fn run(mut connection: Connection, waiting: &Receiver<Waiting>, counts: &Changes) {
    while let Ok(first) = waiting.recv() {
        let changes = std::iter::once(first).chain(waiting.try_iter().take(BATCH - 1));
        let mut done = Vec::new();
        let started = Instant::now();
        let committed = commit(&mut connection, changes, &mut done);
        counts.commit(done.len(), started.elapsed());
        for (reply, result) in done {
            reply(match &committed {
                Ok(()) => result,
                Err(error) => Err(Problem::internal(error)),
            });
        }
    }
}

fn commit(
    connection: &mut Connection,
    changes: impl Iterator<Item = Waiting>,
    done: &mut Vec<(Reply, Result<Answer, Problem>)>,
) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    done.extend(changes.map(|Waiting { change, reply }| (reply, in_savepoint(&tx, change))));
    tx.commit()
}
