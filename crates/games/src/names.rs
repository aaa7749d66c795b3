//! The name of every position of a game.

use boardprint_base::Digest;
use boardprint_base::replay::{ReplayError, play};
use boardprint_bridge::fen::FenExt as _;
use boardprint_bridge::{BoardNamer, BoardTrail, Lossy, Marks, Trail};
use boardprint_cpn::Revision;
use boardprint_finite::{Board, Move};

use crate::finite::FiniteGame;
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
    /// Names boards with rights.
    rights: BoardNamer,
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
        PositionNamer { profile, infinite: None, plain: BoardTrail::new(), rights: BoardNamer::new(true) }
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

    /// Hands on the hash of each position in order, the start first: the SHA-1 of its CPN, in less time than from the CPN.
    ///
    /// # Errors
    ///
    /// The first move that cannot be played.
    pub fn each_hash(
        &mut self,
        content: &Content<'_>,
        mut each: impl FnMut(Digest),
    ) -> Result<(), RecordError> {
        self.each(content, |named| match named {
            Named::Cpn(cpn) => each(Digest::of(cpn)),
            Named::Board(trail) => each(trail.digest()),
        })
    }

    /// Hands on the hash of each position of a finite game, the start first, given its moves. They are known to be legal, so that
    /// nobody asks the rules where the names do not depend on them: after another move the hashes mean nothing.
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
            Profile::Plain => {
                self.plain.start(start);
                each(self.plain.digest());
                for step in moves {
                    self.plain.step(step);
                    each(self.plain.digest());
                }
            }
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
        let mut board = (!game.is_played()).then(|| start.clone());
        self.plain.start(start);
        each(Named::Board(&mut self.plain));
        for (ply, step) in (1..).zip(game.moves()) {
            if board.as_mut().is_some_and(|board| board.play(*step).is_err()) {
                return Err(RecordError::of_whole(RecordErrorKind::IllegalMove { ply }));
            }
            self.plain.step(*step);
            each(Named::Board(&mut self.plain));
        }
        Ok(())
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
