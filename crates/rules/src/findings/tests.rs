//! Findings of small games.
