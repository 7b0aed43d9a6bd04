//! What is public after the release: the report of the final entries, their values by topic, explanations, and what the commitment was made of.

use std::sync::Arc;

use cranfield_core::qrels::Qrels;
use cranfield_eval::explain::{Explanations, Shown};
use cranfield_eval::{InputFile, Inputs, Labels, Request, RunContent, RunInput};
use cranfield_io::Source;
use cranfield_render::PageFormat;
use cranfield_report::{Report, ReportRequest};
use rusqlite::{Connection, OptionalExtension};

use crate::board::{Board, Row, comparison};
use crate::campaign::Campaign;
use crate::jobs::read_qrels;
use crate::problem::Problem;
use crate::scoring::{of_bytes, part};
use crate::server::State;
use crate::settings::FinalTopics;
use crate::split;

/// The most runs of a report.
const MOST_RUNS: usize = 100;
/// Columns of an explanation.
const WIDTH: usize = 100;

/// What the results of a campaign are computed from.
pub(crate) struct Material {
    pub(crate) campaign: Campaign,
    /// Ids and titles, in the order of the campaign.
    pub(crate) topics: Vec<(String, String)>,
    pub(crate) public: Vec<bool>,
    /// The hash of the judgements in force.
    pub(crate) qrels: String,
    pub(crate) split: Split,
}

/// A split as it was drawn.
pub(crate) struct Split {
    pub(crate) seed: i64,
    pub(crate) nonce: Vec<u8>,
    pub(crate) commitment: String,
}

impl Material {
    /// The material of a campaign with judgements.
    pub(crate) fn of(db: &Connection, campaign: Campaign) -> Result<Self, Problem> {
        let mut query =
            db.prepare_cached("SELECT id, title FROM topic WHERE campaign = ?1 ORDER BY place")?;
        let topics = query.query_map([campaign.id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let topics = topics.collect::<Result<_, _>>()?;
        let found = db
            .prepare_cached(
                "SELECT q.blob, p.seed, p.nonce, p.commitment FROM scoring s
                 JOIN qrels q ON q.campaign = s.campaign AND q.version = s.qrels
                 JOIN split p ON p.campaign = s.campaign AND p.version = s.split WHERE s.id = ?1",
            )?
            .query_row([campaign.scoring], |row| {
                let split = Split {
                    seed: row.get(1)?,
                    nonce: row.get(2)?,
                    commitment: row.get(3)?,
                };
                Ok((row.get(0)?, split))
            })
            .optional()?;
        let (qrels, split) = found.ok_or_else(Problem::not_found)?;
        Ok(Self {
            public: campaign.public_topics(db)?,
            campaign,
            topics,
            qrels,
            split,
        })
    }

    /// The bytes whose BLAKE3 hash is the commitment: the nonce, the split, and the hash of the judgements.
    pub(crate) fn committed(&self) -> Vec<u8> {
        let mut bytes = self.split.nonce.clone();
        bytes.extend_from_slice(self.split_file().as_bytes());
        bytes.extend_from_slice(self.qrels.as_bytes());
        bytes
    }

    /// The topics, each public or private.
    pub(crate) fn split_file(&self) -> String {
        let topics = self.topics.iter().zip(&self.public);
        topics
            .map(|((id, _), public)| split::line(id, *public))
            .collect()
    }

    /// Whether the final board is computed from a topic.
    pub(crate) fn is_final(&self, topic: usize) -> bool {
        match self.campaign.settings.final_on {
            FinalTopics::Private => !self.public[topic],
            FinalTopics::All => true,
        }
    }

    fn final_qrels(&self, server: &State) -> Result<Arc<Qrels>, Problem> {
        let qrels = read_qrels(server, &self.qrels)?;
        let ids: Vec<String> = self.topics.iter().map(|(id, _)| id.clone()).collect();
        Ok(Arc::new(part(&qrels, &ids, |topic| self.is_final(topic))))
    }

    fn labels(&self) -> Labels {
        let mut labels = Labels::default();
        for (id, title) in &self.topics {
            labels.add_topic(id, title);
        }
        labels
    }

    /// The report of the entries of a final board, from the topics of the board.
    pub(crate) fn report(
        &self,
        server: &State,
        board: &Board,
        runs: &[(String, String)],
    ) -> Result<String, Problem> {
        let inputs = runs.iter().take(MOST_RUNS);
        let inputs = inputs.map(|(name, hash)| input(server, name, hash));
        let inputs = inputs.collect::<Result<Vec<_>, Problem>>()?;
        let inputs = Inputs::in_memory(self.final_qrels(server)?, inputs)
            .load()
            .map_err(|error| Problem::internal(&error))?;
        let measures = self.campaign.settings.bound_measures()?;
        let mut request = ReportRequest::new(Request::of_measures(measures));
        request.settings = comparison();
        request.title = Some(format!(
            "{}: final entries on {} of {} topics",
            self.campaign.settings.title,
            board.topics,
            self.topics.len()
        ));
        let report = Report::of(inputs, request);
        let mut report = report.map_err(|error| Problem::internal(&error))?;
        report.labels = self.labels();
        report.to_html().map_err(|error| Problem::internal(&error))
    }

    /// How the value of one run, or the difference of two, is computed: for a topic from its documents, or else from the topics of the final board.
    pub(crate) fn explain(
        &self,
        server: &State,
        runs: &[(String, String)],
        measure: usize,
        topic: Option<&str>,
    ) -> Result<String, Problem> {
        let inputs = runs.iter().map(|(name, hash)| input(server, name, hash));
        let inputs = inputs.collect::<Result<Vec<_>, Problem>>()?;
        let qrels = match topic {
            Some(_) => Arc::new(read_qrels(server, &self.qrels)?),
            None => self.final_qrels(server)?,
        };
        let inputs = Inputs::in_memory(qrels, inputs);
        let mut measures = self.campaign.settings.bound_measures()?;
        let measure = measures.swap_remove(measure);
        let request = Request::of_measures(vec![measure]);
        let explained = Explanations::of(&inputs, &request, topic.map(str::as_bytes));
        let mut explained = explained.map_err(|error| Problem::invalid(error.to_string()))?;
        explained.labels = self.labels();
        let page = explained.page(&Shown::default());
        Ok(page.render(PageFormat::Text, WIDTH))
    }
}

fn input(server: &State, name: &str, hash: &str) -> Result<RunInput, Problem> {
    let source = Source::open(server.blob_path(hash)).map_err(|error| Problem::internal(&error))?;
    Ok(RunInput {
        name: name.to_owned(),
        file: InputFile::in_memory(name),
        content: RunContent::Open(Arc::new(source), None),
    })
}

/// The file of the entry of a row: its number in the team, and its hash.
pub(crate) fn file_of(db: &Connection, row: &Row) -> Result<(i64, String), Problem> {
    let mut query = db.prepare_cached("SELECT entry, blob FROM submission WHERE id = ?1")?;
    Ok(query.query_row([row.submission], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// The values of an entry by topic, in the order of the campaign.
pub(crate) fn values_of(
    db: &Connection,
    campaign: &Campaign,
    submission: i64,
    measure: usize,
) -> Result<Vec<f64>, Problem> {
    let found = db
        .prepare_cached(
            "SELECT topics FROM score WHERE scoring = ?1 AND submission = ?2 AND measure = ?3",
        )?
        .query_row((campaign.scoring, submission, measure as u32), |row| {
            row.get::<_, Vec<u8>>(0)
        })
        .optional()?;
    Ok(found.map(|bytes| of_bytes(&bytes)).unwrap_or_default())
}
