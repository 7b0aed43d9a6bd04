//! The phase of a campaign: one function of its dates and the time.

use serde::Serialize;

use crate::settings::Dates;

/// Where a campaign is between its draft and its release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Phase {
    /// Only organisers see it.
    Draft,
    /// It is announced.
    Scheduled,
    /// Entries are accepted, and the board is live.
    Open,
    /// Entries are accepted, and the board shows the moment of the freeze.
    Frozen,
    /// Entries are over.
    Closed,
    /// The final board is public.
    Released,
}

impl Phase {
    /// The phase at a time.
    pub(crate) fn at(
        now: i64,
        published: bool,
        frozen: Option<i64>,
        released: Option<i64>,
        dates: Dates,
    ) -> Self {
        match () {
            () if !published => Self::Draft,
            () if released.is_some_and(|at| at <= now) => Self::Released,
            () if now < dates.opens => Self::Scheduled,
            () if now >= dates.closes => Self::Closed,
            () if freeze(frozen, dates).is_some_and(|at| at <= now) => Self::Frozen,
            () => Self::Open,
        }
    }

    /// Whether entries arrive in time.
    pub(crate) fn takes_entries(self) -> bool {
        matches!(self, Self::Open | Self::Frozen)
    }

    /// In a sentence.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Scheduled => "not open yet",
            Self::Open => "open",
            Self::Frozen => "open, board frozen",
            Self::Closed => "closed",
            Self::Released => "released",
        }
    }
}

/// The moment of the freeze: the planned one, or an earlier one by hand.
pub(crate) fn freeze(by_hand: Option<i64>, dates: Dates) -> Option<i64> {
    match (by_hand, dates.freezes) {
        (Some(hand), Some(planned)) => Some(hand.min(planned)),
        (hand, planned) => hand.or(planned),
    }
}

#[cfg(test)]
mod tests {
    use super::Phase::{Closed, Frozen, Open, Released, Scheduled};
    use super::*;

    #[test]
    fn phases_follow_each_other() {
        let dates = Dates {
            opens: 10,
            freezes: Some(20),
            closes: 30,
            merges: None,
        };
        let at = |now| Phase::at(now, true, None, Some(40), dates);
        let phases = [9, 10, 19, 20, 29, 30, 39, 40].map(at);
        assert_eq!(
            phases,
            [
                Scheduled, Open, Open, Frozen, Frozen, Closed, Closed, Released
            ]
        );
        assert_eq!(Phase::at(15, false, None, None, dates), Phase::Draft);
        assert_eq!(Phase::at(15, true, Some(12), None, dates), Phase::Frozen);
    }
}
