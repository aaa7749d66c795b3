//! The pages as a whole: every link leads somewhere, and the book has every page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// The Markdown files below a folder.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&name) {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The targets of the links of a page that stay in the repository, outside its blocks of code.
fn links(text: &str) -> Vec<&str> {
    let mut code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        // What stands between backticks is not a link.
        for plain in line.split('`').step_by(2).filter(|_| !code) {
            for (start, _) in plain.match_indices("](") {
                let target = plain[start + 2..].split([')', ' ']).next().unwrap_or_default();
                if !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:") {
                    found.push(target);
                }
            }
        }
    }
    found
}

/// The names under which the headings of a page can be linked to.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut code = false;
    let heading = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    let mut found = BTreeSet::new();
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        if !code && line.starts_with('#') {
            found.insert(heading(line));
        }
    }
    found
}

/// A path without `..`, as the reader of a page follows it.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(tidy.pop()),
            Component::CurDir => {}
            part => tidy.push(part),
        }
    }
    tidy
}

#[test]
fn every_link_leads_somewhere() {
    let (root, mut found) = (root(), Vec::new());
    pages(&root, &mut found);
    assert!(found.len() > 40, "the pages of the repository");
    let (mut dead, mut seen) = (Vec::new(), 0);
    for page in &found {
        let text = fs::read_to_string(page).expect("a page");
        for link in links(&text) {
            seen += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => tidy(&page.parent().expect("a page lies in a folder").join(file)),
            };
            let alive = match fs::read_to_string(&target) {
                Ok(text) => anchor.is_empty() || anchors(&text).contains(anchor),
                Err(_) => target.exists() && anchor.is_empty(),
            };
            if !alive {
                dead.push(format!("{}: {link}", page.strip_prefix(&root).unwrap_or(page).display()));
            }
        }
    }
    assert!(seen > 100, "links are found: {seen}");
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

#[test]
fn every_crate_is_in_the_index_and_its_page_has_its_features() {
    let root = root();
    let index = fs::read_to_string(root.join("docs/README.md")).expect("the index");
    let mut seen = 0;
    for entry in fs::read_dir(root.join("crates")).expect("the crates") {
        let folder = entry.expect("an entry").path();
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        assert!(
            index.contains(&format!("(../crates/{name}/README.md)")),
            "{name} is missing in docs/README.md"
        );
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let page = fs::read_to_string(folder.join("README.md")).expect("a page");
        let section = manifest.split("[features]\n").nth(1).unwrap_or_default();
        let lines = section.lines().take_while(|line| !line.starts_with('['));
        let names = lines.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
        let features: Vec<&str> = names.filter(|name| !name.starts_with('#') && *name != "default").collect();
        for feature in &features {
            assert!(page.contains(&format!("\n| `{feature}`")), "crates/{name}/README.md: {feature}");
            seen += 1;
        }
        assert_eq!(features.is_empty(), page.contains("no features"), "crates/{name}/README.md");
    }
    assert!(seen > 10, "features are found: {seen}");
}

#[test]
fn the_book_and_the_index_have_every_page() {
    let docs = root().join("docs");
    let mut found = Vec::new();
    pages(&docs, &mut found);
    for (list, not) in [("SUMMARY.md", vec!["SUMMARY.md"]), ("README.md", vec!["SUMMARY.md", "README.md"])] {
        let text = fs::read_to_string(docs.join(list)).expect("the list");
        let listed: BTreeSet<PathBuf> = links(&text).into_iter().map(|link| tidy(&docs.join(link))).collect();
        for page in &found {
            let name = page.strip_prefix(&docs).expect("a page of docs").to_string_lossy();
            let known = listed.contains(page) || not.contains(&&*name);
            assert!(known, "{name} is missing in docs/{list}");
        }
    }
}
