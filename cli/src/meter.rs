//! How far a long command is, for people who watch.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use boardprint_records::Progress;
use indicatif::{HumanFloatCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::{interrupt, terminal};

/// How long nothing is drawn, so that short runs do not flicker.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the bar moves.
const BEAT: Duration = Duration::from_millis(100);
/// The narrowest terminal that has room for bytes and rates; a narrower one gets a percentage.
const ROOMY: usize = 76;

/// A bar that every long command has alike: what is being done, how far it is, how fast, and how long it will
/// take. Nothing is drawn unless it is visible.
pub(crate) struct Meter {
    visible: bool,
    bar: ProgressBar,
    watcher: Option<Watcher>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Bytes of files, as they are stored.
    Bytes,
    /// Games, positions and the like.
    Items,
}

/// A thread that moves the bar until its channel is closed.
struct Watcher {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Meter {
    /// A meter that is drawn if somebody watches, wants to, and something else holds.
    pub(crate) fn visible_if(wanted: bool) -> Self {
        let visible = wanted && io::stderr().is_terminal() && !terminal::is_quiet();
        Meter { visible, bar: ProgressBar::hidden(), watcher: None }
    }

    /// Whether anything is drawn.
    pub(crate) fn is_visible(&self) -> bool {
        self.visible
    }

    /// The input is read, perhaps once more.
    pub(crate) fn read(&mut self, doing: &str, progress: Progress) {
        self.begin(doing, Unit::Bytes, progress.total(), move || progress.bytes());
    }

    /// Games, positions and the like are gone through; whoever does it counts them.
    pub(crate) fn count(&mut self, doing: &str, total: Option<u64>) -> Arc<AtomicU64> {
        let counted = Arc::new(AtomicU64::new(0));
        let watched = Arc::clone(&counted);
        self.begin(doing, Unit::Items, total, move || watched.load(Ordering::Relaxed));
        counted
    }

    /// Something is done whose progress `position` tells.
    pub(crate) fn begin(
        &mut self,
        doing: &str,
        unit: Unit,
        total: Option<u64>,
        position: impl Fn() -> u64 + Send + 'static,
    ) {
        self.end();
        interrupt::doing(doing);
        if !self.visible {
            return;
        }
        let bar = match total {
            Some(total) => ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden()),
            None => ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
        };
        let width = terminal::message_width().unwrap_or(80);
        let style = ProgressStyle::with_template(template(unit, total.is_some(), width));
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // What fails here is a bar that lacks a number.
            let _ = write!(out, "{}/s", HumanFloatCount(state.per_sec().round()));
        };
        let style =
            style.expect("the templates are well-formed").progress_chars("=> ").with_key("rate", rate);
        self.bar = bar.with_style(style).with_message(doing.to_owned());
        let (stop, stopped) = channel();
        let bar = self.bar.clone();
        // What has been read is still to be worked on: a bar that stands at its end should not look stuck.
        let read_to = total.filter(|_| unit == Unit::Bytes);
        let thread = thread::spawn(move || {
            let mut pause = PATIENCE;
            while stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                if pause == PATIENCE {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    pause = BEAT;
                }
                let position = position();
                if read_to == Some(position) {
                    bar.set_message("finishing");
                }
                bar.set_position(position);
                bar.tick();
            }
        });
        self.watcher = Some(Watcher { stop, thread });
    }

    /// Says something without the bar in the way.
    pub(crate) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.bar.suspend(say)
    }

    /// Takes the bar away.
    pub(crate) fn end(&mut self) {
        if let Some(Watcher { stop, thread }) = self.watcher.take() {
            drop(stop);
            // A bar that failed is no reason to fail.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.end();
    }
}

/// What is drawn: never more than one line, whatever the width.
fn template(unit: Unit, knows_total: bool, width: usize) -> &'static str {
    match (knows_total, width >= ROOMY, unit) {
        (true, true, Unit::Bytes) => {
            "{msg} [{wide_bar}] {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left"
        }
        (true, true, Unit::Items) => "{msg} [{wide_bar}] {human_pos} of {human_len}, {rate}, {eta} left",
        (true, false, _) => "{msg} [{wide_bar}] {percent:>3}%",
        (false, true, Unit::Bytes) => "{spinner} {msg}: {binary_bytes}, {binary_bytes_per_sec}",
        (false, false, Unit::Bytes) => "{spinner} {msg}: {binary_bytes}",
        (false, _, Unit::Items) => "{spinner} {msg}: {human_pos}",
    }
}
