"""Measures what one client's requests cost the others: ratios of two measurements taken in turn, so that other load of
the machine affects both."""
from __future__ import annotations

import http.client
import json
import statistics
import threading
import time

from lean import Lean
from people import Device, Tour
from server import FORWARDED, Server

#: The most that each ratio may be.
BOUNDS = {"me_to_healthz": 2.0, "me_to_healthz_processor": 2.0, "push_500_listeners_to_none": 5.0,
          "groups_200_to_20": 12.0, "export_memory_to_size": 1.2,
          **{f"me_beside_{kind}_to_idle": 20.0 for kind in ("itineraries", "prints", "deltas", "logins", "backups")}}
#: The least that each ratio must be.
GOALS = {"writers_4_to_1": 2.5}


class Client:
    """A connection of its own, from an address of its own."""

    def __init__(self, server: Server, number: int) -> None:
        self.connection = http.client.HTTPConnection(
            "127.0.0.1", server.ports[number % len(server.ports)], timeout=120)
        self.address = f"10.9.{number // 250}.{number % 250 + 1}"

    def call(self, method: str, path: str, token: str = "", body: bytes | None = None) -> bytes:
        headers = {"Content-Type": "application/json", FORWARDED: self.address}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status == 429:
            time.sleep(1)
            return self.call(method, path, token, body)
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {answer.status} {data[:300]!r}")
        return data

    def timed(self, method: str, path: str, token: str = "", body: bytes | None = None) -> float:
        begun = time.perf_counter()
        self.call(method, path, token, body)
        return time.perf_counter() - begun


def plain_reads(server: Server, rounds: int) -> dict[str, float]:
    """Reads from many addresses and accounts, so that no rate is in the way: the median time, and the processor's time
    of the server, of blocks of each in turn."""
    times: dict[str, list[float]] = {"/auth/me": [], "/healthz": []}
    processor = {path: 0.0 for path in times}
    for number in range(rounds):
        server.address = f"10.5.0.{number + 1}"
        token = server.post("/auth/anonymous", b"{}")["access_token"]
        client = Lean(server, number)
        for path, all_times in times.items():
            client.call("GET", path, token)
            before = server.processor_s()
            all_times += [client.timed("GET", path, token if path == "/auth/me" else "") for _ in range(250)]
            processor[path] += server.processor_s() - before
    me, health = (statistics.median(times[path]) for path in times)
    return {"me_ms": me * 1_000, "healthz_ms": health * 1_000, "me_to_healthz": me / health,
            "me_processor_ms": processor["/auth/me"] / rounds * 4, "healthz_processor_ms": processor["/healthz"] / rounds * 4,
            "me_to_healthz_processor": processor["/auth/me"] / max(processor["/healthz"], 0.01)}


def listeners(server: Server, tour: Tour, devices: list[Device], count: int, streams: int) -> dict[str, float]:
    token, writer = server.member_token(tour, devices[1]), devices[1]

    def push(_: int) -> float:
        body = json.dumps({"messages": [writer.write(246).entry(tour.id)]}).encode()
        begun = time.perf_counter()
        server.call("POST", "/messages/sync", body, token)
        return time.perf_counter() - begun

    alone = statistics.median(push(number) for number in range(count))
    server.listen(tour, devices, streams)
    beside = statistics.median(push(number) for number in range(count))
    for stream in server.streams:
        stream.close()
    server.streams.clear()
    return {"push_ms": alone * 1_000, f"push_{streams}_listeners_ms": beside * 1_000,
            "push_500_listeners_to_none": beside / alone}


def writers(server: Server, tour: Tour, devices: list[Device], each: int) -> dict[str, float]:
    """Messages one by one, each answered before the next: a second, of one writer and of four at once. As many of each
    as its rate lets through at once."""
    def rate(some: list[Device], first: int) -> float:
        tokens = [server.member_token(tour, device) for device in some]
        bodies = [[json.dumps({"messages": [device.write(246).entry(tour.id)]}).encode() for _ in range(each)]
                  for device in some]

        def write(index: int) -> None:
            client = Lean(server, first + index)
            for body in bodies[index]:
                client.call("POST", "/messages/sync", tokens[index], body)

        threads = [threading.Thread(target=write, args=(index,)) for index in range(len(some))]
        begun = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return each * len(some) / (time.perf_counter() - begun)

    # In turn, with writers whose rates nothing has used yet.
    rates = [(rate([devices[first]], 1_000 + first), rate(devices[first + 1:first + 5], 1_100 + first)) for first in (5, 10)]
    one, four = (statistics.median(column) for column in zip(*rates))
    return {"writes_per_s_1": one, "writes_per_s_4": four, "writers_4_to_1": four / one}


def tour_lists(server: Server, small: int, large: int) -> dict[str, float]:
    """The guide's list of `small` and of `large` tours, which the server has cached by then."""
    token, times, known = server.log_in(), [], 1
    client = Client(server, 2_000)
    for count in (small, large):
        while known < count:
            server.address = f"10.2.{known // 250}.{known % 250 + 1}"
            tour = Tour()
            body = {"genesis": tour.genesis.text, "controls": [event.text for event in tour.controls],
                    **server.proof("group", tour, tour.guide)}
            server.post("/groups", json.dumps(body).encode(), token)
            known += 1
        times.append(statistics.median(client.timed("GET", "/groups", token) for _ in range(20)))
    return {f"groups_{small}_ms": times[0] * 1_000, f"groups_{large}_ms": times[1] * 1_000,
            "groups_200_to_20": times[1] / times[0]}


def fill_itineraries(client: Client, token: str, count: int, stops: int) -> None:
    for number in range(count):
        names = [f"00000000-0000-4000-{number:04x}-{stop:012x}" for stop in range(stops)]
        samples = [{"id": name, "title": f"Stop {stop}", "note": "Opens at nine. " * 8, "sync_version": 1}
                   for stop, name in enumerate(names)]
        collection = {"id": f"00000000-0000-4000-9000-{number:012x}", "title": f"Day {number}", "sync_version": 1,
                      "samples": [{"id": name, "added_at": "2026-06-01T00:00:00Z"} for name in names]}
        body = {"device": "0123456789abcdef", "kinds": [], "samples": samples, "collections": [collection]}
        client.call("POST", "/api/v1/sync/delta", token, json.dumps(body).encode())


def export(server: Server, client: Client, token: str) -> tuple[float, float]:
    """The size of an export, and the most memory that the server used meanwhile, in MB."""
    peak, is_over = [server.memory_mb()], threading.Event()

    def watch() -> None:
        while not is_over.wait(0.01):
            peak[0] = max(peak[0], server.memory_mb())

    thread = threading.Thread(target=watch)
    thread.start()
    size = len(client.call("GET", "/auth/me/export", token)) / 1_048_576
    is_over.set()
    thread.join()
    return size, peak[0]
