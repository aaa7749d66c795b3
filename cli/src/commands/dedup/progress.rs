//! How far the reading is, for people who watch.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use boardprint_dedup::Pass;
use boardprint_records::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar that follows the reader: bytes as they are stored, rate, remaining time. Nothing is drawn unless `visible`.
pub(super) struct Meter {
    visible: bool,
    bar: ProgressBar,
    watcher: Option<Watcher>,
}

/// A thread that moves the bar until its channel is closed.
struct Watcher {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Meter {
    pub(super) fn new(visible: bool) -> Self {
        Meter { visible, bar: ProgressBar::hidden(), watcher: None }
    }

    /// The input is read, perhaps once more.
    pub(super) fn begin(&mut self, pass: Pass, progress: Progress) {
        self.end();
        if !self.visible {
            return;
        }
        let (bar, template) = match progress.total() {
            Some(total) => (ProgressBar::new(total), KNOWN),
            None => (ProgressBar::new_spinner(), UNKNOWN),
        };
        self.bar = bar
            .with_style(ProgressStyle::with_template(template).expect("the template is right"))
            .with_message(name(pass));
        let (stop, stopped) = channel();
        let bar = self.bar.clone();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(progress.bytes());
            }
        });
        self.watcher = Some(Watcher { stop, thread });
    }

    /// Says something without the bar in the way.
    pub(super) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.bar.suspend(say)
    }

    /// Takes the bar away.
    pub(super) fn end(&mut self) {
        if let Some(Watcher { stop, thread }) = self.watcher.take() {
            drop(stop);
            // A bar that failed is no reason to fail.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

const KNOWN: &str =
    "{msg} [{bar:30}] {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left";
const UNKNOWN: &str = "{spinner} {msg} {binary_bytes}, {binary_bytes_per_sec}";

fn name(pass: Pass) -> &'static str {
    match pass {
        Pass::Only => "reading",
        Pass::Compare => "comparing",
        Pass::Probe => "looking for beginnings",
        Pass::Tags => "collecting tags",
        Pass::Write => "writing",
    }
}
