//! The page of a campaign.

use askama::Template;
use axum::extract::State;
use serde::Serialize;

use crate::correction::{Notice, notices};
use crate::markdown;
use crate::phase::{Phase, freeze};
use crate::policy::{Access, Role, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::settings::{FinalTopics, Ladder};
use crate::web::{Path, Shown, view};

/// What a campaign is about, its dates and its rules.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that the page shows"
)]
#[derive(Serialize, Template)]
#[template(path = "campaign.html")]
pub(crate) struct CampaignPage {
    slug: String,
    title: String,
    summary: String,
    rules: String,
    #[serde(skip)]
    rules_html: String,
    phase: &'static str,
    opens: String,
    freezes: Option<String>,
    closes: String,
    measures: Vec<String>,
    topics: usize,
    entries_per_day: u32,
    entries_in_all: u32,
    team_size: u32,
    final_picks: u32,
    late: &'static str,
    final_on: &'static str,
    ladder: Option<&'static str>,
    /// The hash of the split and the judgements, published before the first entry.
    commitment: Option<String>,
    /// What the hash was computed from, after the release.
    nonce: Option<String>,
    is_participant: bool,
    is_staff: bool,
    sees_board: bool,
    takes_entries: bool,
    notices: Vec<Notice>,
}

view! {
    CampaignPage: |page| page.title.clone(), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn show(
    State(server): State<Server>,
    viewer: Viewer,
    Path(slug): Path<String>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            let campaign = &access.campaign;
            let topics = campaign.topics(db)?.len();
            let split: Option<(String, Vec<u8>)> = match campaign.scoring {
                None => None,
                Some(scoring) => db
                    .prepare_cached(
                        "SELECT p.commitment, p.nonce FROM split p JOIN scoring s ON s.campaign = p.campaign AND s.split = p.version
                         WHERE s.id = ?1",
                    )?
                    .query_row([scoring], |row| Ok((row.get(0)?, row.get(1)?)))
                    .map(Some)?,
            };
            let notices = notices(db, campaign)?;
            Ok(page(&access, topics, split, notices))
        })
        .await?;
    Ok(page.into())
}

fn page(
    access: &Access,
    topics: usize,
    split: Option<(String, Vec<u8>)>,
    notices: Vec<Notice>,
) -> CampaignPage {
    let (campaign, settings) = (&access.campaign, &access.campaign.settings);
    let released = access.phase == Phase::Released;
    let nonce = split
        .as_ref()
        .filter(|_| released)
        .map(|(_, nonce)| hex(nonce));
    CampaignPage {
        slug: campaign.slug.clone(),
        title: settings.title.clone(),
        summary: settings.summary.clone(),
        rules: settings.rules.clone(),
        rules_html: markdown::html(&settings.rules),
        phase: access.phase.title(),
        opens: campaign.date(campaign.dates.opens),
        freezes: freeze(campaign.frozen, campaign.dates).map(|at| campaign.date(at)),
        closes: campaign.date(campaign.dates.closes),
        measures: settings.measures.clone(),
        topics,
        entries_per_day: settings.entries_per_day,
        entries_in_all: settings.entries_in_all,
        team_size: settings.team_size,
        final_picks: settings.final_picks,
        late: match (settings.accept_late, settings.count_late) {
            (false, _) => "Late entries are rejected.",
            (true, false) => "Late entries are accepted and scored, but have no rank.",
            (true, true) => "Late entries count, and are marked as late.",
        },
        final_on: match settings.final_on {
            FinalTopics::Private => {
                "The final board is computed from the private topics, which the public board does not use."
            }
            FinalTopics::All => "The final board is computed from all topics.",
        },
        ladder: match settings.ladder {
            Ladder::Off => None,
            Ladder::BlumHardt => Some(
                "The board of a team changes only if an entry is better by more than one standard error.",
            ),
            Ladder::T => Some(
                "The board of a team changes only if an entry is significantly better (paired t test, one-sided, alpha 0.05).",
            ),
            Ladder::Step => Some(
                "The board of a team changes only if an entry is better by more than a fixed step, to which its score is rounded.",
            ),
        },
        commitment: split.map(|(commitment, _)| commitment),
        nonce,
        is_participant: access.role == Some(Role::Participant),
        is_staff: access.is_staff(),
        sees_board: access.sees_board(),
        takes_entries: access.phase.takes_entries(),
        notices,
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
