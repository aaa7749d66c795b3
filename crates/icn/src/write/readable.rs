//! The styles for people and other programs.

use boardprint_base::replay::{Played, play};
use boardprint_base::{Coord, Game, Move, Piece, PieceKind, Placed, Player, Position, Tag};

use crate::parse::looks_like_rules;

use super::canonical::{write_border, write_fields, write_move, write_pieces, write_promotion, write_wins};
use super::{into_text, join, write_turn};

/// Tags in today's spelling, what is not at its default, pieces, and bare moves with their comments.
pub(super) fn compact(game: &Game) -> String {
    let mut out = Vec::new();
    join(&mut out, b"\n", &game.tags, write_quoted_tag);
    if !game.tags.is_empty() {
        out.extend_from_slice(b"\n\n");
    }
    let (before_fields, before_moves) = opening_comments(game);
    for comment in before_fields {
        write_comment(comment, &mut out);
        out.push(b' ');
    }
    write_fields(&game.start, &mut out);
    write_presets(game, &mut out);
    write_pieces(&game.start.pieces, &mut out);
    if !before_moves.is_empty() {
        out.extend_from_slice(format!("\n{}.", game.start.full_move).as_bytes());
        for comment in before_moves {
            write_comment(comment, &mut out);
        }
    }
    if !game.moves.is_empty() {
        out.push(b'\n');
        join(&mut out, b"|", game.moves.iter().enumerate(), |out, (ply, mv)| {
            write_move(mv, game.start.turn.at(ply), out);
            mv.notes.comments.iter().for_each(|comment| write_comment(comment, out));
        });
    }
    write_result(game, &mut out);
    into_text(out)
}

/// Everything written out, as the original text shows its long version.
pub(super) fn readable(game: &Game) -> String {
    let mut out = Vec::new();
    for tag in &game.tags {
        write_tag(&mut out, tag);
        out.push(b'\n');
    }
    if !game.tags.is_empty() {
        out.push(b'\n');
    }
    let (before_fields, before_moves) = opening_comments(game);
    for comment in before_fields {
        write_comment(comment, &mut out);
        out.push(b'\n');
    }
    write_all_fields(&game.start, &mut out);
    write_presets(game, &mut out);
    write_pieces(by_kind(&game.start), &mut out);
    if !game.moves.is_empty() || !before_moves.is_empty() {
        out.extend_from_slice(b"\n\n");
        write_decorated_moves(game, before_moves, &mut out);
    }
    write_result(game, &mut out);
    into_text(out)
}

/// `[Name: value]`, as the original text has it; with quotes where a colon would not read back.
fn write_tag(out: &mut Vec<u8>, tag: &Tag) {
    let plain = !tag.value.is_empty() && tag.value.trim() == &*tag.value && !tag.value.contains([']', '\n']);
    if !plain {
        return write_quoted_tag(out, tag);
    }
    out.extend_from_slice(format!("[{}: {}]", tag.name, tag.value).as_bytes());
}

fn write_quoted_tag(out: &mut Vec<u8>, tag: &Tag) {
    out.extend_from_slice(format!("[{} \"{}\"]", tag.name, tag.value).as_bytes());
}

/// The comments that stand before the fields, and those that would be read as extra rules there: they stand behind a
/// move number, with all that follow them.
fn opening_comments(game: &Game) -> (&[Box<str>], &[Box<str>]) {
    let comments = &game.opening_comments;
    comments.split_at(comments.iter().position(|comment| looks_like_rules(comment)).unwrap_or(comments.len()))
}

fn write_comment(comment: &str, out: &mut Vec<u8>) {
    out.push(b'{');
    out.extend_from_slice(comment.as_bytes());
    out.push(b'}');
}

fn write_result(game: &Game, out: &mut Vec<u8>) {
    let Some(result) = game.result else { return };
    out.push(b'\n');
    out.extend_from_slice(result.as_str().as_bytes());
    for comment in &game.closing_comments {
        out.push(b' ');
        write_comment(comment, out);
    }
}

fn write_presets(game: &Game, out: &mut Vec<u8>) {
    if !game.presets.squares.is_empty() {
        out.extend_from_slice(b"Squares:");
        join(out, b"|", &game.presets.squares, |out, square| square.write_to(out));
        out.push(b' ');
    }
    if !game.presets.rays.is_empty() {
        out.extend_from_slice(b"Rays:");
        join(out, b"|", &game.presets.rays, |out, (start, direction)| {
            start.write_to(out);
            out.push(b'>');
            direction.write_to(out);
        });
        out.push(b' ');
    }
}

/// Appends every field that has a value, defaults included, each with a space behind it.
fn write_all_fields(position: &Position, out: &mut Vec<u8>) {
    let laws = &position.laws;
    let players = position.turn.players();
    write_turn(out, &position.turn);
    out.push(b' ');
    if let Some(square) = &position.en_passant {
        square.write_to(out);
        out.push(b' ');
    }
    if let Some(rule) = &position.move_rule {
        out.extend_from_slice(format!("{}/{} ", rule.count, rule.limit).as_bytes());
    }
    out.extend_from_slice(format!("{} ", position.full_move).as_bytes());
    if !laws.promotion.is_empty() {
        write_promotion(laws, &players, |_| true, out);
        out.push(b' ');
    }
    if !laws.border.is_open() {
        write_border(&laws.border, out);
        out.push(b' ');
    }
    write_wins(laws, &players, out);
    out.push(b' ');
    if !laws.extra.is_empty() {
        laws.extra.write_spaced_to(out);
        out.push(b' ');
    }
}

/// The pieces kind by kind, pawns first and kings last, white before black; in reading order otherwise.
fn by_kind(position: &Position) -> Vec<&Placed> {
    let rank = |kind: PieceKind| match kind {
        PieceKind::Pawn => 0,
        PieceKind::Rook => 1,
        PieceKind::Knight => 2,
        PieceKind::Bishop => 3,
        PieceKind::Queen => 4,
        PieceKind::King => 5,
        _ => 6,
    };
    let mut pieces: Vec<&Placed> = position.pieces.iter().collect();
    pieces.sort_by_key(|placed| (rank(placed.piece.kind), placed.piece.kind, placed.piece.player));
    pieces
}

/// `1. P4,2 > 4,4  | p4,7 > 4,6`, one line a full move.
fn write_decorated_moves(game: &Game, comments: &[Box<str>], out: &mut Vec<u8>) {
    let mut position = game.start.clone();
    let mut line = Line { number: position.full_move.clone(), begun: false };
    if !comments.is_empty() {
        line.begin(out);
        for comment in comments {
            write_comment(comment, out);
            out.push(b' ');
        }
    }
    if position.turn.is_white_and_black() && position.turn.to_move() == Player::BLACK {
        line.begin(out);
        out.extend_from_slice(b"... | ");
    }
    for (ply, mv) in game.moves.iter().enumerate() {
        line.begin(out);
        let mover = game.start.turn.at(ply);
        let there = position.pieces.get(&mv.from).map(|placed| placed.piece);
        let played = play(&mut position, mv);
        let captures = played.as_ref().map_or(mv.notes.capture, |played| played.captured().is_some());
        let suffix = write_decorated(out, mv, there.or(mv.notes.piece), captures, mover);
        let ends_line = played.as_ref().map_or(mover == Player::BLACK, Played::ends_full_move);
        if ply + 1 == game.moves.len() {
            write_suffix(out, &suffix);
        } else if ends_line {
            write_suffix(out, &suffix);
            out.push(b'\n');
            line = Line { number: &line.number + 1, begun: false };
        } else {
            // The original text keeps the blank in front of a suffix that is not there.
            out.extend_from_slice(format!(" {suffix} | ").as_bytes());
        }
    }
}

/// A line of moves.
struct Line {
    number: Coord,
    begun: bool,
}

impl Line {
    /// Writes the number, once.
    fn begin(&mut self, out: &mut Vec<u8>) {
        if !self.begun {
            out.extend_from_slice(format!("{}. ", self.number).as_bytes());
            self.begun = true;
        }
    }
}

fn write_suffix(out: &mut Vec<u8>, suffix: &str) {
    if !suffix.is_empty() {
        out.extend_from_slice(format!(" {suffix}").as_bytes());
    }
}

/// Appends `P4,2 > 4,4` and returns what belongs behind it: promotion and check, other marks, comments.
fn write_decorated(
    out: &mut Vec<u8>,
    mv: &Move,
    piece: Option<Piece>,
    captures: bool,
    mover: Player,
) -> String {
    if let Some(piece) = piece {
        piece.write_to(out);
    }
    mv.from.write_to(out);
    out.extend_from_slice(if captures { b" x " } else { b" > " });
    mv.to.write_to(out);
    let (checks, glyphs): (String, String) =
        mv.notes.marks.chars().partition(|mark| matches!(mark, '+' | '#'));
    let promotion = mv.promotion.map(|kind| format!("={}", Piece::new(kind, mover))).unwrap_or_default();
    let comments = mv.notes.comments.iter().map(|comment| format!("{{{comment}}}"));
    let parts: Vec<String> = [promotion + &checks, glyphs].into_iter().chain(comments).collect();
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
