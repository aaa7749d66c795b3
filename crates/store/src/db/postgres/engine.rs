//! The engine on a server: a table per tree, the key its primary key.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use postgres::Row;

use super::conn::{Conn, fault, is_lost};
use super::server::{Server, Work};
use super::tables;
use super::tables::table;
use crate::db::engine::{Engine, Pair, Tree, Write};
use crate::db::error::{Error, Result, ServerFault};
use crate::db::head::Head;

/// The index of a database on a PostgreSQL server.
pub struct PostgresEngine {
    server: Arc<Server>,
    index: u32,
    /// A state that does not change, for readers; `None` for the writer.
    view: Option<Mutex<View>>,
}

/// A transaction that sees one state, on every server of the database.
pub(crate) struct View {
    conns: Vec<Conn>,
    /// The text of HEAD in that state.
    head: String,
}

/// The trees that lie on shards, if there are any: they are ordered by hash, and nearly everything is in them.
pub(crate) const SHARDED: [Tree; 2] = [Tree::Postings, Tree::Counts];

const BEGIN: &str = "begin isolation level repeatable read read only";
/// The number of the run, with which keys of sharded trees begin.
const RUN: usize = 4;

impl PostgresEngine {
    /// The index with a number.
    pub(crate) fn new(server: Arc<Server>, index: u32) -> Self {
        PostgresEngine { server, index, view: None }
    }

    /// Makes tables named by a number and gives the engine over them, for tests of engines. The database is
    /// locked until the engine is dropped.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached or refuses.
    pub fn scratch(url: &str, index: u32) -> Result<Self> {
        let server = Arc::new(Server::new(url)?);
        let held = server.lock(&crate::db::lock::Holder::this("a test", None), std::time::Duration::ZERO)?;
        std::mem::forget(held);
        let address = server.address().clone();
        server.write(0, &|conn| tables::create(conn, &address))?;
        server.create_index(index, crate::db::head::DatabaseId::new())?;
        Ok(Self::new(server, index))
    }

    /// Works on a server by number.
    fn on<T>(&self, number: usize, work: Work<'_, T>) -> Result<T> {
        let Some(view) = &self.view else { return self.server.read(number, work) };
        let mut view = view.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tries = 0;
        loop {
            let error = match work(&mut view.conns[number]) {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            tries += 1;
            if !is_lost(&error) || tries > 3 {
                return Err(fault(&self.server.node(number)?.address, &error));
            }
            // The same state is looked for; if it is gone, the answer so far and the rest would not fit
            // together.
            let again = self.server.view()?;
            if again.head != view.head {
                return Err(Error::Server {
                    server: self.server.address().name.clone(),
                    what: "the connection was lost, and the database changed meanwhile".to_owned(),
                    fault: ServerFault::Changed,
                });
            }
            *view = again;
        }
    }

    /// The server that holds a key.
    fn node_of(&self, tree: Tree, key: &[u8]) -> Result<usize> {
        let shards = self.server.shards()?;
        if shards.is_empty() || !SHARDED.contains(&tree) {
            return Ok(0);
        }
        let at = |place: usize| key.get(place).copied().unwrap_or(0);
        let hash = [at(RUN), at(RUN + 1)];
        Ok(shards.partition_point(|shard| shard.first <= hash).max(1))
    }

    /// The servers that hold a tree.
    fn nodes_of(&self, tree: Tree) -> Result<std::ops::Range<usize>> {
        let shards = self.server.shards()?.len();
        Ok(if shards > 0 && SHARDED.contains(&tree) { 1..shards + 1 } else { 0..1 })
    }

    fn floor_on(&self, number: usize, tree: Tree, key: &[u8], least: &[u8]) -> Result<Option<Pair>> {
        let table = table(tree, self.index);
        let sql =
            format!("select key, value from {table} where key <= $1 and key >= $2 order by key desc limit 1");
        self.on(number, &|conn| conn.query_opt(&sql, &[&key, &least])?.map(|row| pair(&row)).transpose())
    }

    fn scan_on(&self, number: usize, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>> {
        let table = table(tree, self.index);
        let sql =
            format!("select key, value from {table} where key >= $1 and key < $2 order by key limit $3");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.on(number, &|conn| conn.query(&sql, &[&from, &to, &limit])?.iter().map(pair).collect())
    }

    /// Groups changes by server and table; the last change of a key counts.
    fn sorted(&self, writes: Vec<Write>) -> Result<Grouped> {
        let mut groups = Grouped::new();
        for write in writes {
            let (tree, key, value) = match write {
                Write::Put { tree, key, value } => (tree, key, Some(value)),
                Write::Delete { tree, key } => (tree, key, None),
            };
            // The manifest counts together with HEAD.
            if tree == Tree::Meta {
                self.server.await_head();
            }
            groups.entry((self.node_of(tree, &key)?, tree)).or_default().insert(key, value);
        }
        Ok(groups)
    }
}

type Grouped = BTreeMap<(usize, Tree), BTreeMap<Vec<u8>, Option<Vec<u8>>>>;

fn pair(row: &Row) -> std::result::Result<Pair, postgres::Error> {
    Ok((row.try_get(0)?, row.try_get(1)?))
}

impl Engine for PostgresEngine {
    fn apply(&self, writes: Vec<Write>) -> Result<()> {
        for ((number, tree), changes) in self.sorted(writes)? {
            let table = table(tree, self.index);
            let gone: Vec<&[u8]> =
                changes.iter().filter(|(_, value)| value.is_none()).map(|(key, _)| &**key).collect();
            let (keys, values): (Vec<&[u8]>, Vec<&[u8]>) =
                changes.iter().filter_map(|(key, value)| Some((&**key, &**value.as_ref()?))).unzip();
            self.server.write(number, &|conn| {
                if !gone.is_empty() {
                    conn.execute(&format!("delete from {table} where key = any($1)"), &[&gone])?;
                }
                if !keys.is_empty() {
                    let sql = format!(
                        "insert into {table} select * from unnest($1::bytea[], $2::bytea[]) \
                         on conflict (key) do update set value = excluded.value"
                    );
                    conn.execute(&sql, &[&keys, &values])?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn load(&self, writes: Vec<Write>) -> Result<()> {
        for ((number, tree), changes) in self.sorted(writes)? {
            let table = table(tree, self.index);
            self.server.write(number, &|conn| {
                let rows = changes.iter().filter_map(|(key, value)| Some((&**key, &**value.as_ref()?)));
                conn.copy(&table, rows).map(drop)
            })?;
        }
        Ok(())
    }

    fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let sql = format!("select value from {} where key = $1", table(tree, self.index));
        let number = self.node_of(tree, key)?;
        self.on(number, &|conn| conn.value(&sql, &[&key]))
    }

    fn floor(&self, tree: Tree, key: &[u8]) -> Result<Option<Pair>> {
        let nodes = self.nodes_of(tree)?;
        if nodes.len() == 1 {
            return self.floor_on(nodes.start, tree, key, &[]);
        }
        // In the same run first: on the shard of the key, else on those before it, for a block may reach over
        // the border.
        let run = key.get(..RUN).unwrap_or_default();
        if !run.is_empty() {
            for number in (nodes.start..=self.node_of(tree, key)?).rev() {
                if let Some(pair) = self.floor_on(number, tree, key, run)? {
                    return Ok(Some(pair));
                }
            }
        }
        let below = if run.is_empty() { key } else { run };
        let mut found = None;
        for number in nodes {
            found = found.max(self.floor_on(number, tree, below, &[])?);
        }
        Ok(found)
    }

    fn scan(&self, tree: Tree, from: &[u8], to: &[u8], limit: usize) -> Result<Vec<Pair>> {
        if from >= to || limit == 0 {
            return Ok(Vec::new());
        }
        let nodes = self.nodes_of(tree)?;
        if nodes.len() == 1 {
            return self.scan_on(nodes.start, tree, from, to, limit);
        }
        let mut found: Vec<Pair> = Vec::new();
        if within_a_run(from, to) {
            for number in self.node_of(tree, from)?..nodes.end {
                found.extend(self.scan_on(number, tree, from, to, limit - found.len())?);
                if found.len() == limit {
                    break;
                }
            }
        } else {
            for number in nodes {
                found.extend(self.scan_on(number, tree, from, to, limit)?);
            }
            found.sort_unstable();
            found.truncate(limit);
        }
        Ok(found)
    }

    fn delete_range(&self, tree: Tree, from: &[u8], to: &[u8]) -> Result<()> {
        let sql = format!("delete from {} where key >= $1 and key < $2", table(tree, self.index));
        for number in self.nodes_of(tree)? {
            self.server.write(number, &|conn| conn.execute(&sql, &[&from, &to]).map(drop))?;
        }
        Ok(())
    }

    fn view(&self) -> Result<Option<Arc<dyn Engine>>> {
        let view = self.server.view()?;
        let head = Head::of_text(&view.head, Path::new("HEAD"))?;
        let server = Arc::clone(&self.server);
        Ok(Some(Arc::new(PostgresEngine { server, index: head.index, view: Some(Mutex::new(view)) })))
    }

    fn sync(&self) -> Result<()> {
        self.server.sync()
    }

    fn disk_size(&self) -> Result<u64> {
        let sql = "select coalesce(sum(pg_total_relation_size(to_regclass(name))), 0)::bigint from unnest($1::text[]) name";
        let mut size = 0;
        for number in 0..=self.server.shards()?.len() {
            let names: Vec<String> = Tree::ALL.iter().map(|tree| table(*tree, self.index)).collect();
            let bytes: Option<i64> = self.on(number, &|conn| conn.value(sql, &[&names]))?;
            size += u64::try_from(bytes.unwrap_or(0)).unwrap_or(0);
        }
        Ok(size)
    }
}

/// Whether all keys of a range are of one run.
fn within_a_run(from: &[u8], to: &[u8]) -> bool {
    let number = |key: &[u8]| key.first_chunk().copied().map(u32::from_be_bytes);
    match (number(from), number(to)) {
        (Some(first), Some(last)) if first == last => true,
        (Some(first), Some(last)) => to.len() == RUN && first.checked_add(1) == Some(last),
        _ => false,
    }
}

impl Drop for PostgresEngine {
    fn drop(&mut self) {
        let Some(view) = self.view.take() else { return };
        let conns = view.into_inner().unwrap_or_else(PoisonError::into_inner).conns;
        for (number, mut conn) in conns.into_iter().enumerate() {
            if let Ok(node) = self.server.node(number)
                && conn.batch("rollback").is_ok()
            {
                node.put(conn);
            }
        }
    }
}

impl Server {
    /// One state of the database, on every server.
    pub(crate) fn view(&self) -> Result<View> {
        const TRIES: usize = 50;
        let shards = self.shards()?.len();
        let mut tries = 0;
        loop {
            // Blocks on shards go away only after HEAD has changed: if it is the same before and after, they
            // are all there.
            let before: Option<String> = if shards > 0 { self.head_text()? } else { None };
            let mut conns = Vec::with_capacity(shards + 1);
            for number in 1..=shards {
                conns.push(self.node(number)?.begin(&format!("{BEGIN}; select 1"))?);
            }
            let mut main = self.node(0)?.begin(BEGIN)?;
            let failed = |error: postgres::Error| fault(self.address(), &error);
            let head: Option<String> = main.value(tables::HEAD, &[]).map_err(failed)?;
            conns.insert(0, main);
            tries += 1;
            match head {
                Some(head) if shards == 0 || before.as_ref() == Some(&head) || tries > TRIES => {
                    return Ok(View { conns, head });
                }
                Some(_) => {}
                None => return Err(Error::NoDatabase { path: self.name() }),
            }
            for (number, mut conn) in conns.into_iter().enumerate() {
                if conn.batch("rollback").is_ok() {
                    self.node(number)?.put(conn);
                }
            }
        }
    }

    fn head_text(&self) -> Result<Option<String>> {
        self.node(0)?.read(&|conn| conn.value(tables::HEAD, &[]))
    }
}
