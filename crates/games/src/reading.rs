//! From a record to what it means.

use std::fmt;

use boardprint_base::{Digest, Game, LineColumn, PieceKind, Span, Square, SyntaxError, SyntaxErrorKind};
use boardprint_bridge::fen::FenExt as _;
use boardprint_bridge::{grid, list};
use boardprint_cpn::{Cpn, CpnError, Field, Revision};
use boardprint_finite::{Fen, Game as FiniteKind, Leniency};

use crate::finite::FiniteGame;
use crate::pgn::PgnOptions;
use crate::score::Draft;
use crate::usi::Protocol;
use crate::{
    Content, Format, GameError, GameErrorKind, GameWarning, Profile, Record, RecordError, RecordErrorKind,
    Warning, csa, kif, pgn, usi,
};

/// How records are read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    icn: boardprint_icn::ReadOptions,
    cpn: boardprint_cpn::Options,
    origin: Option<Square>,
    game: Option<FiniteKind>,
    chess960_start: Option<u32>,
    strict: bool,
    lenient: bool,
    marks: bool,
}

/// What a record holds, and what had to be interpreted to read it.
#[derive(Clone, Debug)]
pub struct Reading<'a> {
    /// What it holds.
    pub content: Content<'a>,
    /// What had to be interpreted.
    pub warnings: Vec<Warning>,
    /// The revision of CPN in which the record is written, if it is CPN.
    pub revision: Option<Revision>,
}

impl ReadOptions {
    /// How ICN is read.
    #[must_use]
    pub fn icn(mut self, options: boardprint_icn::ReadOptions) -> Self {
        self.icn = options;
        self
    }

    /// How CPN is read.
    #[must_use]
    pub fn cpn(mut self, options: boardprint_cpn::Options) -> Self {
        self.cpn = options;
        self
    }

    /// The square of the lower left cell of a CPN that is a dense board of the open board. Without it such a
    /// CPN is only a board: where it lies is not known.
    #[must_use]
    pub fn origin(mut self, origin: impl Into<Option<Square>>) -> Self {
        self.origin = origin.into();
        self
    }

    /// Which game a record is of where its tags, its shape and its letters leave it open.
    #[must_use]
    pub fn game(mut self, game: impl Into<Option<FiniteKind>>) -> Self {
        self.game = game.into();
        self
    }

    /// The number of the start in Chess960, below 960, for games of Western chess that name no start.
    #[must_use]
    pub fn chess960_start(mut self, number: impl Into<Option<u32>>) -> Self {
        self.chess960_start = number.into();
        self
    }

    /// Whether FEN is read by the book; else what is missing or means nothing is let pass with a warning.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Whether a FEN may also be a board alone, or have any blanks around and between its fields; each is a
    /// warning. Strict reading has the last word.
    #[must_use]
    pub fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    /// Whether the marks `+` and `#` of games in PGN are kept, for [`Reading::check`]. They mean nothing for the
    /// moves, and it takes time: the moves of a text are looked at twice.
    #[must_use]
    pub fn keep_marks(mut self, keep: bool) -> Self {
        self.marks = keep;
        self
    }

    /// What a record means.
    ///
    /// # Errors
    ///
    /// The first thing in its text that cannot be read, or the first move that cannot be played.
    pub fn read<'a>(&self, record: &'a Record) -> Result<Reading<'a>, RecordError> {
        self.read_text(record.format, &record.text)
    }

    /// What a text of a known format means.
    ///
    /// # Errors
    ///
    /// As [`ReadOptions::read`].
    pub fn read_text<'a>(&self, format: Format, text: &'a str) -> Result<Reading<'a>, RecordError> {
        if !format.is_built() {
            return Err(GameError::at_start(GameErrorKind::NotBuilt(format), Span::new(0, 0)).into());
        }
        let infinite = |reading: boardprint_icn::Reading| Reading {
            content: Content::Infinite(reading.game),
            warnings: reading.warnings.into_iter().map(Warning::from).collect(),
            revision: None,
        };
        match format {
            // In a file of ICN, a game in JSON is cut apart.
            Format::Icn if is_json_object(text) => Ok(infinite(self.icn.parse_json(text)?)),
            Format::Icn => Ok(infinite(self.icn.parse(text)?)),
            Format::Json => Ok(infinite(self.icn.parse_json(text)?)),
            Format::Cpn => {
                let (cpn, warnings) = self.cpn.read_with_warnings(text)?;
                let revision = cpn.revision();
                let content = content_of_cpn(cpn, self.origin.as_ref())?;
                self.knows_pieces_of(&content, text)?;
                let warnings = warnings.into_iter().map(Warning::from).collect();
                Ok(Reading { content, warnings, revision })
            }
            // What follows the last field was cut off in a file, and stands there where it was pasted.
            Format::Fen => self.fen(text.trim_ascii_end()),
            Format::Sfen => sfen(text.trim_ascii_end()),
            Format::Pgn | Format::Csa | Format::Kif | Format::Usi | Format::Uci => {
                let (game, warnings) = self.draft(format, text).whole()?;
                Ok(Reading { content: Content::Finite(game), warnings, revision: None })
            }
        }
    }

    /// What a text of a known format means as far as its moves can be played, and why no further. A game of a
    /// finite game breaks off at the first move that is illegal; what other formats hold is read whole or not
    /// at all.
    pub fn read_as_far<'a>(
        &self,
        format: Format,
        text: &'a str,
    ) -> (Option<Reading<'a>>, Option<RecordError>) {
        let is_game = matches!(format, Format::Pgn | Format::Csa | Format::Kif | Format::Usi | Format::Uci);
        if !is_game || !format.is_built() {
            return match self.read_text(format, text) {
                Ok(reading) => (Some(reading), None),
                Err(error) => (None, Some(error)),
            };
        }
        let Draft { game, warnings, error } = self.draft(format, text);
        let reading = game.map(|game| Reading { content: Content::Finite(game), warnings, revision: None });
        (reading, error.map(RecordError::from))
    }

    /// Refuses a list without pieces, and codes that are neither built in nor in a piece file: nobody could
    /// read them again from ICN.
    fn knows_pieces_of(&self, content: &Content<'_>, text: &str) -> Result<(), RecordError> {
        let Content::Infinite(game) = content else { return Ok(()) };
        let wrong = |error| Err(CpnError::new(Field::Board, None, error).into());
        if game.start.pieces.is_empty() {
            let (rule, hint) = ("a list without pieces", "an infinite board has at least one");
            let kind = SyntaxErrorKind::Broken { rule, hint };
            return wrong(SyntaxError::new(kind, Span::new(0, text.len())));
        }
        let is_unknown = |kind: PieceKind| match kind {
            PieceKind::Custom(code) => !self.icn.has_custom_piece(code),
            _ => false,
        };
        let Some(unknown) = game.start.pieces.iter().find(|placed| is_unknown(placed.piece.kind)) else {
            return Ok(());
        };
        let code = unknown.piece.kind.code();
        let is_cell = |at: &usize| {
            let before = text[..*at].bytes().next_back();
            let behind = text[at + code.len()..].bytes().next();
            matches!(before, Some(b':' | b'+')) && matches!(behind, Some(b'_' | b',' | b'-'))
        };
        let start =
            text.to_ascii_lowercase().match_indices(code).map(|(at, _)| at).find(is_cell).unwrap_or(0);
        let span = Span::new(start, start + code.len());
        wrong(SyntaxError::new(SyntaxErrorKind::UnknownPieceCode, span))
    }

    fn draft<'a>(&self, format: Format, text: &'a str) -> Draft<'a> {
        let options = PgnOptions { game: self.game, chess960_start: self.chess960_start };
        match format {
            Format::Csa => csa::draft(text),
            Format::Kif => kif::draft(text),
            Format::Usi => usi::draft(Protocol::Usi, text, &options),
            Format::Uci => usi::draft(Protocol::Uci, text, &options),
            _ => {
                let mut draft = pgn::draft(text, &options);
                if let Some(game) = draft.game.as_mut().filter(|_| self.marks) {
                    game.marks = pgn::marks(text, game.game(), game.moves().len());
                }
                draft
            }
        }
    }

    /// A position of the game that is named, or else of the one game that its shape and letters leave. Where
    /// that may be Western chess or Makruk it is Western chess, with a warning: nearly every such FEN is.
    fn fen<'a>(&self, text: &str) -> Result<Reading<'a>, RecordError> {
        let games = FiniteKind::of_fen(text);
        let game = match (self.game, &*games) {
            (Some(game), _) => game,
            (None, [game]) => *game,
            // Of no game: the likeliest one says what is wrong.
            (None, []) => likeliest(text),
            (None, several) if several.contains(&FiniteKind::Western) => FiniteKind::Western,
            (None, _) => return Err(RecordError::of_whole(RecordErrorKind::OpenGame(games))),
        };
        let leniency = match (self.strict, self.lenient) {
            (true, _) => Leniency::Strict,
            (false, false) => Leniency::Usual,
            (false, true) => Leniency::Everything,
        };
        let (fen, warnings) = Fen::read_with(game, text, leniency)?;
        let is_open = self.game.is_none() && games.len() > 1;
        let open = is_open.then(|| Warning::game(GameWarning::WesternOrMakruk, Span::new(0, text.len())));
        let warnings = open.into_iter().chain(warnings.into_iter().map(Warning::from)).collect();
        Ok(Reading { warnings, ..position(fen) })
    }
}

/// A position in SFEN, after the word with which USI begins it.
fn sfen(text: &str) -> Result<Reading<'static>, RecordError> {
    let board = text.strip_prefix("sfen ").unwrap_or(text);
    let fen = Fen::read_sfen(board).map_err(|error| error.shifted(text.len() - board.len()))?;
    Ok(position(fen))
}

/// Whether a record among ICN is a game in JSON and nothing else.
fn is_json_object(text: &str) -> bool {
    let object = text.trim_ascii();
    object.starts_with('{')
        && object.ends_with('}')
        && boardprint_icn::is_json_game(object.as_bytes())
        && Format::detect(object.as_bytes()) == Some(Format::Json)
}

/// The game of a text that is a FEN of none, by the number of its ranks.
fn likeliest(text: &str) -> FiniteKind {
    let board = text.split_ascii_whitespace().next().unwrap_or_default();
    match board.bytes().filter(|b| *b == b'/').count() {
        9 => FiniteKind::Xiangqi,
        8 if board.contains('[') && !board.contains(['q', 'Q']) => FiniteKind::Shogi,
        _ => FiniteKind::Western,
    }
}

/// What a CPN means: a list is a position of the open board, the board of a known finite game is one of that
/// game.
fn content_of_cpn(cpn: Cpn, origin: Option<&Square>) -> Result<Content<'static>, RecordError> {
    if let Some(origin) = origin.filter(|_| grid::is_grid(&cpn)) {
        return Ok(Content::Infinite(Game { start: grid::from_cpn(&cpn, origin)?, ..Game::default() }));
    }
    if list::is_list(&cpn) {
        return Ok(Content::Infinite(Game { start: list::from_cpn(&cpn)?, ..Game::default() }));
    }
    if !Format::Fen.is_built() {
        // It stays the board of some game, with the same name.
        return Ok(Content::Board(cpn));
    }
    match Fen::from_cpn(&cpn, None) {
        Ok(fen) => Ok(Content::Finite(FiniteGame::position(fen))),
        Err(_) => Ok(Content::Board(cpn)),
    }
}

/// Reads a text of any format, leniently: the simplest way in.
///
/// ```
/// let game = boardprint_games::read("1. e4 e5 2. Nf3")?;
/// assert_eq!(game.plies(), 3);
/// # Ok::<(), boardprint_games::ReadTextError>(())
/// ```
///
/// # Errors
///
/// [`ReadTextError`] says where and why; its text has line and column.
pub fn read(text: &str) -> Result<Content<'_>, ReadTextError> {
    let format = Format::detect(text.as_bytes()).ok_or(ReadTextError::UnknownFormat)?;
    match ReadOptions::default().read_text(format, text) {
        Ok(reading) => Ok(reading.content),
        Err(error) => Err(ReadTextError::Record(error.line_column(text), Box::new(error))),
    }
}

/// Why a text of any format cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadTextError {
    /// It looks like no known format.
    UnknownFormat,
    /// It looks like one and is not: where, and why.
    Record(LineColumn, Box<RecordError>),
}

impl fmt::Display for ReadTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadTextError::UnknownFormat => f.write_str("cannot tell the format of this text"),
            ReadTextError::Record(LineColumn { line, column }, error) => {
                write!(f, "{line}:{column}: {error}")?;
                error.hint().map_or(Ok(()), |hint| write!(f, "; {hint}"))
            }
        }
    }
}

impl std::error::Error for ReadTextError {}

fn position(fen: Fen) -> Reading<'static> {
    Content::Finite(FiniteGame::position(fen)).into()
}

impl<'a> From<Content<'a>> for Reading<'a> {
    /// A content that nothing had to be interpreted for.
    fn from(content: Content<'a>) -> Self {
        Reading { content, warnings: Vec::new(), revision: None }
    }
}

impl Content<'_> {
    /// The hash of every position in order, the start first.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played.
    pub fn hashes(&self, profile: Profile) -> Result<Vec<Digest>, RecordError> {
        crate::PositionNamer::new(profile).hashes(self)
    }
}
