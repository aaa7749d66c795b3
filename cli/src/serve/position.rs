//! The position that a request names: `position` in any notation, then the moves of `play`.

use boardprint_base::{Digest, Game, Move as OpenMove};
use boardprint_finite::{Board, Game as FiniteKind, Move as FiniteMove, Notation};
use boardprint_games::{Content, FiniteGame, Format, ReadOptions, Record};
use boardprint_records::{Input, Reader, ReaderOptions};
use boardprint_rules::pieces::PieceTable;

use super::app::Context;
use super::fault::{Fault, Outcome, for_http};
use super::query::{Query, brief};
use crate::args::ReadingArgs;
use crate::asked::{Asked, Finder, Form, Meant, Unclear, understand};

/// The parameters that name a position.
pub(super) const POSITION: [&str; 4] = ["position", "play", "from", "game"];

/// This many moves may follow a position.
const MOST_MOVES: usize = 10_000;
/// Pieces of the open board times moves: what it costs to replay a text or `play`.
const MOST_WORK: usize = 20_000_000;

/// The finite game that a parameter names; the open board and others need no name.
fn game_parameter(query: &Query) -> Outcome<Option<FiniteKind>> {
    match query.get("game") {
        None | Some("infinite" | "other") => Ok(None),
        Some("chess960") => Ok(Some(FiniteKind::Western)),
        Some(name) => match FiniteKind::ALL.into_iter().find(|game| game.name() == name) {
            Some(game) => Ok(Some(game)),
            None => Err(Fault::parameter(format!("there is no game `{}`", brief(name)))
                .hint("infinite, western, chess960, makruk, shogi, xiangqi, janggi, other")),
        },
    }
}

/// What the parameter `from` says a text is.
pub(super) fn from_parameter(query: &Query) -> Outcome<Option<Form>> {
    let Some(name) = query.get("from") else { return Ok(None) };
    let unknown = |_| {
        Fault::parameter(format!("`from` cannot be `{}`", brief(name)))
            .hint("icn, json, cpn, fen, sfen, pgn, csa, kif, usi, uci, hash, moves")
    };
    match name {
        "hash" => Ok(Some(Form::Hash)),
        "moves" => Ok(Some(Form::Moves)),
        name => Ok(Some(Form::Record(name.parse::<Format>().map_err(unknown)?))),
    }
}

/// How texts are read, as the command line says.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Texts of strangers: with limits that a server can keep.
    pub(super) asked: ReadOptions,
    /// Texts of games that were imported.
    pub(super) stored: ReadOptions,
    /// The game of a text where it leaves that open.
    game: Option<FiniteKind>,
    /// How pieces move.
    pub(super) pieces: PieceTable,
}

impl Reading {
    pub(super) fn new(args: &ReadingArgs, max_pieces: usize) -> anyhow::Result<Self> {
        let pieces = args.piece_table()?;
        let asked = args.options_with(&pieces, |icn| {
            let few = icn.max_pieces(max_pieces).max_digits(2_000).max_tags(1_000);
            few.max_moves(100_000).max_work(MOST_WORK)
        });
        let stored = args.options_with(&pieces, |icn| icn);
        Ok(Reading { asked, stored, game: args.game.map(|game| game.kind), pieces })
    }

    /// How the text of a question is read.
    pub(super) fn of(&self, query: &Query) -> Outcome<ReadOptions> {
        Ok(self.asked.clone().game(game_parameter(query)?.or(self.game)))
    }

    /// What tells this way of reading from others.
    pub(super) fn key(&self) -> Digest {
        // How pieces attack is worked out late, and says nothing new.
        let pieces: Vec<String> = self.pieces.iter().map(|piece| format!("{piece:?}")).collect();
        Digest::of(format!("{:?} {pieces:?}", self.stored).as_bytes())
    }
}

impl Context<'_> {
    /// What a question is about.
    pub(super) fn asked(&self, query: &Query) -> Outcome<Asked> {
        let text = query.get("position").map(str::trim).unwrap_or_default();
        let max_pieces = self.app.limits.pieces;
        let options = self.app.reading.of(query)?;
        let form = from_parameter(query)?;
        let mut asked = if text.is_empty() {
            let start = FiniteGame::position(Board::start(FiniteKind::Western));
            Asked::given("moves", Content::Finite(start), true)
        } else {
            let meant = understand(text, form, &options).map_err(|unclear| {
                let one = |unclear: &Unclear| Fault::unclear(unclear, text);
                several(text, form, &options).map_or_else(|| one(&unclear), Fault::several_games)
            });
            match meant? {
                Meant::Position(asked) => *asked,
                meant => self.by_hash(&meant)?,
            }
        };
        too_many_pieces(&asked.whole, max_pieces)?;
        asked.warnings = asked.warnings.into_iter().map(|warning| warning.reworded(for_http)).collect();
        if let Some(play) = query.get("play") {
            asked.play(play)?;
        }
        Ok(asked)
    }

    /// Who finds positions by their hashes.
    pub(super) fn finder(&self) -> Finder<'_> {
        Finder { snapshot: &self.snapshot, rules: &self.app.rules }
    }

    fn by_hash(&self, meant: &Meant) -> Outcome<Asked> {
        let (taken_as, hash) = match meant {
            Meant::Hash(hash) => ("hash", *hash),
            Meant::Prefix(digits) => match &self.finder().beginning_with(digits, None, 2)?.0[..] {
                [] => return Err(Fault::unknown_hash(&digits.to_string())),
                [hash] => ("prefix", *hash),
                _ => {
                    let message = format!("several positions have a hash that begins with {digits}");
                    return Err(Fault::ambiguous(message).hint("give more digits"));
                }
            },
            Meant::Position(_) => return Err(Fault::internal("a position is not a hash")),
        };
        let now = self.finder().position(&hash)?.ok_or_else(|| Fault::unknown_hash(&hash.to_string()))?;
        Ok(Asked::given(taken_as, now, false))
    }
}

/// How many games a text holds, if that is why it cannot be read as one.
fn several(text: &str, form: Option<Form>, options: &ReadOptions) -> Option<usize> {
    let format = match form {
        None => None,
        Some(Form::Record(format)) => Some(format),
        Some(Form::Hash | Form::Moves) => return None,
    };
    let cutting = ReaderOptions::default().format(format).cut_text(true);
    let mut records = Reader::new([Input::text(text)], cutting).map_while(Result::ok);
    let (first, second) = (records.next()?, records.next()?);
    let is_game = |record: &Record| options.read(record).is_ok();
    // What begins with tags is meant as a game, even if it cannot be read.
    let are_games = is_game(&first) && (second.text.starts_with('[') || is_game(&second));
    are_games.then(|| 2 + records.count())
}

fn too_many_pieces(content: &Content<'_>, most: usize) -> Outcome<()> {
    let pieces = match content {
        Content::Infinite(game) => game.start.pieces.len(),
        Content::Board(cpn) => cpn.len(),
        _ => 0,
    };
    if pieces > most {
        return Err(Fault::too_many_pieces(most));
    }
    Ok(())
}

impl Asked {
    /// Plays moves after the position.
    fn play(&mut self, play: &str) -> Outcome<()> {
        let is_open = matches!(self.now, Content::Infinite(_));
        let words: Vec<&str> = play
            .split(|c: char| c.is_whitespace() || c == '|' || c == ',' && !is_open)
            .filter(|word| !word.is_empty())
            .collect();
        if words.len() > MOST_MOVES {
            return Err(Fault::too_large(format!("`play` may have {MOST_MOVES} moves")));
        }
        if words.is_empty() {
            return Ok(());
        }
        let bad = |number: usize, word: &str, why: &str| {
            Fault::unreadable(format!("move {} of `play`, `{}`: {why}", number + 1, brief(word)))
        };
        match &mut self.whole {
            Content::Infinite(game) => {
                let most = MOST_WORK / game.start.pieces.len().max(1);
                if game.moves.len() + words.len() > most {
                    return Err(Fault::too_large(format!("more than {most} moves for so many pieces")));
                }
                for (number, word) in words.iter().enumerate() {
                    let played: OpenMove =
                        word.parse().map_err(|error| bad(number, word, &format!("{error}")))?;
                    game.moves.push(played);
                }
            }
            Content::Finite(game) => {
                let start = game
                    .start()
                    .board()
                    .map_err(|why| Fault::unreadable(format!("no game can start from this position: {why}")))?
                    .into_owned();
                let mut moves = game.moves().to_vec();
                let mut board = start.clone();
                for played in &moves {
                    board.play_known(*played);
                }
                for (number, word) in words.iter().enumerate() {
                    let played =
                        finite_move(&board, word).ok_or_else(|| bad(number, word, "not a legal move"))?;
                    board.play_known(played);
                    moves.push(played);
                }
                let tags = std::mem::take(&mut game.tags);
                *game = FiniteGame::unchecked(start, moves);
                game.tags = tags;
            }
            _ => return Err(Fault::unsupported("this board is of a game without known rules")),
        }
        self.now = self.whole.at(self.whole.plies())?;
        // The position of the hash is where these moves start.
        self.has_start = true;
        Ok(())
    }

    /// As a game of the open board, if it is one.
    pub(super) fn open_game(&self) -> Option<&Game> {
        match &self.now {
            Content::Infinite(game) => Some(game),
            _ => None,
        }
    }
}

/// A move in any notation that the game has.
fn finite_move(board: &Board, word: &str) -> Option<FiniteMove> {
    let first = [Notation::Uci, Notation::San];
    let others = Notation::ALL.iter().copied().filter(|notation| !first.contains(notation));
    let fitting = first.into_iter().chain(others).filter(|notation| notation.fits(board.game()));
    fitting.into_iter().find_map(|notation| board.read(notation, word).ok())
}
