//! Connections: how many, how slow they may be, and how they end.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep};

use super::app::App;
use super::gate::Peer;

/// A header must fit into this; longer ones are refused by the parser.
const HEADER: usize = 64 << 10;
/// After an error of the system, such as too many open files, the next connection waits.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers until the end is asked for, then lets answers under way finish; until when the rest may take.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    app: Arc<App>,
    end: impl Future<Output = ()>,
) -> Instant {
    let limits = &app.limits;
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(limits.connections));
    let service = TowerToHyperService::new(router);
    let mut end = std::pin::pin!(end);
    loop {
        let permit = tokio::select! {
            permit = Arc::clone(&room).acquire_owned() => permit,
            () = &mut end => break,
        };
        let Ok(permit) = permit else { break };
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => {
                let Ok(accepted) = accepted else {
                    tokio::time::sleep(PAUSE).await;
                    continue;
                };
                accepted
            }
            () = &mut end => break,
        };
        let _ = stream.set_nodelay(true);
        let service = service.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer));
            service.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            // It counts from the end of the last answer, so that connections which ask nothing end too.
            .header_read_timeout(limits.patience)
            .max_buf_size(HEADER)
            .serve_connection(TokioIo::new(Patient::new(stream, limits.patience)), answer);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // Whatever is wrong with a connection concerns its client alone.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    app.ending.store(true, Ordering::Relaxed);
    let deadline = Instant::now() + limits.drain;
    let _ = tokio::time::timeout_at(deadline, graceful.shutdown()).await;
    deadline
}

/// A stream that gives up on a client who does not take its answer.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    /// Runs while the client takes nothing.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Patient { stream, patience, waiting: None }
    }

    /// Passes on what the stream says; gives up if it has been silent for too long.
    fn waited<T>(&mut self, context: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.waiting = None;
            return outcome;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.waited(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.waited(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
