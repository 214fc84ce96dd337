"""Scores a Parquet table with teapot on a Spark cluster.

Two passes. The first one scores: every task starts one `teapot worker scores`, hands it the raw UTF-8 buffers of the Arrow
batches that Spark gives, and puts the scores beside the rows; Spark's own committer writes them as Parquet. The second
one reads the committed scores alone and sums them up, one partial result a task, for `teapot merge`. So a task that
is tried again, or a worker that dies, changes no number: what isn't committed isn't counted.

Needs Spark 4, pyarrow and pandas (Spark asks for it); no other package of Python. This module has no logic of scoring: it calls teapot.
"""

from __future__ import annotations

import argparse
import collections
import hashlib
import json
import os
import queue
import shlex
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

import pyarrow as pa
import pyarrow.compute as pc

ROLES = ("src", "adv_src", "out", "adv_out", "ref")
NUMBERS = ("s_src", "s_tgt_base", "s_tgt_attacked", "d_tgt", "s_tgt", "margin")
"""The scores that a run may have; `blank_sides` (1: the source side has a blank text, 2: the target side) goes with them."""

IN_FLIGHT = 3
"""Batches that are on their way to a worker and back at a time: memory is bounded, and no pipe waits for the other."""

class TeapotError(RuntimeError):
    """A worker failed: its exit code and what it wrote to standard error."""


@dataclass(frozen=True)
class Plan:
    """What is scored, and how."""

    columns: dict[str, tuple[str, ...]]
    """The columns of each role: `{"src": ("text",), …, "ref": ("ref1", "ref2")}`."""
    by: tuple[str, ...] = ()
    """Columns that rows are grouped by."""
    options: tuple[str, ...] = ()
    """Options of `teapot worker`: `("--s-tgt", "bleu")`."""
    scores_options: tuple[str, ...] = ()
    """Options of the first pass alone: `("--java-command", …)`."""
    partial_options: tuple[str, ...] = ()
    """Options of the second pass alone: `("--threshold-sweep", "0:2:0.05")`."""
    command: tuple[str, ...] = ("teapot",)
    """How teapot is started on an executor."""

    def __post_init__(self) -> None:
        unknown = [role for role in self.columns if role not in ROLES]
        if unknown:
            raise ValueError(f"there is no role {unknown[0]}: the roles are {', '.join(ROLES)}")
        for one, other in (("src", "adv_src"), ("out", "adv_out")):
            if (one in self.columns) != (other in self.columns):
                raise ValueError(f"{one} and {other} belong together: name both columns or none")
        if not self.has_source and not self.has_target:
            raise ValueError("nothing to score: name src and adv_src, or out and adv_out")
        if "ref" in self.columns and not self.has_target:
            raise ValueError("ref does nothing without out and adv_out")

    @property
    def has_source(self) -> bool:
        return "src" in self.columns

    @property
    def has_target(self) -> bool:
        return "out" in self.columns

    @property
    def references(self) -> tuple[str, ...]:
        return self.columns.get("ref", ())

    @property
    def numbers(self) -> tuple[str, ...]:
        """The scores that this run has, in the order of `NUMBERS`."""
        has = set()
        if self.has_source:
            has.add("s_src")
        if self.has_target:
            has |= {"s_tgt_base", "s_tgt_attacked", "d_tgt"} if self.references else {"s_tgt"}
        if self.has_source and self.has_target:
            has.add("margin")
        return tuple(name for name in NUMBERS if name in has)

    def worker(self, job: str, *more: str) -> list[str]:
        """The command of a worker."""
        sides = "both" if self.has_source and self.has_target else "source" if self.has_source else "target"
        own = self.scores_options if job == "scores" else self.partial_options
        return [*self.command, "worker", job, "--sides", sides, *self.options, *own, *more]


def encode_frame(rows: int, columns: Sequence[tuple[str, pa.Array]]) -> bytes:
    """A frame as `teapot worker` reads it: a length, a JSON header, and the buffers of the columns as Arrow has them."""
    headers, parts = [], []
    for name, array in columns:
        if pa.types.is_large_string(array.type) or pa.types.is_string_view(array.type):
            array = array.cast(pa.string())
        if pa.types.is_string(array.type):
            offsets, values = _text_buffers(array)
            headers.append({"name": name, "type": "utf8", "bytes": len(values), "offsets": len(offsets)})
            parts += [offsets, values]
        else:
            size, kind = (8, "float64") if pa.types.is_float64(array.type) else (1, "uint8")
            data = memoryview(array.buffers()[1] or b"")
            values = data[array.offset * size : (array.offset + len(array)) * size]
            headers.append({"name": name, "type": kind, "bytes": len(values)})
            parts.append(values)
    header = json.dumps({"rows": rows, "columns": headers}).encode()
    return b"".join([struct.pack("<I", len(header)), header, *parts])


END_OF_FRAMES = struct.pack("<I", 0)


def _text_buffers(array: pa.Array) -> tuple[memoryview, memoryview]:
    if array.null_count > 0:
        array = pc.fill_null(array, "")
    _, offsets, values = array.buffers()
    if offsets is None or len(array) == 0:
        return memoryview(struct.pack("<i", 0)), memoryview(b"")
    starts = memoryview(offsets)[array.offset * 4 : (array.offset + len(array) + 1) * 4]
    numbers = starts.cast("i")
    return starts, memoryview(values or b"")[numbers[0] : numbers[-1]]


def decode_frame(read) -> dict[str, pa.Array] | None:
    """The next frame that `read(n)` gives, as arrays by name; None at the end mark."""
    (length,) = struct.unpack("<I", read(4))
    if length == 0:
        return None
    header = json.loads(read(length))
    rows, columns = header["rows"], {}
    for column in header["columns"]:
        name, kind = column["name"], column["type"]
        if kind == "utf8":
            offsets = pa.py_buffer(read(column["offsets"]))
            values = pa.py_buffer(read(column["bytes"]))
            columns[name] = pa.Array.from_buffers(pa.string(), rows, [None, offsets, values])
        else:
            values = pa.py_buffer(read(column["bytes"]))
            type_ = pa.float64() if kind == "float64" else pa.int8()
            columns[name] = pa.Array.from_buffers(type_, rows, [None, values])
    return columns


class Worker:
    """A `teapot worker` process: frames go in from a thread of their own, so that neither pipe can block the other."""

    def __init__(self, command: Sequence[str]) -> None:
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=1 << 20
            )
        except OSError as error:
            self._errors.close()
            raise TeapotError(f"{shlex.join(command)} can't be started: {error}") from error
        self._queue: queue.Queue[bytes | None] = queue.Queue(maxsize=IN_FLIGHT + 2)
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()

    def send(self, frame: bytes | None) -> None:
        while True:
            try:
                return self._queue.put(frame, timeout=1)
            except queue.Full:
                if not self._writer.is_alive():
                    raise self._failure("ended too early") from None

    def end(self) -> None:
        """Says that no frame follows."""
        self.send(END_OF_FRAMES)
        self.send(None)

    def read(self, size: int) -> bytes:
        data = self._process.stdout.read(size)
        if len(data) < size:
            raise self._failure("ended too early")
        return data

    def read_rest(self) -> bytes:
        return self._process.stdout.read()

    def close(self) -> None:
        """Waits for the end. Raises `TeapotError` unless the worker ended well and wrote nothing more."""
        if self._process.stdout.read(1):
            raise self._failure("wrote more than was asked for")
        if self._process.wait() != 0:
            raise self._failure("failed")
        self._writer.join()

    def kill(self) -> None:
        """Ends the process, whatever it does; a second call does nothing."""
        if self._process.poll() is None:
            self._process.kill()
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            # The writer doesn't wait for a frame, then: it waits for the process, which has ended.
            pass
        self._writer.join(timeout=10)
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except OSError:
                pass
        self._process.wait()
        self._errors.close()

    def _write(self) -> None:
        try:
            while (data := self._queue.get()) is not None:
                self._process.stdin.write(data)
                self._process.stdin.flush()
                if data is END_OF_FRAMES:
                    self._process.stdin.close()
        except (OSError, ValueError):
            # The reader finds out: the worker has ended, or was ended.
            pass

    def _failure(self, what: str) -> TeapotError:
        if self._process.poll() is None:
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace")[-4000:].strip()
        return TeapotError(f"teapot worker {what} (exit code {self._process.returncode}): {said or 'it said nothing'}")


def score_batches(batches: Iterable[pa.RecordBatch], plan: Plan) -> Iterator[pa.RecordBatch]:
    """The batches with scores beside the columns, in the same order: what a task of the first pass does."""
    worker = Worker(plan.worker("scores"))
    try:
        waiting: collections.deque[pa.RecordBatch] = collections.deque()
        for batch in batches:
            texts = [(name, batch.column(column)) for name, column in _text_columns(plan)]
            worker.send(encode_frame(batch.num_rows, texts))
            waiting.append(batch)
            if len(waiting) >= IN_FLIGHT:
                yield _with_scores(waiting.popleft(), decode_frame(worker.read), plan)
        worker.end()
        while waiting:
            yield _with_scores(waiting.popleft(), decode_frame(worker.read), plan)
        if decode_frame(worker.read) is not None:
            raise TeapotError("teapot worker gave more batches of scores than it was sent texts")
        worker.close()
    finally:
        worker.kill()


def _text_columns(plan: Plan) -> list[tuple[str, str]]:
    """Name in the frame and name in the table of each column of texts."""
    named = []
    for role in ROLES:
        for index, column in enumerate(plan.columns.get(role, ())):
            named.append((role if index == 0 else f"{role}.{index + 1}", column))
    return named


def _with_scores(batch: pa.RecordBatch, scores: dict[str, pa.Array] | None, plan: Plan) -> pa.RecordBatch:
    rows = batch.num_rows
    if scores is None or any(len(column) != rows for column in scores.values()):
        raise TeapotError(f"teapot worker gave no scores for a batch of {rows} rows")
    texts = {column for _, column in _text_columns(plan)}
    kept = [(name, batch.column(name)) for name in batch.schema.names if name not in texts]
    numbers = [(name, scores[name]) for name in plan.numbers]
    success = [("success", pc.greater(scores["margin"], 0.0))] if "margin" in plan.numbers else []
    reason = scores.get("reason")
    reasons = pa.nulls(rows, pa.string()) if reason is None else pc.if_else(pc.equal(reason, ""), None, reason)
    columns = [*kept, *numbers, *success, ("reason", reasons), ("blank_sides", scores["blank_sides"])]
    return pa.RecordBatch.from_arrays([array for _, array in columns], names=[name for name, _ in columns])


def sum_up_batches(batches: Iterable[pa.RecordBatch], plan: Plan, part: str, run: dict) -> str:
    """The partial result of rows that were scored: what a task of the second pass does."""
    more = ["--by", ",".join(plan.by)] if plan.by else []
    if plan.references:
        more += ["--references", str(len(plan.references))]
    command = plan.worker(
        "partial", "--shard", part, "--input-name", run["name"], "--input-rows", str(run["rows"]), "--input-hash", run["hash"], *more
    )
    worker = Worker(command)
    try:
        names = [name for name in plan.numbers if name.startswith("s_")] + ["blank_sides", *plan.by]
        # A thread writes what is queued: at most so many bytes wait, since a batch of scores is small.
        for batch in batches:
            worker.send(encode_frame(batch.num_rows, [(name, batch.column(name)) for name in names]))
        worker.end()
        text = worker.read_rest().decode()
        worker.close()
        if not text.startswith("{"):
            raise TeapotError("teapot worker gave no partial result")
        return text
    finally:
        worker.kill()


def scores_of(frame, plan: Plan):
    """The data frame with scores in place of the texts (first pass); lazy, as everything of Spark is."""
    from pyspark.sql import types as t

    prepared = _as_texts(frame, plan)
    texts = {column for _, column in _text_columns(plan)}
    fields = [one for one in prepared.schema.fields if one.name not in texts]
    taken = [one.name for one in fields if one.name in (*NUMBERS, "success", "reason", "blank_sides")]
    if taken:
        raise ValueError(f"the table has a column {taken[0]} already: rename it, scores go there")
    fields += [t.StructField(name, t.DoubleType()) for name in plan.numbers]
    if "margin" in plan.numbers:
        fields.append(t.StructField("success", t.BooleanType()))
    fields += [t.StructField("reason", t.StringType()), t.StructField("blank_sides", t.ByteType())]
    return prepared.mapInArrow(lambda batches: score_batches(batches, plan), t.StructType(fields))


def _as_texts(frame, plan: Plan):
    """Labels as texts: whole numbers without a fraction, as they are in CSV and JSON."""
    from pyspark.sql import functions as f
    from pyspark.sql import types as t

    known = {one.name: one.dataType for one in frame.schema.fields}
    wanted = [column for _, column in _text_columns(plan)] + list(plan.by)
    missing = [name for name in wanted if name not in known]
    if missing:
        raise ValueError(f"there is no column {missing[0]}: the columns are {', '.join(known)}")
    made = {}
    for name in dict.fromkeys(wanted):
        type_, column = known[name], f.col(f"`{name}`")
        if isinstance(type_, t.StringType):
            continue
        if isinstance(type_, (t.IntegralType, t.BooleanType)):
            made[name] = column.cast("string")
        elif isinstance(type_, t.FractionalType):
            whole = (column == f.floor(column)) & (f.abs(column) < 2**53)
            made[name] = f.when(whole, column.cast("bigint").cast("string")).otherwise(column.cast("string"))
        else:
            raise ValueError(f"the column {name} holds {type_.simpleString()}: expected texts, numbers or booleans")
    return frame.withColumns(made) if made else frame


def partials_of(scores, plan: Plan, run: dict) -> list[str]:
    """The partial results of rows that were scored and committed (second pass): one a partition."""
    names = [name for name in plan.numbers if name.startswith("s_")] + ["blank_sides", *plan.by]
    summed = scores.select(*[f"`{name}`" for name in names])
    count = summed.rdd.getNumPartitions()

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        index = TaskContext.get().partitionId()
        text = sum_up_batches(batches, plan, f"{index + 1}/{count}", run)
        yield pa.RecordBatch.from_arrays([pa.array([index], pa.int32()), pa.array([text], pa.string())], ["part", "partial"])

    rows = summed.mapInArrow(task, "part int, partial string").collect()
    found = sorted(row["part"] for row in rows)
    if found != list(range(count)):
        raise TeapotError(f"partial results of {len(found)} parts, expected {count}")
    return [row["partial"] for row in sorted(rows, key=lambda row: row["part"])]


class Store:
    """Files beside the table, wherever Spark can write."""

    def __init__(self, spark, folder: str) -> None:
        jvm = spark._jvm
        self._path = jvm.org.apache.hadoop.fs.Path(folder)
        self._new_path = jvm.org.apache.hadoop.fs.Path
        self._files = self._path.getFileSystem(spark._jsc.hadoopConfiguration())

    def _at(self, name: str):
        return self._new_path(self._path, name)

    def has(self, name: str) -> bool:
        return self._files.exists(self._at(name))

    def remove(self, name: str) -> None:
        self._files.delete(self._at(name), True)

    def write(self, name: str, text: str) -> None:
        stream = self._files.create(self._at(name), True)
        try:
            stream.write(bytearray(text.encode()))
        finally:
            stream.close()

    def read(self, name: str) -> str:
        stream = self._files.open(self._at(name))
        try:
            return bytes(stream.readAllBytes()).decode()
        finally:
            stream.close()

    def listing(self, name: str) -> list[tuple[str, int]]:
        """Names and sizes of the data files of a folder, sorted."""
        found = self._files.listStatus(self._at(name))
        files = [(one.getPath().getName(), one.getLen()) for one in found if one.isFile()]
        return sorted((name, size) for name, size in files if not name.startswith(("_", ".")))


def run(spark, source: str, target: str, plan: Plan, *, overwrite: bool = False, resume: bool = False) -> dict:
    """Scores the Parquet table `source`; leaves `target/scores` (Parquet) and `target/partials` (for `teapot merge`).

    A run that was broken off leaves no `scores/_SUCCESS`: its scores are written anew. One that was finished is kept:
    `overwrite` writes it anew, `resume` sums it up again, if it was made with the same settings.
    """
    store = Store(spark, target)
    settings = json.dumps({"source": source, **{key: value for key, value in asdict(plan).items() if key != "command"}})
    is_complete = store.has("scores/_SUCCESS")
    if is_complete and not overwrite:
        if not resume:
            raise ValueError(f"{target}/scores is complete already: give another folder, --overwrite or --resume")
        if json.loads(store.read("settings.json")) != json.loads(settings):
            raise ValueError(f"{target} was made with other settings, {store.read('settings.json')}: give --overwrite")
    else:
        # What was summed up of earlier scores goes first: it must never stand beside new ones.
        store.remove("partials")
        store.write("settings.json", settings)
        scores_of(spark.read.parquet(source), plan).write.mode("overwrite").parquet(f"{target}/scores")
    scores = spark.read.parquet(f"{target}/scores")
    identity = hashlib.sha256(json.dumps(store.listing("scores")).encode()).hexdigest()
    summed = {"name": source, "rows": scores.count(), "hash": identity}
    if summed["rows"] == 0:
        raise ValueError(f"{source} has no row")
    partials = partials_of(scores, plan, summed)
    store.remove("partials")
    for index, text in enumerate(partials, 1):
        store.write(f"partials/part-{index:05d}-of-{len(partials):05d}.json", text)
    return {"rows": summed["rows"], "parts": len(partials), "scores": f"{target}/scores", "partials": f"{target}/partials"}


def parse_columns(text: str | None, references: int | None = None) -> dict[str, tuple[str, ...]]:
    """`src=text,ref=a,ref=b` as a table of roles; without a text every role is a column of its own name."""
    columns: dict[str, tuple[str, ...]] = {}
    for part in (text or "").split(","):
        role, mark, name = part.strip().partition("=")
        if not mark or not name:
            raise ValueError(f"--columns: expected ROLE=COLUMN, found {part!r}")
        columns[role] = (*columns.get(role, ()), name)
    return columns


def default_command() -> tuple[str, ...]:
    """What `package.sh` put into the archive where there is one, else `teapot` on the path."""
    return ("bash", "-c", 'if [ -x ./teapot/bin/teapot ]; then exec ./teapot/bin/teapot "$@"; fi; exec teapot "$@"', "teapot")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Score a Parquet table with teapot on Spark.",
        epilog="Options that are not listed go to teapot: --s-src, --s-tgt, --success-threshold, --keep-trailing-whitespace, …",
        allow_abbrev=False,
    )
    parser.add_argument("--input", required=True, help="the Parquet table: a file or folder that Spark can read")
    parser.add_argument("--output", required=True, help="the folder for scores and partials")
    parser.add_argument("--columns", help="which column is what: src=text,adv_src=attacked,… (by default those of the role's name)")
    parser.add_argument("--by", default="", help="columns that rows are grouped by, with commas between")
    parser.add_argument("--teapot", help="how teapot is started on executors (default: the archive of package.sh, else teapot)")
    parser.add_argument("--overwrite", action="store_true", help="write a finished run anew")
    parser.add_argument("--resume", action="store_true", help="keep finished scores and sum them up again")
    for job, name, text in (
        ("partial", "--percentile", "how the 5 %% and 95 %% are taken: teapot or linear"),
        ("partial", "--threshold-sweep", "success rate over these thresholds: START:STOP:STEP"),
        ("scores", "--java-command", "how METEOR is started"),
    ):
        parser.add_argument(name, action="append", dest=job, type=lambda value, name=name: (name, value), help=text)
    known, options = parser.parse_known_args(arguments)

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("teapot").getOrCreate()
    try:
        if known.columns is None:
            names = spark.read.parquet(known.input).columns
            columns = {role: (role,) for role in ROLES if role in names}
        else:
            columns = parse_columns(known.columns)
        plan = Plan(
            columns=columns,
            by=tuple(name for name in known.by.split(",") if name),
            options=tuple(options),
            scores_options=tuple(part for pair in known.scores or () for part in pair),
            partial_options=tuple(part for pair in known.partial or () for part in pair),
            command=tuple(shlex.split(known.teapot)) if known.teapot else default_command(),
        )
        result = run(spark, known.input, known.output, plan, overwrite=known.overwrite, resume=known.resume)
    except ValueError as error:
        print(f"teapot_spark: error: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    print(json.dumps(result))
    print(f"Next: teapot merge {os.path.join(result['partials'], '*.json')}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
