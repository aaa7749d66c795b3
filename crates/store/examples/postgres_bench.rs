//! How long a block takes by its key: `postgres_bench URL` asks the table of a database without shards, `postgres_bench URL all` the table of `boardprint shard --sql`
//! on a coordinator. Prints the median, and the slowest of a hundred.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Instant;

use postgres::{Client, NoTls};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().ok_or("usage: postgres_bench URL [all]")?;
    let mut client = Client::connect(&url, NoTls)?;
    client.batch_execute("set search_path to boardprint; set plan_cache_mode to force_generic_plan")?;
    let through = arguments.next().is_some();
    let table = if through {
        "all_postings".to_owned()
    } else {
        let number: i32 = client.query_one("select max(number) from indexes", &[])?.get(0);
        format!("postings_{number}")
    };
    let keys = client.query(&format!("select key from {table} order by sha256(key) limit 2000"), &[])?;
    // The range names the shard; the key alone would ask them all.
    let sql = format!("select value from {table} where key = $1 and substr(key, 5, 2) = $2");
    let statement = client.prepare(&sql)?;
    let mut times = Vec::with_capacity(keys.len());
    let mut bytes = 0;
    for row in &keys {
        let key: &[u8] = row.get(0);
        let begin = Instant::now();
        let found = client.query_one(&statement, &[&key, &&key[4..6]])?;
        times.push(begin.elapsed());
        bytes += found.get::<_, &[u8]>(0).len();
    }
    times.sort_unstable();
    let (middle, slow) = (times.get(times.len() / 2), times.get(times.len() * 99 / 100));
    println!(
        "{table}: {} blocks of {} bytes: median {:?}, one in a hundred takes {:?}",
        times.len(),
        bytes / times.len().max(1),
        middle.ok_or("the table is empty")?,
        slow.ok_or("the table is empty")?
    );
    Ok(())
}
