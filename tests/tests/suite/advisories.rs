//! What is published about the crates of the lock files, from `tests/advisories.tsv`: no network, and no
//! crate that nobody looked up.

/// A line of the list.
struct Row {
    id: &'static str,
    name: &'static str,
    kind: &'static str,
    /// Versions below this one are affected, or all.
    below: &'static str,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("../../advisories.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let [id, name, kind, below, about] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("five columns: {line}")
        };
        assert!(
            matches!(kind, "vulnerable" | "unsound" | "unmaintained" | "none") && !about.is_empty(),
            "{line}"
        );
        Row { id, name, kind, below }
    };
    lines.map(row).collect()
}

/// The names and versions of the crates in the lock files that are not ours.
fn locked() -> Vec<(String, Vec<u64>)> {
    let mut packages = Vec::new();
    for lock in [include_str!("../../../Cargo.lock"), include_str!("../../fuzz/Cargo.lock")] {
        let value = |line: &str, key: &str| Some(line.strip_prefix(key)?.trim_matches('"').to_owned());
        let mut lines = lock.lines();
        while let Some(line) = lines.next() {
            if let Some(name) = value(line, "name = ").filter(|name| !name.starts_with("boardprint")) {
                let version = lines.next().and_then(|line| value(line, "version = "));
                packages.push((name, numbers(&version.expect("a version follows the name"))));
            }
        }
    }
    assert!(packages.len() > 200, "both lock files are read whole");
    packages
}

/// A version as numbers, without what follows them.
fn numbers(version: &str) -> Vec<u64> {
    let plain = version.split(['-', '+']).next().unwrap_or_default();
    plain.split('.').map(|part| part.parse().expect("a number")).collect()
}

#[test]
fn no_version_with_a_known_weakness_is_locked() {
    let packages = locked();
    for Row { id, name, kind, below } in rows() {
        let affected = |version: &[u64]| match kind {
            "none" => false,
            _ => below == "*" || *version < *numbers(below),
        };
        let found = packages.iter().any(|(package, version)| package == name && affected(version));
        assert!(!found || kind == "unmaintained", "{id}: {name} below {below} is in a lock file");
    }
}

#[test]
fn every_locked_crate_was_looked_up_and_no_other_is_listed() {
    let packages = locked();
    let rows = rows();
    for (package, _) in &packages {
        let listed = rows.iter().any(|row| row.name == package);
        assert!(listed, "look {package} up in the advisory database and add it to tests/advisories.tsv");
    }
    for Row { name, .. } in &rows {
        assert!(packages.iter().any(|(package, _)| package == name), "{name} is not locked, drop its lines");
    }
    let carried: Vec<&str> = rows.iter().filter(|row| row.kind == "unmaintained").map(|row| row.id).collect();
    let promise = include_str!("../../../SECURITY.md");
    for id in carried {
        assert!(promise.contains(id), "SECURITY.md says why {id} does not matter");
    }
}

#[test]
fn versions_compare_as_numbers() {
    assert!(numbers("0.4.14") > numbers("0.4.2") && numbers("2.1.2+zstd.1.5.7") == numbers("2.1.2"));
}
