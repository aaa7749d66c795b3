//! What tells a game from others, as text.

use std::sync::Arc;

use boardprint_base::{Coord, Digest, Game, Laws, MoveRule, Position, TurnOrder};
use boardprint_bridge::fen::FenExt as _;
use boardprint_bridge::{Lossy, Marks, Namer, named_start, write_game_text};
use boardprint_cpn::Revision;
use boardprint_finite::{Board, Fen, Move};
use boardprint_icn::{canonical_position, write};

use crate::finite::FiniteGame;
use crate::{Content, Profile, RecordError, RecordErrorKind, Start};

/// What tells a game from others, as text. Games are one if their texts are equal; the hash of a game is the
/// SHA-1 of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The start, then the moves; or the last position and the number of plies.
    pub text: Vec<u8>,
    /// How many of the bytes are the start. After it each move has one byte before it.
    pub start: usize,
}

impl Identity {
    /// A text without moves.
    #[must_use]
    pub fn whole(text: Vec<u8>) -> Self {
        Identity { start: text.len(), text }
    }

    /// The SHA-1 of the text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.text)
    }
}

impl Content<'_> {
    /// The text of the whole game: start with its laws, and moves. Its SHA-1 is the game hash.
    #[must_use]
    pub fn game_text(&self) -> Identity {
        match self {
            Content::Infinite(game) => infinite_text(game),
            Content::Finite(game) => finite_text(game),
            Content::Board(_) => self.position_key(Profile::Rights),
        }
    }

    /// What decides whether two records are one: the text of the game, or of a record without moves the
    /// position under a profile, with its laws if they are not the default. So it does not matter in which
    /// format a position is written.
    #[must_use]
    pub fn key(&self, profile: Profile) -> Identity {
        if self.plies() == 0 { self.position_key(profile) } else { self.game_text() }
    }

    /// [`Content::key`] with the laws left out.
    #[must_use]
    pub fn key_without_laws(&self, profile: Profile) -> Identity {
        match self {
            Content::Infinite(game) => {
                let start =
                    Position { laws: Arc::new(Laws::default()), move_rule: None, ..game.start.clone() };
                let bare = Game { start, moves: game.moves.clone(), ..Game::default() };
                Content::Infinite(bare).key(profile)
            }
            Content::Finite(_) | Content::Board(_) => self.key(profile),
        }
    }

    /// The last position, laws left out, and the number of half-moves.
    ///
    /// # Errors
    ///
    /// A move cannot be played.
    pub fn last_key(&self, profile: Profile) -> Result<Identity, RecordError> {
        if self.plies() == 0 {
            let mut text = self.key_without_laws(profile).text;
            text.extend_from_slice(b" 0");
            return Ok(Identity::whole(text));
        }
        let mut text = Vec::with_capacity(128);
        match self {
            Content::Infinite(game) => {
                let last = boardprint_base::replay::position_at(game, usize::MAX)?;
                let bare = Position { laws: Arc::new(Laws::default()), move_rule: None, ..last };
                write::write_canonical_position(&named_start(&bare), &mut text);
            }
            Content::Finite(game) => match game.at(usize::MAX) {
                Ok(Start::Board(last)) => last.write_identity(&mut text),
                Ok(Start::Fen(fen)) => write_setup(&fen, &mut text),
                Err(ply) => return Err(RecordError::of_whole(RecordErrorKind::IllegalMove { ply })),
            },
            Content::Board(cpn) => text.extend_from_slice(cpn.as_str().as_bytes()),
        }
        text.extend_from_slice(format!(" {}", self.plies()).as_bytes());
        Ok(Identity::whole(text))
    }

    /// The CPN of the start under a profile, and its laws if they are not the default.
    fn position_key(&self, profile: Profile) -> Identity {
        let mut text = match self {
            Content::Infinite(game) => Namer::with_marks(Marks::Usable).cpn(&game.start).to_vec(),
            Content::Finite(game) => {
                let cpn = game.start().fen().to_cpn(profile.marks());
                Lossy::parts(cpn).0.as_str().into()
            }
            Content::Board(cpn) => cpn.in_revision(Revision::Y2015).as_str().into(),
        };
        if let Some(laws) = self.laws().filter(|laws| !laws.is_empty()) {
            text.push(b' ');
            text.extend_from_slice(laws.as_bytes());
        }
        Identity::whole(text)
    }
}

fn infinite_text(game: &Game) -> Identity {
    let mut text = Vec::with_capacity(64 + game.start.pieces.len() * 8 + game.moves.len() * 10);
    write_game_text(game, &mut text);
    // The space before the moves is the last one.
    let moves = if game.moves.is_empty() { None } else { memchr::memrchr(b' ', &text) };
    Identity { start: moves.unwrap_or(text.len()), text }
}

fn finite_text(game: &FiniteGame<'_>) -> Identity {
    let mut text = Vec::with_capacity(96 + 5 * game.moves().len());
    match game.start() {
        Start::Board(start) => start.write_identity(&mut text),
        Start::Fen(fen) => write_setup(fen, &mut text),
    }
    let start = text.len();
    Move::write_line(game.moves(), game.game(), &mut text);
    Identity { text, start }
}

/// Appends a FEN without counters. Where the position can be played from, it has one spelling.
fn write_setup(fen: &Fen, out: &mut Vec<u8>) {
    if let Ok(board) = Board::from_fen(fen) {
        return board.write_identity(out);
    }
    if fen.game() != boardprint_finite::Game::Western {
        out.extend_from_slice(fen.game().name().as_bytes());
        out.push(b' ');
    }
    let text = fen.to_string();
    let fields: Vec<&str> = text.split(' ').take(4).collect();
    out.extend_from_slice(fields.join(" ").as_bytes());
}

/// The laws alone: a position without pieces under them, its counters fresh.
pub(crate) fn laws_text(start: &Position) -> String {
    let move_rule =
        start.move_rule.as_ref().map(|rule| MoveRule { count: Coord::ZERO, limit: rule.limit.clone() });
    let turn = if start.turn.is_white_and_black() { TurnOrder::default() } else { start.turn.clone() };
    let bare = Position { laws: Arc::clone(&start.laws), move_rule, turn, ..Position::default() };
    canonical_position(&bare).trim_end().to_owned()
}
