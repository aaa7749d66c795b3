//! What stored games mean.

use boardprint_base::Digest;

use super::game::StoredGame;

/// Plays stored games again. The database knows bytes; who knows the rules says what they mean.
pub trait Replay: Sync {
    /// The text that tells a game from others. Its hash is that of the game.
    ///
    /// # Errors
    ///
    /// If the game cannot be read; the text says why.
    fn identity(&self, game: &StoredGame) -> Result<Vec<u8>, String>;

    /// Hands on the text that tells a position from others, for each position of a game in order, the start first. Its hash is that
    /// of the position.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed; the text says why.
    fn positions(&self, game: &StoredGame, each: &mut dyn FnMut(&[u8])) -> Result<(), String>;

    /// The hash of such a text: its SHA-1.
    fn hash(&self, text: &[u8]) -> Digest {
        Digest::of(text)
    }

    /// What the game was when it came in.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed; the text says why.
    fn replay(&self, game: &StoredGame) -> Result<Replayed, String> {
        let hash = self.hash(&self.identity(game)?);
        let mut positions = Vec::with_capacity(game.moves.len() + 1);
        let mut ply = 0;
        self.positions(game, &mut |text| {
            positions.push((self.hash(text), ply));
            ply += 1;
        })?;
        Ok(Replayed { hash, positions })
    }
}

/// A game played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// What tells the game from others.
    pub hash: Digest,
    /// The hash of each position and its ply.
    pub positions: Vec<(Digest, u32)>,
}
