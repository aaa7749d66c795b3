//! Compressed files that are broken, joined, or not what their names say.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Outcome, compressed, feed, program};

fn games(numbers: std::ops::Range<u32>) -> String {
    let game = |n: u32| format!("K{n},1|k{},9 {n},1>{n},2\n", n.wrapping_mul(7919) % 10_007);
    numbers.map(game).collect()
}

fn run(folder: &Path, arguments: &[&str]) -> Outcome {
    feed(Command::new(program()).args(arguments).current_dir(folder), std::iter::empty())
}

#[test]
fn truncated_files_give_what_is_whole_to_every_command() {
    let text = games(0..4_000);
    for (ending, whole) in compressed(text.as_bytes()) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let name = format!("cut.icn.{ending}");
        fs::write(folder.path().join(&name), &whole[..whole.len() * 3 / 4]).expect("room for it");
        for arguments in [
            ["dedup", "--min-plies", "0", &name].as_slice(),
            &["dedup", "--by", "prefix", "--min-plies", "0", &name],
            &["import", "--min-plies", "0", &name],
        ] {
            let outcome = run(folder.path(), arguments);
            assert_eq!(outcome.status, Some(1), "{ending} {arguments:?}: {}", outcome.errors);
            assert!(outcome.errors.contains(&format!("error: {name}")), "{arguments:?}: {}", outcome.errors);
            if arguments[0] == "dedup" {
                assert!(text.starts_with(&outcome.results), "{ending} {arguments:?}");
            }
        }
        // The whole file has another stamp: it is read from its beginning, and what is known is left out.
        fs::write(folder.path().join(&name), &whole).expect("room for it");
        let outcome = run(folder.path(), &["import", "--min-plies", "0", &name]);
        assert!(outcome.results.ends_with("4,000 games in all\n"), "{ending}: {}", outcome.results);
    }
}

#[test]
fn members_one_after_another_are_one_text() {
    let (one, two) = (games(0..300), games(300..600));
    let folder = tempfile::tempdir().expect("a temporary folder");
    for ((ending, first), (_, second)) in
        compressed(one.as_bytes()).into_iter().zip(compressed(two.as_bytes()))
    {
        let name = format!("two.icn.{ending}");
        let mut bytes = first;
        if ending == "zst" {
            // A frame that decoders skip.
            bytes.extend_from_slice(&[0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0]);
            bytes.extend_from_slice(b"skip!");
        }
        bytes.extend_from_slice(&second);
        fs::write(folder.path().join(&name), bytes).expect("room for it");
        let outcome = run(folder.path(), &["dedup", "--min-plies", "0", &name]);
        assert_eq!((outcome.status, outcome.results), (Some(0), format!("{one}{two}")), "{ending}");
    }
}

#[test]
fn garbage_behind_compressed_data_is_an_error() {
    let text = games(0..300);
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (ending, mut bytes) in compressed(text.as_bytes()) {
        let name = format!("more.icn.{ending}");
        bytes.extend_from_slice(b"and something else that is not a member");
        fs::write(folder.path().join(&name), bytes).expect("room for it");
        for arguments in [["dedup", "--min-plies", "0", &name].as_slice(), &["canon", &name]] {
            let outcome = run(folder.path(), arguments);
            assert_eq!(outcome.status, Some(1), "{ending} {arguments:?}: {}", outcome.errors);
            assert!(outcome.errors.contains(&name), "{ending}: {}", outcome.errors);
            // Nothing is made up, and nothing comes twice.
            assert!(outcome.results.lines().count() <= 300, "{ending} {arguments:?}");
        }
    }
}

#[test]
fn content_decides_not_the_name() {
    let text = games(0..3);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("plain.icn.gz"), &text).expect("room for it");
    let [(_, gz), (_, bz2), (_, zst)] = compressed(text.as_bytes());
    fs::write(path("zst.icn.gz"), zst).expect("room for it");
    fs::write(path("gz.icn"), gz).expect("room for it");
    fs::write(path("bz2.zst"), bz2).expect("room for it");
    for name in ["plain.icn.gz", "zst.icn.gz", "gz.icn", "bz2.zst"] {
        let outcome = run(folder.path(), &["dedup", "--min-plies", "0", name]);
        assert_eq!((outcome.status, outcome.results.as_str()), (Some(0), text.as_str()), "{name}");
    }
    // The first bytes of a compressed file and nothing more.
    for (name, bytes) in
        [("a.gz", b"\x1f\x8b".as_slice()), ("b.zst", b"\x28\xb5\x2f\xfd"), ("c.bz2", b"BZh9")]
    {
        fs::write(path(name), bytes).expect("room for it");
        let outcome = run(folder.path(), &["canon", name]);
        assert_eq!((outcome.status, outcome.results.as_str()), (Some(1), ""), "{name}: {}", outcome.errors);
    }
}
