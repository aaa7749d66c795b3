//! Items in order, rows in order, work in parallel.

use std::collections::VecDeque;

use crate::{Entry, Error, Failure, Games, Item};

/// Makes rows of games; each worker has its own.
pub(crate) trait Builder: Send {
    /// Some rows.
    type Rows: Send;

    /// Adds the rows of a game, all or none.
    fn add(&mut self, number: i64, entry: &Entry<'_>) -> Result<(), Refused>;

    /// What was added.
    fn finish(self) -> Result<Vec<Self::Rows>, Error>;
}

/// Why the rows of a game cannot be added.
pub(crate) enum Refused {
    /// A move cannot be played.
    Unplayable(boardprint_games::RecordError),
    /// The rows do not fit.
    Other(Error),
}

impl From<boardprint_games::RecordError> for Refused {
    fn from(error: boardprint_games::RecordError) -> Self {
        Refused::Unplayable(error)
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::Other(error)
    }
}

/// What happens to a bad record: the table goes on, or ends.
pub(crate) type OnFailure = Box<dyn FnMut(Failure) -> Result<(), Failure> + Send>;

/// The rows of all games in order.
pub(crate) struct Rows<B: Builder, F> {
    games: std::iter::Fuse<Games>,
    builder: F,
    threads: usize,
    on_failure: OnFailure,
    ready: VecDeque<Result<B::Rows, Error>>,
    ended: bool,
}

/// The bytes of records that a worker gets at a time: about 60,000 positions of PGN.
const SHARE_BYTES: usize = 512 << 10;
/// The records that a worker gets at a time, however short.
const SHARE_ITEMS: usize = 8192;

type Share = Vec<Box<dyn Item>>;

impl<B: Builder, F: Fn() -> B + Sync> Rows<B, F> {
    pub(crate) fn new(games: Games, threads: usize, on_failure: OnFailure, builder: F) -> Self {
        Rows { games: games.fuse(), builder, threads, on_failure, ready: VecDeque::new(), ended: false }
    }

    fn share(&mut self) -> Share {
        let (mut share, mut bytes) = (Vec::new(), 0);
        while bytes < SHARE_BYTES && share.len() < SHARE_ITEMS {
            let Some(item) = self.games.next() else { break };
            bytes += item.weight();
            share.push(item);
        }
        share
    }

    fn fill(&mut self) {
        let threads = self.threads.max(1);
        let shares: Vec<Share> =
            (0..threads).map(|_| self.share()).filter(|share| !share.is_empty()).collect();
        if shares.is_empty() {
            self.ended = true;
            return;
        }
        // Threads of their own for each round: a pool would not survive a fork of the process.
        let builder = &self.builder;
        let outcomes: Vec<_> = std::thread::scope(|scope| {
            let mut shares = shares.iter();
            let first = shares.next();
            let others: Vec<_> = shares.map(|share| scope.spawn(move || work(builder(), share))).collect();
            let first = first.map(|share| work(builder(), share));
            let joined = others.into_iter().map(|worker| match worker.join() {
                Ok(outcome) => outcome,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            first.into_iter().chain(joined).collect()
        });
        for (failures, rows) in outcomes {
            for failure in failures {
                if let Err(failure) = (self.on_failure)(failure) {
                    // Rows of the games before it went out; what stands in its own share does not.
                    self.ready.push_back(Err(failure.into()));
                    self.ended = true;
                    return;
                }
            }
            match rows {
                Ok(rows) => self.ready.extend(rows.into_iter().map(Ok)),
                Err(error) => {
                    self.ready.push_back(Err(error));
                    self.ended = true;
                    return;
                }
            }
        }
    }
}

fn work<B: Builder>(mut builder: B, share: &Share) -> (Vec<Failure>, Result<Vec<B::Rows>, Error>) {
    let mut failures = Vec::new();
    for item in share {
        match item.entry() {
            Ok(entry) => match builder.add(item.number(), &entry) {
                Ok(()) => {}
                Err(Refused::Unplayable(error)) => failures.push(item.failure(&error)),
                Err(Refused::Other(error)) => return (failures, Err(error)),
            },
            Err(failure) => failures.push(failure),
        }
    }
    (failures, builder.finish())
}

impl<B: Builder, F: Fn() -> B + Sync> Iterator for Rows<B, F> {
    type Item = Result<B::Rows, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(rows) = self.ready.pop_front() {
                return Some(rows);
            }
            if self.ended {
                return None;
            }
            self.fill();
        }
    }
}
