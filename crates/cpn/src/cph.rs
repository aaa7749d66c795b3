//! Chess Position Hashes.

use std::fmt;
use std::str::FromStr;

use boardprint_base::{Digest, DigestPrefix, ParseDigestError};
use serde::{Deserialize, Serialize};

/// A Chess Position Hash: the SHA-1 of the bytes of a CPN, without a newline.
///
/// SHA-1 does not resist somebody who makes two texts with one hash on purpose. Where a match decides about
/// input of hostile origin, compare the CPN itself.
///
/// ```
/// use boardprint_cpn::Cph;
/// let cph = Cph::of(b"B--1--W:^K--");
/// assert_eq!(cph.to_string(), "90d90cde4696faac7208010d51450d9c95db133a");
/// assert_eq!("90d90cde4696faac7208010d51450d9c95db133a".parse(), Ok(cph));
/// assert!(cph.starts_with(&"90d".parse()?));
/// # Ok::<(), boardprint_base::ParseDigestError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cph(pub Digest);

impl Cph {
    /// The hash of the text of a CPN.
    #[must_use]
    pub fn of(cpn: &[u8]) -> Self {
        Cph(Digest::of(cpn))
    }

    /// The digest.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.0
    }

    /// Whether the hash begins with these digits.
    #[must_use]
    pub fn starts_with(&self, prefix: &DigestPrefix) -> bool {
        self.0.starts_with(prefix)
    }
}

impl From<Digest> for Cph {
    fn from(digest: Digest) -> Self {
        Cph(digest)
    }
}

impl FromStr for Cph {
    type Err = ParseDigestError;
    fn from_str(text: &str) -> Result<Self, ParseDigestError> {
        text.parse().map(Cph)
    }
}

impl fmt::Display for Cph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Cph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = self.to_string();
        write!(f, "Cph({}…)", &hex[..8])
    }
}
