"""What can stand between a node and its server: a guest network's login page, or a proxy that spoils answers.

As a program it runs on the server's host, forwards to the server, and reads its mode anew with each request.
"""
from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

GATE_PORT = 8081
LOGIN_PAGE = b"<html><h1>Welcome to our Wi-Fi</h1><form>Please sign in.</form></html>"
PASSED_ON = ("Accept", "Authorization", "Content-Type", "Host", "Idempotency-Key", "If-None-Match", "User-Agent")


class Gate:
    """The gate of a host of the lab, in front of the server there."""

    def __init__(self, host: Any, port: int) -> None:
        self._mode, self._log = host.home / "gate.json", host.home / "gate.log"
        self._seen = 0
        self.set()
        self._process = subprocess.Popen(
            host.argv([sys.executable, __file__, str(port), str(self._mode), str(self._log)]),
            stdout=subprocess.PIPE, env=host.environment())
        assert self._process.stdout
        self._process.stdout.readline()

    def set(self, page: str = "", refuses_push: int = 0, lead: int = 0) -> None:
        """`page`: `login` or `redirect` for every request. `refuses_push`: so many pushes pass from now on, then one is
        refused as if its token had run out. `lead`: seconds by which the server's clock seems ahead."""
        fresh = self._mode.with_suffix(".new")
        mode = {"page": page, "refusesPush": refuses_push, "lead": lead, "mark": os.urandom(4).hex()}
        fresh.write_text(json.dumps(mode))
        fresh.replace(self._mode)

    def asked(self) -> list[dict[str, Any]]:
        """The requests since this was asked last."""
        rows = [json.loads(line) for line in self._log.read_text().splitlines()] if self._log.exists() else []
        news, self._seen = rows[self._seen:], len(rows)
        return news

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    target, mode, log = 0, Path(), Path()
    passed: dict[str, int] = {}

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with self.log.open("a") as log:
            log.write(json.dumps({"method": self.command, "path": self.path, "bytes": len(body),
                                  "token": "Authorization" in self.headers}) + "\n")
        mode = json.loads(self.mode.read_text())
        if mode["page"] == "login":
            self._answer(200, {"Content-Type": "text/html"}, LOGIN_PAGE)
        elif mode["page"] == "redirect":
            self._answer(302, {"Location": "http://login.example/"}, b"")
        elif self._is_refused(mode):
            self._answer(401, {"Content-Type": "application/json"},
                         b'{"error":{"code":"invalid-token","message":"The token has run out."}}')
        else:
            self._forward(mode, body)

    do_POST = do_GET

    def _is_refused(self, mode: dict[str, Any]) -> bool:
        if not mode["refusesPush"] or not self.path.endswith("/messages/sync"):
            return False
        self.passed[mode["mark"]] = self.passed.get(mode["mark"], 0) + 1
        return bool(self.passed[mode["mark"]] == mode["refusesPush"] + 1)

    def _forward(self, mode: dict[str, Any], body: bytes) -> None:
        server = http.client.HTTPConnection("127.0.0.1", self.target, timeout=60)
        given = {name: self.headers[name] for name in PASSED_ON if name in self.headers}
        server.request(self.command, self.path, body or None, given)
        answer = server.getresponse()
        kept = {name: value for name, value in answer.getheaders()
                if name.lower() not in ("content-length", "transfer-encoding", "connection")}
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            self._stream(answer, kept)
        else:
            self._answer(answer.status, kept, self._spoiled(answer.read(), mode))
        server.close()

    def _spoiled(self, body: bytes, mode: dict[str, Any]) -> bytes:
        if not mode["lead"] or self.path != "/healthz":
            return body
        answer = json.loads(body)
        time = datetime.strptime(answer["time"], "%Y-%m-%dT%H:%M:%SZ") + timedelta(seconds=mode["lead"])
        return json.dumps({**answer, "time": time.strftime("%Y-%m-%dT%H:%M:%SZ")}).encode()

    def _stream(self, answer: http.client.HTTPResponse, headers: dict[str, str]) -> None:
        self.close_connection = True
        self.send_response(answer.status)
        for name, value in {**headers, "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        while part := answer.read1():
            self.wfile.write(part)

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status not in (204, 304):
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    _Handler.target, _Handler.mode, _Handler.log = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    server = ThreadingHTTPServer(("0.0.0.0", GATE_PORT), _Handler)
    server.daemon_threads = True
    print("ready", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
