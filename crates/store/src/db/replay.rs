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

    /// Hands on the text that tells a position from others, for each position of a game in order, the start
    /// first. Its hash is that of the position.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed; the text says why.
    fn positions(&self, game: &StoredGame, each: &mut dyn FnMut(&[u8])) -> Result<(), String>;

    /// The text of one position; `None` if the game is shorter.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed up to there; the text says why.
    fn position(&self, game: &StoredGame, ply: u32) -> Result<Option<Vec<u8>>, String> {
        let (mut at, mut found) = (0, None);
        self.positions(game, &mut |text| {
            if at == ply {
                found = Some(text.to_vec());
            }
            at += 1;
        })?;
        Ok(found)
    }

    /// The hash of such a text: its SHA-1.
    fn hash(&self, text: &[u8]) -> Digest {
        Digest::of(text)
    }

    /// The laws that a game was played under, in one spelling; `None` for the usual ones.
    fn laws(&self, game: &StoredGame) -> Option<String> {
        let _ = game;
        None
    }

    /// What the game was when it came in.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed; the text says why.
    fn replay(&self, game: &StoredGame) -> Result<Replayed, String> {
        let hash = self.hash(&self.identity(game)?);
        Ok(Replayed { hash, positions: self.hashes(game)?, laws: self.laws(game) })
    }

    /// The hash of each position with its ply.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed; the text says why.
    fn hashes(&self, game: &StoredGame) -> Result<Vec<(Digest, u32)>, String> {
        let mut positions = Vec::with_capacity(game.moves.len() + 1);
        let mut ply = 0;
        self.positions(game, &mut |text| {
            positions.push((self.hash(text), ply));
            ply += 1;
        })?;
        Ok(positions)
    }

    /// Hands on the hash of each position in order, the start first, as far as `plies` half-moves. The moves
    /// are known to be legal: the game just came in, or its hash is that of a game that did.
    ///
    /// # Errors
    ///
    /// If the game cannot be replayed; the text says why.
    fn each_hash(&self, game: &StoredGame, plies: u32, each: &mut dyn FnMut(&Digest)) -> Result<(), String> {
        let hashes = self.hashes(game)?;
        hashes.iter().take_while(|(_, ply)| *ply <= plies).for_each(|(hash, _)| each(hash));
        Ok(())
    }
}

/// A game played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// What tells the game from others.
    pub hash: Digest,
    /// The hash of each position and its ply.
    pub positions: Vec<(Digest, u32)>,
    /// The laws, unless they are the usual ones.
    pub laws: Option<String>,
}
