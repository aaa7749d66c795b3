//! Records as games of the database, and stored games as what they mean.
//!
//! What a record means is decided by [`boardprint_games`]; here it is turned into what the database keeps
//! ([`Prepare`]) and back ([`Rules::content`]), so that stored games can be played again ([`Replay`]) and
//! written as text ([`Rules::text`]).
//!
//! | content | kept as | positions |
//! |---|---|---|
//! | game of the open board | canonical ICN of the start, moves | after every half-move, named by their identity |
//! | game of a finite game | FEN of the start, moves in two bytes each | after every half-move |
//! | any other board | CPN | the one |
//!
//! ```
//! use boardprint_base::Digest;
//! use boardprint_games::{Format, Profile};
//! use boardprint_store::games::Rules;
//!
//! let rules = Rules::new(Profile::Plain);
//! let game = rules.game(Format::Icn, "K0,0|k5,9 0,0>0,1")?;
//! assert_eq!(game.positions.len(), 2);
//! assert_eq!(game.positions[1].0, Digest::of(b"t--2--infinite:^k_5_9,INFINITE:^K_0_1--"));
//! # Ok::<(), boardprint_games::RecordError>(())
//! ```

mod judge;
mod stored;
mod text;

use std::cell::RefCell;

use boardprint_base::Digest;
use boardprint_finite::Move;
use boardprint_games::{Content, Format, PositionNamer, Profile, ReadOptions, Record, RecordError, Start};

pub use self::judge::{Kin, confidence_of, judge};
pub use self::text::Form;
use crate::db::{GameKind, NewGame, Prepare, Replay, Replayed, StoredGame, StoredMove, Tags};

/// What records and stored games mean.
#[derive(Clone, Debug)]
pub struct Rules {
    profile: Profile,
    reading: ReadOptions,
    keep_text: bool,
}

impl Rules {
    /// Lenient reading.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Rules { profile, reading: ReadOptions::default(), keep_text: false }
    }

    /// How records are read.
    #[must_use]
    pub fn reading(mut self, options: ReadOptions) -> Self {
        self.reading = options;
        self
    }

    /// Whether games keep the text of their record, comments and all.
    #[must_use]
    pub fn keep_text(mut self, keep: bool) -> Self {
        self.keep_text = keep;
        self
    }

    /// The game of a text.
    ///
    /// # Errors
    ///
    /// If the text cannot be read, or its moves cannot be played.
    pub fn game(&self, format: Format, text: &str) -> Result<NewGame, RecordError> {
        let content = self.reading.read_text(format, text)?.content;
        let positions = self.hashes_of(&content)?;
        Ok(self.new_game(format, text, &content, positions))
    }

    fn new_game(
        &self,
        format: Format,
        text: &str,
        content: &Content<'_>,
        positions: Vec<(Digest, u32)>,
    ) -> NewGame {
        let hash = content.key(self.profile).digest();
        let laws = content.laws().filter(|laws| !laws.is_empty());
        let mut game = stored::store(content);
        if self.keep_text {
            game.extra = text::keep(format, text);
        }
        NewGame { game, hash, positions, laws }
    }

    /// What a stored game means.
    ///
    /// # Errors
    ///
    /// If the stored game cannot be read; the text says why.
    pub fn content(&self, game: &StoredGame) -> Result<Content<'static>, String> {
        stored::content(game, &game.tags, &self.reading)
    }

    /// What a stored game means, tags aside: they are the larger part of it, and say nothing about its
    /// positions.
    fn bare_content(&self, game: &StoredGame) -> Result<Content<'static>, String> {
        stored::content(game, &Tags::new(), &self.reading)
    }

    /// The hash of each position of a content with its ply.
    fn hashes_of(&self, content: &Content<'_>) -> Result<Vec<(Digest, u32)>, RecordError> {
        let mut positions = Vec::with_capacity(content.plies() + 1);
        let mut ply = 0;
        with_namer(self.profile, |namer| {
            namer.each_hash(content, |position| {
                positions.push((position, ply));
                ply += 1;
            })
        })?;
        Ok(positions)
    }

    /// The text of a stored move: `e2e4` in a finite game, `1,2>1,4` on the open board.
    #[must_use]
    pub fn move_text(&self, kind: GameKind, step: &StoredMove) -> String {
        match (kind, step) {
            (GameKind::Finite(game), StoredMove::Finite(bits)) => match Move::from_bits(game, *bits) {
                Some(played) => played.uci(game).to_string(),
                None => step.to_string(),
            },
            _ => step.to_string(),
        }
    }

    /// The laws of a stored game in the spelling of canonical ICN: `(8|1) koth`; empty for the default ones,
    /// `None` for finite games.
    #[must_use]
    pub fn laws(&self, game: &StoredGame) -> Option<String> {
        self.bare_content(game).ok()?.laws()
    }
}

/// Calls with a namer that this thread keeps: its buffers serve one game after another.
fn with_namer<T>(profile: Profile, work: impl FnOnce(&mut PositionNamer) -> T) -> T {
    thread_local! {
        static NAMER: RefCell<Option<PositionNamer>> = const { RefCell::new(None) };
    }
    let mut namer = NAMER.take().filter(|namer| namer.profile() == profile);
    let done = work(namer.get_or_insert_with(|| PositionNamer::new(profile)));
    NAMER.set(namer);
    done
}

impl Prepare for Rules {
    /// Positions of finite games are left for later: to name them again from their moves costs nothing, and
    /// duplicates need not be named at all.
    fn prepare(&self, record: &Record) -> Result<NewGame, RecordError> {
        let content = self.reading.read(record)?.content;
        let is_later = self.profile == Profile::Plain
            && matches!(&content, Content::Finite(game) if matches!(game.start(), Start::Board(_)));
        let positions = if is_later { Vec::new() } else { self.hashes_of(&content)? };
        Ok(self.new_game(record.format, &record.text, &content, positions))
    }
}

impl Replay for Rules {
    /// The key of the game, as deduplication has it.
    fn identity(&self, game: &StoredGame) -> Result<Vec<u8>, String> {
        Ok(self.bare_content(game)?.key(self.profile).text)
    }

    /// The CPN of each position.
    fn positions(&self, game: &StoredGame, each: &mut dyn FnMut(&[u8])) -> Result<(), String> {
        let content = self.bare_content(game)?;
        PositionNamer::new(self.profile).each_cpn(&content, each).map_err(|error| error.to_string())
    }

    /// Plays up to the position and names that one alone.
    fn position(&self, game: &StoredGame, ply: u32) -> Result<Option<Vec<u8>>, String> {
        if ply as usize > game.moves.len() {
            return Ok(None);
        }
        let mut found = None;
        let there = self.content(game)?.at(ply as usize).map_err(|error| error.to_string())?;
        let named = PositionNamer::new(self.profile).each_cpn(&there, |text| {
            found.get_or_insert_with(|| text.to_vec());
        });
        named.map_err(|error| error.to_string())?;
        Ok(found)
    }

    /// The same in one go: the game is read once, and the hashes come without the texts.
    fn replay(&self, game: &StoredGame) -> Result<Replayed, String> {
        let content = self.bare_content(game)?;
        let positions = self.hashes_of(&content).map_err(|error| error.to_string())?;
        let hash = content.key(self.profile).digest();
        Ok(Replayed { hash, positions, laws: content.laws().filter(|laws| !laws.is_empty()) })
    }

    fn hashes(&self, game: &StoredGame) -> Result<Vec<(Digest, u32)>, String> {
        self.hashes_of(&self.bare_content(game)?).map_err(|error| error.to_string())
    }

    /// Games of the open board are played; what a move of a finite game does needs no rules.
    fn each_hash(&self, game: &StoredGame, plies: u32, each: &mut dyn FnMut(&Digest)) -> Result<(), String> {
        let Some((start, moves)) = stored::line(game)? else {
            let hashes = self.hashes(game)?;
            hashes.iter().take_while(|(_, ply)| *ply <= plies).for_each(|(hash, _)| each(hash));
            return Ok(());
        };
        let mut wrong = false;
        let moves = moves.take(plies as usize).map_while(|played| {
            wrong |= played.is_none();
            played
        });
        let named = with_namer(self.profile, |namer| {
            namer.each_hash_of_known(&start, moves, |hash| each(&hash)).map_err(|error| error.to_string())
        });
        if wrong { Err(stored::NO_MOVE.to_owned()) } else { named }
    }

    fn laws(&self, game: &StoredGame) -> Option<String> {
        // Only the open board has laws.
        let laws = if game.kind == GameKind::Infinite { Rules::laws(self, game) } else { None };
        laws.filter(|laws| !laws.is_empty())
    }
}

#[cfg(test)]
mod tests;
