//! Everything about a position: what it is, what was played, who played it.

use boardprint_base::{Digest, Player, Side};
use boardprint_finite::Notation;
use boardprint_games::{Content, Profile};
use boardprint_rules::pieces::PieceTable;
use boardprint_store::db::{self, Answer, Filter, MoveLine, Side as Mover, Snapshot, StoredMove};
use boardprint_store::games::Rules;
use serde::Serialize;

use super::AnswerError;
use super::moves::{Move, NextNamer, Ply, plies};
use super::position::Position;
use super::rows::{GameRow, Paths, Results};
use crate::asked::{Asked, Warning};

/// Everything about a position.
#[derive(Serialize)]
pub(crate) struct Explored {
    generation: u64,
    taken_as: &'static str,
    position: Named,
    line: Vec<Ply>,
    start: Option<Position>,
    pub(crate) occurrences: u64,
    game_count: u64,
    ended_here: u64,
    results: Results,
    rating: Option<u16>,
    pub(crate) moves: Vec<NextMove>,
    pub(crate) more_moves: usize,
    games: Vec<GameRow>,
    #[serde(rename = "nextCursor")]
    next_cursor: Option<String>,
    warnings: Vec<Warning>,
}

/// A position, or its hash alone, if nobody knows more.
#[derive(Serialize)]
#[serde(untagged)]
enum Named {
    Whole(Box<Position>),
    Hash { hash: Digest },
}

/// A move that was played, or could have been and leads to a position that occurred.
#[derive(Serialize)]
pub(crate) struct NextMove {
    #[serde(flatten)]
    pub(crate) step: Move,
    pub(crate) occurrences: u64,
    pub(crate) games: u64,
    pub(crate) results: Results,
    pub(crate) rating: Option<u16>,
    pub(crate) hash: Option<Digest>,
    pub(crate) reached: u64,
    /// The first game with it.
    #[serde(skip)]
    #[cfg_attr(not(feature = "serve"), expect(dead_code, reason = "only lichess names it"))]
    pub(crate) first: Option<u64>,
}

/// Who makes answers: the database, what its games mean, and to whom they are shown.
#[derive(Clone, Copy)]
pub(crate) struct Shower<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) rules: &'a Rules,
    pub(crate) profile: Profile,
    pub(crate) pieces: &'a PieceTable,
    pub(crate) paths: Paths,
}

impl Shower<'_> {
    /// A position that somebody asked about, with this many moves.
    pub(crate) fn explored(
        &self,
        asked: &Asked,
        position: Position,
        filter: &Filter,
        answer: &Answer,
        moves: usize,
    ) -> Result<Explored, AnswerError> {
        let mut explored = self.bare(asked.taken_as, Named::Whole(Box::new(position)), answer)?;
        let played = answer.moves.iter().filter(|line| line.next.is_some()).count();
        explored.more_moves = played.saturating_sub(moves);
        explored.moves = self.next_moves(&asked.now, filter, answer, moves)?;
        explored.line = plies(&asked.whole, self.profile)?;
        if asked.has_start {
            explored.start = Some(Position::of(&asked.whole.at(0)?, self.profile, self.pieces)?);
        }
        explored.warnings.clone_from(&asked.warnings);
        Ok(explored)
    }

    /// A hash that no position has.
    pub(crate) fn unknown(&self, hash: Digest, answer: &Answer) -> Result<Explored, AnswerError> {
        self.bare("hash", Named::Hash { hash }, answer)
    }

    /// What the answer of the database says by itself.
    fn bare(
        &self,
        taken_as: &'static str,
        position: Named,
        answer: &Answer,
    ) -> Result<Explored, AnswerError> {
        Ok(Explored {
            generation: self.snapshot.generation(),
            taken_as,
            position,
            line: Vec::new(),
            start: None,
            occurrences: answer.occurrences,
            game_count: answer.games,
            ended_here: answer.moves.iter().find(|line| line.next.is_none()).map_or(0, MoveLine::count),
            results: (&answer.results).into(),
            rating: answer.mean_rating,
            moves: Vec::new(),
            more_moves: 0,
            games: GameRow::all(self.snapshot, &answer.list, self.paths)?,
            next_cursor: answer.next.map(|cursor| cursor.to_string()),
            warnings: Vec::new(),
        })
    }

    /// The moves that were played from a position, this many, the most frequent first and then by name.
    pub(crate) fn next_moves<'a>(
        &self,
        now: &Content<'_>,
        filter: &Filter,
        answer: &'a Answer,
        limit: usize,
    ) -> Result<Vec<NextMove>, AnswerError> {
        let shown = |line: &'a MoveLine| Some((Move::stored(now, line.next.as_ref()?), line));
        let mut lines: Vec<(Move, &MoveLine)> = answer.moves.iter().filter_map(shown).collect();
        lines.sort_by(|(a, left), (b, right)| {
            right.count().cmp(&left.count()).then_with(|| a.text.cmp(&b.text))
        });
        let mut namer = NextNamer::new(now, self.profile);
        let mut moves = Vec::with_capacity(lines.len().min(limit));
        for (step, line) in lines.into_iter().take(limit) {
            let step = self.whole(step, now, line)?;
            let (hash, reached) = self.after(&mut namer, line, filter)?.unzip();
            moves.push(NextMove {
                step,
                occurrences: line.count(),
                games: line.games,
                results: (&line.results).into(),
                rating: line.mean_rating,
                hash,
                reached: reached.unwrap_or(0).max(line.count()),
                first: Some(line.first.0),
            });
        }
        Ok(moves)
    }

    /// The hash after a move, and how often that position occurred. Whoever plays a legal move of a finite
    /// game knows the position after it; else the first game with the move tells.
    fn after(
        &self,
        namer: &mut NextNamer<'_>,
        line: &MoveLine,
        filter: &Filter,
    ) -> Result<Option<(Digest, u64)>, AnswerError> {
        if let Some(step @ StoredMove::Finite(_)) = &line.next
            && let Some(hash) = namer.after(step)
        {
            return Ok(Some((hash, self.snapshot.occurrences(&hash, filter)?)));
        }
        Ok(self.snapshot.after_move(line, filter, self.rules)?)
    }

    /// A move with its SAN. Where rights differ, because names of positions need not carry them, the move may
    /// be illegal in the position that was asked about; then the game that has it tells.
    fn whole(&self, step: Move, now: &Content<'_>, line: &MoveLine) -> Result<Move, AnswerError> {
        let has_san = matches!(now, Content::Finite(game) if Notation::San.fits(game.game()));
        let (Some(stored), true) = (&line.next, has_san && step.san.is_none()) else { return Ok(step) };
        let (id, ply) = line.first;
        let unplayable = |why: String| AnswerError::Store(db::Error::Replay { id, why });
        let content = self.rules.content(&*self.snapshot.game(id)?).map_err(unplayable)?;
        Ok(Move::stored(&content.at(ply as usize)?, stored))
    }
}

/// Who is to move, if that is one of the two whom games name.
pub(crate) fn mover(now: &Content<'_>) -> Option<Mover> {
    let is_white = match now {
        Content::Infinite(game) => match game.start.turn.to_move() {
            Player::WHITE => true,
            Player::BLACK => false,
            _ => return None,
        },
        Content::Finite(game) => game.start().fen().side() == Side::Bottom,
        _ => return None,
    };
    Some(if is_white { Mover::White } else { Mover::Black })
}
