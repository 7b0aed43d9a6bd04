//! Engines under another name.

use cranfield_core::run::Run;

use super::{Engine, EngineError, Place, Query, Session};

/// An engine under another name.
pub struct Named {
    name: String,
    engine: Box<dyn Engine>,
}

impl Named {
    /// Names an engine.
    pub fn new(name: impl Into<String>, engine: Box<dyn Engine>) -> Self {
        let name = name.into();
        Self { name, engine }
    }
}

impl Engine for Named {
    fn name(&self) -> &str {
        &self.name
    }

    fn session(&self) -> Result<Box<dyn Session + '_>, EngineError> {
        self.engine.session()
    }

    fn place(&self) -> Place {
        self.engine.place()
    }

    fn settings(&self) -> Vec<(String, String)> {
        self.engine.settings()
    }

    fn answer_all(
        &self,
        queries: &[Query],
        depth: usize,
        threads: usize,
    ) -> Option<Result<Run, EngineError>> {
        let run = self.engine.answer_all(queries, depth, threads)?;
        Some(run.map(|run| run.with_tag(self.name.clone())))
    }
}
