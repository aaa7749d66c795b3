//! `boardprint export`: games or positions out of the database.

#[cfg(feature = "parquet")]
mod parquet;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, anyhow};
use boardprint_games::{Format, WriteOptions};
use boardprint_icn::Style;
use boardprint_store::db::{ExportedGame, Filter, LogReader, PositionOptions};
use boardprint_store::games::{Form, Rules};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde_json::json;

use crate::answers::kind_name;
use crate::args::PiecesArg;
#[cfg(not(feature = "parquet"))]
use crate::args::format_parser;
use crate::database::{DbArg, failure, stored_rules};
use crate::filters::FilterArgs;
use crate::meter::Meter;
use crate::output::{Output, Separator, check};
use crate::report::{Report, Status, Usage, write_object};

/// Write games or positions of the database
///
/// Games are written in the order in which they came in: games of the open board as compact ICN, games of
/// finite boards as PGN, positions as FEN or CPN. A game whose text was kept (`import --keep-text`) is
/// written as it was; of any other, tags, start, moves and result are written, and comments are lost.
/// Positions are sorted by hash, one per line: the hash, how often it occurred, and the CPN. Only the games
/// themselves are read: the database may be in use, its index may be damaged, and the folder need not be
/// writable.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint export -o games.icn.zst\n  \
    boardprint export --id 17\n  \
    boardprint export --player kasparov --since 1985 --to pgn -o kasparov.pgn\n  \
    boardprint export --what positions | sort -k2,2nr | head")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    /// Choose what to write
    #[arg(long, value_enum, default_value_t = What::Games)]
    what: What,

    /// Write games in this format; what has no such form is counted and left out
    #[cfg_attr(not(feature = "parquet"), arg(long, value_name = "FORMAT", value_parser = format_parser()))]
    #[cfg_attr(feature = "parquet", arg(long, value_name = "FORMAT", value_parser = parquet::to_parser()))]
    to: Option<To>,

    /// Write only games whose own form is this
    #[arg(long, value_name = "FORM", value_parser = form_parser())]
    form: Option<Form>,

    /// Write only the game with this number; may be given several times
    #[arg(long, value_name = "N")]
    id: Vec<u64>,

    /// Write to this file instead of standard output; compressed if its name ends in .gz or .zst
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Hold about this many megabytes of positions in memory; the rest is sorted in temporary files
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,

    #[command(flatten)]
    pieces: PiecesArg,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    filters: FilterArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Every game
    Games,
    /// Every distinct position: hash, number of occurrences, CPN
    Positions,
}

/// What `--to` names.
#[cfg(not(feature = "parquet"))]
type To = Format;
#[cfg(feature = "parquet")]
use parquet::To;

impl Args {
    /// A meter, unless the output goes by on the terminal.
    fn meter(&self) -> Meter {
        let to_file = self.output.as_ref().is_some_and(|path| path.as_os_str() != Output::STDOUT);
        Meter::visible_if(to_file || !io::stdout().is_terminal())
    }

    /// The text format that is asked for.
    const fn text_format(&self) -> Option<Format> {
        #[cfg(feature = "parquet")]
        return match self.to {
            Some(To::Text(format)) => Some(format),
            Some(To::Parquet) | None => None,
        };
        #[cfg(not(feature = "parquet"))]
        self.to
    }
}

/// Games that are asked for.
struct Wanted<'a> {
    filter: Filter,
    ids: BTreeSet<u64>,
    form: Option<Form>,
    log: &'a LogReader,
    rules: &'a Rules,
    /// How many games were looked at.
    counted: Arc<AtomicU64>,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    if args.what == What::Positions && args.text_format().is_some_and(|to| to != Format::Cpn) {
        return Err(Usage("positions are written as CPN".to_owned()).into());
    }
    if let Some(path) = &args.output {
        check(&[path], &[&args.db.db])?;
    }
    let (log, profile) = args.db.games()?;
    let rules = stored_rules(&args.pieces, profile)?;
    let ids: BTreeSet<u64> = args.id.iter().copied().collect();
    if let Some(id) = ids.iter().find(|id| **id >= log.next_game()) {
        return Err(Usage(format!("there is no game {id}")).into());
    }
    #[cfg(feature = "parquet")]
    if args.to == Some(To::Parquet) {
        let filter = args.filters.filter(None)?;
        let picked = parquet::Picked { filter, ids, form: args.form, rules };
        parquet::write(args, picked, log.next_game(), profile, &mut report)?;
        return report.finish();
    }
    let mut meter = args.meter();
    let counted = meter.count("exporting games", Some(log.next_game()));
    let filter = args.filters.filter(None)?;
    let wanted = Wanted { filter, ids, form: args.form, log: &log, rules: &rules, counted };
    let mut output = match &args.output {
        Some(path) => Output::create(path)?,
        None => Output::stdout(),
    };
    match args.what {
        What::Games => games(args, &wanted, &mut output, &mut meter, &mut report)?,
        What::Positions => positions(args, &wanted, &mut output)?,
    }
    output.finish()?;
    meter.end();
    report.finish()
}

impl Wanted<'_> {
    fn source(&self, file: u32) -> &str {
        self.log.sources().get(file as usize).map_or("?", |source| &source.path)
    }

    fn admits(&self, exported: &ExportedGame) -> bool {
        self.counted.fetch_add(1, Ordering::Relaxed);
        let game = &exported.game;
        if !self.ids.is_empty() && !self.ids.contains(&exported.id) {
            return false;
        }
        if self.form.is_some_and(|form| form != self.rules.form(game)) {
            return false;
        }
        if self.filter.is_empty() {
            return true;
        }
        // Only this filter needs the game to be understood.
        let laws = if self.filter.laws.is_some() { self.rules.laws(game) } else { None };
        self.filter.admits(game, self.source(game.source.file), laws.as_deref())
    }
}

fn games(
    args: &Args,
    wanted: &Wanted<'_>,
    output: &mut Output,
    meter: &mut Meter,
    report: &mut Report,
) -> Result<()> {
    let (mut formats, mut separator) = (BTreeSet::new(), Separator::default());
    let (mut written, mut without) = (0_u64, 0_u64);
    for item in wanted.log.games() {
        let exported = item.map_err(failure)?;
        if wanted.ids.last().is_some_and(|last| exported.id > *last) {
            break;
        }
        if !wanted.admits(&exported) {
            continue;
        }
        let ExportedGame { id, game, .. } = &exported;
        let bad = |why: String| anyhow!("game {id}: {why}; `boardprint salvage` saves the others");
        let form = wanted.rules.form(game).format();
        let (format, text) = match args.text_format() {
            Some(to) if to != form => {
                let options = WriteOptions::default().style(Style::Compact);
                let Ok(written) = wanted.rules.content(game).map_err(bad)?.write(to, &options) else {
                    without += 1;
                    continue;
                };
                (to, written.text)
            }
            _ => (form, wanted.rules.text(game).map_err(bad)?),
        };
        written += 1;
        formats.insert(format);
        if args.json {
            let record = json!({ "path": wanted.source(game.source.file), "record": game.source.record, "line": null });
            let object = json!({
                "id": id, "game": kind_name(game.kind), "form": format.name(), "text": text, "record": record,
            });
            write_object(output, &object)?;
        } else {
            separator.write(output, format, &text)?;
        }
    }
    meter.end();
    if without > 0 {
        let to = args.text_format().map_or("text", Format::title);
        report.raise(Status::BadRecords);
        report.say(&format!(
            "error: left out {}",
            crate::database::count(without, "game that has no ", "games that have no ") + to
        ));
    }
    if formats.len() > 1 && !args.json {
        let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
        report.talk(&format!("note: the output holds {}; --to or --form picks one", names.join(" and ")));
    }
    if written == 0 && without == 0 {
        report.raise(Status::BadRecords);
        report.talk("no games found");
    }
    Ok(())
}

fn positions(args: &Args, wanted: &Wanted<'_>, output: &mut Output) -> Result<()> {
    let options = PositionOptions { memory: args.memory << 20, ..PositionOptions::default() };
    let found = wanted.log.positions(wanted.rules, &|game| wanted.admits(game), &options).map_err(failure)?;
    for position in found {
        let position = position.map_err(failure)?;
        let cpn = String::from_utf8_lossy(&position.text);
        if args.json {
            write_object(
                output,
                &json!({ "hash": position.hash, "occurrences": position.count, "cpn": cpn }),
            )?;
        } else {
            writeln!(output, "{} {} {cpn}", position.hash, position.count)?;
        }
    }
    Ok(())
}

fn form_parser() -> impl clap::builder::TypedValueParser<Value = Form> {
    PossibleValuesParser::new(Form::ALL.map(Form::name)).map(|name| {
        let known = Form::ALL.into_iter().find(|form| form.name() == name);
        known.expect("only names of forms are possible")
    })
}
