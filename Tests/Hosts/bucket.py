"""A real S3-compatible service on this machine, SeaweedFS: what it stores outlives its process."""
from __future__ import annotations

import contextlib
import json
import os
import random
import re
import socket
import subprocess
from pathlib import Path

from nodes import wait_until

PROGRAM = os.environ.get("S3_SERVICE") or str(Path(__file__).resolve().parents[2] / ".build" / "s3-service" / "bin" / "weed")
ACCESS, SECRET = "TOURSACCESS", "ASecretOfFortyCharactersOrSo/+=="
NAME = "tours"


def free_ports(count: int) -> list[int]:
    """Ports that are free together with those 10,000 above, which the service takes too."""
    ports: list[int] = []
    while len(ports) < count:
        port = random.randrange(20_000, 50_000)
        with contextlib.suppress(OSError), socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", port))
            other.bind(("127.0.0.1", port + 10_000))
            ports.append(port)
    return ports


class Bucket:
    """One service with one bucket."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.ports = free_ports(4)
        self.endpoint = f"http://127.0.0.1:{self.ports[0]}"
        home.mkdir()
        (home / "data").mkdir()
        (home / "s3.json").write_text(json.dumps({"identities": [{
            "name": "tours", "credentials": [{"accessKey": ACCESS, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List"]}]}))
        self.credentials = self.keys("credentials", SECRET)

    def keys(self, name: str, secret: str) -> Path:
        """A file with the access key and this secret."""
        path = self.home / name
        path.touch(0o600)
        path.write_text(f"[default]\naws_access_key_id = {ACCESS}\naws_secret_access_key = {secret}\n")
        return path

    def start(self) -> Bucket:
        s3, master, volume, filer = self.ports
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "server", "-s3", f"-dir={self.home}/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                 f"-master.port={master}", f"-volume.port={volume}", f"-filer.port={filer}", f"-s3.port={s3}",
                 f"-s3.config={self.home}/s3.json", "-s3.port.iceberg=0", "-s3.port.lance=0", "-volume.max=20",
                 "-volume.preStopSeconds=0", "-master.volumeSizeLimitMB=64", "-master.telemetry=false",
                 "-master.electionTimeout=1s", "-master.resumeState=false"],
                stdout=log, stderr=log, env={**os.environ, "HOME": str(self.home)})
        wait_until(lambda: self.ask("PUT", f"/{NAME}")[0] in (200, 409), 30, "the S3 service has its bucket")
        return self

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def ask(self, method: str, path: str) -> tuple[int, str]:
        """A request that curl signs; status 0 while nobody answers."""
        done = subprocess.run(
            ["curl", "--silent", "--aws-sigv4", "aws:amz:us-east-1:s3", "--user", f"{ACCESS}:{SECRET}", "--request", method,
             "--write-out", "\n%{http_code}", self.endpoint + path], capture_output=True, text=True, check=False)
        text, _, status = done.stdout.rpartition("\n")
        return int(status or 0), text

    def names(self, prefix: str) -> list[str]:
        status, text = self.ask("GET", f"/{NAME}?list-type=2&prefix={prefix.replace('/', '%2F')}")
        if status != 200:
            raise SystemExit(f"the bucket's list: {status} {text[:200]}")
        return re.findall(r"<Key>([^<]*)</Key>", text)
