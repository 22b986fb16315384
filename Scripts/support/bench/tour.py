"""tour-chat as a group: one node per host, found by Avahi, joined by code."""
from __future__ import annotations

import re
import subprocess
import threading
import time
from pathlib import Path

from lab import Host, Lab
from members import PIPE_BYTES, FileInbox, Inbox, Member, body, chunks
from nodes import Node, NodeError, all_know_all, end, make_tour, wait_until

FILE = re.compile(rb'"type"\s*:\s*"file"')
WHOLE = re.compile(rb'"complete"\s*:\s*true')
BODY = re.compile(rb'"content"\s*:\s*"(\d{10}) (\d{19}) ')


class TourMember:
    """A message counts when `messages --follow` has printed it; the time is that of reading the line."""

    def __init__(self, host: Host, name: str, flags: tuple[str, ...], program: str) -> None:
        self.node: Node = host.node(name, *flags)
        self.node.binary = program or self.node.binary
        self.inbox = Inbox()
        self._follower: subprocess.Popen[bytes] | None = None
        self.file = FileInbox()

    @property
    def started_ns(self) -> int:
        return self.node.started_ns

    def start(self) -> None:
        self.node.start()
        self.follow()

    def follow(self) -> None:
        self._follower = subprocess.Popen(
            self.node.argv("messages", "--follow"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=self.node.place.environment(), pipesize=PIPE_BYTES)
        threading.Thread(target=self._read, args=(self._follower,), daemon=True).start()

    def _read(self, follower: subprocess.Popen[bytes]) -> None:
        for lines, there in chunks(follower):
            self.inbox.add([(int(m[1]), int(m[2]), there) for m in BODY.finditer(lines)])
            # The node reports a file again once all of it has arrived.
            if any(FILE.search(line) and WHOLE.search(line) for line in lines.split(b"\n")):
                self.file.add(there)

    def wait_online(self) -> int:
        wait_until(lambda: self.node.links() >= 1, 60, f"{self.node.name} has a link", pause=0.005)
        return time.time_ns()

    def stop(self) -> None:
        if self._follower:
            end(self._follower, 5)
            self._follower = None
        self.node.stop()

    def pids(self) -> list[int]:
        return [self.node.process.pid] if self.node.process and self.node.alive else []

    def send(self, count: int, size: int, rate: float, first: int = 0) -> None:
        stream = self.node.stream()
        begun = time.time_ns()
        for number in range(count):
            due = time.time_ns()
            if rate:
                due = begun + int(number * 1e9 / rate)
                time.sleep(max(0.0, (due - time.time_ns()) / 1e9))
            stream.write(body(first + number, due, size))
        stream.wait_answers(count, 60 + count / 200)
        if (accepted := len(stream.acknowledged())) != count:
            raise NodeError(f"{accepted} of {count} messages accepted")
        stream.close()

    def send_file(self, path: Path) -> None:
        self.node.must("send", "--file", str(path), seconds=60)


class TourChat:
    name = "tour-chat"

    def __init__(self, lab: Lab, flags: tuple[str, ...] = (), program: str = "") -> None:
        """`program`: that which TOURCHAT names, where it is empty."""
        self._members = [TourMember(host, f"member{k}" if k else "guide", flags, program)
                         for k, host in enumerate(lab.hosts)]
        self.members: list[Member] = list(self._members)

    def start(self) -> None:
        nodes = [member.node for member in self._members]
        for node in nodes:
            node.launch()
        for node in nodes:
            node.await_ready()
        make_tour(nodes, "Bench")
        all_know_all(nodes, 90)
        for member in self._members:
            member.follow()

    def send(self, count: int, size: int) -> None:
        # Every member stores at most 16 MiB of one author's events: about 34,000 such messages.
        writers = self.members[:-1]
        for number, writer in enumerate(writers):
            first, end = count * number // len(writers), count * (number + 1) // len(writers)
            writer.send(end - first, size, 0, first)

    def close(self) -> None:
        for member in self._members:
            member.stop()
