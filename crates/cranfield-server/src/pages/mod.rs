//! Pages: for each a view, which is also the JSON of the API, and the handlers that make it.

pub(crate) mod access;
pub(crate) mod account;
pub(crate) mod admin;
pub(crate) mod baselines;
pub(crate) mod board;
pub(crate) mod campaign;
pub(crate) mod codes;
pub(crate) mod copy;
pub(crate) mod entries;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod grades;
pub(crate) mod log;
pub(crate) mod manage;
pub(crate) mod new;
pub(crate) mod own_team;
pub(crate) mod people;
pub(crate) mod preview;
pub(crate) mod qrels;
pub(crate) mod results;
pub(crate) mod roster;
pub(crate) mod scorings;
pub(crate) mod settings;
pub(crate) mod submit;
pub(crate) mod teams;
