"""Pushes events and blobs into a real tour-server while a backup is made of it, kills it, and holds a server of the
restored backup against what was acknowledged before the backup began. Run by the cases of test_server_backups.py;
prints one JSON object.

Usage: server_backups.py TIMES SEED [postgresql]: on a PostgreSQL of its own."""
from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from server_kills import Pusher  # first: it says where the others are
from nodes import wait_until
from postgres import VARIABLE, Cluster, environment
from server import Server

PATIENCE = 60  # seconds


class Blobs:
    """Blobs that a member sends one after the other, on a connection of its own."""

    def __init__(self, server: Server, token: str, chance: random.Random) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        self.headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": "10.9.0.1"}
        self.chance = chance
        self.acknowledged: dict[str, bytes] = {}

    def push_until_killed(self) -> None:
        try:
            while True:
                content = self.chance.randbytes(self.chance.randrange(1, 300_000))
                name = hashlib.blake2b(content, digest_size=32).hexdigest()
                self.connection.request("PUT", f"/blobs/{name}", content, self.headers)
                answer = self.connection.getresponse()
                answer.read()
                if answer.status >= 300:
                    return  # the tour's room or the member's rate is used up
                self.acknowledged[name] = content
        except (OSError, http.client.HTTPException):
            pass


def tool(server: Server, *words: str, data: Path) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, **environment(data)}
    return subprocess.run([server.program, *words], env=variables, capture_output=True, text=True, check=False)


def must(server: Server, *words: str, data: Path) -> str:
    done = tool(server, *words, data=data)
    if done.returncode:
        raise SystemExit(f"{words[0]}: {done.stderr.strip()[-300:]}")
    return done.stdout


def expect_all_blobs(backup: Path, data: Path) -> int:
    """Every blob that the backup's database names is in the restored directory, and is what its name says."""
    with sqlite3.connect(f"file:{backup}/server.sqlite?mode=ro", uri=True) as database:
        rows = database.execute(
            "SELECT hex(tours.id), hex(blobs.hash) FROM blobs JOIN tours ON tours.number = blobs.tour WHERE is_whole = 1").fetchall()
    for tour, name in rows:
        content = (data / "blobs" / tour.lower() / name.lower()).read_bytes()
        if hashlib.blake2b(content, digest_size=32).hexdigest() != name.lower():
            raise SystemExit(f"the blob {name} is another one")
    return len(rows)


def expect_damage_refused(server: Server, backup: Path) -> int:
    """A byte in each file of the backup."""
    files = [path for path in backup.rglob("*") if path.is_file()]
    for path in files:
        whole = path.read_bytes()
        at = len(whole) // 2
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        done = tool(server, "backup", "--check", str(backup), data=backup)
        path.write_bytes(whole)
        if done.returncode != 1:
            raise SystemExit(f"a damaged {path.name} is not refused: {done.returncode}")
    must(server, "backup", "--check", str(backup), data=backup)
    return len(files)


def turn(home: Path, chance: random.Random) -> dict[str, int]:
    with Server(home / "first") as server:
        pusher = Pusher(server, chance)
        pusher.come_as(0)
        blobs = Blobs(server, pusher.token, chance)
        workers = [threading.Thread(target=work, daemon=True) for work in (pusher.push_until_killed, blobs.push_until_killed)]
        for worker in workers:
            worker.start()
        wait_until(lambda: pusher.problem or pusher.answers >= 3 and blobs.acknowledged, PATIENCE, "something is acknowledged",
                   pause=0.01)
        events, held = dict(pusher.acknowledged), dict(blobs.acknowledged)
        backup, data = home / "backup", home / "second" / "data"
        must(server, "backup", "--to", str(backup), "--data-dir", str(server.home / "data"), data=server.home / "data")
        server.kill()
        for worker in workers:
            worker.join()
        if pusher.problem:
            raise SystemExit(pusher.problem)
    checked = expect_damage_refused(server, backup)
    data.parent.mkdir()
    must(server, "restore", "--from", str(backup), "--data-dir", str(data), data=data)
    again = tool(server, "restore", "--from", str(backup), "--data-dir", str(data), data=data)
    if again.returncode != 1:
        raise SystemExit("a directory that is not empty is not refused")
    named = expect_all_blobs(backup, data)
    with Server(home / "second") as restored:
        pusher.server, pusher.acknowledged = restored, events
        pusher.check()
        for name, content in held.items():
            if restored.call("GET", f"/blobs/{name}", None, pusher.token, "*/*") != content:
                raise SystemExit(f"the blob {name} is not what was sent")
    return {"acknowledged": len(events), "blobs": len(held), "named": named, "damaged": checked}


def run() -> int:
    times, chance = int(sys.argv[1]), random.Random(sys.argv[2])
    sums: dict[str, int] = {}
    for _ in range(times):
        with tempfile.TemporaryDirectory(prefix="tour-server-backups-") as name:
            home = Path(name)
            (home / "first").mkdir()
            for key, count in turn(home, chance).items():
                sums[key] = sums.get(key, 0) + count
    print(json.dumps(sums))
    return 0


def main() -> int:
    if sys.argv[3:] != ["postgresql"]:
        return run()
    with Cluster() as cluster:
        os.environ[VARIABLE] = cluster.address
        return run()


if __name__ == "__main__":
    sys.exit(main())
