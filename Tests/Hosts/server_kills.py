"""Pushes into a real tour-server that is killed again and again while it works, and holds what it has against what it
said. Run by the case `killed-while-pushed-to`; prints one JSON object. Protocol/09-mailbox.md.

Usage: server_kills.py TIMES SEED [postgresql]: on a PostgreSQL of its own, which is killed in turn with the server."""
from __future__ import annotations

import base64
import http.client
import json
import os
import random
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "PythonNode"), str(ROOT / "Scripts" / "support"),
                str(ROOT / "Scripts" / "support" / "server_bench")]

from people import Device, Signed, Tour  # noqa: E402
from postgres import VARIABLE, Cluster  # noqa: E402
from server import Server  # noqa: E402

Batch = list[Signed]
DEVICES_MAX = 40  # all authors are asked for in one request
DEVICES = 20  # take turns, so that nobody's rate is in the way


class Pusher:
    """Some devices that push their logs, each batch again and again until it is answered."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        self.server, self.chance = server, chance
        self.tour = Tour()
        self.devices = [self.tour.join() for _ in range(DEVICES)]
        server.make_known(self.tour)
        self.token = ""
        self.waiting: Batch = []
        self.acknowledged: dict[bytes, bytes] = {}  # id: exact bytes
        self.ends: dict[str, set[int]] = {}  # of each author the sequences with which a batch ended
        self.made: dict[str, bytes] = {}
        self.guide_log = [self.tour.genesis, *self.tour.controls]
        self.answers = self.breaks = self.repeated = 0
        self.problem = ""
        self.waiting = self.noted(self.guide_log)

    def noted(self, batch: Batch) -> Batch:
        for event in batch:
            self.made[event.id.hex()] = event.exact
        for author in {event.author for event in batch}:
            last = max(event.sequence for event in batch if event.author == author)
            self.ends.setdefault(author.hex(), {0}).add(last)
        return batch

    def next_batch(self) -> Batch:
        """Runs of one or two devices; now and then somebody joins."""
        if len(self.devices) < DEVICES_MAX and self.chance.random() < 0.1:
            self.devices.append(self.tour.join())
            return self.noted([self.tour.controls[-1]])
        batch: Batch = []
        for device in self.chance.sample(self.devices, self.chance.choice([1, 1, 2])):
            batch += [device.write(self.chance.randrange(50, 500)) for _ in range(self.chance.choice([1, 10, 200]))]
        return self.noted(batch)

    def come_as(self, turn: int) -> None:
        """Another member and address each turn, so that no rate is in the way."""
        self.server.address = f"10.0.{turn // 250}.{turn % 250 + 1}"
        self.token = self.server.member_token(self.tour, self.devices[turn % DEVICES])

    def push_until_killed(self) -> None:
        try:
            while not self.problem:
                self.waiting = self.waiting or self.next_batch()
                body = json.dumps({"messages": [event.entry(self.tour.id) for event in self.waiting]}).encode()
                answer = self.server.post("/messages/sync", body, self.token)
                if answer["rejectedMessages"]:
                    self.problem = f"refused: {answer['rejectedMessages'][:3]}"
                    return
                self.repeated += sum(entry["status"] == "duplicate" for entry in answer["syncedMessages"])
                self.acknowledged.update((event.id, event.exact) for event in self.waiting)
                self.waiting = []
                self.answers += 1
        except (OSError, http.client.HTTPException):
            self.breaks += 1
        except SystemExit as problem:
            if ": 503 " in str(problem):  # its database is away
                self.breaks += 1
            else:
                self.problem = str(problem)

    def check(self) -> None:
        """Whatever was acknowledged is there as it was; each log is whole, and ends where a batch ended."""
        if self.problem:
            raise SystemExit(self.problem)
        held: dict[str, list[dict[str, Any]]] = {}
        more = True
        while more:
            after = ",".join(f"{author.hex()[:16]}:{len(held.get(author.hex(), []))}" for author in self.authors)
            path = f"/groups/{self.tour.id.hex()}/events?after={after}"
            page = json.loads(self.server.call("GET", path, None, self.token))
            for row in page["messages"]:
                held.setdefault(row["senderId"], []).append(row)
            more = page["more"]
        rows = [row for log in held.values() for row in log]
        for author, log in held.items():
            if [row["sequence"] for row in log] != list(range(1, len(log) + 1)):
                raise SystemExit(f"the log of {author[:8]} has a gap or an event twice")
            if len(log) not in self.ends[author]:
                raise SystemExit(f"half of a batch: the log of {author[:8]} ends at {len(log)}")
        by_id = {row["localId"]: base64.b64decode(row["sealed"]) for row in rows}
        if len(by_id) != len(rows):
            raise SystemExit("an event is there twice")
        if any(self.made.get(name) != exact for name, exact in by_id.items()):
            raise SystemExit("an event is there that nobody wrote")
        lost = [name.hex() for name in self.acknowledged if name.hex() not in by_id]
        if lost:
            raise SystemExit(f"{len(lost)} of {len(self.acknowledged)} acknowledged events are lost: {lost[:2]}")

    @property
    def authors(self) -> list[bytes]:
        return [self.tour.guide.id, *(device.id for device in self.devices)]


def main() -> int:
    if sys.argv[3:] != ["postgresql"]:
        return run(None)
    with Cluster() as cluster:
        os.environ[VARIABLE] = cluster.address
        return run(cluster)


def run(cluster: Cluster | None) -> int:
    times, seed = int(sys.argv[1]), sys.argv[2]
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="tour-server-kills-") as name, Server(Path(name)) as server:
        pusher = Pusher(server, chance)
        for turn in range(times):
            pusher.come_as(turn)
            worker = threading.Thread(target=pusher.push_until_killed)
            worker.start()
            time.sleep(chance.uniform(0, 0.3))
            if cluster and turn % 2:
                cluster.stop()
                cluster.start()
                # It goes on by itself; its pusher may not have noticed anything.
                time.sleep(chance.uniform(0, 0.3))
            server.kill()
            worker.join()
            server.start()
            pusher.check()
        print(json.dumps({"kills": times, "acknowledged": len(pusher.acknowledged), "batches": pusher.answers,
                          "broken": pusher.breaks, "repeated": pusher.repeated}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
