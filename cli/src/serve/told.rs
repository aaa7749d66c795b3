//! What a server is told when it starts, where a slip would only be noticed later, or never.

use std::net::Ipv6Addr;
use std::path::Path;

use axum::http::HeaderValue;

/// Whether a Host header can have a name; else what to write.
pub(super) fn host(name: &str) -> Result<(), String> {
    let write = |better: &str| Err(format!("--host {name}: write the name alone: `--host {better}`"));
    let after = name.split_once("://").map_or(name, |(_, rest)| rest);
    let bare = after.split(['/', '?', '#']).next().unwrap_or_default();
    if let Ok(address) = bare.trim_matches(['[', ']']).parse::<Ipv6Addr>() {
        // As browsers write it.
        let known = format!("[{address}]");
        return if name.eq_ignore_ascii_case(&known) { Ok(()) } else { write(&known) };
    }
    let bare = match bare.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => bare,
    };
    let is_name = !bare.is_empty()
        && bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'));
    match is_name {
        true if bare == name => Ok(()),
        true => write(bare),
        false => Err(format!(
            "--host {name}: write the name in the address of the page, as browsers send it: `--host chess.example.org`"
        )),
    }
}

/// The origin of pages that may read answers, if a browser can send it; else what to write.
pub(super) fn origin(text: &str) -> Result<HeaderValue, String> {
    let wrong =
        |better: &str| format!("--cors {text}: write an origin as browsers send it: `--cors {better}`");
    let example = "https://chess.example.org";
    let value = || HeaderValue::from_str(text).map_err(|_| wrong(example));
    if matches!(text, "*" | "null") {
        return value();
    }
    let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong(example))?;
    let scheme = scheme.to_ascii_lowercase();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let usual_port = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => ":",
    };
    let host = host.strip_suffix(usual_port).unwrap_or(&host);
    let is_scheme =
        scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let is_host = !host.is_empty() && !host.contains('@') && host.bytes().all(|byte| byte.is_ascii_graphic());
    if scheme.is_empty() || !is_scheme || !is_host {
        return Err(wrong(example));
    }
    let better = format!("{scheme}://{host}");
    if better == text { value() } else { Err(wrong(&better)) }
}

/// Whether a folder can be watched.
pub(super) fn folder(path: &Path) -> Result<(), String> {
    let name = path.display();
    match path.metadata() {
        Ok(about) if about.is_dir() => Ok(()),
        Ok(_) => Err(format!("--watch {name}: this is a file; name its folder, or import it with --import")),
        Err(error) => Err(format!("--watch {name}: {error}; make the folder first")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_never_match_are_refused() {
        for good in [
            "localhost",
            "expl.example",
            "Expl.Example",
            "10.0.0.7",
            "[::1]",
            "a_b.example",
            "xn--bcher-kva.example",
        ] {
            assert_eq!(host(good), Ok(()), "{good}");
        }
        for (bad, better) in [
            ("expl.example:9110", "`--host expl.example`"),
            ("http://a", "`--host a`"),
            ("https://a.example:80/x", "`--host a.example`"),
            ("a.example/", "`--host a.example`"),
            ("::1", "`--host [::1]`"),
            ("[0:0::1]", "`--host [::1]`"),
            ("", "chess.example.org"),
            ("http://", "chess.example.org"),
            ("b\u{fc}cher.example", "chess.example.org"),
            ("*.example", "chess.example.org"),
        ] {
            let why = host(bad).unwrap_err();
            assert!(why.contains(better), "{bad}: {why}");
        }
    }

    #[test]
    fn origins_that_never_match_are_refused() {
        for good in [
            "https://a.example",
            "http://localhost:3000",
            "https://[::1]:8",
            "moz-extension://ab-cd",
            "*",
            "null",
        ] {
            assert_eq!(origin(good).unwrap(), good);
        }
        for (bad, better) in [
            ("https://a.example/", "`--cors https://a.example`"),
            ("https://A.example", "`--cors https://a.example`"),
            ("https://a.example:443", "`--cors https://a.example`"),
            ("http://a.example:80/x?y", "`--cors http://a.example`"),
            ("x", "chess.example.org"),
            ("a.example", "chess.example.org"),
            ("https://", "chess.example.org"),
            ("https://me@a.example", "chess.example.org"),
            ("", "chess.example.org"),
        ] {
            let why = origin(bad).unwrap_err();
            assert!(why.contains(better), "{bad}: {why}");
        }
    }
}
