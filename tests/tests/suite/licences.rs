//! The licence of every dependency in the lock file, as `cargo metadata` knows it.

use std::process::Command;

/// Licences that ask for nothing but to be named.
const ALLOWED: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    // A BSD licence under the name of the library it was written for.
    "bzip2-1.0.6",
];

/// Whether an SPDX expression can be met by allowed licences alone.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let parts = |text: &str, by: &str| {
        text.split(by).map(|part| part.trim_matches(['(', ')', ' ']).to_owned()).collect::<Vec<_>>()
    };
    // `A AND (B OR C)` is the only nesting in use: every part of the AND needs one allowed choice.
    parts(&expression, " AND ")
        .iter()
        .all(|all| parts(all, " OR ").iter().any(|one| ALLOWED.contains(&one.as_str())))
}

#[test]
fn every_dependency_is_permissive() {
    // What other platforms would need is not downloaded here.
    let version = Command::new("rustc").arg("-vV").output().expect("rustc built this test");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs the tests, so it is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("packages are a list");
    assert!(packages.len() > 50, "the whole tree is checked");
    let bad: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(is_allowed))
        .map(|package| format!("{} {}: {}", package["name"], package["version"], package["license"]))
        .collect();
    assert!(bad.is_empty(), "not permissive: {bad:#?}");
}

#[test]
fn copyleft_is_refused() {
    for bad in ["GPL-3.0-or-later", "LGPL-3.0", "MIT AND GPL-2.0", "AGPL-3.0-only OR GPL-3.0", "MPL-2.0"] {
        assert!(!is_allowed(bad), "{bad}");
    }
    for good in
        ["MIT OR Apache-2.0", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0", "GPL-2.0 OR MIT"]
    {
        assert!(is_allowed(good), "{good}");
    }
}
