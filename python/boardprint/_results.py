"""Small classes that answers are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple


@dataclass(frozen=True)
class Warning:  # noqa: A001 - it is used as `boardprint.Warning`
    """Something that had to be interpreted to read a text."""

    kind: str
    message: str
    line: int
    column: int


@dataclass(frozen=True)
class Place:
    """Where a game stands: file, number of the record and line, both from 1."""

    path: str
    record: Optional[int]
    line: Optional[int]


@dataclass(frozen=True)
class Pair:
    """Two games that are, or may be, one."""

    game: Place
    kept: Place
    dropped: bool
    confidence: str
    reason: str


@dataclass(frozen=True)
class DedupReport:
    """What :meth:`Dedup.to` and :meth:`Dedup.run` did."""

    records: int
    kept: int
    dropped: int
    certain: int
    likely: int
    doubtful: int
    doubts: int
    rejected: int
    collisions: int
    pairs: List[Pair] = field(repr=False)
    errors: List[Exception] = field(repr=False)


@dataclass(frozen=True)
class Summary:
    """What :func:`boardprint.spark.build` did; ``games`` are those that have positions."""

    records: int
    kept: int
    dropped: int
    certain: int
    likely: int
    doubtful: int
    doubts: int
    rejected: int
    games: int


@dataclass(frozen=True)
class Written:
    """A file that was written."""

    path: str
    rows: int
    bytes: int


@dataclass(frozen=True)
class ImportReport:
    """What :meth:`Database.add` did."""

    games: int
    positions: int
    duplicates: int
    rejected: int
    errors: List[Exception] = field(repr=False)


@dataclass(frozen=True)
class NextMove:
    """A move that followed a position; ``move`` is None where games ended."""

    move: Optional[str]
    count: int
    results: Dict[str, int]
    mean_rating: Optional[int] = None

    @property
    def score(self) -> Optional[float]:
        """The mean score of the first player, over games with a result."""
        return _score(self.results)


@dataclass(frozen=True)
class GameLine:
    """A game in which a position occurred, and after how many half-moves."""

    game: int
    plies: Tuple[int, ...]
    white: Optional[str]
    black: Optional[str]
    result: str
    date: Optional[str]
    white_rating: Optional[int]
    black_rating: Optional[int]
    laws: Optional[str]
    source: str


@dataclass(frozen=True)
class Answer:
    """Everything that a database knows about a position.

    ``bool(answer)`` says whether it occurred. ``games`` counts games, ``occurrences`` counts
    every time, ``results`` says how the games ended, for each occurrence. ``next`` is
    where ``list`` goes on: pass it as ``after``.
    """

    hash: str
    cpn: Optional[str]
    games: int
    occurrences: int
    results: Dict[str, int]
    mean_rating: Optional[int]
    moves: List[NextMove]
    list: List[GameLine]
    next: Optional[str]

    def __bool__(self) -> bool:
        return self.occurrences > 0

    @property
    def score(self) -> Optional[float]:
        """The mean score of the first player, over games with a result."""
        return _score(self.results)


@dataclass(frozen=True)
class Stats:
    """What a database holds."""

    games: int
    positions: int
    duplicates: int
    rejected: int
    results: Dict[str, int]
    sources: List[str]
    rights: bool


def _score(results: Dict[str, int]) -> Optional[float]:
    games = results["1-0"] + results["0-1"] + results["1/2-1/2"]
    return (results["1-0"] + results["1/2-1/2"] / 2) / games if games else None


def date_text(day: Optional[int]) -> Optional[str]:
    """A day as the database keeps it, in ISO 8601: as much as is known."""
    if not day:
        return None
    year, month, day_of_month = day // 10_000, day // 100 % 100, day % 100
    text = f"{year:04}"
    if month:
        text += f"-{month:02}"
        if day_of_month:
            text += f"-{day_of_month:02}"
    return text
