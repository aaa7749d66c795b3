//! What every request passes: who it is meant for, how long it is, how often it comes; and what every answer
//! carries.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::body::Body;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, Uri};

use super::app::JSON;
use super::fault::{Fault, Outcome};

/// Nothing inline, nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
    frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The address that a request came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) SocketAddr);

/// Who may ask, and how often.
pub(super) struct Gate {
    /// Names of this server, in lower case and without ports.
    hosts: Vec<String>,
    /// A page elsewhere that may read answers.
    cors: Option<HeaderValue>,
    address: usize,
    rate: f64,
    visitors: Mutex<HashMap<IpAddr, Visitor>>,
}

/// How many requests an address may still send, at a moment.
struct Visitor {
    left: f64,
    at: Instant,
}

impl Gate {
    /// This many addresses are remembered; those who have not come for long are forgotten first.
    const VISITORS: usize = 50_000;
    /// This many seconds' worth of requests may come at once.
    const BURST: f64 = 5.0;

    pub(super) fn new(hosts: Vec<String>, cors: Option<HeaderValue>, address: usize, rate: u32) -> Self {
        let hosts = hosts.into_iter().map(|host| host.to_ascii_lowercase()).collect();
        Gate { hosts, cors, address, rate: f64::from(rate), visitors: Mutex::default() }
    }

    /// Whether a request may pass; or an answer to give at once.
    pub(super) fn check(&self, request: &Request<Body>) -> Outcome<Option<Response<Body>>> {
        self.host(request.uri(), request.headers())?;
        if request.uri().path_and_query().is_some_and(|address| address.as_str().len() > self.address) {
            return Err(Fault::too_large(format!("an address may have {} bytes", self.address))
                .hint("send the position as the body of a POST"));
        }
        if let Some(Peer(peer)) = request.extensions().get::<Peer>() {
            self.visit(peer.ip(), Instant::now())?;
        }
        if request.method() == Method::OPTIONS && self.cors.is_some() {
            return Ok(Some(preflight()));
        }
        Ok(None)
    }

    /// A page elsewhere can make its own name point here; then the Host header has that name.
    fn host(&self, uri: &Uri, headers: &HeaderMap) -> Outcome<()> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Fault::wrong_host()) };
        let header = host.to_str().map_err(|_| Fault::wrong_host())?;
        let names = uri.authority().map(Authority::as_str).into_iter().chain([header]);
        let is_ours = |name: &str| self.hosts.iter().any(|host| *host == name.to_ascii_lowercase());
        if names.map(without_port).all(|name| name.is_some_and(is_ours)) {
            Ok(())
        } else {
            Err(Fault::wrong_host())
        }
    }

    /// Counts a request. This machine may ask as often as it likes.
    fn visit(&self, peer: IpAddr, now: Instant) -> Outcome<()> {
        if self.rate == 0.0 || peer.to_canonical().is_loopback() {
            return Ok(());
        }
        let (peer, most) = (network(peer), self.rate * Self::BURST);
        let mut visitors = self.visitors.lock().unwrap_or_else(PoisonError::into_inner);
        if visitors.len() >= Self::VISITORS {
            visitors.retain(|_, visitor| now.duration_since(visitor.at).as_secs_f64() < Self::BURST);
        }
        if visitors.len() >= Self::VISITORS && !visitors.contains_key(&peer) {
            return Err(Fault::busy("too many visitors"));
        }
        let visitor = visitors.entry(peer).or_insert(Visitor { left: most, at: now });
        let gained = now.saturating_duration_since(visitor.at).as_secs_f64() * self.rate;
        visitor.left = (visitor.left + gained).min(most);
        visitor.at = now;
        if visitor.left < 1.0 {
            return Err(Fault::too_many(1));
        }
        visitor.left -= 1.0;
        Ok(())
    }

    /// What every answer carries.
    pub(super) fn dress(&self, response: &mut Response<Body>) {
        const ALWAYS: [(HeaderName, &str); 6] = [
            (header::CONTENT_SECURITY_POLICY, POLICY),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::X_FRAME_OPTIONS, "DENY"),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        ];
        let headers = response.headers_mut();
        for (name, value) in ALWAYS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if let Some(origin) = &self.cors {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers
                .insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag, retry-after"));
            headers.append(header::VARY, HeaderValue::from_static("origin"));
            headers.insert(
                HeaderName::from_static("cross-origin-resource-policy"),
                HeaderValue::from_static("cross-origin"),
            );
        }
    }
}

/// Whose address it is: of IPv6 everybody has at least 2^64 addresses, which differ in the second half.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !u128::from(u64::MAX)).into(),
        ip @ IpAddr::V4(_) => ip,
    }
}

/// What a browser asks before a page elsewhere may send JSON.
fn preflight() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("content-type, accept, if-none-match"),
    );
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    response
}

/// The name in a Host header: `localhost:80`, `[::1]:80`.
fn without_port(host: &str) -> Option<&str> {
    let end = match host.strip_prefix('[') {
        Some(rest) => rest.find(']')? + 2,
        None => host.find(':').unwrap_or(host.len()),
    };
    let (name, port) = host.split_at(end);
    let is_port = |port: &str| port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(name)
}

/// A fault as an answer.
pub(super) fn refuse(fault: &Fault) -> Response<Body> {
    let mut response = Response::new(Body::from(fault.body()));
    *response.status_mut() = fault.status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = fault.retry {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Some(allow) = fault.allow {
        headers.insert(header::ALLOW, HeaderValue::from_static(allow));
    }
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn hosts_are_compared_without_ports() {
        for (host, name) in [
            ("localhost:8723", "localhost"),
            ("[::1]:80", "[::1]"),
            ("a.example", "a.example"),
            ("[::1]", "[::1]"),
        ] {
            assert_eq!(without_port(host), Some(name));
        }
        for bad in ["localhost:80x", "localhost:800000", "[::1", "[::1]x", "a:1:2"] {
            assert_eq!(without_port(bad), None, "{bad}");
        }
        let gate = Gate::new(vec!["localhost".to_owned(), "Explorer.example".to_owned()], None, 100, 0);
        let passes = |uri: &str, hosts: &[&str]| {
            let mut request = Request::builder().uri(uri);
            for host in hosts {
                request = request.header(header::HOST, *host);
            }
            gate.check(&request.body(Body::empty()).unwrap()).is_ok()
        };
        assert!(passes("/", &["LOCALHOST:1"]));
        assert!(passes("/", &["explorer.example"]));
        assert!(passes("http://localhost/", &["localhost"]));
        assert!(!passes("http://evil.example/", &["localhost"]));
        assert!(!passes("/", &["evil.example"]));
        assert!(!passes("/", &["localhost.evil.example"]));
        assert!(!passes("/", &["localhost", "localhost"]));
        assert!(!passes("/", &[]));
        assert!(!passes(&format!("/{}", "x".repeat(100)), &["localhost"]));
    }

    #[test]
    fn strangers_have_a_rate() {
        let gate = Gate::new(Vec::new(), None, 100, 10);
        let (stranger, other, now) = ([192, 0, 2, 1].into(), [192, 0, 2, 2].into(), Instant::now());
        let passed = (0..100).filter(|_| gate.visit(stranger, now).is_ok()).count();
        assert_eq!(passed, 50);
        assert_eq!(gate.visit(stranger, now).unwrap_err().status, StatusCode::TOO_MANY_REQUESTS);
        assert!(gate.visit(other, now).is_ok());
        let later = now + Duration::from_secs(1);
        assert_eq!((0..100).filter(|_| gate.visit(stranger, later).is_ok()).count(), 10);
        for _ in 0..1000 {
            gate.visit([127, 0, 0, 1].into(), now).unwrap();
        }
        // Whoever has a network of IPv6 is one visitor, with whatever address; one of IPv4 is the same in IPv6.
        let from = |text: &str| gate.visit(text.parse().unwrap(), now).is_ok();
        assert_eq!((0..100).filter(|n| from(&format!("2001:db8::1:{n}"))).count(), 50);
        assert!(from("2001:db8:0:1::1"));
        assert!(!from("::ffff:192.0.2.1"));
    }
}
