"""Processes of a real tour-server on a real PostgreSQL, and clients of each: what the cases of postgres_troubles.py share."""
from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests" / "PythonNode"), str(ROOT / "Scripts" / "support"),
                str(ROOT / "Scripts" / "support" / "server_bench")]

from nodes import NodeError, wait_until  # noqa: E402
from people import Device, Signed, Tour  # noqa: E402
from server import FORWARDED, Server  # noqa: E402

NAME = "tours.example"  # of all processes together
PORTS = (5432, 5433)  # of PostgreSQL, on the loopback
PATIENCE = 60  # seconds
HEARD_WITHIN = 20  # seconds, below the 30 after which a process looks without being told

Found = dict[str, Any]


def expect(condition: object, what: str) -> None:
    if not condition:
        raise SystemExit(what)


class Process:
    """One process of the server. It is never started again: whatever happens, this one goes on."""

    def __init__(self, number: int, data: Path, database: str, *words: str, **variables: str) -> None:
        self.log = data.parent / f"server-{number}.log"
        self.variables = {**os.environ, "TOUR_SERVER_DATABASE": database, "TOUR_SERVER_LOG": "notice"}
        self.data, self.number, self.connections = data, number, 0
        command = [os.environ["TOURSERVER"], "serve", "--data-dir", str(data), "--listen", "127.0.0.1:0", "--behind-proxy",
                   "--host-name", NAME, *words]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                                            env={**self.variables, **variables})
        assert self.process.stdout
        line = self.process.stdout.readline()
        expect(line, f"the process does not start: {self.log.read_text()[-300:]}")
        self.port = int(json.loads(line)["port"])

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def readiness(self) -> int:
        return Client(self).ask("GET", "/readyz")[0]

    def await_ready(self) -> None:
        wait_until(lambda: self.readiness() == http.client.OK, PATIENCE, "the server is ready")

    def expect_unavailable(self, said: str, trouble: Callable[[], object] = lambda: None) -> None:
        """It says so to its probes and to its clients, and to its operator why. `trouble` runs before each look."""
        def is_unavailable() -> bool:
            trouble()
            return self.readiness() == http.client.SERVICE_UNAVAILABLE and said in self.said()

        try:
            wait_until(is_unavailable, PATIENCE, f"the server is not ready, and says '{said}'")
        except NodeError as error:
            raise SystemExit(f"{error}; it answers {self.readiness()}, its log: {self.said()[-500:]}") from None
        trouble()
        client = Client(self)
        client.expect_refusal(client.ask("POST", "/auth/login", b'{"email":"x@example.org","password":"wrong horse"}'))

    def end(self) -> None:
        """Nobody has restarted it, and it ends in good order."""
        expect(self.process.poll() is None, f"the process has ended by itself: {self.said()[-300:]}")
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.kill()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


Reply = tuple[int, http.client.HTTPMessage, bytes]


class Client(Server):
    """A client of one process, with an address and a connection of its own."""

    _last = 0

    def __init__(self, process: Process) -> None:
        Client._last += 1
        self.address = f"10.8.{Client._last // 250}.{Client._last % 250 + 1}"
        self.program, self.home, self.variables = os.environ["TOURSERVER"], process.data.parent, process.variables
        self.at = process
        self.connection = http.client.HTTPConnection("127.0.0.1", process.port, timeout=2 * PATIENCE)

    @property
    def host(self) -> str:
        return NAME

    def ask(self, method: str, path: str, body: bytes | None = None, token: str = "",
            more: Mapping[str, str] = {}) -> Reply:
        headers = {"Host": NAME, "Accept": "application/json", "Content-Type": "application/json", FORWARDED: self.address,
                   **more}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def call(self, method: str, path: str, body: bytes | None = None, token: str = "",
             accept: str = "application/json") -> bytes:
        status, _, data = self.ask(method, path, body, token, {"Accept": accept})
        expect(status < http.client.MULTIPLE_CHOICES, f"{method} {path}: {status} {data[:300]!r}")
        return data

    def expect_refusal(self, reply: Reply) -> None:
        """What the contract has for a server that cannot work now."""
        status, headers, data = reply
        is_told = status == http.client.SERVICE_UNAVAILABLE and json.loads(data)["error"]["code"] == "unavailable"
        expect(is_told and int(headers["Retry-After"]) > 0, f"it is answered {status} {data[:300]!r}")

    def push(self, token: str, tour: Tour, events: list[Signed]) -> Reply:
        body = json.dumps({"messages": [event.entry(tour.id) for event in events]}).encode()
        return self.ask("POST", "/messages/sync", body, token)

    def must_push(self, token: str, tour: Tour, events: list[Signed]) -> None:
        status, _, data = self.push(token, tour, events)
        expect(status == http.client.OK and not json.loads(data)["rejectedMessages"], f"a push: {status} {data[-300:]!r}")

    def held(self, tour: Tour, device: Device) -> dict[str, list[str]]:
        """The ids of all events, by their authors."""
        token = self.member_token(tour, device)
        heads = json.loads(self.call("GET", f"/groups/{tour.id.hex()}/frontier", None, token))["heads"]
        held: dict[str, list[str]] = {author: [] for author in heads}
        more = True
        while more:
            after = ",".join(f"{author[:16]}:{len(ids)}" for author, ids in held.items())
            page = json.loads(self.call("GET", f"/groups/{tour.id.hex()}/events?after={after}", None, token))
            for row in page["messages"]:
                expect(row["sequence"] == len(held[row["senderId"]]) + 1, "a log has a gap, or an event twice")
                held[row["senderId"]].append(row["localId"])
            more = page["more"]
        return held


class Listener(threading.Thread):
    """Follows `/live`, and listens again when that ends: what it heard of each author, and when."""

    def __init__(self, process: Process, tour: Tour, device: Device) -> None:
        super().__init__(daemon=True)
        self.at, self.tour, self.device = process, tour, device
        self.heads: dict[str, tuple[int, float]] = {}
        self.changed = threading.Condition()
        self.listens = self.breaks = 0
        self.is_over = threading.Event()
        self.start()
        with self.changed:
            expect(self.changed.wait_for(lambda: self.listens, PATIENCE), "nobody may listen")

    def run(self) -> None:
        while not self.is_over.is_set():
            try:
                self.follow(Client(self.at))
            except (OSError, http.client.HTTPException, SystemExit):
                self.is_over.wait(0.05)
            self.breaks += 1

    def follow(self, client: Client) -> None:
        token = client.member_token(self.tour, self.device)
        client.connection.request(
            "GET", f"/groups/{self.tour.id.hex()}/live",
            headers={"Host": NAME, "Accept": "text/event-stream", "Authorization": f"Bearer {token}",
                     FORWARDED: client.address})
        answer = client.connection.getresponse()
        expect(answer.status == http.client.OK, f"a listener is answered {answer.status}")
        while line := answer.readline():
            with self.changed:
                # The first line says that it listens.
                self.listens += line.startswith(b":")
                if line.startswith(b"data: "):
                    now = time.monotonic()
                    self.heads.update({author: (head, now) for author, head in json.loads(line[6:])["heads"].items()})
                self.changed.notify_all()

    def hears(self, event: Signed, within: float) -> float:
        """When it has heard of this event. What looks by itself does so after 30 s."""
        author = event.author.hex()
        with self.changed:
            heard = self.changed.wait_for(lambda: self.heads.get(author, (0, 0))[0] >= event.sequence, within)
            expect(heard, f"not heard within {within} s")
            return self.heads[author][1]


class Writer(threading.Thread):
    """A member that pushes its log, each batch again and again until it is acknowledged."""

    def __init__(self, process: Process, tour: Tour, device: Device) -> None:
        super().__init__(daemon=True)
        self.at, self.tour, self.device = process, tour, device
        self.acknowledged: list[str] = []
        self.times: list[float] = []
        self.refusals = self.breaks = 0
        self.problem = ""
        self.is_over = threading.Event()
        self.start()

    def run(self) -> None:
        try:
            client = Client(self.at)
            token = client.member_token(self.tour, self.device)
            batch: list[Signed] = []
            while not self.is_over.is_set():
                batch = batch or [self.device.write(200) for _ in range(3)]
                status, headers, data = client.push(token, self.tour, batch)
                if status == http.client.SERVICE_UNAVAILABLE:
                    client.expect_refusal((status, headers, data))
                    self.refusals += 1
                    self.is_over.wait(0.05)
                elif status == http.client.TOO_MANY_REQUESTS:
                    self.is_over.wait(0.1)
                else:
                    expect(status == http.client.OK and not json.loads(data)["rejectedMessages"],
                           f"a push: {status} {data[-300:]!r}")
                    self.acknowledged += [event.id.hex() for event in batch]
                    self.times.append(time.monotonic())
                    batch = []
        except BaseException as error:
            self.problem = repr(error)

    def await_answers(self, count: int) -> None:
        """So many more than now."""
        before = len(self.times)
        wait_until(lambda: self.problem or len(self.times) >= before + count, PATIENCE, "a writer is answered")
        expect(not self.problem, self.problem)

    def end(self) -> None:
        self.is_over.set()
        self.join(PATIENCE)
        expect(not self.is_alive() and not self.problem, self.problem or "a writer does not end")


class Scene:
    """Processes that share a database, and a tour with its members."""

    def __init__(self, stack: ExitStack, home: Path, database: str, *words: str) -> None:
        self.stack, self.data, self.database, self.words = stack, home / "data", database, words
        self.processes: list[Process] = []
        self.account = ""

    def start(self, **variables: str) -> Process:
        process = Process(len(self.processes) + 1, self.data, self.database, *self.words, **variables)
        self.stack.callback(process.kill)
        self.processes.append(process)
        return process

    def make_tour(self, members: int) -> tuple[Tour, list[Device]]:
        client, tour = Client(self.processes[0]), Tour()
        devices = [tour.join() for _ in range(members)]
        if self.account:
            body = {"genesis": tour.genesis.text, "controls": [event.text for event in tour.controls],
                    **client.proof("group", tour, tour.guide)}
            client.post("/groups", json.dumps(body).encode(), self.account)
        else:
            client.make_known(tour)
            self.account = client.log_in()
        client.must_push(client.member_token(tour, tour.guide), tour, [tour.genesis, *tour.controls])
        return tour, devices

    def refused_start(self) -> str:
        """What one more process says, which cannot start."""
        done = subprocess.run(
            [os.environ["TOURSERVER"], "serve", "--data-dir", str(self.data), "--listen", "127.0.0.1:0", *self.words],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=PATIENCE,
            env={**os.environ, "TOUR_SERVER_DATABASE": self.database})
        expect(done.returncode > 0, f"it ended with {done.returncode}")
        return done.stderr

    def end(self) -> None:
        for process in self.processes:
            process.end()
