//! The name of every position of a game.

use boardprint_base::replay::{ReplayError, play};
use boardprint_base::{Digest, DigestBatch};
use boardprint_bridge::fen::FenExt as _;
use boardprint_bridge::{BoardNamer, BoardTrail, Lossy, Marks, Trail};
use boardprint_cpn::Revision;
use boardprint_finite::{Board, Move, first_illegal};

use crate::finite::FiniteGame;
use crate::openings::Openings;
use crate::{Content, RecordError, RecordErrorKind, Start};

/// How positions of finite games are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// By their pieces and the side to move, as everybody names them.
    #[default]
    Plain,
    /// With castling rights and a usable en passant square as well.
    Rights,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 2] = [Profile::Plain, Profile::Rights];

    /// The name that a database keeps.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Profile::Plain => "cpn^ plain",
            Profile::Rights => "cpn^ rights",
        }
    }

    /// The profile with a name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Which marks of a finite game are written.
    #[must_use]
    pub const fn marks(self) -> Option<Marks> {
        match self {
            Profile::Plain => None,
            Profile::Rights => Some(Marks::Usable),
        }
    }
}

/// Writes the CPN of every position of a game. Its buffers are reused from one game to the next.
#[derive(Debug)]
pub struct PositionNamer {
    profile: Profile,
    /// Follows games of the open board; made when there is one, since most collections have none.
    infinite: Option<Trail>,
    /// Follows finite games without rights.
    plain: BoardTrail,
    /// What was hashed before.
    openings: Openings,
    /// What is hashed together.
    batch: DigestBatch,
    /// Names boards with rights.
    rights: BoardNamer,
}

/// The moves of a game up to the first that is illegal, and what is wrong with that.
fn known_moves<'a>(game: &'a FiniteGame<'_>, start: &Board) -> (&'a [Move], Option<RecordError>) {
    let moves = game.moves();
    let illegal = if game.is_played() { None } else { first_illegal(start, moves) };
    let Some(place) = illegal else { return (moves, None) };
    (&moves[..place], Some(RecordError::of_whole(RecordErrorKind::IllegalMove { ply: place + 1 })))
}

/// A position on its way to whoever asked: its name is written, or made when it is asked for.
enum Named<'a> {
    Cpn(&'a [u8]),
    Board(&'a mut BoardTrail),
}

impl PositionNamer {
    /// Names positions under a profile.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        PositionNamer {
            profile,
            infinite: None,
            plain: BoardTrail::new(),
            openings: Openings::new(),
            batch: DigestBatch::new(),
            rights: BoardNamer::new(true),
        }
    }

    /// The profile.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Hands on the CPN of each position in order, the start first. It is ASCII.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played.
    pub fn each_cpn(
        &mut self,
        content: &Content<'_>,
        mut each: impl FnMut(&[u8]),
    ) -> Result<(), RecordError> {
        self.each(content, |named| match named {
            Named::Cpn(cpn) => each(cpn),
            Named::Board(trail) => each(trail.cpn()),
        })
    }

    /// Hands on the hash of each position in order, the start first: the SHA-1 of its CPN, in less time than
    /// from the CPN.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played.
    pub fn each_hash(
        &mut self,
        content: &Content<'_>,
        mut each: impl FnMut(Digest),
    ) -> Result<(), RecordError> {
        if let (Content::Finite(game), Profile::Plain) = (content, self.profile)
            && let Start::Board(start) = game.start()
        {
            let (known, illegal) = known_moves(game, start);
            self.each_plain_hash(start, known.iter().copied(), each);
            return illegal.map_or(Ok(()), Err);
        }
        let mut batch = std::mem::take(&mut self.batch);
        let outcome = self.each(content, |named| {
            match named {
                Named::Cpn(cpn) => batch.push(cpn),
                Named::Board(trail) => trail.add_to(&mut batch),
            }
            if batch.is_full() {
                batch.take(&mut each);
            }
        });
        batch.take(each);
        self.batch = batch;
        outcome
    }

    /// Hands on the hash of each position of a finite game, the start first, given its moves. They are known
    /// to be legal, so that nobody asks the rules where the names do not depend on them: after another move
    /// the hashes mean nothing.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played, if that is seen.
    pub fn each_hash_of_known(
        &mut self,
        start: &Board,
        moves: impl IntoIterator<Item = Move>,
        mut each: impl FnMut(Digest),
    ) -> Result<(), RecordError> {
        match self.profile {
            Profile::Plain => self.each_plain_hash(start, moves, each),
            Profile::Rights => {
                let mut board = start.clone();
                each(Digest::of(self.rights.cpn(&board)));
                for (ply, step) in (1..).zip(moves) {
                    if board.play(step).is_err() {
                        return Err(RecordError::of_whole(RecordErrorKind::IllegalMove { ply }));
                    }
                    each(Digest::of(self.rights.cpn(&board)));
                }
            }
        }
        Ok(())
    }

    /// The hashes of a game without rights. Positions that other games came through by the same moves are not
    /// hashed again.
    #[inline]
    fn each_plain_hash(
        &mut self,
        start: &Board,
        moves: impl IntoIterator<Item = Move>,
        mut each: impl FnMut(Digest),
    ) {
        let mut known = self.openings.start(start);
        self.plain.start(start);
        each(self.plain.digest());
        for step in moves {
            self.plain.step(step);
            if known.is_over() {
                self.plain.add_to(&mut self.batch);
                if self.batch.is_full() {
                    self.batch.take(&mut each);
                }
                continue;
            }
            let hash = self.openings.next(&mut known, step).unwrap_or_else(|| {
                let hash = self.plain.digest();
                self.openings.add(&mut known, step, &hash);
                hash
            });
            each(hash);
        }
        self.batch.take(each);
    }

    /// The hash of each position, the start first.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played.
    pub fn hashes(&mut self, content: &Content<'_>) -> Result<Vec<Digest>, RecordError> {
        let mut hashes = Vec::with_capacity(content.plies() + 1);
        self.each_hash(content, |hash| hashes.push(hash))?;
        Ok(hashes)
    }

    #[inline]
    fn each(&mut self, content: &Content<'_>, mut each: impl FnMut(Named<'_>)) -> Result<(), RecordError> {
        match content {
            Content::Infinite(game) => {
                let mut position = game.start.clone();
                let trail = self.infinite.get_or_insert_with(Trail::new);
                each(Named::Cpn(trail.start_cpn(&position)));
                for (ply, step) in (1..).zip(&game.moves) {
                    let played = play(&mut position, step).map_err(|cause| ReplayError { ply, cause })?;
                    each(Named::Cpn(trail.step_cpn(&position, &played)));
                }
            }
            Content::Finite(game) => match game.start() {
                Start::Fen(fen) => {
                    let cpn = fen.to_cpn(self.profile.marks());
                    each(Named::Cpn(Lossy::parts(cpn).0.as_str().as_bytes()));
                }
                Start::Board(start) => match self.profile {
                    Profile::Plain => self.each_plain(game, start, each)?,
                    Profile::Rights => self.each_with_rights(game, start, each)?,
                },
            },
            Content::Board(cpn) => each(Named::Cpn(cpn.in_revision(Revision::Y2015).as_str().as_bytes())),
        }
        Ok(())
    }

    /// The pieces tell what a move does to them: a board is needed only to see whether the moves can be played.
    #[inline]
    fn each_plain(
        &mut self,
        game: &FiniteGame<'_>,
        start: &Board,
        mut each: impl FnMut(Named<'_>),
    ) -> Result<(), RecordError> {
        let (known, illegal) = known_moves(game, start);
        self.plain.start(start);
        each(Named::Board(&mut self.plain));
        for step in known {
            self.plain.step(*step);
            each(Named::Board(&mut self.plain));
        }
        illegal.map_or(Ok(()), Err)
    }

    fn each_with_rights(
        &mut self,
        game: &FiniteGame<'_>,
        start: &Board,
        mut each: impl FnMut(Named<'_>),
    ) -> Result<(), RecordError> {
        let mut board = start.clone();
        each(Named::Cpn(self.rights.cpn(&board)));
        for (ply, step) in (1..).zip(game.moves()) {
            if !game.play(&mut board, *step) {
                return Err(RecordError::of_whole(RecordErrorKind::IllegalMove { ply }));
            }
            each(Named::Cpn(self.rights.cpn(&board)));
        }
        Ok(())
    }
}
