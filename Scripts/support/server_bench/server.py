"""A real tour-server in a directory of its own, and a client that keeps one connection."""
from __future__ import annotations

import base64
import http.client
import json
import os
import re
import socket
import subprocess
from pathlib import Path
from typing import Any

from people import Device, Tour
from postgres import environment
from wire import H, pb

# The bench plays many clients on one machine: each names its address, as a proxy would.
FORWARDED = "X-Forwarded-For"
EMAIL = "guide@example.org"
ACCOUNT = json.dumps({"email": EMAIL, "password": "correct horse"}).encode()


class Server:
    """One process, or several that share a PostgreSQL database: these are asked in turn by the clients' numbers."""

    def __init__(self, home: Path, processes: int = 1) -> None:
        self.program = os.environ["TOURSERVER"]
        self.home = home
        self.variables = {**os.environ, **environment(home / "data")}
        self.streams: list[socket.socket] = []
        self.address = "10.0.0.1"
        self.processes = processes

    def start(self) -> Server:
        self.all = [subprocess.Popen(
            [self.program, "serve", "--data-dir", str(self.home / "data"), "--listen", "127.0.0.1:0", "--behind-proxy"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**self.variables, "TOUR_SERVER_LOG": "error"})
            for _ in range(self.processes)]
        self.process = self.all[0]
        self.ports = [json.loads(process.stdout.readline())["port"] for process in self.all if process.stdout]
        self.port = self.ports[0]
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        return self

    def kill(self) -> None:
        """Ends the process as a power cut would; what it has written stays."""
        for process in self.all:
            process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()
        self.connection.close()

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        for stream in self.streams:
            stream.close()
        self.connection.close()
        for process in self.all:
            process.terminate()
        for process in self.all:
            process.wait(timeout=30)

    def call(self, method: str, path: str, body: bytes | None = None, token: str = "",
             accept: str = "application/json") -> bytes:
        headers = {"Accept": accept, "Content-Type": "application/json", FORWARDED: self.address}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise SystemExit(f"{method} {path}: {answer.status} {data[:300]!r}")
        return data

    def post(self, path: str, body: bytes, token: str = "") -> Any:
        return json.loads(self.call("POST", path, body, token))

    @property
    def host(self) -> str:
        """What its clients name it."""
        return f"127.0.0.1:{self.port}"

    def proof(self, purpose: str, tour: Tour, device: Device) -> dict[str, str]:
        nonce = self.post("/auth/member/nonce", b"{}")["nonce"]
        digest = H("mailbox", purpose.encode(), tour.id, device.id, self.host.encode(), nonce.encode())
        return {"memberId": device.id.hex(), "nonce": nonce,
                "signature": base64.b64encode(device.identity.sign(digest)).decode()}

    def log_in(self) -> str:
        return str(self.post("/auth/login", ACCOUNT)["access_token"])

    def make_known(self, tour: Tour, role: str = "guide") -> None:
        self.post("/auth/signup", ACCOUNT)
        subprocess.run([self.program, "user", "role", EMAIL, role, "--vouch", "--data-dir", str(self.home / "data")], check=True,
                       stdout=subprocess.DEVNULL, env=self.variables)
        token = self.log_in()
        body = {"genesis": tour.genesis.text, "controls": [event.text for event in tour.controls],
                **self.proof("group", tour, tour.guide)}
        self.post("/groups", json.dumps(body).encode(), token)

    def member_token(self, tour: Tour, device: Device) -> str:
        body = {"groupId": tour.id.hex(), **self.proof("auth", tour, device)}
        return str(self.post("/auth/member", json.dumps(body).encode())["access_token"])

    def events(self, tour: Tour, token: str, after: str) -> tuple[list[tuple[str, int, int]], bool]:
        """The author, first sequence and size of each run, and whether more follow."""
        path = f"/groups/{tour.id.hex()}/events" + (f"?after={after}" if after else "")
        answer = pb.MailboxEvents.FromString(self.call("GET", path, None, token, "application/x-protobuf"))
        return [(run.author.hex()[:16], run.first, len(run.events)) for run in answer.runs], answer.more

    def listen(self, tour: Tour, devices: list[Device], count: int) -> int:
        """Opens `count` streams, of several members and addresses."""
        tokens = [self.member_token(tour, device) for device in devices]
        for number in range(count):
            stream = socket.create_connection(("127.0.0.1", self.ports[number % len(self.ports)]), timeout=10)
            self.streams.append(stream)
            stream.sendall((f"GET /groups/{tour.id.hex()}/live HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                            f"{FORWARDED}: 10.1.{number // 250}.{number % 250 + 1}\r\n"
                            f"Authorization: Bearer {tokens[number % len(tokens)]}\r\n\r\n").encode())
            answer = stream.recv(4_096)
            if b" 200 " not in answer.split(b"\r\n", 1)[0]:
                raise SystemExit(f"stream {number}: {answer[:200]!r}")
        return count

    def memory_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def processor_s(self) -> float:
        """The processor's time that all of its processes have used."""
        fields = [Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split() for process in self.all]
        return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")
