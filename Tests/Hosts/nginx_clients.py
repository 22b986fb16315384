"""Clients that reach a server's processes through nginx: one that asks, one that pushes, one that listens."""
from __future__ import annotations

import http.client
import json
import os
import random
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from nginx import HTTPS, NAME, UPSTREAM
from people import Device, Signed, Tour
from server import FORWARDED, Server

BROKEN = {502, 503, 504}
LISTENS_FOR = 14 * 60  # seconds: the server ends what listens a minute longer, and its token


class Site:
    """Where the clients find nginx, and what they know of the disorder there."""

    def __init__(self, address: str, authority: Path, data: Path, database: str) -> None:
        self.address, self.home = address, data.parent
        self.trust = ssl.create_default_context(cafile=str(authority))
        self.variables = {**os.environ, "TOUR_SERVER_DATABASE": database}
        self.is_over = threading.Event()
        self.is_whole = True
        self.problems: list[str] = []
        self.heard = threading.Condition()

    def note_break(self, what: str) -> None:
        if self.is_whole and not self.is_over.is_set():
            self.problems.append(f"while nothing was killed: {what}")


class Connection(http.client.HTTPSConnection):
    def __init__(self, site: Site, source: str) -> None:
        super().__init__(NAME, HTTPS, timeout=60, context=site.trust)
        self.site, self.source = site, source

    def connect(self) -> None:
        plain = socket.create_connection((self.site.address, HTTPS), self.timeout, (self.source, 0))
        self.sock = self.site.trust.wrap_socket(plain, server_hostname=NAME)


Reply = tuple[int, http.client.HTTPMessage, bytes]


class Door(Server):
    """A client with an address and a connection of its own, through nginx."""

    def __init__(self, site: Site, source: str) -> None:
        self.site, self.home, self.variables = site, site.home, site.variables
        self.program = os.environ["TOURSERVER"]
        # It makes up another address, which must not count.
        self.address = "192.0.2.1"
        self.connection = Connection(site, source)

    @property
    def host(self) -> str:
        return NAME

    def ask(self, method: str, path: str, body: bytes | None = None, token: str = "",
            more: Mapping[str, str] = {}) -> Reply:
        headers = {"Accept": "application/json", "Content-Type": "application/json", FORWARDED: self.address, **more}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        try:
            self.connection.request(method, path, body, headers)
            answer = self.connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def call(self, method: str, path: str, body: bytes | None = None, token: str = "",
             accept: str = "application/json") -> bytes:
        status, _, data = self.ask(method, path, body, token, {"Accept": accept})
        if status >= http.client.MULTIPLE_CHOICES:
            raise SystemExit(f"{method} {path}: {status} {data[:300]!r}")
        return data


def port_of(headers: http.client.HTTPMessage) -> int:
    """The process that answered: the last one that nginx asked."""
    last = (headers[UPSTREAM] or "").split(",")[-1].strip()
    return int(last.rpartition(":")[2]) if last.rpartition(":")[2].isdecimal() else 0


class Writer(threading.Thread):
    """Some devices that push their logs, each batch again and again until it is answered, and by turns each with an
    address of its own, so that they push more than the rate of one lets through."""

    def __init__(self, site: Site, sources: list[str], tour: Tour, devices: list[Device],
                 chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.site, self.tour, self.devices, self.chance = site, tour, devices, chance
        self.doors = [Door(site, source) for source in sources]
        self.tokens = [door.member_token(tour, device) for door, device in zip(self.doors, devices, strict=True)]
        self.turn = self.refusals = 0
        self.written: dict[str, list[str]] = {device.id.hex(): [] for device in devices}
        self.ends: dict[str, set[int]] = {device.id.hex(): {0} for device in devices}
        self.acknowledged: set[str] = set()
        self.answers = self.breaks = self.repeated = 0

    def run(self) -> None:
        try:
            while not self.site.is_over.is_set():
                batch = self.next_batch()
                body = json.dumps({"messages": [event.entry(self.tour.id) for event in batch]}).encode()
                while not self.push(batch, body):
                    pass
        except BaseException as error:  # the main thread says it
            self.site.problems.append(f"a writer ended: {error!r}")

    def next_batch(self) -> list[Signed]:
        device = self.chance.choice(self.devices)
        batch = [device.write(self.chance.randrange(50, 400)) for _ in range(self.chance.choice([1, 1, 5, 20]))]
        self.written[device.id.hex()] += [event.id.hex() for event in batch]
        self.ends[device.id.hex()].add(batch[-1].sequence)
        return batch

    def push(self, batch: list[Signed], body: bytes) -> bool:
        """Whether the batch is done with."""
        self.turn = (self.turn + 1) % len(self.doors)
        door, token = self.doors[self.turn], self.tokens[self.turn]
        try:
            status, _, data = door.ask("POST", "/messages/sync", body, token)
        except (OSError, http.client.HTTPException) as error:
            return self.broken(repr(error))
        if status in BROKEN:
            return self.broken(f"{status} {data[:200]!r}")
        if status == http.client.TOO_MANY_REQUESTS:
            self.refusals += 1
            return self.site.is_over.wait(0.1)
        if status == http.client.UNAUTHORIZED:
            self.tokens[self.turn] = door.member_token(self.tour, self.devices[self.turn])
            return False
        answer = json.loads(data) if status == http.client.OK else {}
        if status != http.client.OK or answer["rejectedMessages"]:
            raise AssertionError(f"a push is refused: {status} {data[-300:]!r}")
        self.repeated += sum(entry["status"] == "duplicate" for entry in answer["syncedMessages"])
        self.acknowledged.update(event.id.hex() for event in batch)
        self.answers += 1
        return True

    def broken(self, what: str) -> bool:
        self.breaks += 1
        self.site.note_break(f"a push broke: {what}")
        # Whoever is broken asks again a little later; when all is over, its last batch is not acknowledged.
        return self.site.is_over.wait(0.05)


class Listener(threading.Thread):
    """Follows `/live`, and says when it heard of each head and by which process."""

    def __init__(self, site: Site, source: str, tour: Tour, device: Device) -> None:
        super().__init__(daemon=True)
        self.site, self.source, self.tour, self.device = site, source, tour, device
        self.port = 0
        self.heads: dict[str, tuple[int, float]] = {}
        self._sock: socket.socket | None = None
        self._moves = False

    def run(self) -> None:
        while not self.site.is_over.is_set():
            door, what, begun = Door(self.site, self.source), "it ended", time.monotonic()
            try:
                self.follow(door.connection, door.member_token(self.tour, self.device))
            except (OSError, ValueError, http.client.HTTPException, SystemExit) as error:
                what = repr(error)
            door.connection.close()
            with self.site.heard:
                self.port, moves, self._moves = 0, self._moves, False
                self.site.heard.notify_all()
            if not moves and time.monotonic() - begun < LISTENS_FOR:
                self.site.note_break(f"a listener broke: {what}")
                self.site.is_over.wait(0.05)

    def follow(self, connection: http.client.HTTPSConnection, token: str) -> None:
        connection.request("GET", f"/groups/{self.tour.id.hex()}/live",
                           headers={"Accept": "text/event-stream", "Authorization": f"Bearer {token}"})
        self._sock = connection.sock
        answer = connection.getresponse()
        if answer.status != http.client.OK:
            raise OSError(f"a listener is answered {answer.status} {answer.read()[:200]!r}")
        with self.site.heard:
            self.port = port_of(answer.headers)
            self.site.heard.notify_all()
        while line := answer.readline():
            if line.startswith(b"data: "):
                self.hear(json.loads(line[6:])["heads"])

    def hear(self, heads: dict[str, int]) -> None:
        now = time.monotonic()
        with self.site.heard:
            self.heads.update({author: (head, now) for author, head in heads.items()})
            self.site.heard.notify_all()

    def move(self) -> None:
        """Asks nginx for a process again."""
        self._moves = True
        if self._sock:
            # The socket's own: that of TLS would forget that it is one.
            socket.socket.shutdown(self._sock, socket.SHUT_RDWR)
