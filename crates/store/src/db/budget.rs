//! How long a question may take: looked at inside everything that is long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::error::{Error, Result};

/// The patience of somebody who asks: a deadline, and whether they have gone away.
#[derive(Debug, Default)]
pub struct Budget {
    deadline: Option<Instant>,
    given_up: AtomicBool,
}

impl Budget {
    /// Patience until a moment.
    #[must_use]
    pub const fn until(deadline: Instant) -> Self {
        Budget { deadline: Some(deadline), given_up: AtomicBool::new(false) }
    }

    /// Nobody waits for the answer any more.
    pub fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
    }

    /// Whether there is any left.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfTime`] if there is none.
    pub fn check(&self) -> Result<()> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.given_up.load(Ordering::Relaxed) { Err(Error::OutOfTime) } else { Ok(()) }
    }
}

/// Looks at a budget once every so many steps: a look costs more than a step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    budget: Option<std::sync::Arc<Budget>>,
    taken: u32,
}

impl Steps {
    const EVERY: u32 = 1024;

    pub(crate) const fn of(budget: Option<std::sync::Arc<Budget>>) -> Self {
        Steps { budget, taken: 0 }
    }

    /// One step more.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<()> {
        self.taken = self.taken.wrapping_add(1);
        match &self.budget {
            Some(budget) if self.taken.is_multiple_of(Self::EVERY) => budget.check(),
            _ => Ok(()),
        }
    }
}
