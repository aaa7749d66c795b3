//! What moves do in infinite chess.

pub mod replay;
