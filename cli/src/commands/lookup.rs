//! `boardprint lookup`: where a position occurred, and what came next.

use anyhow::{Result, anyhow};
use boardprint_base::{Digest, DigestPrefix, GameResult, LineColumn};
use boardprint_games::Format;
use boardprint_store::db::{Counts, Posting, Replay as _, Snapshot, StoredGame, Tally};
use boardprint_store::games::Rules;
use serde_json::{Map, Value, json};

use crate::args::ReadingArgs;
use crate::database::{DbArg, failure, number, results_object, rules, table};
use crate::report::{Report, Status, Usage};
use crate::serve::client::{Lookup, Server};
use crate::visible::visible_line;

/// Where a position occurred, how the games ended and what was played next
///
/// A position is a hash, the first 6 or more digits of one, or a position in any notation; of a game, the final position counts.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint lookup 5693c349961f8bc345c6c11418aa00be3a038d8f\n  \
    boardprint lookup 5693c3 --moves --limit 3\n  \
    boardprint lookup 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'\n  \
    boardprint lookup 'K5,1|k5,8 5,1>5,2' --json")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    /// The position
    #[arg(value_name = "HASH|PREFIX|POSITION", allow_hyphen_values = true)]
    position: String,

    #[command(flatten)]
    db: DbArg,

    #[command(flatten)]
    reading: ReadingArgs,

    /// Shows the next moves only
    #[arg(long)]
    moves: bool,

    /// Shows the games only
    #[arg(long, conflicts_with = "moves")]
    games: bool,

    /// How many lines of moves, games or positions to show; 0 for all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,

    /// Keeps games under different laws apart
    #[arg(long)]
    laws: bool,

    /// Trusts the first 20 digits of the hash instead of replaying a game
    #[arg(long)]
    fast: bool,

    /// One JSON object a line: the position, its moves, its games
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    if let Some(server) = Server::holding(&args.db.db) {
        let lookup = Lookup {
            position: &args.position,
            from: args.reading.from.map(Format::name),
            game: args.reading.game.map(|game| game.kind.name()),
            limit: args.limit,
            shows_moves: !args.games,
            shows_games: !args.moves,
        };
        lookup.ask(&server, &mut report)?;
        return report.finish();
    }
    let (db, profile) = args.db.open()?;
    let rules = rules(&args.reading, profile)?;
    let asker = Asker { args, snapshot: db.snapshot(), rules };
    match asker.asked()? {
        Asked::Whole(hash) => asker.answer(&hash, &mut report)?,
        Asked::Beginning(digits) => {
            let (found, more) = asker.beginning_with(&digits)?;
            match &found[..] {
                [] => nothing(&digits.to_string(), &mut report)?,
                [(hash, _)] if !more => asker.answer(hash, &mut report)?,
                _ => list(&digits, &found, more, &mut report)?,
            }
        }
    }
    report.finish()
}

/// What was asked for.
enum Asked {
    Whole(Digest),
    Beginning(DigestPrefix),
}

/// Someone who asks a database.
struct Asker<'a> {
    args: &'a Args,
    snapshot: Snapshot,
    rules: Rules,
}

impl Asker<'_> {
    fn asked(&self) -> Result<Asked> {
        let text = self.args.position.trim();
        if self.args.reading.from.is_none()
            && let Ok(digits) = text.parse::<DigestPrefix>()
        {
            if digits.digits() < 6 {
                return Err(Usage("a hash needs at least 6 digits to be looked up".to_owned()).into());
            }
            return Ok(digits.whole().map_or(Asked::Beginning(digits), Asked::Whole));
        }
        let format = self.args.reading.from.or_else(|| Format::detect(text.as_bytes()));
        let Some(format) = format else {
            let message = "this is neither a hash nor a position; name its format with --from";
            return Err(Usage(message.to_owned()).into());
        };
        let game = self.rules.game(format, text).map_err(|error| {
            let LineColumn { line, column } = error.line_column(text);
            let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
            Usage(format!("{line}:{column}: this is not good {}: {error}{hint}", format.title()))
        })?;
        let last = game.positions.last().ok_or_else(|| anyhow!("a game has a position"))?;
        Ok(Asked::Whole(last.0))
    }

    /// The positions whose hashes begin so, with their occurrences, as many as are shown, and whether there are more.
    fn beginning_with(&self, digits: &DigestPrefix) -> Result<(Vec<(Digest, u64)>, bool)> {
        let mut found: Vec<(Posting, u64)> = Vec::new();
        for posting in self.snapshot.lookup_prefix(digits).map_err(failure)? {
            let posting = posting.map_err(failure)?;
            if let Some((last, count)) = found.last_mut()
                && last.prefix() == posting.prefix()
            {
                *count += 1;
                continue;
            }
            // One more than is shown, to know that there are more.
            if self.args.limit > 0 && found.len() > self.args.limit {
                break;
            }
            found.push((posting, 1));
        }
        let more = self.args.limit > 0 && found.len() > self.args.limit;
        found.truncate(if more { self.args.limit } else { found.len() });
        let mut whole = Vec::new();
        for (posting, count) in found {
            let hash = self.hash_at(&posting)?;
            if hash.starts_with(digits) {
                whole.push((hash, count));
            }
        }
        Ok((whole, more))
    }

    /// The whole hash of a position, by playing to it.
    fn hash_at(&self, posting: &Posting) -> Result<Digest> {
        let game = self.snapshot.game(posting.game()).map_err(failure)?;
        let replayed = self.rules.replay(&game).map_err(|why| anyhow!("game {}: {why}", posting.game()))?;
        let at = replayed.positions.iter().find(|(_, ply)| *ply == posting.ply());
        Ok(at.ok_or_else(|| anyhow!("game {} is shorter than its positions say", posting.game()))?.0)
    }

    fn answer(&self, hash: &Digest, report: &mut Report) -> Result<()> {
        let first = self.snapshot.lookup(hash).map_err(failure)?.next().transpose().map_err(failure)?;
        let confirmed = match &first {
            Some(posting) if !self.args.fast => self.hash_at(posting)? == *hash,
            _ => true,
        };
        if first.is_none() || !confirmed {
            return nothing(&hash.to_string(), report);
        }
        if self.args.laws {
            for (laws, tally) in self.snapshot.tally_by_laws(hash).map_err(failure)? {
                let laws = if laws.is_empty() { "the usual laws" } else { &*laws };
                self.tally(hash, Some(laws), &tally, report)?;
            }
        } else {
            let tally = self.snapshot.tally(hash).map_err(failure)?;
            self.tally(hash, None, &tally, report)?;
        }
        if self.args.moves { Ok(()) } else { self.games(hash, report) }
    }

    /// Counts by result, and the moves that followed.
    fn tally(&self, hash: &Digest, laws: Option<&str>, tally: &Tally, report: &mut Report) -> Result<()> {
        let shown = self.shown(tally.moves.len());
        if report.is_json() {
            let mut object = json!({
                "kind": "position", "hash": hash, "occurrences": tally.occurrences(),
                "results": results_object(&tally.results), "confirmed": !self.args.fast,
            });
            if let Some(laws) = laws {
                object["laws"] = laws.into();
            }
            report.object(&object)?;
            if !self.args.games {
                for next in &tally.moves[..shown] {
                    let mut object = json!({
                        "kind": "move", "move": next.next.as_ref().map(ToString::to_string),
                        "count": next.results.total(), "results": results_object(&next.results),
                    });
                    if let Some(laws) = laws {
                        object["laws"] = laws.into();
                    }
                    report.object(&object)?;
                }
            }
            return Ok(());
        }
        report.line(hash.to_string())?;
        if let Some(laws) = laws {
            report.line(format!("under {}", visible_line(laws)))?;
        }
        let mut rows = vec![heading("")];
        rows.push(row("all", &tally.results));
        if !self.args.games {
            for next in &tally.moves[..shown] {
                let name =
                    next.next.as_ref().map_or_else(|| "(the game ends)".to_owned(), ToString::to_string);
                rows.push(row(&name, &next.results));
            }
        }
        report.line(table(&rows, 5))?;
        if !self.args.games && shown < tally.moves.len() {
            report.line(format!("  and {} more moves", number((tally.moves.len() - shown) as u64)))?;
        }
        report.line("")
    }

    /// Some games with the position.
    fn games(&self, hash: &Digest, report: &mut Report) -> Result<()> {
        let mut rows =
            vec![["game", "ply", "result", "players", "date", "source"].map(str::to_owned).to_vec()];
        let mut postings = self.snapshot.lookup(hash).map_err(failure)?;
        let limit = if self.args.limit == 0 { usize::MAX } else { self.args.limit };
        for posting in postings.by_ref().take(limit) {
            let posting = posting.map_err(failure)?;
            let game = self.snapshot.game(posting.game()).map_err(failure)?;
            let source = self.snapshot.sources().get(game.source.file as usize);
            let source = source.map_or("?", |source| &source.path);
            if report.is_json() {
                report.object(&game_object(&posting, &game, source))?;
                continue;
            }
            let tag = |name: &str| game.tag(name).unwrap_or("?");
            rows.push(vec![
                posting.game().to_string(),
                posting.ply().to_string(),
                game.result.to_string(),
                format!("{} - {}", tag("White"), tag("Black")),
                game.tag("Date").or_else(|| game.tag("UTCDate")).unwrap_or("?").to_owned(),
                format!("{source}:{}", game.source.record),
            ]);
        }
        if report.is_json() {
            return Ok(());
        }
        report.line(table(&rows, 2))?;
        if postings.next().is_some() {
            report.line("  and more: --limit 0 shows all")?;
        }
        Ok(())
    }

    fn shown(&self, of: usize) -> usize {
        if self.args.limit == 0 { of } else { of.min(self.args.limit) }
    }
}

fn nothing(name: &str, report: &mut Report) -> Result<()> {
    if report.is_json() {
        return report.object(&json!({ "kind": "position", "hash": name, "occurrences": 0 }));
    }
    report.line(format!("{name} does not occur"))
}

/// The positions that fit.
fn list(digits: &DigestPrefix, found: &[(Digest, u64)], more: bool, report: &mut Report) -> Result<()> {
    for (hash, count) in found {
        if report.is_json() {
            report.object(&json!({ "kind": "candidate", "hash": hash, "occurrences": count }))?;
        } else {
            report.line(format!("{hash}  {}", number(*count)))?;
        }
    }
    let more = if more { " (and more: --limit 0 shows all)" } else { "" };
    report.talk(&format!("{} positions begin with {digits}{more}", found.len()));
    Ok(())
}

fn game_object(posting: &Posting, game: &StoredGame, source: &str) -> Value {
    let tags = game.tags.iter().map(|tag| (tag.name.to_string(), Value::from(&*tag.value)));
    json!({
        "kind": "game", "game": posting.game(), "ply": posting.ply(), "result": game.result.as_str(),
        "plies": game.moves.len(), "tags": tags.collect::<Map<_, _>>(), "source": source,
        "record": game.source.record, "offset": game.source.offset,
    })
}

fn heading(name: &str) -> Vec<String> {
    let results = GameResult::ALL.map(|result| result.to_string());
    ["count".to_owned()].into_iter().chain(results).chain([name.to_owned()]).collect()
}

fn row(name: &str, counts: &Counts) -> Vec<String> {
    let results = GameResult::ALL.map(|result| number(counts.of(result)));
    [number(counts.total())].into_iter().chain(results).chain([name.to_owned()]).collect()
}
