//! Running the program, within limits.

#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use tempfile::TempDir;

/// What the program printed and how it ended.
pub(crate) struct Outcome {
    pub(crate) results: String,
    pub(crate) errors: String,
    /// `None` if a signal ended it.
    pub(crate) status: Option<i32>,
}

/// The program: the one that was built with the tests, or another build that `BOARDPRINT` names.
pub(crate) fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let other = std::env::var_os("BOARDPRINT").map(PathBuf::from);
        other.unwrap_or_else(|| env!("CARGO_BIN_EXE_boardprint").into())
    });
    &PROGRAM
}

/// Runs a command to its end, with `pieces` one after another as its standard input.
pub(crate) fn feed<'a>(command: &mut Command, pieces: impl Iterator<Item = &'a [u8]> + Send) -> Outcome {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            for piece in pieces {
                // It may have ended early; that is its right.
                if input.write_all(piece).is_err() {
                    break;
                }
            }
        });
        child.wait_with_output().expect("the program ends")
    });
    let text = |bytes| String::from_utf8(bytes).expect("what is printed is UTF-8");
    Outcome { results: text(output.stdout), errors: text(output.stderr), status: output.status.code() }
}

/// Runs the program.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    feed(Command::new(program()).args(arguments), std::iter::empty())
}

/// Runs the program within this many megabytes of address space. Unix only: elsewhere there is no limit.
pub(crate) fn within(megabytes: usize, arguments: &[&str]) -> Command {
    if cfg!(target_os = "linux") {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes * 1024);
        // Else every thread reserves 64 MB of addresses that it does not use.
        command.env("MALLOC_ARENA_MAX", "1").args(["-c", &script]).arg(program()).args(arguments);
        command
    } else {
        let mut command = Command::new(program());
        command.args(arguments);
        command
    }
}

/// A folder with one file in it.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("room for it");
    (folder, path)
}

/// Compressed by each of the compressors.
pub(crate) fn compressed(bytes: &[u8]) -> [(&'static str, Vec<u8>); 3] {
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(bytes).expect("memory");
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(bytes).expect("memory");
    [
        ("gz", gz.finish().expect("memory")),
        ("bz2", bz2.finish().expect("memory")),
        ("zst", zstd::encode_all(bytes, 3).expect("memory")),
    ]
}
