//! `boardprint export`: games or positions out of the database.

use std::collections::BTreeSet;

use anyhow::{Result, anyhow};
use boardprint_store::db::{ExportedGame, Snapshot};
use boardprint_store::games::{Form, Rules};
use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use serde_json::json;

use crate::args::ReadingArgs;
use crate::database::{DbArg, failure, rules};
use crate::report::{Report, Status};

/// Games or positions out of the database
///
/// Games come in the order in which they came in: unbounded boards as compact ICN, Western games as PGN, positions as FEN or CPN. A game whose text was
/// kept (`import --keep-text`) comes as it was; else tags, start, moves and result are written, and comments are gone. Positions come by
/// hash, with how often they occurred; the first 20 digits are what the database keeps.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boardprint export > games.icn\n  \
    boardprint export --form pgn > games.pgn\n  \
    boardprint export --what positions | sort -k2,2nr | head")]
pub(crate) struct Args {
    #[command(flatten)]
    db: DbArg,

    #[command(flatten)]
    reading: ReadingArgs,

    /// What to write
    #[arg(long, value_enum, default_value_t = What::Games)]
    what: What,

    /// Only games of this form
    #[arg(long, value_name = "FORM", value_parser = form_parser())]
    form: Option<Form>,

    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Every game
    Games,
    /// Every position and how often it occurred
    Positions,
}

pub(crate) fn run(args: &Args) -> Result<Status> {
    let mut report = Report::new(args.json);
    let (db, profile) = args.db.open()?;
    let snapshot = db.snapshot();
    match args.what {
        What::Games => games(args, &snapshot, &rules(&args.reading, profile)?, &mut report)?,
        What::Positions => positions(&snapshot, &mut report)?,
    }
    report.finish()
}

fn games(args: &Args, snapshot: &Snapshot, rules: &Rules, report: &mut Report) -> Result<()> {
    let mut forms = BTreeSet::new();
    let log = snapshot.export().map_err(failure)?;
    for item in log.games() {
        let ExportedGame { id, game, .. } = item.map_err(failure)?;
        let form = rules.form(&game);
        if args.form.is_some_and(|wanted| wanted != form) {
            continue;
        }
        forms.insert(form);
        let text = rules.text(&game).map_err(|why| anyhow!("game {id}: {why}"))?;
        if report.is_json() {
            let path = snapshot.sources().get(game.source.file as usize).map(|source| &source.path);
            report.object(&json!({
                "game": id, "form": form.name(), "text": text, "source": path, "record": game.source.record,
            }))?;
        } else {
            report.line(&text)?;
            // Lists have a record a line; games of several lines stand apart.
            if matches!(form, Form::Icn | Form::Pgn) {
                report.line("")?;
            }
        }
    }
    if forms.len() > 1 && !report.is_json() {
        let names: Vec<&str> = forms.iter().map(|form| form.name()).collect();
        report.talk(&format!("note: {} stand in one output; --form picks one", names.join(" and ")));
    }
    Ok(())
}

fn positions(snapshot: &Snapshot, report: &mut Report) -> Result<()> {
    for item in snapshot.export_positions() {
        let (prefix, count) = item.map_err(failure)?;
        if report.is_json() {
            report.object(&json!({ "hash": prefix.to_string(), "count": count }))?;
        } else {
            report.line(format!("{prefix}  {count}"))?;
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
