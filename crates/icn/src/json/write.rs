//! Writing the JSON long form.

use std::io::Write as _;

use boardprint_base::replay::{Played, Replay, ReplayError};
use boardprint_base::{Coord, Game, Json, Laws, Move, Piece, Placed, Player, Position, Square};

use super::fields::RULE_NAMES;
use super::name;
use crate::write::join;

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveForm {
    /// Strings in short notation: `"2,7>1,8Q"`. What was noted about them stands apart, in `notes`.
    #[default]
    Strings,
    /// The older objects, with what each move did: `{"type": …, "startCoords": …, "endCoords": …, "captured":
    /// …}`.
    Objects,
}

/// Writes a game or position in the JSON long form, on one line.
///
/// The piece and the `x` that a move was written with are left out: the board says the same, and objects say
/// it from the board.
///
/// ```
/// use boardprint_icn::{ReadOptions, json};
/// let game = ReadOptions::default().parse("0/100 K5,1|k5,8 5,1>5,2")?.game;
/// let text = json::write(&game, json::MoveForm::Strings)?;
/// assert!(text.ends_with(r#""startingPosition":{"5,8":"kingsB","5,1":"kingsW"},"moves":["5,1>5,2"]}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ReplayError`] if moves are written as objects and one of them starts on an empty square.
#[expect(clippy::missing_panics_doc, reason = "what is written is UTF-8 by construction")]
pub fn write(game: &Game, form: MoveForm) -> Result<String, ReplayError> {
    let mut out = Vec::new();
    let mut object = Object::open(&mut out);
    before_moves(&mut object, game, game.start.pieces.as_slice());
    if !game.moves.is_empty() {
        object.name("moves");
        match form {
            MoveForm::Strings => short_moves(game, object.out),
            MoveForm::Objects => long_moves(game, object.out)?,
        }
    }
    if form == MoveForm::Strings && game.moves.iter().any(is_noted) {
        object.nested("notes", |object| notes(object, &game.moves));
    }
    after_moves(&mut object, game);
    object.close();
    Ok(String::from_utf8(out).expect("names and numbers are ASCII, texts are UTF-8"))
}

/// The long form in parts, for whoever makes values of what it has most of in a way of his own. One line each:
///
/// - the object without moves and notes, and with no pieces and rights;
/// - the object of the rights;
/// - the object of the pieces;
/// - the moves, joined by `|`;
/// - the object of the notes, `{}` if there are none.
///
/// ```
/// use boardprint_icn::{ReadOptions, json};
/// let game = ReadOptions::default().parse("K5,1+|k5,8 5,1>5,2|5,8>5,7 {oh}")?.game;
/// let parts: Vec<_> = json::write_parts(&game).lines().map(ToOwned::to_owned).collect();
/// assert!(parts[0].ends_with(r#""specialRights":{},"startingPosition":{}}"#));
/// assert_eq!(parts[1..3], [r#"{"5,1":true}"#, r#"{"5,8":"kingsB","5,1":"kingsW"}"#]);
/// assert_eq!(parts[3..], ["5,1>5,2|5,8>5,7", r#"{"2":{"comments":["oh"]}}"#]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "what is written is UTF-8 by construction")]
pub fn write_parts(game: &Game) -> String {
    let mut out = Vec::with_capacity(1024 + game.start.pieces.len() * 10 + game.moves.len() * 16);
    let mut object = Object::open(&mut out);
    before_moves(&mut object, game, &[]);
    after_moves(&mut object, game);
    object.close();
    out.push(b'\n');
    let pieces = game.start.pieces.as_slice();
    let mut object = Object::open(&mut out);
    rights(&mut object, pieces);
    object.close();
    out.push(b'\n');
    let mut object = Object::open(&mut out);
    placed(&mut object, pieces);
    object.close();
    out.push(b'\n');
    join(&mut out, b"|", game.moves.iter().enumerate(), |out, (ply, mv)| {
        mv.write_universal_to(game.start.turn.at(ply), out);
    });
    out.push(b'\n');
    let mut object = Object::open(&mut out);
    notes(&mut object, &game.moves);
    object.close();
    String::from_utf8(out).expect("names and numbers are ASCII, texts are UTF-8")
}

fn before_moves(object: &mut Object<'_>, game: &Game, pieces: &[Placed]) {
    if !game.tags.is_empty() {
        object.nested("metadata", |metadata| {
            for tag in &game.tags {
                metadata.name(&tag.name);
                Json::write_text_to(&tag.value, metadata.out);
            }
        });
    }
    position(object, &game.start, pieces);
    presets(object, game);
    object.texts("openingComments", &game.opening_comments);
}

fn after_moves(object: &mut Object<'_>, game: &Game) {
    if let Some(result) = game.result {
        object.name("result");
        Json::write_text_to(result.as_str(), object.out);
    }
    object.texts("closingComments", &game.closing_comments);
}

fn position(object: &mut Object<'_>, position: &Position, pieces: &[Placed]) {
    object.name("turn");
    Json::write_text_to(&name::of_player(position.turn.to_move()), object.out);
    if let Some(en_passant) = &position.en_passant {
        object.name("enpassant");
        square_pair(en_passant, object.out);
    }
    if let Some(rule) = &position.move_rule {
        object.name("moveRule");
        write_to(object.out, format_args!("\"{}/{}\"", rule.count, rule.limit));
    }
    object.name("fullMove");
    integer(&position.full_move, object.out);
    object.nested("gameRules", |rules| game_rules(rules, position));
    object.nested("specialRights", |object| rights(object, pieces));
    object.nested("startingPosition", |object| placed(object, pieces));
}

fn rights(object: &mut Object<'_>, pieces: &[Placed]) {
    for placed in pieces.iter().filter(|placed| placed.right) {
        object.square_name(&placed.square);
        object.out.extend_from_slice(b"true");
    }
}

fn placed(object: &mut Object<'_>, pieces: &[Placed]) {
    for placed in pieces {
        object.square_name(&placed.square);
        piece(placed.piece, object.out);
    }
}

fn game_rules(rules: &mut Object<'_>, position: &Position) {
    let laws = &*position.laws;
    if !laws.promotion.is_empty() {
        promotion(rules, laws);
    }
    rules.nested("winConditions", |wins| {
        for player in position.turn.players() {
            wins.name(&name::of_player(player));
            list(laws.wins.of(player), wins.out, Json::write_text_to);
        }
    });
    if !position.turn.is_white_and_black() {
        rules.name("turnOrder");
        list(position.turn.cycle(), rules.out, |player, out| {
            Json::write_text_to(&name::of_player(*player), out);
        });
    }
    if !laws.border.is_open() {
        rules.nested("worldBorder", |border| {
            let sides = &laws.border;
            for (name, side) in [
                ("left", &sides.left),
                ("right", &sides.right),
                ("bottom", &sides.bottom),
                ("top", &sides.top),
            ] {
                border.name(name);
                or_null(side.as_ref(), border.out, integer);
            }
        });
    }
    if laws.extra.iter().any(|(name, _)| RULE_NAMES.contains(&name)) {
        rules.name("extraRules");
        laws.extra.write_to(rules.out);
    } else {
        for (name, value) in laws.extra.iter() {
            rules.name(name);
            value.write_to(rules.out);
        }
    }
}

/// `[8,1]` if white and black have at most one rank each, else ranks by player.
fn promotion(rules: &mut Object<'_>, laws: &Laws) {
    let is_plain = laws.promotion.iter().all(|(player, promotion)| {
        matches!(*player, Player::WHITE | Player::BLACK) && promotion.ranks().len() == 1
    });
    if is_plain {
        rules.name("promotionRanks");
        list([Player::WHITE, Player::BLACK], rules.out, |player, out| {
            let rank = laws.promotion.get(&player).and_then(|promotion| promotion.ranks().first());
            or_null(rank, out, integer);
        });
    } else {
        rules.nested("promotionRanks", |ranks| {
            for (player, promotion) in &laws.promotion {
                ranks.name(&name::of_player(*player));
                list(promotion.ranks(), ranks.out, integer);
            }
        });
    }
    rules.nested("promotionsAllowed", |allowed| {
        for (player, promotion) in &laws.promotion {
            allowed.name(&name::of_player(*player));
            list(promotion.choices(), allowed.out, |kind, out| Json::write_text_to(kind.plural(), out));
        }
    });
}

fn presets(object: &mut Object<'_>, game: &Game) {
    let presets = &game.presets;
    if presets.squares.is_empty() && presets.rays.is_empty() {
        return;
    }
    object.nested("presets", |object| {
        object.name("squares");
        list(&presets.squares, object.out, |square, out| write_to(out, format_args!("\"{square}\"")));
        object.name("rays");
        list(&presets.rays, object.out, |(from, step), out| write_to(out, format_args!("\"{from}>{step}\"")));
    });
}

fn short_moves(game: &Game, out: &mut Vec<u8>) {
    list(game.moves.iter().enumerate(), out, |(ply, mv), out| {
        out.push(b'"');
        mv.write_universal_to(game.start.turn.at(ply), out);
        out.push(b'"');
    });
}

/// What was noted about moves beside what the board says.
fn notes(object: &mut Object<'_>, moves: &[Move]) {
    for (index, mv) in moves.iter().enumerate().filter(|(_, mv)| is_noted(mv)) {
        object.nested(&(index + 1).to_string(), |note| {
            if !mv.notes.marks.is_empty() {
                note.name("marks");
                Json::write_text_to(&mv.notes.marks, note.out);
            }
            note.texts("comments", &mv.notes.comments);
        });
    }
}

fn is_noted(mv: &Move) -> bool {
    !mv.notes.marks.is_empty() || !mv.notes.comments.is_empty()
}

fn long_moves(game: &Game, out: &mut Vec<u8>) -> Result<(), ReplayError> {
    let mut replay = Replay::new(game);
    let mut failure = None;
    list(&game.moves, out, |mv, out| match replay.step() {
        Ok(Some(played)) => long_move(mv, &played, out),
        Ok(None) => {}
        Err(error) => failure = Some(error),
    });
    failure.map_or(Ok(()), Err)
}

fn long_move(mv: &Move, played: &Played, out: &mut Vec<u8>) {
    let mut object = Object::open(out);
    object.name("type");
    piece(played.piece(), object.out);
    object.name("startCoords");
    square_pair(&mv.from, object.out);
    object.name("endCoords");
    square_pair(&mv.to, object.out);
    if let Some(captured) = played.captured() {
        object.name("captured");
        piece(captured.piece, object.out);
    }
    if let Some(promoted) = played.promotion() {
        object.name("promotion");
        piece(promoted, object.out);
    }
    if played.is_en_passant() {
        object.name("enpassant");
        write_to(object.out, format_args!("{}", -played.piece().player.forward()));
    }
    if let Some(castling) = played.castling() {
        object.nested("castle", |castle| {
            castle.name("dir");
            write_to(castle.out, format_args!("{}", castling.direction));
            castle.name("coord");
            square_pair(&castling.from, castle.out);
        });
    }
    let marks = &*mv.notes.marks;
    let is_mate = marks.contains('#');
    for (name, is_set) in [("check", is_mate || marks.contains('+')), ("mate", is_mate)] {
        if is_set {
            object.name(name);
            object.out.extend_from_slice(b"true");
        }
    }
    if !matches!(marks, "" | "+" | "#") {
        object.name("marks");
        Json::write_text_to(marks, object.out);
    }
    object.texts("comments", &mv.notes.comments);
    object.close();
}

/// An object that is being written.
struct Object<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
}

impl<'o> Object<'o> {
    fn open(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Object { out, is_empty: true }
    }

    fn close(self) {
        self.out.push(b'}');
    }

    fn comma(&mut self) {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
    }

    /// The name of the next member; its value must follow.
    fn name(&mut self, name: &str) {
        self.comma();
        Json::write_text_to(name, self.out);
        self.out.push(b':');
    }

    fn square_name(&mut self, square: &Square) {
        self.comma();
        self.out.push(b'"');
        square.write_to(self.out);
        self.out.extend_from_slice(b"\":");
    }

    /// A member that is an object.
    fn nested(&mut self, name: &str, members: impl FnOnce(&mut Object<'_>)) {
        self.name(name);
        let mut object = Object::open(self.out);
        members(&mut object);
        object.close();
    }

    /// A member that is a list of texts, unless there are none.
    fn texts(&mut self, name: &str, texts: &[Box<str>]) {
        if !texts.is_empty() {
            self.name(name);
            list(texts, self.out, |text, out| Json::write_text_to(text, out));
        }
    }
}

fn list<T>(items: impl IntoIterator<Item = T>, out: &mut Vec<u8>, mut item: impl FnMut(T, &mut Vec<u8>)) {
    out.push(b'[');
    for (index, value) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        item(value, out);
    }
    out.push(b']');
}

fn piece(piece: Piece, out: &mut Vec<u8>) {
    out.push(b'"');
    name::write_piece(piece, out);
    out.push(b'"');
}

/// A number while JavaScript reads it exactly, else a string.
fn integer(value: &Coord, out: &mut Vec<u8>) {
    const EXACT: u64 = (1 << 53) - 1;
    if value.as_i64().is_some_and(|value| value.unsigned_abs() <= EXACT) {
        value.write_to(out);
    } else {
        out.push(b'"');
        value.write_to(out);
        out.push(b'"');
    }
}

fn square_pair(square: &Square, out: &mut Vec<u8>) {
    list([&square.x, &square.y], out, integer);
}

fn or_null<T>(value: Option<T>, out: &mut Vec<u8>, write: impl FnOnce(T, &mut Vec<u8>)) {
    match value {
        Some(value) => write(value, out),
        None => out.extend_from_slice(b"null"),
    }
}

fn write_to(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to memory does not fail");
}
