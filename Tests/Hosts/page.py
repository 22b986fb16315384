"""A page without a browser: requests at a node's door on 127.0.0.1, and its stream of events."""
from __future__ import annotations

import ctypes
import http.client
import json
import os
import re
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab import Host
from nodes import Node, NodeError, Row

_libc = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNET = 0x40000000


def connected(host: Host, port: int, receive_bytes: int = 0) -> socket.socket:
    """A connection to a port of that host's own 127.0.0.1: a socket belongs to the namespace that it was made in."""
    made: list[socket.socket | OSError] = []

    def connect() -> None:
        with Path("/run/netns", host.namespace).open("rb") as space:
            if _libc.setns(space.fileno(), _CLONE_NEWNET) != 0:
                made.append(OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno())))
                return
        try:
            plug = socket.socket()
            if receive_bytes:
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            plug.settimeout(60)
            plug.connect(("127.0.0.1", port))
            plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            made.append(plug)
        except OSError as error:
            made.append(error)

    thread = threading.Thread(target=connect)
    thread.start()
    thread.join()
    if isinstance(made[0], OSError):
        raise made[0]
    return made[0]


class Page:
    """A page that was opened by the address that the node told."""

    def __init__(self, host: Host, node: Node) -> None:
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{64})", str(node.ready["web"]))
        if not found:
            raise NodeError(f"{node.name}: the page's address is {node.ready['web']!r}")
        self.host, self.port, self.token = host, int(found[1]), found[2]

    def headers(self) -> dict[str, str]:
        return {"Host": f"127.0.0.1:{self.port}", "Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """Status and body; a header is named with underscores."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.sock = connected(self.host, self.port)
        try:
            sent = self.headers() | {name.replace("_", "-"): value for name, value in headers.items()}
            data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {**sent, "Content-Length": str(len(data or b""))}.items():
                connection.putheader(name, value)
            connection.endheaders(data)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def must(self, method: str, path: str, body: Any = None) -> Any:
        status, data = self.ask(method, path, body)
        if status != 200:
            raise NodeError(f"{method} {path}: {status}: {data[:200]!r}")
        return json.loads(data)

    def lines(self, path: str) -> list[Row]:
        status, data = self.ask("GET", path)
        if status != 200:
            raise NodeError(f"{path}: {status}: {data[:200]!r}")
        return [json.loads(line) for line in data.splitlines() if line]

    def send(self, text: str) -> str:
        return str(self.must("POST", "/v1/tours/-/messages", {"content": text})["id"])

    def events(self, limit: int = 100, receive_bytes: int = 0) -> Events:
        return Events(self, limit, receive_bytes)


class Events:
    """The stream of one page. Nothing is read before `read` begins to."""

    def __init__(self, page: Page, limit: int, receive_bytes: int) -> None:
        self.plug = connected(page.host, page.port, receive_bytes)
        head = "".join(f"{name}: {value}\r\n" for name, value in page.headers().items())
        self.plug.sendall(f"GET /v1/tours/-/events?limit={limit} HTTP/1.1\r\n{head}\r\n".encode())
        self.seen: list[tuple[str, Any, float]] = []  # name, data, when it came
        self.ended = False
        self._changed = threading.Condition()

    def read(self) -> Events:
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def _read(self) -> None:
        answer = http.client.HTTPResponse(self.plug)
        try:
            answer.begin()
            if answer.status != 200:
                raise NodeError(f"events: {answer.status}")
            name = ""
            while line := answer.readline():
                if line.startswith(b"event: "):
                    name = line[7:].strip().decode()
                elif line.startswith(b"data: "):
                    with self._changed:
                        self.seen.append((name, json.loads(line[6:]), time.monotonic()))
                        self._changed.notify_all()
        except (OSError, http.client.HTTPException, ValueError):
            pass
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def messages(self) -> dict[str, tuple[Row, float]]:
        """The latest of each, and when it came first."""
        found: dict[str, tuple[Row, float]] = {}
        with self._changed:
            for name, data, at in self.seen:
                for row in data["messages"] if name == "messages" else ():
                    found[row["id"]] = (row, found[row["id"]][1] if row["id"] in found else at)
        return found

    def order(self) -> list[str]:
        """The contents in the order of their first arrival."""
        return [row["content"] for row, _ in self.messages().values()]

    def last(self, name: str) -> Any:
        with self._changed:
            return next((data for event, data, _ in reversed(self.seen) if event == name), None)

    def wait(self, check: Callable[[Events], object], seconds: float, what: str) -> None:
        deadline = time.monotonic() + seconds
        while not check(self):
            with self._changed:
                if self.ended or time.monotonic() > deadline:
                    raise NodeError(f"not within {seconds:.0f} s, or the stream ended: {what}")
                self._changed.wait(0.2)

    def close(self) -> None:
        try:
            self.plug.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.plug.close()
