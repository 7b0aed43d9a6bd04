//! Connections: how many there are, how long a client may take, and how they end when the server stops.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::time::Sleep;

use crate::proxy::{Proxy, sender};
use crate::web::Peer;

/// How long clients may take, and how many there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// From the beginning of a connection, or from the answer before, to the end of the headers of a request.
    pub(crate) headers: Duration,
    /// How long a client may take none of an answer.
    pub(crate) stalled: Duration,
    /// How long requests may go on after the server was asked to stop.
    pub(crate) grace: Duration,
    /// The most connections at once.
    pub(crate) connections: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            headers: Duration::from_secs(10),
            stalled: Duration::from_mins(1),
            grace: Duration::from_secs(20),
            connections: 5000,
        }
    }
}

/// Answers connections until `stop` is ready, and lets requests in progress end.
pub(crate) async fn accept(
    listener: TcpListener,
    app: Router,
    trusted: Arc<[Proxy]>,
    patience: Patience,
    stop: impl Future<Output = ()>,
) {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(patience.headers);
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(patience.connections));
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, address)) = accepted else {
            // Out of file descriptors, most likely: wait until some are free.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Small answers, such as events, must not wait for more.
        let _ = stream.set_nodelay(true);
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            continue;
        };
        let (app, trusted) = (TowerToHyperService::new(app.clone()), Arc::clone(&trusted));
        let service = service_fn(move |mut request: Request<Incoming>| {
            let peer = Peer(sender(address, request.headers(), &trusted));
            request.extensions_mut().insert(peer);
            app.call(request.map(Body::new))
        });
        let stream = Steady::new(stream, patience.stalled);
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // Clients may break off whenever they like.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(patience.grace, graceful.shutdown()).await;
}

/// A stream whose other end may not stop reading for long.
struct Steady<S> {
    stream: S,
    longest: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Steady<S> {
    fn new(stream: S, longest: Duration) -> Self {
        Self {
            stream,
            longest,
            stalled: None,
        }
    }

    fn waited<T>(
        &mut self,
        written: Poll<std::io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let longest = self.longest;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(longest)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(std::io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Steady<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Steady<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.waited(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.waited(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        let written = Pin::new(&mut self.stream).poll_flush(context);
        self.waited(written, context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        let written = Pin::new(&mut self.stream).poll_shutdown(context);
        self.waited(written, context)
    }
}

/// Whether the process was asked to stop.
#[derive(Clone, Debug)]
pub struct Stop(watch::Receiver<bool>);

/// Never.
impl Default for Stop {
    fn default() -> Self {
        Self(watch::channel(false).1)
    }
}

impl Stop {
    /// Waits for SIGTERM and SIGINT, which from now on do not end the process.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn on_signal() -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let asked = {
            let _inside = runtime.enter();
            signals()?
        };
        let (stop, stopped) = watch::channel(false);
        std::thread::spawn(move || {
            runtime.block_on(asked);
            stop.send_replace(true);
        });
        Ok(Self(stopped))
    }

    /// Whether it was asked to stop already.
    pub(crate) fn is_requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns when it is asked to stop.
    pub(crate) async fn requested(mut self) {
        if self.0.wait_for(|stop| *stop).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Ends with the first signal to stop after this call.
#[cfg(unix)]
fn signals() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Ends with the first signal to stop after this call.
#[cfg(not(unix))]
fn signals() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move { drop(interrupt.recv().await) })
}

/// An address that is listened on, for messages.
pub(crate) async fn bind(address: SocketAddr) -> Result<TcpListener, crate::ServeError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| crate::ServeError::Listen { address, error })
}
