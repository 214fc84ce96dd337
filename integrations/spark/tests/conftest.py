"""A cluster on 127.0.0.1: one master, two workers of one core each. And how tests call teapot."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
JOB = HERE.parent / "teapot_spark.py"
TEAPOT = ("node", str(ROOT / "dist/cli/main.js"))
ROLES = ("src", "adv_src", "out", "adv_out", "ref")
WAIT = 120

sys.path.insert(0, str(HERE.parent))


def teapot(*arguments: str) -> dict:
    """What a command of teapot prints as JSON."""
    done = subprocess.run([*TEAPOT, *arguments, "--format", "json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def numbers(document):
    """A result without what it was read from, groups by name: Spark reads the largest files first."""
    if isinstance(document, dict):
        kept = {key: numbers(value) for key, value in document.items() if key != "inputs"}
        if isinstance(kept.get("groups"), list):
            kept["groups"].sort(key=str)
        return kept
    return [numbers(one) for one in document] if isinstance(document, list) else document


def translation(rows: int) -> pa.Table:
    """The teapot project's translations (those of the examples where they are not there), repeated, with an id and a group."""
    files = ("src.fr", "adv.charswap.fr", "base.en", "adv.charswap.en", "ref.en")
    folder = ROOT / "examples/translation"
    texts = {role: (folder / name).read_text("utf-8").splitlines() for role, name in zip(ROLES, files, strict=True)}
    shared = ROOT.parent / "shared/data/teapot/MT"
    if shared.is_dir():
        names = ("src.fr", "adv.charswap.fr", "base.en", "adv.charswap.en", "ref.en")
        found = {role: shared / name for role, name in zip(ROLES, names, strict=True)}
        if all(path.is_file() for path in found.values()):
            texts = {role: path.read_text("utf-8").splitlines() for role, path in found.items()}
    count = len(texts["src"])
    columns = {role: [lines[row % count] for row in range(rows)] for role, lines in texts.items()}
    return pa.table({"id": range(rows), "part": [f"group {row * 7 // rows}" for row in range(rows)], **columns})


def write_parts(table: pa.Table, folder: Path, files: int = 4) -> Path:
    """A Parquet table as Spark has it: several files, several row groups each."""
    folder.mkdir()
    size = -(-table.num_rows // files)
    for index in range(files):
        part = table.slice(index * size, size)
        pq.write_table(part, folder / f"part-{index}.parquet", row_group_size=max(1, size // 2))
    return folder


class Cluster:
    """A standalone cluster of Spark."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self._home = Path(pyspark.__file__).parent
        self._folder = folder
        self._processes: list[subprocess.Popen] = []
        self._environment = {
            **os.environ,
            "SPARK_HOME": str(self._home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_NO_DAEMONIZE": "1",
            "SPARK_DAEMON_MEMORY": "256m",
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
        }
        port = free_port()
        self.master = f"spark://127.0.0.1:{port}"
        self._start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
        self._wait_for("master", "I have been elected leader")
        for name in ("worker-1", "worker-2"):
            self._start(
                name, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0",
                "--cores", "1", "--memory", "900m", "--work-dir", str(folder / name), self.master,
            )  # fmt: skip
            self._wait_for(name, "Successfully registered with master")

    def _start(self, name: str, *arguments: str) -> None:
        with (self._folder / f"{name}.log").open("wb") as log:
            command = [str(self._home / "bin/spark-class"), *arguments]
            self._processes.append(subprocess.Popen(command, stdout=log, stderr=log, env=self._environment))

    def _wait_for(self, name: str, text: str) -> None:
        log = self._folder / f"{name}.log"
        end = time.monotonic() + WAIT
        while text not in log.read_text("utf-8", "replace"):
            assert self._processes[-1].poll() is None and time.monotonic() < end, log.read_text("utf-8", "replace")
            time.sleep(0.2)

    def submit(self, source: Path, target: Path, *more: str, command: tuple[str, ...] = TEAPOT, retries: int = 4):
        """Runs the job as a user does; gives what `spark-submit` ended with."""
        submit = [
            str(self._home / "bin/spark-submit"), "--master", self.master,
            "--conf", "spark.ui.enabled=false", "--conf", "spark.executor.memory=600m", "--conf", f"spark.task.maxFailures={retries}",
            "--conf", "spark.sql.files.maxPartitionBytes=1m", "--conf", "spark.sql.files.openCostInBytes=0",
            "--conf", "spark.excludeOnFailure.enabled=false", "--conf", "spark.cores.max=2",
            str(JOB), "--input", str(source), "--output", str(target), "--teapot", shlex.join(command), *more,
        ]  # fmt: skip
        return subprocess.run(submit, capture_output=True, text=True, env=self._environment, cwd=self._folder, check=False)

    def stop(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.stop()
