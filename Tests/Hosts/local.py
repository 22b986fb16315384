"""Requests to a node over the Unix socket of its data directory, as programs on its machine make them."""
from __future__ import annotations

import http.client
import json
import socket
from typing import Any

from nodes import Node, NodeError


class _Connection(http.client.HTTPConnection):
    """Unix sockets cross network namespaces: no need to be on the node's host."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=30)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(30)
        self.sock.connect(self._path)


def ask(node: Node, method: str, path: str, body: Any = None, language: str = "en") -> tuple[int, Any]:
    """Status and the answer's object."""
    connection = _Connection(str(node.data / "node.sock"))
    try:
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, path, data, {"Accept-Language": language})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"{}")
    finally:
        connection.close()


def must(node: Node, method: str, path: str, body: Any = None) -> Any:
    status, said = ask(node, method, path, body)
    if status != http.client.OK:
        raise NodeError(f"{node.name}: {method} {path}: {status}: {str(said)[:300]}")
    return said


def refusal(node: Node, method: str, path: str, body: Any = None) -> str:
    """The code with which a request is refused."""
    status, said = ask(node, method, path, body)
    if status == http.client.OK:
        raise NodeError(f"{node.name}: {method} {path} was not refused: {str(said)[:300]}")
    return str(said.get("error", said)["code"] if isinstance(said.get("error", said), dict) else said.get("code"))
