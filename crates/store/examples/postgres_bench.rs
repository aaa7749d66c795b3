//! How long a block takes by its key: `postgres_bench URL TABLE`. Tables are `boardprint.postings_1` of a
//! server (`boardprint` is the schema), and `boardprint.all_postings`, which `boardprint shard --sql` makes
//! on a coordinator.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use postgres::{Client, NoTls};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(table)) = (arguments.next(), arguments.next()) else {
        return Err("usage: postgres_bench URL TABLE".into());
    };
    let mut client = Client::connect(&url, NoTls)?;
    client.batch_execute("set plan_cache_mode to force_generic_plan")?;
    let keys = client.query(&format!("select key from {table} order by sha256(key) limit 2000"), &[])?;
    // The range names the shard; the key alone would ask them all.
    let sql = format!("select value from {table} where key = $1 and substr(key, 5, 2) = $2");
    let statement = client.prepare(&sql)?;
    let mut times = Vec::with_capacity(keys.len());
    let mut bytes = 0;
    for row in &keys {
        let key: &[u8] = row.get(0);
        let range = key.get(4..6).ok_or("the table does not hold postings")?;
        let begin = Instant::now();
        let found = client.query_one(&statement, &[&key, &range])?;
        times.push(begin.elapsed());
        bytes += found.get::<_, &[u8]>(0).len();
    }
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).ok_or("the table is empty");
    println!(
        "{table}: {} blocks of {} bytes: best {:?}, a quarter below {:?}, median {:?}, 99 of 100 below {:?}",
        times.len(),
        bytes / times.len().max(1),
        at(0)?,
        at(25)?,
        at(50)?,
        at(99)?
    );
    Ok(())
}
