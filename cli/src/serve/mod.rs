//! The explorer: a database over HTTP, for people as a page and for programs as JSON.
//!
//! | module | holds |
//! |---|---|
//! | `listen`, `gate`, `routes` | connections, what every request passes, which address is answered by what |
//! | `app` | what questions share: database, limits, the pool, answers given before |
//! | `view` | which state of the database is answered from |
//! | `query`, `position`, `fault` | parameters, the position that they name, errors |
//! | `accept` | which answers a client wants and has |
//! | `explore`, `games`, `numbers`, `copies`, `reading`, `legal`, `picture`, `lichess` | the calls |
//! | `keeper` | what is found out about stored games in the background |
//! | `intake` | files that come in while answering |
//! | `page` | the files of the page |
//! | `server`, `told` | a server from its beginning to its end, and what it is told |
//! | `client` | how other commands ask a server that holds their database |

#[cfg(feature = "serve")]
mod accept;
#[cfg(feature = "serve")]
mod app;
pub(crate) mod client;
#[cfg(feature = "serve")]
mod copies;
#[cfg(feature = "serve")]
mod explore;
#[cfg(feature = "serve")]
mod fault;
#[cfg(feature = "serve")]
mod games;
#[cfg(feature = "serve")]
mod gate;
#[cfg(feature = "serve")]
mod intake;
#[cfg(feature = "serve")]
mod keeper;
#[cfg(feature = "serve")]
mod legal;
#[cfg(feature = "serve")]
mod lichess;
#[cfg(feature = "serve")]
mod listen;
#[cfg(feature = "serve")]
mod numbers;
#[cfg(feature = "serve")]
mod page;
#[cfg(feature = "serve")]
mod picture;
#[cfg(feature = "serve")]
mod position;
#[cfg(feature = "serve")]
mod query;
#[cfg(feature = "serve")]
mod reading;
#[cfg(feature = "serve")]
mod routes;
#[cfg(feature = "serve")]
mod server;
#[cfg(feature = "serve")]
mod told;
#[cfg(feature = "serve")]
mod view;

#[cfg(feature = "serve")]
pub(crate) use self::app::Limits;
#[cfg(feature = "serve")]
pub(crate) use self::server::{Options, run};
