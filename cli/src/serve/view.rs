//! Which state of the database is answered from.
//!
//! With every batch of games any answer may change. If everybody saw the new state at once, everybody would
//! wait at once, and for answers that cost more than ever, because nobody has read the new part of the index
//! yet. So where much is asked, the server goes on answering from the state before, works out again what is
//! asked most, and then moves on. Where little is asked, everybody sees the newest state.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use boardprint_base::Digest;
use boardprint_store::db::{Budget, Snapshot};

use super::app::{App, Depends, Question};

/// How long answers are worked out before the server moves on.
const AHEAD: Duration = patience(2_000);
/// How long one of them may take.
const FOR_ONE: Duration = patience(400);
/// The server answers from a state for at least so long, so that not all of its time goes into working out
/// answers again.
const EVERY: Duration = Duration::from_millis(if cfg!(test) { 0 } else { 1_000 });
/// Nobody sees a state that has not been the newest for so long.
const LAG: Duration = patience(5_000);
/// How often questions are forgotten that nobody asks any more.
const FORGET: Duration = patience(1_000);
/// Where fewer questions are asked, nothing is worked out ahead.
const FEW: usize = 16;
/// No more questions are remembered.
const MOST: usize = 1 << 9;
/// Longer questions are not remembered.
const LONGEST: usize = 1 << 11;

/// A time in milliseconds. In tests no time decides.
const fn patience(time: u64) -> Duration {
    if cfg!(test) { Duration::from_secs(3_600) } else { Duration::from_millis(time) }
}

/// The state that is answered from, and what is asked.
pub(super) struct Views(Mutex<State>);

struct State {
    held: Option<Held>,
    /// Whether answers are being worked out for the next state.
    is_moving: bool,
    /// When the server last moved on.
    moved: Instant,
    asked: HashMap<Digest, Asked>,
    /// When questions were last forgotten.
    forgot: Instant,
}

/// What is answered from.
struct Held {
    snapshot: Snapshot,
    /// When somebody last saw that it is the newest state.
    newest: Instant,
}

/// A question that was asked lately.
struct Asked {
    question: Question,
    times: u32,
}

impl Default for Views {
    fn default() -> Self {
        let (asked, now) = (HashMap::new(), Instant::now());
        Views(Mutex::new(State { held: None, is_moving: false, moved: now, asked, forgot: now }))
    }
}

impl Views {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that somebody asks.
    pub(super) fn note(&self, question: &Question) {
        // What depends on more than the games changes all the time.
        if question.call.depends == Depends::Games {
            self.state().note(question);
        }
    }

    /// Lets go of a state that nobody asked for lately, so that parts of the index that were merged can be
    /// deleted.
    pub(super) fn rest(&self) {
        let mut state = self.state();
        if state.held.as_ref().is_some_and(|held| held.newest.elapsed() > LAG) {
            state.held = None;
        }
    }

    /// The state to answer from.
    pub(super) fn current(&self, app: &Arc<App>) -> Snapshot {
        let mut state = self.state();
        let has_much = state.asked.len() >= FEW;
        if let Some(held) = &mut state.held {
            let is_newest = held.snapshot.generation() == app.db.seen_generation();
            if is_newest {
                held.newest = Instant::now();
            }
            if is_newest || has_much && held.newest.elapsed() < LAG {
                let snapshot = held.snapshot.clone();
                if !is_newest && !state.is_moving && state.moved.elapsed() >= EVERY {
                    (state.is_moving, state.moved) = (true, Instant::now());
                    let app = Arc::clone(app);
                    tokio::task::spawn_blocking(move || Move(&app).work());
                }
                return snapshot;
            }
        }
        let now = Instant::now();
        let snapshot = app.db.snapshot();
        state.hold(&snapshot, now);
        snapshot
    }
}

impl State {
    fn note(&mut self, question: &Question) {
        if self.forgot.elapsed() > FORGET {
            self.forgot = Instant::now();
            self.asked.retain(|_, asked| {
                asked.times /= 2;
                asked.times > 0
            });
        }
        let key = question.key();
        if let Some(asked) = self.asked.get_mut(&key) {
            asked.times = asked.times.saturating_add(1);
        } else if self.asked.len() < MOST && question.len() <= LONGEST {
            self.asked.insert(key, Asked { question: question.clone(), times: 1 });
        }
    }

    /// Answers from a state from now on, unless a newer one is held. It was the newest at some moment.
    fn hold(&mut self, snapshot: &Snapshot, newest: Instant) {
        if self.held.as_ref().is_none_or(|held| held.snapshot.generation() < snapshot.generation()) {
            self.moved = Instant::now();
            self.held = Some(Held { snapshot: snapshot.clone(), newest });
        }
    }

    /// What is asked again and again, the most frequent first.
    fn most_asked(&self) -> Vec<Question> {
        let mut all: Vec<(&Digest, &Asked)> =
            self.asked.iter().filter(|(_, asked)| asked.times > 1).collect();
        all.sort_unstable_by_key(|(key, asked)| (std::cmp::Reverse(asked.times), **key));
        all.into_iter().map(|(_, asked)| asked.question.clone()).collect()
    }
}

/// Somebody works answers out for the next state. However that ends, the next one may begin.
struct Move<'a>(&'a Arc<App>);

impl Move<'_> {
    fn work(&self) {
        let Move(app) = self;
        let began = Instant::now();
        let next = app.db.snapshot();
        let questions = app.views.state().most_asked();
        for question in &questions {
            if began.elapsed() > AHEAD || app.ending.load(Ordering::Relaxed) {
                break;
            }
            // What fails here fails again when somebody asks.
            let budget = Arc::new(Budget::until(Instant::now() + FOR_ONE));
            let _ = app.work_out(question, next.clone(), &budget);
        }
        app.views.state().hold(&next, began);
    }
}

impl Drop for Move<'_> {
    fn drop(&mut self) {
        self.0.views.state().is_moving = false;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use boardprint_records::{Input, Reader, ReaderOptions};
    use boardprint_store::db::{IngestOptions, ingest};

    use super::super::app::tests::{app, question};
    use super::super::app::{Context, JSON, Reply};
    use super::super::fault::Outcome;
    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "calls have this type")]
    fn number_of_games(view: &Context<'_>, _: &Question) -> Outcome<Reply> {
        Ok(Reply::text(JSON, view.snapshot.games().to_string()))
    }

    /// Asks as a client does; how many games the answer says there are.
    async fn ask(app: &Arc<App>, question: &Question) -> String {
        app.views.note(question);
        let reply = match app.known(&app.tag(question)) {
            Some(reply) => reply,
            None => app.answer(question.clone()).await.unwrap().1,
        };
        String::from_utf8(reply.body.clone()).unwrap()
    }

    fn take_in(app: &App, games: &str) {
        let input = Input::bytes("games.pgn", games.as_bytes(), 0);
        let reader = Reader::new([input], ReaderOptions::default());
        let options = IngestOptions::default().bulk(false);
        ingest(&app.db, reader, &app.rules, None, &options, &(), &AtomicBool::new(false)).unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn where_little_is_asked_everybody_sees_the_newest_state() {
        let (app, question) = (app(), question(number_of_games, ""));
        assert_eq!(ask(&app, &question).await, "0");
        take_in(&app, "1. e4 e5 *\n");
        assert_eq!(ask(&app, &question).await, "1");
        take_in(&app, "1. d4 d5 *\n");
        assert_eq!(ask(&app, &question).await, "2");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn where_much_is_asked_answers_are_there_before_the_state_changes() {
        let app = app();
        let questions: Vec<Question> =
            (0..FEW).map(|number| question(number_of_games, &number.to_string())).collect();
        for _ in 0..2 {
            for question in &questions {
                assert_eq!(ask(&app, question).await, "0");
            }
        }
        let once = question(number_of_games, "once");
        assert_eq!(ask(&app, &once).await, "0");
        take_in(&app, "1. e4 e5 *\n");
        // The first one to ask sees the state before, and has the next one worked out.
        assert_eq!(ask(&app, &questions[0]).await, "0");
        while app.views.current(&app).generation() != app.db.seen_generation() {
            tokio::task::yield_now().await;
        }
        for question in &questions {
            let known = app.known(&app.tag(question)).map(|reply| reply.body.clone());
            assert_eq!(known.as_deref(), Some(&b"1"[..]), "{}", question.name);
        }
        assert!(app.known(&app.tag(&once)).is_none(), "it is not asked again and again");
        assert_eq!(ask(&app, &once).await, "1");
        while app.views.state().is_moving {
            tokio::task::yield_now().await;
        }
    }
}
