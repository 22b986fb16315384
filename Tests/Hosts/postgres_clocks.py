"""Processes whose clocks differ, on one database: a part of postgres_troubles.py."""
from __future__ import annotations

import hashlib
import json
import os
from contextlib import ExitStack
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

# First: it says where the others are.
from postgres_scene import HEARD_WITHIN, PORTS, Client, Found, Listener, Scene, expect
from people import Device, Tour
from postgres import Cluster
from server import ACCOUNT


def clocks(stack: ExitStack, home: Path) -> Found:
    """One process is five seconds ahead of the other: what one gives out is good at the other, and nobody misses a change."""
    ahead = {"LD_PRELOAD": os.environ["CLOCK_LIBRARY"], "CLOCK_SHIFT": "5"}
    cluster = stack.enter_context(Cluster(PORTS[0]))
    scene = Scene(stack, home, cluster.address)
    pair = scene.start(), scene.start(**ahead)
    clients = [Client(process) for process in pair]
    times = [parsedate_to_datetime(client.ask("GET", "/healthz")[1]["Date"]).timestamp() for client in clients]
    expect(times[1] - times[0] > 3, f"the clocks do not differ: {times}")
    tour, (one, two) = scene.make_tour(2)
    listeners = [Listener(process, tour, one) for process in pair]
    for here, there in (clients, clients[::-1]):
        check_proofs(here, there, tour, two)
        check_sessions(here, there)
        token = here.member_token(tour, two)
        for at in (here, there, here):
            event = two.write(100)
            at.must_push(token, tour, [event])
            for listener in listeners:
                listener.hears(event, HEARD_WITHIN)
    check_deltas(clients)
    check_blob(scene, clients, clients[1].member_token(tour, two), ahead)
    scene.end()
    return {"apart": times[1] - times[0]}


def check_proofs(here: Client, there: Client, tour: Tour, device: Device) -> None:
    """A nonce of one process is good at the other, once."""
    body = json.dumps({"groupId": tour.id.hex(), **here.proof("auth", tour, device)}).encode()
    there.call("POST", "/auth/member", body)
    for client in (here, there):
        status, _, data = client.ask("POST", "/auth/member", body)
        expect(status == 403 or status == 401, f"a nonce is good twice: {status} {data!r}")


def check_sessions(here: Client, there: Client) -> None:
    tokens = here.post("/auth/login", ACCOUNT)
    there.call("GET", "/auth/me", None, tokens["access_token"])
    renewed = there.post("/auth/refresh", json.dumps({"refresh_token": tokens["refresh_token"]}).encode())
    here.call("GET", "/auth/me", None, renewed["access_token"])
    again = here.post("/auth/refresh", json.dumps({"refresh_token": renewed["refresh_token"]}).encode())
    there.call("GET", "/auth/me", None, again["access_token"])


class Notebook:
    """A device that syncs a notebook, now with the one process and now with the other, and notes what it is told."""

    def __init__(self, name: str, clients: list[Client], token: str) -> None:
        self.name, self.clients, self.token = name, clients, token
        self.cursor = ""
        self.told: list[str] = []
        self.gone: list[str] = []

    def sync(self, at: int, **fields: Any) -> None:
        body = {"device": self.name, "kinds": ["bookmarks"], **fields}
        if self.cursor:
            body["last_sync_timestamp"] = self.cursor
        told = self.clients[at].post("/api/v1/sync/delta", json.dumps(body).encode(), self.token)
        self.cursor = told["current_server_time"]
        self.told += [row["title"] for row in told["updated_bookmarks"]]
        self.gone += told["deleted_ids"]["bookmarks"]


def check_deltas(clients: list[Client]) -> None:
    token = clients[0].log_in()
    first, second, roaming = (Notebook(name, clients, token) for name in ("first", "second", "roaming"))
    for turn in range(10):
        # First the process that is ahead, then the other.
        second.sync(1, bookmarks=[place(2 * turn + 1)])
        roaming.sync(turn % 2)
        first.sync(0, bookmarks=[place(2 * turn)])
        roaming.sync((turn + 1) % 2)
    second.sync(1, deletions=[{"kind": "bookmarks", "id": place(0)["id"], "base_version": 1}])
    first.sync(0, deletions=[{"kind": "bookmarks", "id": place(1)["id"], "base_version": 1}])
    for notebook, at in ((first, 0), (second, 1), (roaming, 0), (roaming, 1)):
        notebook.sync(at)
    everything = {place(number)["title"] for number in range(20)}
    for notebook, wanted in ((first, everything - own(first, 0)), (second, everything - own(second, 1)), (roaming, everything)):
        expect(sorted(notebook.told) == sorted(wanted), f"{notebook.name} is told {sorted(notebook.told)}")
    expect(sorted(roaming.gone) == [place(0)["id"], place(1)["id"]], f"it is told that {roaming.gone} are gone")


def own(notebook: Notebook, first: int) -> set[str]:
    """What the device has sent itself."""
    return {place(number)["title"] for number in range(first, 20, 2)} if notebook.name != "roaming" else set()


def place(number: int) -> dict[str, Any]:
    return {"id": f"00000000-0000-4000-8000-{number:012}", "title": f"place {number}", "sync_version": 1, "base_version": 0}


def check_blob(scene: Scene, clients: list[Client], token: str, ahead: dict[str, str]) -> None:
    """What arrives in pieces stays while another process, which is ahead, deletes what has expired: as each does at its
    start."""
    content = os.urandom(100_000)
    name, half = hashlib.blake2b(content, digest_size=32).hexdigest(), len(content) // 2
    for client, begin, end, status in ((clients[0], 0, half, 202), (clients[1], half, len(content), 201)):
        headers = {"Content-Range": f"bytes {begin}-{end - 1}/{len(content)}"}
        reply = client.ask("PUT", f"/blobs/{name}", content[begin:end], token, headers)
        expect(reply[0] == status, f"a piece of a blob: {reply[0]} {reply[2][:300]!r}")
        scene.start(**ahead).await_ready()
    for client in clients:
        expect(client.ask("GET", f"/blobs/{name}", None, token)[2] == content, "a blob is not as it was sent")
