"""Several real tour-server processes on one PostgreSQL, behind a real nginx with the file of the documentation: pushed
to and listened to, while one process after the other, or PostgreSQL, is killed. Run by the case `served-behind-nginx`;
prints one JSON object.

Usage: nginx_kills.py HOME SEED PROCESSES TIMES ADDRESS SOURCE…: in a network of its own, where nginx listens at
ADDRESS and clients come from the SOURCEs."""
from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "PythonNode"), str(ROOT / "Scripts" / "support"),
                str(ROOT / "Scripts" / "support" / "server_bench")]

from authority import Authority  # noqa: E402
from nginx import HTTPS, NAME, PORTS, Nginx, server_command  # noqa: E402
from nginx_clients import Door, Listener, Reply, Site, Writer, port_of  # noqa: E402
from nodes import wait_until  # noqa: E402
from people import Device, Tour  # noqa: E402
from postgres import Cluster  # noqa: E402

WRITERS, DEVICES_EACH = 3, 4
LISTENERS_EACH = 2  # for each process
HEARD_WITHIN = 20  # seconds, below the 30 after which a process looks without being told
BLOB_MAX, NGINX_MAX = 64 << 20, 65 << 20
REQUESTS_MAX = 5_000  # no address may send so many at once


class Process:
    """One process, as the documentation starts it."""

    def __init__(self, port: int, data: Path, database: str) -> None:
        self.port, self.log = port, data.parent / f"server-{port}.log"
        self.command = [os.environ["TOURSERVER"], *server_command(port, data, database)]

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                                            env={**os.environ, "TOUR_SERVER_LOG": "warning"})
        assert self.process.stdout
        is_ready = bool(self.process.stdout.readline())
        expect(is_ready, f"the process at {self.port} does not start: {self.log.read_text()[-300:]}")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()

    def answers(self, path: str) -> bool:
        """Asked without nginx."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
                return bool(answer.status == http.client.OK)
        except OSError:
            return False


class Log:
    """What the server holds, read through nginx, held against what the writers wrote."""

    def __init__(self, door: Door, tour: Tour, device: Device, writers: list[Writer]) -> None:
        self.door, self.tour, self.writers = door, tour, writers
        self.device = device
        self.token = door.member_token(tour, device)
        self.held: dict[str, list[str]] = {author: [] for writer in writers for author in writer.written}

    def read(self) -> None:
        """What came since: everything acknowledged by then is there once, in its author's order."""
        promised = set().union(*(list(writer.acknowledged) for writer in self.writers))
        more = True
        while more:
            after = ",".join(f"{author[:16]}:{len(ids)}" for author, ids in self.held.items())
            path = f"/groups/{self.tour.id.hex()}/events?after={after}"
            page = json.loads(self.door.call("GET", path, None, self.token))
            for row in page["messages"]:
                ids = self.held[row["senderId"]]
                expect(row["sequence"] == len(ids) + 1, f"place {row['sequence']} comes behind {len(ids)}")
                ids.append(row["localId"])
            more = page["more"]
        for writer in self.writers:
            for author, written in writer.written.items():
                ids = self.held[author]
                expect(ids == written[:len(ids)], f"the log of {author[:8]} is not as its author wrote it")
        held = {name for ids in self.held.values() for name in ids}
        expect(len(held) == sum(map(len, self.held.values())), "an event is there twice")
        lost = promised - held
        expect(not lost, f"{len(lost)} of {len(promised)} acknowledged events are lost")

    def read_anew(self) -> None:
        """All of it, when nobody writes any more: no batch is there by half."""
        self.held = {author: [] for author in self.held}
        self.token = self.door.member_token(self.tour, self.device)
        self.read()
        for writer in self.writers:
            for author, ends in writer.ends.items():
                expect(len(self.held[author]) in ends, f"half of a batch: the log of {author[:8]}")


def expect(condition: object, what: str) -> None:
    if not condition:
        raise SystemExit(what)


class Round:
    """Processes, PostgreSQL and nginx, with one tour."""

    def __init__(self, stack: ExitStack, home: Path, chance: random.Random, count: int, address: str,
                 sources: list[str]) -> None:
        self.chance, self.sources = chance, sources
        self.cluster = stack.enter_context(Cluster())
        authority, data = Authority(home / "authority"), home / "data"
        self.authority = authority.file
        self.site = Site(address, authority.file, data, self.cluster.address)
        self.processes = [Process(port, data, self.cluster.address) for port in PORTS[:count]]
        for process in self.processes:
            process.start()
            stack.callback(process.kill)
        self.nginx = Nginx(home / "nginx", authority.issue(NAME), PORTS[:count])
        self.nginx.check_all()
        stack.callback(self.nginx.stop)
        self.nginx.start(address)
        stack.callback(self.site.is_over.set)
        self.tour = Tour()
        devices = [self.tour.join() for _ in range(WRITERS * DEVICES_EACH + 1)]
        self.prober, devices = devices[0], devices[1:]
        self.door = Door(self.site, sources[0])
        self.door.make_known(self.tour)
        self.token = self.door.member_token(self.tour, self.tour.guide)
        self.push(self.tour.genesis, *self.tour.controls)
        self.writers = [Writer(self.site, sources[3 + k:3 + len(devices):WRITERS], self.tour, devices[k::WRITERS],
                               random.Random(chance.random())) for k in range(WRITERS)]
        self.listeners = [Listener(self.site, sources[1 + k % 2], self.tour, devices[-1 - k])
                          for k in range(LISTENERS_EACH * count)]
        self.log = Log(Door(self.site, sources[0]), self.tour, self.tour.guide, self.writers)
        self.kills = {"servers": 0, "postgresql": 0}
        self.broken = {f"broken by {kind}": 0 for kind in self.kills}
        self.live: list[float] = []

    def push(self, *events: Any) -> tuple[float, int]:
        """When it was sent, and which process took it."""
        body = json.dumps({"messages": [event.entry(self.tour.id) for event in events]}).encode()
        begun = time.monotonic()
        status, headers, data = self.door.ask("POST", "/messages/sync", body, self.token)
        is_taken = status == http.client.OK and not json.loads(data)["rejectedMessages"]
        expect(is_taken, f"a push: {status} {data[-300:]!r}")
        return begun, port_of(headers)

    # Before anything is killed.
    def check_requests(self) -> None:
        self.check_metrics()
        self.check_sizes()
        self.check_versions()
        self.check_addresses()
        expect(not self.nginx.complaints(), f"nginx complains of a process: {self.nginx.complaints()[:2]}")

    def check_metrics(self) -> None:
        expect(self.processes[0].answers("/metrics"), "a process does not show its metrics to its own machine")
        for path in ("/metrics", "/metrics?all", "//metrics", "/%6Detrics", "/./metrics", "/metrics/", "/x/../metrics"):
            status, _, data = self.door.ask("GET", path)
            expect(status in (403, 404) and b"# TYPE" not in data, f"{path} is answered {status}")

    def check_sizes(self) -> None:
        def send(method: str, path: str, body: bytes, more: Mapping[str, str] = {}) -> Reply:
            # Each in a connection of its own, which may end with an answer that comes before the body's end.
            door = Door(self.site, self.sources[0])
            try:
                return door.ask(method, path, body, self.token, more)
            finally:
                door.connection.close()

        def put(size: int, total: int) -> Reply:
            more = {"Content-Range": f"bytes 0-{size - 1}/{total}"}
            return send("PUT", f"/blobs/{os.urandom(32).hex()}", bytes(size), more)

        status, headers, data = put(BLOB_MAX - 1, BLOB_MAX)
        is_taken = status == http.client.ACCEPTED and headers["Upload-Offset"] == str(BLOB_MAX - 1)
        expect(is_taken, f"a large piece: {status} {data[:300]!r}")
        for size in (1 << 10, BLOB_MAX + 1):
            status, _, data = put(size, BLOB_MAX + 1)
            expect(status == 413 and b"too-large" in data, f"a blob that is too large: {status} {data[:300]!r}")
        status, _, data = send("POST", "/messages/sync", b"[" + b" " * (5 << 20) + b"]")
        expect(status == 413 and b"too-large" in data, f"a push that is too large: {status} {data[:300]!r}")
        # nginx says so itself, before the body.
        connection = Door(self.site, self.sources[0]).connection
        connection.putrequest("PUT", f"/blobs/{bytes(32).hex()}")
        connection.putheader("Content-Length", str(NGINX_MAX + 1))
        connection.endheaders()
        answer = connection.getresponse()
        expect(answer.status == 413 and b"nginx" in answer.read(), f"beyond nginx's limit: {answer.status}")
        connection.close()

    def check_versions(self) -> None:
        """HTTP/2 as well: its requests name the host in another way."""
        words = ["curl", "--silent", "--cacert", str(self.authority),
                 "--resolve", f"{NAME}:{HTTPS}:{self.site.address}",
                 "--output", "/dev/null", "--write-out", "%{http_version} %{http_code}", f"https://{NAME}/openapi.yaml"]
        done = subprocess.run([*words, "--http2"], capture_output=True, text=True, check=False)
        expect(done.stdout == "2 200", f"HTTP/2: {done.stdout} {done.stderr}")

    def check_addresses(self) -> None:
        """Whoever asks too often is refused, whatever address it makes up, and nobody else."""
        greedy, other = Door(self.site, self.sources[-1]), Door(self.site, self.sources[-2])
        for number in range(REQUESTS_MAX):
            greedy.address = f"192.0.2.{number % 250 + 1}"
            status = greedy.ask("GET", "/auth/me")[0]
            if status == http.client.TOO_MANY_REQUESTS:
                break
        expect(status == http.client.TOO_MANY_REQUESTS, f"{REQUESTS_MAX} requests of one address are answered {status}")
        status = other.ask("GET", "/auth/me")[0]
        expect(status == http.client.UNAUTHORIZED, f"another address is answered {status}")

    # Under load.
    def begin(self) -> None:
        for client in (*self.writers, *self.listeners):
            client.start()
        self.settle()

    def settle(self) -> None:
        """The server serves, each writer is answered, and each process has a listener."""
        wait_until(lambda: self.door.ask("GET", "/readyz")[0] == http.client.OK, 30, "the server is ready")
        before = {writer: writer.answers for writer in self.writers}
        wait_until(lambda: self.site.problems or all(w.answers > count for w, count in before.items()), 60,
                   "all writers are answered")
        deadline = time.monotonic() + 90
        while missing := {process.port for process in self.processes} - {l.port for l in self.listeners}:
            expect(time.monotonic() < deadline, f"nginx sends no listener to {missing}")
            ports = [listener.port for listener in self.listeners]
            fullest = max(self.listeners, key=lambda listener: ports.count(listener.port) if listener.port else 0)
            if was := fullest.port:
                fullest.move()
                with self.site.heard:
                    self.site.heard.wait_for(lambda: fullest.port != was, 5)
            with self.site.heard:
                self.site.heard.wait_for(lambda: all(listener.port for listener in self.listeners), 5)
        wait_until(lambda: all(listener.port for listener in self.listeners), 30, "all listen")

    def probe(self) -> None:
        """Listeners on other processes hear of a push."""
        event = self.prober.write(100)
        begun, port = self.push(event)
        others = [listener for listener in self.listeners if listener.port != port]
        author = event.author.hex()

        def heard(listener: Listener) -> bool:
            return listener.heads.get(author, (0, 0.0))[0] >= event.sequence

        with self.site.heard:
            self.site.heard.wait_for(lambda: all(map(heard, others)), HEARD_WITHIN)
            deaf = [listener.port for listener in others if not heard(listener)]
            expect(others and not deaf, f"pushed at {port}, not heard within {HEARD_WITHIN} s at {deaf}")
            self.live.append(max(listener.heads[author][1] for listener in others) - begun)

    def turn(self, number: int) -> None:
        is_server = number == 0 or number > 1 and self.chance.random() < 0.7
        victim: Process | Cluster = self.chance.choice(self.processes) if is_server else self.cluster
        kind = "servers" if is_server else "postgresql"
        self.kills[kind] += 1
        before = sum(writer.breaks for writer in self.writers)
        self.token = self.log.token = self.door.member_token(self.tour, self.tour.guide)
        time.sleep(self.chance.uniform(0, 0.5))
        self.site.is_whole = False
        victim.kill()
        try:
            if number == 1:
                self.ask_without_database()
            else:
                time.sleep(self.chance.uniform(0, 0.3))
        finally:
            victim.start()
        if isinstance(victim, Process):
            wait_until(lambda: port_of(self.door.ask("GET", "/healthz")[1]) == victim.port, 60,
                       f"nginx asks the process at {victim.port} again")
        else:
            # None is left out for what PostgreSQL did.
            wait_until(lambda: all(process.answers("/readyz") for process in self.processes), 30, "all are ready again")
            status, _, data = self.door.ask("GET", "/readyz")
            expect(status == http.client.OK, f"with PostgreSQL back: {status} {data[:200]!r}")
        self.settle()
        self.site.is_whole = True
        self.broken[f"broken by {kind}"] += sum(writer.breaks for writer in self.writers) - before
        self.probe()
        self.log.read()
        self.check_problems()

    def ask_without_database(self) -> None:
        """The server's own sentence comes through, however often it has to say it."""
        path = f"/groups/{self.tour.id.hex()}/frontier"
        for number in range(2 * len(self.processes) + 1):
            status, headers, data = self.door.ask("GET", path, None, self.token)
            expect(status == 503 and headers["Retry-After"] and b'"unavailable"' in data,
                   f"without PostgreSQL, {number}: {status} {data[:200]!r}")

    def check_problems(self) -> None:
        expect(not self.site.problems, "; ".join(self.site.problems[:2]))

    def end(self) -> dict[str, Any]:
        self.site.is_over.set()
        for writer in self.writers:
            writer.join(60)
            expect(not writer.is_alive(), "a writer does not end")
        self.log.read_anew()
        self.check_problems()
        return {**self.kills, **self.broken, "acknowledged": sum(len(writer.acknowledged) for writer in self.writers),
                "repeated": sum(writer.repeated for writer in self.writers),
                "refused": sum(writer.refusals for writer in self.writers), "live": self.live}


def main() -> int:
    home, seed, count, times, address, *sources = sys.argv[1:]
    with ExitStack() as stack:
        played = Round(stack, Path(home), random.Random(seed), int(count), address, sources)
        played.check_requests()
        played.begin()
        for number in range(int(times)):
            played.turn(number)
        print(json.dumps(played.end()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
