//! Sessions that are opened once per repetition and kept for all of its loads.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::machine::own_cpu_time;
use crate::engine::{Engine, EngineError, Place, Session};

/// Sessions of one engine.
pub(super) struct Pool<'e> {
    engine: &'e dyn Engine,
    idle: Mutex<Vec<Box<dyn Session + 'e>>>,
}

impl<'e> Pool<'e> {
    pub(super) fn new(engine: &'e dyn Engine) -> Self {
        let idle = Mutex::default();
        Self { engine, idle }
    }

    /// An idle session, or a new one.
    pub(super) fn take(&self) -> Result<Box<dyn Session + 'e>, EngineError> {
        let idle = self.locked().pop();
        idle.map_or_else(|| self.engine.session(), Ok)
    }

    /// Returns a session for later use.
    pub(super) fn put(&self, session: Box<dyn Session + 'e>) {
        self.locked().push(session);
    }

    /// CPU time of the engine so far. All sessions must be idle.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        match self.engine.place() {
            Place::Here => own_cpu_time(false),
            Place::Elsewhere => None,
            Place::Child => {
                let mut sessions = self.locked();
                let times = sessions.iter_mut().map(|session| session.cpu_time());
                let running: Option<Duration> = times.sum();
                // Programs that are started for each query have ended.
                running.or_else(|| own_cpu_time(true)?.checked_sub(own_cpu_time(false)?))
            }
        }
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Vec<Box<dyn Session + 'e>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
