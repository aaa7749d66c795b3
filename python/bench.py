"""Figures of the package on a collection, as ratios where there is something to compare with.

    python python/bench.py twic.pgn.zst

Time is processor time, so that other work on the machine counts little.
"""

import io
import os
import sys
import tempfile
import time

import boardprint as bp


def spent(work):
    """What some work gives, and the seconds of processor time that it took."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def main(path: str) -> None:
    import pyarrow as pa

    def count():
        return sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(bp.postings(path, threads=1)))

    rows, seconds = spent(count)
    rate = rows / seconds
    print(f"{rows:,} positions into Arrow in {seconds:.2f} s: {rate:,.0f} per second of one core")
    try:
        import chess.pgn

        text = "\n\n".join(game.text for game, _ in zip(bp.open(path, errors="skip"), range(100)))

        def replay():
            positions, source = 0, io.StringIO(text)
            while (game := chess.pgn.read_game(source)) is not None:
                board = game.board()
                positions += 1
                for move in game.mainline_moves():
                    board.push(move)
                    board.fen()
                    positions += 1
            return positions

        theirs, slow = spent(replay)
        print(f"python-chess: {theirs / slow:,.0f} per second; ratio {rate * slow / theirs:.0f}")
    except ImportError:
        print("SKIPPED: python-chess is not installed")
    with tempfile.TemporaryDirectory() as folder:
        written, seconds = spent(lambda: bp.to_parquet(path, folder))
        for name, file in written.items():
            print(f"{name}.parquet: {file.rows:,} rows, {file.bytes:,} bytes, {file.bytes / file.rows:.2f} bytes per row")
        print(f"Parquet of all three took {seconds:.1f} s")
        lookup(written["postings"].path)
    games = sum(1 for _ in bp.open(path, errors="skip"))
    _, seconds = spent(lambda: sum(1 for _ in bp.open(path, errors="skip")))
    print(f"open: {games / seconds:,.0f} games per second")
    _, seconds = spent(lambda: [bp.canon("K05,1|k5,8 1. K5,1 > 5,2") for _ in range(100_000)])
    print(f"canon: {100_000 / seconds:,.0f} per second")
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    _, seconds = spent(lambda: [bp.cph(fen) for _ in range(20_000)])
    print(f"cph of a FEN: {20_000 / seconds:,.0f} per second")


def lookup(postings: str) -> None:
    """How long DuckDB takes for one key."""
    try:
        import duckdb
    except ImportError:
        print("SKIPPED: duckdb is not installed")
        return
    db = duckdb.connect()
    for name in ("1. e4 c5 2. Nf3 d6", "1. d4 Nf6 2. c4 e6", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6"):
        key, times, found = bytes.fromhex(bp.cph(name))[:10], [], 0
        for _ in range(9):
            start = time.perf_counter()
            found = len(db.execute(f"select * from '{postings}' where key = ?", [key]).fetchall())
            times.append(time.perf_counter() - start)
        print(f"DuckDB: {found:,} games of {name}: {sorted(times)[4] * 1000:.1f} ms (best {min(times) * 1000:.1f})")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.exists(sys.argv[1]):
        sys.exit("usage: python bench.py COLLECTION")
    main(sys.argv[1])
