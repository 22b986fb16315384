"""Another client's `/auth/me` beside the heaviest requests that the server allows, kind by kind."""
from __future__ import annotations

import json
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fairness import Client, export, fill_itineraries
from lean import Lean
from notebooks import place
from server import Server

#: How many clients ask for each at once.
AT_ONCE = 6
#: A round of one of them.
Work = Callable[[int], None]


class Heavy:
    """An account with much in it, and what its clients ask for."""

    def __init__(self, server: Server, itineraries: int, places: int) -> None:
        self.server, self.places = server, places
        self.token = server.post("/auth/anonymous", b"{}")["access_token"]
        client = Client(server, 3_000)
        fill_itineraries(client, self.token, itineraries, 100)
        note = {"title": "Days", "content": "Opens at nine, closed on Mondays. " * 1_500}
        self.note = json.loads(client.call("POST", "/notes", self.token, json.dumps(note).encode()))["id"]
        self.clients = [Client(server, 3_500 + number) for number in range(AT_ONCE)]
        self.count = 0

    def itineraries(self, number: int) -> None:
        self.clients[number].call("GET", "/collections", self.token)

    def prints(self, number: int) -> None:
        if number < 2:  # further ones of an account are refused
            self.clients[number].call("GET", f"/notes/{self.note}/pdf", self.token)

    def deltas(self, number: int) -> None:
        body = json.dumps({"bookmarks": [place(index) for index in range(self.places)]}).encode()
        self.clients[number].call("POST", "/api/v1/sync/delta", self.token, body)

    def logins(self, number: int) -> None:
        self.count += 1
        client = self.clients[number]
        client.address = f"10.7.{number}.{self.count % 250 + 1}"
        body = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse"}
        client.call("POST", "/auth/signup", "", json.dumps(body).encode())

    def backups(self, number: int) -> None:
        if number > 0:
            time.sleep(0.1)
            return
        with tempfile.TemporaryDirectory(dir=self.server.home) as folder:
            subprocess.run([self.server.program, "backup", "--data-dir", str(self.server.home / "data"), "--to", folder],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.server.variables)

    @property
    def kinds(self) -> dict[str, Work]:
        return {"itineraries": self.itineraries, "prints": self.prints, "deltas": self.deltas, "logins": self.logins,
                "backups": self.backups}


@contextmanager
def beside(work: Work) -> Iterator[None]:
    """Runs rounds of the work in threads until the block ends."""
    stop, begun = threading.Event(), threading.Semaphore(0)

    def repeat(number: int) -> None:
        begun.release()
        while not stop.is_set():
            work(number)
            if stop.wait(0.001):
                return

    threads = [threading.Thread(target=repeat, args=(number,), daemon=True) for number in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for _ in threads:
        begun.acquire()
    time.sleep(0.5)  # lets the first requests reach their costly part
    yield
    stop.set()
    for thread in threads:
        thread.join()


def heavy(server: Server, itineraries: int, places: int, count: int) -> dict[str, float]:
    """The slowest hundredth of `/auth/me`, idle and beside each kind."""
    load = Heavy(server, itineraries, places)
    number = 0

    def p99() -> float:
        # An account and addresses of its own, so that no rate is in the way.
        nonlocal number
        number += 1
        server.address = f"10.6.0.{number}"
        token = server.post("/auth/anonymous", b"{}")["access_token"]
        client = Lean(server, 4_000 + number)
        times = sorted(client.timed("GET", "/auth/me", token) for _ in range(count))
        return times[int(len(times) * 0.99)]

    figures = {"me_idle_p99_ms": p99() * 1_000}
    for kind, work in load.kinds.items():
        with beside(work):
            figures[f"me_beside_{kind}_p99_ms"] = p99() * 1_000
    # Idle once more: what else the machine did meanwhile affects both.
    idle = max(figures["me_idle_p99_ms"], p99() * 1_000)
    figures["me_idle_p99_ms"] = idle
    for kind in load.kinds:
        figures[f"me_beside_{kind}_to_idle"] = figures[f"me_beside_{kind}_p99_ms"] / idle
    before = server.memory_mb()
    size, peak = export(server, Client(server, 3_600), load.token)
    return {**figures, "export_mb": size, "export_memory_mb": max(peak - before, 0),
            "export_memory_to_size": max(peak - before, 0) / size}
