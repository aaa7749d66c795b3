//! The conformance suite over `corpus/`.

mod advisories;
mod bugs;
mod finite;
mod hostile;
mod icn;
mod json;
mod legal;
mod licences;
mod mutations;
mod names;
mod pages;
mod replay;
mod snapshots;
