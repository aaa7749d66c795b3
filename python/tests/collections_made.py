"""Collections for the tests of the cluster: the same for the same seed, with copies, beginnings, bad records and files of every format."""

from __future__ import annotations

import gzip
import pathlib
import random
import shutil
from typing import List, NamedTuple

import boardprint as bp
from conftest import CORPUS

PLAYERS = ["Carlsen, Magnus", "Anand, Viswanathan", "Nakamura, Hikaru", "Polgar, Judit", "?"]


def line(chance: random.Random, plies: int) -> List[str]:
    """Random legal moves from the start of Western chess."""
    fen, moves = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", []
    for _ in range(plies):
        legal = bp.read(fen, format="fen").legal_moves()
        if not legal:
            break
        moves.append(chance.choice(sorted(legal)))
        fen = bp.read(f"position fen {fen} moves {moves[-1]}", format="uci")[1].fen
    return moves


class Made(NamedTuple):
    """A game as somebody played it."""

    moves: List[str]
    white: str
    black: str
    date: str


def played(chance: random.Random, moves: List[str]) -> Made:
    date = chance.choice(["2024.02.29", "2023.??.??", "????.??.??"])
    return Made(moves, chance.choice(PLAYERS), chance.choice(PLAYERS), date)


def record(chance: random.Random, number: int, game: Made) -> str:
    """A game in PGN, with tags and comments that happen to be there."""
    result = chance.choice(["1-0", "0-1", "1/2-1/2", "*"])
    tags = [("Event", f"made {number}"), ("Date", game.date), ("White", game.white), ("Black", game.black), ("Result", result)]
    if chance.random() < 0.3:
        tags.append(("WhiteElo", str(chance.randrange(2000, 2800))))
    words = []
    if game.moves:
        text = bp.read(f"position startpos moves {' '.join(game.moves)}", format="uci").convert("pgn")
        words = [word for word in text.split("]\n\n")[-1].split() if word not in ("*", "1-0", "0-1", "1/2-1/2")]
    if chance.random() < 0.2 and words:
        # A comment over several lines; a few look like the beginning of a game.
        inside = '\n[White "nobody"]\n' if chance.random() < 0.2 else "many\n\nlines"
        words.insert(chance.randrange(len(words)) + 1, f"{{so far\n{inside}\n1. e4}}")
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags)
    return f"{head}\n{' '.join([*words, result])}\n"


def pgn(path: pathlib.Path, games: int, seed: int = 1) -> str:
    """A PGN collection: of every ten games, four are copies or beginnings of others, and one record in fifty is bad."""
    chance = random.Random(seed)
    before: List[Made] = []
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number in range(games):
            if before and chance.random() < 0.4:
                game = chance.choice(before)
                if chance.random() < 0.4:
                    game = game._replace(moves=game.moves[: chance.randrange(len(game.moves) + 1)])
                if chance.random() < 0.4:
                    game = played(chance, game.moves)
            else:
                game = played(chance, line(chance, chance.choice([0, 3, 9, 14, 25, 40, 60])))
            before.append(game)
            file.write(record(chance, number, game) + "\n")
            if chance.random() < 0.02:
                file.write(f'[Event "bad {number}"]\n\n1. e4 Ke7 2. Qxq9 *\n\n')
    return str(path)


def icn(path: pathlib.Path, games: int, seed: int = 2) -> str:
    """Games of the open board; some cannot be played."""
    chance = random.Random(seed)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for number in range(games):
            moves, x, y = [], 5, 1
            for step in range(chance.choice([0, 2, 11, 12, 24])):
                if step % 2:
                    moves.append("5,8>5,9" if step % 4 == 1 else "5,9>5,8")
                else:
                    to = (x + (1 if number % 5 == 0 else 0), y + 1)
                    moves.append(f"{x},{y}>{to[0]},{to[1]}")
                    x, y = to
            if number % 17 == 3:
                moves.append("99,99>98,98")
            tags = f'[White "{chance.choice(PLAYERS)}"] [Black "{chance.choice(PLAYERS)}"] ' if chance.random() < 0.8 else ""
            comment = "{over\n\nlines} " if chance.random() < 0.1 else ""
            file.write(f"{tags}w 0/100 1 K5,1|k5,8 {comment}{'|'.join(moves)}\n" + ("\n" if chance.random() < 0.5 else ""))
            if number % 31 == 7:
                file.write("K1,,1|k1,9\n\n")
    return str(path)


def mixed(folder: pathlib.Path) -> List[str]:
    """Files of every kind: plain and compressed, named and found in a folder."""
    folder.mkdir()
    inner = folder / "games"
    shutil.copytree(CORPUS / "games", inner)
    (inner / "notes").write_text("nothing that looks like a game\n")
    packed = folder / "packed.pgn.gz"
    plain = pgn(folder / "plain.pgn", 60, seed=3)
    with open(pgn(folder / "other.pgn", 40, seed=4), "rb") as source, gzip.open(packed, "wb") as target:
        target.write(source.read() + open(plain, "rb").read())
    records = CORPUS / "finite" / "records"
    files = [plain, str(inner), icn(folder / "open.icn", 120), str(packed)]
    files += sorted(str(path) for path in records.iterdir() if path.suffix in (".csa", ".kif", ".usi"))
    # A file that is named twice in a row.
    return [*files, str(CORPUS / "pgn" / "edges.pgn"), str(CORPUS / "pgn" / "edges.pgn"), str(CORPUS / "pgn" / "spellings.pgn")]
