"""Measures how soon a call for help reaches the guide. Called by Scripts/bench, which explains the options."""
from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import queue
import socket
import sys
import threading
import time
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SUPPORT), str(SUPPORT.parents[1] / "Tests" / "Hosts")]

import lab  # noqa: E402
from nodes import Node, NodeError, all_know_all, make_tour, wait_until  # noqa: E402

# Seven share one network with the guide; the last one is behind the seventh, two hops away.
LAYOUT = [(0,)] * 6 + [(0, 1), (1,)]
NEAR, FAR = 1, 7
RATE = "20mbit"
FILE_BYTES = 5_000_000
PAUSE = 0.1
# Until the last copy of the call before has come: it has the same size.
LOST_PAUSE = 0.6
TRIES_MAX = 3
# An alarm of so many characters has a size of its own among what a member sends: IP packets of rows and beacons are
# shorter than these, those of files longer.
WORDS = 200
ALARM_PACKETS = (560, 600)
LOST = "its datagram lost"
GOALS = {"idle": 150.0, "beside a file": 250.0, LOST: 100.0}


class LocalConnection(http.client.HTTPConnection):
    """A connection to the node's local API, such as its page and its commands use."""

    def __init__(self, node: Node) -> None:
        super().__init__("localhost", timeout=60)
        self._path = str(node.data / "node.sock")

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


class Watch:
    """Acts as the guide's page: receives an alarm, and requests what its banner shows."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self.seen: queue.Queue[tuple[str, float]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream, ask = LocalConnection(self._node), LocalConnection(self._node)
        stream.request("GET", "/v1/tours/-/events?limit=1", headers={"Accept": "text/event-stream"})
        event = ""
        for line in stream.getresponse():
            if line.startswith(b"event:"):
                event = line[6:].strip().decode()
            if event != "messages" or not line.startswith(b"data:"):
                continue
            for message in json.loads(line[5:])["messages"]:
                if message["type"] != "alarm":
                    continue
                ask.request("GET", "/v1/tours/-/alarms")
                alarms = json.loads(ask.getresponse().read())["alarms"]
                if any(one["id"] == message["id"] and one["open"] for one in alarms):
                    self.seen.put((str(message["content"]), time.monotonic()))


class Trap:
    """Loses one datagram on the way to a host: the next that may be an alarm of the member at this address."""

    def __init__(self, host: lab.Host, address: str) -> None:
        self._inside = ("ip", "netns", "exec", host.namespace, "nft")
        self._rule = (f"ip saddr {address} meta l4proto udp meta length {ALARM_PACKETS[0]}-{ALARM_PACKETS[1]} "
                      "limit rate 1/day burst 1 packets counter drop")
        lab.run(*self._inside, "--file", "-",
                stdin="table inet trap {\nchain in {\ntype filter hook prerouting priority -300\n}\n}\n")

    def set(self) -> None:
        lab.run(*self._inside, "--file", "-",
                stdin=f"flush chain inet trap in\nadd rule inet trap in {self._rule}\n")

    @property
    def is_sprung(self) -> bool:
        listed = json.loads(lab.run(*self._inside, "--json", "list", "chain", "inet", "trap", "in"))
        return any(part["counter"]["packets"] for row in listed["nftables"] if "rule" in row
                   for part in row["rule"]["expr"] if "counter" in part)


def call(connection: LocalConnection, watch: Watch, words: str) -> float:
    """Milliseconds from the call until the guide's page has everything that its banner shows."""
    begun = time.monotonic()
    connection.request("POST", "/v1/tours/-/alarms", json.dumps({"text": words}), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    if answer.status != 200:
        raise NodeError(f"the alarm was refused: {answer.read()[:200]!r}")
    answer.read()
    while True:
        text, there = watch.seen.get(timeout=30)
        if text == words:
            return (there - begun) * 1e3


def lost_call(connection: LocalConnection, watch: Watch, trap: Trap, words: str) -> float | None:
    """The same where the first datagram does not reach the guide; nothing where it came by another way."""
    trap.set()
    wait = call(connection, watch, words.ljust(WORDS, "."))
    return wait if trap.is_sprung else None


def calls(nodes: list[Node], index: int, watch: Watch, count: int, name: str) -> list[float]:
    connection = LocalConnection(nodes[index])
    waits = []
    for number in range(count):
        waits.append(call(connection, watch, f"{name} {number}"))
        time.sleep(PAUSE)
    return waits


def beside_files(place: lab.Lab, nodes: list[Node], watch: Watch, index: int, count: int, name: str,
                 trap: Trap | None = None) -> list[float]:
    """The guide sends files of 5 MB, one after the other, over a link of 20 Mbit/s, until `count` calls were made."""
    waits: list[float] = []
    connection, tries = LocalConnection(nodes[index]), 0
    while len(waits) < count:
        source = place.home / f"{name}-{tries}.bin"
        source.write_bytes(os.urandom(FILE_BYTES))
        sent = str(nodes[0].must("send", "--file", str(source)).first["id"])

        def is_there() -> bool:
            return any(row["id"] == sent and row["complete"] for row in nodes[FAR].must("files").lines)

        done = threading.Event()
        waiting = threading.Thread(target=lambda: (wait_until(is_there, 120, "the file is there", 0.2), done.set()))
        waiting.start()
        while not done.is_set() and len(waits) < count:
            tries += 1
            words = f"{name} {tries}"
            wait = lost_call(connection, watch, trap, words) if trap else call(connection, watch, words)
            waits += [] if wait is None else [wait]
            if tries > TRIES_MAX * count:
                raise NodeError(f"only {len(waits)} of {tries} alarms lost their datagram: is {ALARM_PACKETS} right?")
            time.sleep(LOST_PAUSE if trap else PAUSE)
        waiting.join()
    return waits


def share(waits: list[float], part: float) -> float:
    ordered = sorted(waits)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def measure(count: int) -> dict[str, list[float]]:
    with lab.Lab(LAYOUT) as place:
        lab.as_a_wire(place.hosts[0].namespace, "eth0", RATE)
        nodes = [host.node(f"member{k}" if k else "guide").start() for k, host in enumerate(place.hosts)]
        make_tour(nodes, "Bench")
        all_know_all(nodes, 90)
        time.sleep(3)  # lets joining finish
        watch = Watch(nodes[0])
        call(LocalConnection(nodes[NEAR]), watch, "first")
        found = {}
        for hops, index in ((1, NEAR), (2, FAR)):
            found[f"idle, {hops} hop{'s' * (hops > 1)}"] = calls(nodes, index, watch, count, f"idle {hops}")
        for hops, index in ((1, NEAR), (2, FAR)):
            found[f"beside a file, {hops} hop{'s' * (hops > 1)}"] = beside_files(
                place, nodes, watch, index, count, f"beside {hops}")
        trap = Trap(place.hosts[0], place.hosts[NEAR].address())
        found[f"beside a file, 1 hop, {LOST}"] = beside_files(place, nodes, watch, NEAR, count, "lost", trap)
        return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="Scripts/bench alarm")
    parser.add_argument("--quick", action="store_true", help="ten calls each: tries the bench")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    options = parser.parse_args()
    if reason := lab.why_impossible():
        print(f"no lab can be made here: {reason}", file=sys.stderr)
        return 1
    lab.enter_private_space()
    machine = f"{os.cpu_count()} cores, Linux {platform.release()}; load {os.getloadavg()[0]:.1f} at the start"
    found = measure(10 if options.quick else 100)
    figures = {name: {"p50_ms": share(waits, 0.5), "p99_ms": share(waits, 0.99), "max_ms": max(waits),
                      "calls": len(waits)} for name, waits in found.items()}
    if options.json:
        print(json.dumps({"machine": machine, "quick": options.quick, "figures": figures}))
        return 0
    print(f"{machine}; 8 members{'; QUICK, not for figures' if options.quick else ''}")
    print(f"{'a call for help until the guide has it':40} {'p50':>8} {'p99':>8} {'max':>8} ms   goal")
    for name, row in figures.items():
        goal = GOALS[LOST if name.endswith(LOST) else name.split(",")[0]]
        verdict = "met" if row["p99_ms"] <= goal else "MISSED"
        print(f"{name:40} {row['p50_ms']:8.1f} {row['p99_ms']:8.1f} {row['max_ms']:8.1f}      <= {goal:g}: {verdict}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
