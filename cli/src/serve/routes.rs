//! Which address is answered by what.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, Request, Response, StatusCode};
use axum::middleware::{self, Next};
use axum::routing::any;
use boardprint_base::Digest;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::accept::{Held, preferred};
use super::app::{App, Call, Depends, Question, Reply};
use super::fault::{Fault, Outcome};
use super::gate::{Gate, refuse};
use super::query::{Query, decoded};
use super::{app, copies, explore, games, keeper, legal, lichess, numbers, page, picture, reading};

const GET: &str = "GET, HEAD";
const POST: &str = "POST";
const BOTH: &str = "GET, HEAD, POST";

/// Every call of the API.
const CALLS: [Call; 17] = {
    use Depends::{Findings, Games};
    const JSON: &[&str] = &[app::JSON];
    const CPN: &[&str] = &[app::JSON, explore::CPN];
    const STREAM: &[&str] = &[app::JSON, lichess::NDJSON];
    [
        Call { path: "/api/v1/explore", methods: BOTH, forms: CPN, work: explore::explore, depends: Games },
        Call { path: "/api/v1/games", methods: GET, forms: JSON, work: games::list, depends: Games },
        Call { path: "/api/v1/games/{id}", methods: GET, forms: JSON, work: games::one, depends: Games },
        Call {
            path: "/api/v1/prefix/{hex}",
            methods: GET,
            forms: JSON,
            work: numbers::prefix,
            depends: Games,
        },
        Call { path: "/api/v1/stats", methods: GET, forms: JSON, work: numbers::stats, depends: Findings },
        Call { path: "/api/v1/variants", methods: GET, forms: JSON, work: numbers::list, depends: Findings },
        Call { path: "/api/v1/duplicates", methods: GET, forms: JSON, work: copies::list, depends: Games },
        Call { path: "/api/v1/findings", methods: GET, forms: JSON, work: keeper::list, depends: Findings },
        Call { path: "/api/v1/read", methods: POST, forms: JSON, work: reading::read, depends: Games },
        Call { path: "/api/v1/moves", methods: POST, forms: JSON, work: legal::moves, depends: Games },
        Call { path: "/api/v1/board.svg", methods: GET, forms: JSON, work: picture::board, depends: Games },
        Call { path: "/masters", methods: GET, forms: STREAM, work: lichess::everybody, depends: Games },
        Call { path: "/lichess", methods: GET, forms: STREAM, work: lichess::everybody, depends: Games },
        Call { path: "/player", methods: GET, forms: STREAM, work: lichess::player, depends: Games },
        Call { path: "/masters/pgn/{id}", methods: GET, forms: JSON, work: games::pgn, depends: Games },
        Call { path: "/master/pgn/{id}", methods: GET, forms: JSON, work: games::pgn, depends: Games },
        Call { path: "/masters/{id}", methods: GET, forms: JSON, work: games::pgn, depends: Games },
    ]
};

/// For files whose name changes with them.
const FOR_GOOD: &str = "public, max-age=31536000, immutable";

/// Where the page is shown.
const PAGES: [&str; 5] = ["/", "/p/{hash}", "/game/{id}", "/games", "/health"];

/// Everything that is answered.
pub(super) fn router(app: Arc<App>, gate: Arc<Gate>) -> Router {
    let mut router = Router::new();
    for call in CALLS {
        router = router.route(call.path, any(move |state, request| answer(state, call, request)));
    }
    for path in PAGES {
        router = router.route(path, any(async |request: Request<Body>| show_page(&request)));
    }
    router =
        router.route("/assets/{name}", any(async |request: Request<Body>| show_file(&request, "no-cache")));
    let folder = format!("/{}/{{name}}", *page::FOLDER);
    router = router.route(&folder, any(async |request: Request<Body>| show_file(&request, FOR_GOOD)));
    let broken = |_| refuse(&Fault::internal("an answer broke off"));
    router
        .fallback(async || refuse(&Fault::not_found()))
        .with_state(app)
        .layer(CompressionLayer::new().gzip(true).quality(CompressionLevel::Fastest))
        .layer(middleware::from_fn_with_state(gate, pass))
        .layer(CatchPanicLayer::custom(broken))
}

/// Through the gate, and dressed on the way out.
async fn pass(State(gate): State<Arc<Gate>>, request: Request<Body>, next: Next) -> Response<Body> {
    let mut response = match gate.check(&request) {
        Ok(None) => next.run(request).await,
        Ok(Some(response)) => response,
        Err(fault) => refuse(&fault),
    };
    gate.dress(&mut response);
    response
}

fn show_page(request: &Request<Body>) -> Response<Body> {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return refuse(&Fault::method(GET));
    }
    send("text/html; charset=utf-8", page::PAGE.as_bytes().into(), "no-cache", None)
}

fn show_file(request: &Request<Body>, keep: &'static str) -> Response<Body> {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return refuse(&Fault::method(GET));
    }
    let name = request.uri().path().rsplit('/').next().unwrap_or_default();
    match page::file(name) {
        Some((kind, bytes)) => send(kind, bytes.into(), keep, None),
        None => refuse(&Fault::not_found()),
    }
}

fn send(kind: &'static str, body: Body, keep: &'static str, tag: Option<&str>) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(tag).ok()) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Answers a call.
async fn answer(State(app): State<Arc<App>>, call: Call, request: Request<Body>) -> Response<Body> {
    let method = request.method().clone();
    if !call.methods.split(", ").any(|known| known == method.as_str()) {
        return refuse(&Fault::method(call.methods));
    }
    // Only of answers to GET and HEAD a client has one already.
    let held = (method != Method::POST).then(|| Held::of(request.headers()));
    let question = match question(&app, call, request).await {
        Ok(question) => question,
        Err(fault) => return refuse(&fault),
    };
    app.views.note(&question);
    let tag = app.tag(&question);
    if held.as_ref().is_some_and(|held| held.has(&entity_tag(&tag))) {
        return unchanged(&tag);
    }
    let outcome = match app.known(&tag) {
        Some(reply) => Ok((tag, reply)),
        None => app.answer(question).await,
    };
    match outcome {
        // Whether there is anything, nobody knows before.
        Ok((tag, _)) if held == Some(Held::Any) => unchanged(&tag),
        Ok((tag, reply)) => {
            let Reply { kind, body } = &*reply;
            let mut response = send(kind, body.clone().into(), "no-cache", Some(&entity_tag(&tag)));
            response.headers_mut().append(header::VARY, HeaderValue::from_static(VARY));
            response
        }
        Err(fault) => refuse(&fault),
    }
}

/// The same address gives another text to whoever accepts another type, and other bytes to whoever unpacks.
const VARY: &str = "accept, accept-encoding";

/// A tag as headers have it.
fn entity_tag(tag: &Digest) -> String {
    format!("W/\"{}\"", &tag.to_string()[..20])
}

/// Says that the client has the answer.
fn unchanged(tag: &Digest) -> Response<Body> {
    let mut response = send(app::JSON, Body::empty(), "no-cache", Some(&entity_tag(tag)));
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.headers_mut().remove(header::CONTENT_TYPE);
    response.headers_mut().append(header::VARY, HeaderValue::from_static(VARY));
    response
}

fn text_of<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Reads a request, with its body if it has one.
async fn question(app: &App, call: Call, request: Request<Body>) -> Outcome<Question> {
    let (parts, body) = request.into_parts();
    let name = if call.path.ends_with('}') {
        decoded(parts.uri.path().rsplit('/').next().unwrap_or_default())?
    } else {
        String::new()
    };
    let mut query = Query::of_form(parts.uri.query().unwrap_or_default())?;
    let accept = preferred(&parts.headers, call.forms);
    let mut text = String::new();
    if parts.method == Method::POST {
        text = body_text(app, &parts.headers, body).await?;
        let kind =
            text_of(&parts.headers, &header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
        if call.path != "/api/v1/read" {
            let more = match kind.to_ascii_lowercase().as_str() {
                "application/json" => Query::of_json(&text)?,
                "application/x-www-form-urlencoded" => Query::of_form(&text)?,
                _ => {
                    let message = "the body must be application/json or application/x-www-form-urlencoded";
                    return Err(Fault::parameter(message));
                }
            };
            query.extend(more);
            text = String::new();
        }
    }
    Ok(Question { call, name, query, body: text, accept })
}

/// This much of a body that is too long is read and thrown away: many clients send all of it before they look
/// for an answer, and see a broken connection otherwise.
const THROWN_AWAY: usize = 16 << 20;

/// The body of a request, within its limits of size and time.
async fn body_text(app: &App, headers: &HeaderMap, mut body: Body) -> Outcome<String> {
    let limits = &app.limits;
    let too_large = || Fault::too_large(format!("a request may have {} bytes", limits.body));
    let promised = text_of(headers, &header::CONTENT_LENGTH).parse::<usize>().unwrap_or(0);
    // Whoever asks first sends nothing after a refusal.
    let asks_first = headers.contains_key(header::EXPECT);
    if promised > limits.body && (promised > THROWN_AWAY || asks_first) {
        return Err(too_large());
    }
    let whole = Limited::new(&mut body, limits.body).collect();
    match tokio::time::timeout(limits.patience, whole).await {
        Err(_) => Err(Fault::slow()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let _ = tokio::time::timeout(limits.patience, throw_away(&mut body)).await;
            Err(too_large())
        }
        Ok(Err(_)) => Err(Fault::unreadable("the body is broken or cut off")),
        Ok(Ok(whole)) => {
            String::from_utf8(whole.to_bytes().into()).map_err(|_| Fault::unreadable("the body is not UTF-8"))
        }
    }
}

async fn throw_away(body: &mut Body) {
    let mut left = THROWN_AWAY;
    while let Some(Ok(frame)) = body.frame().await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}
