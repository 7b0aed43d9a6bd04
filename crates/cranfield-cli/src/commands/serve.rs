//! `cranfield serve`.

#![allow(missing_docs, reason = "options have their own help")]

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use cranfield_server::{Config, Listen, Proxy, Site, Stop, demo};

use crate::{exit_code, memory};

/// Runs campaigns, such as the leaderboard of a class: teams join with a code and send runs, and a page shows how they compare.
/// All data is in one folder.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield serve --demo
  cranfield serve --data campaigns
  cranfield serve --listen 0.0.0.0:8080 --insecure-http    (a lecture hall)
  cranfield serve --public-url https://board.example.org    (behind a proxy)")]
pub struct ServeArgs {
    /// Data folder; it is made if it does not exist
    #[arg(long, value_name = "DIR", default_value = "cranfield-data")]
    pub data: PathBuf,
    /// Address and port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address that browsers use, if a proxy stands between
    #[arg(long, value_name = "URL")]
    pub public_url: Option<String>,
    /// Address or network of a proxy that reports the addresses of clients in X-Forwarded-For; may be repeated
    #[arg(long, value_name = "ADDRESS")]
    pub trusted_proxy: Vec<Proxy>,
    /// Address and port of /metrics, which must be on this computer
    #[arg(long, value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,
    /// Log every request, and not just failures and slow ones
    #[arg(long)]
    pub log_requests: bool,
    /// Listen on other addresses than this computer's without encryption
    #[arg(long)]
    pub insecure_http: bool,
    /// Make a campaign from an archive that was exported with everything, then serve it
    #[arg(long, value_name = "FILE.zip", conflicts_with = "demo")]
    pub import: Option<PathBuf>,
    /// Show a sample campaign with teams and entries, in a temporary folder
    #[arg(long, conflicts_with = "data")]
    pub demo: bool,
}

pub(crate) fn run(args: &ServeArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let is_encrypted = args
        .public_url
        .as_ref()
        .is_some_and(|url| url.starts_with("https://"));
    if !args.listen.ip().is_loopback() && !is_encrypted && !args.insecure_http {
        bail!(
            "{} can be reached from other computers, and passwords would travel unencrypted: add --public-url https://… behind a proxy, or --insecure-http",
            args.listen
        );
    }
    if let Some(admin) = args.admin_listen.filter(|admin| !admin.ip().is_loopback()) {
        bail!(
            "{admin} can be reached from other computers, and metrics are for operators: use an address such as 127.0.0.1:9090"
        );
    }
    memory::run_for_long();
    // The folder of a demonstration is removed even if it is stopped before it is ready.
    let early = args.demo.then(heed_signals).transpose()?;
    let temporary = args.demo.then(tempfile::tempdir).transpose()?;
    let data = temporary
        .as_ref()
        .map_or_else(|| args.data.clone(), |folder| folder.path().join("data"));
    let config = Config {
        data,
        public_url: args.public_url.clone(),
    };
    let site = Site::open(&config)?;
    let mut lines = Vec::new();
    if let Some(archive) = &args.import {
        let slug = site.import(archive, None)?;
        lines.push(format!("Imported the campaign {slug}"));
    }
    let stop = early.map_or_else(heed_signals, Ok)?;
    if let Some(folder) = &temporary {
        for login in demo(&site, &folder.path().join("garden"), &stop)? {
            lines.push(format!(
                "  {:9} {}  {}",
                login.login, login.password, login.role
            ));
        }
        lines.insert(
            0,
            "Sign in as one of these; everything is gone when the server stops:".into(),
        );
    }
    let setup = if args.demo { None } else { site.setup_path() };
    let listen = Listen {
        address: args.listen,
        admin: args.admin_listen,
        trusted: args.trusted_proxy.clone(),
        log_requests: args.log_requests,
    };
    site.serve(&listen, stop, |address| {
        let base = args
            .public_url
            .clone()
            .unwrap_or_else(|| format!("http://{address}"));
        let base = base.trim_end_matches('/');
        let mut text = format!("Campaigns are at {base}/\n");
        if let Some(path) = &setup {
            text.push_str(&format!("Make the first account at {base}{path}\n"));
        }
        for line in &lines {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str("Stop with Ctrl-C.\n");
        // A closed output is no reason to stop serving.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    })?;
    Ok(exit_code::OK)
}

/// Leaves signals to the server, which ends its requests first.
fn heed_signals() -> anyhow::Result<Stop> {
    cranfield::io::release_termination();
    Ok(Stop::on_signal()?)
}
