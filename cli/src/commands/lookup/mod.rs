//! `boardprint lookup`: where a position occurred, and what came next.

mod text;

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use boardprint_base::{Digest, DigestPrefix};
use boardprint_games::{Format, Profile, ReadOptions};
use boardprint_rules::pieces::PieceTable;
use boardprint_store::db::{Answer, Cursor, Filter, Order, Question, Snapshot};
use boardprint_store::games::Rules;
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::answers::{Paths, Position, Shower, mover};
use crate::args::ReadingArgs;
use crate::asked::{Asked, Finder, Form, Meant, understand};
use crate::database::{DbArg, failure, rules};
use crate::filters::FilterArgs;
use crate::output::{Output, Records, check};
use crate::report::{Report, Status, Usage};
use crate::serve::client::{Lookup, Server};

/// Look up where a position occurred, how the games ended and what was played next
///
/// A question is taken as the first of these that it can be: a whole hash; moves from the usual start of
/// Western chess, such as `e4` or `1. e4 c5`; the first 6 or more digits of a hash; a position in any
/// notation. Of a game, the final position counts. --from names the notation instead. The exit status is 1 if
/// nothing is found.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint lookup 5693c349961f8bc345c6c11418aa00be3a038d8f\n  \
    boardprint lookup 5693c3 --moves --limit 3\n  \
    boardprint lookup 1. e4 c5 --player fischer --side white --order rating\n  \
    boardprint lookup 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'\n  \
    boardprint lookup 'K5,1|k5,8 5,1>5,2' --json\n  \
    boardprint lookup e4 c5 --export sicilian.pgn.zst\n  \
    boardprint lookup --batch questions.txt > answers.jsonl")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    /// Look up this position: a hash, digits of one, moves, or any notation
    #[arg(value_name = "QUESTION", required_unless_present = "batch", conflicts_with = "batch")]
    question: Vec<String>,

    #[command(flatten)]
    db: DbArg,

    /// Answer each line of a file, or of standard input, with a line of JSON
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    batch: Option<PathBuf>,

    /// Show only the next moves
    #[arg(long)]
    moves: bool,

    /// Show only the games
    #[arg(long, conflicts_with = "moves")]
    games: bool,

    /// Show at most this many lines of moves, games or positions; 0 for all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Sort the games by this
    #[arg(long, value_enum, default_value_t = OrderArg::Number)]
    order: OrderArg,

    /// Continue after an earlier page, which printed this cursor
    #[arg(long, value_name = "CURSOR", value_parser = parse_cursor)]
    cursor: Option<Cursor>,

    /// Count games under different laws separately
    #[arg(long)]
    by_laws: bool,

    /// Leave out the picture of the board
    #[arg(long)]
    no_board: bool,

    /// Write every game with the position to this file; compressed if its name ends in .gz or .zst
    #[arg(long, value_name = "FILE", conflicts_with = "batch")]
    export: Option<PathBuf>,

    /// Print the answer as one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    filters: FilterArgs,

    #[command(flatten)]
    reading: ReadingArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum OrderArg {
    /// As they came in
    Number,
    /// The highest mean rating first
    Rating,
    /// The newest first
    Date,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let json = args.json || args.batch.is_some();
    let mut report = Report::new(json);
    if let Some(path) = &args.export {
        check(&[path], &[&args.db.db])?;
    }
    if let Some(server) = Server::holding(&args.db.db) {
        if !args.is_plain()? {
            let message = "the server that holds the database answers `lookup` without filters, --order, --cursor, --by-laws, --batch and --export";
            return Err(Usage(format!("{message}; ask it at {}", server.url())).into());
        }
        let question = args.question.join(" ");
        let hash = args.hash_for(&server, &question)?.map(|hash| hash.to_string());
        let lookup = Lookup {
            position: hash.as_deref().unwrap_or(&question),
            from: if hash.is_some() { Some("hash") } else { args.reading.from.map(Format::name) },
            game: args.reading.game.map(|game| game.kind.name()),
            limit: args.limit,
            shows_moves: !args.games,
            shows_games: !args.moves,
        };
        lookup.ask(&server, &mut report)?;
        return report.finish();
    }
    let (db, profile) = args.db.read("lookup")?;
    let asker = Asker {
        args,
        snapshot: db.snapshot(),
        rules: rules(&args.reading, profile)?,
        reading: args.reading.read_options()?,
        pieces: args.reading.piece_table()?,
        profile,
    };
    match &args.batch {
        Some(path) => asker.batch(path, &mut report)?,
        None => asker.one(&args.question.join(" "), &mut report)?,
    }
    drop(asker);
    db.close().map_err(failure)?;
    report.finish()
}

impl Args {
    /// Whether nothing is asked but what a position is, its moves and its games.
    fn is_plain(&self) -> Result<bool> {
        let is_short = self.batch.is_none() && self.export.is_none() && self.cursor.is_none();
        let is_usual = matches!(self.order, OrderArg::Number) && !self.by_laws;
        Ok(is_short && is_usual && self.filters.filter(None)?.is_empty())
    }

    /// The hash of a position that a server cannot read as this command line says: with pieces of one's own,
    /// for example. `None` if the server may read the question itself.
    fn hash_for(&self, server: &Server, question: &str) -> Result<Option<Digest>> {
        if !self.reading.says_more() {
            return Ok(None);
        }
        let form = self.reading.from.map(Form::Record);
        let meant = understand(question, form, &self.reading.read_options()?);
        let Meant::Position(asked) = meant.map_err(|unclear| unclear.usage(question))? else {
            return Ok(None);
        };
        let profile = server.profile()?;
        let position = Position::of(&asked.now, profile, &self.reading.piece_table()?);
        Ok(Some(position.map_err(|error| Usage(error.to_string()))?.hash))
    }
}

/// Someone who asks a database.
struct Asker<'a> {
    args: &'a Args,
    snapshot: Snapshot,
    rules: Rules,
    reading: ReadOptions,
    pieces: PieceTable,
    profile: Profile,
}

/// A position that is asked about.
struct Place {
    hash: Digest,
    /// The position, if it was given or occurred.
    known: Option<(Asked, Position)>,
}

/// What a question leads to.
enum Found {
    One(Box<Place>),
    /// Several positions whose hashes begin so, and whether there are more.
    Several(DigestPrefix, Vec<(Digest, u64)>, bool),
    Nothing(DigestPrefix),
}

impl Asker<'_> {
    fn one(&self, question: &str, report: &mut Report) -> Result<()> {
        match self.find(question)? {
            Found::Nothing(digits) => {
                report.raise(Status::BadRecords);
                if report.is_json() {
                    return report.object(&self.candidates(&digits, &[]));
                }
                report.line(format!("no position has a hash that begins with {digits}"))
            }
            Found::Several(digits, found, more) => {
                if report.is_json() {
                    return report.object(&self.candidates(&digits, &found));
                }
                text::candidates(&digits, &found, more, report)
            }
            Found::One(place) => {
                let answer = self.ask(&place)?;
                if answer.occurrences == 0 {
                    report.raise(Status::BadRecords);
                }
                if report.is_json() {
                    report.object(&self.object(&place, &answer)?)?;
                } else {
                    let asked = place.known.as_ref().map(|(asked, _)| asked);
                    for warning in asked.into_iter().flat_map(|asked| &asked.warnings) {
                        report.talk(&format!("warning: {}", warning.message()));
                    }
                    text::answer(self, &place, &answer, report)?;
                }
                match &self.args.export {
                    Some(path) => self.export(path, &place, report),
                    None => Ok(()),
                }
            }
        }
    }

    /// One answer per line, whatever the questions.
    fn batch(&self, path: &Path, report: &mut Report) -> Result<()> {
        let name = path.display().to_string();
        let input: Box<dyn BufRead> = if path.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            let file = std::fs::File::open(path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => anyhow::Error::new(Usage(format!("{name}: {error}"))),
                _ => anyhow::Error::new(error).context(name.clone()),
            })?;
            Box::new(BufReader::new(file))
        };
        for (number, line) in (1_u64..).zip(input.split(b'\n')) {
            let line = line.with_context(|| name.clone())?;
            let question = String::from_utf8_lossy(&line);
            if question.trim().is_empty() {
                continue;
            }
            let mut object = match self.answer_object(&question) {
                Ok(object) => object,
                Err(error) if error.is::<Usage>() => {
                    json!({ "error": { "kind": "unreadable", "message": error.to_string() } })
                }
                Err(error) => return Err(error),
            };
            let several = object["positions"].as_array().is_some_and(|found| !found.is_empty());
            if object["occurrences"].as_u64().unwrap_or(0) == 0 && !several {
                report.raise(Status::BadRecords);
            }
            object["question"] = question.trim().into();
            object["line_number"] = number.into();
            report.object(&object)?;
        }
        Ok(())
    }

    fn answer_object(&self, question: &str) -> Result<Value> {
        Ok(match self.find(question)? {
            Found::One(place) => self.object(&place, &self.ask(&place)?)?,
            Found::Several(digits, found, _) => self.candidates(&digits, &found),
            Found::Nothing(digits) => self.candidates(&digits, &[]),
        })
    }

    fn find(&self, question: &str) -> Result<Found> {
        let form = self.args.reading.from.map(Form::Record);
        let meant = understand(question, form, &self.reading).map_err(|unclear| unclear.usage(question))?;
        Ok(match meant {
            Meant::Hash(hash) => self.witnessed("hash", hash)?,
            Meant::Position(asked) => {
                let position = self.named(&asked)?;
                Found::One(Box::new(Place { hash: position.hash, known: Some((*asked, position)) }))
            }
            Meant::Prefix(digits) => {
                let (hashes, next) = self.finder().beginning_with(&digits, None, self.shown())?;
                match &hashes[..] {
                    [] => Found::Nothing(digits),
                    [hash] if next.is_none() => self.witnessed("prefix", *hash)?,
                    _ => Found::Several(digits, self.counted(hashes)?, next.is_some()),
                }
            }
        })
    }

    /// The position of a hash, from a game that has it.
    fn witnessed(&self, taken_as: &'static str, hash: Digest) -> Result<Found> {
        let now = self.finder().position(&hash)?;
        let asked = now.map(|now| Asked::given(taken_as, now, false));
        let known = asked.map(|asked| self.named(&asked).map(|position| (asked, position))).transpose()?;
        Ok(Found::One(Box::new(Place { hash, known })))
    }

    fn named(&self, asked: &Asked) -> Result<Position> {
        Position::of(&asked.now, self.profile, &self.pieces).map_err(|error| anyhow!("{error}"))
    }

    /// How often each of these occurred.
    fn counted(&self, hashes: Vec<Digest>) -> Result<Vec<(Digest, u64)>> {
        let count = |hash: Digest| Ok((hash, self.snapshot.tally(&hash).map_err(failure)?.occurrences()));
        hashes.into_iter().map(count).collect()
    }

    fn finder(&self) -> Finder<'_> {
        Finder { snapshot: &self.snapshot, rules: &self.rules }
    }

    /// The answer of the database.
    fn ask(&self, place: &Place) -> Result<Answer> {
        let question = self.question(place)?;
        let games = if self.args.moves { 0 } else { self.shown() };
        let order = match self.args.order {
            OrderArg::Number => Order::Number,
            OrderArg::Rating => Order::Rating,
            OrderArg::Date => Order::Date,
        };
        let mover = place.known.as_ref().and_then(|(asked, _)| mover(&asked.now));
        let question = question.order(order).games(games).after(self.args.cursor).ratings(true).mover(mover);
        self.snapshot.answer(&question, &self.rules).map_err(failure)
    }

    fn question(&self, place: &Place) -> Result<Question> {
        Ok(Question::new(place.hash).filter(self.filter(place)?))
    }

    /// The filter of the command line, with the laws of the position.
    fn filter(&self, place: &Place) -> Result<Filter> {
        let laws = place.known.as_ref().and_then(|(asked, _)| asked.now.laws());
        self.args.filters.filter(laws.as_deref())
    }

    /// Games that are not listed are counted all the same, so that this many is enough for all.
    fn shown(&self) -> usize {
        if self.args.limit == 0 { usize::MAX - 1 } else { self.args.limit }
    }

    fn object(&self, place: &Place, answer: &Answer) -> Result<Value> {
        let moves = if self.args.games { 0 } else { self.shown() };
        let (snapshot, rules, profile) = (&self.snapshot, &self.rules, self.profile);
        let shower = Shower { snapshot, rules, profile, pieces: &self.pieces, paths: Paths::Whole };
        let explored = match &place.known {
            Some((asked, position)) => {
                shower.explored(asked, position.clone(), &self.filter(place)?, answer, moves)?
            }
            None => shower.unknown(place.hash, answer)?,
        };
        Ok(serde_json::to_value(explored)?)
    }

    fn candidates(&self, digits: &DigestPrefix, found: &[(Digest, u64)]) -> Value {
        let positions = found.iter().map(|(hash, count)| json!({ "hash": hash, "occurrences": count }));
        json!({
            "generation": self.snapshot.generation(), "prefix": digits.to_string(),
            "positions": positions.collect::<Vec<_>>(), "nextCursor": null,
        })
    }

    /// Writes every game that has the position and passes.
    fn export(&self, path: &Path, place: &Place, report: &mut Report) -> Result<()> {
        const PAGE: usize = 1000;
        let mut records = Records::new(Output::create(path)?);
        let (mut after, mut written) = (None, 0_u64);
        loop {
            let question = self.question(place)?.games(PAGE).after(after);
            let answer = self.snapshot.answer(&question, &self.rules).map_err(failure)?;
            for line in &answer.list {
                let game = self.snapshot.game(line.game).map_err(failure)?;
                let text = self.rules.text(&game).map_err(|why| anyhow!("game {}: {why}", line.game))?;
                records.write(self.rules.form(&game).format(), &text)?;
                written += 1;
            }
            after = answer.next;
            if after.is_none() {
                break;
            }
        }
        records.finish()?;
        let games = crate::database::count(written, "game", "games");
        report.talk(&format!("wrote {games} to {}", path.display()));
        Ok(())
    }
}

fn parse_cursor(text: &str) -> Result<Cursor, String> {
    text.parse().map_err(str::to_owned)
}
