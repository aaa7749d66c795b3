//! Fingerprints of games of infinite chess, and of positions.

use std::ops::Range;
use std::sync::Arc;

use boardprint_base::replay::position_at;
use boardprint_base::{Game, Laws, Position, Span, SyntaxError, SyntaxErrorKind, Tag};
use boardprint_bridge::{named_start, write_game_text};
use boardprint_icn::json::{self, MoveForm};
use boardprint_icn::{ReadOptions, Reading, write};

use super::By;
use super::fingerprint::{Chain, Fingerprint, Identity, date_key, is_known, players_key};
use crate::read::{Format, Record};

/// The fingerprint of an ICN record, short or long form.
pub(super) fn infinite(record: &Record, by: By, icn: &ReadOptions) -> Result<Fingerprint, SyntaxError> {
    let mut game = read(record, icn)?.game;
    let about = About::of(&game);
    let text = match by {
        By::Game | By::Prefix => identity(&game),
        By::Moves => {
            game.start.laws = Arc::new(Laws::default());
            game.start.move_rule = None;
            identity(&game)
        }
        By::Final => last(&game)?,
    };
    Ok(Fingerprint {
        digest: text.digest(),
        chain: if by == By::Prefix { chain(&game, &text) } else { Vec::new() },
        text,
        plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
        players: about.players,
        date: about.date,
        richness: about.richness,
    })
}

/// The tags of an ICN record; none if it cannot be read.
pub(super) fn tags(record: &Record, icn: &ReadOptions) -> Vec<(String, String)> {
    let Ok(reading) = read(record, icn) else { return Vec::new() };
    reading.game.tags.into_iter().map(|tag| (tag.name.into(), tag.value.into())).collect()
}

/// Gives a game some tags; one that it has already gets the new value.
pub fn add_tags(game: &mut Game, tags: &[(String, String)]) {
    for (name, value) in tags {
        let value = value.as_str().into();
        match game.tags.iter_mut().find(|tag| *tag.name == **name) {
            Some(tag) => tag.value = value,
            None => game.tags.push(Tag { name: name.as_str().into(), value }),
        }
    }
}

/// The text of an ICN record with some tags added.
pub(super) fn with_tags(record: &Record, tags: &[(String, String)], icn: &ReadOptions) -> String {
    if record.format == Format::Json {
        let written = read(record, icn).ok().and_then(|Reading { mut game, .. }| {
            add_tags(&mut game, tags);
            json::write(&game, MoveForm::Strings).ok()
        });
        return written.unwrap_or_else(|| record.text.clone());
    }
    let mut text = record.text.clone();
    let between = if text.contains("\r\n") {
        "\r\n"
    } else if text.contains('\n') {
        "\n"
    } else {
        " "
    };
    let mut new = String::new();
    for (name, value) in tags {
        let tag = format!("[{name} \"{value}\"]");
        if let Some(place) = empty_tag(&text, name) {
            text.replace_range(place, &tag);
        } else {
            new.push_str(&tag);
            new.push_str(between);
        }
    }
    new + &text
}

/// The bytes of a tag that says nothing, from `[` to `]`.
fn empty_tag(text: &str, name: &str) -> Option<Range<usize>> {
    text.match_indices('[').find_map(|(start, _)| {
        let value = text[start + 1..].strip_prefix(name)?;
        let length = value.find(']')?;
        let value = value[..length].trim_start().trim_start_matches(':').trim().trim_matches('"');
        (!is_known(value)).then_some(start..start + 1 + name.len() + length + 1)
    })
}

/// The fingerprint of a list's line: the text itself, since it has one spelling. It has no players who could disagree.
pub(super) fn line(text: &str, by: By) -> Fingerprint {
    let chain = Chain::new(text.as_bytes());
    let text = Identity::whole(text.into());
    Fingerprint {
        digest: text.digest(),
        text,
        chain: if by == By::Prefix { vec![chain.key()] } else { Vec::new() },
        plies: 0,
        players: Some(0),
        date: Some(0),
        richness: 0,
    }
}

/// The text that names the game, as the bridge writes it.
fn identity(game: &Game) -> Identity {
    let mut text = Vec::with_capacity(64 + game.start.pieces.len() * 8 + game.moves.len() * 10);
    write_game_text(game, &mut text);
    // The space before the moves is the last one.
    let moves = if game.moves.is_empty() { None } else { memchr::memrchr(b' ', &text) };
    Identity { start: moves.unwrap_or(text.len()), text }
}

/// The last position's identity, laws aside, and the number of plies.
fn last(game: &Game) -> Result<Identity, SyntaxError> {
    let last = position_at(game, usize::MAX).map_err(|_| {
        let rule = "a move begins on an empty square";
        let kind = SyntaxErrorKind::Broken { rule, hint: "check the moves before it, too" };
        SyntaxError::new(kind, Span::new(0, 0))
    })?;
    let bare = Position { laws: Arc::new(Laws::default()), move_rule: None, ..last };
    let mut text = Vec::with_capacity(64 + bare.pieces.len() * 8);
    write::write_canonical_position(&named_start(&bare), &mut text);
    text.extend_from_slice(format!(" {}", game.moves.len()).as_bytes());
    Ok(Identity::whole(text))
}

/// The keys of the start, without counters, and of every beginning.
fn chain(game: &Game, identity: &Identity) -> Vec<[u64; 2]> {
    let mut chain = Chain::new(&identity.text[..identity.start]);
    let mut text = Vec::with_capacity(32);
    let mut keys = Vec::with_capacity(game.moves.len() + 1);
    keys.push(chain.key());
    for played in &game.moves {
        text.clear();
        played.from.write_to(&mut text);
        text.push(b'>');
        played.to.write_to(&mut text);
        if let Some(kind) = played.promotion {
            text.push(b'=');
            text.extend_from_slice(kind.code().as_bytes());
        }
        chain.push_text(&text);
        keys.push(chain.key());
    }
    keys
}

fn read(record: &Record, icn: &ReadOptions) -> Result<Reading, SyntaxError> {
    let reading =
        if record.format == Format::Json { icn.parse_json(&record.text) } else { icn.parse(&record.text) };
    Ok(reading?)
}

/// What the tags and notes say.
struct About {
    players: Option<u64>,
    date: Option<u64>,
    richness: u16,
}

impl About {
    fn of(game: &Game) -> Self {
        let tag = |name: &str| game.tag(name).unwrap_or_default();
        let known = game.tags.iter().filter(|tag| is_known(&tag.value));
        let tags: usize = known.map(|tag| 1 + usize::from(tag.name.ends_with("Elo"))).sum();
        let comments = game.moves.iter().flat_map(|played| &played.notes.comments);
        let notes: usize = comments.map(|comment| 1 + usize::from(comment.contains("%clk"))).sum();
        let marks = game.moves.iter().filter(|played| !played.notes.marks.is_empty()).count();
        // A position without tags is nobody's game: two equal ones are one.
        let is_bare = game.tags.is_empty() && game.moves.is_empty();
        About {
            players: if is_bare { Some(0) } else { players_key(tag("White"), tag("Black")) },
            date: if is_bare { Some(0) } else { date_key(tag("UTCDate")).or_else(|| date_key(tag("Date"))) },
            richness: u16::try_from(tags + notes + marks).unwrap_or(u16::MAX),
        }
    }
}
