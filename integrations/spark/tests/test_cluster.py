"""The job on a real cluster: the numbers of `teapot score`, and exactly one row for each row whatever dies."""

from __future__ import annotations

import json
import os

import pyarrow.parquet as pq
from conftest import ROLES, TEAPOT, numbers, teapot, translation, write_parts

ROWS = int(os.environ.get("TEAPOT_SPARK_ROWS", "20000"))
COLUMNS = ",".join(f"{role}={role}" for role in ROLES)

# Ends the executor, a Java process, that started the first worker of a run: what a machine that dies looks like.
KILLS_ITS_EXECUTOR = """
if mkdir "{folder}/killed" 2> /dev/null; then
  process=$$
  while [ "$(cat /proc/$process/comm)" != java ]; do process=$(awk '{{ print $4 }}' /proc/$process/stat); done
  head -c 1000 > /dev/null
  kill -9 "$process"
  exit 9
fi
exec {teapot} "$@"
"""


def whole(table, folder, *options: str) -> dict:
    pq.write_table(table, folder / "whole.parquet")
    return teapot("score", "--data", str(folder / "whole.parquet"), "--columns", COLUMNS, *options)


def merged(target) -> dict:
    return teapot("merge", *map(str, partials(target)))


def partials(target):
    # Hadoop writes a checksum beside each file, under a hidden name.
    return sorted((target / "partials").glob("part-*.json"))


def check_rows(target, table) -> None:
    scores = pq.read_table(target / "scores")
    assert sorted(scores["id"].to_pylist()) == table["id"].to_pylist()


def test_equals_score_on_one_machine(cluster, tmp_path):
    table = translation(ROWS)
    source = write_parts(table, tmp_path / "pairs")
    done = cluster.submit(source, tmp_path / "out", "--by", "part")
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    # spark-submit puts all that Python prints on standard output.
    said = json.loads(next(line for line in done.stdout.splitlines() if line.startswith("{")))
    assert said["rows"] == ROWS and said["parts"] > 1
    check_rows(tmp_path / "out", table)
    assert numbers(merged(tmp_path / "out")) == numbers(whole(table, tmp_path, "--by", "part"))
    # A finished run is kept, and summed up again only if it is the same one.
    assert cluster.submit(source, tmp_path / "out", "--by", "part").returncode == 2
    other = cluster.submit(source, tmp_path / "out", "--by", "part", "--resume", "--s-tgt", "bleu")
    assert other.returncode == 2 and "other settings" in other.stdout + other.stderr
    before = {path.name: path.read_bytes() for path in partials(tmp_path / "out")}
    assert cluster.submit(source, tmp_path / "out", "--by", "part", "--resume").returncode == 0
    assert before == {path.name: path.read_bytes() for path in partials(tmp_path / "out")}


def test_an_executor_that_is_killed_changes_nothing(cluster, tmp_path):
    table = translation(ROWS)
    source = write_parts(table, tmp_path / "pairs")
    script = tmp_path / "teapot.sh"
    script.write_text(KILLS_ITS_EXECUTOR.format(folder=tmp_path, teapot=" ".join(TEAPOT)))
    done = cluster.submit(source, tmp_path / "out", command=("bash", str(script)))
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert (tmp_path / "killed").is_dir()
    check_rows(tmp_path / "out", table)
    assert numbers(merged(tmp_path / "out")) == numbers(whole(table, tmp_path))


def test_a_job_that_fails_leaves_nothing_that_counts_and_runs_again(cluster, tmp_path):
    table = translation(2_000)
    source = write_parts(table, tmp_path / "pairs")
    dies = ("bash", "-c", "head -c 5000 > /dev/null; echo no room >&2; exit 7", "x")
    failed = cluster.submit(source, tmp_path / "out", command=dies, retries=2)
    assert failed.returncode != 0 and "exit code 7" in failed.stdout + failed.stderr
    assert not (tmp_path / "out/scores/_SUCCESS").exists()
    assert not [path for path in (tmp_path / "out").rglob("part-*") if "_temporary" not in str(path)]
    done = cluster.submit(source, tmp_path / "out")
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    check_rows(tmp_path / "out", table)
    assert numbers(merged(tmp_path / "out")) == numbers(whole(table, tmp_path))
