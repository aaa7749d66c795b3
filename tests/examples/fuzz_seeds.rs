//! Writes the seeds of every fuzz target: `cargo run -p boardprint-tests --example fuzz_seeds
//! tests/fuzz/corpus`.

use std::path::PathBuf;
use std::{env, fs, io};

use boardprint_tests::property::{ALL, seeds};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "tests/fuzz/corpus".to_owned()));
    for property in ALL {
        let folder = folder.join(property.name);
        fs::create_dir_all(&folder)?;
        for seed in seeds(property.name) {
            fs::write(folder.join(seed.name), seed.bytes)?;
        }
    }
    Ok(())
}
