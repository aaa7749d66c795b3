//! The position that a question is about: any notation, a hash, its first digits, or moves; then moves after it.

use boardprint_base::{Digest, DigestPrefix, Game, LineColumn, Move as OpenMove};
use boardprint_finite::{Board, Game as FiniteKind, Move as FiniteMove, Notation};
use boardprint_games::Warning as ReadWarning;
use boardprint_games::{Content, FiniteGame, Format, Profile, ReadOptions, RecordError};
use boardprint_store::db::{Posting, Replay as _, Snapshot};
use boardprint_store::games::Rules;
use serde::Serialize;

use super::fault::{Fault, Outcome};
use super::query::{Query, brief};
use super::shapes::{Ply, Position, plies};

/// The parameters that name a position.
pub(super) const POSITION: [&str; 4] = ["position", "play", "from", "game"];

/// The fewest digits of a hash that are looked up.
const LEAST_DIGITS: usize = 6;

/// So many moves may follow a position.
const MOST_MOVES: usize = 10_000;

/// What a question is about.
pub(super) struct Asked {
    pub(super) taken_as: &'static str,
    /// Start and all moves that lead to the position.
    pub(super) whole: Content<'static>,
    /// The position itself, without moves.
    pub(super) now: Content<'static>,
    /// Whether the question gave a start, and not only a hash.
    has_start: bool,
    pub(super) warnings: Vec<Warning>,
}

/// Something that had to be interpreted.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Warning {
    kind: &'static str,
    message: String,
    line: Option<u64>,
    column: Option<u64>,
}

impl Warning {
    pub(super) fn new(warning: &ReadWarning, text: &str) -> Self {
        let LineColumn { line, column } = LineColumn::of(text, warning.span().start);
        Warning {
            kind: warning.kind().name(),
            message: warning.to_string(),
            line: Some(line as u64),
            column: Some(column as u64),
        }
    }
}

/// Who understands positions.
pub(super) struct Reader<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) rules: &'a Rules,
    pub(super) max_pieces: usize,
}

/// The finite game that a parameter names; the open board and others need no name.
pub(super) fn game_parameter(query: &Query) -> Outcome<Option<FiniteKind>> {
    match query.get("game") {
        None | Some("infinite" | "other") => Ok(None),
        Some("chess960") => Ok(Some(FiniteKind::Western)),
        Some(name) => match FiniteKind::ALL.into_iter().find(|game| game.name() == name) {
            Some(game) => Ok(Some(game)),
            None => Err(Fault::parameter(format!("there is no game `{}`", brief(name)))),
        },
    }
}

/// How texts of strangers are read: with limits that a server can keep.
pub(super) fn reading(max_pieces: usize) -> ReadOptions {
    ReadOptions::default().icn(
        boardprint_icn::ReadOptions::default()
            .max_pieces(max_pieces)
            .max_digits(2_000)
            .max_moves(100_000)
            .max_work(20_000_000)
            .max_tags(1_000),
    )
}

impl Reader<'_> {
    /// What a question is about.
    pub(super) fn asked(&self, query: &Query) -> Outcome<Asked> {
        let text = query.get("position").map(str::trim).unwrap_or_default();
        let mut asked = match query.get("from") {
            _ if text.is_empty() => Asked::start("moves"),
            Some("hash") => self.by_hash(text)?,
            Some("moves") => self.by_text(text, Format::Pgn, "moves", query)?,
            Some(name) => {
                let format: Format = name.parse().map_err(|_| {
                    Fault::parameter(format!("`from` cannot be `{}`", brief(name)))
                        .hint("icn, json, cpn, fen, sfen, pgn, hash, moves")
                })?;
                self.by_text(text, format, format.name(), query)?
            }
            None if text.len() >= LEAST_DIGITS && text.parse::<DigestPrefix>().is_ok() => {
                self.by_hash(text)?
            }
            None => {
                let format = Format::detect(text.as_bytes()).ok_or_else(|| {
                    Fault { place: Some((1, 1)), ..Fault::unreadable("this is neither a position nor a hash nor moves") }
                        .hint("ICN, FEN, SFEN, CPN, PGN, a hash, six or more digits of one, or moves such as `d4 d5 c4`")
                })?;
                let is_bare = format == Format::Pgn && !text.starts_with('[');
                self.by_text(text, format, if is_bare { "moves" } else { format.name() }, query)?
            }
        };
        if let Some(play) = query.get("play") {
            asked.play(play)?;
        }
        Ok(asked)
    }

    fn by_text(&self, text: &str, format: Format, taken_as: &'static str, query: &Query) -> Outcome<Asked> {
        let options = reading(self.max_pieces).game(game_parameter(query)?);
        let read = options.read_text(format, text).map_err(|error| Fault::of_record(&error, text))?;
        let warnings = read.warnings.iter().take(100).map(|warning| Warning::new(warning, text)).collect();
        let whole = read.content.into_owned();
        too_many_pieces(&whole, self.max_pieces)?;
        let now = at(&whole, whole.plies())?;
        Ok(Asked { taken_as, whole, now, has_start: true, warnings })
    }

    fn by_hash(&self, text: &str) -> Outcome<Asked> {
        let digits: DigestPrefix = text.parse().map_err(|_| Fault {
            place: Some((1, 1)),
            ..Fault::unreadable("a hash has 40 hexadecimal digits")
        })?;
        if digits.digits() < LEAST_DIGITS {
            return Err(Fault::parameter(format!(
                "a hash needs at least {LEAST_DIGITS} digits to be looked up"
            )));
        }
        let lower = text.to_ascii_lowercase();
        let first = if let Some(hash) = digits.whole() {
            self.snapshot.lookup(&hash)?.next().transpose()?
        } else {
            let postings = self.snapshot.positions(&digits, None, 2)?;
            if postings.len() > 1 {
                let message = format!("several positions have a hash that begins with {lower}");
                return Err(Fault::ambiguous(message).hint("give more digits"));
            }
            postings.into_iter().next()
        };
        let unknown = || Fault::unknown_hash(&lower);
        let posting = first.ok_or_else(unknown)?;
        if !self.hash_at(&posting)?.starts_with(&digits) {
            return Err(unknown());
        }
        let game = self.snapshot.game(posting.game())?;
        let content = self.rules.content(&game).map_err(|why| Fault::internal(&why))?;
        let now = at(&content, posting.ply() as usize)?;
        let taken_as = if digits.whole().is_some() { "hash" } else { "prefix" };
        Ok(Asked { taken_as, whole: now.clone(), now, has_start: false, warnings: Vec::new() })
    }

    /// The whole hash of a position, by playing to it.
    pub(super) fn hash_at(&self, posting: &Posting) -> Outcome<Digest> {
        let game = self.snapshot.game(posting.game())?;
        let hashes = self.rules.hashes(&game).map_err(|why| Fault::internal(&why))?;
        let found = hashes.get(posting.ply() as usize).map(|(hash, _)| *hash);
        found.ok_or_else(|| {
            Fault::internal(&format!("game {} is shorter than its positions say", posting.game()))
        })
    }
}

fn too_many_pieces(content: &Content<'_>, most: usize) -> Outcome<()> {
    let pieces = match content {
        Content::Infinite(game) => game.start.pieces.len(),
        Content::Board(cpn) => cpn.len(),
        _ => 0,
    };
    if pieces > most {
        return Err(Fault::too_large(format!("a position may have {most} pieces")));
    }
    Ok(())
}

/// The position after so many moves; the tags stay, since they name the variant.
pub(super) fn at(content: &Content<'static>, ply: usize) -> Outcome<Content<'static>> {
    content
        .at(ply)
        .map_err(|error: RecordError| Fault { hint: error.hint(), ..Fault::unreadable(error.to_string()) })
}

impl Asked {
    /// The start of Western chess.
    fn start(taken_as: &'static str) -> Self {
        let whole = Content::Finite(FiniteGame::position(Board::start(FiniteKind::Western)));
        Asked { taken_as, now: whole.clone(), whole, has_start: true, warnings: Vec::new() }
    }

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
        let bad = |number: usize, word: &str, why: &str| {
            Fault::unreadable(format!("move {} of `play`, `{}`: {why}", number + 1, brief(word)))
        };
        match &mut self.whole {
            Content::Infinite(game) => {
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
            _ if words.is_empty() => {}
            _ => return Err(Fault::unsupported("this board is of a game without known rules")),
        }
        self.now = at(&self.whole, self.whole.plies())?;
        Ok(())
    }

    /// The moves that lead to the position.
    pub(super) fn line(&self, profile: Profile) -> Outcome<Vec<Ply>> {
        plies(&self.whole, profile)
    }

    /// Where these moves start; nothing for a hash alone.
    pub(super) fn start_position(&self, profile: Profile) -> Outcome<Option<Position>> {
        if !self.has_start && self.whole.plies() == 0 {
            return Ok(None);
        }
        Ok(Some(Position::of(&at(&self.whole, 0)?, profile)?))
    }

    /// The laws of the position, for `laws=same`.
    pub(super) fn laws(&self) -> Option<String> {
        self.now.laws()
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
pub(super) fn finite_move(board: &Board, word: &str) -> Option<FiniteMove> {
    let first = [Notation::Uci, Notation::San];
    let others = Notation::ALL.iter().copied().filter(|notation| !first.contains(notation));
    let fitting = first.into_iter().chain(others).filter(|notation| notation.fits(board.game()));
    fitting.into_iter().find_map(|notation| board.read(notation, word).ok())
}
