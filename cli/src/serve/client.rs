//! How a command asks the server that holds its database: one request to this machine, no more.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use boardprint_base::Digest;
use boardprint_games::Profile;
use boardprint_store::db::{self, Access, Db, Holder};
use serde_json::{Value, json};

use crate::database::{count, number};
use crate::report::{Report, Status, Usage};
use crate::table::{GAMES_SPARE, facts, sparing_table, table};
use crate::visible::visible_line;

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
    /// The server that holds a database; `None` if nobody does who could be asked. Only this machine is asked.
    pub(crate) fn holding(folder: &Path) -> Option<Self> {
        Self::named(Holder::read(folder)?)?;
        // The text in the lock outlasts whoever wrote it: only a lock that is held counts.
        let options = db::Options::default().create(false).any_profile(true).access(Access::Read);
        match Db::open(folder, options) {
            Err(db::Error::InUse { holder: Some(holder), .. }) => Self::named(*holder),
            _ => None,
        }
    }

    fn named(holder: Holder) -> Option<Self> {
        let address: SocketAddr = holder.address?.parse().ok()?;
        address.ip().is_loopback().then_some(Server { address })
    }

    /// Its address in a browser.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
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

    /// How its database names positions.
    pub(crate) fn profile(&self) -> Result<Profile> {
        let stats = self.get("/api/v1/stats")?.value()?;
        let name = stats["profile"].as_str().unwrap_or_default();
        Profile::of_name(name)
            .ok_or_else(|| anyhow!("the server names positions as `{}`", visible_line(name)))
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

/// Whether the status is good, and the body. The server closes the connection after its answer to HTTP/1.0,
/// and does not cut it.
fn parts(answer: &[u8]) -> Option<(bool, &[u8])> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let status = head.strip_prefix("HTTP/1.")?.get(2..5)?;
    Some((status == "200", &answer[end + 4..]))
}

impl Answered {
    /// The value, or what the server says against it.
    pub(crate) fn value(mut self) -> Result<Value> {
        if self.ok {
            // Whoever prints an object says the version of its schema.
            if let Value::Object(members) = &mut self.value {
                members.remove("schema");
            }
            return Ok(self.value);
        }
        let error = &self.value["error"];
        let message = error["message"].as_str().unwrap_or("the server gave no reason");
        let hint = error["hint"].as_str().map(|hint| format!("; {hint}")).unwrap_or_default();
        Err(Usage(format!("{message}{hint}")).into())
    }

    /// The kind of an error.
    pub(crate) fn kind(&self) -> Option<&str> {
        self.value["error"]["kind"].as_str()
    }
}

/// What `lookup` asks.
pub(crate) struct Lookup<'a> {
    pub(crate) position: &'a str,
    pub(crate) from: Option<&'a str>,
    pub(crate) game: Option<&'a str>,
    /// How many lines of moves and games to show; 0 for all that a server gives at once.
    pub(crate) limit: usize,
    pub(crate) shows_moves: bool,
    pub(crate) shows_games: bool,
}

impl Lookup<'_> {
    /// Asks a server instead of the database.
    pub(crate) fn ask(&self, server: &Server, report: &mut Report) -> Result<()> {
        let limit = |most: usize| if self.limit == 0 { most } else { self.limit.min(most) };
        let answered = server.post(
            "/api/v1/explore",
            &json!({
                "position": self.position, "from": self.from, "game": self.game,
                "moves": if self.shows_moves { limit(10_000) } else { 0 },
                "games": if self.shows_games { limit(200) } else { 0 },
            }),
        )?;
        match answered.kind() {
            Some("ambiguous-prefix") => return self.list(server, report),
            Some("unknown-hash") => {
                let name = self.position.trim().to_ascii_lowercase();
                report.raise(Status::BadRecords);
                let is_whole = name.parse::<Digest>().is_ok();
                if report.is_json() {
                    return if is_whole { nothing(&name, server, report) } else { self.list(server, report) };
                }
                return report.line(if is_whole {
                    format!("{name} does not occur")
                } else {
                    format!("no position has a hash that begins with {name}")
                });
            }
            _ => {}
        }
        let answer = answered.value()?;
        if answer["occurrences"] == 0 {
            report.raise(Status::BadRecords);
        }
        if report.is_json() {
            return report.object(&answer);
        }
        for warning in answer["warnings"].as_array().into_iter().flatten() {
            report.talk(&format!("warning: {}", visible_line(&text(&warning["message"]))));
        }
        let hash = text(&answer["position"]["hash"]);
        if answer["occurrences"] == 0 {
            return report.line(format!("{hash} does not occur"));
        }
        report.line(hash)?;
        let row = |name: &str, count: &Value, results: &Value| {
            let counts = ["white", "black", "draw", "unknown"].map(|outcome| count_of(&results[outcome]));
            [count_of(count)].into_iter().chain(counts).chain([name.to_owned()]).collect::<Vec<String>>()
        };
        let mut rows = vec![["count", "1-0", "0-1", "1/2-1/2", "*", ""].map(str::to_owned).to_vec()];
        rows.push(row("all", &answer["occurrences"], &answer["results"]));
        for next in answer["moves"].as_array().into_iter().flatten().filter(|next| next["occurrences"] != 0) {
            rows.push(row(&text(&next["move"]), &next["occurrences"], &next["results"]));
        }
        report.line(table(&rows, 5))?;
        if let Some(more) = answer["more_moves"].as_u64().filter(|more| *more > 0 && self.shows_moves) {
            report.line(format!("  and {}", count(more, "more move", "more moves")))?;
        }
        if self.shows_games {
            report.line("")?;
            games(&answer, report)?;
        }
        Ok(())
    }

    /// The positions whose hashes begin with the digits that were given.
    fn list(&self, server: &Server, report: &mut Report) -> Result<()> {
        let limit = if self.limit == 0 { 1_000 } else { self.limit.min(1_000) };
        let path = format!("/api/v1/prefix/{}?limit={limit}", escaped(self.position.trim()));
        let answer = server.get(&path)?.value()?;
        let positions = answer["positions"].as_array().map_or(&[][..], Vec::as_slice);
        if report.is_json() {
            let name = |found: &Value| json!({ "hash": found["hash"], "occurrences": found["occurrences"] });
            return report.object(&json!({
                "generation": answer["generation"], "prefix": answer["prefix"], "nextCursor": null,
                "positions": positions.iter().map(name).collect::<Vec<_>>(),
            }));
        }
        for position in positions {
            report.line(format!("{}  {}", text(&position["hash"]), count_of(&position["occurrences"])))?;
        }
        let more = if answer["nextCursor"].is_null() { "" } else { " (and more)" };
        let digits = visible_line(&text(&answer["prefix"])).into_owned();
        let found = count(positions.len() as u64, "position has", "positions have");
        report.talk(&format!("{found} a hash that begins with {digits}{more}"));
        Ok(())
    }
}

/// The answer about a hash that never occurred, as the database itself would give it.
fn nothing(hash: &str, server: &Server, report: &mut Report) -> Result<()> {
    let generation = &server.get(&format!("/api/v1/prefix/{hash}?limit=1"))?.value()?["generation"];
    report.object(&json!({
        "generation": generation, "taken_as": "hash", "position": { "hash": hash }, "line": [], "start": null,
        "occurrences": 0, "game_count": 0, "ended_here": 0, "rating": null, "more_moves": 0, "moves": [],
        "results": { "white": 0, "draw": 0, "black": 0, "unknown": 0 }, "games": [], "nextCursor": null,
        "warnings": [],
    }))
}

fn games(answer: &Value, report: &mut Report) -> Result<()> {
    let mut rows = vec![["game", "ply", "result", "players", "date", "source"].map(str::to_owned).to_vec()];
    let known = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    for game in answer["games"].as_array().into_iter().flatten() {
        let result = match game["result"].as_str() {
            Some("white") => "1-0",
            Some("black") => "0-1",
            Some("draw") => "1/2-1/2",
            _ => "*",
        };
        rows.push(vec![
            game["id"].to_string(),
            game["ply"].to_string(),
            result.to_owned(),
            format!("{} - {}", known(&game["white"]), known(&game["black"])),
            known(&game["date"]),
            format!("{}:{}", known(&game["record"]["path"]), game["record"]["record"]),
        ]);
    }
    report.line(sparing_table(&rows, 2, &GAMES_SPARE))?;
    if !answer["nextCursor"].is_null() {
        report.line("  and more")?;
    }
    Ok(())
}

/// What `stats` shows, from a server instead of the database.
pub(crate) fn stats(server: &Server, report: &mut Report) -> Result<()> {
    let answer = server.get("/api/v1/stats")?.value()?;
    if report.is_json() {
        return report.object(&answer);
    }
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    row("games", count_of(&answer["games"]));
    row("occurrences of positions", count_of(&answer["positions"]));
    if !answer["distinct_positions"].is_null() {
        row("distinct positions", count_of(&answer["distinct_positions"]));
    }
    let outcomes = [
        ("white", "won by white"),
        ("black", "won by black"),
        ("draw", "drawn"),
        ("unknown", "result unknown"),
    ];
    for (outcome, name) in outcomes {
        row(name, count_of(&answer["results"][outcome]));
    }
    for (variant, games) in answer["variants"].as_object().into_iter().flatten() {
        row(&format!("variant {variant}"), count_of(games));
    }
    row("duplicates left out", count_of(&answer["duplicates"]));
    row("records rejected", count_of(&answer["rejected"]));
    row("names of positions", text(&answer["profile"]));
    row("bytes of the index on disk", count_of(&answer["disk_bytes"]));
    for source in answer["sources"].as_array().into_iter().flatten() {
        row(&format!("records of {}", text(&source["path"])), count_of(&source["records"]));
    }
    report.line(facts(rows))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn count_of(value: &Value) -> String {
    number(value.as_u64().unwrap_or(0))
}

/// A text as a part of an address.
fn escaped(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
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
