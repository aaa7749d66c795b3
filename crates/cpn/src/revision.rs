//! Revisions of the actor notation.

/// A revision of General Actor Notation. They differ in the prefix of royal actors only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// June 2014: `w:_k`.
    Y2014,
    /// August 2015: `w:^k`. What boardprint writes unless asked otherwise.
    #[default]
    Y2015,
    /// August 2019: `w:-k`.
    Y2019,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Revision; 3] = [Revision::Y2014, Revision::Y2015, Revision::Y2019];

    /// The prefix of royal actors.
    #[must_use]
    pub const fn royal_prefix(self) -> char {
        match self {
            Revision::Y2014 => '_',
            Revision::Y2015 => '^',
            Revision::Y2019 => '-',
        }
    }

    /// The revision of a royal prefix.
    #[must_use]
    pub fn from_royal_prefix(prefix: char) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.royal_prefix() == prefix)
    }

    /// The revision of a year, as it is written on a command line.
    #[must_use]
    pub fn from_year(year: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.year() == year)
    }

    /// The year it is from.
    #[must_use]
    pub const fn year(self) -> u16 {
        match self {
            Revision::Y2014 => 2014,
            Revision::Y2015 => 2015,
            Revision::Y2019 => 2019,
        }
    }
}
