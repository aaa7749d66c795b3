//! Why there is no answer: a status, a stable name, and words.

use axum::http::StatusCode;
use boardprint_base::LineColumn;
use boardprint_games::{RecordError, RecordErrorKind, WriteError};
use boardprint_icn::{IcnErrorKind, Limited};
use boardprint_store::db;
use serde_json::{Value, json};

use crate::answers::AnswerError;
use crate::asked::Unclear;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) status: StatusCode,
    pub(super) kind: &'static str,
    pub(super) message: String,
    pub(super) place: Option<(u64, u64)>,
    pub(super) hint: Option<String>,
    /// After how many seconds to try again.
    pub(super) retry: Option<u32>,
    /// The methods that would do.
    pub(super) allow: Option<&'static str>,
}

/// What a question gives.
pub(super) type Outcome<T> = Result<T, Fault>;

impl Fault {
    fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        Fault { status, kind, message: message.into(), place: None, hint: None, retry: None, allow: None }
    }

    /// A text that cannot be read.
    pub(super) fn unreadable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unreadable", message)
    }

    /// A text that holds this many games, where one was asked for.
    pub(super) fn several_games(count: usize) -> Self {
        let message = format!("this text holds {count} games");
        Self::new(StatusCode::BAD_REQUEST, "several-games", message)
            .hint("give one of them; `boardprint import` takes whole files")
    }

    /// A parameter that makes no sense.
    pub(super) fn parameter(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-parameter", message)
    }

    /// Digits with which several hashes begin.
    pub(super) fn ambiguous(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "ambiguous-prefix", message)
    }

    /// Something that has no such form, or whose rules nobody knows.
    pub(super) fn unsupported(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "unsupported", message)
    }

    pub(super) fn unknown_hash(hash: &str) -> Self {
        let message = format!("no position of this database has the hash {hash}");
        Self::new(StatusCode::NOT_FOUND, "unknown-hash", message)
    }

    pub(super) fn unknown_game(id: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "unknown-game", format!("there is no game {id}"))
    }

    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "there is nothing at this address")
    }

    pub(super) fn method(allow: &'static str) -> Self {
        let message = format!("this address takes {allow} only");
        Fault { allow: Some(allow), ..Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", message) }
    }

    pub(super) fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
    }

    pub(super) fn wrong_host() -> Self {
        let message = "the Host header names another server";
        let hint = "add the name with --host if it is this one".to_owned();
        Fault { hint: Some(hint), ..Self::new(StatusCode::MISDIRECTED_REQUEST, "wrong-host", message) }
    }

    pub(super) fn too_many(seconds: u32) -> Self {
        let message = "too many requests from this address";
        Fault {
            retry: Some(seconds),
            ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", message)
        }
    }

    pub(super) fn busy(message: &str) -> Self {
        Fault { retry: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message) }
    }

    pub(super) fn timeout() -> Self {
        let message = "the question took longer than it may";
        let hint = "ask for fewer moves or games, or with fewer filters".to_owned();
        Fault { hint: Some(hint), ..Self::new(StatusCode::GATEWAY_TIMEOUT, "timeout", message) }
    }

    /// A request whose body did not come in time.
    pub(super) fn slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "timeout", "the request did not come in time")
    }

    /// Something that should not happen. What exactly is for the operator, not for whoever asks.
    pub(super) fn internal(what: &str) -> Self {
        anstream::eprintln!("error: {}", crate::visible::visible_line(what));
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the database could not be read")
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// An error of a record, with its place in the text that was sent.
    pub(super) fn of_record(error: &RecordError, text: &str) -> Self {
        let LineColumn { line, column } = error.line_column(text);
        Fault { place: Some((line as u64, column as u64)), ..error.into() }
    }

    /// A position of more pieces than the server takes.
    pub(super) fn too_many_pieces(most: usize) -> Self {
        Self::too_large(format!("a position may have {most} pieces here"))
            .hint("whoever runs the server may allow more: `serve --max-pieces`")
    }

    /// A question without meaning.
    pub(super) fn unclear(unclear: &Unclear, text: &str) -> Self {
        let at_start = |message: &str| Fault { place: Some((1, 1)), ..Self::unreadable(message) };
        match unclear {
            Unclear::Nothing => at_start("this is neither a position nor a hash nor moves").hint(
                "ICN, FEN, SFEN, CPN, PGN, a hash, six or more digits of one, or moves such as `d4 d5 c4`",
            ),
            Unclear::NotAHash => at_start("a hash has 40 hexadecimal digits"),
            Unclear::FewDigits { moves: true } => {
                at_start("these moves cannot be played from the usual start")
            }
            Unclear::FewDigits { moves: false } => {
                Self::parameter("a hash needs at least 6 digits to be looked up")
            }
            Unclear::Record { error, .. } => Self::of_record(error, text),
        }
    }

    /// As in the answer.
    pub(super) fn object(&self) -> Value {
        let (line, column) = self.place.unzip();
        json!({ "kind": self.kind, "message": self.message, "line": line, "column": column, "hint": self.hint })
    }

    /// The whole answer.
    pub(super) fn body(&self) -> Vec<u8> {
        json!({ "error": self.object() }).to_string().into_bytes()
    }
}

impl From<db::Error> for Fault {
    fn from(error: db::Error) -> Self {
        match error {
            db::Error::OutOfTime => Fault::timeout(),
            db::Error::Missing { id, .. } => Fault::unknown_game(&id.to_string()),
            error => Fault::internal(&error.to_string()),
        }
    }
}

impl From<RecordError> for Fault {
    fn from(error: RecordError) -> Self {
        (&error).into()
    }
}

impl From<&RecordError> for Fault {
    fn from(error: &RecordError) -> Self {
        if let RecordErrorKind::Icn(icn) = error.kind()
            && let IcnErrorKind::TooMuch { what, limit } = icn.kind()
        {
            return match what {
                Limited::Pieces => Fault::too_many_pieces(*limit),
                _ => Fault::too_large(error.to_string()),
            };
        }
        let hint = error.hint().map(|hint| for_http(&hint));
        Fault { hint, ..Fault::unreadable(for_http(&error.to_string())) }
    }
}

/// A message of a reader in words of this protocol: options of the command line are parameters here.
pub(super) fn for_http(message: &str) -> String {
    message.replace("`--game ", "`game=").replace("with --from", "with `from`")
}

impl From<AnswerError> for Fault {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Record(error) => error.into(),
            AnswerError::Store(error) => error.into(),
        }
    }
}

impl From<WriteError> for Fault {
    fn from(error: WriteError) -> Self {
        let hint = error.hint().map(|hint| for_http(&hint));
        Fault { hint, ..Fault::unsupported(for_http(&error.to_string())) }
    }
}
