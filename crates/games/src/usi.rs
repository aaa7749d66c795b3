//! Lines of engines: USI of Shogi and UCI of the other games, one game per line.
//!
//! **Accepts** `position startpos moves …`, `startpos moves …`, `position sfen … moves …`, `sfen …`,
//! `position fen … moves …` and `fen …`, with or without moves, and moves alone, which are played from the
//! usual start. In USI moves are `7g7f`, `8h2b+`, `P*5e`; in UCI `e2e4`, `e7e8q`, castling as the king's step
//! or as the king taking the rook, `P@e5`, `0000`; of Xiangqi with ranks from 1 or 0, which all moves together
//! tell. The game of a FEN is told by its shape and letters. `resign` and `win` may end the moves.
//!
//! **Writes** `position`, the start, and the moves. Of Western chess the usual start is `startpos`, of other
//! games UCI has the FEN.
//!
//! **Refuses** a start that cannot be played from, and moves that are illegal or not moves.

use boardprint_base::{GameResult, Side, Span};
use boardprint_bridge::Lost;
use boardprint_finite::{Board, Fen, Game, Leniency, Notation};

use crate::content::says_something;
use crate::finite::FiniteGame;
use crate::pgn::PgnOptions;
use crate::score::{Draft, Score};
use crate::warning::GameWarning;
use crate::{GameError, GameErrorKind, Written};

/// The protocol that a line is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The Universal Shogi Interface.
    Usi,
    /// The Universal Chess Interface.
    Uci,
}

/// Reads one line.
///
/// ```
/// use boardprint_games::usi::{Protocol, read};
/// assert_eq!(read(Protocol::Usi, "startpos moves 7g7f 3c3d 8h2b+")?.moves().len(), 3);
/// assert_eq!(read(Protocol::Uci, "position startpos moves e2e4 e7e5")?.moves().len(), 2);
/// # Ok::<(), boardprint_games::GameError>(())
/// ```
///
/// # Errors
///
/// [`GameError`] says where the game breaks off.
pub fn read(protocol: Protocol, text: &str) -> Result<FiniteGame<'_>, GameError> {
    draft(protocol, text, &PgnOptions::default()).whole().map(|(game, _)| game)
}

/// Reads one line as far as possible.
pub(crate) fn draft<'a>(protocol: Protocol, text: &'a str, options: &PgnOptions) -> Draft<'a> {
    let mut words = Words { text, at: 0 };
    let start = match words.start(protocol, options) {
        Ok(start) => start,
        Err(error) => return Draft::failed(error),
    };
    let mut score = Score::new(start);
    if let Some(span) = words.no_start() {
        score.warn(GameWarning::NoStart, span);
    }
    let error = words.play(protocol, &mut score).err();
    score.draft(error)
}

/// The words of a line.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<Span> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.len() - rest.trim_ascii_start().len();
        let length =
            self.text[start..].find(|c: char| c.is_ascii_whitespace()).unwrap_or(self.text.len() - start);
        (length > 0).then(|| Span::new(start, start + length))
    }

    fn word(&self, span: Span) -> &'a str {
        &self.text[span.start..span.end]
    }

    /// Passes a word if it is the next one.
    fn pass(&mut self, word: &str) -> Option<Span> {
        let span = self.peek().filter(|span| self.word(*span) == word)?;
        self.at = span.end;
        Some(span)
    }

    fn start(&mut self, protocol: Protocol, options: &PgnOptions) -> Result<Board, GameError> {
        self.pass("position");
        let Some(first) = self.peek() else {
            let span = Span::new(self.at, self.at);
            return Err(GameError::at_start(GameErrorKind::Expected("`startpos`, `sfen` or `fen`"), span));
        };
        let is_sfen = match self.word(first) {
            "sfen" => true,
            "fen" => false,
            // `startpos`, or moves alone.
            word => {
                self.at = if word == "startpos" { first.end } else { first.start };
                let usual = if protocol == Protocol::Usi {
                    Game::Shogi
                } else {
                    options.game.unwrap_or(Game::Western)
                };
                let numbered =
                    options.chess960_start.filter(|_| usual == Game::Western).and_then(Board::chess960);
                return Ok(numbered.unwrap_or_else(|| Board::start(usual)));
            }
        };
        self.at = first.end;
        let (mut from, mut to) = (None, first.end);
        while let Some(span) = self.peek().filter(|span| self.word(*span) != "moves") {
            from = from.or(Some(span.start));
            to = span.end;
            self.at = span.end;
        }
        let span = Span::new(from.unwrap_or(to), to);
        position(self.word(span), is_sfen, options).map_err(|kind| GameError::at_start(kind, span))
    }

    /// Where the moves of a line begin that names no start.
    fn no_start(&mut self) -> Option<Span> {
        let first = self.peek()?;
        if self.pass("moves").is_some() {
            return None;
        }
        Some(first)
    }

    fn play(&mut self, protocol: Protocol, score: &mut Score<'_>) -> Result<(), GameError> {
        let notation = match (protocol, score.start.game()) {
            (Protocol::Usi, Game::Shogi) => Notation::Usi,
            _ if score.start.game() == Game::Xiangqi && self.counts_ranks_from_zero(&score.start) => {
                Notation::Ucci
            }
            _ => Notation::Uci,
        };
        while let Some(span) = self.peek() {
            let word = self.word(span);
            self.at = span.end;
            if score.result.is_some() {
                return Err(score.error(GameErrorKind::AfterResult, span));
            }
            let mover = score.board.side();
            match word {
                "resign" => score.result = Some(win_of(mover.opponent())),
                "win" => score.result = Some(win_of(mover)),
                _ => score.play(notation, word, span)?,
            }
        }
        Ok(())
    }

    /// Whether the moves of Xiangqi that follow count ranks from 0: a rank 0 or 10 in any of them says so, else
    /// what can be played further does.
    fn counts_ranks_from_zero(&self, start: &Board) -> bool {
        let moves = || self.text[self.at..].split_ascii_whitespace();
        let has_rank = |rank: &str| {
            let squares = moves().flat_map(|word| word.split(|c: char| c.is_ascii_lowercase()));
            squares.into_iter().any(|square| square == rank)
        };
        let length = |notation: Notation| {
            let mut board = start.clone();
            let played = moves().take_while(|word| {
                let played = board.read(notation, word);
                played.inspect(|played| board.play_known(*played)).is_ok()
            });
            played.count()
        };
        match (has_rank("0"), has_rank("10")) {
            (true, false) => true,
            (false, true) => false,
            _ => length(Notation::Ucci) > length(Notation::Uci),
        }
    }
}

const fn win_of(side: Side) -> GameResult {
    match side {
        Side::Bottom => GameResult::WhiteWins,
        Side::Top => GameResult::BlackWins,
    }
}

fn position(text: &str, is_sfen: bool, options: &PgnOptions) -> Result<Board, GameErrorKind> {
    let games = Game::of_fen(text);
    let game = match *games {
        _ if is_sfen => Game::Shogi,
        _ if options.game.is_some() => options.game.unwrap_or(Game::Western),
        [game] => game,
        [] => Game::Western,
        _ if games.contains(&Game::Western) => Game::Western,
        _ => return Err(GameErrorKind::OpenGame(games)),
    };
    let read = if game == Game::Shogi && !text.contains('[') {
        Fen::read_sfen(text)
    } else {
        Fen::read_with(game, text, Leniency::Everything).map(|(fen, _)| fen)
    };
    let fen = read.map_err(|error| GameErrorKind::Fen(Box::new(error)))?;
    Board::from_fen(&fen).map_err(|why| GameErrorKind::Start(Some(why)))
}

/// A game as one line. Moves from the first illegal one on are left out.
pub(crate) fn write(protocol: Protocol, game: &FiniteGame<'_>, start: &Board) -> Written {
    let mut out = String::from("position ");
    let fen = start.fen();
    // Without moves nothing would tell whose start it is.
    let usual_game = match protocol {
        Protocol::Usi if !game.moves().is_empty() => Some(Game::Shogi),
        Protocol::Usi => None,
        Protocol::Uci => Some(Game::Western),
    };
    let is_usual = usual_game == Some(start.game()) && start.is_usual_start() && start.plies() == 0;
    match fen.to_sfen().filter(|_| protocol == Protocol::Usi) {
        _ if is_usual => out += "startpos",
        Some(sfen) => out = out + "sfen " + &sfen,
        None => out = out + "fen " + &fen.to_string(),
    }
    let mut shuffled = false;
    start.each_castling(|rook, king| shuffled |= king % 8 != 4 || !matches!(rook % 8, 0 | 7));
    let notation = match (protocol, shuffled) {
        (Protocol::Usi, _) => Notation::Usi,
        (Protocol::Uci, true) => Notation::Uci960,
        (Protocol::Uci, false) => Notation::Uci,
    };
    let mut board = start.clone();
    for (ply, played) in game.moves().iter().enumerate() {
        let Some(text) = board.write(notation, *played) else { break };
        out += if ply == 0 { " moves " } else { " " };
        out += &text;
        board.play_known(*played);
    }
    let has_tags = game.tags.iter().any(|(name, value)| {
        !matches!(&**name, "FEN" | "SetUp" | "Variant" | "Result" | "Game" | "Format")
            && says_something(value)
    });
    let known = game.result.is_some_and(|result| result != GameResult::Unknown);
    let lost = Lost::TAGS.when(has_tags) | Lost::RESULT.when(known);
    Written { text: out, lost }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_move_of_xiangqi_tells_where_ranks_begin() {
        let options = PgnOptions { game: Some(Game::Xiangqi), ..PgnOptions::default() };
        let plies = |text: &str| {
            let outcome = draft(Protocol::Uci, text, &options).whole();
            outcome.map(|(game, _)| game.moves().len()).map_err(|error| error.plies())
        };
        // Legal in both ways of counting, until a rank says which it is.
        let rooks = "position fen 4k4/9/9/9/9/R8/R8/9/9/3K5 w - - 0 1 moves";
        assert_eq!(plies(&format!("{rooks} a4b4 e9e8 d0d1")), Ok(3));
        assert_eq!(plies(&format!("{rooks} a4b4 e10e9 d1d2")), Ok(3));
        // Without such a rank, what can be played further.
        assert_eq!(plies(&format!("{rooks} a4b4 e9e8")), Ok(2));
        // The rank decides even if a move is illegal.
        assert_eq!(plies(&format!("{rooks} a4b4 a1a2 d0d1")), Err(1));
        assert_eq!(plies(&format!("{rooks} a4b4 a1a2 e10e9")), Err(1));
        let start = Board::start(Game::Xiangqi).fen();
        assert_eq!(plies(&format!("fen {start} moves h2e2 h9g7")), Ok(2));
        assert_eq!(plies(&format!("fen {start} moves h3e3 h10g8 resign")), Ok(2));
    }
}
