//! How a command asks the server that holds its database: one request to this machine, no more.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use boardprint_store::db;
use serde_json::Value;

/// How long the server may be silent.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest answer.
const LONGEST: u64 = 256 << 20;

/// A server on this machine.
pub(crate) struct Server {
    address: SocketAddr,
}

/// An answer of a server.
pub(crate) struct Answered {
    /// Whether it is what was asked for; else it is an error.
    pub(crate) ok: bool,
    pub(crate) value: Value,
}

impl Server {
    /// The server that holds a database, if that is why it cannot be opened. Only this machine is asked.
    pub(crate) fn holding(error: &db::Error) -> Option<Self> {
        let db::Error::InUse { holder: Some(holder), .. } = error else { return None };
        let address: SocketAddr = holder.address.as_ref()?.parse().ok()?;
        address.ip().is_loopback().then_some(Server { address })
    }

    /// Asks with parameters in the address.
    pub(crate) fn get(&self, path: &str) -> Result<Answered> {
        self.send(&format!("GET {path} HTTP/1.0\r\nHost: {}\r\n\r\n", self.address), &[])
    }

    /// Asks with a JSON object.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<Answered> {
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        self.send(&head, body.as_bytes())
    }

    fn send(&self, head: &str, body: &[u8]) -> Result<Answered> {
        let asked = || format!("the server at {} that holds the database", self.address);
        let mut stream = TcpStream::connect_timeout(&self.address, PATIENCE).with_context(asked)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).with_context(asked)?;
        let mut answer = Vec::new();
        stream.take(LONGEST + 1).read_to_end(&mut answer).with_context(asked)?;
        if answer.len() as u64 > LONGEST {
            bail!("{}: the answer is too long", asked());
        }
        let (ok, body) = parts(&answer).ok_or_else(|| anyhow!("{} does not speak HTTP", asked()))?;
        let value = serde_json::from_slice(body).with_context(asked)?;
        Ok(Answered { ok, value })
    }
}

/// Whether the status is good, and the body. The server closes the connection after its answer to HTTP/1.0, and does not cut it.
fn parts(answer: &[u8]) -> Option<(bool, &[u8])> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let status = head.strip_prefix("HTTP/1.")?.get(2..5)?;
    Some((status == "200", &answer[end + 4..]))
}

impl Answered {
    /// The value, or what the server says against it.
    pub(crate) fn value(self) -> Result<Value> {
        if self.ok {
            return Ok(self.value);
        }
        let error = &self.value["error"];
        let message = error["message"].as_str().unwrap_or("the server gave no reason");
        let hint = error["hint"].as_str().map(|hint| format!("; {hint}")).unwrap_or_default();
        Err(crate::report::Usage(format!("{message}{hint}")).into())
    }

    /// The kind of an error.
    pub(crate) fn kind(&self) -> Option<&str> {
        self.value["error"]["kind"].as_str()
    }
}

/// A text as a parameter of an address.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_have_two_parts() {
        assert_eq!(parts(b"HTTP/1.0 200 OK\r\nA: b\r\n\r\n{}"), Some((true, b"{}".as_slice())));
        assert_eq!(parts(b"HTTP/1.1 404 Not Found\r\n\r\nx"), Some((false, b"x".as_slice())));
        assert_eq!(parts(b"SSH-2.0\r\n\r\n"), None);
        assert_eq!(parts(b"HTTP/1.1 2"), None);
        assert_eq!(escaped("K5,1|k é"), "K5%2C1%7Ck%20%C3%A9");
    }
}
