//! An answer for people.

use anyhow::Result;
use boardprint_base::{Digest, DigestPrefix, GameResult};
use boardprint_games::Content;
use boardprint_render as render;
use boardprint_store::db::{Answer, Counts, GameLine, MoveLine, Tally};

use super::{Asker, Place};
use crate::answers::{date_text, move_text};
use crate::database::{count, failure, number};
use crate::report::Report;
use crate::table::{GAMES_SPARE, sparing_table};
use crate::terminal;
use crate::visible::visible_line;

/// Boards with more pieces are not drawn.
const DRAWN_PIECES: usize = 400;
/// The cells of a bar.
const BAR: u64 = 10;
/// The narrowest terminal that has room for bars.
const ROOMY: usize = 70;
/// Longer texts of positions are not printed.
const PRINTED: usize = 4_000;

/// The positions that fit.
pub(super) fn candidates(
    digits: &DigestPrefix,
    found: &[(Digest, u64)],
    more: bool,
    report: &mut Report,
) -> Result<()> {
    for (hash, count) in found {
        report.line(format!("{hash}  {}", number(*count)))?;
    }
    let more = if more { " (and more: --limit 0 shows all)" } else { "" };
    let found = count(found.len() as u64, "position has", "positions have");
    report.talk(&format!("{found} a hash that begins with {digits}{more}"));
    Ok(())
}

/// Everything about a position.
pub(super) fn answer(asker: &Asker<'_>, place: &Place, answer: &Answer, report: &mut Report) -> Result<()> {
    let hash = &answer.hash;
    if let Some((asked, shown)) = &place.known {
        if !asker.args.no_board && !asker.args.moves && !asker.args.games {
            board(&asked.now, report)?;
        }
        for (name, text) in [("icn", &shown.icn), ("fen", &shown.fen), ("cpn", &Some(shown.cpn.clone()))] {
            if let Some(text) = text
                && text.len() <= PRINTED
            {
                report.line(format!("{name}  {text}"))?;
            }
        }
    }
    report.line(format!("cph  {hash}"))?;
    if answer.occurrences == 0 {
        let filtered = if answer.witness.is_some() { " in such games" } else { "" };
        let indexed = asker.snapshot.max_ply().map_or(String::new(), |ply| {
            format!(
                " within the first {}: only they are indexed",
                count(ply.into(), "half-move", "half-moves")
            )
        });
        return report.line(format!("\nthis position does not occur{filtered}{indexed}"));
    }
    let games = count(answer.games, "game", "games");
    let occurrences = if answer.games == answer.occurrences {
        String::new()
    } else {
        format!(", {}", count(answer.occurrences, "occurrence", "occurrences"))
    };
    let rating = answer.mean_rating.map(|rating| format!(", mean rating {rating}")).unwrap_or_default();
    report.sentence(format!("\n{games}{occurrences}{rating}: {}", shares(&answer.results)))?;
    if !asker.args.games {
        moves(asker, place, answer, report)?;
    }
    if asker.args.by_laws {
        for (laws, tally) in asker.snapshot.tally_by_laws(hash).map_err(failure)? {
            under(&laws, &tally, report)?;
        }
    }
    if !asker.args.moves {
        list(asker, answer, report)?;
    }
    Ok(())
}

fn board(content: &Content<'_>, report: &mut Report) -> Result<()> {
    let pieces = match content {
        Content::Infinite(game) => game.start.pieces.len(),
        Content::Board(cpn) => cpn.len(),
        _ => 0,
    };
    if pieces > DRAWN_PIECES {
        return Ok(());
    }
    // What cannot be drawn, such as a board of five dimensions, has its text.
    if let Ok(diagram) = render::diagram(content, None).and_then(render::DiagramBuilder::build) {
        report.line(render::text::write(&diagram, Report::text_options()).trim_end())?;
        report.line("")?;
    }
    Ok(())
}

/// How games ended, in percent of those whose end is known.
fn shares(counts: &Counts) -> String {
    let known = counts.total() - counts.of(GameResult::Unknown);
    let mut parts = Vec::new();
    for (result, name) in
        [(GameResult::WhiteWins, "white"), (GameResult::Draw, "draw"), (GameResult::BlackWins, "black")]
    {
        if known > 0 {
            parts.push(format!("{name} {}", percent(counts.of(result), known)));
        }
    }
    match counts.of(GameResult::Unknown) {
        0 => {}
        unknown => parts.push(format!("unknown {}", number(unknown))),
    }
    parts.join(", ")
}

/// Rounded to the nearest; half a percent goes up.
fn percent(part: u64, whole: u64) -> String {
    let share = (u128::from(part) * 200 + u128::from(whole)) / (2 * u128::from(whole.max(1)));
    format!("{share}%")
}

fn moves(asker: &Asker<'_>, place: &Place, answer: &Answer, report: &mut Report) -> Result<()> {
    let shown = answer.moves.len().min(asker.shown());
    let rated = answer.moves.iter().any(|line| line.mean_rating.is_some());
    let unknown = answer.results.of(GameResult::Unknown) > 0;
    let mut heading = vec!["count", "share", "white", "draw", "black"];
    if unknown {
        heading.push("unknown");
    }
    if rated {
        heading.push("rating");
    }
    let right = heading.len();
    let bars = terminal::width().is_some_and(|width| width >= ROOMY);
    if bars {
        heading.push("results");
    }
    heading.push("move");
    // What a narrow terminal does without, first of all the rating.
    let places = ["rating", "share", "unknown"].map(|name| heading.iter().position(|column| *column == name));
    let optional: Vec<usize> = places.into_iter().flatten().collect();
    let mut rows = vec![heading.into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for line in &answer.moves[..shown] {
        let known = line.results.total() - line.results.of(GameResult::Unknown);
        let share =
            |result| if known == 0 { "-".to_owned() } else { percent(line.results.of(result), known) };
        let mut row = vec![number(line.count()), percent(line.count(), answer.occurrences)];
        row.extend([GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins].map(share));
        if unknown {
            row.push(number(line.results.of(GameResult::Unknown)));
        }
        if rated {
            row.push(line.mean_rating.map_or_else(|| "-".to_owned(), |rating| rating.to_string()));
        }
        if bars {
            row.push(bar(&line.results));
        }
        row.push(move_name(place, line));
        rows.push(row);
    }
    report.line("")?;
    report.line(sparing_table(&rows, right, &optional))?;
    if shown < answer.moves.len() {
        let more = (answer.moves.len() - shown) as u64;
        report.sentence(format!("  and {}: --limit 0 shows all", count(more, "more move", "more moves")))?;
    }
    Ok(())
}

/// How games ended as a bar: the part of white, of draws, of black. Files and pipes have the numbers alone.
fn bar(results: &Counts) -> String {
    let ends = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins].map(|end| results.of(end));
    let known: u64 = ends.iter().sum();
    if known == 0 {
        return String::new();
    }
    // Where each part ends, rounded: together they are always as long as the bar.
    let end = |games: u64| usize::try_from((2 * BAR * games + known) / (2 * known)).unwrap_or(0);
    let (white, draw, all) = (end(ends[0]), end(ends[0] + ends[1]), end(known));
    ["█".repeat(white), "▒".repeat(draw - white), "░".repeat(all - draw)].concat()
}

fn move_name(place: &Place, line: &MoveLine) -> String {
    match (&line.next, &place.known) {
        (None, _) => "(the game ends)".to_owned(),
        (Some(step), Some((asked, _))) => move_text(&asked.now, step),
        (Some(step), None) => step.to_string(),
    }
}

fn under(laws: &str, tally: &Tally, report: &mut Report) -> Result<()> {
    let laws = if laws.is_empty() { "the usual laws".into() } else { visible_line(laws) };
    report.sentence(format!(
        "\nunder {laws}: {}, {}",
        count(tally.games, "game", "games"),
        shares(&tally.results)
    ))
}

/// Some games with the position.
fn list(asker: &Asker<'_>, answer: &Answer, report: &mut Report) -> Result<()> {
    if answer.list.is_empty() {
        return Ok(());
    }
    let mut rows = vec![["game", "ply", "result", "players", "date", "source"].map(str::to_owned).to_vec()];
    for line in &answer.list {
        let game = asker.snapshot.game(line.game).map_err(failure)?;
        rows.push(vec![
            line.game.to_string(),
            line.plies.first().map(ToString::to_string).unwrap_or_default(),
            line.row.result.to_string(),
            players(line),
            date_text(line.row.date).unwrap_or_else(|| "?".to_owned()),
            format!("{}:{}", line.source, game.source.record),
        ]);
    }
    report.line("")?;
    report.line(sparing_table(&rows, 2, &GAMES_SPARE))?;
    if let Some(next) = answer.next {
        report.sentence(format!("  and more: --cursor {next} goes on, --limit 0 shows all"))?;
    }
    Ok(())
}

/// Names with ratings, as far as they are known.
fn players(line: &GameLine) -> String {
    let player = |name: Option<&str>, rating: u16| {
        let rating = if rating == 0 { String::new() } else { format!(" ({rating})") };
        format!("{}{rating}", name.unwrap_or("?"))
    };
    let row = &line.row;
    let white = player(line.white.as_deref(), row.white_rating);
    format!("{white} - {}", player(line.black.as_deref(), row.black_rating))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_whatever_its_parts() {
        let counts = |white: u64, draw: u64, black: u64| {
            let mut counts = Counts::default();
            let ends =
                [(GameResult::WhiteWins, white), (GameResult::Draw, draw), (GameResult::BlackWins, black)];
            for (end, games) in ends {
                (0..games).for_each(|_| counts.add(end));
            }
            counts
        };
        assert_eq!(bar(&counts(5, 3, 2)), "█████▒▒▒░░");
        assert_eq!(bar(&counts(1, 1, 1)), "███▒▒▒▒░░░");
        assert_eq!(bar(&counts(0, 0, 1)), "░░░░░░░░░░");
        assert_eq!(bar(&counts(1, 0, 999)), "░░░░░░░░░░");
        assert_eq!(bar(&counts(0, 0, 0)), "");
        for (white, draw, black) in [(7, 0, 3), (3, 3, 1), (13, 29, 1), (1, 98, 1)] {
            assert_eq!(bar(&counts(white, draw, black)).chars().count(), 10);
        }
    }
}
