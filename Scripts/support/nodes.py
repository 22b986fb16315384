"""A tour-chat node as a real process: its commands, a follower of its messages, a stream of sends."""
from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

Row = dict[str, Any]
TICKS = os.sysconf("SC_CLK_TCK")


class NodeError(Exception):
    """A node or a command did not do what it was asked to do."""


class Place(Protocol):
    """Where processes run: this machine, or a host of the lab."""

    def argv(self, argv: list[str]) -> list[str]: ...

    def environment(self) -> dict[str, str]: ...


class Here:
    """This machine itself."""

    def argv(self, argv: list[str]) -> list[str]:
        return argv

    def environment(self) -> dict[str, str]:
        # Keys of temporary nodes must not go into the user's keyring.
        return {**os.environ, "DBUS_SESSION_BUS_ADDRESS": ""}


@dataclass
class Answer:
    """The answer of a command: exit status, its JSON lines, and the error object on standard error."""

    status: int
    lines: list[Row]
    error: Row
    text: str

    @property
    def first(self) -> Row:
        if not self.lines:
            raise NodeError(f"no answer (status {self.status}): {self.text[-400:]}")
        return self.lines[0]

    @property
    def code(self) -> str:
        return str(self.error.get("code", ""))


def wait_until(check: Callable[[], object], seconds: float, what: str, pause: float = 0.05) -> Any:
    """The first true result of `check`; raises NodeError naming `what` when none comes in time."""
    deadline = time.monotonic() + seconds
    while True:
        if result := check():
            return result
        if time.monotonic() > deadline:
            raise NodeError(f"not within {seconds:.0f} s: {what}")
        time.sleep(pause)


def parse_rows(text: str) -> list[Row]:
    rows = []
    for line in text.splitlines():
        if line.strip().startswith("{"):
            try:
                rows.append(json.loads(line))
            except ValueError:
                continue
    return rows


def end(process: subprocess.Popen[Any], patience: float = 15) -> int:
    """Ends one process that was started here, and waits for its end."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return process.returncode


class Node:
    """One data directory, and the node that runs on it, if any."""

    def __init__(self, place: Place, home: Path, name: str, flags: Iterable[str] = (), binary: str = "") -> None:
        self.place, self.home, self.name, self.flags = place, home, name, list(flags)
        self.has_page = False
        self.is_named = True  # or has to be asked for a name
        self.tool: list[str] = []  # runs the node's program: a profiler, say
        self.binary = binary or os.environ["TOURCHAT"]
        home.mkdir(parents=True, exist_ok=True)
        self.data = home / "data"
        self.process: subprocess.Popen[str] | None = None
        self.ready: Row = {}
        self.started_ns = 0
        self._children: list[subprocess.Popen[Any]] = []

    def argv(self, *words: str) -> list[str]:
        return self.place.argv(self._own(*words))

    def _own(self, *words: str) -> list[str]:
        return [self.binary, "--data-dir", str(self.data), "--json", *words]

    # The process.
    def launch(self, *flags: str) -> None:
        """Starts the process; `await_ready` waits for it."""
        self.started_ns = time.time_ns()
        web = [] if self.has_page else ["--web", "off"]
        named = ["--name", self.name] if self.is_named else []
        with (self.home / "node.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.place.argv([*self.tool, *self._own("run", *named, *web, *self.flags, *flags)]),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True, env=self.place.environment())
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, args=(self.process, self._lines), daemon=True).start()

    @staticmethod
    def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        assert process.stdout
        first = process.stdout.readline()
        lines.put(first or None)
        for _ in process.stdout:
            pass

    def await_ready(self, seconds: float = 30) -> None:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise NodeError(f"{self.name}: no ready line within {seconds:.0f} s; {self.log_tail()}") from None
        rows = parse_rows(line or "")
        if not rows or rows[0].get("event") != "ready":
            raise NodeError(f"{self.name}: did not become ready: {line!r}; {self.log_tail()}")
        self.ready = rows[0]

    def start(self, *flags: str, seconds: float = 30) -> Node:
        self.launch(*flags)
        self.await_ready(seconds)
        return self

    def stop(self) -> int:
        """Ends the node with SIGTERM, as a service manager does; returns its exit status."""
        self._end_children()
        return end(self.process) if self.process else 0

    def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def _end_children(self) -> None:
        while self._children:
            end(self._children.pop(), 5)

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def port(self) -> int:
        return int(self.ready["port"])

    def log_tail(self, characters: int = 600) -> str:
        log = self.home / "node.log"
        return log.read_text(errors="replace")[-characters:].strip() if log.exists() else "(no log)"

    def rss_kib(self) -> int:
        assert self.process
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        raise NodeError(f"{self.name}: has no memory: it has ended")

    def cpu_seconds(self) -> float:
        assert self.process
        return cpu_seconds(self.process.pid)

    # Its commands.
    def ask(self, *words: str, stdin: bytes | None = None, seconds: float = 90) -> Answer:
        """Runs a command and returns its answer, even a failure."""
        done = subprocess.run(self.argv(*words), input=stdin or b"", capture_output=True, timeout=seconds,
                              env=self.place.environment())
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        errors = [row["error"] for row in parse_rows(err) if isinstance(row.get("error"), dict)]
        return Answer(done.returncode, parse_rows(out), errors[-1] if errors else {}, out + err)

    def must(self, *words: str, seconds: float = 90) -> Answer:
        """Runs a command that must succeed."""
        answer = self.ask(*words, seconds=seconds)
        if answer.status:
            command = " ".join(words)[:80]
            raise NodeError(f"{self.name}: {command}: status {answer.status}: {answer.text[-400:].strip()}")
        return answer

    def send(self, text: str) -> str:
        return str(self.must("send", text).first["id"])

    def status(self) -> Row:
        return self.must("status").first

    def messages(self) -> list[Row]:
        return self.must("messages").lines

    def members(self) -> list[Row]:
        return self.must("members").lines

    def links(self) -> int:
        return int(self.status().get("links") or 0)

    def follow(self) -> Follower:
        follower = Follower(self)
        self._children.append(follower.process)
        return follower

    def stream(self) -> Stream:
        stream = Stream(self)
        self._children.append(stream.process)
        return stream


class Follower:
    """`messages --follow`: the latest line of every message seen so far."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.rows: dict[str, Row] = {}
        self.order: list[str] = []  # in the order of first arrival
        self._changed = threading.Condition()
        with (node.home / "follow.log").open("ab") as log:
            self.process = subprocess.Popen(node.argv("messages", "--follow"), stdin=subprocess.DEVNULL, text=True,
                                            stdout=subprocess.PIPE, stderr=log, env=node.place.environment())
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            for row in parse_rows(line):
                with self._changed:
                    if row["id"] not in self.rows:
                        self.order.append(row["id"])
                    self.rows[row["id"]] = row
                    self._changed.notify_all()

    def wait(self, check: Callable[[dict[str, Row]], object], seconds: float, what: str) -> None:
        """Waits until `check` holds for the messages seen."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not check(self.rows):
                left = deadline - time.monotonic()
                if left <= 0:
                    has = f"has {len(self.rows)} messages"
                    raise NodeError(f"{self.node.name}: not within {seconds:.0f} s: {what}; {has}")
                self._changed.wait(min(left, 0.5))

    def wait_ids(self, ids: Iterable[str], seconds: float = 60) -> None:
        wanted = set(ids)
        self.wait(lambda rows: wanted <= rows.keys(), seconds, f"all of {len(wanted)} messages")

    def wait_text(self, text: str, seconds: float = 30) -> Row:
        self.wait(lambda rows: any(r.get("content") == text for r in rows.values()), seconds, f"the message '{text}'")
        return next(r for r in self.rows.values() if r.get("content") == text)

    def wait_status(self, ids: Iterable[str], statuses: set[str], seconds: float = 60) -> None:
        wanted = set(ids)
        self.wait(lambda rows: all(i in rows and rows[i]["status"] in statuses for i in wanted), seconds,
                  f"{len(wanted)} messages as {' or '.join(sorted(statuses))}")

    def close(self) -> None:
        end(self.process, 5)


class Stream:
    """`send -`: reads one message per line, and prints one answer per line."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.written = 0
        self.answers: list[Row] = []
        self._changed = threading.Condition()
        with (node.home / "send.log").open("ab") as log:
            self.process = subprocess.Popen(node.argv("send", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=log, env=node.place.environment())
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            for row in parse_rows(line.decode(errors="replace")):
                with self._changed:
                    self.answers.append(row)
                    self._changed.notify_all()

    def write(self, text: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()
        self.written += 1

    def wait_answers(self, count: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        with self._changed:
            while len(self.answers) < count:
                left = deadline - time.monotonic()
                if left <= 0:
                    answered = f"{len(self.answers)} of {count} sends answered"
                    raise NodeError(f"{self.node.name}: {answered} in {seconds:.0f} s")
                self._changed.wait(min(left, 0.5))

    def acknowledged(self) -> list[str]:
        return [str(row["id"]) for row in self.answers if "id" in row]

    def close(self, patience: float = 20) -> int:
        """Ends the input, and waits until every message is answered; a sender that hangs is ended."""
        assert self.process.stdin
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            end(self.process, 2)
        self._reader.join(5)
        return self.process.returncode


def cpu_seconds(pid: int) -> float:
    """User and system time of one process, with all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def make_tour(nodes: list[Node], name: str = "Walk") -> str:
    """The first node creates a tour and the others join by its code; returns the code."""
    code = str(nodes[0].must("tour", "create", name).first["joinCode"])
    for node in nodes[1:]:
        node.must("join", code, "--name", node.name, seconds=120)
    return code


def all_know_all(nodes: list[Node], seconds: float = 60) -> None:
    """Waits until every node lists as many members as there are nodes, and has a link."""
    for node in nodes:
        wait_until(lambda: len(node.members()) == len(nodes), seconds, f"{node.name} lists {len(nodes)} members")
        wait_until(lambda: node.links() >= 1, seconds, f"{node.name} has a link")
