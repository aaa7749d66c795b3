//! Which game a FEN is of, by its shape and letters.

use super::Fen;
use crate::game::Game;
use crate::man::Man;
use boardprint_base::Side;

impl Game {
    /// The games that a FEN or SFEN may be of, by the shape of its board and the letters on it: one if that
    /// is certain, none if it is of no game, the likelier one first.
    ///
    /// ```
    /// use boardprint_finite::Game;
    /// assert_eq!(Game::of_fen("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1"), [Game::Makruk]);
    /// assert_eq!(Game::of_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), [Game::Western, Game::Makruk]);
    /// assert_eq!(Game::of_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), [Game::Western]);
    /// assert_eq!(Game::of_fen("4k3/8/8/8/8/8/5P2/4K2R w - - 0 1"), [Game::Western]);
    /// ```
    #[must_use]
    pub fn of_fen(text: &str) -> Vec<Game> {
        let mut fields = text.split_ascii_whitespace();
        let Some(board) = fields.next() else { return Vec::new() };
        let board = board.split('[').next().unwrap_or(board);
        let (turn, castling, en_passant) = (fields.next(), fields.next(), fields.next());
        // `- 32 6 1`: Makruk counts moves where others have the en passant square.
        let counts =
            en_passant.is_some_and(|field| field.bytes().all(|b| b.is_ascii_digit())) && fields.count() == 2;
        let mut games: Vec<Game> = Game::ALL.into_iter().filter(|game| has_shape(*game, board)).collect();
        games.retain(|game| letters(board).all(|letter| knows(*game, letter)));
        if games.len() > 1 {
            match games[0] {
                Game::Western if counts => games.retain(|game| *game == Game::Makruk),
                Game::Western => settle_western(&mut games, board, castling, en_passant),
                _ => settle_xiangqi(&mut games, board, turn),
            }
        }
        games
    }
}

fn letters(board: &str) -> impl Iterator<Item = u8> + '_ {
    board.bytes().filter(u8::is_ascii_alphabetic).map(|b| b.to_ascii_lowercase())
}

fn knows(game: Game, letter: u8) -> bool {
    game.kinds().iter().any(|kind| kind.is_read_as(letter))
}

/// Whether every rank is full.
fn has_shape(game: Game, board: &str) -> bool {
    let width = |rank: &str| -> usize {
        rank.bytes()
            .map(|b| match b {
                b'0'..=b'9' => usize::from(b - b'0'),
                b'+' | b'~' => 0,
                _ => 1,
            })
            .sum()
    };
    board.split('/').count() == game.ranks() && board.split('/').all(|rank| width(rank) == game.files())
}

/// Western or Makruk: queens and bishops are Western, though some write Makruk with them; so are rights to
/// castle, an en passant square, and pawns where none stands in Makruk: before the rank on which they begin,
/// or where they have promoted.
fn settle_western(games: &mut Vec<Game>, board: &str, castling: Option<&str>, en_passant: Option<&str>) {
    let western = letters(board).any(|letter| matches!(letter, b'q' | b'b'));
    let castles = castling.is_some_and(|field| !field.is_empty() && field != "-");
    let passes = en_passant.is_some_and(|field| field.starts_with(|c: char| ('a'..='h').contains(&c)));
    let stray = |(row, rank): (usize, &str)| {
        rank.contains('P') && !(3..=5).contains(&row) || rank.contains('p') && !(2..=4).contains(&row)
    };
    if western || castles || passes || board.split('/').enumerate().any(stray) {
        games.retain(|game| *game == Game::Western);
    }
}

/// Xiangqi or Janggi: pieces where they never stand in Xiangqi are of Janggi, and so are its starts; the
/// start of Xiangqi is its own.
fn settle_xiangqi(games: &mut Vec<Game>, board: &str, turn: Option<&str>) {
    if turn == Some("r") {
        games.retain(|game| *game == Game::Xiangqi);
        return;
    }
    let start = |game: Game| game.start().split(' ').next().unwrap_or_default();
    let setups = ["rnba1abnr", "rbna1abnr", "rnba1anbr", "rbna1anbr"];
    let ranks: Vec<&str> = board.split('/').collect();
    let is_setup = |rank: &str| setups.contains(&rank.to_ascii_lowercase().as_str());
    let janggi: Vec<&str> = start(Game::Janggi).split('/').collect();
    let janggi_start = ranks[1..9] == janggi[1..9] && is_setup(ranks[0]) && is_setup(ranks[9]);
    let out_of_place = Fen::read(Game::Xiangqi, &format!("{board} w")).is_ok_and(|fen| has_stray(&fen));
    if janggi_start || out_of_place {
        games.retain(|game| *game == Game::Janggi);
    } else if board == start(Game::Xiangqi) {
        games.retain(|game| *game == Game::Xiangqi);
    }
}

/// Whether an elephant or advisor stands where no move of Xiangqi leads.
fn has_stray(fen: &Fen) -> bool {
    let stray = |(cell, man): (usize, &Option<Man>)| {
        let Some(man) = man else { return false };
        let (file, row) = (cell % 9, cell / 9);
        let depth = if man.side() == Side::Bottom { 9 - row } else { row };
        match man.kind() {
            4 => !matches!((file, depth), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
            5 => !matches!((file, depth), (3 | 5, 0 | 2) | (4, 1)),
            _ => false,
        }
    };
    fen.cells().iter().enumerate().any(stray)
}
