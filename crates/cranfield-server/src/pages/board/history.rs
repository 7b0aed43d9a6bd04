//! The history of a team: how the value that it shows on the public board has changed.

use askama::Template;
use axum::extract::State;
use serde::Serialize;

use crate::board::entries::{rule_of, teams_as_of};
use crate::campaign::Campaign;
use crate::phase::Phase;
use crate::policy::{Access, Viewer};
use crate::problem::Problem;
use crate::server::Server;
use crate::web::{Path, Shown, view};

/// The history of a team.
#[derive(Serialize, Template)]
#[template(path = "history.html")]
pub(crate) struct History {
    slug: String,
    title: String,
    number: i64,
    team: String,
    baseline: bool,
    measure: String,
    /// When the board was frozen, if it is.
    frozen: Option<String>,
    has_ladder: bool,
    steps: Vec<StepView>,
    #[serde(skip)]
    chart: Option<Chart>,
}

/// A change of the value.
#[derive(Clone, Serialize)]
struct StepView {
    at: i64,
    at_text: String,
    value: f64,
    text: String,
    /// The difference from the value before.
    change: Option<f64>,
    change_text: String,
}

/// The drawing of the steps, 600 units wide and 220 high.
struct Chart {
    label: String,
    path: String,
    points: Vec<(String, String)>,
    least: String,
    most: String,
    from: String,
    to: String,
}

view! {
    History: |page| format!("History of {}", page.team), Some((page.slug.clone(), page.title.clone()));
}

pub(crate) async fn history(
    State(server): State<Server>,
    viewer: Viewer,
    Path((slug, number)): Path<(String, i64)>,
) -> Result<Shown, Problem> {
    let now = server.now();
    let page = server
        .store
        .read(move |db| {
            let access = Access::open(db, &viewer, &slug, now)?;
            if !access.sees_board() {
                return Err(Problem::not_found());
            }
            let campaign = &access.campaign;
            let moment = access.board_moment();
            let public = campaign.public_topics(db)?;
            let teams = teams_as_of(db, campaign, &public, moment)?;
            let team = teams.into_iter().find(|team| team.number == number);
            let team = team.ok_or_else(Problem::not_found)?;
            let rule = rule_of(campaign)?;
            let mut steps: Vec<StepView> = Vec::new();
            for (entry, step) in team.steps(&rule) {
                let change = steps.last().map(|last| step.shown - last.value);
                steps.push(StepView {
                    at: entry.received,
                    at_text: campaign.date(entry.received),
                    value: step.shown,
                    text: format!("{:.4}", step.shown),
                    change,
                    change_text: change.map_or_else(String::new, |change| format!("{change:+.4}")),
                });
            }
            let is_frozen = moment < now && access.phase != Phase::Released;
            Ok(History {
                slug: campaign.slug.clone(),
                title: campaign.settings.title.clone(),
                number,
                team: if access.hides_names() && !team.is_baseline {
                    format!("Team {number}")
                } else {
                    team.name
                },
                baseline: team.is_baseline,
                measure: campaign.settings.measures[0].clone(),
                frozen: is_frozen.then(|| campaign.date(moment)),
                has_ladder: campaign.settings.ladder != crate::settings::Ladder::Off,
                chart: Chart::of(&steps, campaign, moment),
                steps,
            })
        })
        .await?;
    Ok(page.into())
}

impl Chart {
    fn of(steps: &[StepView], campaign: &Campaign, moment: i64) -> Option<Self> {
        let (first, last) = (steps.first()?, steps.last()?);
        let from = campaign.dates.opens.min(first.at);
        // To the hour, so that the page does not change with every request.
        let until =
            campaign.dates.closes.min(moment).max(last.at) / 3_600_000 * 3_600_000 + 3_600_000;
        let values = steps.iter().map(|step| step.value);
        let (least, most) = values.fold((f64::MAX, f64::MIN), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        let x = |at: i64| 10.0 + 580.0 * (at - from) as f64 / (until - from).max(1) as f64;
        let y = |value: f64| {
            if most > least {
                200.0 - 180.0 * (value - least) / (most - least)
            } else {
                110.0
            }
        };
        let mut path = format!("M{:.1} {:.1}", x(first.at), y(first.value));
        for step in &steps[1..] {
            path.push_str(&format!("H{:.1}V{:.1}", x(step.at), y(step.value)));
        }
        path.push_str(&format!("H{:.1}", x(until)));
        let points = steps.iter().map(|step| {
            (
                format!("{:.1}", x(step.at)),
                format!("{:.1}", y(step.value)),
            )
        });
        Some(Self {
            label: format!(
                "The value on the public board changed from {} to {} in {} steps.",
                first.text,
                last.text,
                steps.len() - 1
            ),
            path,
            points: points.collect(),
            least: format!("{least:.4}"),
            most: format!("{most:.4}"),
            from: campaign.date(from),
            to: campaign.date(until),
        })
    }
}
