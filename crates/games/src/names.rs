//! The name of every position of a game.

use boardprint_base::Digest;
use boardprint_base::replay::{ReplayError, play};
use boardprint_bridge::fen::FenExt as _;
use boardprint_bridge::{BoardNamer, Lossy, Marks, Trail};
use boardprint_cpn::Revision;

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
    infinite: Trail,
    finite: BoardNamer,
}

impl PositionNamer {
    /// Names positions under a profile.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        PositionNamer { profile, infinite: Trail::new(), finite: BoardNamer::new(profile == Profile::Rights) }
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
        match content {
            Content::Infinite(game) => {
                let mut position = game.start.clone();
                each(self.infinite.start_cpn(&position));
                for (ply, step) in (1..).zip(&game.moves) {
                    let played = play(&mut position, step).map_err(|cause| ReplayError { ply, cause })?;
                    each(self.infinite.step_cpn(&position, &played));
                }
            }
            Content::Finite(game) => match game.start() {
                Start::Fen(fen) => {
                    let cpn = fen.to_cpn(self.profile.marks());
                    each(Lossy::parts(cpn).0.as_str().as_bytes());
                }
                Start::Board(start) => {
                    let mut board = start.clone();
                    each(self.finite.cpn(&board));
                    for (ply, step) in (1..).zip(game.moves()) {
                        if !game.play(&mut board, *step) {
                            return Err(RecordError::of_whole(RecordErrorKind::IllegalMove { ply }));
                        }
                        each(self.finite.cpn(&board));
                    }
                }
            },
            Content::Board(cpn) => each(cpn.in_revision(Revision::Y2015).as_str().as_bytes()),
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
        self.each_cpn(content, |cpn| hashes.push(Digest::of(cpn)))?;
        Ok(hashes)
    }
}
