//! External engines against servers and programs with faults.

mod commands;
mod files;
mod server;
mod servers;

use super::Query;

/// Queries with the numbers 1, 2 and so on as topics.
fn queries(words: &[&str]) -> Vec<Query> {
    let query = |(at, word): (usize, &&str)| Query {
        topic: (at + 1).to_string(),
        text: (*word).to_owned(),
    };
    words.iter().enumerate().map(query).collect()
}
