//! Collections of games in, an embedded database, answers out.

pub mod db;
