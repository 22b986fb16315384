"""mosquitto as a group: the broker on the guide's host, TLS, QoS 1, persistent sessions, C clients with SQLite."""
from __future__ import annotations

import re
import subprocess
import threading
import time
from pathlib import Path

from lab import Host, Lab, run
from members import PIPE_BYTES, FileInbox, Inbox, Member, chunks
from nodes import NodeError, end

HERE = Path(__file__).parent
GOT = re.compile(rb"^got (\d+) (\d+) (\d+)$", re.MULTILINE)
WORD = re.compile(rb"^(online|sent) .*$", re.MULTILINE)


class MosquittoMember:
    """A message counts when the client's transaction has ended; the client itself records the time."""

    def __init__(self, group: Mosquitto, host: Host, name: str) -> None:
        self._group, self._host, self.name = group, host, name
        self.inbox = Inbox()
        self.started_ns = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._broker: subprocess.Popen[bytes] | None = None
        self._taker: subprocess.Popen[bytes] | None = None
        self.file = FileInbox()

    def start(self) -> None:
        self._words: dict[str, list[str]] = {}
        self._changed = threading.Condition()
        if self.name == "guide" and not self._broker:
            self._broker = self._group.start_broker()
        self.started_ns = time.time_ns()
        argv = [str(self._group.client), self.name, str(self._host.home / f"{self.name}.db"),
                self._group.address, str(self._group.certificate)]
        self._process = subprocess.Popen(self._host.argv(argv), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         pipesize=PIPE_BYTES)
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        for lines, _ in chunks(process):
            self.inbox.add([(int(m[1]), int(m[2]), int(m[3])) for m in GOT.finditer(lines)])
            for words in WORD.finditer(lines):
                with self._changed:
                    self._words[words[1].decode()] = words[0].decode().split()
                    self._changed.notify_all()

    def _wait(self, word: str, seconds: float) -> list[str]:
        with self._changed:
            if not self._changed.wait_for(lambda: word in self._words, seconds):
                raise NodeError(f"mosquitto's {self.name}: no '{word}' within {seconds:.0f} s")
            return self._words[word]

    def wait_online(self) -> int:
        return int(self._wait("online", 30)[1])

    def stop(self) -> None:
        if self._process:
            try:
                self._process.communicate(b"quit\n", timeout=10)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                end(self._process, 2)
            self._process = None

    def close(self) -> None:
        self.stop()
        if self._taker:
            end(self._taker, 2)
        if self._broker:
            end(self._broker, 5)

    def pids(self) -> list[int]:
        return [p.pid for p in (self._process, self._broker) if p and p.poll() is None]

    def send(self, count: int, size: int, rate: float) -> None:
        assert self._process and self._process.stdin
        self._words.pop("sent", None)
        self._process.stdin.write(f"send {count} {size} {rate}\n".encode())
        self._process.stdin.flush()
        self._wait("sent", 60 + (count / rate if rate else count / 200))

    def take_files(self) -> None:
        """Receives the next file, beside the messages."""
        with (self._host.home / "file").open("wb") as out:
            argv = self._host.argv(["mosquitto_sub", "-C", "1", "-N", *self._group.client_words()])
            self._taker = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out)
        threading.Thread(target=self._await_file, args=(self._taker,), daemon=True).start()

    def _await_file(self, taker: subprocess.Popen[bytes]) -> None:
        if taker.wait() == 0:
            self.file.add(time.time_ns())

    def send_file(self, path: Path) -> None:
        run(*self._host.argv(["mosquitto_pub", "-f", str(path), *self._group.client_words()]))


class Mosquitto:
    name = "mosquitto"

    def __init__(self, lab: Lab) -> None:
        self._host, self.address = lab.hosts[0], lab.hosts[0].address()
        self._home = lab.home / "broker"
        self._home.mkdir()
        self.client = self._home / "mqtt_member"
        self.certificate = self._home / "certificate.pem"
        self._members = [MosquittoMember(self, host, f"member{k}" if k else "guide")
                         for k, host in enumerate(lab.hosts)]
        self.members: list[Member] = list(self._members)
        run("gcc", "-O2", "-Wall", "-Wextra", "-o", str(self.client), str(HERE / "mqtt_member.c"),
            "-lmosquitto", "-lsqlite3")
        self._make_certificate()

    def _make_certificate(self) -> None:
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-subj", "/CN=guide", "-addext", f"subjectAltName=IP:{self.address}",
            "-keyout", str(self._home / "key.pem"), "-out", str(self.certificate))

    def client_words(self) -> list[str]:
        """The options by which mosquitto's own clients, which carry the files, reach the broker."""
        return ["-h", self.address, "-p", "8883", "--cafile", str(self.certificate), "-t", "tour/files", "-q", "1"]

    def start_broker(self) -> subprocess.Popen[bytes]:
        configuration = self._home / "broker.conf"
        configuration.write_text(
            f"listener 8883 0.0.0.0\ncertfile {self.certificate}\nkeyfile {self._home}/key.pem\nallow_anonymous true\n"
            f"user root\npersistence true\npersistence_location {self._home}/\nlog_type error\n"
            f"log_dest file {self._home}/broker.log\nmax_queued_messages 0\nmax_inflight_messages 1000\n"
            "set_tcp_nodelay true\n")
        with (self._home / "broker.out").open("ab") as out:
            return subprocess.Popen(self._host.argv(["mosquitto", "-c", str(configuration)]), stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=out)

    def start(self) -> None:
        for member in self._members:
            member.start()
        for member in self._members:
            member.wait_online()
        for member in self._members[1:]:
            member.take_files()

    def send(self, count: int, size: int) -> None:
        self.members[0].send(count, size, 0)

    def close(self) -> None:
        for member in reversed(self._members):
            member.close()
