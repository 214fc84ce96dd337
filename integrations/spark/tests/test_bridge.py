"""The bridge to `teapot worker`, without Spark: the same numbers as `teapot score`, and what happens when a worker fails."""

from __future__ import annotations

import random
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import ROLES, TEAPOT, numbers, teapot

import teapot_spark
from teapot_spark import Plan, TeapotError, score_batches, sum_up_batches

WORDS = ("tea", "héllo", "世界", "", "  ", " a\rb", "x\0y", "two\nlines", "long " * 50, "\u2028", "😀")
ALL = {role: (role,) for role in ROLES}


def hostile(rows: int) -> pa.Table:
    draw = random.Random(3)
    text = lambda: " ".join(draw.choice(WORDS) for _ in range(draw.randint(0, 4)))  # noqa: E731
    table = [{role: text() for role in ROLES} | {"g": draw.choice(("a", "b", "")), "id": row} for row in range(rows)]
    table[5]["adv_out"] = None
    table[7]["ref"] = None
    table[9]["src"] = "x" * 2_000_000
    return pa.Table.from_pylist(table)


def merged(scored: pa.Table, plan: Plan, folder, parts: int = 3) -> dict:
    size = -(-scored.num_rows // parts)
    run = {"name": "x", "rows": scored.num_rows, "hash": "0" * 64}
    files = []
    for index in range(parts):
        batches = scored.slice(index * size, size).to_batches(max_chunksize=700)
        files.append(folder / f"{index}.json")
        files[-1].write_text(sum_up_batches(batches, plan, f"{index + 1}/{parts}", run))
    return teapot("merge", *map(str, files))


@pytest.mark.parametrize("roles", [ROLES, ROLES[:4], ROLES[:2], ROLES[2:], ROLES[2:4]])
@pytest.mark.parametrize("options", [(), ("--s-tgt", "bleu:smooth=exp"), ("--keep-trailing-whitespace",)])
def test_equals_score(tmp_path, roles, options):
    if "--s-tgt" in options and "out" not in roles:
        pytest.skip("there is no target side")
    table = hostile(3_000)
    pq.write_table(table, tmp_path / "x.parquet")
    plan = Plan(columns={role: ALL[role] for role in roles}, by=("g",), options=options, command=TEAPOT)
    scored = pa.Table.from_batches(score_batches(table.to_batches(max_chunksize=1_000), plan))
    assert scored["id"].to_pylist() == table["id"].to_pylist()
    columns = ",".join(f"{role}={role}" for role in roles)
    whole = teapot("score", "--data", str(tmp_path / "x.parquet"), "--columns", columns, "--by", "g", *options)
    assert numbers(merged(scored, plan, tmp_path)) == numbers(whole)


def test_scores_of_rows_are_those_of_per_line(tmp_path):
    table = hostile(500)
    pq.write_table(table, tmp_path / "x.parquet")
    scored = pa.Table.from_batches(score_batches(table.to_batches(max_chunksize=64), Plan(ALL, command=TEAPOT)))
    columns = ",".join(f"{role}={role}" for role in ROLES)
    teapot("score", "--data", str(tmp_path / "x.parquet"), "--columns", columns, "--per-line", str(tmp_path / "rows.parquet"))
    rows = pq.read_table(tmp_path / "rows.parquet")
    for name in ("s_src", "s_tgt_base", "s_tgt_attacked", "d_tgt", "margin", "success", "reason"):
        assert scored[name].to_pylist() == rows[name].to_pylist(), name


def test_several_references_and_a_slice_of_a_table(tmp_path):
    table = hostile(400).slice(3)
    plan = Plan({"out": ("out",), "adv_out": ("adv_out",), "ref": ("ref", "src")}, command=TEAPOT)
    scored = pa.Table.from_batches(score_batches(table.to_batches(max_chunksize=100), plan))
    pq.write_table(table, tmp_path / "x.parquet")
    whole = teapot("score", "--data", str(tmp_path / "x.parquet"), "--columns", "out=out,adv_out=adv_out,ref=ref,ref=src")
    assert numbers(merged(scored, plan, tmp_path)) == numbers(whole)
    assert "nrefs:2" in whole["signature"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("false",), "exit code 1"),
        (("/no/such/program",), "can't be started"),
        (("bash", "-c", "head -c 100 > /dev/null; echo a reason >&2; exit 3", "x"), "exit code 3.*a reason"),
        (("bash", "-c", "cat > /dev/null", "x"), "ended too early"),
        ((*TEAPOT, "--s-tgt", "none-such"), "exit code 2"),
    ],
)
def test_a_worker_that_fails_is_an_error(command, said):
    with pytest.raises(TeapotError, match=f"(?s){said}"):
        list(score_batches(hostile(2_000).to_batches(max_chunksize=1_000), Plan(ALL, command=command)))


def test_a_reader_that_stops_early_leaves_no_worker():
    started = []
    popen = subprocess.Popen

    def remember(*args, **kwargs):
        started.append(popen(*args, **kwargs))
        return started[-1]

    teapot_spark.subprocess.Popen = remember
    try:
        batches = score_batches(hostile(2_000).to_batches(max_chunksize=100), Plan(ALL, command=TEAPOT))
        next(batches)
        batches.close()
    finally:
        teapot_spark.subprocess.Popen = popen
    assert [one.poll() is not None for one in started] == [True]


def test_plans_that_say_nothing_are_refused():
    for columns, said in [
        ({}, "nothing to score"),
        ({"src": ("a",)}, "belong together"),
        ({"src": ("a",), "adv_src": ("b",), "ref": ("c",)}, "ref does nothing"),
        ({"source": ("a",)}, "there is no role source"),
    ]:
        with pytest.raises(ValueError, match=said):
            Plan(columns)
