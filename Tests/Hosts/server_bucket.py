"""Two processes of a server with its blobs in a bucket of a real S3-compatible service: sends, reads, kills both sides,
copies and deletes. Run by the case of test_server_bucket.py; prints one JSON object.

Usage: server_bucket.py SEED: on a PostgreSQL of its own."""
from __future__ import annotations

import hashlib
import contextlib
import http.client
import http.server
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from server_kills import Pusher  # first: it says where the others are
from bucket import NAME, Bucket
from nodes import wait_until
from postgres import VARIABLE, Cluster
from server import Server
from server_backups import must, tool

Answer = tuple[int, dict[str, str], bytes]


def ask(server: Server, process: int, method: str, path: str, token: str, body: bytes | None = None, **headers: str) -> Answer:
    """A request to one of the processes."""
    connection = http.client.HTTPConnection("127.0.0.1", server.ports[process], timeout=60)
    fields = {"Authorization": f"Bearer {token}", "X-Forwarded-For": "10.9.0.1",
              **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection.request(method, path, body, fields)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, data


def expect(holds: object, what: str) -> None:
    if not holds:
        raise SystemExit(what)


def named(chance: random.Random, size: int) -> tuple[str, bytes]:
    content = chance.randbytes(size)
    return "/blobs/" + hashlib.blake2b(content, digest_size=32).hexdigest(), content


def refused_with_a_wrong_secret(server: Server, bucket: Bucket) -> None:
    wrong = bucket.keys("wrong", "another secret".replace(" ", "-"))
    done = subprocess.run(
        [server.program, "serve", "--data-dir", str(server.home / "data"), "--listen", "127.0.0.1:0", "--blobs-credentials",
         str(wrong)], env=server.variables, capture_output=True, text=True, timeout=60, check=False)
    expect(done.returncode == 1 and "the credentials are wrong" in done.stderr, f"a wrong secret: {done.stderr[-300:]}")


def sent_and_resumed(server: Server, pusher: Pusher, chance: random.Random) -> dict[str, bytes]:
    path, content = named(chance, 3_000_000)
    first = ask(server, 0, "PUT", path, pusher.token, content)
    expect(first[0] == 201, f"a blob in one piece: {first}")
    part = ask(server, 1, "GET", path, pusher.token, Range="bytes=1048570-2097160")
    expect(part[0] == 206 and part[2] == content[1_048_570:2_097_161], f"a range by the other process: {part[0]} {part[1]}")
    beyond = ask(server, 1, "GET", path, pusher.token, Range="bytes=3000000-")
    expect(beyond[0] == 416, f"beyond the end: {beyond[0]}")
    later, more = named(chance, 2_000_000)
    begun = ask(server, 0, "PUT", later, pusher.token, more[:700_000], Content_Range="bytes 0-699999/2000000")
    expect(begun[0] == 202, f"the first piece: {begun}")
    server.kill()
    server.start()
    asked = ask(server, 1, "PUT", later, pusher.token, b"", Content_Range="bytes */2000000")
    expect(asked[1].get("upload-offset") == "700000", f"after the kill: {asked}")
    rest = ask(server, 1, "PUT", later, pusher.token, more[700_000:], Content_Range="bytes 700000-1999999/2000000")
    expect(rest[0] == 201, f"the rest: {rest}")
    expect(not list((server.home / "data" / "blobs").rglob("*.part")), "a part stays in the data directory")
    return {path: content, later: more}


class NotFound(http.server.BaseHTTPRequestHandler):
    """A proxy whose service is gone. It ends each connection, so that none outlives it."""

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = b"<html><title>404 Not Found</title></html>"
        self.send_response(404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_PUT = do_DELETE = answer

    def log_message(self, *_: object) -> None:
        """It has no log."""


@contextlib.contextmanager
def proxy(port: int) -> Iterator[None]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), NotFound) as double:
        threading.Thread(target=double.serve_forever).start()
        try:
            yield
        finally:
            double.shutdown()


def service_killed_and_back(
        server: Server, pusher: Pusher, bucket: Bucket, chance: random.Random, held: dict[str, bytes]) -> None:
    path, content = named(chance, 100_000)
    bucket.kill()
    known = next(iter(held))
    for answer in (ask(server, 0, "GET", known, pusher.token), ask(server, 0, "PUT", path, pusher.token, content)):
        expect(answer[0] == 503 and "retry-after" in answer[1], f"while the service is away: {answer}")
    with proxy(bucket.ports[0]):
        for answer in (ask(server, 0, "GET", known, pusher.token), ask(server, 0, "PUT", path, pusher.token, content)):
            expect(answer[0] == 503 and "retry-after" in answer[1], f"while a proxy answers in its place: {answer}")
        expect(ask(server, 0, "GET", "/readyz", "")[0] == 503, "it is ready with a proxy alone")
    expect(ask(server, 0, "GET", "/healthz", "")[0] == 200, "the server goes on")
    expect(ask(server, 0, "GET", "/readyz", "")[0] == 503, "it is not ready")
    bucket.start()
    wait_until(lambda: ask(server, 0, "GET", "/readyz", "")[0] == 200, 30, "the server is ready again")
    done = ask(server, 1, "PUT", path, pusher.token, b"", Content_Range="bytes */100000")
    expect(done[0] == 201, f"what had arrived is put without being sent again: {done}")
    held[path] = content


def expect_all(server: Server, pusher: Pusher, held: dict[str, bytes]) -> None:
    for number, (path, content) in enumerate(held.items()):
        expect(ask(server, number % server.processes, "GET", path, pusher.token)[2] == content, f"{path} is another one")


def run(home: Path, chance: random.Random) -> dict[str, int]:
    bucket = Bucket(home / "bucket").start()
    try:
        os.environ.update(TOUR_SERVER_BLOBS=f"s3://{NAME}/first", TOUR_SERVER_BLOBS_ENDPOINT=bucket.endpoint,
                          TOUR_SERVER_BLOBS_CREDENTIALS=str(bucket.credentials))
        (home / "first").mkdir()
        (home / "second").mkdir()
        with Server(home / "first", processes=2) as server:
            refused_with_a_wrong_secret(server, bucket)
            pusher = Pusher(server, chance)
            pusher.come_as(0)
            held = sent_and_resumed(server, pusher, chance)
            service_killed_and_back(server, pusher, bucket, chance, held)
            expect_all(server, pusher, held)
            expect(len(bucket.names("first/blobs/")) == len(held), f"in the bucket: {bucket.names('first/')}")
            backup, data = home / "backup", home / "second" / "data"
            source = ["--data-dir", str(server.home / "data")]
            must(server, "backup", "--to", str(backup), *source, data=server.home / "data")
            again = tool(server, "restore", "--from", str(backup), "--data-dir", str(data), data=data)
            expect(again.returncode == 1 and "not empty" in again.stderr, f"a prefix that is not empty: {again.stderr}")
            os.environ["TOUR_SERVER_BLOBS"] = f"s3://{NAME}/second"
            must(server, "restore", "--from", str(backup), "--data-dir", str(data), data=data)
            with Server(home / "second") as restored:
                expect_all(restored, pusher, held)
            os.environ["TOUR_SERVER_BLOBS"] = f"s3://{NAME}/first"
            must(server, "admin", "tours", "delete", pusher.tour.id.hex(), "--yes", *source, data=server.home / "data")
            expect(not bucket.names("first/blobs/"), "a deleted tour leaves objects")
            expect(len(bucket.names("second/blobs/")) == len(held), "another server's objects go too")
        return {"blobs": len(held)}
    finally:
        bucket.kill()


def main() -> int:
    with Cluster() as cluster, tempfile.TemporaryDirectory(prefix="tour-server-bucket-") as name:
        os.environ[VARIABLE] = cluster.address
        print(json.dumps(run(Path(name), random.Random(sys.argv[1]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
