//! Infinite chess notation.

pub mod variants;
