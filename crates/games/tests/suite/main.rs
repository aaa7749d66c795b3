//! The door from the outside.

mod detect;
mod specification;
