//! The tables of a database, version 1, and what may be found in their place.

use std::path::Path;

use super::conn::Conn;
use super::url::{Address, quoted};
use crate::db::engine::Tree;
use crate::db::error::{Error, ServerFault};
use crate::db::head::Head;
use crate::db::lock::Holder;

/// The version of the layout.
pub(crate) const VERSION: i32 = 1;

pub(crate) const HEAD: &str = "select text from head";
pub(crate) const PUT_HEAD: &str =
    "insert into head (text) values ($1) on conflict (one) do update set text = excluded.text";

type Done<T> = std::result::Result<T, postgres::Error>;

/// What is in a schema.
pub(crate) enum Looked {
    /// Nothing, or tables without anything in them.
    Nothing,
    /// The text of HEAD.
    Head(String),
    /// The log has rows, but there is no HEAD.
    NoHead,
    /// Tables of somebody else.
    NotOurs,
    /// A shard of a database.
    Shard,
    /// Another version of the layout.
    Version(i32),
}

impl Looked {
    /// What is wrong.
    pub(crate) fn error(&self, name: &Path, address: &Address) -> Error {
        let fault = |what: String, fault| Error::Server { server: address.name.clone(), what, fault };
        match self {
            Looked::Version(found) => fault(
                format!("the tables have layout {found}, this program knows layout {VERSION}"),
                ServerFault::Layout,
            ),
            Looked::Shard => {
                fault("this is a shard, which holds positions but no games".to_owned(), ServerFault::Shard)
            }
            Looked::NoHead => Error::HeadMissing { path: name.join("head") },
            _ => fault(
                format!("the schema {} holds tables that are not ours", quoted(&address.schema)),
                ServerFault::NotOurs,
            ),
        }
    }
}

/// Looks at a schema.
pub(crate) fn look(conn: &mut Conn, schema: &str) -> Done<Looked> {
    let list = "select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace \
                where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f')";
    let names: Vec<String> =
        conn.query(list, &[&schema])?.iter().map(|row| row.try_get(0)).collect::<Done<_>>()?;
    let has = |name: &str| names.iter().any(|found| found == name);
    if names.is_empty() {
        return Ok(Looked::Nothing);
    }
    if !has("layout") || !(has("log") && has("head") && has("indexes") && has("shards") || has("shard")) {
        return Ok(Looked::NotOurs);
    }
    let version = conn.value("select version from layout", &[])?.unwrap_or(0);
    if version != VERSION {
        return Ok(Looked::Version(version));
    }
    if has("shard") {
        return Ok(Looked::Shard);
    }
    if let Some(text) = conn.value(HEAD, &[])? {
        return Ok(Looked::Head(text));
    }
    let games: Option<bool> = conn.value("select exists (select from log)", &[])?;
    Ok(if games == Some(true) { Looked::NoHead } else { Looked::Nothing })
}

/// Makes the tables of an empty database.
pub(crate) fn create(conn: &mut Conn, address: &Address) -> Done<()> {
    begin_schema(conn, address)?;
    conn.batch(
        "create table if not exists head (one bool primary key default true check (one), text text not null); \
         create table if not exists log (segment int, at bigint, bytes bytea not null, primary key (segment, at)); \
         alter table log alter column bytes set storage external; \
         create index if not exists log_segments on log (segment) where at = 0; \
         create table if not exists holder (one bool primary key default true check (one), process bigint not null, \
           host text not null, purpose text not null, since bigint not null, address text); \
         create table if not exists indexes (number int primary key, id text not null, engine text not null); \
         create table if not exists shards (number int primary key, first bytea not null unique, url text not null)",
    )
}

/// Makes the tables of a shard.
pub(crate) fn create_shard(conn: &mut Conn, address: &Address) -> Done<()> {
    begin_schema(conn, address)?;
    conn.batch(
        "create table if not exists shard (one bool primary key default true check (one), number int not null, \
         coordinator text not null)",
    )
}

fn begin_schema(conn: &mut Conn, address: &Address) -> Done<()> {
    // Asked first: whoever may not make schemas may still use one that is there.
    let there = conn.query("select from pg_catalog.pg_namespace where nspname = $1", &[&address.schema])?;
    if there.is_empty() {
        conn.batch(&format!("create schema {}", address.quoted_schema()))?;
    }
    conn.batch(&format!(
        "create table if not exists layout (version int primary key); \
         insert into layout values ({VERSION}) on conflict do nothing"
    ))
}

/// The name of the table of a tree.
pub(crate) fn table(tree: Tree, index: u32) -> String {
    format!("{}_{index}", tree.name())
}

/// Makes the tables of trees.
pub(crate) fn create_trees(conn: &mut Conn, trees: &[Tree], index: u32) -> Done<()> {
    for tree in trees {
        let table = table(*tree, index);
        // Blocks are packed already; PostgreSQL need not try again, and finds parts of them faster.
        conn.batch(&format!(
            "create table {table} (key bytea primary key, value bytea not null); \
             alter table {table} alter column value set storage external"
        ))?;
    }
    Ok(())
}

/// Removes the tables of trees. Whoever reads them is not waited for: then it is an error, and they go
/// another time.
pub(crate) fn drop_trees(conn: &mut Conn, trees: &[Tree], index: u32) -> Done<()> {
    let names: Vec<String> = trees.iter().map(|tree| table(*tree, index)).collect();
    conn.batch(&format!("set local lock_timeout to '50ms'; drop table if exists {}", names.join(", ")))
}

/// Who holds the database, as the table says.
pub(crate) fn holder(conn: &mut Conn) -> Option<Holder> {
    let row = conn.query_opt("select process, host, purpose, since, address from holder", &[]).ok()??;
    Some(Holder {
        process: u32::try_from(row.try_get::<_, i64>(0).ok()?).ok()?,
        host: row.try_get(1).ok()?,
        purpose: row.try_get(2).ok()?,
        since: u64::try_from(row.try_get::<_, i64>(3).ok()?).ok()?,
        address: row.try_get(4).ok()?,
        games: conn.value(HEAD, &[]).ok().flatten().and_then(|text: String| games(&text)),
    })
}

/// How many games a HEAD speaks of.
fn games(head: &str) -> Option<u64> {
    Head::of_text(head, Path::new("HEAD")).ok().map(|head| head.games)
}

/// Who holds the lock, as the server knows its connections: for a database that is only just being made.
pub(crate) fn holder_by_activity(conn: &mut Conn, class: i32, object: i32) -> Option<Holder> {
    let sql = "select coalesce(a.application_name, ''), coalesce(host(a.client_addr), ''), \
               coalesce(extract(epoch from a.backend_start), 0)::bigint \
               from pg_catalog.pg_locks l join pg_catalog.pg_stat_activity a on a.pid = l.pid \
               where l.locktype = 'advisory' and l.granted and l.classid = $1::int::oid and l.objid = $2::int::oid \
               and l.database = (select oid from pg_catalog.pg_database where datname = current_database())";
    let row = conn.query_opt(sql, &[&class, &object]).ok()??;
    let name: String = row.try_get(0).ok()?;
    let (purpose, process) = name.strip_prefix("boardprint ")?.rsplit_once(' ')?;
    let host: String = row.try_get(1).ok()?;
    Some(Holder {
        process: process.parse().ok()?,
        host: Some(host).filter(|host| !host.is_empty()),
        purpose: purpose.to_owned(),
        since: u64::try_from(row.try_get::<_, i64>(2).ok()?).ok()?,
        address: None,
        games: None,
    })
}

/// Writes down who holds the database.
pub(crate) fn note_holder(conn: &mut Conn, holder: &Holder) {
    let there = conn.query("select from pg_catalog.pg_class where oid = to_regclass('holder')", &[]);
    if there.is_ok_and(|rows| !rows.is_empty()) {
        let sql = "insert into holder (process, host, purpose, since, address) values ($1, $2, $3, $4, $5) \
                   on conflict (one) do update set process = excluded.process, host = excluded.host, \
                   purpose = excluded.purpose, since = excluded.since, address = excluded.address";
        let host = holder.host.clone().unwrap_or_default();
        let since = i64::try_from(holder.since).unwrap_or(i64::MAX);
        let _ =
            conn.execute(sql, &[&i64::from(holder.process), &host, &holder.purpose, &since, &holder.address]);
    }
}
