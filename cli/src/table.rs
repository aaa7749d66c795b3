//! Rows in columns that fit the terminal.

use std::borrow::Cow;

use crate::terminal;
use crate::visible::visible_line;

/// What stands between two columns.
const GAP: &str = "  ";

/// How wide a shortened column is at least.
const NARROWEST: usize = 6;

/// Rows in columns, each indented by two. The first `right` columns hold numbers and are aligned at their
/// right end.
///
/// On a terminal the widest columns of text are shortened until a row fits; a file gets them whole. Cells may
/// be of any origin, names of players for one.
pub(crate) fn table(rows: &[Vec<String>], right: usize) -> String {
    fitted(rows, right, terminal::width())
}

/// A table that does without some columns, in this order, where a terminal has no room for readable ones.
pub(crate) fn sparing_table(rows: &[Vec<String>], right: usize, spare: &[usize]) -> String {
    spared(rows, right, spare, terminal::width())
}

/// Facts with their names before them; numbers are aligned at their right end, below each other. Where there
/// is room they all end in the same column, so that what is printed does not depend on the largest.
pub(crate) fn facts(mut rows: Vec<Vec<String>>) -> String {
    const ROOMY: usize = 60;
    const BILLIONS: usize = "1,234,567,890".len();
    let least = if terminal::width().is_none_or(|width| width >= ROOMY) { BILLIONS } else { 0 };
    let is_number = |value: &String| value.starts_with(|first: char| first.is_ascii_digit());
    let numbers = rows.iter().filter_map(|row| row.last()).filter(|value| is_number(value));
    let width = numbers.map(String::len).max().unwrap_or(0).max(least);
    for value in rows.iter_mut().filter_map(|row| row.last_mut()).filter(|value| is_number(value)) {
        *value = format!("{value:>width$}");
    }
    table(&rows, 0)
}

/// The columns of lists of games that a narrow terminal does without: the source, then the date.
pub(crate) const GAMES_SPARE: [usize; 2] = [5, 4];

/// How wide a column of text should be to be readable.
const READABLE: usize = 12;

fn spared(rows: &[Vec<String>], right: usize, spare: &[usize], width: Option<usize>) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut kept: Vec<usize> = (0..columns).collect();
    let needs = |column: &usize| {
        let widest = rows.iter().filter_map(|row| row.get(*column)).map(|cell| cell.chars().count()).max();
        let widest = widest.unwrap_or(0);
        GAP.len() + if *column < right { widest } else { widest.min(READABLE) }
    };
    for column in spare {
        if width.is_none_or(|width| kept.iter().map(needs).sum::<usize>() <= width) {
            break;
        }
        kept.retain(|kept| kept != column);
    }
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| kept.iter().filter_map(|column| row.get(*column)).cloned().collect()).collect();
    fitted(&rows, kept.iter().filter(|column| **column < right).count(), width)
}

/// The same for a terminal of this many columns.
fn fitted(rows: &[Vec<String>], right: usize, width: Option<usize>) -> String {
    let rows: Vec<Vec<Cow<'_, str>>> =
        rows.iter().map(|row| row.iter().map(|cell| visible_line(cell)).collect()).collect();
    let widths = widths(&rows, right, width);
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            let cell = shortened(cell, width);
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            let cell = if column < right { [&*padding, &*cell] } else { [&*cell, &*padding] };
            line.extend([GAP].into_iter().chain(cell));
        }
        out += line.trim_end();
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}

/// How wide each column is.
fn widths(rows: &[Vec<Cow<'_, str>>], right: usize, terminal: Option<usize>) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let mut widths: Vec<usize> = (0..columns)
        .map(|column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    let Some(terminal) = terminal else { return widths };
    let room = terminal.saturating_sub(columns * GAP.len());
    while widths.iter().sum::<usize>() > room {
        let texts = (right..columns).filter(|column| widths[*column] > NARROWEST);
        let Some(widest) = texts.max_by_key(|column| widths[*column]) else { break };
        let excess = widths.iter().sum::<usize>() - room;
        // Never narrower than the next widest one, so that columns share what is missing.
        let next = (right..columns).filter(|column| *column != widest).map(|column| widths[column]).max();
        let floor = next.unwrap_or(0).max(NARROWEST).min(widths[widest] - 1);
        widths[widest] = floor.max(widths[widest].saturating_sub(excess));
    }
    widths
}

/// The text, its end replaced by `…` if it is too long. Of the place of a record, `games/2024.pgn:17`, the
/// end says more.
pub(crate) fn shortened(text: &str, width: usize) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= width {
        return text.into();
    }
    let number = text.rsplit_once(':').map(|(_, number)| number);
    if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())) {
        let end = text.chars().skip(length + 1 - width.max(1));
        return std::iter::once('…').chain(end).collect();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Vec<String>> {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        vec![
            row(["7", "e4", "Magnus Carlsen", "London Chess Classic"]),
            row(["1,234", "Nf3", "Li", "Rated blitz game"]),
        ]
    }

    #[test]
    fn numbers_stand_at_the_right_and_text_at_the_left() {
        assert_eq!(
            fitted(&rows(), 1, None),
            "      7  e4   Magnus Carlsen  London Chess Classic\n  1,234  Nf3  Li              Rated blitz game"
        );
    }

    #[test]
    fn numbers_of_facts_stand_below_each_other() {
        let row = |name: &str, value: &str| vec![name.to_owned(), value.to_owned()];
        let rows = vec![row("games", "7"), row("positions", "1,234"), row("names", "cpn^ plain")];
        assert_eq!(
            facts(rows),
            "  games                  7\n  positions          1,234\n  names      cpn^ plain"
        );
    }

    #[test]
    fn a_place_keeps_its_number() {
        assert_eq!(shortened("games/2024.pgn:17", 17), "games/2024.pgn:17");
        assert_eq!(shortened("games/2024.pgn:17", 12), "…2024.pgn:17");
        assert_eq!(shortened("games/2024.pgn:17", 1), "…");
        assert_eq!(shortened("London: 2024.pgn", 7), "London…");
    }

    #[test]
    fn rows_fit_every_width() {
        for width in [40, 80, 160] {
            let table = fitted(&rows(), 1, Some(width));
            assert!(table.lines().all(|line| line.chars().count() <= width), "{table}");
        }
        assert_eq!(
            fitted(&rows(), 1, Some(40)),
            "      7  e4   Magnus Carl…  London Ches…\n  1,234  Nf3  Li            Rated blitz…"
        );
        // A narrow terminal does without some columns rather than shortening all.
        assert_eq!(spared(&rows(), 1, &[3, 2], Some(30)), "      7  e4   Magnus Carlsen\n  1,234  Nf3  Li");
        assert_eq!(spared(&rows(), 1, &[3, 2], Some(16)), "      7  e4\n  1,234  Nf3");
        assert_eq!(spared(&rows(), 1, &[3, 2], None), fitted(&rows(), 1, None));
        // What cannot be shortened stays whole.
        assert!(fitted(&[vec!["123456789".to_owned()]], 1, Some(4)).contains("123456789"));
    }
}
