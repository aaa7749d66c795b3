//! Names boards: `cargo run -p boardprint-cpn --example hash_cpn -- 'B--2--W:^K,w:^k--'`

#![expect(clippy::print_stdout, reason = "an example prints")]

use boardprint_cpn::{Cpn, CpnError};

fn main() -> Result<(), CpnError> {
    for text in std::env::args().skip(1) {
        let cpn: Cpn = text.parse()?;
        let actors = cpn.cells().filter(|cell| !cell.is_empty()).count();
        println!(
            "{}  {} cells, {actors} of them occupied, {} in hand",
            cpn.cph(),
            cpn.len(),
            cpn.hand().count()
        );
    }
    Ok(())
}
