//! What can be typed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use boardprint_base::{LineColumn, PieceKind};
use boardprint_bridge::Marks;
use boardprint_cpn::Revision;
use boardprint_finite::Game as FiniteKind;
use boardprint_games::{Format, Profile, ReadOptions, WriteOptions};
use boardprint_icn::Dialect;
use boardprint_records::{Input, ReaderOptions};
use boardprint_rules::pieces::PieceTable;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args, Parser};

use crate::commands::Command;
use crate::report::Usage;

/// Gives every chess position a name that does not depend on who wrote it down.
#[derive(Parser)]
#[command(name = "boardprint", version, max_term_width = 100, subcommand_required = true, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 all well, 1 some records were bad, 2 wrong usage, 3 the machine failed.\n\
    `boardprint COMMAND --help` shows examples."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to read and how.
#[derive(Args, Clone)]
pub(crate) struct InputArgs {
    /// Files and folders to read; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "text")]
    files: Vec<PathBuf>,

    /// Reads this text as one record; may be given several times
    #[arg(short = 'e', long = "expression", value_name = "TEXT", allow_hyphen_values = true)]
    text: Vec<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// How to read records.
#[derive(Args, Clone)]
pub(crate) struct ReadingArgs {
    /// The format of the input; told from the content unless named
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) from: Option<Format>,

    /// Names the game of a FEN where its shape and letters leave it open
    #[arg(long, value_name = "GAME", value_parser = game_parser())]
    pub(crate) game: Option<FiniteKind>,

    /// Takes any actor names in CPN, as cpn.rb does
    #[arg(long)]
    pub(crate) as_cpn_rb: bool,

    /// Reads ICN as this dialect where dialects differ
    #[arg(long, value_name = "DIALECT", value_parser = dialect_parser())]
    dialect: Option<Dialect>,

    #[command(flatten)]
    pieces: PiecesArg,

    /// Refuses what the chosen dialect does not know; without one, whatever gives a warning
    #[arg(long)]
    strict: bool,

    /// The longest record to read; longer ones are refused
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20, hide_default_value = true)]
    max_record: usize,
}

impl InputArgs {
    /// The files and folders that are read, standard input aside.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path).filter(|path| path.as_os_str() != "-")
    }

    /// The inputs in the order of the command line, texts first.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let texts = self.text.iter().map(Input::text);
        texts.chain(self.files.iter().map(Input::argument)).collect()
    }
}

impl ReadingArgs {
    /// The options of the reader of collections.
    pub(crate) fn reader_options(&self) -> ReaderOptions {
        ReaderOptions::default().format(self.from).max_record(self.max_record)
    }

    /// How records are read.
    pub(crate) fn read_options(&self) -> Result<ReadOptions> {
        Ok(ReadOptions::default()
            .icn(self.icn_options(&self.piece_table()?))
            .cpn(boardprint_cpn::Options::default().free_names(self.as_cpn_rb))
            .game(self.game))
    }

    /// The options of the ICN reader.
    fn icn_options(&self, table: &PieceTable) -> boardprint_icn::ReadOptions {
        let custom = table.iter().filter_map(|piece| match piece.kind() {
            PieceKind::Custom(code) => Some(code),
            _ => None,
        });
        let options = boardprint_icn::ReadOptions::default().strict(self.strict).custom_pieces(custom);
        match self.dialect {
            Some(dialect) => options.dialect(dialect),
            None => options,
        }
    }

    /// How pieces move: the built-in ones and those of the piece file.
    pub(crate) fn piece_table(&self) -> Result<PieceTable> {
        self.pieces.table()
    }
}

/// Pieces that a user defines.
#[derive(Args, Clone)]
pub(crate) struct PiecesArg {
    /// A TOML file with pieces of your own: code, name, movement, royal
    #[arg(long, value_name = "FILE")]
    pieces: Option<PathBuf>,
}

impl PiecesArg {
    pub(crate) fn table(&self) -> Result<PieceTable> {
        let Some(path) = &self.pieces else { return Ok(PieceTable::default()) };
        let name = path.display();
        let text = fs::read_to_string(path).map_err(|error| Usage(format!("{name}: {error}")))?;
        PieceTable::from_toml(&text).map_err(|error| {
            let LineColumn { line, column } = LineColumn::of(&text, error.span().start);
            let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
            Usage(format!("{name}:{line}:{column}: {error}{hint}")).into()
        })
    }
}

pub(crate) fn format_parser() -> impl clap::builder::TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| name.parse::<Format>().expect("only names of formats are possible"))
}

fn game_parser() -> impl clap::builder::TypedValueParser<Value = FiniteKind> {
    PossibleValuesParser::new(FiniteKind::ALL.map(FiniteKind::name)).map(|name| {
        let known = FiniteKind::ALL.into_iter().find(|game| game.name() == name);
        known.expect("only names of games are possible")
    })
}

fn dialect_parser() -> impl clap::builder::TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(Dialect::ALL.map(Dialect::name)).map(|name| {
        let known = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        known.expect("only names of dialects are possible")
    })
}

/// How to write CPN.
#[derive(Args, Clone)]
pub(crate) struct CpnArgs {
    /// Keeps special rights and an en passant square that nothing can use
    #[arg(long)]
    as_given: bool,

    /// Carries castling rights and en passant of finite games: `W:+R`, `W:+^K`, an `ep` actor
    #[arg(long)]
    rights: bool,

    /// The royal prefix to write: `_` of 2014, `^` of 2015, `-` of 2019. Changes every hash
    #[arg(long, value_name = "YEAR", value_parser = revision_parser())]
    pub(crate) revision: Option<Revision>,
}

impl CpnArgs {
    /// Whether nothing was asked for: identities in the usual revision.
    pub(crate) fn is_plain(&self) -> bool {
        !self.as_given && self.revision.is_none()
    }

    /// How positions of finite games are named.
    pub(crate) fn profile(&self) -> Profile {
        if self.rights { Profile::Rights } else { Profile::Plain }
    }

    /// How CPN is written.
    pub(crate) fn write_options(&self) -> WriteOptions {
        let marks = if self.as_given { Marks::AsGiven } else { Marks::Usable };
        WriteOptions::default().marks(marks).rights(self.rights).revision(self.revision)
    }
}

fn revision_parser() -> impl clap::builder::TypedValueParser<Value = Revision> {
    PossibleValuesParser::new(["2014", "2015", "2019"]).map(|year| {
        let known = year.parse().ok().and_then(Revision::from_year);
        known.expect("only years of revisions are possible")
    })
}

/// Which positions of a game are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ply {
    /// The position after so many half-moves.
    At(usize),
    /// The final position.
    Last,
    /// Every position.
    All,
}

impl Ply {
    /// The half-moves before the position, if one is meant and the game is long enough.
    pub(crate) fn of(self, moves: usize) -> Option<usize> {
        match self {
            Ply::At(ply) => (ply <= moves).then_some(ply),
            Ply::Last => Some(moves),
            Ply::All => None,
        }
    }
}

impl std::str::FromStr for Ply {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "last" => Ok(Ply::Last),
            "all" => Ok(Ply::All),
            number => number.parse().map(Ply::At).map_err(|_| "write a number, `last` or `all`".to_owned()),
        }
    }
}
