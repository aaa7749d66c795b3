//! The shards as one table of the coordinator, for questions in SQL.

use std::path::Path;

use postgres::Config;
use postgres::config::Host;

use super::engine::SHARDED;
use super::server::Server;
use super::shards::Shard;
use super::tables;
use super::url::{literal, quoted};
use crate::db::error::{Error, Result, ServerFault};
use crate::db::home::Found;

/// The SQL that shows the positions on all shards as one table on the coordinator, by `postgres_fdw`: for
/// questions in SQL. The program itself asks the shards. To be run again after `reindex` and `compact`, which
/// make new tables.
///
/// # Errors
///
/// If there is no database, or it has no shards.
pub fn fdw_script(database: &Path) -> Result<String> {
    let server = Server::new(database.to_str().unwrap_or_default())?;
    let Found::Head(head) = server.look()? else { return Err(Error::NoDatabase { path: server.name() }) };
    let shards = server.shards()?;
    if shards.is_empty() {
        let (server, fault) = (server.address().name.clone(), ServerFault::NoShards);
        return Err(Error::Server { server, what: "the database has no shards".to_owned(), fault });
    }
    let schema = &server.address().schema;
    let mut lines = vec![
        "-- To be run on the coordinator, as a role that may make extensions and servers.".to_owned(),
        "create extension if not exists postgres_fdw;".to_owned(),
    ];
    for (number, shard) in shards.iter().enumerate() {
        lines.extend(foreign_server(&server_name(schema, number), &shard.node.address.config));
    }
    for tree in SHARDED {
        let whole = format!("{}.all_{}", quoted(schema), tree.name());
        lines.push(format!("drop table if exists {whole};"));
        lines.push(format!(
            "create table {whole} (key bytea not null, value bytea not null) partition by range (substr(key, 5, 2));"
        ));
        for (number, shard) in shards.iter().enumerate() {
            let first = |shard: &Shard| literal(&format!("\\x{}", hex::encode(shard.first)));
            let from = if number == 0 { "minvalue".to_owned() } else { first(shard) };
            let to = shards.get(number + 1).map_or_else(|| "maxvalue".to_owned(), first);
            lines.push(format!(
                "create foreign table {whole}_{number} partition of {whole} for values from ({from}) to ({to}) \
                 server {} options (schema_name {}, table_name {});",
                server_name(schema, number),
                literal(&shard.node.address.schema),
                literal(&tables::table(tree, head.index)),
            ));
        }
    }
    Ok(lines.join("\n") + "\n")
}

fn server_name(schema: &str, number: usize) -> String {
    quoted(&format!("{schema}_shard_{number}"))
}

/// How the coordinator reaches a shard. Passwords are the business of `alter user mapping`.
fn foreign_server(name: &str, config: &Config) -> [String; 2] {
    let host = config.get_hosts().first().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.to_string_lossy().into_owned(),
    });
    let port = config.get_ports().first().copied().unwrap_or(5432).to_string();
    let options = [
        ("host", host.unwrap_or_else(|| "localhost".to_owned())),
        ("port", port),
        ("dbname", config.get_dbname().or(config.get_user()).unwrap_or_default().to_owned()),
    ];
    let options = options.map(|(name, value)| format!("{name} {}", literal(&value))).join(", ");
    let user = literal(config.get_user().unwrap_or_default());
    [
        format!("create server if not exists {name} foreign data wrapper postgres_fdw options ({options});"),
        format!("create user mapping if not exists for current_user server {name} options (user {user});"),
    ]
}
