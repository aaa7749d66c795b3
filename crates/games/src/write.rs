//! From what a record means to text of any format.

use std::fmt;

use boardprint_base::replay::ReplayError;
use boardprint_base::{GameResult, Json, Rect};
use boardprint_bridge::embed::EmbedError;
use boardprint_bridge::fen::FenExt as _;
use boardprint_bridge::grid::{self, Grid, GridError};
use boardprint_bridge::{Lossy, Lost, Marks, list};
use boardprint_cpn::{Cpn, Revision};
use boardprint_finite::{Board, Fen, Game, Notation, Unplayable};
use boardprint_icn::Style;
use boardprint_icn::json::{self, MoveForm};

use crate::content::says_something;
use crate::finite::FiniteGame;
use crate::usi::Protocol;
use crate::{Content, Format, RecordError, csa, kif, pgn, usi};

/// How texts are written.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    style: Style,
    border: bool,
    move_form: MoveForm,
    grid: Option<GridArea>,
    marks: Marks,
    rights: bool,
    revision: Option<Revision>,
    notation: Notation,
    rooks_by_file: bool,
}

/// Which squares a dense board has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GridArea {
    /// The smallest rectangle that holds all pieces.
    AroundPieces,
    /// A rectangle.
    Of(Rect),
}

/// A text, and what it does not carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text, without a newline at its end.
    pub text: String,
    /// What of the content is not in it.
    pub lost: Lost,
}

/// Why a content cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The open board has no such form.
    OpenBoard(Format),
    /// A finite game has no such form.
    FiniteGame(Format),
    /// The board of another game has no such form.
    OtherBoard(Format),
    /// Only Shogi has an SFEN, CSA, KIF and USI.
    OnlyShogi(Format),
    /// Moves of the game are not written in the notation.
    Notation(Game, Notation),
    /// A move of the open board starts on an empty square.
    Replay(ReplayError),
    /// A game cannot be taken from the open board to Western chess, or there.
    Embed(EmbedError),
    /// A dense board is too large, or has no squares.
    Grid(GridError),
    /// No game can start from the position.
    Unplayable(Unplayable),
    /// The board is not one of a finite game.
    Board(RecordError),
    /// The program was built without the feature `finite`, which writes this format.
    NotBuilt(Format),
}

impl Default for WriteOptions {
    /// Canonical ICN, moves of JSON as strings, CPN as a list of its identity in the usual revision.
    fn default() -> Self {
        WriteOptions {
            style: Style::Canonical,
            border: false,
            move_form: MoveForm::Strings,
            grid: None,
            marks: Marks::Usable,
            rights: false,
            revision: None,
            notation: Notation::San,
            rooks_by_file: false,
        }
    }
}

impl WriteOptions {
    /// How ICN is written.
    #[must_use]
    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Whether a Western game gets a border around its squares on the open board.
    #[must_use]
    pub fn border(mut self, border: bool) -> Self {
        self.border = border;
        self
    }

    /// How moves are written in the JSON long form.
    #[must_use]
    pub fn move_form(mut self, form: MoveForm) -> Self {
        self.move_form = form;
        self
    }

    /// Whether the CPN of the open board is a dense board of some squares instead of a list of pieces.
    #[must_use]
    pub fn grid(mut self, grid: impl Into<Option<GridArea>>) -> Self {
        self.grid = grid.into();
        self
    }

    /// Which marks of a position count.
    #[must_use]
    pub fn marks(mut self, marks: Marks) -> Self {
        self.marks = marks;
        self
    }

    /// Whether the CPN of a finite game carries castling rights and the en passant square.
    #[must_use]
    pub fn rights(mut self, rights: bool) -> Self {
        self.rights = rights;
        self
    }

    /// The revision of CPN; that of the record unless said otherwise.
    #[must_use]
    pub fn revision(mut self, revision: impl Into<Option<Revision>>) -> Self {
        self.revision = revision.into();
        self
    }
}

impl WriteOptions {
    /// In which notation moves of PGN are written; SAN unless said otherwise.
    #[must_use]
    pub fn notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    /// Whether castling rights in FEN are the files of the rooks (Shredder-FEN) instead of `KQkq` (X-FEN).
    #[must_use]
    pub fn rooks_by_file(mut self, by_file: bool) -> Self {
        self.rooks_by_file = by_file;
        self
    }
}

impl Content<'_> {
    /// The CPN of the start, and what it does not carry.
    ///
    /// # Errors
    ///
    /// A dense board that is too large.
    pub fn to_cpn(&self, options: &WriteOptions) -> Result<(Cpn, Lost), WriteError> {
        let (cpn, lost) = match self {
            Content::Infinite(game) => match &options.grid {
                None => Lossy::parts(list::to_cpn(&game.start, options.marks)),
                Some(grid) => {
                    let grid = match grid {
                        GridArea::AroundPieces => Grid::around(&game.start, options.marks),
                        GridArea::Of(rect) => Grid::of(rect),
                    };
                    Lossy::parts(grid::to_cpn(&game.start, &grid.map_err(WriteError::Grid)?, options.marks))
                }
            },
            Content::Finite(game) => {
                let marks = options.rights.then_some(options.marks);
                Lossy::parts(game.start().fen().to_cpn(marks))
            }
            Content::Board(cpn) => (cpn.clone(), Lost::NOTHING),
        };
        Ok((options.revision.map_or(cpn.clone(), |revision| cpn.in_revision(revision)), lost))
    }

    /// The content as text of a format. CPN, FEN and SFEN carry the start: [`Content::at`] gives other
    /// positions. The others carry whole games, as far as [`Content::is_whole_in`] says so.
    ///
    /// # Errors
    ///
    /// The format has no such form.
    pub fn write(&self, to: Format, options: &WriteOptions) -> Result<Written, WriteError> {
        if !to.is_built() {
            return Err(WriteError::NotBuilt(to));
        }
        match (self, to) {
            (_, Format::Cpn) => {
                let (cpn, lost) = self.to_cpn(options)?;
                Ok(Written { text: cpn.to_string(), lost })
            }
            (Content::Finite(_), Format::Icn | Format::Json) if self.goes_onto_open_board(to, options) => {
                let (open, lost) = self.to_open_board(options.border)?;
                open.write(to, options).map(|written| written.losing(lost))
            }
            (Content::Infinite(_), Format::Fen | Format::Pgn | Format::Uci) => {
                let (western, lost) = self.to_western()?;
                western.write(to, options).map(|written| written.losing(lost))
            }
            (Content::Infinite(game), Format::Icn) => Ok(options.style.write(game).into()),
            (Content::Infinite(game), Format::Json) => {
                Ok(json::write(game, options.move_form).map_err(WriteError::Replay)?.into())
            }
            (_, Format::Json) => {
                let (cpn, lost) = self.to_cpn(options)?;
                Ok(Written { text: cpn_object(&cpn), lost })
            }
            (Content::Finite(game), Format::Fen) => {
                let fen = game.start().fen();
                let mut written = fen_text(&fen);
                if options.rooks_by_file && game.game() == Game::Western {
                    written.text = fen.to_shredder_fen();
                }
                Ok(written)
            }
            (Content::Finite(game), Format::Sfen) => {
                game.start().fen().to_sfen().map(Written::from).ok_or(WriteError::OnlyShogi(to))
            }
            (Content::Finite(game), Format::Pgn | Format::Csa | Format::Kif | Format::Usi | Format::Uci) => {
                let mut written = finite_game(game, to, options)?;
                let extras = game.extras;
                let noted = extras.comments + extras.clocks + extras.variations + extras.glyphs > 0;
                written.lost |= Lost::NOTES.when(noted);
                Ok(written)
            }
            (Content::Board(cpn), Format::Fen | Format::Sfen) => {
                // It is none of a finite game: the way back says why.
                match Fen::from_cpn(cpn, None) {
                    Err(error) => Err(WriteError::Board(error.into())),
                    Ok(fen) => Ok(fen_text(&fen)),
                }
            }
            (Content::Infinite(_), to) => Err(WriteError::OpenBoard(to)),
            (Content::Finite(_), to) => Err(WriteError::FiniteGame(to)),
            (Content::Board(_), to) => Err(WriteError::OtherBoard(to)),
        }
    }

    /// Whether a format carries all of this; the others carry one of its positions. JSON has games of the open
    /// board, Western chess among them.
    #[must_use]
    pub fn is_whole_in(&self, to: Format) -> bool {
        let is_board = self.finite_kind().is_some_and(|game| game != Game::Western);
        to.has_games() && !(to == Format::Json && is_board)
    }

    /// Whether the form is that of the open board: always in ICN. In JSON a bare position is written as its
    /// board, unless a border is asked for.
    fn goes_onto_open_board(&self, to: Format, options: &WriteOptions) -> bool {
        self.finite_kind() == Some(boardprint_finite::Game::Western)
            && (to == Format::Icn || options.border || !self.is_bare_position())
    }
}

fn fen_text(fen: &Fen) -> Written {
    let (text, lost) = Lossy::parts(fen.to_fen());
    Written { text, lost }
}

fn finite_game(game: &FiniteGame<'_>, to: Format, options: &WriteOptions) -> Result<Written, WriteError> {
    let start = game.start().board().map_err(WriteError::Unplayable)?;
    let is_shogi = game.game() == Game::Shogi;
    match to {
        Format::Csa if is_shogi => Ok(csa::write(game, &start)),
        Format::Kif if is_shogi => Ok(kif::write(game, &start)),
        Format::Usi if is_shogi => Ok(usi::write(Protocol::Usi, game, &start)),
        Format::Csa | Format::Kif | Format::Usi => Err(WriteError::OnlyShogi(to)),
        Format::Uci => Ok(usi::write(Protocol::Uci, game, &start)),
        _ => finite_pgn(game, &start, options.notation),
    }
}

fn finite_pgn(game: &FiniteGame<'_>, start: &Board, notation: Notation) -> Result<Written, WriteError> {
    if !notation.fits(game.game()) {
        return Err(WriteError::Notation(game.game(), notation));
    }
    // A record may say it in its tag alone.
    let tagged = || GameResult::ALL.into_iter().find(|result| game.tag("Result") == Some(result.as_str()));
    let result = game.result.or_else(tagged).unwrap_or(GameResult::Unknown);
    let tags = game.tags.iter().map(|(name, value)| (&**name, &**value));
    let text =
        pgn::write_in(tags, start, game.moves().iter().copied(), result, notation).trim_end().to_owned();
    let unnamed = game.tags.iter().any(|(name, value)| !pgn::is_tag_name(name) && says_something(value));
    Ok(Written { text, lost: Lost::TAGS.when(unnamed) })
}

/// The parts of a CPN as a JSON object. Sizes are exact: they may be beyond what a double can tell apart.
fn cpn_object(cpn: &Cpn) -> String {
    let mut out = format!("{{\"side\":\"{}\",\"shape\":[", cpn.side().letter()).into_bytes();
    for (index, size) in cpn.shape().iter().enumerate() {
        out.extend_from_slice(if index == 0 { b"" } else { b"," });
        out.extend_from_slice(size.to_string().as_bytes());
    }
    for (name, items) in [("cells", cpn.cells()), ("hand", cpn.hand())] {
        out.extend_from_slice(format!("],\"{name}\":[").as_bytes());
        for (index, item) in items.enumerate() {
            out.extend_from_slice(if index == 0 { b"" } else { b"," });
            Json::String(item.into()).write_to(&mut out);
        }
    }
    out.extend_from_slice(b"]}");
    String::from_utf8(out).expect("CPN is ASCII")
}

impl Written {
    /// The same text, with something more that it does not carry.
    fn losing(mut self, lost: Lost) -> Self {
        self.lost |= lost;
        self
    }
}

impl From<EmbedError> for WriteError {
    fn from(error: EmbedError) -> Self {
        WriteError::Embed(error)
    }
}

impl From<String> for Written {
    /// A text that lost nothing.
    fn from(text: String) -> Self {
        Written { text, lost: Lost::NOTHING }
    }
}

impl WriteError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            WriteError::OpenBoard(_) | WriteError::FiniteGame(_) => {
                Some("CPN carries any position".to_owned())
            }
            WriteError::Replay(_) => Some("check the moves before it, too".to_owned()),
            WriteError::Embed(_) => {
                Some("CPN carries any position, ICN any game of the open board".to_owned())
            }
            WriteError::Board(error) => error.hint(),
            WriteError::OtherBoard(_)
            | WriteError::OnlyShogi(_)
            | WriteError::Grid(_)
            | WriteError::Unplayable(_)
            | WriteError::NotBuilt(_) => None,
            WriteError::Notation(game, _) => {
                let own = Notation::ALL.iter().filter(|own| own.fits(*game));
                let names: Vec<&str> = own.map(|own| own.name()).collect();
                Some(format!("{} has {}", game.title(), names.join(", ")))
            }
        }
    }

    /// A short name of the kind for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            WriteError::OpenBoard(_)
            | WriteError::FiniteGame(_)
            | WriteError::OtherBoard(_)
            | WriteError::OnlyShogi(_)
            | WriteError::Notation(..)
            | WriteError::NotBuilt(_) => "no-such-form",
            WriteError::Replay(_) => "empty-square",
            WriteError::Embed(_) => "other-board",
            WriteError::Grid(_) => "grid",
            WriteError::Unplayable(_) => "unplayable-start",
            WriteError::Board(error) => error.name(),
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::OpenBoard(to) => write!(f, "the open board has no {}", to.title()),
            WriteError::FiniteGame(to) => write!(f, "a finite game has no {}", to.title()),
            WriteError::OtherBoard(to) => {
                write!(f, "this board is of no game that is written as {}", to.title())
            }
            WriteError::OnlyShogi(to) => write!(f, "only Shogi is written as {}", to.title()),
            WriteError::Notation(game, notation) => {
                write!(f, "moves of {} are not written in the notation `{notation}`", game.title())
            }
            WriteError::Replay(error) => error.fmt(f),
            WriteError::Embed(error) => error.fmt(f),
            WriteError::Grid(error) => error.fmt(f),
            WriteError::Unplayable(error) => write!(f, "no game can start from this position: {error}"),
            WriteError::Board(error) => error.fmt(f),
            WriteError::NotBuilt(to) => {
                write!(f, "this build does not know {}, only ICN, its long form and CPN", to.title())
            }
        }
    }
}

impl std::error::Error for WriteError {}
