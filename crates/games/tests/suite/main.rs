//! The door from the outside.

mod detect;
mod lists;
mod specification;
