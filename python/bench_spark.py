"""What a cluster of two workers takes for a collection, beside the program: `python bench_spark.py [--by game,prefix] PROGRAM FILE...`"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

# The installed package is measured, not the sources beside this file.
sys.path[0] = str(pathlib.Path(__file__).resolve().parent / "tests")

import boardprint as bp  # noqa: E402
import server  # noqa: E402
from cluster import Cluster  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


def family(roots):
    """Processes and all that descend from them."""
    children = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    waiting, found = list(roots), []
    while waiting:
        found.append(waiting.pop())
        waiting.extend(children.get(found[-1], []))
    return found


def cost(roots):
    """Processor seconds so far, and the most memory in megabytes, of processes and all that descend from them."""
    seconds, memory = 0.0, 0
    for process in family(roots):
        try:
            words = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            status = pathlib.Path(f"/proc/{process}/status").read_text()
        except OSError:
            continue
        # Its own, and what children that have ended took.
        seconds += sum(map(int, words[11:15])) / TICKS
        memory += next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)
    return seconds, memory / 1024


def size(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*.parquet"))


def program_seconds(program, *arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, *map(str, arguments)], check=False, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def alone(program, files, folder):
    """Processor seconds of the program for the same work."""
    seconds = program_seconds(program, "dedup", *files, "-o", folder / "unique.pgn")
    return seconds + program_seconds(program, "import", "--db", folder / "db", "--on-duplicate", "keep", folder / "unique.pgn")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--by", default="game,prefix")
    arguments.add_argument("program")
    arguments.add_argument("files", nargs="+")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="boardprint-bench-") as name:
        folder = pathlib.Path(name)
        best = min(alone(given.program, given.files, pathlib.Path(tempfile.mkdtemp(dir=folder))) for _ in range(3))
        # Both workers have something to do.
        split = min(64 << 20, sum(map(os.path.getsize, given.files)) // 4 + 1)
        with Cluster(folder / "cluster") as cluster:
            for by in given.by.split(","):
                measure(cluster, given.files, folder, by, split, best)


def measure(cluster, files, folder, by, split, best):
    roots = [process.pid for process in cluster.processes[1:]]
    cluster.spark.range(10).repartition(2).count()
    before, begin = cost(roots)[0], time.time()
    built = bp.spark.build(cluster.spark, files, str(folder / by), by=by, split_bytes=split)
    seconds, memory = cost(roots)
    seconds -= before
    rows = built.postings.count()
    print(f"by {by}: {rows:,} positions, {seconds:.1f} core-seconds on workers, {time.time() - begin:.0f} s, {memory:.0f} MB at most")
    print(f"  {rows / seconds:,.0f} positions per core-second; the program alone (dedup by game, import): {rows / best:,.0f}")
    for name in ("postings", "counts", "games", "records"):
        print(f"  {name}: {size(folder / by / name) / rows:.2f} bytes per posting")
    if server.programs():
        with server.Server() as postgres:
            begin = time.time()
            bp.spark.load(built, postgres.url("one"))
            print(f"  loaded into PostgreSQL in {time.time() - begin:.1f} s", flush=True)


main()
