//! Who may see and do what in a campaign. Pages and the API ask here and nowhere else.
//!
//! What someone may not see looks exactly like what does not exist: [`Problem::not_found`].

use rusqlite::Connection;
use serde::Serialize;

use crate::api::API;
use crate::campaign::Campaign;
use crate::members;
use crate::phase::Phase;
use crate::problem::Problem;
use crate::settings::{Audience, Ladder, Names};

/// Who asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Viewer {
    pub(crate) person: Option<Person>,
    /// The hash of the session, for signing out.
    pub(crate) session: Option<Vec<u8>>,
    /// A token may be for one campaign only.
    pub(crate) only_campaign: Option<i64>,
    /// A campaign that is shown as someone else sees it.
    pub(crate) preview: Option<Preview>,
}

impl Viewer {
    /// Whose view is shown at an address: below a campaign that is previewed, that of somebody else.
    pub(crate) fn at(mut self, path: &str) -> Self {
        match &self.preview {
            Some(preview) if preview.covers(path) => {
                if preview.role.is_none() {
                    self.person = None;
                }
            }
            _ => self.preview = None,
        }
        self
    }
}

/// As whom an organiser looks at the pages of a campaign. What it shows is less than what organisers see.
#[derive(Clone, Debug)]
pub(crate) struct Preview {
    pub(crate) campaign: i64,
    pub(crate) slug: String,
    /// None for a reader.
    pub(crate) role: Option<Role>,
    /// Id and name of a team.
    pub(crate) team: Option<(i64, String)>,
}

impl Preview {
    /// Whether an address belongs to the campaign. That of previews themselves is the way out, so it does not.
    fn covers(&self, path: &str) -> bool {
        let path = path.strip_prefix(API).unwrap_or(path);
        let rest = path
            .strip_prefix("/c/")
            .and_then(|path| path.strip_prefix(self.slug.as_str()));
        let is_part = |rest: &str| rest.is_empty() || rest.starts_with('/');
        let way_out = |rest: &str| rest.strip_prefix("/admin/preview").is_some_and(is_part);
        rest.is_some_and(|rest| is_part(rest) && !way_out(rest))
    }

    /// In a sentence.
    pub(crate) fn whom(&self) -> String {
        match (&self.role, &self.team) {
            (None, _) => "a reader".into(),
            (Some(_), None) => "a participant without a team".into(),
            (Some(_), Some((_, team))) => format!("a member of the team {team}"),
        }
    }
}

/// A person who is signed in.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: i64,
    pub(crate) login: String,
    pub(crate) name: String,
    pub(crate) admin: bool,
    pub(crate) must_change: bool,
}

impl Person {
    /// An account as jobs know it, which act for someone without a request.
    pub(crate) fn with_id(id: i64) -> Self {
        Self {
            id,
            login: String::new(),
            name: String::new(),
            admin: false,
            must_change: false,
        }
    }
}

/// A part in a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// Everything.
    Organiser,
    /// The daily work: people, codes, teams and entries. Neither judgements, nor private scores before the release, nor changes of the campaign.
    Assistant,
    /// A member of a team.
    Participant,
    /// Reads what members may read.
    Observer,
}

impl Role {
    const ALL: [Self; 4] = [
        Self::Organiser,
        Self::Assistant,
        Self::Participant,
        Self::Observer,
    ];

    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Organiser => "organiser",
            Self::Assistant => "assistant",
            Self::Participant => "participant",
            Self::Observer => "observer",
        }
    }

    /// Whether this is an organiser or an assistant.
    pub(crate) fn is_staff(self) -> bool {
        matches!(self, Self::Organiser | Self::Assistant)
    }
}

/// People who see the same of a campaign's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Standing {
    Reader,
    Member,
    Assistant,
    Organiser,
}

/// A viewer of one campaign at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) campaign: Campaign,
    pub(crate) now: i64,
    pub(crate) phase: Phase,
    pub(crate) person: Option<Person>,
    pub(crate) role: Option<Role>,
    /// The team of a participant.
    pub(crate) team: Option<i64>,
}

impl Access {
    /// The access of a viewer to the campaign at an address. A draft exists for its organisers only, who may preview it.
    pub(crate) fn open(
        db: &Connection,
        viewer: &Viewer,
        slug: &str,
        now: i64,
    ) -> Result<Self, Problem> {
        let campaign = Campaign::by_slug(db, slug)?;
        if viewer.only_campaign.is_some_and(|only| only != campaign.id) {
            return Err(Problem::not_found());
        }
        let (mut role, mut team) = (None, None);
        let preview = viewer.preview.as_ref();
        let preview = preview.filter(|preview| preview.campaign == campaign.id);
        if let Some(preview) = preview {
            role = preview.role;
            team = preview.team.as_ref().map(|(id, _)| *id);
        } else if let Some(person) = &viewer.person {
            role = members::role_of(db, campaign.id, person.id)?;
            team = members::team_of(db, campaign.id, person.id)?;
        }
        let access = Self {
            phase: campaign.phase(now),
            campaign,
            now,
            person: viewer.person.clone(),
            role,
            team,
        };
        if access.phase == Phase::Draft && !access.is_staff() && preview.is_none() {
            return Err(Problem::not_found());
        }
        Ok(access)
    }

    /// Whose board this person sees.
    pub(crate) fn standing(&self) -> Standing {
        match self.role {
            None => Standing::Reader,
            Some(Role::Participant | Role::Observer) => Standing::Member,
            Some(Role::Assistant) => Standing::Assistant,
            Some(Role::Organiser) => Standing::Organiser,
        }
    }

    /// Whether this is an organiser or an assistant.
    pub(crate) fn is_staff(&self) -> bool {
        self.role.is_some_and(Role::is_staff)
    }

    pub(crate) fn is_organiser(&self) -> bool {
        self.role == Some(Role::Organiser)
    }

    /// The organiser, for changes of the campaign.
    pub(crate) fn organiser(&self) -> Result<&Person, Problem> {
        let person = self.person.as_ref().ok_or_else(Problem::not_found)?;
        if self.is_organiser() {
            Ok(person)
        } else {
            Err(Problem::not_found())
        }
    }

    /// An organiser or assistant, for what participants do not see.
    pub(crate) fn staff(&self) -> Result<&Person, Problem> {
        let person = self.person.as_ref().ok_or_else(Problem::not_found)?;
        if self.is_staff() {
            Ok(person)
        } else {
            Err(Problem::not_found())
        }
    }

    /// A participant and the team.
    pub(crate) fn participant(&self) -> Result<(&Person, i64), Problem> {
        let person = self.person.as_ref().ok_or_else(Problem::sign_in)?;
        let team = self.team.filter(|_| self.role == Some(Role::Participant));
        let team = team.ok_or_else(|| {
            Problem::forbidden("Only members of a team can do this. Join with a code first.")
        })?;
        Ok((person, team))
    }

    /// Whether this person gives and takes a role. Assistants do the daily work: they handle participants and observers only.
    pub(crate) fn handles(&self, role: Role) -> bool {
        match role {
            Role::Organiser | Role::Assistant => self.is_organiser(),
            Role::Participant | Role::Observer => self.is_staff(),
        }
    }

    /// Participants change their teams while boards are live: during a freeze, others would see the change, and after the end the teams are final.
    pub(crate) fn teams_may_change(&self) -> Result<(), Problem> {
        match self.phase {
            Phase::Draft | Phase::Scheduled | Phase::Open => Ok(()),
            Phase::Frozen | Phase::Closed | Phase::Released => {
                let message =
                    "Teams change only before the freeze of the board and the end of the campaign.";
                Err(Problem::conflict("phase", message))
            }
        }
    }

    /// Whether the public board may be seen.
    pub(crate) fn sees_board(&self) -> bool {
        if self.is_staff() || self.phase == Phase::Released {
            return true;
        }
        match self.campaign.settings.board {
            Audience::Everyone => true,
            Audience::Members => self.role.is_some(),
            Audience::Organisers => false,
        }
    }

    /// Whether the final board, private values and the split may be seen.
    pub(crate) fn sees_final(&self) -> bool {
        self.phase == Phase::Released || self.is_organiser()
    }

    /// Whether the judgements, and what shows them, may be seen.
    pub(crate) fn sees_qrels(&self) -> bool {
        self.is_organiser() || self.is_released_to(self.campaign.settings.release_qrels)
    }

    /// Whether the final runs of other teams may be seen.
    pub(crate) fn sees_runs(&self) -> bool {
        self.is_staff() || self.is_released_to(self.campaign.settings.release_runs)
    }

    fn is_released_to(&self, audience: Audience) -> bool {
        let is_in = match audience {
            Audience::Everyone => true,
            Audience::Members => self.role.is_some(),
            Audience::Organisers => self.is_staff(),
        };
        self.phase == Phase::Released && is_in
    }

    /// Whether names of teams are replaced by their numbers.
    pub(crate) fn hides_names(&self) -> bool {
        let released = self.phase == Phase::Released;
        self.campaign.settings.names == Names::Numbers && !released && !self.is_staff()
    }

    /// Whether the entries of a team may be seen.
    pub(crate) fn sees_entries_of(&self, team: i64) -> bool {
        self.is_staff() || (self.role == Some(Role::Participant) && self.team == Some(team))
    }

    /// Whether the public score of an entry of the own team may be seen. With a ladder only the board shows scores.
    pub(crate) fn sees_score_of_entry(&self, shown: Option<i64>) -> bool {
        let has_ladder = self.campaign.settings.ladder != Ladder::Off;
        let everything = self.is_staff() || self.phase == Phase::Released;
        everything || (!has_ladder && self.sees_result_of_entry(shown))
    }

    /// Whether the own team may be told that an entry has changed its board, which is all that a ladder tells.
    pub(crate) fn sees_step_of_entry(&self, shown: Option<i64>) -> bool {
        let has_ladder = self.campaign.settings.ladder != Ladder::Off;
        has_ladder && (self.is_staff() || self.sees_result_of_entry(shown))
    }

    /// In a freeze a team sees the results up to the freeze.
    fn sees_result_of_entry(&self, shown: Option<i64>) -> bool {
        let is_before_freeze = shown.is_some_and(|at| at <= self.board_moment());
        self.campaign.settings.own_score && (self.phase != Phase::Frozen || is_before_freeze)
    }

    /// The latest result that may be seen: staff and own teams see theirs at once, others the board's moment.
    pub(crate) fn board_moment(&self) -> i64 {
        self.campaign.board_moment(self.now)
    }
}
