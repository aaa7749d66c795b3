"""A real Spark cluster on this machine: one master, two workers, loopback only. `docs/scale.md` has the same commands."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pyspark

SPARK_HOME = pathlib.Path(pyspark.__file__).parent
DEADLINE = 180


class Cluster:
    """A master and two workers with one core each; everything ends with the ``with`` block."""

    def __init__(self, folder: pathlib.Path, executor_memory: str = "900m") -> None:
        self.folder, self.executor_memory = folder, executor_memory
        self.processes: list[subprocess.Popen] = []
        self.spark = None

    def _start(self, name: str, *arguments: str) -> pathlib.Path:
        environment = {
            **os.environ,
            "SPARK_HOME": str(SPARK_HOME),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "SPARK_DAEMON_MEMORY": "192m",
            "PYSPARK_PYTHON": sys.executable,
        }
        log = self.folder / f"{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [str(SPARK_HOME / "bin" / "spark-class"), *arguments],
                stdout=output, stderr=subprocess.STDOUT, env=environment, start_new_session=True,
            )
        self.processes.append(process)
        return log

    def _wait(self, log: pathlib.Path, pattern: str) -> str:
        """Wait until a line of a log says something."""
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            found = re.search(pattern, log.read_text(errors="replace"))
            if found:
                return found[1] if found.groups() else found[0]
            if any(process.poll() is not None for process in self.processes):
                break
            time.sleep(0.1)
        raise RuntimeError(f"the cluster does not start:\n{log.read_text(errors='replace')[-2000:]}")

    def __enter__(self) -> "Cluster":
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _begin(self) -> None:
        from pyspark.sql import SparkSession

        (self.folder / "local").mkdir(parents=True)
        arguments = ("org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.master = self._wait(self._start("master", *arguments), r"Starting Spark master at (spark://127\.0\.0\.1:\d+)")
        for number in (1, 2):
            log = self._start(
                f"worker-{number}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0",
                "--cores", "1", "--memory", self.executor_memory, "--work-dir", str(self.folder / f"work-{number}"), self.master,
            )
            self._wait(log, "Successfully registered with master")
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_LOCAL_IP="127.0.0.1")
        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "700m",
            "spark.executor.memory": self.executor_memory,
            "spark.executor.cores": "1",
            "spark.local.dir": str(self.folder / "local"),
            "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.sql.shuffle.partitions": "4",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            # A lost executor is not waited for.
            "spark.executor.processTreeMetrics.enabled": "false",
            "spark.task.maxFailures": "8",
        }
        builder = SparkSession.builder.master(self.master).appName("boardprint")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.spark = builder.getOrCreate()
        self.spark.sparkContext.setLogLevel("ERROR")

    def __exit__(self, *_: object) -> None:
        if self.spark is not None:
            self.spark.stop()
        # Each was started as the leader of its own group, so this ends it and its children, and nothing else.
        for process in reversed(self.processes):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def executors(self) -> dict[str, int]:
        """The executors of the workers: their ids, and the ids of their processes."""
        parents, found = {process.pid for process in self.processes}, {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                status, words = (entry / "status").read_text(), (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            parent = re.search(r"^PPid:\t(\d+)$", status, re.M)
            if parent and int(parent[1]) in parents and b"--executor-id" in words:
                found[words[words.index(b"--executor-id") + 1].decode()] = int(entry.name)
        return found

    def active_tasks(self, executor: str) -> int:
        """How many tasks the driver waits for from an executor."""
        known = self.spark.sparkContext._jsc.sc().statusStore().executorList(True)
        for index in range(known.size()):
            if known.apply(index).id() == executor:
                return known.apply(index).activeTasks()
        return 0

    def lost(self) -> int:
        """How many executors the driver has lost."""
        known = self.spark.sparkContext._jsc.sc().statusStore().executorList(False)
        return sum(not known.apply(index).isActive() for index in range(known.size()))

    def kill_an_executor_at_work(self, done) -> str | None:
        """Kill an executor that has tasks, and return its id; ``None`` if ``done()`` comes true before there is one.

        It is stopped first: if the driver still waits for a task of it then, that task cannot have ended.
        """
        while not done():
            for name, process in self.executors().items():
                if not self.active_tasks(name):
                    continue
                try:
                    os.kill(process, signal.SIGSTOP)
                    # What it said before it was stopped has time to arrive.
                    time.sleep(1)
                    if self.active_tasks(name) and not done():
                        os.kill(process, signal.SIGKILL)
                        return name
                    os.kill(process, signal.SIGCONT)
                except ProcessLookupError:
                    # It had ended already, such as one that was killed just before and that the driver has not missed yet.
                    continue
            time.sleep(0.05)
        return None
