//! A connection: statements are prepared once, and what a server says against them becomes an error with a
//! way out.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use postgres::error::SqlState;
use postgres::types::{FromSqlOwned, ToSql};
use postgres::{Client, NoTls, Row, Statement};

use super::url::Address;
use crate::db::error::{Error, Result, ServerFault};

/// How long between two attempts.
const STEP: Duration = Duration::from_millis(200);
/// This many connections are kept that nobody uses.
const IDLE: usize = 8;

/// A connection to a server.
pub(crate) struct Conn {
    client: Client,
    statements: HashMap<String, Statement>,
}

/// The parameters of a statement.
pub(crate) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Conn {
    /// Connects. Our tables are the only ones that are seen without their schema.
    fn open(address: &Address, purpose: &str) -> std::result::Result<Self, postgres::Error> {
        let mut config = address.config.clone();
        // The server cuts it after 63 bytes.
        config.application_name(&format!("boardprint {purpose} {}", std::process::id()));
        let mut client = config.connect(NoTls)?;
        // Every question goes by the key: a plan that was good for an empty table must not stay.
        client.batch_execute(&format!(
            "set search_path to {}; set client_min_messages to warning; set plan_cache_mode to force_generic_plan; \
             set enable_seqscan to off; set enable_bitmapscan to off; set enable_sort to off; set jit to off",
            address.quoted_schema()
        ))?;
        Ok(Conn { client, statements: HashMap::new() })
    }

    fn statement(&mut self, sql: &str) -> std::result::Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    pub(crate) fn query(
        &mut self,
        sql: &str,
        params: Params<'_>,
    ) -> std::result::Result<Vec<Row>, postgres::Error> {
        let statement = self.statement(sql)?;
        self.client.query(&statement, params)
    }

    pub(crate) fn query_opt(
        &mut self,
        sql: &str,
        params: Params<'_>,
    ) -> std::result::Result<Option<Row>, postgres::Error> {
        Ok(self.query(sql, params)?.into_iter().next())
    }

    /// The first column of the first row. A column of another type is an error: tables may have been changed
    /// by others.
    pub(crate) fn value<T: FromSqlOwned>(
        &mut self,
        sql: &str,
        params: Params<'_>,
    ) -> std::result::Result<Option<T>, postgres::Error> {
        self.query_opt(sql, params)?.map(|row| row.try_get(0)).transpose()
    }

    pub(crate) fn execute(
        &mut self,
        sql: &str,
        params: Params<'_>,
    ) -> std::result::Result<u64, postgres::Error> {
        let statement = self.statement(sql)?;
        self.client.execute(&statement, params)
    }

    /// Statements without parameters, one after another.
    pub(crate) fn batch(&mut self, sql: &str) -> std::result::Result<(), postgres::Error> {
        self.client.batch_execute(sql)
    }

    /// Copies rows of two columns of bytes into a table.
    pub(crate) fn copy<'a>(
        &mut self,
        table: &str,
        rows: impl Iterator<Item = (&'a [u8], &'a [u8])>,
    ) -> std::result::Result<u64, postgres::Error> {
        let mut out = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0".to_vec();
        for (key, value) in rows {
            out.extend_from_slice(&2_i16.to_be_bytes());
            for field in [key, value] {
                // A value has some kilobytes; PostgreSQL itself takes no more than a gigabyte.
                out.extend_from_slice(&i32::try_from(field.len()).unwrap_or(i32::MAX).to_be_bytes());
                out.extend_from_slice(field);
            }
        }
        out.extend_from_slice(&(-1_i16).to_be_bytes());
        let mut writer =
            self.client.copy_in(&format!("copy {table} (key, value) from stdin (format binary)"))?;
        // An error of the sink shows itself when the copy is finished.
        let _ = std::io::Write::write_all(&mut writer, &out);
        writer.finish()
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }
}

/// Whether the connection is gone, or the server is about to go or to come.
pub(crate) fn is_lost(error: &postgres::Error) -> bool {
    match error.code() {
        Some(code) => code.code().starts_with("08") || code.code().starts_with("57P"),
        None => error.is_closed() || is_io(error),
    }
}

fn is_io(error: &postgres::Error) -> bool {
    std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
}

/// What a server says, with what helps.
pub(crate) fn fault(address: &Address, error: &postgres::Error) -> Error {
    let fault = match error.code() {
        Some(code) => match code {
            &SqlState::INVALID_AUTHORIZATION_SPECIFICATION | &SqlState::INVALID_PASSWORD => ServerFault::Role,
            &SqlState::INVALID_CATALOG_NAME => ServerFault::Database,
            &SqlState::INSUFFICIENT_PRIVILEGE => ServerFault::Denied,
            &SqlState::READ_ONLY_SQL_TRANSACTION => ServerFault::Replica,
            &SqlState::UNDEFINED_TABLE | &SqlState::T_R_SERIALIZATION_FAILURE => ServerFault::Changed,
            code if code.code().starts_with("53") => ServerFault::Full,
            _ if is_lost(error) => ServerFault::Lost,
            _ => ServerFault::Other,
        },
        None if error.is_closed() => ServerFault::Lost,
        None if is_io(error) => ServerFault::Unreachable,
        None if error.to_string().contains("TLS") => ServerFault::Tls,
        // The library names neither a password that is missing nor one that it cannot send by a kind of its
        // own.
        None if error.to_string().contains("password") || error.to_string().contains("authentication") => {
            ServerFault::Role
        }
        None if error.to_string().contains("connect") => ServerFault::Unreachable,
        None => ServerFault::Other,
    };
    let what = match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(said), _) => said.message().to_owned(),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    };
    // The library repeats the cause in some texts.
    let what = what.split(": ").fold(Vec::new(), |mut parts: Vec<&str>, part| {
        if parts.last() != Some(&part) {
            parts.push(part);
        }
        parts
    });
    Error::Server { server: address.name.clone(), what: what.join(": "), fault }
}

/// One server, and connections to it that nobody uses just now.
pub(crate) struct Node {
    pub(crate) address: Address,
    purpose: Mutex<String>,
    idle: Mutex<Vec<Conn>>,
}

impl Node {
    pub(crate) fn new(address: Address) -> Self {
        Node { address, purpose: Mutex::new("reader".to_owned()), idle: Mutex::default() }
    }

    pub(crate) fn set_purpose(&self, purpose: &str) {
        purpose.clone_into(&mut self.purpose.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// A new connection. A server that is starting is waited for; so is one that was there before, if `again`.
    pub(crate) fn connect(&self, again: bool) -> Result<Conn> {
        let purpose = self.purpose.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let deadline = Instant::now() + self.address.patience();
        loop {
            match Conn::open(&self.address, &purpose) {
                Ok(conn) => return Ok(conn),
                Err(error) => {
                    let starting = error.code() == Some(&SqlState::CANNOT_CONNECT_NOW);
                    let waits = starting || again && (is_lost(&error) || error.code().is_none());
                    if !waits || Instant::now() >= deadline {
                        return Err(fault(&self.address, &error));
                    }
                    thread::sleep(STEP);
                }
            }
        }
    }

    /// A connection that nobody uses, or a new one.
    pub(crate) fn take(&self) -> Result<Conn> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(conn) if !conn.is_closed() => Ok(conn),
            Some(_) => self.connect(true),
            None => self.connect(false),
        }
    }

    /// A connection on which statements that begin a transaction were run.
    pub(crate) fn begin(&self, sql: &str) -> Result<Conn> {
        let mut conn = self.take()?;
        let begun = match conn.batch(sql) {
            Err(error) if is_lost(&error) => {
                drop(conn);
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
                conn = self.connect(true)?;
                conn.batch(sql)
            }
            begun => begun,
        };
        begun.map_err(|error| fault(&self.address, &error)).map(|()| conn)
    }

    /// Gives a connection back. It has no transaction open.
    pub(crate) fn put(&self, conn: Conn) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE && !conn.is_closed() {
            idle.push(conn);
        }
    }

    /// Asks something outside of any transaction; asks again if the connection is lost.
    pub(crate) fn read<T>(
        &self,
        work: &dyn Fn(&mut Conn) -> std::result::Result<T, postgres::Error>,
    ) -> Result<T> {
        let deadline = Instant::now() + self.address.patience();
        let mut conn = self.take()?;
        loop {
            match work(&mut conn) {
                Ok(value) => {
                    self.put(conn);
                    return Ok(value);
                }
                Err(error) if is_lost(&error) && Instant::now() < deadline => {
                    drop(conn);
                    // Whoever lies idle is lost too.
                    self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
                    conn = self.connect(true)?;
                }
                Err(error) => return Err(fault(&self.address, &error)),
            }
        }
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.address.fmt(f)
    }
}
