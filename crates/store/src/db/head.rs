//! HEAD: which database this is, and what of it was acknowledged. Replaced by one rename.

use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::Path;

use super::error::{Error, Result};
use super::log::Address;

/// The format this program reads and writes.
pub(crate) const FORMAT: u32 = 2;
/// The format of version 0.1, which `reindex` reads.
pub(crate) const FORMAT_1: u32 = 1;

/// The version of the specification by which games and positions are named.
pub const SPECIFICATION: &str = "1.0";

pub(crate) const HEAD: &str = "HEAD";
const HEAD_NEW: &str = "HEAD.new";
/// A longer file is not a HEAD.
const MAX_BYTES: u64 = 64 << 10;

/// What tells a database from all others: sixteen random bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct DatabaseId(pub [u8; 16]);

impl DatabaseId {
    /// A new one. It needs to be different, not secret.
    pub(crate) fn new() -> Self {
        use std::hash::{BuildHasher as _, RandomState};
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |now| now.as_nanos());
        let half = |salt: u8| RandomState::new().hash_one((salt, now, std::process::id())).to_be_bytes();
        let mut id = [0; 16];
        id[..8].copy_from_slice(&half(1));
        id[8..].copy_from_slice(&half(2));
        DatabaseId(id)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut id = [0; 16];
        hex::decode_to_slice(text, &mut id).ok()?;
        Some(DatabaseId(id))
    }
}

impl fmt::Display for DatabaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for DatabaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseId({self})")
    }
}

/// What HEAD says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) id: DatabaseId,
    /// Grows with every state of the index that is published.
    pub(crate) generation: u64,
    /// The end of the log that was acknowledged.
    pub(crate) log: Address,
    /// How many games that makes, for messages.
    pub(crate) games: u64,
    /// The number of the index folder.
    pub(crate) index: u32,
    /// How positions are named.
    pub(crate) profile: String,
    /// Positions after this ply are not indexed.
    pub(crate) max_ply: Option<u32>,
}

impl Head {
    pub(crate) fn text(&self) -> String {
        let text = format!(
            "boardprint database, format {FORMAT}\nid {}\ngeneration {}\nlog {} {}\ngames {}\nindex {}\nprofile {}\nspecification {SPECIFICATION}\n",
            self.id,
            self.generation,
            self.log.segment(),
            self.log.offset(),
            self.games,
            self.index,
            self.profile
        );
        let text = match self.max_ply {
            Some(ply) => format!("{text}max-ply {ply}\n"),
            None => text,
        };
        format!("{text}check {:08x}\n", crc32fast::hash(text.as_bytes()))
    }

    /// Replaces the HEAD of a folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let (new, old) = (folder.join(HEAD_NEW), folder.join(HEAD));
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(self.text().as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &old)?;
            sync_folder(folder)
        };
        write().map_err(Error::io("write", &old))
    }

    /// Reads the HEAD of a folder; `None` if there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(HEAD);
        let unreadable = |why: String| Error::HeadUnreadable { path: path.clone(), why };
        let about = match fs::metadata(&path) {
            Ok(about) => about,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            Err(cause) if cause.kind() == ErrorKind::NotADirectory => {
                return Err(Error::Io { action: "open", path: folder.to_owned(), cause });
            }
            Err(cause) => return Err(unreadable(cause.to_string())),
        };
        // A pipe in its place would keep us waiting.
        if !about.is_file() {
            return Err(unreadable("it is not an ordinary file".to_owned()));
        }
        let mut text = String::new();
        let file = File::open(&path).map_err(|cause| unreadable(cause.to_string()))?;
        let read = file.take(MAX_BYTES).read_to_string(&mut text);
        read.map_err(|cause| unreadable(cause.to_string()))?;
        Self::of_text(&text, &path).map(Some)
    }

    /// The HEAD with a text, which is found at `path`.
    pub(crate) fn of_text(text: &str, path: &Path) -> Result<Self> {
        Self::parse(text).map_err(|wrong| match wrong {
            Wrong::Format(found) => Error::OtherFormat { found, known: FORMAT },
            Wrong::Specification(found) => Error::OtherSpecification { found, known: SPECIFICATION },
            Wrong::Text => {
                let why = "its text or its check is not what was written".to_owned();
                Error::HeadUnreadable { path: path.to_owned(), why }
            }
        })
    }

    fn parse(text: &str) -> std::result::Result<Self, Wrong> {
        let checked = text
            .rsplit_once("check ")
            .filter(|(before, check)| *check == format!("{:08x}\n", crc32fast::hash(before.as_bytes())));
        let format = text.strip_prefix("boardprint database, format ").and_then(|rest| rest.split_once('\n'));
        let format: Option<u32> = format.and_then(|(format, _)| format.parse().ok());
        match format {
            Some(found) if checked.is_some() && found != FORMAT => return Err(Wrong::Format(found)),
            Some(_) if checked.is_some() => {}
            _ => return Err(Wrong::Text),
        }
        // The first databases of this format do not say it: there was one then.
        let specification = text.lines().find_map(|line| line.strip_prefix("specification "));
        match specification {
            Some(found) if found != SPECIFICATION => Err(Wrong::Specification(found.to_owned())),
            _ => Self::fields(text).ok_or(Wrong::Text),
        }
    }

    fn fields(text: &str) -> Option<Self> {
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let (segment, offset) = field("log")?.split_once(' ')?;
        Some(Head {
            id: DatabaseId::parse(field("id")?)?,
            generation: field("generation")?.parse().ok()?,
            log: Address::new(segment.parse().ok()?, offset.parse().ok()?)?,
            games: field("games")?.parse().ok()?,
            index: field("index")?.parse().ok()?,
            profile: field("profile")?.to_owned(),
            max_ply: match field("max-ply") {
                Some(ply) => Some(ply.parse().ok()?),
                None => None,
            },
        })
    }
}

enum Wrong {
    Format(u32),
    Specification(String),
    Text,
}

/// Makes renames and new files in a folder safe. Some systems cannot open folders; there it does nothing.
pub(crate) fn sync_folder(path: &Path) -> std::io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_comes_back_and_any_change_is_noticed() {
        let head = Head {
            id: DatabaseId::new(),
            generation: 7,
            log: Address::new(3, 12345).unwrap(),
            games: 99,
            index: 2,
            profile: "cpn^ plain".to_owned(),
            max_ply: Some(40),
        };
        let folder = tempfile::tempdir().unwrap();
        assert!(Head::read(folder.path()).unwrap().is_none());
        head.write(folder.path()).unwrap();
        assert_eq!(Head::read(folder.path()).unwrap(), Some(head.clone()));
        let good = head.text().into_bytes();
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            fs::write(folder.path().join(HEAD), bad).unwrap();
            assert!(Head::read(folder.path()).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn the_specification_is_named_and_another_one_is_refused() {
        let head = Head {
            id: DatabaseId::new(),
            generation: 1,
            log: Address::new(1, 0).unwrap(),
            games: 0,
            index: 1,
            profile: "cpn^ plain".to_owned(),
            max_ply: None,
        };
        let with = |line: &str| {
            let (text, _) = head
                .text()
                .rsplit_once("check ")
                .map(|(text, check)| (text.to_owned(), check.to_owned()))
                .unwrap();
            let text = text.replace("specification 1.0\n", line);
            let folder = tempfile::tempdir().unwrap();
            let text = format!("{text}check {:08x}\n", crc32fast::hash(text.as_bytes()));
            fs::write(folder.path().join(HEAD), text).unwrap();
            Head::read(folder.path())
        };
        assert_eq!(with("specification 1.0\n").unwrap(), Some(head.clone()));
        assert_eq!(with("").unwrap(), Some(head.clone()), "as the first databases of this format");
        let error = with("specification 2.0\n").unwrap_err();
        assert!(matches!(&error, Error::OtherSpecification { found, .. } if found == "2.0"), "{error}");
    }
}
