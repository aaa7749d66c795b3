"""Arrow and Parquet, read by those who use them."""

import gc
import hashlib
import os
import subprocess
import sys

import pytest

import boardprint as bp

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: tables are not tested")


def test_postings(openings):
    table = pa.table(bp.postings(openings, full_hash=True))
    hashes = [hash for game in bp.open(openings) for hash in game.hashes()]
    assert [key.hex() for key in table["key"].to_pylist()] == hashes
    assert table["game"].to_pylist() == [1] * 11 + [2] * 11 + [3] * 11
    assert table["ply"].to_pylist() == list(range(11)) * 3
    moves = [move for game in bp.open(openings) for move in [*game.moves, None]]
    assert table["move"].to_pylist() == moves
    assert table.schema.metadata[b"boardprint.version"] == str(bp.SCHEMA_VERSION).encode()


def test_a_table_can_be_read_again(openings):
    rows = bp.postings(openings)
    assert pa.table(rows) == pa.table(rows)
    assert pa.schema(rows) == pa.table(rows).schema


def test_games(openings):
    rows = pa.table(bp.games(openings)).to_pylist()
    assert [row["id"] for row in rows] == [1, 2, 3]
    assert [row["hash"].hex() for row in rows] == [game.hash for game in bp.open(openings)]
    assert str(rows[0]["date"]) == "2024-02-29" and rows[1]["date"] is None and rows[1]["year"] == 2024
    assert (rows[0]["white_elo"], rows[1]["white_elo"]) == (2850, None)
    assert dict(rows[0]["tags"]) == next(iter(bp.open(openings))).tags
    assert rows[2]["moves"].split()[:2] == ["d2d4", "d7d5"]


def test_positions(openings):
    rows = pa.table(bp.positions(openings, cpn=True, full_hash=True)).to_pylist()
    keys = [row["key"] for row in rows]
    assert keys == sorted(set(keys))
    for row in rows:
        assert hashlib.sha1(row["cpn"].encode()).digest() == row["key"]
    assert sum(row["occurrences"] for row in rows) == 33
    start = next(row for row in rows if row["occurrences"] == 3)
    assert (start["white_wins"], start["draws"], start["black_wins"], start["games"]) == (1, 1, 1, 3)


def test_threads_and_memory_do_not_change_rows(openings):
    sources = [openings] * 50
    for table in (bp.postings, lambda *a, **k: bp.postings(*a, sort=True, **k), bp.positions):
        one = pa.table(table(sources, threads=1))
        assert one.combine_chunks() == pa.table(table(sources, threads=3, memory=1000)).combine_chunks()


def test_bad_records_in_tables(openings):
    bad = b"1. e4 e5 *\n\n[White \"x\"]\n\n1. e4 Ke5 *\n\n[White \"y\"]\n\n1. d4 *\n"
    with pytest.raises(Exception, match="<bytes>:5"):
        pa.table(bp.postings(bad, format="pgn"))
    rows = bp.postings(bad, format="pgn", errors="collect")
    assert set(pa.table(rows)["game"].to_pylist()) == {1, 3}
    assert [(error.record, error.line) for error in rows.errors] == [(2, 5)]
    assert pa.table(rows).num_rows == 5 and rows.skipped == 1


def test_polars(openings):
    pl = pytest.importorskip("polars", reason="polars is not installed")
    frame = pl.DataFrame(bp.postings(openings))
    assert frame.shape == (33, 5)
    assert frame.filter(pl.col("ply") == 0)["key"].n_unique() == 1
    assert pl.DataFrame(bp.games(openings)).height == 3


def test_duckdb(openings, tmp_path):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    reader = pa.RecordBatchReader.from_stream(bp.postings(openings))
    assert duckdb.sql("select count(*), count(distinct key) from reader").fetchall() == [(33, 24)]
    written = bp.to_parquet(openings, tmp_path / "out", cpn=True)
    assert {name: file.rows for name, file in written.items()} == {"games": 3, "postings": 33, "positions": 24}
    postings, games = written["postings"].path, written["games"].path
    key = bytes.fromhex(bp.cph("1. e4 c5 2. Nf3 d6"))[:10]
    found = duckdb.execute(
        f"select g.white, p.result from '{postings}' p join '{games}' g on g.id = p.game where p.key = ? order by g.id",
        [key],
    ).fetchall()
    assert found == [("Carlsen, Magnus", "1-0"), ("Nakamura, Hikaru", "1/2-1/2")]
    assert duckdb.sql(f"select tags['ECO'] from '{games}' order by id limit 1").fetchall() == [("B50",)]


def test_parquet_is_sorted_and_has_a_page_index(openings, tmp_path):
    import pyarrow.parquet as pq

    written = bp.to_parquet([openings] * 20, tmp_path, tables="postings")["postings"]
    file = pq.ParquetFile(written.path)
    table = file.read()
    assert table.num_rows == written.rows == 660 and os.path.getsize(written.path) == written.bytes
    rows = list(zip(*(table[name].to_pylist() for name in ("key", "game", "ply"))))
    assert rows == sorted(rows)
    group = file.metadata.row_group(0)
    assert [column.column_index for column in group.sorting_columns] == [0, 1, 2]
    key = group.column(0)
    assert key.has_column_index and key.has_offset_index and key.statistics.has_min_max
    assert "DELTA_BYTE_ARRAY" in key.encodings and key.compression == "ZSTD"
    assert file.schema_arrow.metadata[b"boardprint.table"] == b"postings"


def test_a_stream_that_nobody_reads_on_is_given_back(openings):
    reader = pa.RecordBatchReader.from_stream(bp.postings([openings] * 100))
    reader.read_next_batch()
    del reader
    capsule = bp.postings(openings).__arrow_c_stream__()
    del capsule
    gc.collect()


def test_a_read_only_folder_is_an_oserror(openings, tmp_path):
    with pytest.raises(OSError):
        bp.postings(openings).to_parquet(tmp_path / "no such folder" / "x.parquet")


PEAK = """
import sys
import boardprint as bp
import pyarrow as pa
what, path = sys.argv[1:]
count = 0
if what == "open":
    for game in bp.open(path):
        count += 1
elif what == "postings":
    for batch in pa.RecordBatchReader.from_stream(bp.postings(path)):
        count += batch.num_rows
elif what == "sorted":
    count = bp.to_parquet(path, path + ".tables", tables="postings", memory=16 << 20)["postings"].rows
else:
    hoard = list(bp.open(path))
    count = len(hoard)
# Not ru_maxrss: a process inherits that from the one that started it.
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
print(count, peak)
"""


def peak_of(what, text, megabytes, tmp_path):
    """The megabytes of memory at most that a process of its own takes for a file."""
    path = tmp_path / f"{megabytes}.pgn"
    with open(path, "wb") as file:
        for _ in range(megabytes * 1_000_000 // len(text)):
            file.write(text)
    done = subprocess.run([sys.executable, "-c", PEAK, what, str(path)], capture_output=True, text=True)
    os.remove(path)
    assert done.returncode == 0, done.stderr
    count, peak = map(int, done.stdout.split())
    assert count > 10_000
    return peak // 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="memory is measured by /proc/self/status")
@pytest.mark.parametrize("what", ["open", "postings", "sorted", "hoard"])
def test_memory_does_not_grow_with_the_file(openings, tmp_path, what):
    text = open(openings, "rb").read() + b"\n"
    # Sorting takes a while, and hoarding much memory; less shows as much.
    small, large = (10, 100) if what in ("open", "postings") else (10, 40)
    peaks = [peak_of(what, text, megabytes, tmp_path) for megabytes in (small, large)]
    print(f"{what}: peak {peaks[0]} MB for {small} MB, {peaks[1]} MB for {large} MB")
    if what == "hoard":
        # Games that are kept do take memory: the measure would show it.
        assert peaks[1] > peaks[0] + 30
    else:
        assert peaks[1] < peaks[0] + 30
