"""Run by `python -m pytest integrations/python` with TEAPOT_COMMAND naming the command line."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import pandas as pd
import pytest

import teapot_nlp as teapot

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "translation"
FILES = {"src": "src.fr", "adv_src": "adv.charswap.fr", "out": "base.en", "adv_out": "adv.charswap.en", "ref": "ref.en"}


def frame() -> pd.DataFrame:
    return pd.DataFrame({role: (EXAMPLE / name).read_text("utf-8").splitlines() for role, name in FILES.items()})


def command(*arguments: str) -> str:
    return subprocess.run(
        [*shlex.split(os.environ["TEAPOT_COMMAND"]), *arguments], capture_output=True, encoding="utf-8", check=True
    ).stdout


def test_the_summary_equals_that_of_the_files():
    flags = [part for role, name in FILES.items() for part in (f"--{role.replace('_', '-')}", str(EXAMPLE / name))]
    expected = json.loads(command(*flags, "--format", "json", "--quiet"))
    found = teapot.summary(frame())
    for document in (expected, found):
        document.pop("inputs")
    assert found == expected


def test_rows_keep_their_index_and_order():
    df = frame().iloc[10:20]
    scored = teapot.score(df, s_src="bleu")
    assert list(scored.index) == list(df.index)
    assert scored["src"].equals(df["src"])
    assert scored["s_src"].between(0, 1).all()
    again = teapot.score(df.iloc[::-1], s_src="bleu")
    assert again["s_src"].iloc[::-1].tolist() == scored["s_src"].tolist()


def test_columns_groups_and_several_values():
    df = frame().rename(columns={"src": "original", "adv_src": "attacked"})
    df["attack"] = ["a", "b"] * (len(df) // 2)
    document = teapot.summary(df, columns={"src": "original", "adv_src": "attacked"}, by="attack")
    assert [group["group"]["attack"] for group in document["groups"]] == ["a", "b"]


def test_records(tmp_path):
    records = tmp_path / "records.jsonl"
    command("import", "parallel", "--src", str(EXAMPLE / "src.fr"), "--adv-src", str(EXAMPLE / "adv.charswap.fr"),
            "--attack", "charswap", "-o", str(records), "--quiet")
    df = teapot.read_records(records)
    assert df["attack"].unique().tolist() == ["charswap"]
    assert df["src"].tolist() == frame()["src"].tolist()
    assert "groups" in teapot.score_records(records)


def test_mistakes_are_errors_with_the_words_of_the_command_line():
    with pytest.raises(teapot.TeapotError, match="no column 'nowhere'"):
        teapot.score(frame(), columns={"src": "nowhere", "adv_src": "adv_src"})
    with pytest.raises(teapot.TeapotError, match="(?i)chrff") as caught:
        teapot.score(frame(), s_src="chrff")
    assert caught.value.exit_code == 2
    with pytest.raises(teapot.TeapotError, match="none of the columns"):
        teapot.score(pd.DataFrame({"x": [1]}))
