//! A position in every notation that can hold it.

use boardprint_base::{Digest, Game, Player, Side};
use boardprint_games::{Content, PositionNamer, Profile, RecordError, WriteOptions, piece_table};
use boardprint_icn::canonical_position;
use boardprint_rules::legal::{Condition, Trial};
use boardprint_rules::pieces::PieceTable;
use serde::Serialize;

/// On boards with more pieces nobody looks whether the game has ended.
const JUDGED_PIECES: usize = 200;

/// A position in every notation that can hold it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Position {
    pub(crate) hash: Digest,
    pub(crate) game: &'static str,
    pub(crate) turn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) icn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fen: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sfen: Option<String>,
    pub(crate) cpn: String,
    lost: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) conclusion: Option<Conclusion>,
}

/// How the rules ended a game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Conclusion {
    condition: &'static str,
    winner: Option<String>,
}

impl Position {
    /// The position of a content without moves, with these pieces.
    pub(crate) fn of(
        content: &Content<'_>,
        profile: Profile,
        table: &PieceTable,
    ) -> Result<Self, RecordError> {
        let mut cpn = String::new();
        PositionNamer::new(profile).each_cpn(content, |text| {
            if cpn.is_empty() {
                cpn = String::from_utf8_lossy(text).into_owned();
            }
        })?;
        let options = WriteOptions::default().rights(profile == Profile::Rights);
        let lost = content.to_cpn(&options).map(|(_, lost)| lost.names().collect()).unwrap_or_default();
        let mut position = Position {
            hash: Digest::of(cpn.as_bytes()),
            game: game_name(content),
            turn: String::new(),
            icn: None,
            fen: None,
            sfen: None,
            cpn,
            lost,
            conclusion: None,
        };
        match content {
            Content::Infinite(game) => {
                position.turn = game.start.turn.to_move().to_string();
                position.icn = Some(canonical_position(&game.start));
                position.conclusion = open_end(game, table);
            }
            Content::Finite(game) => {
                let fen = game.start().fen();
                position.turn = side_name(fen.side());
                position.fen = Some(fen.to_string());
                position.sfen = fen.to_sfen();
                position.conclusion = game.start().board().ok().and_then(|board| board.end()).map(Into::into);
            }
            Content::Board(cpn) => position.turn = side_name(cpn.side()),
            _ => {}
        }
        Ok(position)
    }
}

/// How a position of the open board stands ended. Bare material is there to be played with.
fn open_end(game: &Game, table: &PieceTable) -> Option<Conclusion> {
    if game.start.pieces.len() > JUDGED_PIECES {
        return None;
    }
    let table = piece_table(game).unwrap_or(table);
    let end = Trial::new(table, game.start.clone()).conclusion()?;
    (end.condition != Condition::InsufficientMaterial).then(|| Conclusion {
        condition: end.condition.name(),
        winner: end.victor.map(|player| player.to_string()),
    })
}

impl From<boardprint_finite::Conclusion> for Conclusion {
    fn from(end: boardprint_finite::Conclusion) -> Self {
        Conclusion { condition: end.condition.name(), winner: end.victor.map(side_name) }
    }
}

fn side_name(side: Side) -> String {
    if side == Side::Bottom { Player::WHITE } else { Player::BLACK }.to_string()
}

/// Which game a content is of.
pub(crate) fn game_name(content: &Content<'_>) -> &'static str {
    match content {
        Content::Infinite(_) => "infinite",
        Content::Finite(game) => game.game().name(),
        _ => "other",
    }
}
