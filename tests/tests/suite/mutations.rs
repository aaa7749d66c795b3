//! Every property holds for the seeds of the corpus and for seeds changed at random.
//!
//! A short, repeatable run of what `tests/fuzz` does for hours. `BOARDPRINT_MUTATIONS=20` makes it twenty
//! times longer, `BOARDPRINT_SEED` another one. The program itself has its turn in `cli/tests/hostile.rs`.

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use boardprint_tests::Mutator;
use boardprint_tests::property::{ALL, Property, seeds};

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Checks a property for all its seeds and for `changes` changed ones. Stops early on a slow machine, but
/// never before the seeds are done.
fn holds(name: &str, changes: u64) {
    let Property { check, .. } = ALL.into_iter().find(|property| property.name == name).expect("a property");
    let seeds = seeds(name);
    assert!(seeds.len() > 3, "seeds of {name}");
    let try_one = |what: &str, bytes: &[u8]| {
        let begin = Instant::now();
        if catch_unwind(|| check(bytes)).is_err() {
            let text = String::from_utf8_lossy(bytes);
            panic!("{name} does not hold for {what}: {text:?}\n{bytes:?}");
        }
        // No seed is longer than a few kilobytes: seconds would mean that the work is not linear.
        assert!(begin.elapsed() < Duration::from_secs(20), "{name} took {:?} for {bytes:?}", begin.elapsed());
    };
    for seed in &seeds {
        try_one(&seed.name, &seed.bytes);
    }
    let times = number("BOARDPRINT_MUTATIONS", 1);
    let (begin, most) = (Instant::now(), Duration::from_secs(12 * times));
    let mut mutator = Mutator::new(number("BOARDPRINT_SEED", 1));
    for round in 0..usize::try_from(changes * times).expect("a small number") {
        let seed = &seeds[round % seeds.len()];
        let other = &seeds[(round * 7 + 3) % seeds.len()];
        let bytes = mutator.change(&seed.bytes, &other.bytes);
        try_one(&format!("{} changed", seed.name), &bytes);
        if begin.elapsed() > most {
            break;
        }
    }
}

macro_rules! properties {
    ($($test:ident: $name:literal, $changes:literal;)*) => {
        $(#[test] fn $test() { holds($name, $changes); })*
    };
}

properties! {
    icn_holds: "icn", 3_000;
    json_holds: "json", 3_000;
    cpn_holds: "cpn", 10_000;
    gan_holds: "gan", 20_000;
    fen_holds: "fen", 10_000;
    sfen_holds: "sfen", 10_000;
    pgn_holds: "pgn", 2_000;
    csa_holds: "csa", 2_000;
    kif_holds: "kif", 2_000;
    usi_holds: "usi", 2_000;
    fairy_holds: "fairy", 2_000;
    replay_holds: "replay", 1_000;
    render_holds: "render", 500;
    records_holds: "records", 500;
    store_holds: "store", 500;
    linear_holds: "linear", 100;
}
