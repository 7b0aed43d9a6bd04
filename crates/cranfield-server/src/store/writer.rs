//! The thread that writes. It takes all waiting writes, runs each in a savepoint, commits them together, and answers then.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::oneshot;

use super::Changes;
use crate::problem::Problem;

/// The most writes of one commit.
const BATCH: usize = 256;

/// Runs a change inside a savepoint. The function that it returns answers when the commit is known to have succeeded or not.
type Change = Box<dyn FnOnce(&Transaction<'_>) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<(), Problem>) + Send>;

/// A handle of the thread.
#[derive(Clone)]
pub(super) struct Writer {
    changes: Sender<Change>,
}

impl Writer {
    pub(super) fn start(connection: Connection, counts: Arc<Changes>) -> Self {
        let (changes, waiting) = channel();
        std::thread::spawn(move || run(connection, &waiting, &counts));
        Self { changes }
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let (answer, answered) = oneshot::channel();
        // Whoever asked may have gone; the write stands.
        self.send(change, |result| drop(answer.send(result)));
        answered.await.unwrap_or_else(|_| Err(stopped()))
    }

    pub(super) fn run_here<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let (answer, answered) = channel();
        self.send(change, move |result| drop(answer.send(result)));
        answered.recv().unwrap_or_else(|_| Err(stopped()))
    }

    fn send<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, Problem> + Send + 'static,
        answer: impl FnOnce(Result<T, Problem>) + Send + 'static,
    ) {
        let change: Change = Box::new(move |tx| {
            let result = in_savepoint(tx, change);
            Box::new(move |committed: Result<(), Problem>| answer(committed.and(result)))
        });
        // A closed channel drops the change with its answer, which the caller sees.
        let _ = self.changes.send(change);
    }
}

fn stopped() -> Problem {
    Problem::internal(&"the database has stopped")
}

fn in_savepoint<T>(
    tx: &Transaction<'_>,
    change: impl FnOnce(&Transaction<'_>) -> Result<T, Problem>,
) -> Result<T, Problem> {
    tx.execute_batch("SAVEPOINT change")?;
    let result = catch_unwind(AssertUnwindSafe(|| change(tx)))
        .unwrap_or_else(|_| Err(Problem::internal(&"a write panicked")));
    if result.is_err() {
        tx.execute_batch("ROLLBACK TO change")?;
    }
    tx.execute_batch("RELEASE change")?;
    result
}

fn run(mut connection: Connection, waiting: &Receiver<Change>, counts: &Changes) {
    while let Ok(first) = waiting.recv() {
        let changes = std::iter::once(first).chain(waiting.try_iter().take(BATCH - 1));
        let mut answers = Vec::new();
        let started = Instant::now();
        let committed = commit(&mut connection, changes, &mut answers);
        counts.commit(answers.len(), started.elapsed());
        for answer in answers {
            answer(match &committed {
                Ok(()) => Ok(()),
                Err(error) => Err(Problem::internal(error)),
            });
        }
    }
}

fn commit(
    connection: &mut Connection,
    changes: impl Iterator<Item = Change>,
    answers: &mut Vec<Answer>,
) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    answers.extend(changes.map(|change| change(&tx)));
    tx.commit()
}
