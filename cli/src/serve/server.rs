//! A server from its beginning to its end.

use std::io::{ErrorKind, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use boardprint_store::db::{self, Access};
use tokio::runtime::Runtime;
use tokio::time::Instant;

use super::app::{App, Limits, workers};
use super::gate::Gate;
use super::intake::Intake;
use super::keeper::Keeper;
use super::position::Reading;
use super::{listen, routes, told};
use crate::args::ReadingArgs;
use crate::database::{DbArg, failure, rules};
use crate::report::Usage;
use crate::terminal::is_quiet;

/// How often the end looks whether the threads beside the answers have ended.
const LOOK: Duration = Duration::from_millis(10);

/// What a server is told.
pub(crate) struct Options {
    pub(crate) db: DbArg,
    pub(crate) listen: SocketAddr,
    pub(crate) hosts: Vec<String>,
    pub(crate) cors: Option<String>,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) watch: Option<PathBuf>,
    pub(crate) keep_text: bool,
    pub(crate) memory: u64,
    pub(crate) limits: Limits,
    pub(crate) reading: ReadingArgs,
}

/// Answers until it is told to end.
pub(crate) fn run(options: Options) -> Result<()> {
    let is_local = options.listen.ip().is_loopback();
    if !is_local && options.hosts.is_empty() {
        let message = "to be reached from elsewhere, the server must know its name: give it with --host";
        return Err(Usage(message.to_owned()).into());
    }
    for host in &options.hosts {
        told::host(host).map_err(Usage)?;
    }
    let cors = options.cors.as_deref().map(told::origin).transpose().map_err(Usage)?;
    if let Some(folder) = &options.watch {
        told::folder(folder).map_err(Usage)?;
    }
    // First the address, so that the lock of the database can name it.
    let listener = TcpListener::bind(options.listen).map_err(|error| {
        let advice = match error.kind() {
            ErrorKind::AddrInUse => "; choose another port with --port",
            ErrorKind::AddrNotAvailable => "; --listen takes an address of this machine",
            _ => "",
        };
        anyhow!("cannot listen on {}: {error}{advice}", options.listen)
    })?;
    let address = listener.local_addr().context("the address of the server")?;
    let takes_files = !options.files.is_empty() || options.watch.is_some();
    let open = db::Options::default()
        .any_profile(true)
        .create(takes_files)
        .access(if takes_files { Access::Write } else { Access::Read })
        .memory(options.memory)
        .purpose("serve")
        .address(reachable(address).to_string());
    let (db, profile) = options.db.open(open)?;
    let rules = rules(&options.reading, profile)?;
    let reading = Reading::new(&options.reading, options.limits.pieces)?;
    let keeper = Keeper::open(&options.db.db, &db, &reading);
    let gate = Gate::new(names(&options, address), cors, options.limits.address, options.limits.rate);
    let intake = Intake {
        files: options.files,
        folder: options.watch,
        rules: rules.clone().keep_text(options.keep_text),
        reader: options.reading.reader_options(),
        memory: options.memory,
    };
    let app = Arc::new(App::new(db, rules, profile, reading, options.limits, keeper));
    let keeper = beside("keeper", &app, |app| {
        app.keeper.work(app);
        Ok(())
    })?;
    let intake = takes_files.then(|| beside("intake", &app, move |app| intake.work(app))).transpose()?;
    let runtime = runtime()?;
    let deadline = runtime.block_on(answer(listener, address, &app, gate));
    app.ending.store(true, Ordering::Relaxed);
    let deadline = deadline?;
    // Meanwhile the runtime goes on, so that a second signal is heard.
    let outcome = match intake.map(|intake| end_of(intake, deadline)) {
        Some(Some(outcome)) => outcome,
        Some(None) => {
            if !is_quiet() {
                anstream::eprintln!("note: the import was broken off; the next one goes on with it");
            }
            Ok(())
        }
        None => Ok(()),
    };
    let _ = end_of(keeper, deadline);
    // Answers under way have had their time.
    runtime.shutdown_timeout(Duration::from_secs(1));
    outcome.map_err(failure)?;
    match Arc::into_inner(app) {
        Some(App { db, views, .. }) => {
            // Nobody closes what a view still reads.
            drop(views);
            db.close().map_err(failure)
        }
        // Something that nobody waits for is still under way; what was acknowledged is safe all the same.
        None => Ok(()),
    }
}

/// Starts work beside the answers. The server ends when it fails: then the database cannot be read any more.
fn beside(
    name: &str,
    app: &Arc<App>,
    work: impl FnOnce(&App) -> db::Result<()> + Send + 'static,
) -> Result<JoinHandle<db::Result<()>>> {
    let app = Arc::clone(app);
    let work = move || {
        step_aside();
        let outcome = work(&app);
        if outcome.is_err() {
            app.broken.notify_one();
        }
        outcome
    };
    thread::Builder::new().name(name.to_owned()).spawn(work).context("cannot start a thread")
}

/// Waits for the end of work beside the answers, but no longer than this: reading a file may take forever, and
/// merging runs of the index long.
fn end_of(work: JoinHandle<db::Result<()>>, deadline: Instant) -> Option<db::Result<()>> {
    while !work.is_finished() && Instant::now() < deadline {
        thread::sleep(LOOK);
    }
    work.is_finished().then(|| work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
}

/// Lets the threads that answer go first where this one, or one that it starts, wants the same core. It is a
/// wish: nothing depends on it.
fn step_aside() {
    // Of Linux alone it is known that this concerns a thread and not the whole process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

/// Threads for those who answer, and one who works answers out ahead. With more threads than that, each would
/// keep memory of its own that it once needed.
fn runtime() -> Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(workers() + 1)
        .enable_all()
        .build()
        .context("cannot start threads")
}

/// Answers until the end; until when the rest may take.
async fn answer(listener: TcpListener, address: SocketAddr, app: &Arc<App>, gate: Gate) -> Result<Instant> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let told = told_to_end()?;
    let end = async {
        tokio::select! {
            () = told => {}
            () = app.broken.notified() => {}
        }
    };
    let mut out = std::io::stdout();
    writeln!(out, "http://{address}")?;
    out.flush()?;
    let router = routes::router(Arc::clone(app), Arc::new(gate));
    Ok(listen::serve(listener, router, Arc::clone(app), end).await)
}

/// Ends when the process is told to; told once more, it ends at once.
fn told_to_end() -> std::io::Result<impl Future<Output = ()>> {
    let mut signals = signals()?;
    Ok(async move {
        signals.told().await;
        tokio::spawn(async move {
            signals.told().await;
            std::process::exit(130);
        });
    })
}

#[cfg(unix)]
struct Signals(tokio::signal::unix::Signal, tokio::signal::unix::Signal);

#[cfg(unix)]
fn signals() -> std::io::Result<Signals> {
    use tokio::signal::unix::{SignalKind, signal};
    Ok(Signals(signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?))
}

#[cfg(unix)]
impl Signals {
    async fn told(&mut self) {
        tokio::select! {
            _ = self.0.recv() => {}
            _ = self.1.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
fn signals() -> std::io::Result<Signals> {
    Ok(Signals)
}

#[cfg(not(unix))]
impl Signals {
    async fn told(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Where this machine reaches the server.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, address.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => (std::net::Ipv6Addr::LOCALHOST, address.port()).into(),
        _ => address,
    }
}

/// The names under which requests may ask for this server.
fn names(options: &Options, address: SocketAddr) -> Vec<String> {
    let mut names = options.hosts.clone();
    let reachable = reachable(address).ip();
    if reachable.is_loopback() {
        names.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned));
    }
    if !address.ip().is_unspecified() {
        names.push(match address.ip() {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        });
    }
    names
}
