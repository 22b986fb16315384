#!/usr/bin/env python3
"""A PostgreSQL for tests: `postgres.py COMMAND…` runs a command while a cluster of its own runs, in memory where
possible, on a socket in a temporary directory, and names it by TOUR_TEST_POSTGRES. The system's own PostgreSQL is
neither used nor started.

Tests that start tour-server ask `environment` for the database of each data directory: a schema of its own.
"""
from __future__ import annotations

import contextlib
import hashlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType

VARIABLE = "TOUR_TEST_POSTGRES"
# The newest that is installed.
BINARIES = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), default=None)
# Nothing has to survive a power cut, and many servers of tests share it.
SETTINGS = {"listen_addresses": "''", "fsync": "off", "full_page_writes": "off", "jit": "off",
            "shared_buffers": "64MB", "max_connections": "600", "max_locks_per_transaction": "256", "logging_collector": "off"}


class Cluster:
    """One cluster. PostgreSQL refuses to run as root: there it runs as the user of its package."""

    def __init__(self, port: int | None = None, **settings: str) -> None:
        """- port: listens there on the loopback too. - settings: more lines of postgresql.conf."""
        if BINARIES is None:
            raise SystemExit("there is no PostgreSQL: Scripts/install test")
        shared = Path("/dev/shm")
        place = shared if os.access(shared, os.W_OK) else None
        self.home = Path(tempfile.mkdtemp(prefix="tour-postgres.", dir=place))
        self.user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(self.home, self.user)
        self.data = self.home / "data"
        self.port = port
        reached = {"listen_addresses": "'127.0.0.1'", "port": str(port)} if port else {}
        self.settings = {**SETTINGS, "unix_socket_directories": f"'{self.home}'", **reached, **settings}

    def _call(self, name: str, *words: str) -> None:
        command = [str(BINARIES / name), *words] if BINARIES else []
        if os.geteuid() == 0:
            command = ["runuser", "-u", self.user, "--", *command]
        done = subprocess.run(command, cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{name} failed:\n{done.stdout}")

    def make(self) -> Cluster:
        self._call("initdb", "-D", str(self.data), "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C", "--username=tour")
        self._configure()
        return self

    def make_copy(self, primary: Cluster) -> Cluster:
        """A standby, which follows the primary from its start on."""
        self._call("pg_basebackup", "-d", primary.address, "-D", str(self.data), "--write-recovery-conf", "--checkpoint=fast",
                   "--no-sync")
        self._configure()
        return self

    def _configure(self) -> None:
        # Of several lines the last one counts.
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in self.settings.items())

    def start(self) -> Cluster:
        # Its output must not be a pipe that somebody waits for the end of.
        self._call("pg_ctl", "-D", str(self.data), "-l", str(self.home / "log"), "-w", "start")
        return self

    def stop(self, mode: str = "immediate") -> None:
        self._call("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

    def reload(self) -> None:
        self._call("pg_ctl", "-D", str(self.data), "reload")

    def promote(self) -> None:
        """Makes a primary of a standby, and waits until it is one."""
        self._call("pg_ctl", "-D", str(self.data), "-w", "promote")

    def query(self, statement: str) -> str:
        """What psql prints of it."""
        done = subprocess.run(["psql", "--no-psqlrc", "-qAt", self.address, "--command", statement], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{statement}: {done.stderr}")
        return done.stdout.strip()

    def kill(self) -> None:
        """Ends all of its processes at once with SIGKILL; `start` recovers what they had committed."""
        lock = self.data / "postmaster.pid"
        family = [int(lock.read_text().split()[0])]
        # Stopped, it starts no further process.
        os.kill(family[0], signal.SIGSTOP)
        family += [pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))) if _parent(pid) == family[0]]
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + 30
        while any(_parent(pid) is not None for pid in family):
            if time.monotonic() > deadline:
                raise SystemExit("PostgreSQL does not end")
            time.sleep(0.01)
        # It counts as running as long as nobody has taken note of its end.
        for file in (lock, *self.home.glob(".s.PGSQL.*.lock")):
            file.unlink(missing_ok=True)

    @property
    def address(self) -> str:
        port = f" port={self.port}" if self.port else ""
        return f"host={self.home}{port} user=tour dbname=postgres"

    def __enter__(self) -> Cluster:
        return self.make().start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            if (self.data / "postmaster.pid").exists():
                self.stop()
        finally:
            shutil.rmtree(self.home, ignore_errors=True)


def _parent(pid: int) -> int | None:
    """The parent of a process; nothing when it has ended, also while its end is not noted."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state in "XZ" else int(parent)


def schema(directory: Path) -> str:
    """The schema of the server with this data directory."""
    return "d" + hashlib.sha256(str(directory).encode()).hexdigest()[:16]


def environment(directory: Path) -> dict[str, str]:
    """What names the database to a server with this data directory; nothing where the tests run on SQLite."""
    address = os.environ.get(VARIABLE)
    if not address:
        return {}
    name = schema(directory)
    subprocess.run(["psql", "--quiet", "--no-psqlrc", address, "--command", f"SET client_min_messages = error; "
                    f"CREATE SCHEMA IF NOT EXISTS {name}"], check=True, stdout=subprocess.DEVNULL)
    return {"TOUR_SERVER_DATABASE": f"{address} options='-c search_path={name}'"}


def main() -> int:
    with Cluster() as cluster:
        return subprocess.run(sys.argv[1:], env={**os.environ, VARIABLE: cluster.address}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
