//! The whole program on a file of any bytes.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The program, if it was built: what `BOARDPRINT` names, or the newest one in `target`.
fn program_path() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("BOARDPRINT") {
        return Some(path.into());
    }
    let target = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target");
    let built = ["debug", "release"].map(|profile| target.join(profile).join("boardprint"));
    let age = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    built.into_iter().filter(|path| path.exists()).max_by_key(age)
}

const COMMANDS: [&[&str]; 9] = [
    &["canon"],
    &["canon", "--json"],
    &["hash", "--ply", "all"],
    &["hash", "--of", "game", "--json"],
    &["convert", "--to", "cpn"],
    &["convert", "--to", "json"],
    &["convert", "--to", "fen"],
    &["show", "--ascii"],
    &["convert", "--to", "icn", "--style", "readable"],
];

/// As [`program_at`], with the program that was built last.
///
/// # Panics
///
/// If the property does not hold, or if the program was not built.
pub fn program(bytes: &[u8]) {
    program_at(&program_path().expect("build the program first: cargo build"), bytes);
}

/// The program: the first byte chooses the command, the rest is the file. It ends by itself with status 0 or 1, and what it
/// says is text without control characters.
///
/// # Panics
///
/// If the property does not hold.
pub fn program_at(program: &Path, bytes: &[u8]) {
    let Some((&which, content)) = bytes.split_first() else { return };
    let arguments = COMMANDS[usize::from(which) % COMMANDS.len()];
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(content).expect("room for it");
    let begin = Instant::now();
    let output = Command::new(program).args(arguments).arg(file.path()).stdin(Stdio::null()).output();
    let output = output.expect("the program runs");
    let errors = String::from_utf8(output.stderr).expect("errors are UTF-8");
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{arguments:?} ended with {}: {errors}",
        output.status
    );
    assert!(begin.elapsed() < Duration::from_secs(20), "{arguments:?} took {:?}", begin.elapsed());
    assert!(std::str::from_utf8(&output.stdout).is_ok(), "results are UTF-8");
    // Results are data and carry tags as they are; what is said about them is for a terminal.
    let odd = errors.chars().find(|c| c.is_control() && *c != '\n');
    assert_eq!(odd, None, "{arguments:?}: {errors:?}");
}
