"""What a cluster of two workers takes for a collection, beside the program: `python bench_spark.py PROGRAM FILE...`"""

import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "tests"))

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


def main(program, *files):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="boardprint-bench-"))
    alone = program_seconds(program, "dedup", *files, "-o", folder / "unique.pgn")
    alone += program_seconds(program, "import", "--db", folder / "db", "--on-duplicate", "keep", folder / "unique.pgn")
    with Cluster(folder / "cluster") as cluster:
        for by in ("game", "prefix"):
            roots = [process.pid for process in cluster.processes[1:]]
            cluster.spark.range(10).repartition(2).count()
            before, begin = cost(roots)[0], time.time()
            built = bp.spark.build(cluster.spark, list(files), str(folder / by), by=by, split_bytes=4 << 20, parts=4)
            seconds, memory = cost(roots)
            seconds -= before
            rows = built.postings.count()
            print(f"by {by}: {rows:,} positions, {seconds:.1f} core-seconds on workers, {time.time() - begin:.0f} s, {memory:.0f} MB at most")
            print(f"  {rows / seconds:,.0f} positions per core-second; the program alone (dedup by game, import): {rows / alone:,.0f}")
            for name in ("postings", "counts", "games", "records"):
                print(f"  {name}: {size(folder / by / name) / rows:.2f} bytes per posting")
            if server.programs():
                with server.Server() as postgres:
                    begin = time.time()
                    bp.spark.load(built, postgres.url("one"))
                    print(f"  loaded into PostgreSQL in {time.time() - begin:.1f} s")


main(*sys.argv[1:])
