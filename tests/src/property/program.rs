//! The whole program on a file of any bytes.

use std::ffi::OsStr;
use std::fs;
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

/// Stands for the file, for a database, and for a file to write.
const FILE: &str = "FILE";
const DATABASE: &str = "DATABASE";
const OUTPUT: &str = "OUTPUT";

/// What is run on a file, one command after another.
pub(super) const COMMANDS: [&[&[&str]]; 16] = [
    &[&["canon", FILE]],
    &[&["canon", "--json", FILE]],
    &[&["hash", "--ply", "all", FILE]],
    &[&["hash", "--of", "game", "--json", FILE]],
    &[&["convert", "--to", "cpn", FILE]],
    &[&["convert", "--to", "json", FILE]],
    &[&["convert", "--to", "fen", FILE]],
    &[&["show", "--ascii", FILE]],
    &[&["convert", "--to", "icn", "--style", "readable", FILE]],
    &[&["check", FILE]],
    &[&["check", "--json", FILE]],
    &[&["dedup", "--by", "prefix", "--keep", "richest", "--merge-tags", FILE]],
    &[&["dedup", "--by", "final", "--to", "json", "-o", OUTPUT, FILE]],
    &[
        &["import", "--db", DATABASE, FILE],
        &["verify", "--db", DATABASE],
        &["export", "--db", DATABASE],
        &["stats", "--db", DATABASE],
    ],
    &[&["show", "--svg", OUTPUT, FILE]],
    &[&["piece", "--pieces", FILE, "zz"]],
];

/// As [`program_at`], with the program that was built last.
///
/// # Panics
///
/// If the property does not hold, or if the program was not built.
pub fn program(bytes: &[u8]) {
    program_at(&program_path().expect("build the program first: cargo build"), bytes);
}

/// The program: the first byte chooses the commands, the rest is the file. Every command ends by itself, the
/// file is good or bad (status 0 or 1, or 2 where it stands for an option), a database made from it is whole,
/// and what is said about it is text without control characters.
///
/// # Panics
///
/// If the property does not hold.
pub fn program_at(program: &Path, bytes: &[u8]) {
    let Some((&which, content)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = |name: &str| folder.path().join(name);
    fs::write(place(FILE), content).expect("room for it");
    for (step, arguments) in COMMANDS[usize::from(which) % COMMANDS.len()].iter().enumerate() {
        let argument = |text: &&str| match *text {
            FILE | DATABASE | OUTPUT => place(text).into_os_string(),
            text => OsStr::new(text).to_owned(),
        };
        let begin = Instant::now();
        let output = Command::new(program).args(arguments.iter().map(argument)).stdin(Stdio::null()).output();
        let output = output.expect("the program runs");
        let errors = String::from_utf8(output.stderr).expect("errors are UTF-8");
        let is_well = match output.status.code() {
            Some(0) => true,
            // Nothing was found to export.
            Some(1) => step == 0 || arguments.contains(&"export"),
            Some(2) => arguments.contains(&"--pieces"),
            _ => false,
        };
        assert!(is_well, "{arguments:?} ended with {}: {errors}", output.status);
        assert!(begin.elapsed() < Duration::from_secs(20), "{arguments:?} took {:?}", begin.elapsed());
        assert!(std::str::from_utf8(&output.stdout).is_ok(), "results are UTF-8");
        // Results are data and carry tags as they are; what is said about them is for a terminal.
        let odd = errors.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(odd, None, "{arguments:?}: {errors:?}");
    }
}
