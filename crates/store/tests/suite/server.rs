//! A real PostgreSQL server for tests: made in a temporary folder, on a free port of this machine, ended with
//! the test.

#![allow(dead_code, reason = "shared by several test executables")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A server. It ends when this is dropped, or when the test executable ends.
pub(crate) struct PgServer {
    folder: PathBuf,
    port: u16,
    keeper: Mutex<Option<Child>>,
}

/// Where the programs of PostgreSQL are.
fn programs() -> Option<PathBuf> {
    let in_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let mut folders = in_path.unwrap_or_default();
    // Debian keeps those of each version apart.
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        folders.extend(versions.flatten().map(|version| version.path().join("bin")));
    }
    folders.into_iter().find(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
}

/// Whether there is a server to test with. Says aloud if not; with `BOARDPRINT_POSTGRES=required` that is an
/// error.
pub(crate) fn there_is_postgres(test: &str) -> bool {
    let found = programs().is_some() && (!is_root() || has("setpriv"));
    if !found {
        assert!(
            std::env::var("BOARDPRINT_POSTGRES").as_deref() != Ok("required"),
            "{test}: PostgreSQL is not installed here"
        );
        // Written to the terminal itself: the harness keeps what tests print to themselves.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED {test}: PostgreSQL is not installed here (Debian: postgresql)"
        );
    }
    found
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// A command as a user without rights: PostgreSQL does not run as root.
fn humbly(program: &str) -> Command {
    if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", program]);
        command
    } else {
        Command::new(program)
    }
}

impl PgServer {
    /// Starts a server with an empty cluster.
    pub(crate) fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("boardprint-pg-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        if is_root() {
            std::os::unix::fs::chown(&folder, Some(65534), Some(65534)).unwrap();
        }
        let initdb = programs().unwrap().join("initdb");
        let made = humbly(initdb.to_str().unwrap())
            .args(["--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C", "-D"])
            .arg(folder.join("data"))
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = PgServer { folder, port, keeper: Mutex::default() };
        server.run();
        server
    }

    /// One server for all tests of this executable.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<PgServer> = OnceLock::new();
        SHARED.get_or_init(PgServer::start)
    }

    /// Starts the server again after it was killed.
    pub(crate) fn run(&self) {
        let postgres = programs().unwrap().join("postgres");
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            // The shell ends the server when its standard input ends, however this process does, and itself
            // when the server ends. The inner shell waits for the server: one that nobody waited for would
            // seem to run for ever.
            let script = format!(
                "cd {folder}; \
                 ({postgres} -D {folder}/data -p {port} -c listen_addresses=127.0.0.1 \
                 -c unix_socket_directories={folder} -c fsync=off -c max_connections=80 -c shared_buffers=32MB \
                 -c autovacuum_naptime=10 >>{folder}/log 2>&1 & echo $! >{folder}/pid; wait $!; kill $$) & \
                 read line; trap '' TERM; kill -INT $(cat {folder}/pid); wait; \
                 [ \"$line\" = stay ] || rm -rf {folder}",
                folder = self.folder.display(),
                postgres = postgres.display(),
                port = self.port,
            );
            let child = humbly("sh")
                .arg("-c")
                .arg(script)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            let mut child = child.unwrap();
            loop {
                if self.is_ready() {
                    *self.keeper.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
                    return;
                }
                assert!(Instant::now() < deadline, "{}", self.log());
                // What a killed server left may keep the next one from starting for a moment.
                if child.try_wait().unwrap().is_some() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }

    fn is_ready(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok() && self.try_psql("postgres", "select 1").is_ok()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Kills the server and all that belongs to it, as a power cut would.
    pub(crate) fn kill(&self) {
        let text = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let pid = text.lines().next().unwrap().to_owned();
        let children =
            Command::new("pgrep").args(["-P", &pid]).output().map(|list| list.stdout).unwrap_or_default();
        let mut all = vec![pid];
        all.extend(String::from_utf8_lossy(&children).lines().map(str::to_owned));
        assert!(Command::new("kill").arg("-9").args(&all).stderr(Stdio::null()).status().is_ok());
        if let Some(mut keeper) = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take() {
            if let Some(stdin) = &mut keeper.stdin {
                let _ = stdin.write_all(b"stay\n");
            }
            let _ = keeper.wait();
        }
    }

    /// Runs SQL.
    pub(crate) fn psql(&self, database: &str, sql: &str) -> String {
        self.try_psql(database, sql).unwrap_or_else(|said| panic!("{sql}: {said}"))
    }

    fn try_psql(&self, database: &str, sql: &str) -> Result<String, String> {
        let mut client = Command::new(programs().unwrap().join("psql"));
        if !programs().unwrap().join("psql").exists() {
            client = Command::new("psql");
        }
        let client = client.args([
            "-h",
            "127.0.0.1",
            "-U",
            "postgres",
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
        ]);
        let done = client.args(["-p", &self.port.to_string(), "-d", database, "-c", sql]).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if done.status.success() { Ok(text(&done.stdout)) } else { Err(text(&done.stderr)) }
    }

    /// The address of a new, empty database.
    pub(crate) fn new_database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("games{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.psql("postgres", &format!("create database {name}"));
        self.url(&name)
    }

    /// The address of a database.
    pub(crate) fn url(&self, database: &str) -> String {
        let mut url = String::new();
        write!(url, "postgresql://postgres@127.0.0.1:{}/{database}", self.port).unwrap();
        url
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for PgServer {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper.lock().unwrap_or_else(PoisonError::into_inner).take() {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
