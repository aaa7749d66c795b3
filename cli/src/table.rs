//! Rows in columns that fit the terminal.

use std::borrow::Cow;

use crate::terminal;
use crate::visible::visible_line;

/// What stands between two columns.
const GAP: &str = "  ";

/// How wide a shortened column is at least.
const NARROWEST: usize = 6;

/// Rows in columns, each indented by two. The first `right` columns hold numbers and are aligned at their right end.
///
/// On a terminal the widest columns of text are shortened until a row fits; a file gets them whole. Cells may be of any
/// origin, names of players for one.
pub(crate) fn table(rows: &[Vec<String>], right: usize) -> String {
    fitted(rows, right, terminal::width())
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

/// The text, its end replaced by `…` if it is too long.
pub(crate) fn shortened(text: &str, width: usize) -> Cow<'_, str> {
    if text.chars().count() <= width {
        return text.into();
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
    fn rows_fit_every_width() {
        for width in [40, 80, 160] {
            let table = fitted(&rows(), 1, Some(width));
            assert!(table.lines().all(|line| line.chars().count() <= width), "{table}");
        }
        assert_eq!(
            fitted(&rows(), 1, Some(40)),
            "      7  e4   Magnus Carl…  London Ches…\n  1,234  Nf3  Li            Rated blitz…"
        );
        // What cannot be shortened stays whole.
        assert!(fitted(&[vec!["123456789".to_owned()]], 1, Some(4)).contains("123456789"));
    }
}
