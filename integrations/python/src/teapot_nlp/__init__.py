"""Scores adversarial attacks in pandas: did the attack break the model, or only the text?

No logic of its own: data frames go to the command line of teapot as Parquet, and its numbers come back. The command is found in this
order: the environment variable ``TEAPOT_COMMAND`` (split as a shell does), ``teapot`` on the PATH, ``npx --no-install teapot``.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

__all__ = ["TeapotError", "read_records", "score", "score_records", "summary"]

#: What the columns of a data frame are called where nothing else is said.
ROLES = ("src", "adv_src", "out", "adv_out", "ref")


class TeapotError(RuntimeError):
    """The command line refused its input or failed: the message is its own, ``exit_code`` too (2: a user's mistake)."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def score(df: pd.DataFrame, *, columns: Mapping[str, str] | None = None, **options: Any) -> pd.DataFrame:
    """Scores every row.

    :param df: one row a segment, with the columns ``src`` and ``adv_src`` (source side), ``out`` and ``adv_out`` (target side), and
        ``ref``, or those that ``columns`` names.
    :param columns: role to column: ``{"src": "original", "adv_src": "attacked"}``.
    :param options: flags of ``teapot score``: ``s_src="bleu"``, ``success_threshold=1.2`` …
    :returns: the same rows with the columns ``s_src``, ``s_tgt_base``, ``s_tgt_attacked``, ``d_tgt``, ``s_tgt``, ``success``,
        ``margin``, ``reason`` in place of any of these names; fractions in [0, 1], missing where undefined (``reason`` says why).
    :raises TeapotError: as the command line does.
    """
    with tempfile.TemporaryDirectory(prefix="teapot-") as folder:
        rows = Path(folder) / "rows.parquet"
        _run(df, folder, columns, {**options, "per_line": rows, "format": "json"})
        scores = pd.read_parquet(rows).drop(columns="id")
    scores.index = df.index
    return pd.concat([df.drop(columns=[name for name in scores.columns if name in df.columns]), scores], axis="columns")


def summary(df: pd.DataFrame, *, columns: Mapping[str, str] | None = None, **options: Any) -> dict[str, Any]:
    """The document of ``teapot score --format json`` over a data frame; parameters as for :func:`score`.

    ``by="attack"`` groups by a column of the data frame.
    """
    with tempfile.TemporaryDirectory(prefix="teapot-") as folder:
        return json.loads(_run(df, folder, columns, {**options, "format": "json"}))


def read_records(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> pd.DataFrame:
    """Reads attack records (JSONL, also .gz and .zst): one row a record, nested fields as they are.

    Large whole numbers and all texts are kept as they are written.
    """
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    with tempfile.TemporaryDirectory(prefix="teapot-") as folder:
        table = Path(folder) / "records.parquet"
        _teapot(["export", "table", *map(os.fspath, paths), "-o", os.fspath(table), "--quiet"])
        return pd.read_parquet(table)


def score_records(path: str | os.PathLike[str], **options: Any) -> dict[str, Any]:
    """The document of ``teapot score RECORDS --format json``."""
    return json.loads(_teapot(["score", os.fspath(path), *_flags({**options, "format": "json"}), "--quiet"]))


def _run(df: pd.DataFrame, folder: str, columns: Mapping[str, str] | None, options: Mapping[str, Any]) -> str:
    roles = dict(columns) if columns is not None else {role: role for role in ROLES if role in df.columns}
    by = str(options.get("by", "")).split(",") if options.get("by") else []
    needed = list(dict.fromkeys([*roles.values(), *by]))
    missing = [name for name in needed if name not in df.columns]
    if missing:
        raise TeapotError(f"the data frame has no column {missing[0]!r}; it has {', '.join(map(str, df.columns))}", 2)
    if not roles:
        raise TeapotError(f"the data frame has none of the columns {', '.join(ROLES)}: name them by columns={{…}}", 2)
    data = Path(folder) / "data.parquet"
    df[needed].to_parquet(data, index=False)
    mapping = ",".join(f"{role}={_column(name)}" for role, name in roles.items())
    return _teapot(["score", "--data", os.fspath(data), "--columns", mapping, *_flags(options), "--quiet"])


def _column(name: str) -> str:
    if "," in name or "=" in name:
        raise TeapotError(f"the column {name!r} has a comma or an equals sign in its name: rename it", 2)
    return name


def _flags(options: Mapping[str, Any]) -> list[str]:
    flags: list[str] = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        values = value if isinstance(value, (list, tuple)) else [value]
        for one in values:
            if one is None or one is False:
                continue
            flags.append(flag if one is True else f"{flag}={os.fspath(one) if isinstance(one, os.PathLike) else one}")
    return flags


def _command() -> list[str]:
    named = os.environ.get("TEAPOT_COMMAND")
    if named:
        return shlex.split(named)
    found = shutil.which("teapot")
    if found:
        return [found]
    npx = shutil.which("npx")
    if npx:
        return [npx, "--no-install", "teapot"]
    raise TeapotError("teapot was not found: npm install -g teapot-nlp, or name it by TEAPOT_COMMAND", 1)


def _teapot(arguments: Sequence[str]) -> str:
    done = subprocess.run([*_command(), *arguments], capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise TeapotError(done.stderr.strip() or f"teapot ended with {done.returncode}", done.returncode)
    return done.stdout
