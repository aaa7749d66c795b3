//! Which game the tags name, and where it starts.

use boardprint_base::Span;
use boardprint_finite::{Board, Fen, Game, Leniency};

use super::{PgnOptions, Tag};
use crate::{GameError, GameErrorKind};

/// Names of the games in tags, in lower case without blanks; the first of a game is written.
const NAMES: [(Option<Game>, &[&str]); 6] = [
    (None, &["", "fromposition", "setup"]),
    (
        Some(Game::Western),
        &[
            "standard",
            "chess",
            "normal",
            "western",
            "chess960",
            "fischerandom",
            "fischerrandom",
            "fischerrandomchess",
        ],
    ),
    (Some(Game::Makruk), &["makruk", "thaichess"]),
    (Some(Game::Shogi), &["shogi", "japanesechess"]),
    (Some(Game::Xiangqi), &["xiangqi", "chinesechess"]),
    (Some(Game::Janggi), &["janggi", "koreanchess"]),
];

/// What the value of a tag says about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Game(Game),
    Nothing,
}

impl Named {
    fn game(self) -> Option<Game> {
        match self {
            Named::Game(game) => Some(game),
            Named::Nothing => None,
        }
    }
}

/// The game of a name; `None` if it is not known.
pub(super) fn game_of_name(name: &str) -> Option<Named> {
    let plain = plain_name(name);
    NAMES
        .iter()
        .find(|(_, names)| names.contains(&plain.as_str()))
        .map(|(game, _)| game.map_or(Named::Nothing, Named::Game))
}

/// The letters and digits of a name, those of ASCII in lower case. Signs do not matter; letters of other
/// scripts do, since no known name has any.
pub(crate) fn plain_name(name: &str) -> String {
    let is_sign = |c: char| match c {
        '\0'..='\u{bf}' => !c.is_ascii_alphanumeric(),
        // Punctuation, symbols and pictures.
        '\u{2000}'..='\u{2bff}' | '\u{3000}'..='\u{303f}' | '\u{fe00}'..='\u{fe0f}' => true,
        _ => matches!(c, '\u{1f000}'..='\u{1faff}'),
    };
    name.chars().filter(|c| !is_sign(*c)).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a value of `Variant` is the name of a finite game.
pub(crate) fn is_finite_variant(name: &str) -> bool {
    matches!(game_of_name(name), Some(Named::Game(_)))
}

/// What the tags say about the start.
#[derive(Default)]
pub(super) struct SetUp<'a> {
    /// The game that a tag names.
    pub(super) named: Option<Game>,
    pub(super) fen: Option<Tag<'a>>,
    /// The notation that a tag names.
    pub(super) notation: Option<&'a str>,
}

impl<'a> SetUp<'a> {
    /// What some tags say, or the one that names no known game.
    pub(super) fn of(tags: &[Tag<'a>]) -> Result<Self, Tag<'a>> {
        let mut said = SetUp::default();
        let (mut variant, mut other, mut usual) = (None, None, false);
        for tag in tags {
            match tag.name {
                "FEN" => said.fen = Some(*tag),
                "SetUp" => usual = tag.raw.trim() == "0",
                "Variant" => variant = game_of_name(tag.raw).ok_or(*tag)?.game(),
                "Game" => other = game_of_name(tag.raw).and_then(Named::game).or(other),
                "Red" => other = other.or(Some(Game::Xiangqi)),
                "Format" => said.notation = Some(tag.raw),
                _ => {}
            }
        }
        said.named = variant.or(other);
        said.fen = said.fen.filter(|_| !usual);
        Ok(said)
    }

    /// The start. Western chess and positions that may be of it need no name.
    pub(super) fn start(&self, text: &str, options: &PgnOptions) -> Result<Board, GameError> {
        let Some(tag) = self.fen else {
            let game = self.named.or(options.game).unwrap_or(Game::Western);
            let numbered = options.chess960_start.filter(|_| game == Game::Western).and_then(Board::chess960);
            return Ok(numbered.unwrap_or_else(|| Board::start(game)));
        };
        let at = tag.raw.as_ptr() as usize - text.as_ptr() as usize;
        let span = Span::new(at, at + tag.raw.len());
        let value = tag.value();
        let failed = |kind| {
            // Without escapes the place within the FEN is one of the text.
            let within = match &kind {
                GameErrorKind::Fen(error) if *value == *tag.raw => {
                    Span::new(at + error.span().start, at + error.span().end)
                }
                _ => span,
            };
            GameError::at_start(kind, within)
        };
        let game = match self.named.or(options.game) {
            Some(game) => game,
            None => game_of_fen(&value).map_err(failed)?,
        };
        if game == Game::Western {
            return Board::of_western_tag(&value).ok_or_else(|| failed(why_not_western(&value)));
        }
        board_of_tag(game, &value).map_err(failed)
    }
}

/// The game of a FEN in a tag: Western chess where it may be.
fn game_of_fen(value: &str) -> Result<Game, GameErrorKind> {
    let games = Game::of_fen(value);
    match *games {
        [] => Ok(Game::Western),
        [game] => Ok(game),
        _ if games.contains(&Game::Western) => Ok(Game::Western),
        _ => Err(GameErrorKind::OpenGame(games)),
    }
}

/// Why no game of Western chess starts from a FEN.
fn why_not_western(value: &str) -> GameErrorKind {
    board_of_tag(Game::Western, value).err().unwrap_or(GameErrorKind::Start(None))
}

/// The position of a FEN of a game that is not Western chess. Shogi has the hand in brackets, or it is SFEN.
fn board_of_tag(game: Game, value: &str) -> Result<Board, GameErrorKind> {
    let read = if game == Game::Shogi && !value.contains('[') {
        let board = value.trim_start();
        Fen::read_sfen(board.trim_end()).map_err(|error| error.shifted(value.len() - board.len()))
    } else {
        Fen::read_with(game, value, Leniency::Everything).map(|(fen, _)| fen)
    };
    let fen = read.map_err(|error| GameErrorKind::Fen(Box::new(error)))?;
    Board::from_fen(&fen).map_err(|why| GameErrorKind::Start(Some(why)))
}
