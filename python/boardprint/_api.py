"""Functions and classes over collections."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, Optional, Tuple

from . import _boardprint
from ._boardprint import Game, Games, Table
from ._results import (
    Answer,
    DedupReport,
    GameLine,
    ImportReport,
    NextMove,
    Pair,
    Place,
    Stats,
    Written,
    date_text,
)
from ._sources import expand


def open(  # noqa: A001 - it is used as `boardprint.open`
    sources: Any,
    *,
    errors: str = "raise",
    format: Optional[str] = None,
    game: Optional[str] = None,
) -> Games:
    """Read the games of files, folders or patterns, one after another.

    Formats and compression (gzip, zstd, bzip2) are told from the content. Only one
    record is in memory at a time. A bad record raises :class:`boardprint.SyntaxError`, and the
    iteration can go on after it; with ``errors="collect"`` bad records are found in
    ``.errors`` instead, with ``errors="skip"`` they are counted in ``.skipped``.

    >>> import boardprint as bp
    >>> games = bp.open(b"1. e4 e5 *\\n\\n1. d4 d5 2. c4 *\\n", format="pgn")
    >>> [game.plies for game in games]
    [2, 3]
    """
    return Games(expand(sources), errors=errors, format=format, game=game)


def postings(
    sources: Any,
    *,
    sort: bool = False,
    rights: bool = False,
    full_hash: bool = False,
    max_ply: Optional[int] = None,
    errors: str = "raise",
    format: Optional[str] = None,
    game: Optional[str] = None,
    threads: int = 0,
    memory: Optional[int] = None,
) -> Table:
    """Make a table of every position of every game: key, game, ply, move, result.

    ``key`` is the first 10 bytes of the hash, or all 20 with ``full_hash=True``; ``move`` is the
    one that followed, null where the game ended. Rows come in the order of the input,
    or with ``sort=True`` by key, through temporary files if they are more than ``memory``
    bytes.

    >>> import boardprint as bp
    >>> bp.postings(b"1. e4 e5 *").columns
    ['key', 'game', 'ply', 'move', 'result']
    """
    about = {"table": "postings", "sort": sort, "rights": rights, "full_hash": full_hash}
    about.update(max_ply=max_ply, errors=errors, threads=threads, memory=memory)
    return Table(expand(sources), about, format=format, game=game)


def games(
    sources: Any,
    *,
    rights: bool = False,
    errors: str = "raise",
    format: Optional[str] = None,
    game: Optional[str] = None,
    threads: int = 0,
) -> Table:
    """Make a table of games: id, hash, players, ratings, date, result, moves, all tags.

    >>> import boardprint as bp
    >>> bp.games(b"1. e4 e5 *").columns[:3]
    ['id', 'hash', 'kind']
    """
    about = {"table": "games", "rights": rights, "errors": errors, "threads": threads}
    return Table(expand(sources), about, format=format, game=game)


def positions(
    sources: Any,
    *,
    cpn: bool = False,
    rights: bool = False,
    full_hash: bool = False,
    max_ply: Optional[int] = None,
    errors: str = "raise",
    format: Optional[str] = None,
    game: Optional[str] = None,
    threads: int = 0,
    memory: Optional[int] = None,
) -> Table:
    """Make a table of distinct positions by key, with how often and how games ended.

    ``cpn=True`` adds the notation of each position.

    >>> import boardprint as bp
    >>> bp.positions(b"1. e4 e5 *", cpn=True).columns[-1]
    'cpn'
    """
    about = {"table": "positions", "cpn": cpn, "rights": rights, "full_hash": full_hash}
    about.update(max_ply=max_ply, errors=errors, threads=threads, memory=memory)
    return Table(expand(sources), about, format=format, game=game)


def to_parquet(
    sources: Any,
    folder: Any,
    *,
    tables: Iterable[str] = ("games", "postings", "positions"),
    cpn: bool = False,
    rights: bool = False,
    full_hash: bool = False,
    max_ply: Optional[int] = None,
    errors: str = "raise",
    format: Optional[str] = None,
    game: Optional[str] = None,
    threads: int = 0,
    memory: Optional[int] = None,
) -> Dict[str, Written]:
    """Write the tables of some files as Parquet files into a folder, which is made if need be.

    Postings and positions are sorted by key. Returns what was written, by table.

    >>> import boardprint as bp, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = bp.to_parquet(b"1. e4 e5 *", folder)
    >>> written["postings"].rows, written["games"].rows
    (3, 1)
    """
    sources = expand(sources)
    made = {}
    if isinstance(tables, str):
        tables = (tables,)
    for name in tables:
        about = {"table": name, "sort": True, "cpn": cpn, "rights": rights, "full_hash": full_hash}
        about.update(max_ply=max_ply, errors=errors, threads=threads, memory=memory)
        made[name] = Table(sources, about, format=format, game=game)
    return _write(made, folder)


def _write(tables: Dict[str, Table], folder: Any) -> Dict[str, Written]:
    folder = os.fspath(folder)
    os.makedirs(folder, exist_ok=True)
    written = {}
    for name, table in tables.items():
        path = os.path.join(folder, f"{name}.parquet")
        written[name] = Written(path, *table.to_parquet(path))
    return written


class Dedup:
    """Games of a collection, each once; :func:`dedup` makes it.

    Nothing is read before :meth:`to` or :meth:`run`.
    """

    def __init__(self, sources: List[Any], about: Dict[str, Any], reading: Dict[str, Any]) -> None:
        self._sources, self._about, self._reading = sources, about, reading

    def to(self, path: Any, *, duplicates: Any = None) -> DedupReport:
        """Write the games that stay to a file, and the others to ``duplicates`` if it is given.

        Records are written as they stand; files appear whole or not at all. An input
        cannot be the output.
        """
        outputs = [os.fspath(output) for output in (path, duplicates) if output is not None]
        for output in outputs:
            for source in self._sources:
                if isinstance(source, str) and os.path.exists(output) and _is_within(output, source):
                    raise ValueError(f"{output} is one of the inputs; write to another file")
        if len({os.path.realpath(output) for output in outputs}) < len(outputs):
            raise ValueError(f"{outputs[0]} is given for two outputs")
        return self._run(*outputs)

    def run(self) -> DedupReport:
        """Find duplicates and write nothing."""
        return self._run()

    def _run(self, *outputs: str) -> DedupReport:
        answer = _boardprint.dedup(self._sources, self._about, *outputs, **self._reading)
        pairs = [
            Pair(Place(**pair.pop("game")), Place(**pair.pop("kept")), **pair)
            for pair in answer.pop("pairs")
        ]
        return DedupReport(pairs=pairs, **answer)

    def __repr__(self) -> str:
        return f"<Dedup of {len(self._sources)} sources by {self._about['by']}>"


def _is_within(path: str, source: str) -> bool:
    path, source = os.path.realpath(path), os.path.realpath(source)
    return path == source or path.startswith(source.rstrip(os.sep) + os.sep)


def dedup(
    sources: Any,
    *,
    by: str = "game",
    keep: str = "first",
    min_plies: int = 10,
    min_confidence: str = "likely",
    merge_tags: bool = False,
    paranoid: bool = False,
    format: Optional[str] = None,
    game: Optional[str] = None,
    threads: int = 0,
) -> Dedup:
    """Find games that occur more than once, as ``boardprint dedup`` does.

    ``by`` says when two games are one: ``game`` (same laws, start and moves), ``moves`` (laws
    aside), ``final`` (same last position and length), ``prefix`` (one continues the other).
    ``keep`` says which of them stays: ``first``, ``longest`` or ``richest``.

    >>> import boardprint as bp
    >>> report = bp.dedup([b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *",
    ...                    b"1.e4 e5 2.Nf3! Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O {main line} Be7 *"]).run()
    >>> report.kept, report.dropped
    (1, 1)
    >>> report.pairs[0].confidence
    'likely'
    """
    about = {"by": by, "keep": keep, "min_plies": min_plies, "min_confidence": min_confidence}
    about.update(merge_tags=merge_tags, paranoid=paranoid, threads=threads)
    return Dedup(expand(sources), about, {"format": format, "game": game})


class Database:
    """A database of games in a folder, as ``boardprint import`` makes it.

    ``mode="r"`` opens one that exists; ``mode="w"`` makes one if need be and can :meth:`add`
    games. ``rights`` and ``engine`` (``sled`` or ``redb``) count for a database that is made. It is closed at the
    end of a ``with`` block.

    >>> import boardprint as bp, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with bp.Database(folder + "/games.db", mode="w") as db:
    ...     report = db.add(b"1. e4 c5 2. Nf3 1-0\\n\\n1. e4 e5 0-1\\n")
    ...     answer = db.lookup("1. e4")
    >>> report.games, answer.games
    (2, 2)
    >>> [(line.move, line.count) for line in answer.moves]
    [('c7c5', 1), ('e7e5', 1)]
    """

    def __init__(
        self, path: Any, *, mode: str = "r", rights: bool = False, engine: str = "sled"
    ) -> None:
        self.path = os.fspath(path)
        self._db = _boardprint._Database(self.path, mode=mode, rights=rights, engine=engine)

    def add(
        self,
        sources: Any,
        *,
        duplicates: str = "merge",
        format: Optional[str] = None,
        game: Optional[str] = None,
        threads: int = 0,
    ) -> ImportReport:
        """Add the games of some files. Files that were read before are read on from there.

        ``duplicates`` are games that the database holds: ``merge`` their tags, ``skip`` or ``keep`` them.
        """
        report = self._db.add(
            expand(sources), duplicates=duplicates, format=format, game=game, threads=threads
        )
        return ImportReport(**report)

    def lookup(
        self,
        position: str,
        *,
        limit: int = 20,
        order: str = "number",
        after: Optional[str] = None,
        player: Optional[str] = None,
        side: Optional[str] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        result: Optional[str] = None,
        min_rating: Optional[int] = None,
        source: Optional[str] = None,
        laws: Optional[str] = None,
        ratings: bool = False,
    ) -> Answer:
        """Return where a position occurred, how the games ended and what was played next.

        A position is a hash, its first 6 or more digits, or a text of any format; of a
        game the last position counts. ``player`` is a part of a name, ``side`` is ``white`` or
        ``black``, ``since`` and ``until`` are dates such as ``2024.05``; ``order`` is ``number``, ``rating`` or ``date``.
        """
        about = {"limit": limit, "order": order, "after": after, "player": player, "side": side}
        about.update(since=since, until=until, result=result, min_rating=min_rating)
        about.update(source=source, laws=laws, ratings=ratings)
        answer = self._db.lookup(position, about)
        moves = [NextMove(**line) for line in answer.pop("moves")]
        lines = []
        for line in answer.pop("list"):
            line["date"] = date_text(line["date"])
            line["plies"] = tuple(line["plies"])
            lines.append(GameLine(**line))
        return Answer(moves=moves, list=lines, **answer)

    def candidates(self, digits: str, *, limit: int = 10) -> List[Tuple[str, int]]:
        """Return the hashes that begin with some digits, and how often they occurred."""
        return self._db.candidates(digits, limit)

    def __getitem__(self, number: int) -> Game:
        """Return a game by its number."""
        if not isinstance(number, int):
            raise TypeError(f"games have numbers, not {type(number).__name__}")
        if number < 0:
            raise IndexError(f"the database has no game {number}")
        return self._db.game(number)

    def __len__(self) -> int:
        return self._db.games()

    def stats(self) -> Stats:
        """Return what the database holds."""
        return Stats(**self._db.stats())

    def postings(
        self, *, sort: bool = False, full_hash: bool = False, max_ply: Optional[int] = None,
        threads: int = 0, memory: Optional[int] = None,
    ) -> Table:
        """Make a table of every position of every game; see :func:`boardprint.postings`."""
        about = {"table": "postings", "sort": sort, "full_hash": full_hash, "max_ply": max_ply}
        return self._db.table({**about, "threads": threads, "memory": memory})

    def games(self, *, threads: int = 0) -> Table:
        """Make a table of games; see :func:`boardprint.games`. Ids are the numbers of the games."""
        return self._db.table({"table": "games", "threads": threads})

    def positions(
        self, *, cpn: bool = False, full_hash: bool = False, max_ply: Optional[int] = None,
        threads: int = 0, memory: Optional[int] = None,
    ) -> Table:
        """Make a table of distinct positions; see :func:`boardprint.positions`."""
        about = {"table": "positions", "cpn": cpn, "full_hash": full_hash, "max_ply": max_ply}
        return self._db.table({**about, "threads": threads, "memory": memory})

    def to_parquet(
        self, folder: Any, *, tables: Iterable[str] = ("games", "postings", "positions"),
        cpn: bool = False, full_hash: bool = False, threads: int = 0, memory: Optional[int] = None,
    ) -> Dict[str, Written]:
        """Write the tables as Parquet files into a folder, which is made if need be."""
        if isinstance(tables, str):
            tables = (tables,)
        made = {}
        for name in tables:
            about = {"table": name, "sort": True, "cpn": cpn, "full_hash": full_hash}
            made[name] = self._db.table({**about, "threads": threads, "memory": memory})
        return _write(made, folder)

    def close(self) -> None:
        """Close the database. Tables that are still being read keep it open."""
        self._db.close()

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Database {self.path}>"
