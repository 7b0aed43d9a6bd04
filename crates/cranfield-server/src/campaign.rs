//! Campaigns in the database.

use rusqlite::{Connection, OptionalExtension, Row};

use crate::phase::Phase;
use crate::problem::Problem;
use crate::settings::{Dates, Settings};

/// A campaign with its settings in force.
#[derive(Clone, Debug)]
pub(crate) struct Campaign {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) version: i64,
    pub(crate) settings: Settings,
    pub(crate) dates: Dates,
    /// The scoring in force; none without judgements.
    pub(crate) scoring: Option<i64>,
    pub(crate) published: Option<i64>,
    pub(crate) frozen: Option<i64>,
    pub(crate) released: Option<i64>,
}

const COLUMNS: &str =
    "c.id, c.slug, c.settings, c.scoring, c.published, c.frozen, c.released, s.json
    FROM campaign c JOIN settings s ON s.campaign = c.id AND s.version = c.settings";

impl Campaign {
    /// The campaign at an address.
    pub(crate) fn by_slug(db: &Connection, slug: &str) -> Result<Self, Problem> {
        let query = format!("SELECT {COLUMNS} WHERE c.slug = ?1");
        let found = db
            .prepare_cached(&query)?
            .query_row([slug], read)
            .optional()?;
        found.ok_or_else(Problem::not_found)?
    }

    /// The campaign with this number.
    pub(crate) fn by_id(db: &Connection, id: i64) -> Result<Self, Problem> {
        let query = format!("SELECT {COLUMNS} WHERE c.id = ?1");
        let found = db
            .prepare_cached(&query)?
            .query_row([id], read)
            .optional()?;
        found.ok_or_else(Problem::not_found)?
    }

    /// All campaigns, the newest first.
    pub(crate) fn all(db: &Connection) -> Result<Vec<Self>, Problem> {
        let mut query = db.prepare_cached(&format!("SELECT {COLUMNS} ORDER BY c.id DESC"))?;
        let found = query.query_map([], read)?.collect::<Result<Vec<_>, _>>()?;
        found.into_iter().collect()
    }

    /// The phase at a time.
    pub(crate) fn phase(&self, now: i64) -> Phase {
        Phase::at(
            now,
            self.published.is_some(),
            self.frozen,
            self.released,
            self.dates,
        )
    }

    /// The moment that the public board shows.
    pub(crate) fn board_moment(&self, now: i64) -> i64 {
        let is_frozen = self.released.is_none_or(|at| at > now);
        let freeze = crate::phase::freeze(self.frozen, self.dates).filter(|at| *at <= now);
        freeze.filter(|_| is_frozen).unwrap_or(now)
    }

    /// The next moment at which pages change without a write: a date of the campaign, or the result of an entry.
    pub(crate) fn next_change(&self, db: &Connection, now: i64) -> Result<i64, Problem> {
        let shown: Option<i64> = db
            .prepare_cached("SELECT min(shown) FROM submission WHERE campaign = ?1 AND shown > ?2")?
            .query_row((self.id, now), |row| row.get(0))?;
        let dates = [
            shown,
            Some(self.dates.opens),
            self.dates.freezes,
            Some(self.dates.closes),
            self.frozen,
            self.released,
        ];
        let next = dates.into_iter().flatten().filter(|at| *at > now).min();
        Ok(next.unwrap_or(i64::MAX))
    }

    /// Ids of the topics, in their order.
    pub(crate) fn topics(&self, db: &Connection) -> Result<Vec<String>, Problem> {
        let mut query =
            db.prepare_cached("SELECT id FROM topic WHERE campaign = ?1 ORDER BY place")?;
        let ids = query.query_map([self.id], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// Whether each topic is public; all are without a split.
    pub(crate) fn public_topics(&self, db: &Connection) -> Result<Vec<bool>, Problem> {
        let split = match self.scoring {
            Some(scoring) => split_of(db, self.id, scoring)?,
            None => None,
        };
        match split {
            Some(bytes) => Ok(bytes.into_iter().map(|byte| byte == 1).collect()),
            None => Ok(vec![true; self.topics(db)?.len()]),
        }
    }

    /// A moment as the pages of the campaign show it.
    pub(crate) fn date(&self, at: i64) -> String {
        date_in(&self.settings, at)
    }
}

/// A moment in the time zone of the settings.
pub(crate) fn date_in(settings: &Settings, at: i64) -> String {
    let (Ok(zone), Ok(at)) = (settings.time_zone(), jiff::Timestamp::from_millisecond(at)) else {
        return String::new();
    };
    let shown = at.to_zoned(zone);
    format!("{} {}", shown.strftime("%a %-d %b %Y %H:%M"), settings.zone)
}

/// The public topics of a scoring.
pub(crate) fn split_of(
    db: &Connection,
    campaign: i64,
    scoring: i64,
) -> Result<Option<Vec<u8>>, Problem> {
    let mut query = db.prepare_cached(
        "SELECT p.public FROM split p JOIN scoring s ON s.campaign = p.campaign AND s.split = p.version
         WHERE p.campaign = ?1 AND s.id = ?2",
    )?;
    Ok(query
        .query_row((campaign, scoring), |row| row.get(0))
        .optional()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Result<Campaign, Problem>> {
    let json: String = row.get(7)?;
    let parts = (
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(4)?,
        row.get(5)?,
        row.get(6)?,
    );
    Ok(campaign(&json, parts))
}

type Parts = (
    i64,
    String,
    i64,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
);

fn campaign(json: &str, parts: Parts) -> Result<Campaign, Problem> {
    let settings: Settings = serde_json::from_str(json)?;
    let (id, slug, version, scoring, published, frozen, released) = parts;
    Ok(Campaign {
        dates: settings.dates()?,
        id,
        slug,
        version,
        settings,
        scoring,
        published,
        frozen,
        released,
    })
}
