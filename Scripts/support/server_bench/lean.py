"""A client that costs little beside a server's answer, for measurements that Python's own client would spoil."""
from __future__ import annotations

import socket
import time

from server import FORWARDED, Server


class Lean:
    """One connection of one address: requests whose answers have a length."""

    def __init__(self, server: Server, number: int) -> None:
        port = server.ports[number % len(server.ports)]
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.head = (f"Host: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
                     f"{FORWARDED}: 10.8.{number // 250}.{number % 250 + 1}\r\n")

    def call(self, method: str, path: str, token: str = "", body: bytes = b"") -> bytes:
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        text = f"{method} {path} HTTP/1.1\r\n{self.head}{bearer}Content-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(text.encode() + body)
        answer = self._read(b"")
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer = self._read(answer)
        head = answer[:end].lower()
        size = end + 4 + int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        while len(answer) < size:
            answer = self._read(answer)
        if head[9:12] == b"429":
            time.sleep(1)
            return self.call(method, path, token, body)
        if head[9:10] != b"2":
            raise SystemExit(f"{method} {path}: {answer[:300]!r}")
        return answer[end + 4:]

    def timed(self, method: str, path: str, token: str = "", body: bytes = b"") -> float:
        begun = time.perf_counter()
        self.call(method, path, token, body)
        return time.perf_counter() - begun

    def _read(self, before: bytes) -> bytes:
        more = self.socket.recv(1 << 16)
        if not more:
            raise SystemExit("the server closed the connection")
        return before + more
