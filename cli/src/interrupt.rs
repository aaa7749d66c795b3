//! Ctrl-C: an answer at once, and nothing left behind.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, anyhow};

/// The exit status after Ctrl-C, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Files that have not taken their names yet.
static WAITING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What is being done.
static DOING: Mutex<String> = Mutex::new(String::new());

/// Remembers what is being done, to say so when it is interrupted. Whoever has not decided what Ctrl-C does
/// gets the usual end.
pub(crate) fn doing(what: &str) {
    // There is one handler, and the first one stays.
    let _ = end_on_interrupt();
    let mut doing = DOING.lock().unwrap_or_else(PoisonError::into_inner);
    what.clone_into(&mut doing);
}

/// A sentence about what was being done.
pub(crate) fn sentence() -> String {
    let doing = DOING.lock().unwrap_or_else(PoisonError::into_inner);
    if doing.is_empty() { "interrupted".to_owned() } else { format!("interrupted while {doing}") }
}

/// Remembers a file that Ctrl-C takes away. `create` makes it, so that no Ctrl-C can come between.
pub(crate) fn waiting<T, E>(create: impl FnOnce() -> Result<(T, PathBuf), E>) -> Result<T, E> {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let (made, path) = create()?;
    waiting.push(path);
    Ok(made)
}

/// The file has taken its name, or is gone.
pub(crate) fn settled(path: &Path) {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).retain(|waiting| waiting != path);
}

/// Lets Ctrl-C end the program at once, say what was being done, and take away what is not finished.
pub(crate) fn end_on_interrupt() -> Result<()> {
    ctrlc::set_handler(|| {
        let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        for path in &*waiting {
            let _ = fs::remove_file(path);
        }
        let files = if waiting.is_empty() { "" } else { "; no output file was changed" };
        // Nothing can be said about an error on the channel for saying it.
        let _ = writeln!(anstream::stderr(), "\n{}{files}", sentence());
        std::process::exit(INTERRUPTED.into());
    })
    .map_err(cannot_listen)
}

/// The thread that waits for Ctrl-C cannot be made.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to `map_err`")]
pub(crate) fn cannot_listen(error: ctrlc::Error) -> anyhow::Error {
    anyhow!("cannot listen for Ctrl-C: {error}; raise the limit on threads (`ulimit -u`), then try again")
}
