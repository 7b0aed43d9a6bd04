//! External engines against servers and programs with faults.

mod commands;
mod files;
mod server;
mod servers;
