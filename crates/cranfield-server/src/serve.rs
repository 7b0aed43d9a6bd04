//! A data folder, and the connections that are answered from it.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;

use crate::net::{Patience, Stop, accept, bind};
use crate::problem::Problem;
use crate::proxy::Proxy;
use crate::server::{Server, State};
use crate::store::{Store, StoreError};
use crate::{audit, health, jobs, people, routes, search, secret};

/// Where a server keeps its data, and how it is reached.
#[derive(Clone, Debug)]
pub struct Config {
    /// The data folder; it is made if it does not exist.
    pub data: PathBuf,
    /// The address in links, if it is not that of the connection, such as `https://board.example.org`.
    pub public_url: Option<String>,
}

/// How a server is reached.
#[derive(Clone, Debug)]
pub struct Listen {
    /// Address and port; a free port if it is 0.
    pub address: SocketAddr,
    /// Address and port of `/metrics`, which is for operators only.
    pub admin: Option<SocketAddr>,
    /// Proxies that report the addresses of clients.
    pub trusted: Vec<Proxy>,
    /// Whether each request is logged, and not just failures and slow ones.
    pub log_requests: bool,
}

/// Why a server cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The data folder cannot be used.
    #[error("{}: {error}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What the system reports.
        error: std::io::Error,
    },
    /// Another process uses the folder.
    #[error("{}: another server uses this folder", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system reports.
        error: std::io::Error,
    },
    /// The server failed while it started.
    #[error("{0}")]
    Start(String),
}

impl From<Problem> for ServeError {
    fn from(problem: Problem) -> Self {
        Self::Start(problem.detail)
    }
}

/// An open data folder.
pub struct Site {
    pub(crate) server: Server,
    setup: Option<String>,
    /// Held until the site is dropped.
    _lock: File,
}

impl Site {
    /// Opens a data folder, and starts to score entries that wait.
    ///
    /// # Errors
    /// If the folder cannot be written, or another server uses it.
    pub fn open(config: &Config) -> Result<Self, ServeError> {
        let data = &config.data;
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| ServeError::Folder { path, error }
        };
        for folder in [data.clone(), data.join("blobs"), data.join("incoming")] {
            make_folder(&folder).map_err(failed(&folder))?;
        }
        let lock_path = data.join("LOCK");
        let lock = File::create(&lock_path).map_err(failed(&lock_path))?;
        if lock.try_lock().is_err() {
            return Err(ServeError::Locked { path: data.clone() });
        }
        // Uploads and searches that a crash cut off.
        let incoming = data.join("incoming");
        for entry in std::fs::read_dir(&incoming)
            .map_err(failed(&incoming))?
            .flatten()
        {
            let path = entry.path();
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
        }
        let store = Store::open(&data.join("cranfield.db"))?;
        let setup = if store.read_here(people::has_accounts)? {
            None
        } else {
            Some(secret::token("")?)
        };
        if let Some(row) = store.read_here(audit::first_broken)? {
            let message = format!(
                "row {row} of the log was changed outside the server, or one before it is missing"
            );
            return Err(ServeError::Start(message));
        }
        let hash = setup.as_deref().map(secret::hash);
        let server = State::new(store, data.clone(), config.public_url.clone(), hash);
        jobs::start(&server)?;
        search::start(&server)?;
        Ok(Self {
            server,
            setup,
            _lock: lock,
        })
    }

    /// Makes a campaign from an archive with everything, and returns its address. `organiser` is the login of an account that becomes its organiser.
    ///
    /// # Errors
    /// If the archive is damaged or has another profile, there is a campaign with its address, or there is no such account.
    pub fn import(&self, archive: &Path, organiser: Option<&str>) -> Result<String, ServeError> {
        Ok(crate::archive::import::import(
            &self.server,
            archive,
            organiser,
        )?)
    }

    /// The path of the page that makes the first account, if there is none.
    pub fn setup_path(&self) -> Option<String> {
        self.setup.as_ref().map(|secret| format!("/setup/{secret}"))
    }

    /// The application, for tests and other servers.
    pub(crate) fn app(&self) -> Router {
        routes::app(self.server.clone())
    }

    /// Answers requests until the process is asked to stop. `started` gets the address, which has the port if the given one is 0.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub fn serve(
        self,
        listen: &Listen,
        stop: Stop,
        started: impl FnOnce(SocketAddr),
    ) -> Result<(), ServeError> {
        let address = listen.address;
        let listen_error = |error| ServeError::Listen { address, error };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(listen_error)?;
        self.server
            .log_requests
            .store(listen.log_requests, Ordering::Relaxed);
        let answered = runtime.block_on(async {
            let listener = bind(address).await?;
            if let Some(address) = listen.admin {
                let (listener, app) = (bind(address).await?, health::admin(self.server.clone()));
                let nobody = Arc::from([]);
                let stop = std::future::pending();
                tokio::spawn(accept(listener, app, nobody, Patience::default(), stop));
            }
            started(listener.local_addr().map_err(listen_error)?);
            let stop = async {
                stop.requested().await;
                self.server.stop();
            };
            let trusted = listen.trusted.clone().into();
            accept(listener, self.app(), trusted, Patience::default(), stop).await;
            Ok(())
        });
        // Boards that are still computed are not waited for: no one will see them.
        runtime.shutdown_background();
        answered
    }
}

#[cfg(unix)]
pub(crate) fn make_folder(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

#[cfg(not(unix))]
pub(crate) fn make_folder(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(path)
}
