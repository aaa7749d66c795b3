//! Which games of the database are meant.

use anyhow::Result;
use boardprint_base::GameResult;
use boardprint_games::{Content, Format, ReadOptions, Warning, WarningKind};
use boardprint_icn::variants;
use boardprint_store::db::{Filter, Side, date};
use clap::{Args, ValueEnum};

use crate::report::Usage;

/// Which games count.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Filters")]
pub(crate) struct FilterArgs {
    /// Take only games of this player: a part of the name, in any case
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Take only games in which the player had this side
    #[arg(long, value_name = "SIDE", value_enum, requires = "player")]
    side: Option<SideArg>,

    /// Take only games of this day, month or year, or later: `2024-03-17`, `2024-03`, `2024`
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    since: Option<u32>,

    /// Take only games of this day, month or year, or earlier
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    until: Option<u32>,

    /// Take only games that ended this way: `white`, `black`, `draw`, `unknown`, or as PGN writes it
    #[arg(long, value_name = "RESULT", value_parser = parse_result)]
    result: Option<GameResult>,

    /// Take only games whose players have at least this mean rating
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u16>,

    /// Take only games from files whose path contains this
    #[arg(long, value_name = "PART")]
    source: Option<String>,

    /// Take only games under these laws: a variant's code, laws in ICN, `usual`, or `same` for those of the
    /// position
    #[arg(long, value_name = "LAWS")]
    laws: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum SideArg {
    White,
    Black,
}

impl FilterArgs {
    /// The filter, with the laws of the position that is asked for.
    pub(crate) fn filter(&self, same: Option<&str>) -> Result<Filter> {
        let laws = match self.laws.as_deref() {
            None => None,
            Some("same") => match same {
                Some(laws) => Some(laws.to_owned()),
                None => return Err(Usage("--laws same needs a position of the open board".to_owned()).into()),
            },
            Some(laws) => {
                Some(laws_of(laws).map_err(|why| {
                    Usage(format!("--laws: {why}; `boardprint variants` lists the variants"))
                })?)
            }
        };
        let side = self.side.map(|side| match side {
            SideArg::White => Side::White,
            SideArg::Black => Side::Black,
        });
        #[allow(clippy::needless_update, reason = "filters that the command line does not have")]
        let filter = Filter {
            player: self.player.clone(),
            side,
            since: self.since,
            until: self.until,
            result: self.result,
            min_rating: self.min_rating,
            source: self.source.clone(),
            laws,
            ..Filter::default()
        };
        Ok(filter)
    }
}

/// Laws as the database keeps them: those of a variant by its code or name in any case, `usual`, or laws in
/// the spelling of ICN.
pub(crate) fn laws_of(text: &str) -> Result<String, String> {
    if text.eq_ignore_ascii_case("usual") {
        return Ok(String::new());
    }
    let is_named = |name: &str| name.eq_ignore_ascii_case(text);
    let variant = variants::all().iter().find(|variant| is_named(variant.code()) || is_named(variant.name()));
    let record = match variant.map(|variant| variant.at(None)) {
        Some(Some(revision)) => revision.icn().to_owned(),
        Some(None) => {
            return Err("the start of this variant is not known here, and so its laws are not".to_owned());
        }
        None => format!("{text} K0,0|k0,2"),
    };
    let not_laws = |why: &str| format!("`{text}` is neither a variant nor laws{why}");
    let read = ReadOptions::default().read_text(Format::Icn, &record);
    let reading = read.map_err(|error| not_laws(&format!(": {error}")))?;
    // ICN keeps a win condition that nobody knows; here a single such word is a slip.
    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_unknown = |warning: &Warning| matches!(warning.kind(), WarningKind::Icn(warning) if warning.kind() == boardprint_icn::WarningKind::WinCondition);
    if is_word && reading.warnings.iter().any(is_unknown) {
        return Err(not_laws(""));
    }
    let content = reading.content;
    match content {
        Content::Infinite(_) => Ok(content.laws().unwrap_or_default()),
        _ => Err(not_laws("")),
    }
}

fn parse_date(text: &str) -> Result<u32, String> {
    let digits =
        text.split(['-', '.', '/']).all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    // `24` would be a year long before all games.
    let has_year = text.bytes().take_while(u8::is_ascii_digit).count() == 4;
    match date(text) {
        date if digits && has_year && date > 0 => Ok(date),
        _ => Err("write a date such as `2024`, `2024-03` or `2024-03-17`".to_owned()),
    }
}

fn parse_result(text: &str) -> Result<GameResult, String> {
    match text {
        "white" => Ok(GameResult::WhiteWins),
        "black" => Ok(GameResult::BlackWins),
        "draw" => Ok(GameResult::Draw),
        "unknown" => Ok(GameResult::Unknown),
        text => {
            let known = GameResult::ALL.into_iter().find(|result| result.as_str() == text);
            known.ok_or_else(|| "write `white`, `black`, `draw` or `unknown`".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_results_and_laws_are_read() {
        assert_eq!(parse_date("2024-03"), Ok(20_240_300));
        assert_eq!(parse_date("2024.03.17"), Ok(20_240_317));
        assert!(
            ["march", "2024-13", "2024-", "24", "24-03-17", "17-03-2024"]
                .map(parse_date)
                .iter()
                .all(Result::is_err)
        );
        assert_eq!(parse_result("1/2-1/2"), Ok(GameResult::Draw));
        assert!(parse_result("won").is_err());
        assert_eq!(laws_of("(8|1) koth").unwrap(), "(8|1) koth");
        assert!(laws_of("no laws at all").is_err());
        assert!(!laws_of("CoaIP").unwrap().is_empty());
        assert_eq!(laws_of("coaip"), laws_of("Chess on an Infinite Plane"));
        assert_eq!(laws_of("Usual").unwrap(), "");
        assert!(laws_of("Omega_Cubed").unwrap_err().contains("is not known"));
        for slip in ["Nothing", "omgea", "none"] {
            assert!(laws_of(slip).unwrap_err().contains("neither a variant"), "{slip}");
        }
        assert_eq!(laws_of("koth").unwrap(), "koth");
    }
}
