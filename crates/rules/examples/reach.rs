//! Whether a movement reaches a square from 0,0: `cargo run -p boardprint-rules --example reach -- '[1,2]|-/'
//! 3,3`

#![expect(clippy::print_stdout, reason = "an example prints")]

use boardprint_base::Square;
use boardprint_rules::fairy::{Movement, Mover, Surroundings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [movement, square] = arguments.as_slice() else { return Err("usage: reach MOVEMENT X,Y".into()) };
    let movement = Movement::new(&movement.parse()?)?;
    let target: Square = square.parse()?;
    let reach = movement.reach(Mover::at(&Square::new(0, 0)), &target, &Surroundings::default());
    println!("{target}: {reach:?}");
    Ok(())
}
