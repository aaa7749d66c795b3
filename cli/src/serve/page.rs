//! The page: files of `cli/web` that are part of the program.
//!
//! They are named here one by one, and a test compares the list with the folder: that needs neither a build
//! script nor a dependency.

use std::sync::LazyLock;

use boardprint_base::Digest;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/assets/", $name)).as_slice())),*]
    };
}

static FILES: &[(&str, &[u8])] = files![
    "app.js",
    "axis.js",
    "board-view.js",
    "cpn.js",
    "dom.js",
    "explore.js",
    "filters.js",
    "game-list.js",
    "games.js",
    "glyphs.js",
    "health.js",
    "icon.svg",
    "icons.js",
    "label.js",
    "line.js",
    "move-line.js",
    "move-table.js",
    "notations.js",
    "open-board.js",
    "pieces.js",
    "plain-board.js",
    "problem.js",
    "rays.js",
    "results.js",
    "source-error.js",
    "source-http.js",
    "style.css",
    "theme.js",
];

const INDEX: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/index.html"));

/// The name of the folder of files with their hash in it, so that browsers may keep them for good.
pub(super) static FOLDER: LazyLock<String> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (name, bytes) in FILES {
        all.extend_from_slice(name.as_bytes());
        all.extend_from_slice(&Digest::of(bytes).0);
    }
    format!("assets-{}", &Digest::of(&all).to_string()[..12])
});

/// The page, which names the files in that folder.
pub(super) static PAGE: LazyLock<String> =
    LazyLock::new(|| INDEX.replace("/assets/", &format!("/{}/", *FOLDER)));

/// A file of the page with its media type.
pub(super) fn file(name: &str) -> Option<(&'static str, &'static [u8])> {
    let (_, bytes) = FILES.iter().find(|(known, _)| *known == name)?;
    let kind = match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    Some((kind, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_part_of_the_program() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web/assets");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".d.ts"))
            .collect();
        names.sort();
        assert_eq!(names, FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        assert!(PAGE.contains(&format!("src=\"/{}/app.js\"", *FOLDER)), "{}", *PAGE);
        assert!(!PAGE.contains("/assets/"));
    }
}
