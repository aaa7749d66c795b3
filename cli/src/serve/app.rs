//! What all questions share: the database, the rules, the limits, what was worked out before.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use boardprint_base::Digest;
use boardprint_games::Profile;
use boardprint_store::db::{Budget, Db, Snapshot};
use boardprint_store::games::Rules;
use serde::Serialize;
use tokio::sync::Semaphore;

use super::fault::{Fault, Outcome};
use super::keeper::Keeper;
use super::query::Query;
use crate::answers::{Paths, Shower};
use crate::report::write_object;

/// What may be asked for, and how much of it.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// The longest body of a request, in bytes.
    pub(crate) body: usize,
    /// The longest address, in bytes.
    pub(crate) address: usize,
    /// The most pieces of a position.
    pub(crate) pieces: usize,
    /// How long an answer may take.
    pub(crate) time: Duration,
    /// How long a request may take to come in, and a piece of an answer to be taken.
    pub(crate) patience: Duration,
    /// How many connections at once.
    pub(crate) connections: usize,
    /// How many requests per second from one address that is not this machine.
    pub(crate) rate: u32,
    /// How long a server that ends waits for answers under way.
    pub(crate) drain: Duration,
}

/// What all questions share.
pub(super) struct App {
    pub(super) db: Db,
    pub(super) rules: Rules,
    pub(super) profile: Profile,
    pub(super) limits: Limits,
    pub(super) keeper: Keeper,
    pub(super) ending: AtomicBool,
    pool: Pool,
    known: Mutex<Known>,
}

/// What a question sees.
pub(super) struct Context<'a> {
    pub(super) app: &'a App,
    pub(super) snapshot: Snapshot,
    pub(super) budget: Arc<Budget>,
}

/// A question: where it goes, its parameters, its body, what form of answer it wants.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) call: Call,
    /// The last part of the address, without escapes, where it is a parameter.
    pub(super) name: String,
    pub(super) query: Query,
    pub(super) body: String,
    pub(super) accept: String,
}

/// A call of the API.
pub(super) type Work = fn(&Context<'_>, &Question) -> Outcome<Reply>;

/// A call with what decides whether an answer is still good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) path: &'static str,
    pub(super) methods: &'static str,
    pub(super) work: Work,
    pub(super) depends: Depends,
}

/// What an answer depends on beside the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depends {
    /// The games.
    Games,
    /// The games, and what was found out about them so far.
    Findings,
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) kind: &'static str,
    pub(super) body: Vec<u8>,
}

pub(super) const JSON: &str = "application/json";

impl Reply {
    /// An object, as the program prints it.
    pub(super) fn json(value: &impl Serialize) -> Outcome<Self> {
        let mut body = Vec::new();
        write_object(&mut body, value).map_err(|error| Fault::internal(&error.to_string()))?;
        Ok(Reply { kind: JSON, body })
    }

    pub(super) fn text(kind: &'static str, text: String) -> Self {
        Reply { kind, body: text.into_bytes() }
    }
}

impl Context<'_> {
    /// Who makes answers.
    pub(super) fn shower(&self) -> Shower<'_> {
        let App { rules, profile, .. } = self.app;
        Shower { snapshot: &self.snapshot, rules, profile: *profile, paths: Paths::Names }
    }
}

impl App {
    pub(super) fn new(db: Db, rules: Rules, profile: Profile, limits: Limits, keeper: Keeper) -> Self {
        let workers = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        App {
            db,
            rules,
            profile,
            keeper,
            ending: AtomicBool::new(false),
            pool: Pool::new(workers, limits.connections),
            limits,
            known: Mutex::default(),
        }
    }

    /// Whether somebody waits for an answer.
    pub(super) fn is_busy(&self) -> bool {
        self.pool.waiting.load(Ordering::Relaxed) > 0
    }

    /// The tag of an answer: it changes when the answer may.
    pub(super) fn tag(&self, question: &Question) -> Digest {
        let state = match question.call.depends {
            Depends::Games => 0,
            Depends::Findings => self.keeper.progress(),
        };
        let text = format!(
            "{} {} {state} {} {} {} {} {}\n{}",
            env!("CARGO_PKG_VERSION"),
            // Asks nobody: this is no place to wait for a server.
            self.db.seen_generation(),
            self.db.id(),
            question.call.path,
            question.name,
            question.query.key(),
            question.accept,
            question.body,
        );
        Digest::of(text.as_bytes())
    }

    /// An answer that was given before and is still good.
    pub(super) fn known(&self, tag: &Digest) -> Option<Arc<Reply>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(tag)
    }

    /// Answers a question on the pool, within its time.
    pub(super) async fn answer(self: &Arc<Self>, question: Question, tag: Digest) -> Outcome<Arc<Reply>> {
        let budget = Arc::new(Budget::until(Instant::now() + self.limits.time));
        let app = Arc::clone(self);
        let work = {
            let budget = Arc::clone(&budget);
            move || {
                budget.check()?;
                // Somebody with the same question may have come first: after a batch of games many wait for the same few answers.
                if let Some(reply) = app.known(&tag) {
                    return Ok(reply);
                }
                let snapshot = app.db.snapshot().within(Arc::clone(&budget));
                let view = Context { app: &app, snapshot, budget };
                let reply = Arc::new((question.call.work)(&view, &question)?);
                app.known.lock().unwrap_or_else(PoisonError::into_inner).put(tag, &reply);
                Ok(reply)
            }
        };
        self.pool.run(&budget, self.limits.time, work).await
    }
}

/// This many answers are worked out at a time; others wait.
struct Pool {
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
}

/// Says that nobody waits any more, however a request ends.
struct Waiting<'a>(&'a Pool, Arc<Budget>);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.1.give_up();
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    fn new(workers: usize, most_waiting: usize) -> Self {
        Pool { permits: Arc::new(Semaphore::new(workers)), waiting: AtomicUsize::new(0), most_waiting }
    }

    async fn run<T: Send + 'static>(
        &self,
        budget: &Arc<Budget>,
        time: Duration,
        work: impl FnOnce() -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(self, Arc::clone(budget));
        if before >= self.most_waiting {
            return Err(Fault::busy("the server has too much to do"));
        }
        let permit = tokio::time::timeout(time, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Fault::busy("the server has too much to do"));
        };
        // The permit goes with the work: it ends when the work does, not when nobody waits for it any more.
        let task = tokio::task::spawn_blocking(move || {
            let outcome = work();
            drop(permit);
            outcome
        });
        let outcome = task.await;
        drop(waiting);
        outcome.unwrap_or_else(|_| Err(Fault::internal("an answer broke off")))
    }
}

/// Answers that were given before. The older half is forgotten when there are too many.
#[derive(Default)]
struct Known {
    new: HashMap<Digest, Arc<Reply>>,
    old: HashMap<Digest, Arc<Reply>>,
    bytes: usize,
}

impl Known {
    /// How many bytes of answers each half holds.
    const HALF: usize = 8 << 20;
    /// Larger answers are not kept.
    const LARGEST: usize = 1 << 20;

    fn get(&mut self, tag: &Digest) -> Option<Arc<Reply>> {
        if let Some(reply) = self.new.get(tag) {
            return Some(Arc::clone(reply));
        }
        let reply = self.old.remove(tag)?;
        self.put(*tag, &reply);
        Some(reply)
    }

    fn put(&mut self, tag: Digest, reply: &Arc<Reply>) {
        if reply.body.len() > Self::LARGEST {
            return;
        }
        if self.bytes >= Self::HALF {
            self.old = std::mem::take(&mut self.new);
            self.bytes = 0;
        }
        if self.new.insert(tag, Arc::clone(reply)).is_none() {
            // With what an entry takes beside its text.
            self.bytes += reply.body.len() + 200;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use boardprint_store::db::Options;

    use super::*;

    static ANSWERS: AtomicUsize = AtomicUsize::new(0);

    #[expect(clippy::unnecessary_wraps, reason = "calls have this type")]
    fn slow_answer(_: &Context<'_>, _: &Question) -> Outcome<Reply> {
        ANSWERS.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(20));
        Ok(Reply::text(JSON, "{}".to_owned()))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn whoever_waits_for_the_same_answer_gets_it_with_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::in_memory(Options::default()).unwrap();
        let keeper = Keeper::open(folder.path(), &db);
        let second = Duration::from_secs(1);
        let limits = Limits {
            body: 0,
            address: 0,
            pieces: 0,
            time: 60 * second,
            patience: second,
            connections: 100,
            rate: 0,
            drain: second,
        };
        let app = Arc::new(App::new(db, Rules::new(Profile::Plain), Profile::Plain, limits, keeper));
        let call = Call { path: "/slow", methods: "GET", work: slow_answer, depends: Depends::Games };
        let question = Question {
            call,
            name: String::new(),
            query: Query::of_form("").unwrap(),
            body: String::new(),
            accept: String::new(),
        };
        let tag = app.tag(&question);
        let asked: Vec<_> = (0..40)
            .map(|_| {
                let (app, question) = (Arc::clone(&app), question.clone());
                tokio::spawn(async move { app.answer(question, tag).await })
            })
            .collect();
        for answer in asked {
            assert_eq!(answer.await.unwrap().unwrap().body, b"{}");
        }
        let at_once = std::thread::available_parallelism().map_or(2, NonZero::get);
        let worked_out = ANSWERS.load(Ordering::Relaxed);
        assert!((1..=at_once).contains(&worked_out), "{worked_out} of 40");
    }

    #[test]
    fn known_answers_stay_within_their_room() {
        let mut known = Known::default();
        let reply = |size: usize| Arc::new(Reply { kind: JSON, body: vec![0; size] });
        let tag = |n: usize| Digest::of(&n.to_le_bytes());
        for n in 0..1_000 {
            known.put(tag(n), &reply(100_000));
            // One that is asked for again and again stays.
            assert!(known.get(&tag(0)).is_some(), "{n}");
        }
        let held: usize = known.new.values().chain(known.old.values()).map(|reply| reply.body.len()).sum();
        assert!(held <= 2 * Known::HALF + 200_000, "{held}");
        assert!(known.get(&tag(1)).is_none());
        known.put(tag(7_777), &reply(Known::LARGEST + 1));
        assert!(known.get(&tag(7_777)).is_none());
    }
}
