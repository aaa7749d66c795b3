//! Shards: postings and counts on several servers, by ranges of hashes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::conn::{Node, fault};
use super::server::Server;
use super::tables;
use super::url::Address;
use crate::db::error::{Error, Result, ServerFault};
use crate::db::home::Found;
use crate::db::lock::Holder;

/// A server with a range of hashes.
#[derive(Debug)]
pub(crate) struct Shard {
    /// The first two bytes of the least hash of its range.
    pub(crate) first: [u8; 2],
    pub(crate) node: Arc<Node>,
}

impl Shard {
    /// The shards that a database names, by range.
    pub(crate) fn all(main: &Node) -> Result<Vec<Self>> {
        let rows: Vec<(Vec<u8>, String)> = main.read(&|conn| {
            let there =
                conn.query("select from pg_catalog.pg_class where oid = to_regclass('shards')", &[])?;
            if there.is_empty() {
                return Ok(Vec::new());
            }
            let rows = conn.query("select first, url from shards order by first", &[])?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })?;
        let mut shards = Vec::with_capacity(rows.len());
        for (first, url) in rows {
            let first = first.try_into().map_err(|_| wrong(main, "the range of a shard cannot be read"))?;
            let node = Arc::new(Node::new(main.address.shard(&url)?));
            shards.push(Shard { first, node });
        }
        if shards.first().is_some_and(|shard| shard.first != [0, 0]) {
            return Err(wrong(main, "no shard has the least hashes"));
        }
        Ok(shards)
    }
}

fn wrong(main: &Node, what: &str) -> Error {
    let fault = ServerFault::Layout;
    Error::Server { server: main.address.name.clone(), what: what.to_owned(), fault }
}

/// Where the range of a shard begins, if there are this many and they are alike.
fn range(number: usize, count: usize) -> [u8; 2] {
    let first = (number << 16) / count;
    u16::try_from(first).unwrap_or(u16::MAX).to_be_bytes()
}

/// Spreads the positions of a database that is still to be filled over several servers, in equal ranges of
/// hashes.
///
/// Every address, that of the database included, must name a schema that is empty or does not exist.
/// Passwords are not kept: shards are asked with that of the database.
///
/// # Errors
///
/// If a server cannot be reached, or one of the schemas holds something.
pub fn make_shards(database: &Path, shards: &[String]) -> Result<()> {
    let url = database.to_str().unwrap_or_default();
    let server = Arc::new(Server::new(url)?);
    if shards.is_empty() || shards.len() > 256 {
        return Err(Error::TooLarge { what: "the number of shards", limit: 256 });
    }
    let _held = server.lock(&Holder::this("shard", None), Duration::ZERO)?;
    if let Found::Head(_) = server.look()? {
        return Err(occupied(server.address(), "the database holds games already"));
    }
    if !server.shards()?.is_empty() {
        return Err(occupied(server.address(), "the database has shards already"));
    }
    let mut addresses: Vec<Address> = Vec::with_capacity(shards.len());
    for text in shards {
        let address = server.address().shard(text)?;
        if address.name == server.address().name || addresses.iter().any(|other| other.name == address.name) {
            return Err(occupied(&address, "it is named twice"));
        }
        addresses.push(address);
    }
    for (number, address) in addresses.iter().enumerate() {
        let mut conn = Node::new(address.clone()).connect(false)?;
        let failed = |error: postgres::Error| fault(address, &error);
        if !matches!(tables::look(&mut conn, &address.schema).map_err(failed)?, tables::Looked::Nothing) {
            return Err(occupied(address, "the schema of a shard must be empty"));
        }
        let number = i32::try_from(number).unwrap_or(i32::MAX);
        let coordinator = &server.address().name;
        let mut make = || {
            conn.batch("begin")?;
            tables::create_shard(&mut conn, address)?;
            conn.execute("insert into shard (number, coordinator) values ($1, $2)", &[&number, coordinator])?;
            conn.batch("commit")
        };
        make().map_err(failed)?;
    }
    let main = server.address().clone();
    server.write(0, &|conn| {
        tables::create(conn, &main)?;
        for (number, address) in addresses.iter().enumerate() {
            let (first, number) = (range(number, addresses.len()), i32::try_from(number).unwrap_or(i32::MAX));
            let sql = "insert into shards (number, first, url) values ($1, $2, $3)";
            conn.execute(sql, &[&number, &&first[..], &address.name])?;
        }
        Ok(())
    })?;
    server.commit()
}

fn occupied(address: &Address, what: &str) -> Error {
    Error::Server { server: address.name.clone(), what: what.to_owned(), fault: ServerFault::Occupied }
}
