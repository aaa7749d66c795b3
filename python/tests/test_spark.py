"""The answer of a cluster is that of the program: a real master and two workers, with other splits and with an executor killed."""

import collections
import json
import os
import random
import shutil
import subprocess
import threading

import pytest

import boardprint as bp

REQUIRED = os.environ.get("BOARDPRINT_SPARK") == "required"


def missing(reason):
    """Say that the cluster is not tested; where it has to be, that is a failure."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)


try:
    import pandas  # noqa: F401 - Spark needs it
    import pyarrow as pa
    import pyspark  # noqa: F401
except ImportError as error:
    missing(f"{error.name} is not installed: the cluster is not tested")
if not shutil.which("java"):
    missing("java is not installed: the cluster is not tested")

import collections_made  # noqa: E402
import server  # noqa: E402
from cluster import Cluster  # noqa: E402

# Beyond this number of games a made collection takes long on two cores.
GAMES = int(os.environ.get("BOARDPRINT_SPARK_GAMES", "300"))


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster") / "spark") as running:
        yield running


@pytest.fixture(scope="session")
def collection(tmp_path_factory):
    """A PGN collection with copies: BOARDPRINT_SPARK_PGN, or one that is made."""
    named = os.environ.get("BOARDPRINT_SPARK_PGN")
    return named or collections_made.pgn(tmp_path_factory.mktemp("made") / "made.pgn", GAMES)


@pytest.fixture(scope="session")
def mixed(tmp_path_factory):
    return collections_made.mixed(tmp_path_factory.mktemp("mixed") / "files")


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


class Expected:
    """What the program says: games, report, summary, and the database of the games that stay."""

    def __init__(self, program, folder, files, *options):
        self.output, report = folder / "unique", folder / "report.jsonl"
        printed = run(program, "dedup", "--json", *options, *files, "-o", self.output, "--report", report)
        self.summary = json.loads(printed.splitlines()[-1])["summary"]
        with open(report, encoding="utf-8") as lines:
            self.pairs = [{name: value for name, value in json.loads(line).items() if name != "schema"} for line in lines]
        self.database = folder / "unique.db"
        run(program, "import", "--db", self.database, "--on-duplicate", "keep", *self._kept(folder, files))
        lines = run(program, "export", "--db", self.database, "--what", "positions").splitlines()
        self.positions = {(line.split(" ")[0], int(line.split(" ")[1])) for line in lines}

    def _kept(self, folder, files):
        """The games that stay, file by file: several formats do not make one file."""
        gone = collections.Counter()
        for pair in self.pairs:
            if pair["dropped"]:
                gone[pair["game"]["path"], pair["game"]["record"]] += 1
        written, before, shift, records = [], None, 0, 0
        for file in (file for path in files for file, _, _ in bp._boardprint._files(str(path))):
            # A file that is named twice in a row counts on.
            shift = shift + records if file == before else 0
            games = bp.open(file, errors="collect")
            texts = [game.text for game in games if not gone[file, game.record + shift]]
            records, before = sum(1 for _ in bp.open(file, errors="skip")) + len(games.errors), file
            if texts:
                written.append(folder / f"kept-{len(written)}{os.path.splitext(file.removesuffix('.gz'))[1]}")
                written[-1].write_text("\n\n".join(texts) + "\n", encoding="utf-8", newline="")
        return written


def check(built, expected, folder):
    """Compare everything that was built with what the program says."""
    names = {"records": "records", "kept": "kept", "dropped": "removed", "doubts": "possible", "rejected": "rejected"}
    names.update(certain="certain", likely="likely", doubtful="doubtful")
    summary = vars(built.summary)
    assert {name: summary[name] for name in names} == {ours: expected.summary[theirs] for ours, theirs in names.items()}

    rows = sorted(built.duplicates.toArrow().to_pylist(), key=lambda row: row["order"])
    ours = [
        {
            "game": {name: row[f"game_{name}"] for name in ("path", "record", "line")},
            "kept": {name: row[f"kept_{name}"] for name in ("path", "record", "line")},
            **{name: row[name] for name in ("dropped", "by", "confidence", "reason")},
        }
        for row in rows
    ]
    # The program tells of doubts and of copies as it comes to them.
    assert ours == expected.pairs

    exported = folder / "exported"
    built.export(exported)
    assert exported.read_bytes() == expected.output.read_bytes()

    counts = built.counts.toArrow()
    positions = list(zip(counts["key"].to_pylist(), counts["occurrences"].to_pylist()))
    assert len(positions) == len(expected.positions)
    assert {(key.hex(), count) for key, count in positions} == expected.positions

    with bp.Database(expected.database) as database:
        assert summary["games"] == len(database)
        keys = [("key", "ascending"), ("game", "ascending"), ("ply", "ascending")]
        theirs = pa.table(database.postings(full_hash=True)).sort_by(keys)
        assert built.postings.toArrow().sort_by(keys).to_pydict() == theirs.to_pydict()
        theirs = pa.table(database.games()).sort_by("id").to_pylist()
        ours = built.games.toArrow().sort_by("id").to_pylist()
        for row in [*theirs, *ours]:
            # What stays was written to other files for the database, which writes starts in its own way. Keys of starts were compared above.
            del row["source"], row["record"], row["start"]
        assert ours == theirs
        theirs = pa.table(database.positions(full_hash=True)).to_pylist()
        assert counts.sort_by("key").to_pylist() == theirs


def split_size(files, splits):
    """How many bytes a split has if all files make about so many."""
    return sum(size for path in files for _, size, _ in bp._boardprint._files(str(path))) // splits + 1


@pytest.mark.parametrize("by, keep, splits", [("game", "first", 5), ("prefix", "first", 3), ("prefix", "richest", 11)])
def test_a_collection_with_copies(cluster, program, collection, tmp_path, by, keep, splits):
    expected = Expected(program, tmp_path, [collection], "--by", by, "--keep", keep)
    assert expected.summary["certain"] > 0
    size, out = split_size([collection], splits), str(tmp_path / "out")
    built = bp.spark.build(cluster.spark, collection, out, by=by, keep=keep, split_bytes=size, parts=3, full_hash=True)
    check(built, expected, tmp_path)
    again = bp.spark.open(cluster.spark, out)
    assert again.summary == built.summary and again.counts.count() == len(expected.positions)


@pytest.mark.parametrize("by, keep, size", [("moves", "richest", 1 << 20), ("final", "first", 3000), ("prefix", "longest", 700)])
def test_a_mixed_collection(cluster, program, mixed, tmp_path, by, keep, size):
    expected = Expected(program, tmp_path, mixed, "--by", by, "--keep", keep, "--min-plies", "4")
    built = bp.spark.build(
        cluster.spark, mixed, by=by, keep=keep, min_plies=4, split_bytes=size, parts=2, full_hash=True
    )
    check(built, expected, tmp_path)


@pytest.mark.parametrize("kind", ["collection", "mixed"])
def test_an_executor_is_killed_in_the_middle(cluster, program, collection, mixed, tmp_path, kind):
    files = [collection] if kind == "collection" else mixed
    expected = Expected(program, tmp_path, files, "--by", "prefix")
    answer, before = [], cluster.lost()

    def work():
        size, out = split_size(files, 6), str(tmp_path / "out")
        answer.append(bp.spark.build(cluster.spark, files, out, by="prefix", split_bytes=size, parts=3, full_hash=True))

    worker = threading.Thread(target=work)
    worker.start()
    # The driver was waiting for a task of it, so that the job was running, and needed it.
    killed = cluster.kill_an_executor_at_work(lambda: not worker.is_alive())
    assert killed is not None
    # Another one takes its place; that one, or the one that was left, goes in a later stage if there is still time.
    again = cluster.kill_an_executor_at_work(lambda: not worker.is_alive())
    worker.join()
    print(f"killed: executor {killed}, then {again}")
    assert cluster.lost() - before >= 1
    assert answer, "the build failed"
    check(answer[0], expected, tmp_path)


def test_addresses_are_read_as_paths_are(cluster, collection, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("b.pgn", "a.pgn", "c.txt"):
        shutil.copy(collection, folder / name)
    address = folder.as_uri()
    there = bp.spark.build(cluster.spark, f"{address}/*.pgn", parts=2)
    here = bp.spark.build(cluster.spark, [folder / "a.pgn", folder / "b.pgn"], parts=2)
    assert there.summary == here.summary and there.summary.kept < there.summary.records / 2
    keys = ["key"]
    assert there.counts.orderBy(*keys).toArrow() == here.counts.orderBy(*keys).toArrow()
    paths = {row.game_path for row in there.duplicates.select("game_path").distinct().collect()}
    assert paths == {f"{address}/a.pgn", f"{address}/b.pgn"}


def test_every_game_stays_without_a_criterion(cluster, collection):
    built = bp.spark.build(cluster.spark, collection, by=None, parts=2)
    games = sum(1 for _ in bp.open(collection, errors="skip"))
    assert built.summary.kept == games == built.games.count() and built.summary.dropped == 0
    bad = built.rejected.orderBy("order").toArrow().to_pylist()
    reader = bp.open(collection, errors="collect")
    collections.deque(reader, maxlen=0)
    theirs = [(error.record, error.line, error.column, error.kind) for error in reader.errors]
    assert [(row["record"], row["line"], row["column"], row["kind"]) for row in bad] == theirs


def test_postings_are_sorted_and_have_a_bloom_filter(cluster, collection, tmp_path):
    import pyarrow.parquet as parquet

    built = bp.spark.build(cluster.spark, collection, str(tmp_path / "out"), parts=3)
    files = sorted((tmp_path / "out" / "postings").glob("*.parquet"))
    assert len(files) == 3
    last, rows = b"", 0
    for path in files:
        file = parquet.ParquetFile(path)
        table = file.read()
        keys = list(zip(*(table[name].to_pylist() for name in ("key", "game", "ply"))))
        assert keys == sorted(keys) and keys[0][0] > last
        last, rows = keys[-1][0], rows + len(keys)
        key = file.metadata.row_group(0).column(0)
        assert key.statistics.has_min_max and key.has_column_index and key.compression == "ZSTD"
        assert "DELTA_BYTE_ARRAY" in key.encodings
        assert key.bloom_filter_offset is not None and key.bloom_filter_length > 0
    assert rows == built.postings.count()


def test_bad_arguments(cluster, collection, tmp_path):
    with pytest.raises(ValueError, match="by must be"):
        bp.spark.build(cluster.spark, collection, by="color")
    with pytest.raises(ValueError, match="split_bytes"):
        bp.spark.build(cluster.spark, collection, split_bytes=0)
    with pytest.raises(FileNotFoundError):
        bp.spark.build(cluster.spark, tmp_path / "nothing.pgn")
    with pytest.raises(TypeError, match="write the bytes"):
        bp.spark.build(cluster.spark, [b"1. e4 *"])
    (tmp_path / "out" / "counts").mkdir(parents=True)
    with pytest.raises(FileExistsError, match="overwrite"):
        bp.spark.build(cluster.spark, collection, str(tmp_path / "out"))


def test_a_build_replaces_another(cluster, tmp_path):
    """Also one of more parts, of which some are empty: nothing of it is left."""
    first, second, out = tmp_path / "first.pgn", tmp_path / "second.pgn", tmp_path / "an out folder"
    first.write_text("1. e4 *\n\n1. d4 *\n")
    second.write_text("1. c4 c5 *\n")
    built = bp.spark.build(cluster.spark, first, str(out), parts=9)
    assert built.counts.count() == 3 and built.postings.count() == 4 and len(list((out / "postings").iterdir())) == 9
    again = bp.spark.build(cluster.spark, second, out.as_uri().replace("%20", " "), parts=2, overwrite=True)
    assert again.counts.count() == 3 and again.games.count() == 1 and len(list((out / "counts").iterdir())) == 2


def test_files_are_copied_to_addresses(tmp_path):
    (tmp_path / "here").write_bytes(b"new")
    (tmp_path / "there").write_bytes(b"old")
    bp.spark._upload(str(tmp_path / "here"), (tmp_path / "there").as_uri())
    assert (tmp_path / "there").read_bytes() == b"new" and len(list(tmp_path.iterdir())) == 2


@pytest.fixture(scope="session")
def servers():
    """Two servers: what is spread over shards lies on both."""
    if server.programs() is None:
        if os.environ.get("BOARDPRINT_POSTGRES") == "required":
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("PostgreSQL is not installed (Debian: postgresql): loading is not tested")
    with server.Server() as first, server.Server() as second:
        yield first, second


def answers(program, database, hashes):
    """What the program says about positions, without what tells one database from another."""
    found = []
    for position in hashes:
        answer = json.loads(run(program, "lookup", "--db", database, "--json", position))
        # How often the database changed, and the files that the games were read from.
        del answer["generation"]
        for game in answer["games"]:
            del game["record"]
        found.append(answer)
    return found


@pytest.mark.parametrize("shards", [0, 2])
def test_a_build_is_served_from_postgresql(cluster, program, collection, mixed, servers, tmp_path, shards):
    files = [collection] if shards else mixed
    expected = Expected(program, tmp_path, files, "--by", "moves")
    out = str(tmp_path / "out")
    bp.spark.build(cluster.spark, files, out, by="moves", split_bytes=split_size(files, 7), parts=5)
    url = servers[0].url(f"built_{shards}")
    addresses = [running.url("shard") for running in servers[:shards]]
    done = bp.spark.load(out, url, shards=addresses, spark=cluster.spark)
    blocks = [int(running.ask("select count(*) from shard.postings_1")) for running in servers[:shards]]
    assert all(blocks), "each server has its share"
    with bp.Database(expected.database) as theirs, bp.Database(url) as ours:
        assert done == {"games": len(theirs), "postings": theirs.stats().positions}
        chance = random.Random(shards)
        hashes = [position for position, _ in sorted(expected.positions)]
        # Half of them occurred, and as many never did.
        asked = [chance.choice(hashes) for _ in range(500)] + [f"{chance.getrandbits(160):040x}" for _ in range(500)]
        for position in asked:
            one, other = theirs.lookup(position), ours.lookup(position)
            strip = lambda answer: {**vars(answer), "list": [{**vars(line), "source": None} for line in answer.list]}  # noqa: E731
            assert strip(one) == strip(other)
        assert theirs.stats().results == ours.stats().results
    # The program itself, without a word about the cluster.
    some = hashes[:: max(len(hashes) // 20, 1)]
    assert answers(program, url, some) == answers(program, expected.database, some)
    subprocess.run([program, "verify", "--db", url], check=True, capture_output=True)
