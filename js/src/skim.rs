//! Texts in plain spelling, answered without making a game of them. What is not plain is left to the other
//! questions.
//!
//! The answer stays here until the next one, and JavaScript fetches it: numbers that say where it is, and one
//! text.

use std::cell::RefCell;

use boardprint_base::{Coord, GameResult, Json};
use boardprint_games::Format;
use boardprint_icn::{ReadOptions, Skimmed, Skimmer, json};

use crate::describe::{FIELD, Lines, skimmed_moves, write_field};
use crate::text::with_text;

/// Numbers about the last answer: where its text is, how many bytes that has, the slot and the number of the
/// start, how many half-moves there are, whether they have letters in front, and one more: how many bytes the
/// moves have, or which result the tags name.
type Numbers = [usize; 7];

/// An answer may take this much memory while nobody asks.
const KEPT: usize = 1 << 16;

struct Desk {
    skimmer: Skimmer,
    lines: Lines,
    numbers: Box<Numbers>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::new(Desk {
        skimmer: Skimmer::new(ReadOptions::default()),
        lines: Lines::default(),
        numbers: Box::default(),
    });
}

/// Where the numbers about the last answer are. They never move.
pub(crate) fn numbers() -> *const usize {
    DESK.with_borrow(|desk| desk.numbers.as_ptr())
}

/// The long form of the text in the room, in lines: moves joined by `|`, tags as JSON, and a line for each
/// move with notes: half-move, marks, comment. Whether it is plain.
pub(crate) fn long(length: usize) -> bool {
    answer(
        length,
        |_| true,
        |skimmed, lines| {
            let out = &mut lines.out;
            skimmed.write_moves_to(out);
            let moves = out.len();
            out.push(b'\n');
            skimmed.write_tags_to(out);
            for (ply, mv) in (1_i64..).zip(skimmed.moves()).filter(|(_, mv)| mv.is_noted()) {
                out.push(b'\n');
                Coord::from(ply).write_to(out);
                out.push(FIELD);
                out.extend_from_slice(mv.marks().as_bytes());
                out.push(FIELD);
                if let Some(comment) = mv.comment() {
                    write_field(comment, out);
                }
            }
            Some(moves)
        },
    )
}

/// What the text in the room holds, in lines: its tags as JSON, then its moves as
/// [`describe`](crate::describe) writes them. Whether it is plain, and has no warnings but perhaps some about
/// letters in front of moves.
pub(crate) fn read(length: usize, is_icn: bool) -> bool {
    let fits = |text: &str| is_icn || Format::detect(text.as_bytes()) == Some(Format::Icn);
    answer(length, fits, |skimmed, lines| {
        if skimmed.has_warnings() {
            return None;
        }
        let out = &mut lines.out;
        out.push(b'[');
        for (index, (name, value)) in skimmed.tags().enumerate() {
            out.extend_from_slice(if index > 0 { &b",{\"name\":"[..] } else { b"{\"name\":" });
            Json::write_text_to(name, out);
            out.extend_from_slice(b",\"value\":");
            Json::write_text_to(value, out);
            out.push(b'}');
        }
        out.push(b']');
        skimmed_moves(skimmed, lines);
        // As `Content::result` has it where no result stands after the moves.
        let tag = skimmed.tags().find(|(name, _)| *name == "Result");
        let result = tag.and_then(|(_, value)| value.trim().parse::<GameResult>().ok());
        Some(
            result
                .map_or(0, |result| 1 + GameResult::ALL.iter().take_while(|other| **other != result).count()),
        )
    })
}

/// The start in a slot, in parts.
pub(crate) fn start(slot: usize) -> Option<String> {
    DESK.with_borrow(|desk| desk.skimmer.start_in(slot).map(|(_, game)| json::write_parts(game)))
}

fn answer(
    length: usize,
    fits: impl FnOnce(&str) -> bool,
    write: impl FnOnce(&Skimmed<'_>, &mut Lines) -> Option<usize>,
) -> bool {
    DESK.with_borrow_mut(|Desk { skimmer, lines, numbers }| {
        with_text(length, |text| {
            let Some(skimmed) = Some(text).filter(|text| fits(text)).and_then(|text| skimmer.skim(text))
            else {
                return false;
            };
            lines.out.clear();
            lines.out.shrink_to(KEPT);
            let Some(more) = write(&skimmed, lines) else { return false };
            let (slot, number) = skimmed.start();
            **numbers = [
                lines.out.as_ptr() as usize,
                lines.out.len(),
                slot,
                number as usize,
                skimmed.plies(),
                usize::from(skimmed.has_letters()),
                more,
            ];
            true
        })
    })
}
