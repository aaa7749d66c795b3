//! A whole game as a page.

use boardprint_base::{Move, Player, Side};
use boardprint_games::{Content, Record};
use boardprint_render as render;
use boardprint_render::page::{self, Frame, Page, PageOptions};

use super::{Args, unseen};
use crate::commands::moves_text::spelled;
use crate::problem::Problem;

/// The page of a game: one HTML file with everything in it.
pub(super) fn write(args: &Args, record: &Record, content: &Content<'_>) -> Result<String, Problem> {
    let mut page = Page::new(title(record, content));
    for (name, value) in content.tags() {
        page = page.tag(name, value);
    }
    let (mut moves, mut before) = (content.moves(), None);
    let mut frames = Vec::with_capacity(content.plies() + 1);
    content.each_position(|ply, position| {
        let played = if ply == 0 { None } else { moves.next() };
        let marked = played.as_ref().filter(|_| args.picture.marks_last_move());
        let board = render::diagram(position, marked).map_err(|error| unseen(record, &error))?;
        let mut frame = Frame::new(args.builder(board)).comment(comment(record, content, ply));
        if let Some(played) = &played {
            frame = frame.played(spelled(played, before.as_ref())).number(number(content, ply));
        }
        frames.push(frame);
        before = Some(position.clone().into_owned());
        Ok::<(), Problem>(())
    })?;
    page.extend(frames);
    page::write(page, &PageOptions::default()).map_err(|error| {
        let mut problem = Problem::of_record(record, error.to_string());
        problem.hint = error.hint();
        problem
    })
}

/// Who played, or where the record stands.
fn title(record: &Record, content: &Content<'_>) -> String {
    let said = |name| content.tag(name).filter(|value| boardprint_games::says_something(value));
    match (said("White"), said("Black")) {
        (None, None) => said("Event").map_or_else(|| record.name(), str::to_owned),
        (white, black) => format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?")),
    }
}

/// `12.` before a move of the player who moves first in a turn, `12…` before the first move of another.
fn number(content: &Content<'_>, ply: usize) -> String {
    let (players, waiting) = match content {
        Content::Infinite(game) => {
            let cycle = game.start.turn.cycle();
            (cycle.len(), usize::from(cycle.len() == 2 && game.start.turn.to_move() == Player::BLACK))
        }
        Content::Finite(game) => {
            let black = game.start().board().is_ok_and(|board| board.side() == Side::Top);
            (2, usize::from(black))
        }
        _ => (2, 0),
    };
    let index = ply - 1 + waiting;
    let (turn, place) = (index / players + 1, index % players);
    match (place, ply) {
        (0, _) => format!("{turn}."),
        (_, 1) => format!("{turn}…"),
        _ => String::new(),
    }
}

/// What was written about a move, or before the first one.
fn comment(record: &Record, content: &Content<'_>, ply: usize) -> String {
    match content {
        Content::Infinite(game) => {
            let comments = match ply.checked_sub(1) {
                None => Some(&game.opening_comments),
                Some(index) => game.moves.get(index).map(|played: &Move| &played.notes.comments),
            };
            let comments = comments.into_iter().flatten();
            comments.map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        Content::Finite(game) => {
            let remarks = game.remarks.iter().filter(|remark| remark.ply == ply);
            let texts = remarks.filter_map(|remark| record.text.get(remark.span.start..remark.span.end));
            let texts: Vec<String> = texts.map(for_people).filter(|text| !text.is_empty()).collect();
            texts.join(" ")
        }
        _ => String::new(),
    }
}

/// A comment without the commands for programs in it, such as `[%clk 0:09:58]`, and with single blanks.
fn for_people(comment: &str) -> String {
    let mut text = String::with_capacity(comment.len());
    let mut rest = comment;
    while let Some((before, command)) = rest.split_once("[%") {
        text.push_str(before);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::for_people;

    #[test]
    fn commands_for_programs_are_not_for_people() {
        assert_eq!(for_people(" [%clk 0:09:58] a\n good  move [%eval 0.3]"), "a good move");
        assert_eq!(for_people("[%clk 1:00"), "");
        assert_eq!(for_people("[x] stays"), "[x] stays");
    }
}
