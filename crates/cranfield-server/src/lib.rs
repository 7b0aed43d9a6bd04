//! Campaigns: a leaderboard for a class or a shared task, in one program with its own database.
//!
//! [`Site::open`] opens a data folder, [`Site::serve`] answers requests until the process is asked to stop.
//! A request goes through [`web`](self), which finds out who asks; a page of `pages` asks `policy` what that person may see, reads or writes the
//! `store`, and returns a view that is rendered as HTML or, below `/api/v1`, as JSON.

mod admin;
mod api;
mod archive;
mod assets;
mod audit;
mod board;
mod campaign;
mod check;
mod client;
mod correction;
mod demo;
mod extract;
mod health;
mod jobs;
mod ladder;
mod limits;
mod log;
mod markdown;
mod members;
mod metrics;
mod moves;
mod names;
mod net;
mod pages;
mod people;
mod phase;
mod policy;
mod problem;
mod proxy;
mod questions;
mod rendered;
mod results;
mod roster;
mod routes;
mod scoring;
mod search;
mod secret;
mod serve;
mod server;
mod settings;
mod split;
mod store;
mod teams;
#[cfg(test)]
mod tests;
mod upload;
mod web;

pub use admin::{Folder, restore};
pub use archive::verify::{Verified, verify};
pub use client::{Answer, Submission, SubmitError, submit};
pub use demo::{Login, demo};
pub use net::Stop;
pub use proxy::Proxy;
pub use serve::{Config, Listen, ServeError, Site};
pub use store::StoreError;
