"""boardprint gives every chess position a name that does not depend on who wrote it down.

It reads infinite-chess notation (ICN), PGN, FEN, SFEN and CPN, names positions by their
Chess Position Hash, finds duplicates, and makes tables for pyarrow, Polars and DuckDB.

>>> import boardprint as bp
>>> bp.canon("K05,1|k5,8 1. K5,1 > 5,2")
'k5,8|K5,1 5,1>5,2'
>>> game = bp.read("1. e4 c5 2. Nf3")
>>> game[2].fen
'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
"""

from ._boardprint import (
    SCHEMA_VERSION,
    Game,
    Games,
    Position,
    Positions,
    Table,
    __version__,
    canon,
    cph,
    read,
    warnings,
)
from ._api import Database, Dedup, dedup, games, open, positions, postings, to_parquet
from ._errors import SyntaxError
from ._results import (
    Answer,
    DedupReport,
    GameLine,
    ImportReport,
    NextMove,
    Pair,
    Place,
    Stats,
    Warning,
    Written,
)

__all__ = [
    "SCHEMA_VERSION",
    "Answer",
    "Database",
    "Dedup",
    "DedupReport",
    "Game",
    "GameLine",
    "Games",
    "ImportReport",
    "NextMove",
    "Pair",
    "Place",
    "Position",
    "Positions",
    "Stats",
    "SyntaxError",
    "Table",
    "Warning",
    "Written",
    "__version__",
    "canon",
    "cph",
    "dedup",
    "games",
    "open",
    "positions",
    "postings",
    "read",
    "to_parquet",
    "warnings",
]


def __getattr__(name: str):
    # Spark is an extra, and slow to import: `boardprint.spark` comes when somebody asks for it.
    if name == "spark":
        import importlib

        return importlib.import_module(".spark", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
