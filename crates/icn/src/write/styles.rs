//! The styles for people and other programs.

use std::borrow::Cow;

use boardprint_base::replay::{Played, play};
use boardprint_base::{Coord, Game, Move, Piece, PieceKind, Placed, Player, Position, Tag};

use crate::parse::looks_like_rules;

use super::canonical::{write_border, write_fields, write_move, write_pieces, write_promotion, write_wins};
use super::{Style, WriteOptions, into_text, join, write_turn};

/// A game in a style other than canonical text.
pub(super) fn text(game: &Game, options: &WriteOptions) -> String {
    let mut writer = Writer { out: Vec::new(), options };
    writer.tags(&game.tags);
    let (before_fields, before_moves) = writer.opening_comments(game);
    for comment in before_fields {
        writer.comment(comment);
        writer.line(if options.style == Style::Readable { b"\n" } else { b" " });
    }
    if options.style.spells_out() {
        write_all_fields(&game.start, &mut writer.out);
    } else {
        write_fields(&game.start, &mut writer.out);
    }
    write_presets(game, &mut writer.out);
    if options.style.spells_out() {
        write_pieces(by_kind(&game.start), &mut writer.out);
    } else {
        write_pieces(&game.start.pieces, &mut writer.out);
    }
    if !game.moves.is_empty() || !before_moves.is_empty() {
        match options.style {
            Style::Readable => writer.numbered_moves(game, before_moves),
            _ => writer.joined_moves(game, before_moves),
        }
    }
    if options.style != Style::Universal {
        writer.result(game);
    }
    into_text(writer.out)
}

/// One move as a style writes it, on the position before it.
pub(super) fn one_move(style: Style, mv: &Move, position: &Position) -> String {
    let mover = position.turn.to_move();
    let mut out = Vec::new();
    match style {
        Style::Canonical => write_move(mv, mover, &mut out),
        Style::Compact => {
            write_move(mv, mover, &mut out);
            out.extend_from_slice(mv.notes.marks.as_bytes());
        }
        Style::Universal => out.extend_from_slice(mv.in_universal_form(mover).as_bytes()),
        Style::Moderate | Style::Readable => {
            let there = position.pieces.get(&mv.from).map(|placed| placed.piece);
            let captures = play(&mut position.clone(), mv).map(|played| played.captured().is_some());
            let decorated = Decorated {
                mv,
                piece: there.or(mv.notes.piece),
                captures: captures.unwrap_or(mv.notes.capture),
                mover,
            };
            if style == Style::Moderate {
                decorated.write_tight(&mut out);
            } else {
                decorated.write_squares(&mut out);
                write_suffix(&mut out, &decorated.suffix(&[]));
            }
        }
    }
    into_text(out)
}

/// A value with `'` for its quotes where one of them would end the tag, or leave it open.
fn closable(value: Cow<'_, str>) -> Cow<'_, str> {
    if breaks_tag(&value) { Cow::Owned(value.replace('"', "'")) } else { value }
}

/// Whether a quote in a value would end its tag, or leave it open: one before a bracket, or after a line end.
pub(super) fn breaks_tag(value: &str) -> bool {
    let Some(last) = value.rfind('"') else { return false };
    let ends = |quote: usize| value[quote + 1..].trim_start().starts_with(']');
    value[..last].contains('\n') || value.match_indices('"').any(|(quote, _)| ends(quote))
}

struct Writer<'w> {
    out: Vec<u8>,
    options: &'w WriteOptions,
}

impl Writer<'_> {
    /// Appends what stands between two parts: a space where everything is to stand on one line.
    fn line(&mut self, between: &[u8]) {
        self.out.extend_from_slice(if self.options.one_line { b" " } else { between });
    }

    fn tags(&mut self, tags: &[Tag]) {
        for (index, tag) in tags.iter().enumerate() {
            if index > 0 {
                self.line(b"\n");
            }
            let value = closable(self.options.free(&tag.value));
            // A colon would not read back what is empty or has blanks at its ends or a bracket.
            let is_plain = !value.is_empty() && value.trim() == value && !value.contains([']', '\n']);
            let text = if self.options.colon_tags && is_plain {
                format!("[{}: {value}]", tag.name)
            } else {
                format!("[{} \"{value}\"]", tag.name)
            };
            self.out.extend_from_slice(text.as_bytes());
        }
        if !tags.is_empty() {
            self.line(b"\n\n");
        }
    }

    /// The comments that stand before the fields, and those that would be read as extra rules there: they
    /// stand after a move number, with all that follow them.
    fn opening_comments<'g>(&self, game: &'g Game) -> (&'g [Box<str>], &'g [Box<str>]) {
        if self.options.style == Style::Universal {
            return (&[], &[]);
        }
        let comments = &game.opening_comments;
        let rules = comments.iter().position(|comment| looks_like_rules(comment));
        comments.split_at(rules.unwrap_or(comments.len()))
    }

    fn comment(&mut self, comment: &str) {
        let text = format!("{{{}}}", self.options.free(comment));
        self.out.extend_from_slice(text.as_bytes());
    }

    fn result(&mut self, game: &Game) {
        let Some(result) = game.result else { return };
        self.line(b"\n");
        self.out.extend_from_slice(result.as_str().as_bytes());
        for comment in &game.closing_comments {
            self.out.push(b' ');
            self.comment(comment);
        }
    }

    /// Moves joined by bars, with as much about each as the style has.
    fn joined_moves(&mut self, game: &Game, comments: &[Box<str>]) {
        self.line(b"\n");
        if !comments.is_empty() {
            self.out.extend_from_slice(format!("{}.", game.start.full_move).as_bytes());
            for comment in comments {
                self.comment(comment);
            }
            self.line(b"\n");
        }
        let mut position = (self.options.style == Style::Moderate).then(|| game.start.clone());
        for (ply, mv) in game.moves.iter().enumerate() {
            if ply > 0 {
                self.out.push(b'|');
            }
            let mover = game.start.turn.at(ply);
            match (&mut position, self.options.style) {
                (Some(position), _) => Decorated::played(mv, mover, position).0.write_tight(&mut self.out),
                (None, Style::Universal) => {
                    self.out.extend_from_slice(mv.in_universal_form(mover).as_bytes());
                    continue;
                }
                (None, _) => {
                    write_move(mv, mover, &mut self.out);
                    self.out.extend_from_slice(mv.notes.marks.as_bytes());
                }
            }
            mv.notes.comments.iter().for_each(|comment| self.comment(comment));
        }
    }

    /// `1. P4,2 > 4,4  | p4,7 > 4,6`, one line per full move.
    fn numbered_moves(&mut self, game: &Game, comments: &[Box<str>]) {
        self.line(b"\n\n");
        let mut position = game.start.clone();
        let mut line = Line { number: position.full_move.clone(), begun: false };
        if !comments.is_empty() {
            line.begin(&mut self.out);
            for comment in comments {
                self.comment(comment);
                self.out.push(b' ');
            }
        }
        if position.turn.is_white_and_black() && position.turn.to_move() == Player::BLACK {
            line.begin(&mut self.out);
            self.out.extend_from_slice(b"... | ");
        }
        for (ply, mv) in game.moves.iter().enumerate() {
            line.begin(&mut self.out);
            let (decorated, ends_line) = Decorated::played(mv, game.start.turn.at(ply), &mut position);
            decorated.write_squares(&mut self.out);
            let comments: Vec<_> =
                mv.notes.comments.iter().map(|comment| self.options.free(comment)).collect();
            let suffix = decorated.suffix(&comments);
            if ply + 1 == game.moves.len() {
                write_suffix(&mut self.out, &suffix);
            } else if ends_line {
                write_suffix(&mut self.out, &suffix);
                self.line(b"\n");
                line = Line { number: &line.number + 1, begun: false };
            } else {
                // The original text keeps the blank in front of a suffix that is not there.
                self.out.extend_from_slice(format!(" {suffix} | ").as_bytes());
            }
        }
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

/// Appends every field that has a value, defaults included, each with a space after it.
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

/// A move with what the board says about it.
struct Decorated<'m> {
    mv: &'m Move,
    piece: Option<Piece>,
    captures: bool,
    mover: Player,
}

impl<'m> Decorated<'m> {
    /// Plays a move; what its writer noted counts where it starts on an empty square. Says too whether a full
    /// move ends.
    fn played(mv: &'m Move, mover: Player, position: &mut Position) -> (Self, bool) {
        let there = position.pieces.get(&mv.from).map(|placed| placed.piece);
        let played = play(position, mv);
        let captures = played.as_ref().map_or(mv.notes.capture, |played| played.captured().is_some());
        let ends_line = played.as_ref().map_or(mover == Player::BLACK, Played::ends_full_move);
        (Decorated { mv, piece: there.or(mv.notes.piece), captures, mover }, ends_line)
    }

    /// Checks, and the other marks.
    fn marks(&self) -> (String, String) {
        self.mv.notes.marks.chars().partition(|mark| matches!(mark, '+' | '#'))
    }

    fn promotion(&self) -> String {
        self.mv.promotion.map(|kind| format!("={}", Piece::new(kind, self.mover))).unwrap_or_default()
    }

    /// Appends `P4,2 > 4,4`.
    fn write_squares(&self, out: &mut Vec<u8>) {
        if let Some(piece) = self.piece {
            piece.write_to(out);
        }
        self.mv.from.write_to(out);
        out.extend_from_slice(if self.captures { b" x " } else { b" > " });
        self.mv.to.write_to(out);
    }

    /// What belongs after the squares: promotion and check, other marks, comments.
    fn suffix(&self, comments: &[Cow<'_, str>]) -> String {
        let (checks, glyphs) = self.marks();
        let comments = comments.iter().map(|comment| format!("{{{comment}}}"));
        let parts: Vec<String> = [self.promotion() + &checks, glyphs].into_iter().chain(comments).collect();
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Appends `P2,7x1,8=Q+`.
    fn write_tight(&self, out: &mut Vec<u8>) {
        if let Some(piece) = self.piece {
            piece.write_to(out);
        }
        self.mv.from.write_to(out);
        out.push(if self.captures { b'x' } else { b'>' });
        self.mv.to.write_to(out);
        let (checks, glyphs) = self.marks();
        out.extend_from_slice((self.promotion() + &checks + &glyphs).as_bytes());
    }
}
