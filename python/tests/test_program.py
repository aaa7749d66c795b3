"""The same answers as the program on the same files."""

import json
import subprocess

import pytest
from conftest import CORPUS

import boardprint as bp

FILES = [
    str(CORPUS / "pgn" / "edges.pgn"),
    str(CORPUS / "pgn" / "spellings.pgn"),
    str(CORPUS / "games" / "lines.icn"),
    str(CORPUS / "games" / "long-form.json"),
    str(CORPUS / "games" / "original-long.icn"),
]


def run(program, *arguments, status=(0,)):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    assert done.returncode in status, done.stderr
    return done.stdout


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.rsplit("/", 1)[-1])
def test_hashes(program, file):
    lines = run(program, "hash", "--of", "game", file, status=(0, 1)).splitlines()
    games = bp.open(file, errors="skip")
    assert [game.hash for game in games if game.plies] == [
        line.split()[0] for line, game in zip(lines, bp.open(file, errors="skip")) if game.plies
    ]
    lines = run(program, "hash", "--ply", "all", file, status=(0, 1)).splitlines()
    hashes = [hash for game in bp.open(file, errors="skip") for hash in game.hashes()]
    assert hashes == [line.split()[0] for line in lines]


def test_canonical_text(program):
    file = str(CORPUS / "games" / "lines.icn")
    lines = run(program, "canon", file).splitlines()
    assert [game.convert("icn") for game in bp.open(file)] == lines


@pytest.mark.parametrize("by", ["game", "moves", "final", "prefix"])
def test_duplicates(program, collection, tmp_path, by):
    theirs, ours, report = (str(tmp_path / name) for name in ("theirs", "ours", "pairs"))
    inputs = [collection, collection, str(CORPUS / "pgn" / "edges.pgn")]
    run(program, "dedup", "--by", by, *inputs, "-o", theirs, "--report", report, status=(0, 1))
    summary = bp.dedup(inputs, by=by).to(ours)
    with open(theirs, "rb") as one, open(ours, "rb") as other:
        assert one.read() == other.read()
    with open(report, encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    assert len(pairs) == len(summary.pairs) and summary.dropped > 0
    for theirs, ours in zip(pairs, summary.pairs):
        assert theirs["game"] == vars(ours.game) and theirs["kept"] == vars(ours.kept)
        assert (theirs["confidence"], theirs["reason"]) == (ours.confidence, ours.reason)


def test_lookup_and_counts(program, openings, tmp_path):
    folder = str(tmp_path / "games.db")
    run(program, "import", "--db", folder, openings)
    question = "1. e4 c5 2. Nf3 d6"
    theirs = json.loads(run(program, "lookup", "--db", folder, "--json", question))
    names = {"1-0": "white", "0-1": "black", "1/2-1/2": "draw", "*": "unknown"}
    with bp.Database(folder) as db:
        answer = db.lookup(question)
        assert (answer.hash, answer.cpn) == (theirs["position"]["hash"], theirs["position"]["cpn"])
        assert (answer.games, answer.occurrences) == (theirs["game_count"], theirs["occurrences"])
        assert {names[result]: count for result, count in answer.results.items()} == theirs["results"]
        assert [line.game for line in answer.list] == [game["id"] for game in theirs["games"]]
        assert [(line.move, line.count) for line in answer.moves] == [
            (line["uci"], line["occurrences"]) for line in theirs["moves"]
        ]
        # The move that both games went on with.
        assert [(line.move, line.count) for line in answer.moves] == [("d2d4", 2)]
        assert answer.score == 0.75 and bool(answer)
        assert db.lookup(answer.hash[:12]).occurrences == 2
        assert not db.lookup("8/8/8/8/8/8/8/K1k5 w - - 0 1")
        assert len(db) == 3 and db[0].tags["White"] == "Carlsen, Magnus"
        with pytest.raises(IndexError):
            db[3]
        rows = db.postings()
        pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
        assert pyarrow.table(rows).drop(["game"]) == pyarrow.table(bp.postings(openings)).drop(["game"])
    counts = run(program, "export", "--db", folder, "--what", "positions").splitlines()
    table = pyarrow.table(bp.positions(openings, cpn=True, full_hash=True))
    columns = (table[name].to_pylist() for name in ("key", "occurrences", "cpn"))
    ours = [f"{key.hex()} {count} {cpn}" for key, count, cpn in zip(*columns)]
    assert ours == counts


def test_a_database_made_here_is_read_there(program, openings, tmp_path):
    folder = str(tmp_path / "games.db")
    with bp.Database(folder, mode="w") as db:
        report = db.add([openings, b"1. e4 Ke7 2. Kd8 *"])
        assert (report.games, report.rejected, len(report.errors)) == (3, 1, 1)
        assert db.add(openings).games == 0
        assert db.stats().games == 3
        assert db.lookup("1. e4", player="carlsen", side="white").games == 1
        assert db.lookup("1. d4", ratings=True, order="date").games == 1
        with pytest.raises(ValueError, match="side must be"):
            db.lookup("1. e4", side="red")
        with pytest.raises(LookupError):
            db.lookup("000000")
    with pytest.raises(ValueError, match="closed"):
        db.lookup("1. e4")
    assert '"games":3' in run(program, "stats", "--db", folder, "--json").replace(" ", "")


def test_parquet_of_the_program_is_that_of_the_package(program, openings, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    folder = str(tmp_path / "games.db")
    run(program, "import", "--db", folder, openings)
    done = subprocess.run(
        [program, "export", "--db", folder, "--to", "parquet", "-o", str(tmp_path / "theirs")],
        capture_output=True, text=True,
    )
    if "invalid value 'parquet'" in done.stderr:
        pytest.skip("the program was built without the feature parquet")
    assert done.returncode == 0, done.stderr
    with bp.Database(folder) as db:
        db.to_parquet(tmp_path / "ours")
    for name in ("games", "postings", "positions"):
        theirs, ours = (parquet.read_table(tmp_path / whose / f"{name}.parquet") for whose in ("theirs", "ours"))
        assert theirs == ours and theirs.schema.equals(ours.schema, check_metadata=True)


def test_games_of_csa_are_written_with_lines_between(program, tmp_path):
    file = str(CORPUS / "finite" / "records" / "ends.csa")
    theirs, ours = str(tmp_path / "theirs"), str(tmp_path / "ours")
    run(program, "dedup", file, "-o", theirs, status=(0, 1))
    assert bp.dedup(file).to(ours).kept > 1
    with open(theirs, "rb") as one, open(ours, "rb") as other:
        assert one.read() == other.read()
