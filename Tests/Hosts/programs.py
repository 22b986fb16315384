"""Programs in Python on the hosts of a lab: the node of Tests/PythonNode, its attacks and its phones. Each is a process
that reports in JSON, one object a line."""
from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cases import Unavailable, expect
from lab import Host
from nodes import NodeError, Row, end, parse_rows

PROGRAM = Path(__file__).resolve().parents[1] / "PythonNode"
MADE = Path(__file__).resolve().parents[2] / ".build" / "python-node" / "bin" / "python"


def interpreter() -> str:
    """The Python that has the node's packages."""
    python = os.environ.get("PYTHON_NODE") or str(MADE)
    if not os.access(python, os.X_OK):
        raise Unavailable(f"no Python environment at {python} (Scripts/test makes it)")
    if not shutil.which("protoc"):
        raise Unavailable("protoc is not installed")
    return python


class Program:
    """A process of Tests/PythonNode, or of another Python, on a host: what it reports, one JSON object a line."""

    def __init__(self, host: Host, log: str, *words: str, python: str = "") -> None:
        argv = host.argv([python or interpreter(), "-B", *words])
        self.name, self.rows = log, list[Row]()
        self._is_over = False
        self._changed = threading.Condition()
        self._log = host.home / f"{log}.log"
        with self._log.open("ab") as err:
            self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self._changed:
                self.rows += parse_rows(line)
                self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def write(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, event: str, seconds: float, count: int = 1) -> Row:
        """The `count`th report of this event."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.of(event)) >= count or self._is_over, seconds)
            if len(found := self.of(event)) >= count:
                return found[count - 1]
        last = f"{self.rows[-3:]} {self._log_tail()}"
        raise NodeError(f"{self.name}: not within {seconds:.0f} s: {count} x '{event}': {last}")

    def first(self, check: Callable[[Row], object], seconds: float) -> Row | None:
        """The first report of which this holds; nothing where there is none in time, or the program has ended."""
        deadline, read = time.monotonic() + seconds, 0
        with self._changed:
            while True:
                if row := next(filter(check, self.rows[read:]), None):
                    return row
                read, left = len(self.rows), deadline - time.monotonic()
                if self._is_over or left <= 0:
                    return None
                self._changed.wait(left)

    def of(self, event: str) -> list[Row]:
        return [row for row in self.rows if row.get("event") == event]

    def wait_end(self, seconds: float) -> None:
        """Until it has ended, with status 0, and all it said is read."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise NodeError(f"{self.name}: not done within {seconds:.0f} s: {self.rows[-3:]}") from None
        self._reader.join(5)
        if self.process.returncode:
            raise NodeError(f"{self.name}: {self._log_tail()}")

    def end_input(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()

    def _log_tail(self) -> str:
        return self._log.read_text(errors="replace")[-600:]


@contextmanager
def running(host: Host, log: str, *words: str) -> Iterator[Program]:
    program = Program(host, log, *words)
    try:
        yield program
    finally:
        end(program.process)


@contextmanager
def python_node(host: Host, name: str, code: str, *flags: str) -> Iterator[Program]:
    with running(host, name, str(PROGRAM), code, "--name", name, "--mdns", host.address(), *flags) as program:
        joined = program.wait("joined", 60)
        expect(joined["handshake"] == joined["admitted"], "the admission names another handshake hash than ours")
        yield program
