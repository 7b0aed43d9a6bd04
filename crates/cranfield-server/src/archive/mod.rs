//! Campaigns as archives: written by organisers and teams, verified by anyone, and imported by another server.

pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod scores;
pub(crate) mod tables;
pub(crate) mod verify;
pub(crate) mod zip;

/// The form of archives.
pub(crate) const FORMAT: &str = "cranfield-campaign/1";

/// What an archive has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Everything, for organisers.
    Full,
    /// What a viewer may see after the release.
    Public,
    /// The entries of a team, with the values that it may see.
    Team,
}

impl Profile {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Public => "public",
            Self::Team => "team",
        }
    }
}

/// The member with the judgements of a version.
pub(crate) fn qrels_member(version: i64) -> String {
    format!("qrels/v{version:03}.qrels")
}

/// The member with the public and private topics of a version.
pub(crate) fn split_member(version: i64) -> String {
    format!("split/v{version:03}.tsv")
}

/// The member with the run of an entry.
pub(crate) fn run_member(entry: &str) -> String {
    format!("runs/{entry}.run")
}

/// The member with the scores of a scoring.
pub(crate) fn scores_member(scoring: i64) -> String {
    format!("scores/s{scoring:03}.jsonl")
}

/// The member with the rows of a table.
pub(crate) fn table_member(table: &str) -> String {
    format!("tables/{table}.jsonl")
}
