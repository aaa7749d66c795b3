//! A server, seen from a database: who writes, and in which transaction.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::conn::{Conn, Node, fault, is_lost};
use super::engine::SHARDED;
use super::shards::Shard;
use super::tables;
use super::url::Address;
use crate::db::engine::Tree;
use crate::db::error::{Error, Result};
use crate::db::head::{DatabaseId, Head};
use crate::db::home::Found;
use crate::db::lock::Holder;

/// The first half of the advisory lock: ours. The second is the schema's.
const LOCK: i32 = 0x6272_6470;

/// A database on a server.
#[derive(Debug)]
pub(crate) struct Server {
    /// The server that the address names; it holds everything but what lies on shards.
    main: Arc<Node>,
    shards: OnceLock<Vec<Shard>>,
    writer: Mutex<Writer>,
}

/// The one who writes, with a transaction per server.
#[derive(Default)]
struct Writer {
    /// By server, the main one first. Empty for readers.
    conns: Vec<Option<Transaction>>,
    holder: Holder,
    /// What failed first, if anything did: from then on nothing is written.
    broken: Option<Error>,
    /// Whether the log or the manifest were written: HEAD ends the transaction then.
    acknowledges: bool,
    /// HEAD as this writer knows it.
    head: Option<String>,
}

struct Transaction {
    conn: Conn,
    begun: bool,
}

impl Writer {
    /// Whether writing goes on; whoever comes after a failure learns what it was.
    fn check(&self) -> Result<()> {
        self.broken.as_ref().map_or(Ok(()), |error| Err(error.again()))
    }

    /// Writes no more. Closing the connections undoes what was begun, and gives the lock back.
    fn fail(&mut self, error: &Error) {
        self.broken.get_or_insert_with(|| error.again());
        self.conns.clear();
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("broken", &self.broken).finish_non_exhaustive()
    }
}

/// Work on a connection.
pub(crate) type Work<'a, T> = &'a dyn Fn(&mut Conn) -> std::result::Result<T, postgres::Error>;

impl Server {
    /// The server of an address. Nothing is asked of it yet.
    pub(crate) fn new(url: &str) -> Result<Self> {
        let main = Arc::new(Node::new(Address::parse(url)?));
        Ok(Server { main, shards: OnceLock::new(), writer: Mutex::default() })
    }

    /// The address for messages.
    pub(crate) fn name(&self) -> PathBuf {
        self.main.address.name.clone().into()
    }

    pub(crate) fn address(&self) -> &Address {
        &self.main.address
    }

    /// The shards; none if postings lie with everything else.
    pub(crate) fn shards(&self) -> Result<&[Shard]> {
        if let Some(shards) = self.shards.get() {
            return Ok(shards);
        }
        let found = Shard::all(&self.main)?;
        Ok(self.shards.get_or_init(|| found))
    }

    /// A server by number: 0 is the main one, then the shards.
    pub(crate) fn node(&self, number: usize) -> Result<&Arc<Node>> {
        match number.checked_sub(1) {
            None => Ok(&self.main),
            Some(shard) => Ok(&self.shards()?[shard].node),
        }
    }

    /// What is in the schema.
    pub(crate) fn look(&self) -> Result<Found> {
        let address = &self.main.address;
        match self.read(0, &|conn| tables::look(conn, &address.schema))? {
            tables::Looked::Nothing => Ok(Found::Nothing),
            tables::Looked::Head(text) => Head::of_text(&text, &self.name().join("HEAD")).map(Found::Head),
            wrong => Err(wrong.error(&self.name(), address)),
        }
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Becomes the writer; waits for another one for a while.
    pub(crate) fn lock(self: &Arc<Self>, holder: &Holder, wait: Duration) -> Result<Held> {
        self.main.set_purpose(&holder.purpose);
        let mut conn = self.main.connect(false)?;
        self.take_lock(&mut conn, holder, wait)?;
        let head = conn.value(tables::HEAD, &[]).ok().flatten();
        let mut writer = self.writer();
        *writer = Writer {
            conns: vec![Some(Transaction { conn, begun: false })],
            holder: holder.clone(),
            head,
            ..Writer::default()
        };
        Ok(Held(Arc::clone(self)))
    }

    fn take_lock(&self, conn: &mut Conn, holder: &Holder, wait: Duration) -> Result<()> {
        const STEP: Duration = Duration::from_millis(50);
        let deadline = Instant::now() + wait;
        let schema = i32::from_ne_bytes(crc32fast::hash(self.main.address.schema.as_bytes()).to_ne_bytes());
        let failed = |error: postgres::Error| fault(&self.main.address, &error);
        loop {
            let locked: Option<bool> =
                conn.value("select pg_try_advisory_lock($1, $2)", &[&LOCK, &schema]).map_err(failed)?;
            if locked == Some(true) {
                break;
            }
            if Instant::now() >= deadline {
                let holder = tables::holder(conn).or_else(|| tables::holder_by_activity(conn, LOCK, schema));
                return Err(Error::InUse { path: self.name(), holder: holder.map(Box::new) });
            }
            thread::sleep(STEP);
        }
        // Only a help for others. Before the tables are made there is no place for it.
        tables::note_holder(conn, holder);
        Ok(())
    }

    /// Says who holds the database, once there is a place for it.
    pub(crate) fn note_holder(&self) {
        let mut writer = self.writer();
        let holder = writer.holder.clone();
        if let Some(Some(transaction)) = writer.conns.first_mut()
            && !transaction.begun
        {
            tables::note_holder(&mut transaction.conn, &holder);
        }
    }

    /// Becomes one of those who fill a run that the writer has reserved: without the lock, which the writer
    /// holds.
    pub(crate) fn write_part(&self) -> Result<()> {
        self.main.set_purpose("load");
        let conn = self.main.connect(false)?;
        self.writer().conns = vec![Some(Transaction { conn, begun: false })];
        Ok(())
    }

    /// Writes something within the transaction under way. After an error nothing is written any more.
    pub(crate) fn write<T>(&self, number: usize, work: Work<'_, T>) -> Result<T> {
        let mut writer = self.writer();
        writer.check()?;
        if writer.conns.is_empty() {
            return Err(Error::ReadOnly);
        }
        let done = self.begin(&mut writer, number).and_then(|()| {
            let Some(Some(transaction)) = writer.conns.get_mut(number) else { return Err(Error::Failed) };
            let node = self.node(number)?;
            work(&mut transaction.conn).map_err(|error| fault(&node.address, &error))
        });
        if let Err(error) = &done {
            writer.fail(error);
        }
        done
    }

    /// Begins a transaction on a server, unless there is one.
    fn begin(&self, writer: &mut Writer, number: usize) -> Result<()> {
        if writer.conns.len() <= number {
            writer.conns.resize_with(number + 1, || None);
        }
        if writer.conns[number].is_none() {
            let conn = self.node(number)?.connect(false)?;
            writer.conns[number] = Some(Transaction { conn, begun: false });
        }
        let idle = writer.conns.iter().flatten().all(|transaction| !transaction.begun);
        let Some(transaction) = &mut writer.conns[number] else { return Err(Error::Failed) };
        if transaction.begun {
            return Ok(());
        }
        match transaction.conn.batch("begin") {
            Ok(()) => {}
            // Between batches nothing is lost with a connection, as long as nobody else wrote meanwhile.
            Err(error) if is_lost(&error) && idle => {
                self.attach_again(writer)?;
                return self.begin(writer, number);
            }
            Err(error) => return Err(fault(&self.node(number)?.address, &error)),
        }
        transaction.begun = true;
        Ok(())
    }

    /// Takes the lock again after the connection was lost between two batches.
    fn attach_again(&self, writer: &mut Writer) -> Result<()> {
        writer.conns.clear();
        let mut conn = self.main.connect(true)?;
        // The server may not have noticed yet that the old connection is gone.
        self.take_lock(&mut conn, &writer.holder, self.address().patience())?;
        let head = conn.value(tables::HEAD, &[]).map_err(|error| fault(&self.main.address, &error))?;
        if head != writer.head {
            return Err(Error::Failed);
        }
        writer.conns.push(Some(Transaction { conn, begun: false }));
        Ok(())
    }

    /// From here on HEAD ends the transaction.
    pub(crate) fn await_head(&self) {
        self.writer().acknowledges = true;
    }

    /// Ends the transaction, unless HEAD is to end it.
    pub(crate) fn sync(&self) -> Result<()> {
        if self.writer().acknowledges { Ok(()) } else { self.commit() }
    }

    /// Ends the transaction. Shards come first: what lies there does not count before the main server says so.
    pub(crate) fn commit(&self) -> Result<()> {
        let mut writer = self.writer();
        writer.check()?;
        writer.acknowledges = false;
        for number in (0..writer.conns.len()).rev() {
            let Some(transaction) = writer.conns[number].as_mut().filter(|transaction| transaction.begun)
            else {
                continue;
            };
            transaction.begun = false;
            if let Err(error) = transaction.conn.batch("commit") {
                let error = fault(&self.node(number)?.address, &error);
                writer.fail(&error);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Replaces HEAD and ends the transaction: from here on everything in it counts.
    pub(crate) fn write_head(&self, head: &Head) -> Result<()> {
        let text = head.text();
        self.write(0, &|conn| conn.execute(tables::PUT_HEAD, &[&text]).map(drop))?;
        self.commit()?;
        self.writer().head = Some(text);
        Ok(())
    }

    /// Reads what the writer sees: its own transaction if there is one, what was acknowledged otherwise.
    pub(crate) fn read<T>(&self, number: usize, work: Work<'_, T>) -> Result<T> {
        let mut writer = self.writer();
        if let Some(Some(transaction)) = writer.conns.get_mut(number)
            && transaction.begun
        {
            let node = self.node(number)?;
            let done = work(&mut transaction.conn).map_err(|error| fault(&node.address, &error));
            if let Err(error) = &done {
                writer.fail(error);
            }
            return done;
        }
        drop(writer);
        self.node(number)?.read(work)
    }

    /// Makes the tables of a database.
    pub(crate) fn create_tables(&self) -> Result<()> {
        let address = self.address().clone();
        self.write(0, &|conn| tables::create(conn, &address))
    }

    /// The numbers of all indexes, and the ids that they carry.
    pub(crate) fn indexes(&self) -> Result<Vec<(u32, String)>> {
        let rows: Vec<(i32, String)> = self.read(0, &|conn| {
            let rows = conn.query("select number, id from indexes", &[])?;
            rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
        })?;
        Ok(rows.into_iter().map(|(number, id)| (u32::try_from(number).unwrap_or(0), id)).collect())
    }

    /// The trees that a server holds.
    fn trees(&self, number: usize) -> Result<Vec<Tree>> {
        let sharded = !self.shards()?.is_empty();
        let here = |tree: &Tree| (number > 0) == (sharded && SHARDED.contains(tree));
        Ok(Tree::ALL.into_iter().filter(here).collect())
    }

    /// Makes the tables of an index.
    pub(crate) fn create_index(&self, index: u32, id: DatabaseId) -> Result<()> {
        for number in (0..=self.shards()?.len()).rev() {
            let trees = self.trees(number)?;
            self.write(number, &|conn| {
                // Without shards this server has them all; what an interrupted attempt left on a shard is
                // written over.
                if number > 0 {
                    tables::drop_trees(conn, &trees, index)?;
                }
                tables::create_trees(conn, &trees, index)
            })?;
        }
        let (index, id) = (i32::try_from(index).unwrap_or(i32::MAX), id.to_string());
        let sql = "insert into indexes (number, id, engine) values ($1, $2, 'postgres')";
        self.write(0, &|conn| conn.execute(sql, &[&index, &id]).map(drop))
    }

    /// Removes the tables of an index if it is one of this database. Whoever reads it is not disturbed: it is
    /// then removed another time.
    pub(crate) fn remove_index(&self, index: u32, id: DatabaseId) -> Result<()> {
        if !self.indexes()?.contains(&(index, id.to_string())) {
            return Ok(());
        }
        // Outside of the writer's transaction, so that nothing is lost if somebody still reads.
        for number in (0..=self.shards()?.len()).rev() {
            let trees = self.trees(number)?;
            let mut conn = self.node(number)?.begin("begin")?;
            let done = tables::drop_trees(&mut conn, &trees, index).and_then(|()| {
                if number == 0 {
                    let index = i32::try_from(index).unwrap_or(i32::MAX);
                    conn.execute("delete from indexes where number = $1", &[&index])?;
                }
                conn.batch("commit")
            });
            done.map_err(|error| fault(self.address(), &error))?;
        }
        Ok(())
    }

    fn release(&self) {
        let mut writer = self.writer();
        for transaction in writer.conns.drain(..).flatten() {
            let Transaction { mut conn, begun } = transaction;
            // The server gives the lock back with the connection; this way it has done so when we return.
            let end = if begun { "rollback; " } else { "" };
            let _ = conn.batch(&format!("{end}select pg_advisory_unlock_all()"));
        }
        writer.broken = Some(Error::Failed);
    }
}

/// The lock of the writer, held.
#[derive(Debug)]
pub(crate) struct Held(Arc<Server>);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.release();
    }
}
