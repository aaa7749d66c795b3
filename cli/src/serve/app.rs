//! What all questions share: the database, the rules, the limits, what was worked out before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use boardprint_base::Digest;
use boardprint_games::{Content, Profile};
use boardprint_store::db::{Budget, Db, Recent, Snapshot};
use boardprint_store::games::Rules;
use serde::Serialize;
use tokio::sync::{Notify, Semaphore};

use super::fault::{Fault, Outcome};
use super::keeper::Keeper;
use super::position::Reading;
use super::query::Query;
use super::view::Views;
use crate::answers::{Paths, Position, Shower};
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
    /// How long a server that ends waits for answers and an import under way.
    pub(crate) drain: Duration,
}

/// What all questions share.
pub(super) struct App {
    pub(super) db: Db,
    pub(super) rules: Rules,
    pub(super) profile: Profile,
    pub(super) reading: Reading,
    pub(super) limits: Limits,
    pub(super) keeper: Keeper,
    pub(super) ending: AtomicBool,
    /// Told when the database cannot be read any more.
    pub(super) broken: Notify,
    pub(super) views: Views,
    pool: Pool,
    /// Answers that were given before, by their tags.
    known: Recent<Digest, Arc<Reply>>,
}

/// Answers that were given before take twice as many bytes at most.
const HALF: usize = 8 << 20;

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
    /// The media type of the answer, of those that the call has.
    pub(super) accept: &'static str,
}

/// A call of the API.
pub(super) type Work = fn(&Context<'_>, &Question) -> Outcome<Reply>;

/// A call with what decides whether an answer is still good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) path: &'static str,
    pub(super) methods: &'static str,
    /// The media types of its answers among which clients choose, the usual one first.
    pub(super) forms: &'static [&'static str],
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
    /// A position in every notation.
    pub(super) fn position(&self, content: &Content<'_>) -> Outcome<Position> {
        Ok(Position::of(content, self.app.profile, &self.app.reading.pieces)?)
    }

    /// Who makes answers.
    pub(super) fn shower(&self) -> Shower<'_> {
        let App { rules, profile, reading, .. } = self.app;
        let (snapshot, pieces) = (&self.snapshot, &reading.pieces);
        Shower { snapshot, rules, profile: *profile, pieces, paths: Paths::Names }
    }
}

impl App {
    pub(super) fn new(
        db: Db,
        rules: Rules,
        profile: Profile,
        reading: Reading,
        limits: Limits,
        keeper: Keeper,
    ) -> Self {
        App {
            db,
            rules,
            profile,
            reading,
            keeper,
            ending: AtomicBool::new(false),
            broken: Notify::new(),
            views: Views::default(),
            pool: Pool::new(workers(), limits.connections),
            limits,
            known: Recent::new(HALF),
        }
    }

    /// Whether somebody waits for an answer.
    pub(super) fn is_busy(&self) -> bool {
        self.pool.waiting.load(Ordering::Relaxed) > 0
    }

    /// The state to answer from. Where snapshots come from a server, each has a transaction of its own, and
    /// none is shared.
    fn snapshot(self: &Arc<Self>) -> Snapshot {
        if self.db.is_local() { self.views.current(self) } else { self.db.snapshot() }
    }

    /// The tag of the answer that is given now: it changes when the answer may.
    pub(super) fn tag(self: &Arc<Self>, question: &Question) -> Digest {
        // Asks nobody: this is no place to wait for a server.
        let generation =
            if self.db.is_local() { self.snapshot().generation() } else { self.db.seen_generation() };
        self.tag_in(generation, question)
    }

    /// The tag of an answer in a state of the database.
    fn tag_in(&self, generation: u64, question: &Question) -> Digest {
        let progress = match question.call.depends {
            Depends::Games => 0,
            Depends::Findings => self.keeper.progress(),
        };
        let (program, database, key) = (env!("CARGO_PKG_VERSION"), self.db.id(), question.key());
        Digest::of(format!("{program} {generation} {progress} {database} {key}").as_bytes())
    }

    /// An answer that was given before and is still good.
    pub(super) fn known(&self, tag: &Digest) -> Option<Arc<Reply>> {
        self.known.get(*tag)
    }

    /// Answers a question on the pool, within its time. The tag is that of the answer.
    pub(super) async fn answer(self: &Arc<Self>, question: Question) -> Outcome<(Digest, Arc<Reply>)> {
        let budget = Arc::new(Budget::until(Instant::now() + self.limits.time));
        let app = Arc::clone(self);
        let work = {
            let budget = Arc::clone(&budget);
            move || {
                budget.check()?;
                app.work_out(&question, app.snapshot(), &budget)
            }
        };
        self.pool.run(&budget, self.limits.time, work).await
    }

    /// The answer in a state of the database, with its tag.
    pub(super) fn work_out(
        &self,
        question: &Question,
        snapshot: Snapshot,
        budget: &Arc<Budget>,
    ) -> Outcome<(Digest, Arc<Reply>)> {
        let tag = self.tag_in(snapshot.generation(), question);
        // Somebody with the same question may have come first: after a batch of games many wait for the same
        // few answers.
        if let Some(reply) = self.known(&tag) {
            return Ok((tag, reply));
        }
        let view =
            Context { app: self, snapshot: snapshot.within(Arc::clone(budget)), budget: Arc::clone(budget) };
        let reply = Arc::new((question.call.work)(&view, question)?);
        // With what an entry takes beside its text.
        self.known.put(tag, Arc::clone(&reply), reply.body.len() + 200);
        Ok((tag, reply))
    }
}

impl Question {
    /// What tells it from other questions.
    pub(super) fn key(&self) -> Digest {
        let Question { call, name, query, body, accept } = self;
        Digest::of(format!("{} {name} {} {accept}\n{body}", call.path, query.key()).as_bytes())
    }

    /// About how many bytes it takes.
    pub(super) fn len(&self) -> usize {
        self.name.len() + self.query.len() + self.body.len()
    }
}

/// How many answers are worked out at a time.
pub(super) fn workers() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
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

#[cfg(test)]
pub(super) mod tests {
    use boardprint_store::db::Options;

    use super::*;

    static ANSWERS: AtomicUsize = AtomicUsize::new(0);

    /// A server without games whose clients are patient.
    pub(in super::super) fn app() -> Arc<App> {
        let db = Db::in_memory(Options::default()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let keeper = Keeper::open(folder.path(), &db, &Reading::default());
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
        Arc::new(App::new(db, Rules::new(Profile::Plain), Profile::Plain, Reading::default(), limits, keeper))
    }

    /// A question that some work answers.
    pub(in super::super) fn question(work: Work, name: &str) -> Question {
        let call = Call { path: "/test", methods: "GET", forms: &[JSON], work, depends: Depends::Games };
        let query = Query::of_form("").unwrap();
        Question { call, name: name.to_owned(), query, body: String::new(), accept: JSON }
    }

    #[expect(clippy::unnecessary_wraps, reason = "calls have this type")]
    fn slow_answer(_: &Context<'_>, _: &Question) -> Outcome<Reply> {
        ANSWERS.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(20));
        Ok(Reply::text(JSON, "{}".to_owned()))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn whoever_waits_for_the_same_answer_gets_it_with_the_first() {
        let (app, question) = (app(), question(slow_answer, ""));
        let asked: Vec<_> = (0..40)
            .map(|_| {
                let (app, question) = (Arc::clone(&app), question.clone());
                tokio::spawn(async move { app.answer(question).await })
            })
            .collect();
        let tag = app.tag(&question);
        for answer in asked {
            let (of, reply) = answer.await.unwrap().unwrap();
            assert_eq!((of, &*reply.body), (tag, &b"{}"[..]));
        }
        let worked_out = ANSWERS.load(Ordering::Relaxed);
        assert!((1..=workers()).contains(&worked_out), "{worked_out} of 40");
    }
}
