"""Builds the tables of a large collection on a Spark cluster; the answer is that of the program on one machine.

>>> import boardprint.spark                                     # doctest: +SKIP
>>> built = boardprint.spark.build(spark, "games/*.pgn", "index", by="prefix")   # doctest: +SKIP
>>> games, duplicates, postings, counts = built                 # doctest: +SKIP

Large files are split by ranges of bytes; a record belongs to the range in which it begins. Every
worker runs the code of this package, so the package has to be installed on each of them, and
paths have to mean the same files everywhere. ``docs/scale.md`` says more.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
import tempfile
from functools import partial
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

try:
    import pyarrow as pa
    from pyspark import TaskContext
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import functions as F
except ImportError as error:
    raise ImportError("boardprint.spark needs Spark: pip install 'boardprint[spark]'") from error

from . import _boardprint as native
from ._results import Summary
from ._sources import expand

__all__ = ["Built", "build", "load", "open"]

SPLITS = "split int, path string, start long, end long, found boolean"
PRINTS = (
    "kind int, at long, line long, column long, record long, key binary, plies int, players long, date long, "
    "richness int, playable boolean, error string, message string, hint string"
)
BEGINNINGS = "key binary, at long, plies int, players long, date long, length int"
DECISIONS = "at long, first long, best long, confidence int, doubt long, doubt_confidence int, by long, length int"
RECORDS = "at long, id long, path string, record long, offset long, format string, text string"
PACKED = "part int, rows binary"
POSTINGS = "key binary, game long, ply int, move string, result string"
COUNTS = (
    "key binary, occurrences long, games long, white_wins long, draws long, black_wins long, unknown long, "
    "first_game long, first_ply int"
)
GAMES = (
    "id long, hash binary, kind string, variant string, laws string, event string, site string, round string, "
    "date date, year int, white string, black string, white_elo int, black_elo int, eco string, result string, "
    "plies int, start string, moves string, tags map<string,string>, source string, record long"
)
GAME, BAD, END = 0, 1, 2
CONFIDENCES = ("doubtful", "likely", "certain")
# About 3 million positions of PGN: what a task sorts in some hundred megabytes.
PART_BYTES = 32 << 20


def build(
    spark: SparkSession,
    inputs: Any,
    out: Optional[str] = None,
    *,
    by: Optional[str] = "game",
    keep: str = "first",
    min_plies: int = 10,
    min_confidence: str = "likely",
    rights: bool = False,
    full_hash: bool = False,
    max_ply: Optional[int] = None,
    format: Optional[str] = None,
    game: Optional[str] = None,
    split_bytes: int = 64 << 20,
    parts: Optional[int] = None,
    overwrite: bool = False,
) -> "Built":
    """Find duplicates in a collection and make the tables of the games that stay.

    ``inputs`` are paths, folders or patterns, as for :func:`boardprint.open`, or addresses such as
    ``s3://bucket/games/*.pgn.zst``. ``by``, ``keep``, ``min_plies`` and ``min_confidence`` are those of
    :func:`boardprint.dedup`; with ``by=None`` every game stays. The tables have the columns of
    :func:`boardprint.games`, :func:`boardprint.postings` and :func:`boardprint.positions`; games are numbered as
    a database numbers them that takes in the games that stay.

    With ``out`` the tables are written there as Parquet, and :func:`open` finds them again. Without it
    they are computed when somebody asks for their rows.
    """
    about = {"by": by, "keep": keep, "min_plies": min_plies, "min_confidence": min_confidence}
    about.update(rights=rights, full_hash=full_hash, max_ply=max_ply, errors="raise", threads=1)
    about.update(format=format, game=game)
    native._reason({**about, "by": by or "game"}, 0)
    splits = _splits(inputs, split_bytes)
    if parts is None:
        size = sum(end - start for _, _, start, end, _ in splits)
        parts = max(size // PART_BYTES + 1, spark.sparkContext.defaultParallelism)
    folder = None if out is None else _Folder(spark, os.fspath(out), overwrite)
    job = _Job(spark, splits, about, parts)
    built = job.built()
    if folder is None:
        return built
    built._write(folder, job.packed)
    job.forget()
    return open(spark, folder.path)


def open(spark: SparkSession, out: str) -> "Built":  # noqa: A001 - it is used as `boardprint.spark.open`
    """Open the tables that :func:`build` wrote."""
    said = json.loads(spark.read.text(f"{out}/about", wholetext=True).first()[0])
    # A file of sorted postings is read by one task, which can copy it into a database in order.
    session = spark.newSession()
    session.conf.set("spark.sql.files.maxPartitionBytes", str(1 << 50))
    tables = {name: session.read.parquet(f"{out}/{name}") for name in Built.TABLES}
    return Built(spark, said["about"], Summary(**said["summary"]), said["plan"], tables)


def load(built: Any, url: str, *, shards: Iterable[str] = (), spark: Optional[SparkSession] = None) -> Dict[str, int]:
    """Copy what was built into a database on a PostgreSQL server, so that ``boardprint --db URL`` answers at once.

    ``built`` is what :func:`build` or :func:`open` returned, or the folder of a build (then ``spark`` is needed). The
    database is made if need be; ``shards`` are the addresses of servers over which the positions of a new database
    are spread. Workers put positions straight into the servers; games go through the driver. It counts when
    everything is there, or not at all. Returns the numbers of games and postings.
    """
    if not isinstance(built, Built):
        if spark is None:
            raise TypeError("a folder is opened by a session: pass it as `spark`")
        built = open(spark, os.fspath(built))
    loading = native._Loading(url, list(shards), built._about)
    kinds = sorted(row.kind for row in built.games.select("kind").distinct().collect())
    kinds = [kind for kind in kinds if kind not in ("infinite", "board")]
    parts, postings = built._plan["parts"], built.postings
    if len(kinds) > 1:
        # What the text of a move means depends on the game.
        part = f"cast(shiftright(cast(conv(hex(substring(key, 1, 4)), 16, 10) as bigint) * {parts}, 32) as int)"
        postings = postings.join(built.games.selectExpr("id as game", "kind"), "game")
        postings = postings.withColumn("part", F.expr(part)).repartitionById(parts, "part")
        postings = postings.sortWithinPartitions("key", "game", "ply").drop("part")
    kind = kinds[0] if len(kinds) == 1 else None
    about = {"url": url, "target": loading.target(), "parts": parts, "kind": kind}
    done = postings.mapInArrow(partial(_load, about), "part long, bytes binary").collect()
    done = [bytes(row.bytes) for row in sorted(done, key=lambda row: row.part)]
    records = built._in_order(built.records.filter("id is not null"), "at")
    sources = [tuple(source) for source in built._plan["sources"]]
    return loading.finish((_ipc(table) for table in records), sources, done)


class Built:
    """What :func:`build` made: the tables ``games``, ``duplicates``, ``postings``, ``counts``, ``rejected`` and ``records``.

    It can be unpacked into the first four. ``summary`` has the sums that ``boardprint dedup`` prints, ``records`` the
    texts of the games that stay.
    """

    TABLES = ("games", "duplicates", "postings", "counts", "rejected", "records")

    def __init__(
        self, spark: SparkSession, about: Dict[str, Any], summary: Summary, plan: Dict[str, Any], tables: Dict[str, DataFrame]
    ) -> None:
        self._spark, self._about, self._plan = spark, about, plan
        self.summary = summary
        self.games = tables["games"]
        self.duplicates = tables["duplicates"]
        self.postings = tables["postings"]
        self.counts = tables["counts"]
        self.rejected = tables["rejected"]
        self.records = tables["records"]

    def __iter__(self) -> Iterator[DataFrame]:
        return iter((self.games, self.duplicates, self.postings, self.counts))

    def __repr__(self) -> str:
        return f"<Built {self.summary}>"

    def export(self, path: Any) -> None:
        """Write the games that stay to one file, byte for byte as ``boardprint dedup -o`` does."""
        file = native._RecordFile(os.fspath(path))
        for table in self._in_order(self.records, "at"):
            file.write(_ipc(table))
        file.finish()

    def _in_order(self, frame: DataFrame, *columns: str) -> Iterator[pa.Table]:
        """The rows of a table by place, some splits at a time, so that the driver holds little."""
        for first, last in zip(self._plan["groups"], self._plan["groups"][1:]):
            place = F.col("at")
            rows = frame.filter((place >= first << 32) & (place < last << 32))
            yield rows.orderBy(*columns).toArrow()

    def _write(self, folder: "_Folder", packed: DataFrame) -> None:
        for name in ("games", "records", "duplicates", "rejected"):
            write = getattr(self, name).write.mode("errorifexists").option("compression", "zstd")
            write.parquet(f"{folder.path}/{name}")
        # Rows by the million go past Spark, which would turn each over several times.
        folder.make("postings", "counts")
        packed.mapInArrow(partial(_write_part, {**self._about, "out": folder.address()}), "part int").collect()
        folder.clean("postings", "counts")
        said = {"about": self._about, "summary": vars(self.summary), "plan": self._plan}
        # What comes last says that everything before it is whole.
        text = self._spark.createDataFrame([(json.dumps(said),)], "value string").coalesce(1)
        text.write.mode("errorifexists").text(f"{folder.path}/about")


class _Folder:
    """Where tables are written, as Spark understands it."""

    def __init__(self, spark: SparkSession, path: str, overwrite: bool) -> None:
        self.path = path
        java = spark.sparkContext._jvm
        self._place = java.org.apache.hadoop.fs.Path
        self._system = self._place(path).getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
        # What says that the tables are whole goes first.
        for name in ("about", *Built.TABLES):
            place = self._place(f"{path}/{name}")
            if self._system.exists(place):
                if not overwrite:
                    raise FileExistsError(17, "There are tables already (overwrite=True replaces them)", f"{path}/{name}")
                self._system.delete(place, True)

    def address(self) -> str:
        """The folder in a way that means the same everywhere: a path on disk, or an address."""
        whole = self._system.makeQualified(self._place(self.path)).toString()
        return re.sub("^file:/+", "/", whole)

    def make(self, *names: str) -> None:
        for name in names:
            self._system.mkdirs(self._place(f"{self.path}/{name}"))

    def clean(self, *names: str) -> None:
        """Remove what tasks left that were killed."""
        for name in names:
            for found in self._system.globStatus(self._place(f"{self.path}/{name}/.boardprint-*")):
                self._system.delete(found.getPath(), False)


class _Place(NamedTuple):
    """Where a split stands: how many records and lines of its file come before it, and how many records it has."""

    split: int
    path: str
    before: int
    # As `before`, but a file that is named twice in a row counts on.
    run: int
    lines: int
    records: int


class _Job:
    """The steps of a build."""

    def __init__(self, spark: SparkSession, splits: List[Tuple], about: Dict[str, Any], parts: int) -> None:
        self.spark, self.about, self.parts = spark, about, parts
        self.split_list = splits
        self.splits = spark.createDataFrame(splits or [(0, "", 0, 0, True)], SPLITS)
        self.splits = self.splits.repartitionById(max(len(splits), 1), "split")
        self.prints = self._map(self.splits, "_prints", PRINTS).persist()
        self.persisted = [self.prints]

    def _map(self, splits: DataFrame, name: str, schema: str) -> DataFrame:
        return splits.mapInArrow(partial(_per_split, name, self.about), schema)

    def forget(self) -> None:
        for frame in self.persisted:
            frame.unpersist()

    def built(self) -> Built:
        places = self._places()
        decisions = self._decisions().persist()
        dropped = decisions.filter("stand <> at")
        kept = self.prints.filter(f"kind = {GAME}").select("at", "playable").join(dropped, "at", "left_anti")
        kept = kept.groupBy(F.shiftright("at", 32).cast("int").alias("split")).agg(
            F.collect_list(F.expr("(at & 4294967295) * 2 + int(playable)")).alias("kept"),
            F.count("*").alias("games"),
            F.sum(F.col("playable").cast("long")).alias("playable"),
        )
        kept = kept.persist()
        self.persisted += [decisions, kept]
        sums = {row.split: row for row in kept.select("split", "games", "playable").collect()}
        work = self._work(kept, sums, places)
        pairs = self._pairs(decisions)
        tables = {
            "games": self._rows(work, "games", GAMES),
            "records": self._rows(work, "records", RECORDS),
            "duplicates": self._placed(pairs, places),
            "rejected": self._rejected(places),
        }
        # The hash is even, so its first bits make even parts without looking at the rows first.
        self.packed = self._rows(work, "postings", PACKED).repartitionById(self.parts, "part")
        tables["postings"] = self.packed.mapInArrow(partial(_sorted, {**self.about, "counts": False}), POSTINGS)
        tables["counts"] = self.packed.mapInArrow(partial(_sorted, {**self.about, "counts": True}), COUNTS)
        summary = self._summary(pairs, sum(place.records for place in places), sums)
        sources: Dict[str, int] = {}
        for place in places:
            sources[place.path] = place.before + place.records
        plan = {"groups": self._groups(), "parts": self.parts, "sources": list(sources.items())}
        return Built(self.spark, self.about, summary, plan, tables)

    def _places(self) -> List["_Place"]:
        """Where each split stands in its file."""
        ends = {row.at >> 32: row for row in self.prints.filter(f"kind = {END}").collect()}
        places: List[_Place] = []
        path_before = read_path = None
        run = records = lines = 0
        for split, path, start, _, _ in self.split_list:
            end = ends[split]
            if start == 0 or path != path_before:
                records = lines = 0
            path_before = path
            # A file that is named twice in a row counts on, as in the report of the program.
            if end.record and path != read_path:
                run, read_path = 0, path
            places.append(_Place(split, path, records, run, lines, end.record))
            records, run, lines = records + end.record, run + end.record, lines + end.line
        return places

    def _decisions(self) -> DataFrame:
        """Of each game that is not alone: which stands for it (``stand``), how sure that is, and which one it may be (``doubt``)."""
        if self.about["by"] is None:
            return self.spark.createDataFrame([], "at long, stand long, confidence int, doubt long, doubt_confidence int")
        games = self.prints.filter(f"kind = {GAME} and key is not null")
        games = games.select("key", "at", "plies", "players", "date", F.expr("cast(null as int)").alias("length"), "richness")
        if self.about["by"] == "prefix":
            beginnings = self._map(self.splits, "_beginnings", BEGINNINGS)
            games = games.unionByName(beginnings.withColumn("richness", F.lit(0)))
        groups = games.repartition(self.parts, "key")
        groups = groups.sortWithinPartitions("key", F.col("length").asc_nulls_first(), "at")
        decided = groups.mapInArrow(partial(_decide, self.about), DECISIONS)
        if self.about["by"] != "prefix":
            return decided.select("at", F.col("best").alias("stand"), "confidence", "doubt", "doubt_confidence")
        decided = decided.persist()
        self.persisted.append(decided)
        return self._continued(decided)

    def _continued(self, decided: DataFrame) -> DataFrame:
        """By prefix, what becomes of games that others continue: the longest, then the first of the surest stands for them."""
        least = CONFIDENCES.index(self.about["min_confidence"])
        equal = decided.filter("by is null").drop("by", "length")
        copies = equal.filter("first <> at").select(F.col("at").alias("by"))
        found = decided.filter("by is not null").join(copies, "by", "left_anti")
        best = found.groupBy("at").agg(F.expr("max(struct(confidence, length, -by as other))").alias("best"))
        best = best.select("at", (-F.col("best.other")).alias("by"), "best.confidence").persist()
        self.persisted.append(best)
        links = best.filter(f"confidence >= {least}")
        roots = pa.table(native._settle(_ipc(links.toArrow())))
        roots = _frame(self.spark, roots, "at long, root long, chain int")
        weak = best.filter(f"confidence < {least}")
        weak = weak.select("at", F.col("by").alias("weak"), F.col("confidence").alias("weak_confidence"))
        # Games of which nothing was said before are alone among their equals.
        alone = best.select("at").join(equal, "at", "left_anti")
        alone = alone.selectExpr("at", "at as first", "at as best", "2 as confidence", "cast(null as long) as doubt",
                                 "cast(null as int) as doubt_confidence")
        every = equal.unionByName(alone).join(weak, "at", "left")
        every = every.join(roots.withColumnRenamed("at", "first"), "first", "left")
        last = equal.select(F.col("at").alias("root"), F.col("best").alias("root_best"))
        every = every.join(last, "root", "left")
        every = every.select(
            "at",
            F.expr("case when root is null then best else coalesce(root_best, root) end").alias("stand"),
            F.expr("least(confidence, coalesce(chain, 2))").alias("confidence"),
            F.expr("coalesce(doubt, weak)").alias("doubt"),
            F.expr("coalesce(doubt_confidence, weak_confidence)").alias("doubt_confidence"),
        ).persist()
        self.persisted.append(every)
        stands = every.select(F.col("at").alias("doubt"), F.col("stand").alias("doubt_stand"))
        every = every.join(stands, "doubt", "left")
        return every.select(
            "at", "stand", "confidence", F.coalesce("doubt_stand", "doubt").alias("doubt"), "doubt_confidence"
        )

    def _work(self, kept: DataFrame, sums: Dict[int, Any], places: List["_Place"]) -> DataFrame:
        """The splits with the games that stay, and the number of the first of them."""
        firsts, first = [], 0
        for place in places:
            if place.split in sums:
                firsts.append((place.split, first, place.before))
                first += sums[place.split].playable
        firsts = self.spark.createDataFrame(firsts, "split int, first_id long, records_before long")
        work = self.splits.join(kept.select("split", "kept"), "split").join(F.broadcast(firsts), "split")
        return work.repartitionById(max(len(self.split_list), 1), "split")

    def _rows(self, work: DataFrame, table: str, schema: str) -> DataFrame:
        about = {**self.about, "table": table, "parts": self.parts}
        return work.mapInArrow(partial(_kept_rows, about), schema)

    def _pairs(self, decisions: DataFrame) -> DataFrame:
        dropped = decisions.filter("stand <> at").selectExpr("at", "stand as kept", "true as dropped", "confidence")
        doubts = decisions.filter("stand = at and doubt is not null")
        doubts = doubts.selectExpr("at", "doubt as kept", "false as dropped", "doubt_confidence as confidence")
        return dropped.unionByName(doubts)

    def _placed(self, pairs: DataFrame, places: List["_Place"]) -> DataFrame:
        """The pairs as the report of the program has them."""
        lines = self.prints.filter(f"kind = {GAME}").select("at", "line")
        names = self.spark.createDataFrame(
            [(place.split, place.path, place.run, place.lines) for place in places],
            "split int, path string, run long, lines long",
        )
        for column in ("at", "kept"):
            prefix = "game" if column == "at" else "kept"
            pairs = pairs.join(lines.withColumnRenamed("at", column), column)
            pairs = pairs.join(F.broadcast(names), F.shiftright(column, 32) == names.split)
            pairs = pairs.withColumns({
                f"{prefix}_path": F.col("path"),
                f"{prefix}_record": F.expr(f"run + ({column} & 4294967295) + 1"),
                f"{prefix}_line": F.expr("lines + line"),
            }).drop("line", "split", "path", "run", "lines")
        words = [(code, *native._reason({**self.about, "by": self.about["by"] or "game"}, code)) for code in range(3)]
        words = self.spark.createDataFrame(words, "code int, name string, reason string")
        pairs = pairs.join(F.broadcast(words), pairs.confidence == words.code)
        return pairs.select(
            F.col("at").alias("order"), "game_path", "game_record", "game_line", "kept_path", "kept_record", "kept_line",
            "dropped", F.lit(self.about["by"]).alias("by"), F.col("name").alias("confidence"), "reason",
        ).orderBy("order")

    def _rejected(self, places: List["_Place"]) -> DataFrame:
        names = self.spark.createDataFrame(
            [(place.split, place.path, place.before, place.lines) for place in places],
            "split int, path string, before long, lines long",
        )
        bad = self.prints.filter(f"kind = {BAD}")
        bad = bad.join(F.broadcast(names), F.shiftright("at", 32) == names.split)
        return bad.select(
            F.col("at").alias("order"), "path", (F.col("before") + F.col("record")).alias("record"),
            F.expr("lines + line").alias("line"), "column", F.col("error").alias("kind"), "message", "hint",
        ).orderBy("order")

    def _summary(self, pairs: DataFrame, records: int, sums: Dict[int, Any]) -> Summary:
        found = {(row.dropped, row.confidence): row["count"] for row in pairs.groupBy("dropped", "confidence").count().collect()}
        dropped = [found.get((True, code), 0) for code in range(3)]
        kept = sum(row.games for row in sums.values())
        return Summary(
            records=records,
            kept=kept,
            dropped=sum(dropped),
            certain=dropped[2],
            likely=dropped[1],
            doubtful=dropped[0],
            doubts=sum(count for (gone, _), count in found.items() if not gone),
            rejected=records - kept - sum(dropped),
            games=sum(row.playable for row in sums.values()),
        )

    def _groups(self) -> List[int]:
        """Borders of groups of splits, each of about 256 MB."""
        borders, size = [0], 0
        for split, _, start, end, _ in self.split_list:
            if size > 256 << 20:
                borders.append(split)
                size = 0
            size += end - start
        return [*borders, len(self.split_list)]


def _frame(spark: SparkSession, table: pa.Table, schema: str) -> DataFrame:
    # An empty Arrow table has no types that Spark would take over.
    return spark.createDataFrame(table) if table.num_rows else spark.createDataFrame([], schema)


# What stands below runs on the workers.


def _per_split(name: str, about: Dict[str, Any], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for split in batch.to_pylist():
            if split["path"]:
                yield from _read(getattr(native, name)(_fetched(split), about))
            else:
                yield from _read(getattr(native, name)({**split, "content": b""}, about))


def _kept_rows(about: Dict[str, Any], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        kept = batch.column(batch.schema.get_field_index("kept"))
        for row, split in enumerate(batch.drop_columns(["kept"]).to_pylist()):
            games = kept[row].values.to_numpy(zero_copy_only=False).astype("<i8").tobytes()
            first_id, before = split.pop("first_id"), split.pop("records_before")
            yield from _read(native._rows(_fetched(split), about, games, first_id, before))


def _decide(about: Dict[str, Any], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from _pushed(native._Grouping(about), batches)


def _sorting(about: Dict[str, Any], batches: Iterator[pa.RecordBatch]) -> Any:
    """All postings of a part."""
    sorting = native._Sorting({**about, "table": "postings"})
    for batch in batches:
        for rows in batch.column(batch.schema.get_field_index("rows")):
            sorting.push(rows.as_py())
    return sorting


def _sorted(about: Dict[str, Any], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from _read(_sorting(about, batches).rows(about["counts"]))


def _write_part(about: Dict[str, Any], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Write the postings and counts of a part. Whoever does it again writes the same bytes to the same place."""
    sorting = _sorting(about, batches)
    # A part without rows has a file too, so that there is one to read.
    part = TaskContext.get().partitionId()
    places = [f"{about['out']}/{name}/part-{part:05}.parquet" for name in ("postings", "counts")]
    if _is_address(about["out"]):
        with tempfile.TemporaryDirectory(prefix="boardprint-") as folder:
            files = [os.path.join(folder, name) for name in ("postings", "counts")]
            sorting.write(*files)
            for file, place in zip(files, places):
                _upload(file, place)
    else:
        sorting.write(*places)
    yield pa.RecordBatch.from_arrays([pa.array([part], pa.int32())], ["part"])


def _load(about: Dict[str, Any], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    rows = (_ipc(batch) for batch in batches)
    done = native._load_parts(about["url"], tuple(about["target"]), about["parts"], about["kind"], rows)
    if done:
        parts, made = zip(*done)
        yield pa.RecordBatch.from_arrays([pa.array(parts, pa.int64()), pa.array(made, pa.binary())], ["part", "bytes"])


def _pushed(worker: Any, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield from _read(worker.push(_ipc(batch)))
    yield from _read(worker.finish())


def _read(stream: Any) -> Iterator[pa.RecordBatch]:
    return (batch for batch in pa.RecordBatchReader.from_stream(stream) if batch.num_rows)


def _ipc(rows: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write(rows)
    return sink.getvalue().to_pybytes()


# Where the input lies.


def _splits(inputs: Any, split_bytes: int) -> List[Tuple[int, str, int, int, bool]]:
    """Every split in the order of the input: number, path, first and last byte, whether it was found in a folder."""
    if split_bytes < 1:
        raise ValueError("split_bytes must be at least 1")
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    splits: List[Tuple[int, str, int, int, bool]] = []
    for source in inputs:
        if isinstance(source, (bytes, bytearray, memoryview)):
            raise TypeError("workers read files: write the bytes to one and name it")
        source = os.fspath(source)
        if _is_address(source):
            splits.extend((len(splits) + index, path, 0, size, False) for index, (path, size) in enumerate(_listed(source)))
            continue
        for path in expand(source):
            for file, size, found in native._files(path):
                # Workers have other working folders.
                file = os.path.join(os.getcwd(), file)
                for start in range(0, size, split_bytes) or [0]:
                    splits.append((len(splits), file, start, min(start + split_bytes, size), found))
    return splits


def _is_address(source: str) -> bool:
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+://", source) is not None


def _file_system(address: str) -> Tuple[Any, str]:
    from pyarrow import fs

    return fs.FileSystem.from_uri(re.sub("^s3[an]://", "s3://", address))


def _listed(address: str) -> List[Tuple[str, int]]:
    """The files that an address stands for, in the order of names, and their sizes."""
    from pyarrow import fs

    fixed = re.split(r"[*?\[]", address, maxsplit=1)[0]
    has_pattern = fixed != address
    fixed = (fixed[: fixed.rindex("/")] if has_pattern else fixed).rstrip("/")
    system, base = _file_system(fixed)
    info = system.get_file_info(base)
    if info.type == fs.FileType.File:
        return [(address, info.size)]
    head = fixed[: len(fixed) - len(base)]
    files = system.get_file_info(fs.FileSelector(base, recursive=True, allow_not_found=True))
    found = sorted((head + file.path, file.size) for file in files if file.type == fs.FileType.File)
    if has_pattern:
        found = [(path, size) for path, size in found if fnmatch.fnmatchcase(path, address)]
    if not found:
        raise FileNotFoundError(2, "No such file or directory", address)
    return found


def _fetched(split: Dict[str, Any]) -> Dict[str, Any]:
    """A split of a file that lies elsewhere, with its content."""
    if not _is_address(split["path"]):
        return split
    system, path = _file_system(split["path"])
    with system.open_input_stream(path, compression=None) as stream:
        return {**split, "content": stream.read()}


def _upload(file: str, address: str) -> None:
    """Copy a file to an address, where it appears whole."""
    from pyarrow import fs

    system, path = _file_system(address)
    # Objects of a store appear when they are complete; elsewhere a name is given at the end.
    whole = system.type_name in ("s3", "gcs", "abfs")
    folder, name = path.rsplit("/", 1)
    hidden = path if whole else f"{folder}/.boardprint-{os.getpid()}-{name}"
    fs.copy_files(file, hidden, source_filesystem=fs.LocalFileSystem(), destination_filesystem=system)
    if not whole:
        if system.get_file_info(path).type != fs.FileType.NotFound:
            system.delete_file(path)
        system.move(hidden, path)
