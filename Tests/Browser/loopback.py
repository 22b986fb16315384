"""Small programs that run on a host beside its node and its browser: one that asks the door plainly, one that serves a
page of another origin. `python3 loopback.py ask PORT METHOD PATH [HEADER: VALUE]…` or `… serve`."""
from __future__ import annotations

import http.client
import http.server
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lab import Host

PLAIN_PAGE = b"<!doctype html><html lang=en><title>Elsewhere</title><p>A page of another origin.</p></html>"


def ask(host: Host, port: int, method: str, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """One plain HTTP request on the host; `_` in a header's name stands for `-`."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    done = subprocess.run(host.argv([sys.executable, __file__, "ask", str(port), method, path, *lines]),
                          capture_output=True, text=True, timeout=30, check=True)
    answer = json.loads(done.stdout)
    return answer["status"], answer["headers"], answer["body"]


@contextmanager
def elsewhere(host: Host) -> Iterator[int]:
    """A page of another origin on the same host; gives its port."""
    process = subprocess.Popen(host.argv([sys.executable, __file__, "serve"]), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


def _ask(port: str, method: str, path: str, *lines: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
    headers = dict(line.split(": ", 1) for line in lines)
    connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    found: dict[str, Any] = {"status": answer.status, "body": answer.read(1 << 20).decode(errors="replace"),
                             "headers": {name.lower(): value for name, value in answer.getheaders()}}
    print(json.dumps(found))


class _Plain(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PLAIN_PAGE)))
        self.end_headers()
        self.wfile.write(PLAIN_PAGE)

    def log_message(self, *_: object) -> None:
        pass


def _serve() -> None:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Plain) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        _serve()
    else:
        _ask(*sys.argv[2:])
    sys.exit(0)
