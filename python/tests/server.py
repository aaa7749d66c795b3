"""A real PostgreSQL server on this machine, loopback only. `docs/scale.md` has the same commands."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from typing import List, Optional


def programs() -> Optional[pathlib.Path]:
    """Where the programs of PostgreSQL are, if they are installed; Debian keeps those of each version apart."""
    folders = [pathlib.Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep)]
    folders += sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
    found = (folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists())
    found = next(found, None) if os.geteuid() or shutil.which("setpriv") else None
    # The others lie beside it, and not always beside a link to it.
    return found and (found / "initdb").resolve().parent


class Server:
    """A server with an empty cluster; it ends with the ``with`` block."""

    def __enter__(self) -> "Server":
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="boardprint-pg-"))
        self.process = None
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _humbly(self, *command: str) -> List[str]:
        """A command as a user without rights: PostgreSQL does not run as root."""
        if os.geteuid() == 0:
            return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        return list(command)

    def _begin(self) -> None:
        found, data = programs(), str(self.folder / "data")
        if os.geteuid() == 0:
            os.chown(self.folder, 65534, 65534)
        options = ["--auth=trust", "--username=postgres", "--no-sync", "--encoding=UTF8", "--locale=C"]
        subprocess.run(
            self._humbly(str(found / "initdb"), *options, "-D", data), check=True, cwd=self.folder, stdout=subprocess.DEVNULL
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": str(self.folder), "shared_buffers": "32MB"}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        command = self._humbly(str(found / "postgres"), "-D", data, "-p", str(self.port), *words)
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + 60
        while "ready to accept connections" not in (log := (self.folder / "log").read_text(errors="replace")):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(log[-2000:])
            time.sleep(0.1)

    def url(self, schema: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres?schema={schema}"

    def ask(self, sql: str) -> str:
        """The first value that SQL finds."""
        address = f"host=127.0.0.1 port={self.port} user=postgres dbname=postgres"
        command = [str(programs() / "psql"), "--no-psqlrc", "--quiet", "-At", "-c", sql, address]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            # SIGINT is its fast shutdown.
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
