//! What can be typed.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::Result;
use boardprint_base::{LineColumn, PieceKind, Square};
use boardprint_bridge::Marks;
use boardprint_cpn::Revision;
use boardprint_finite::{Board, Game as FiniteKind};
use boardprint_games::{Format, Profile, ReadOptions, WriteOptions};
use boardprint_icn::Dialect;
use boardprint_records::{Input, ReaderOptions};
use boardprint_rules::pieces::PieceTable;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{Args, Command, CommandFactory as _, Parser};

use crate::commands;
use crate::report::Usage;
use crate::terminal::TalkArgs;
use crate::visible::visible_line;

/// Give every chess position a name that does not depend on who wrote it down.
#[derive(Parser)]
#[command(
    name = "boardprint",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
#[command(after_help = "`boardprint help COMMAND` shows the options of a command, with examples.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: commands::Command,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

/// What every help text ends with.
const EXIT_STATUS: &str = "Exit status: 0 all is well, 1 some records were bad or the answer is no, 2 wrong usage, 3 the machine failed, \
    130 after Ctrl-C.";

/// All commands with their help.
pub(crate) fn command() -> Command {
    with_exit_status(Cli::command())
}

fn with_exit_status(command: Command) -> Command {
    let before = command.get_after_help().map(|help| format!("{help}\n\n")).unwrap_or_default();
    command.after_help(format!("{before}{EXIT_STATUS}")).mut_subcommands(with_exit_status)
}

/// What to read and how.
#[derive(Args, Clone)]
pub(crate) struct InputArgs {
    /// Read these files and folders; `-` is standard input, which is read anyway if it is a pipe and nothing
    /// is named
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Read this text as one record; may be given several times
    #[arg(short = 'e', long = "expression", value_name = "TEXT", allow_hyphen_values = true)]
    text: Vec<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
}

/// How to read records. Help shows this after a command's own options.
#[derive(Args, Clone)]
pub(crate) struct ReadingArgs {
    /// Name the format of the input instead of guessing it from the content
    #[arg(help_heading = READING, long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) from: Option<Format>,

    /// Name the game where tags, shape and letters leave it open
    #[arg(help_heading = READING, long, value_name = "GAME", value_parser = game_parser())]
    pub(crate) game: Option<GameName>,

    /// Start Chess960 games that name no start from the position with this number, 0 to 959; without FILE,
    /// read that position
    #[arg(help_heading = READING, long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..960), requires = "game")]
    pub(crate) start: Option<u32>,

    /// Accept any actor names in CPN, as cpn.rb does
    #[arg(help_heading = READING, long)]
    pub(crate) as_cpn_rb: bool,

    /// Read a FEN that is a board alone or has extra blanks, and sort a hand of CPN that is not in order
    #[arg(help_heading = READING, long)]
    lenient: bool,

    /// Read a dense CPN of the open board with its lower left cell on this square
    #[arg(help_heading = READING, long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_square)]
    origin: Option<Square>,

    /// Read ICN as this dialect where dialects differ
    #[arg(help_heading = READING, long, value_name = "DIALECT", value_parser = dialect_parser())]
    dialect: Option<Dialect>,

    #[command(flatten)]
    pieces: PiecesArg,

    /// Refuse what the chosen dialect does not know; without one, whatever gives a warning
    #[arg(help_heading = READING, long)]
    strict: bool,

    /// Refuse records longer than this
    #[arg(help_heading = READING, long, value_name = "BYTES", default_value_t = 64 << 20, hide_default_value = true)]
    max_record: usize,
}

impl InputArgs {
    /// The files and folders that are read, standard input aside.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path).filter(|path| path.as_os_str() != "-")
    }

    /// The inputs in the order of the command line, texts first. A pipe is read without being named.
    pub(crate) fn inputs(&self) -> Result<Vec<Input>> {
        let texts = self.text.iter().map(Input::text);
        let named: Vec<Input> = texts.chain(self.files.iter().map(Input::argument)).collect();
        if !named.is_empty() {
            return Ok(named);
        }
        if let Some(start) = self.reading.start.and_then(Board::chess960) {
            return Ok(vec![Input::text(start.fen().to_string())]);
        }
        if io::stdin().is_terminal() {
            let message = "nothing to read: name files or folders, give a text with -e, or pipe something in";
            return Err(Usage(message.to_owned()).into());
        }
        Ok(vec![Input::stdin()])
    }
}

impl InputArgs {
    /// Refuses input of which nothing is there.
    pub(crate) fn some_exists(&self) -> Result<()> {
        let missing = |path: &PathBuf| match fs::metadata(path) {
            Err(cause) if cause.kind() == io::ErrorKind::NotFound && path.as_os_str() != "-" => Some(cause),
            _ => None,
        };
        let Some(first) = self.files.first().filter(|_| self.text.is_empty()) else { return Ok(()) };
        match missing(first) {
            Some(cause) if self.files.iter().all(|path| missing(path).is_some()) => {
                Err(Usage(format!("{}: {cause}", visible_line(&first.to_string_lossy()))).into())
            }
            _ => Ok(()),
        }
    }
}

impl ReadingArgs {
    /// The options of the reader of collections.
    pub(crate) fn reader_options(&self) -> ReaderOptions {
        ReaderOptions::default().format(self.from).max_record(self.max_record)
    }

    /// How records are read.
    pub(crate) fn read_options(&self) -> Result<ReadOptions> {
        Ok(self.options_with(&self.piece_table()?, |icn| icn))
    }

    /// How records are read, with these pieces and limits of ICN.
    pub(crate) fn options_with(
        &self,
        table: &PieceTable,
        limits: impl FnOnce(boardprint_icn::ReadOptions) -> boardprint_icn::ReadOptions,
    ) -> ReadOptions {
        ReadOptions::default()
            .icn(limits(self.icn_options(table)))
            .cpn(boardprint_cpn::Options::default().free_names(self.as_cpn_rb).lenient(self.lenient))
            .origin(self.origin.clone())
            .game(self.game.map(|game| game.kind))
            .chess960_start(self.start)
            .strict(self.strict)
            .lenient(self.lenient)
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

    /// Whether anything but the format and the game of a text was said.
    pub(crate) fn says_more(&self) -> bool {
        let switches = self.as_cpn_rb || self.lenient || self.strict;
        let values = self.start.is_some() || self.origin.is_some() || self.dialect.is_some();
        switches || values || self.pieces.pieces.is_some()
    }

    /// How pieces move: the built-in ones and those of the piece file.
    pub(crate) fn piece_table(&self) -> Result<PieceTable> {
        self.pieces.table()
    }
}

/// Pieces that a user defines.
#[derive(Args, Clone)]
pub(crate) struct PiecesArg {
    /// Read pieces of your own from a TOML file: code, name, movement, royal
    #[arg(help_heading = READING, long, value_name = "FILE")]
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

/// A game as it is named on the command line. Chess960 is Western chess where castling is written as the king
/// taking the rook.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameName {
    pub(crate) kind: FiniteKind,
    pub(crate) is_chess960: bool,
}

/// A square, as options have it.
pub(crate) fn parse_square(text: &str) -> Result<Square, String> {
    text.parse().map_err(|_| "write two whole numbers: 4,-7".to_owned())
}

fn game_parser() -> impl clap::builder::TypedValueParser<Value = GameName> {
    let names = FiniteKind::ALL.map(FiniteKind::name).into_iter().chain(["chess960"]);
    PossibleValuesParser::new(names).map(|name| {
        let known = FiniteKind::ALL.into_iter().find(|game| game.name() == name);
        GameName { kind: known.unwrap_or(FiniteKind::Western), is_chess960: known.is_none() }
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
    /// Keep special rights and an en passant square that nothing can use
    #[arg(long)]
    as_given: bool,

    /// Carry castling rights and en passant of finite games: `W:+R`, `W:+^K`, an `ep` actor
    #[arg(long)]
    rights: bool,

    /// Write the royal prefix of this year: `_` for 2014, `^` for 2015, `-` for 2019; this changes every hash
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
    /// The position after this many half-moves.
    At(usize),
    /// This many positions before the final one.
    BeforeLast(usize),
    /// Every position.
    All,
}

impl Ply {
    /// The final position.
    pub(crate) const LAST: Ply = Ply::BeforeLast(0);

    /// The half-moves before the position, if one is meant and the game is long enough.
    pub(crate) fn of(self, moves: usize) -> Option<usize> {
        match self {
            Ply::At(ply) => (ply <= moves).then_some(ply),
            Ply::BeforeLast(count) => moves.checked_sub(count),
            Ply::All => None,
        }
    }
}

impl std::str::FromStr for Ply {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let unknown =
            |_| "write a number, a negative number to count from the end, `last` or `all`".to_owned();
        match text {
            "last" | "Infinity" => Ok(Ply::LAST),
            "all" => Ok(Ply::All),
            // As in many programming languages, -1 is the last one.
            negative if negative.starts_with('-') => {
                let count = negative[1..].parse::<usize>().map_err(unknown)?;
                Ok(if count == 0 { Ply::At(0) } else { Ply::BeforeLast(count - 1) })
            }
            number => number.parse().map(Ply::At).map_err(unknown),
        }
    }
}

/// The heading of the shared options.
const READING: &str = "Reading options";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_count_from_both_ends() {
        let of = |text: &str, moves: usize| text.parse::<Ply>().ok().and_then(|ply| ply.of(moves));
        assert_eq!([of("0", 5), of("5", 5), of("6", 5)], [Some(0), Some(5), None]);
        assert_eq!([of("-1", 5), of("-6", 5), of("-7", 5)], [Some(5), Some(0), None]);
        assert_eq!([of("last", 5), of("Infinity", 5), of("-0", 5)], [Some(5), Some(5), Some(0)]);
        assert_eq!("all".parse(), Ok(Ply::All));
        assert!("".parse::<Ply>().is_err() && "-".parse::<Ply>().is_err() && "--1".parse::<Ply>().is_err());
    }

    #[test]
    fn the_command_line_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn every_help_has_examples_that_fit_a_terminal_and_ends_with_the_exit_statuses() {
        let mut commands = vec![(0, command())];
        while let Some((depth, command)) = commands.pop() {
            commands.extend(command.get_subcommands().map(|sub| (depth + 1, sub.clone())));
            let (name, help) = (command.get_name(), command.get_after_help().expect("every help has an end"));
            let help = help.to_string();
            assert!(help.ends_with(EXIT_STATUS), "{name}");
            assert!(depth != 1 || help.starts_with("Examples:\n  "), "{name}");
            // Wrapped lines could not be copied.
            let long = help.lines().find(|line| line.starts_with("  ") && line.len() > 80);
            assert_eq!(long, None, "{name}");
        }
    }
}
