//! Records of any format as games of the database, and stored games played again.
//!
//! [`Rules`] knows what each format means. It turns a record into a game with the hash of every position ([`Prepare`]), plays a stored
//! game again ([`Replay`]), and writes it as text ([`Rules::text`]). [`FileSource`] cuts a file into records for an import.
//!
//! | record | kept as | positions |
//! |---|---|---|
//! | ICN, JSON, CPN list | canonical ICN of the start, moves | after every half-move, named by their identity |
//! | PGN | FEN of the start, moves as squares | after every half-move |
//! | FEN of Western chess | FEN | the one |
//! | SFEN, other FEN and CPN | CPN | the one |
//!
//! ```
//! use boardprint_base::Digest;
//! use boardprint_store::games::{Profile, Rules};
//! use boardprint_store::read::Format;
//!
//! let rules = Rules::new(Profile::Plain);
//! let game = rules.game(Format::Icn, "K0,0|k5,9 0,0>0,1").map_err(|refusal| refusal.message)?;
//! assert_eq!(game.positions.len(), 2);
//! assert_eq!(game.positions[1].0, Digest::of(b"t--2--infinite:^k_5_9,INFINITE:^K_0_1--"));
//! # Ok::<(), String>(())
//! ```

mod source;
mod stored;
mod text;
mod western;

use boardprint_base::{Digest, Game, GameResult, SyntaxError, Tag};
use boardprint_bridge::fen::{Fen, FenError, Game as FenGame};
use boardprint_bridge::{Lossy, game_hash, list};
use boardprint_cpn::{CpnError, Revision};
use boardprint_icn::canonical_position;

pub use self::source::FileSource;
use self::stored::Playable;
pub use self::text::Form;
use crate::db::{
    BoardGame, GameKind, Moves, NewGame, Origin, Prepare, Record, Refusal, Replay, Replayed, StoredGame,
    StoredMove,
};
use crate::pgn::{self, WesternGame};
use crate::read::Format;

const WESTERN: GameKind = GameKind::Finite(BoardGame::Western);

/// How positions are named in a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Positions of finite games by their pieces and side to move.
    #[default]
    Plain,
    /// With castling rights and a usable en passant square as well.
    Rights,
}

impl Profile {
    /// The name that a database keeps.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Plain => "cpn^ plain",
            Profile::Rights => "cpn^ rights",
        }
    }

    /// The profile with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        [Profile::Plain, Profile::Rights].into_iter().find(|profile| profile.name() == name)
    }
}

/// What records and stored games mean.
#[derive(Clone, Debug)]
pub struct Rules {
    profile: Profile,
    icn: boardprint_icn::Options,
    cpn: boardprint_cpn::Options,
    fen: FenGame,
    keep_text: bool,
}

impl Rules {
    /// Lenient reading; a FEN is of Western chess.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Rules {
            profile,
            icn: boardprint_icn::Options::default(),
            cpn: boardprint_cpn::Options::default(),
            fen: FenGame::Western,
            keep_text: false,
        }
    }

    /// How ICN is read.
    #[must_use]
    pub fn icn(mut self, options: boardprint_icn::Options) -> Self {
        self.icn = options;
        self
    }

    /// How CPN is read.
    #[must_use]
    pub fn cpn(mut self, options: boardprint_cpn::Options) -> Self {
        self.cpn = options;
        self
    }

    /// What a FEN is of.
    #[must_use]
    pub fn fen(mut self, game: FenGame) -> Self {
        self.fen = game;
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
    pub fn game(&self, format: Format, text: &str) -> Result<NewGame, Refusal> {
        let mut new = match format {
            Format::Icn => self.infinite(self.icn.parse(text)?.game)?,
            Format::Json => self.infinite(self.icn.parse_json(text)?.game)?,
            Format::Cpn => {
                let cpn = self.cpn.read(text)?;
                if list::is_list(&cpn) {
                    self.infinite(Game { start: list::from_cpn(&cpn)?, ..Game::default() })?
                } else {
                    self.position(GameKind::Board, cpn.in_revision(Revision::Y2015).to_string())?
                }
            }
            Format::Fen => self.finite(&Fen::read(self.fen, text)?)?,
            Format::Sfen => self.finite(&Fen::read_sfen(text)?)?,
            Format::Pgn => self.western(&WesternGame::parse(text))?,
        };
        if self.keep_text {
            new.game.extra = text::keep(format, text);
        }
        Ok(new)
    }

    /// The laws of a stored game in the spelling of canonical ICN: `(8|1) koth`; empty for the default ones, `None` for finite games.
    #[must_use]
    pub fn laws(&self, game: &StoredGame) -> Option<String> {
        match Playable::of(game, self).ok()? {
            Playable::Infinite(game) => Some(text::laws(&game.start)),
            _ => None,
        }
    }

    /// The text of a stored move: `e2e4` in Western chess, `1,2>1,4` on the unbounded board.
    #[must_use]
    pub fn move_text(&self, kind: GameKind, step: &StoredMove) -> String {
        match (kind, step) {
            (WESTERN, StoredMove::Finite(bits)) => {
                stored::unpacked(*bits).map_or_else(|| step.to_string(), |step| step.to_string())
            }
            _ => step.to_string(),
        }
    }

    fn infinite(&self, game: Game) -> Result<NewGame, Refusal> {
        let result = game.result.or_else(|| result_of(game.tag("Result")?));
        let stored = StoredGame {
            kind: GameKind::Infinite,
            tags: game.tags.clone(),
            result: result.unwrap_or(GameResult::Unknown),
            start: canonical_position(&game.start).into(),
            moves: Moves::infinite(game.moves.iter()),
            source: Origin::default(),
            extra: Box::default(),
        };
        let hash = game_hash(&game);
        self.named(stored, hash, &Playable::Infinite(game))
    }

    fn western(&self, game: &WesternGame<'_>) -> Result<NewGame, Refusal> {
        if let Some(broken) = game.broken {
            return Err(SyntaxError::from(broken).into());
        }
        let tags: Vec<Tag> =
            game.tags.iter().map(|tag| Tag { name: tag.name.into(), value: tag.value().into() }).collect();
        let result = game.result.or_else(|| result_of(&game.tag("Result")?));
        let start = stored::start_text(&game.start);
        let moves = Moves::finite(game.moves.iter().map(|step| stored::packed(*step)));
        let stored = StoredGame {
            kind: WESTERN,
            tags,
            result: result.unwrap_or(GameResult::Unknown),
            start: start.into(),
            moves,
            source: Origin::default(),
            extra: Box::default(),
        };
        let playable = Playable::Western {
            start: game.start.clone(),
            moves: game.moves.as_slice().into(),
            known_legal: true,
        };
        self.named(stored, game.digest(), &playable)
    }

    fn finite(&self, fen: &Fen) -> Result<NewGame, Refusal> {
        if fen.game() == FenGame::Western {
            return self.position(WESTERN, fen.to_string());
        }
        self.position(GameKind::Board, Lossy::parts(fen.to_cpn(None)).0.to_string())
    }

    /// A position without a game.
    fn position(&self, kind: GameKind, start: String) -> Result<NewGame, Refusal> {
        let game = StoredGame {
            kind,
            tags: Vec::new(),
            result: GameResult::Unknown,
            start: start.into(),
            moves: Moves::none(kind),
            source: Origin::default(),
            extra: Box::default(),
        };
        let Replayed { hash, positions, laws } =
            self.replay(&game).map_err(|message| Refusal { message, at: 0 })?;
        Ok(NewGame { game, hash, positions, laws })
    }

    fn named(&self, game: StoredGame, hash: Digest, playable: &Playable<'_>) -> Result<NewGame, Refusal> {
        let positions = playable.hashes(self.profile).map_err(|message| Refusal { message, at: 0 })?;
        let laws = match playable {
            Playable::Infinite(game) => Some(text::laws(&game.start)).filter(|laws| !laws.is_empty()),
            _ => None,
        };
        Ok(NewGame { game, hash, positions, laws })
    }
}

impl Prepare for Rules {
    fn prepare(&self, record: &Record) -> Result<NewGame, Refusal> {
        let text = std::str::from_utf8(&record.text).map_err(|error| Refusal {
            message: "the record is not UTF-8".to_owned(),
            at: error.valid_up_to(),
        })?;
        self.game(record.format, text)
    }
}

impl Replay for Rules {
    /// Canonical ICN or FEN of the start, and the moves; the CPN of a position of other games.
    fn identity(&self, game: &StoredGame) -> Result<Vec<u8>, String> {
        let mut text = Vec::with_capacity(512);
        Playable::of(game, self)?.write_identity(&mut text);
        Ok(text)
    }

    /// The CPN of each position.
    fn positions(&self, game: &StoredGame, each: &mut dyn FnMut(&[u8])) -> Result<(), String> {
        Playable::of(game, self)?.positions(self.profile, each)
    }

    fn laws(&self, game: &StoredGame) -> Option<String> {
        Rules::laws(self, game).filter(|laws| !laws.is_empty())
    }
}

fn result_of(text: &str) -> Option<GameResult> {
    GameResult::ALL.into_iter().find(|result| result.as_str() == text.trim())
}

fn refusal(message: &impl ToString, hint: Option<String>, at: usize) -> Refusal {
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    Refusal { message: format!("{}{hint}", message.to_string()), at }
}

impl From<SyntaxError> for Refusal {
    fn from(error: SyntaxError) -> Self {
        refusal(&error, error.hint(), error.span().start)
    }
}

impl From<CpnError> for Refusal {
    fn from(error: CpnError) -> Self {
        refusal(&error, error.hint(), error.span().start)
    }
}

impl From<FenError> for Refusal {
    fn from(error: FenError) -> Self {
        refusal(&error, error.hint(), error.span().start)
    }
}

#[cfg(test)]
mod tests;
