"""Where the test data is."""

from __future__ import annotations

import json
import os
import pathlib
import shutil

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"


def rows(path: str):
    """The rows of a file of JSON lines in the corpus."""
    with open(CORPUS / path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture(scope="session")
def program() -> str:
    """The `boardprint` program: BOARDPRINT, or the newest build in the repository."""
    named = os.environ.get("BOARDPRINT")
    built = [ROOT / "target" / kind / "boardprint" for kind in ("release", "debug")]
    built = sorted((path for path in built if path.exists()), key=lambda path: -path.stat().st_mtime)
    found = named or (str(built[0]) if built else shutil.which("boardprint"))
    if not found:
        pytest.skip("the boardprint program is not built: set BOARDPRINT, or run `cargo build`")
    return found


@pytest.fixture(scope="session")
def collection() -> str:
    """A large PGN collection: BOARDPRINT_PGN, else the PGN of the corpus."""
    named = os.environ.get("BOARDPRINT_PGN")
    if named:
        return named
    return str(CORPUS / "pgn" / "spellings.pgn")


OPENINGS = """[Event "A"]
[White "Carlsen, Magnus"]
[Black "Anand, Viswanathan"]
[Date "2024.02.29"]
[WhiteElo "2850"]
[BlackElo "2750"]
[Result "1-0"]
[ECO "B50"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0

[Event "A"]
[White "Nakamura, Hikaru"]
[Black "Carlsen, Magnus"]
[Date "2024.03.??"]
[Result "1/2-1/2"]

1. Nf3 c5 2. e4 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 g6 1/2-1/2

[Event "B"]
[White "Anand, Viswanathan"]
[Black "Nakamura, Hikaru"]
[Result "0-1"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 0-1
"""


@pytest.fixture()
def openings(tmp_path) -> str:
    """Three games; two reach one position by different roads."""
    path = tmp_path / "openings.pgn"
    path.write_text(OPENINGS, encoding="utf-8")
    return str(path)
