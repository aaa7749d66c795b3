//! Databases on a real PostgreSQL server.

use crate::common::{Rules, batches, content, findings};
use crate::server::{PgServer, there_is_postgres};
use boardprint_store::db::{Db, Options};

fn small() -> Options {
    Options::default().counts_from(8).fan_in(3).memory(64 << 20)
}

fn filled(db: &Db, games: u64, size: u64) {
    for batch in batches(games, size) {
        db.ingest(batch, &Rules, None).unwrap();
    }
}

#[test]
fn a_database_on_a_server_holds_what_one_in_memory_holds() {
    if !there_is_postgres("a_database_on_a_server_holds_what_one_in_memory_holds") {
        return;
    }
    let url = PgServer::shared().new_database();
    let memory = Db::in_memory(small()).unwrap();
    filled(&memory, 500, 60);
    let expected = content(&memory.snapshot());
    let db = Db::open(&url, small()).unwrap();
    filled(&db, 500, 60);
    assert_eq!(content(&db.snapshot()), expected);
    assert_eq!(findings(&db), Vec::<String>::new());
}
