//! The program from the outside: what it prints and how it ends.

#[test]
fn the_program_does_what_the_examples_show() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
