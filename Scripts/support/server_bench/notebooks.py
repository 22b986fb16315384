"""Measures syncing a notebook: the first delta of 10,000 saved places, and an empty one after it, small and large."""
from __future__ import annotations

import json
import statistics
import time
import uuid
from typing import Any

from server import Server

PATH = "/api/v1/sync/delta"
FIRST, BATCH = 10_000, 10_000


def place(number: int) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "title": f"Place {number}", "url": f"geo:{number % 90}.5,{number % 180}.25",
            "note": "Opens at nine, closed on Mondays.", "source": "manual", "is_read": False, "is_favorite": False,
            "tags": ["museum"], "sync_version": 1}


class Notebook:
    """One account's notebook, and a device that has all of it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.token = server.post("/auth/anonymous", b"{}")["access_token"]
        self.cursor: str | None = None

    def sync(self, body: bytes) -> tuple[float, bytes]:
        """The time of a sync, including reading the answer, and the answer."""
        begun = time.perf_counter()
        answer = self.server.call("POST", PATH, body, self.token)
        return time.perf_counter() - begun, answer

    def fill(self, count: int) -> float:
        """Sends `count` places; returns the time in seconds, without preparing the bodies."""
        batches = [json.dumps([place(number) for number in range(start, min(start + BATCH, count))])
                   for start in range(0, count, BATCH)]
        seconds = 0.0
        for batch in batches:
            known = f'"last_sync_timestamp":"{self.cursor}",' if self.cursor else ""
            taken, answer = self.sync(f'{{{known}"bookmarks":{batch}}}'.encode())
            seconds += taken
            self.cursor = json.loads(answer)["current_server_time"]
        return seconds

    def empty(self) -> float:
        seconds, answer = self.sync(json.dumps({"last_sync_timestamp": self.cursor}).encode())
        told = json.loads(answer)
        if told["updated_bookmarks"] or told["current_server_time"] != self.cursor:
            raise SystemExit(f"an empty delta was not empty: {answer[:300]!r}")
        return seconds


def notebooks(server: Server, is_quick: bool) -> dict[str, float]:
    first = Notebook(server)
    sent = first.fill(FIRST)
    taken, answer = first.sync(b"{}")
    got = len(json.loads(answer)["updated_bookmarks"])
    if got != FIRST:
        raise SystemExit(f"{got} of {FIRST} places came back")
    small, large = Notebook(server), Notebook(server)
    small.fill(1_000)
    large.fill(10_000 if is_quick else 100_000)
    # Measured in turn, so that other load of the machine affects both.
    times = [(small.empty(), large.empty()) for _ in range(20 if is_quick else 200)]
    few, many = (statistics.median(column) * 1_000 for column in zip(*times))
    return {"first_delta_10000_sent_s": sent, "first_delta_10000_got_s": taken, "empty_delta_1000_ms": few,
            f"empty_delta_{10_000 if is_quick else 100_000}_ms": many, "empty_delta_ratio": many / few}
