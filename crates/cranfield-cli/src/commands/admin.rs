//! `cranfield admin`.

#![allow(missing_docs, reason = "options have their own help")]

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use cranfield::report::{one_line, visible};
use cranfield_server::{Config, Folder, ServeError, Site, restore};

use crate::exit_code;

/// Manages the data folder of `cranfield serve`, also while the server runs, except for restore and import.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cranfield admin --data campaigns user add ann --name 'Ann Lee'
  cranfield admin --data campaigns backup /mnt/backup
  cranfield admin --data campaigns check
  cranfield admin --data restored restore /mnt/backup
  cranfield admin --data campaigns export hw1 hw1-full.zip")]
pub struct AdminArgs {
    /// Data folder
    #[arg(
        long,
        value_name = "DIR",
        default_value = "cranfield-data",
        global = true
    )]
    pub data: PathBuf,
    #[command(subcommand)]
    pub command: AdminCommand,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Add an account, give it a password, or disable it
    #[command(subcommand)]
    User(UserCommand),
    /// Copy everything to a folder, which is empty or has an earlier backup
    Backup {
        /// Folder of the backup
        to: PathBuf,
    },
    /// Make the data folder from a backup; it must not exist, or be empty
    Restore {
        /// Folder of the backup
        from: PathBuf,
    },
    /// Check the database, the log and every file; exit code 3 if something is damaged
    Check,
    /// Write an archive with everything about a campaign
    Export {
        /// Address of the campaign, such as hw1
        campaign: String,
        /// File to write
        #[arg(value_name = "FILE.zip")]
        to: PathBuf,
        /// Include logins and names of people, which are pseudonyms otherwise
        #[arg(long)]
        people: bool,
    },
    /// Make a campaign from an archive; the server must not run
    Import {
        /// Archive that was exported with everything
        #[arg(value_name = "FILE.zip")]
        archive: PathBuf,
        /// Make the account with this login an organiser of the campaign
        #[arg(long, value_name = "LOGIN")]
        organiser: Option<String>,
    },
}

/// What to do with an account.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Add an account, and print its one-time password
    Add {
        login: String,
        /// Name that others see [default: the login]
        #[arg(long)]
        name: Option<String>,
        /// Let the account make campaigns
        #[arg(long)]
        makes_campaigns: bool,
    },
    /// Give an account a new one-time password, and end its sessions
    Password { login: String },
    /// End the sessions and tokens of an account, and take its password away
    Disable { login: String },
}

pub(crate) fn run(
    args: &AdminArgs,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> anyhow::Result<u8> {
    match done(args, out) {
        Ok(Some(problems)) => {
            for problem in &problems {
                writeln!(err, "error: {}", visible(&one_line(problem)))?;
            }
            if problems.is_empty() {
                writeln!(out, "{} is whole", args.data.display())?;
                return Ok(exit_code::OK);
            }
            Ok(exit_code::INVALID_INPUT)
        }
        Ok(None) => Ok(exit_code::OK),
        Err(Failure::Output(error)) => Err(error.into()),
        Err(Failure::Folder(error)) => {
            writeln!(err, "error: {}", visible(&one_line(&error.to_string())))?;
            Ok(exit_code::INVALID_INPUT)
        }
    }
}

enum Failure {
    Folder(ServeError),
    Output(std::io::Error),
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Self {
        Self::Folder(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

/// Does what is asked. A check returns what it found.
fn done(args: &AdminArgs, out: &mut dyn Write) -> Result<Option<Vec<String>>, Failure> {
    let data = &args.data;
    match &args.command {
        AdminCommand::User(command) => user(&Folder::open(data)?, command, out)?,
        AdminCommand::Backup { to } => {
            let files = Folder::open(data)?.backup(to)?;
            writeln!(out, "{} has the database and {files} files", to.display())?;
        }
        AdminCommand::Restore { from } => {
            restore(from, data)?;
            writeln!(out, "{} is as the backup", data.display())?;
        }
        AdminCommand::Check => return Ok(Some(Folder::open(data)?.check()?)),
        AdminCommand::Export {
            campaign,
            to,
            people,
        } => {
            Folder::open(data)?.export(campaign, *people, to)?;
            writeln!(out, "{}", to.display())?;
        }
        AdminCommand::Import { archive, organiser } => {
            let config = Config {
                data: data.clone(),
                public_url: None,
            };
            let slug = Site::open(&config)?.import(archive, organiser.as_deref())?;
            writeln!(out, "Imported the campaign {slug}")?;
        }
    }
    Ok(None)
}

fn user(folder: &Folder, command: &UserCommand, out: &mut dyn Write) -> Result<(), Failure> {
    let (login, password) = match command {
        UserCommand::Add {
            login,
            name,
            makes_campaigns,
        } => {
            let name = name.as_ref().unwrap_or(login);
            (login, Some(folder.add_user(login, name, *makes_campaigns)?))
        }
        UserCommand::Password { login } => (login, Some(folder.reset_password(login)?)),
        UserCommand::Disable { login } => {
            folder.disable(login)?;
            (login, None)
        }
    };
    match password {
        Some(password) => writeln!(out, "one-time password of {}: {password}", visible(login))?,
        None => writeln!(out, "{} is disabled", visible(login))?,
    }
    Ok(())
}
