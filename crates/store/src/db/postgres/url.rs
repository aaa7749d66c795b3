//! The address of a database on a server: `postgresql://USER@HOST:PORT/DATABASE?schema=NAME`.

use std::fmt::Write as _;
use std::time::Duration;

use postgres::Config;
use postgres::config::Host;

use crate::db::error::{Error, Result, ServerFault};

/// The schema of a database whose address names none.
const SCHEMA: &str = "boardprint";
/// How long a server may take to let us in.
const CONNECT: Duration = Duration::from_secs(10);
/// A server that does not answer for so long is lost.
const SILENCE: Duration = Duration::from_secs(60);

/// Where a database lies on a server. Its texts never show the password.
#[derive(Clone)]
pub(crate) struct Address {
    pub(crate) config: Config,
    pub(crate) schema: String,
    /// The address without password, for messages.
    pub(crate) name: String,
}

impl Address {
    /// Reads an address.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let (rest, schema) = without_schema(text)?;
        let mut config: Config = rest.parse().map_err(|_| malformed(text))?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host("localhost");
        }
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        config.tcp_user_timeout(SILENCE).keepalives_idle(SILENCE);
        let schema = schema.unwrap_or_else(|| SCHEMA.to_owned());
        let name = shown(&config, &schema);
        Ok(Address { config, schema, name })
    }

    /// The address of a shard: the same password, unless its own says another.
    pub(crate) fn shard(&self, text: &str) -> Result<Self> {
        let mut shard = Self::parse(text)?;
        if let (None, Some(password)) = (shard.config.get_password(), self.config.get_password()) {
            shard.config.password(password);
        }
        Ok(shard)
    }

    /// How long a server is waited for that was there and is lost: as long as one that is not there yet.
    pub(crate) fn patience(&self) -> Duration {
        self.config.get_connect_timeout().copied().unwrap_or(CONNECT)
    }

    /// The schema as SQL names it.
    pub(crate) fn quoted_schema(&self) -> String {
        quoted(&self.schema)
    }
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

/// A name as SQL writes it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as SQL writes it.
pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn malformed(text: &str) -> Error {
    // What stands between `://` and `@` may be a password, and after a slip of the keyboard more than that.
    let name = text.split("://").next().unwrap_or_default();
    Error::Server {
        server: format!("{name}://…"),
        what: "the address cannot be read".to_owned(),
        fault: ServerFault::Address,
    }
}

/// Takes the schema out of the parameters, which only we know.
fn without_schema(text: &str) -> Result<(String, Option<String>)> {
    let Some((base, query)) = text.split_once('?') else { return Ok((text.to_owned(), None)) };
    let (mut rest, mut schema) = (Vec::new(), None);
    for part in query.split('&').filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some(("schema" | "search_path", value)) => {
                let value =
                    decoded(value).filter(|name| !name.is_empty() && name.len() < 64 && !name.contains('\0'));
                schema = Some(value.ok_or_else(|| malformed(text))?);
            }
            _ => rest.push(part),
        }
    }
    let rest = if rest.is_empty() { base.to_owned() } else { format!("{base}?{}", rest.join("&")) };
    Ok((rest, schema))
}

/// Undoes `%xx`.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let (digits, tail) = tail.split_first_chunk::<2>()?;
            let mut byte = [0];
            hex::decode_to_slice(digits, &mut byte).ok()?;
            bytes.push(byte[0]);
            rest = tail;
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

/// Writes what has a meaning in an address as `%xx`.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(byte.into());
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}

/// The address that is shown and kept: everything but the password.
fn shown(config: &Config, schema: &str) -> String {
    let mut out = "postgresql://".to_owned();
    if let Some(user) = config.get_user() {
        out += &encoded(user);
        out.push('@');
    }
    let ports = config.get_ports();
    for (at, host) in config.get_hosts().iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        match host {
            Host::Tcp(name) if name.contains(':') => out.extend(["[", name, "]"]),
            Host::Tcp(name) => out += &encoded(name),
            #[cfg(unix)]
            Host::Unix(path) => out += &encoded(&path.to_string_lossy()),
        }
        // The usual port says nothing, whether it was written or not.
        if let Some(port) = ports.get(at).or(ports.first()).filter(|port| **port != 5432) {
            let _ = write!(out, ":{port}");
        }
    }
    out.push('/');
    out += &encoded(config.get_dbname().or(config.get_user()).unwrap_or_default());
    if schema != SCHEMA {
        out += "?schema=";
        out += &encoded(schema);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (text, shown) in [
            ("postgresql://me:secret@host:5433/games", "postgresql://me@host:5433/games"),
            (
                "postgres://me@host/games?schema=a%22b&connect_timeout=3",
                "postgresql://me@host/games?schema=a%22b",
            ),
            ("postgresql://%2Ftmp%2Fx/g?user=me&password=secret", "postgresql://me@%2Ftmp%2Fx/g"),
            ("postgresql://me@/g?host=/run/pg&port=7", "postgresql://me@%2Frun%2Fpg:7/g"),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(address.name, shown);
            assert!(!format!("{address:?}").contains("secret"));
            assert_eq!(
                Address::parse(&address.name).unwrap().name,
                address.name,
                "what is shown can be read"
            );
        }
        assert_eq!(Address::parse("postgresql:///g?schema=x").unwrap().schema, "x");
        assert_eq!(Address::parse("postgresql://h/g").unwrap().schema, "boardprint");
    }

    #[test]
    fn an_address_that_cannot_be_read_shows_nothing_of_it() {
        for text in [
            "postgresql://me:se@cret:x@h/g",
            "postgresql://me:secret@h:99999/g",
            "postgresql://h/g?schema=%zz&password=secret",
        ] {
            let error = Address::parse(text).unwrap_err().to_string();
            assert!(!error.contains("cret"), "{error}");
        }
    }

    #[test]
    fn a_shard_has_the_password_of_its_coordinator() {
        let main = Address::parse("postgresql://me:secret@h/g").unwrap();
        let shard = main.shard("postgresql://me@other/g").unwrap();
        assert_eq!(shard.config.get_password(), Some(&b"secret"[..]));
        assert_eq!(
            main.shard("postgresql://me:own@other/g").unwrap().config.get_password(),
            Some(&b"own"[..])
        );
    }
}
