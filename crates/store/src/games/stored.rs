//! Stored games as something that can be played.

use std::borrow::Cow;

use boardprint_base::{Digest, Game, Move};
use boardprint_bridge::fen::{Fen, Game as FenGame};
use boardprint_bridge::{Lossy, Marks, Trail, write_game_text};
use boardprint_rules::replay::play;
use cozy_chess::{Board, Piece};

use super::western::WesternNamer;
use super::{Profile, Rules, pgn};
use crate::db::{BoardGame, GameKind, Moves, StoredGame, StoredMove};

/// A game with what it takes to play it.
pub(super) enum Playable<'a> {
    /// A game of the unbounded board.
    Infinite(Game),
    /// A game of Western chess.
    Western { start: Board, moves: Cow<'a, [pgn::WesternMove]>, known_legal: bool },
    /// A Western position without moves, which no generator need be able to play.
    Fen(Fen),
    /// The CPN of a position of another game.
    Board(&'a str),
}

impl<'a> Playable<'a> {
    /// What a stored game is.
    pub(super) fn of(game: &'a StoredGame, rules: &Rules) -> Result<Self, String> {
        match game.kind {
            GameKind::Board => Ok(Playable::Board(&game.start)),
            GameKind::Infinite => {
                let start = rules.icn.parse(&game.start).map_err(|error| error.to_string())?.game.start;
                let moves = game.moves.iter().filter_map(infinite_move).collect();
                Ok(Playable::Infinite(Game { start, moves, ..Game::default() }))
            }
            GameKind::Finite(BoardGame::Western) => {
                if game.moves.is_empty()
                    && let Ok(fen) = Fen::read(FenGame::Western, &game.start)
                {
                    return Ok(Playable::Fen(fen));
                }
                let start = board_of(&game.start).ok_or("its start cannot be played")?;
                let moves = western_moves(&game.moves).collect();
                Ok(Playable::Western { start, moves, known_legal: false })
            }
            GameKind::Finite(other) => Err(format!("games of {} cannot be played yet", other.name())),
        }
    }

    /// The CPN of each position in order.
    pub(super) fn positions(&self, profile: Profile, mut each: impl FnMut(&[u8])) -> Result<(), String> {
        let rights = profile == Profile::Rights;
        match self {
            Playable::Infinite(game) => {
                let mut trail = Trail::new();
                let mut position = game.start.clone();
                each(trail.start_cpn(&position));
                for (ply, step) in (1..).zip(&game.moves) {
                    let played = play(&mut position, step).map_err(|error| format!("ply {ply}: {error}"))?;
                    each(trail.step_cpn(&position, &played));
                }
            }
            Playable::Western { start, moves, known_legal } => {
                let mut namer = WesternNamer::new(rights);
                let mut board = start.clone();
                each(namer.cpn(&board));
                for (ply, step) in (1..).zip(&**moves) {
                    if *known_legal && *step != pgn::WesternMove::NULL {
                        board.play_unchecked(pgn::generator_move(&board, *step));
                    } else if !pgn::play(&mut board, *step) {
                        return Err(format!("ply {ply}: {step} is illegal"));
                    }
                    each(namer.cpn(&board));
                }
            }
            Playable::Fen(fen) => {
                let marks = rights.then_some(Marks::Usable);
                each(Lossy::parts(fen.to_cpn(marks)).0.as_str().as_bytes());
            }
            Playable::Board(cpn) => each(cpn.as_bytes()),
        }
        Ok(())
    }

    /// The hash of each position with its ply.
    pub(super) fn hashes(&self, profile: Profile) -> Result<Vec<(Digest, u32)>, String> {
        let plies = match self {
            Playable::Infinite(game) => game.moves.len(),
            Playable::Western { moves, .. } => moves.len(),
            Playable::Fen(_) | Playable::Board(_) => 0,
        };
        let mut hashes = Vec::with_capacity(plies + 1);
        let mut ply = 0;
        self.positions(profile, |cpn| {
            hashes.push((Digest::of(cpn), ply));
            ply += 1;
        })?;
        Ok(hashes)
    }

    /// Appends the text that tells the game from others; its SHA-1 is the game hash.
    pub(super) fn write_identity(&self, out: &mut Vec<u8>) {
        match self {
            Playable::Infinite(game) => write_game_text(game, out),
            Playable::Western { start, moves, .. } => pgn::write_game(start, moves.iter().copied(), out),
            // A start that the generator knows has one spelling, wherever it came from.
            Playable::Fen(fen) => match pgn::board_of_fen(&fen.to_string()) {
                Some(board) => pgn::write_game(&board, [], out),
                None => {
                    out.extend_from_slice(
                        Lossy::parts(fen.to_cpn(Some(Marks::Usable))).0.as_str().as_bytes(),
                    );
                }
            },
            Playable::Board(cpn) => out.extend_from_slice(cpn.as_bytes()),
        }
    }
}

/// The start of a Western game as it is kept: empty for the usual one, castling by the files of the rooks, counters fresh.
pub(super) fn start_text(board: &Board) -> String {
    if *board == Board::default() {
        return String::new();
    }
    let text = format!("{board:#}");
    let fields: Vec<&str> = text.split(' ').take(4).collect();
    format!("{} 0 1", fields.join(" "))
}

/// The board of a start as it is kept.
pub(super) fn board_of(start: &str) -> Option<Board> {
    if start.is_empty() { Some(Board::default()) } else { pgn::board_of_fen(start) }
}

/// The moves of a Western game.
pub(super) fn western_moves(moves: &Moves) -> impl Iterator<Item = pgn::WesternMove> {
    moves.iter().filter_map(|step| match step {
        StoredMove::Finite(bits) => unpacked(bits),
        StoredMove::Infinite { .. } => None,
    })
}

/// What a pawn can become, by the number that is kept; 0 is no promotion.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// A move as the database keeps it: six bits of the square it leaves, six of the square it enters, three of the promotion.
pub(super) fn packed(step: pgn::WesternMove) -> u16 {
    let promotion = step.promotion().map_or(0, |piece| {
        1 + PROMOTIONS
            .iter()
            .position(|known| *known == piece)
            .and_then(|place| u16::try_from(place).ok())
            .unwrap_or(0)
    });
    step.from() as u16 | (step.to() as u16) << 6 | promotion << 12
}

pub(super) fn unpacked(bits: u16) -> Option<pgn::WesternMove> {
    let promotion = match usize::from(bits >> 12) {
        0 => None,
        number => Some(*PROMOTIONS.get(number - 1)?),
    };
    let square = |index: u16| cozy_chess::Square::index(usize::from(index & 63));
    Some(pgn::WesternMove::new(square(bits), square(bits >> 6), promotion))
}

fn infinite_move(step: StoredMove) -> Option<Move> {
    match step {
        StoredMove::Infinite { from, to, promotion } => Some(Move { promotion, ..Move::new(from, to) }),
        StoredMove::Finite(_) => None,
    }
}
