"""The workloads' view of both groups: members that start, send, receive and are measured."""
from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from lab import Lab
from nodes import NodeError, cpu_seconds


PIPE_BYTES = 1 << 20  # so that a slow reader does not delay the measured process


class Inbox:
    """The messages that one member has stored: number -> when each was due and when it arrived (ns of the wall clock).
    """

    def __init__(self) -> None:
        self.rows: dict[int, tuple[int, int]] = {}
        self._changed = threading.Condition()

    def add(self, rows: list[tuple[int, int, int]]) -> None:
        with self._changed:
            for number, due, there in rows:
                self.rows.setdefault(number, (due, there))
            self._changed.notify_all()

    def wait(self, count: int, seconds: float, what: str) -> None:
        """Waits for `count` messages; fails when none arrived for half a minute, or after `seconds`."""
        deadline, last, quiet = time.monotonic() + seconds, -1, time.monotonic()
        with self._changed:
            while len(self.rows) < count:
                now = time.monotonic()
                if len(self.rows) != last:
                    last, quiet = len(self.rows), now
                if now > deadline or now - quiet > 30:
                    raise NodeError(f"{what}: only {len(self.rows)} of {count} messages came")
                self._changed.wait(0.5)


class FileInbox:
    """When each file had arrived whole (ns of the wall clock)."""

    def __init__(self) -> None:
        self._there_ns = 0
        self._is_there = threading.Event()

    def add(self, there: int) -> None:
        """The first time counts."""
        self._there_ns = self._there_ns or there
        self._is_there.set()

    def wait(self, seconds: float, what: str) -> int:
        if not self._is_there.wait(seconds):
            raise NodeError(f"{what}: the file has not come within {seconds:.0f} s")
        return self._there_ns


class Member(Protocol):
    inbox: Inbox
    file: FileInbox
    started_ns: int

    def start(self) -> None:
        """Starts the member's process and the one that shows its messages."""

    def wait_online(self) -> int:
        """Waits for the first link; returns when it was open (ns)."""

    def stop(self) -> None: ...

    def pids(self) -> list[int]: ...

    def send(self, count: int, size: int, rate: float) -> None:
        """Sends `count` messages, `rate` a second, and returns when all were accepted."""

    def send_file(self, path: Path) -> None:
        """Sends a file to all, and returns when it was accepted."""


class Group(Protocol):
    name: str
    members: list[Member]  # the first is the guide

    def start(self) -> None:
        """Starts all members, and waits until all are connected and can receive messages."""

    def send(self, count: int, size: int) -> None:
        """Sends `count` messages as fast as they are accepted, from the members that may write that much."""

    def close(self) -> None: ...


def body(number: int, due: int, size: int) -> str:
    head = f"{number:010d} {due:019d} "
    return head + os.urandom((size - len(head) + 1) // 2).hex()[:size - len(head)]


def chunks(process: subprocess.Popen[bytes]) -> Iterator[tuple[bytes, int]]:
    """A process's output, in groups of whole lines, each with the time (ns) at which it was read."""
    assert process.stdout
    source, rest = process.stdout.fileno(), b""
    while chunk := os.read(source, PIPE_BYTES):
        there = time.time_ns()
        lines, newline, tail = (rest + chunk).rpartition(b"\n")
        rest = tail
        if newline:
            yield lines, there


def rss_mb(pids: list[int]) -> float:
    total = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total / 1024


class Meter:
    """The CPU seconds of a group and the bytes on the wire, from the meter's creation until `read`."""

    def __init__(self, group: Group, lab: Lab) -> None:
        self._group, self._lab = group, lab
        self._cpu, self._bytes = self._now()

    def _now(self) -> tuple[float, int]:
        return sum(cpu_seconds(pid) for m in self._group.members for pid in m.pids()), self._lab.sent_bytes()

    def read(self) -> tuple[float, int]:
        cpu, sent = self._now()
        return cpu - self._cpu, sent - self._bytes
