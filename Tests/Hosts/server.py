"""A real server on a host of the lab."""
from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

from cases import Unavailable
from lab import Host
from nodes import cpu_seconds, end, wait_until

PORT = 8080
EMAIL, PASSWORD = "guide@tours.example", "correct horse battery"

_ASK = """
import json, sys, http.client
connection = http.client.HTTPConnection("127.0.0.1", {port}, timeout=10)
connection.request({method!r}, {path!r}, {body!r}, {headers!r})
answer = connection.getresponse()
print(json.dumps([answer.status, answer.read().decode()]))
"""


def binary() -> str:
    """The program: TOURSERVER, or what lies beside tour-chat."""
    path = os.environ.get("TOURSERVER") or str(Path(os.environ["TOURCHAT"]).with_name("tour-server"))
    if not os.access(path, os.X_OK):
        raise Unavailable(f"there is no {path}")
    return path


class Server:
    """One server with its database, which outlives its process."""

    def __init__(self, host: Host) -> None:
        self.host, self.home = host, host.home / "server"
        self.home.mkdir(parents=True)
        self.process: subprocess.Popen[bytes] | None = None

    def _argv(self, *words: str) -> list[str]:
        return self.host.argv([binary(), *words, "--data-dir", str(self.home / "data")])

    def launch(self, *words: str) -> None:
        """Starts the process, and waits for nothing."""
        with (self.home / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self._argv("serve", *words), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=self.host.environment())

    def start(self, *words: str) -> Server:
        self.launch("--listen", f"0.0.0.0:{PORT}", *words)
        self.await_answer()
        return self

    def await_answer(self) -> None:
        wait_until(self._answers, 30, "the server answers")

    def _answers(self) -> bool:
        try:
            return self.ask("GET", "/healthz")[0] == 200
        except subprocess.CalledProcessError:
            return False

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, str]:
        """A request from the server's own host."""
        text = json.dumps(body) if body is not None else None
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        code = _ASK.format(port=PORT, method=method, path=path, body=text, headers=headers)
        done = subprocess.run(self.host.argv(["python3", "-c", code]), capture_output=True, text=True, check=True)
        status, answer = json.loads(done.stdout)
        return int(status), str(answer)

    def tool(self, *words: str) -> str:
        """What a command of the operator prints."""
        return subprocess.run(self._argv(*words), check=True, capture_output=True, text=True,
                              env=self.host.environment()).stdout

    def make_account(self, email: str = EMAIL) -> None:
        """Whose address nobody has proven."""
        status, answer = self.ask("POST", "/auth/signup", {"email": email, "password": PASSWORD})
        if status != http.client.CREATED:
            raise AssertionError(f"signup: {status} {answer}")

    def make_guide(self, email: str = EMAIL) -> None:
        self.make_account(email)
        subprocess.run(self._argv("user", "role", email, "guide", "--vouch"), check=True, capture_output=True,
                       env=self.host.environment())

    def _read(self, path: str, token: str) -> Any:
        status, answer = self.ask("GET", path, token=token)
        if status != http.client.OK:
            raise AssertionError(f"{path}: {status} {answer[:300]}")
        return json.loads(answer)

    def log_in(self) -> str:
        """A token of the guide's account."""
        status, answer = self.ask("POST", "/auth/login", {"email": EMAIL, "password": PASSWORD})
        if status != http.client.OK:
            raise AssertionError(f"login: {status} {answer}")
        return str(json.loads(answer)["access_token"])

    def groups(self) -> list[dict[str, Any]]:
        """The tours of the guide's account: its node has tied it to its member."""
        return list(self._read("/groups", self.log_in()))

    def events(self, tour: str) -> list[str]:
        """Ids of all events that it holds of a tour, as the guide's account reads them."""
        token, ids = self.log_in(), []
        heads = self._read(f"/groups/{tour}/frontier", token)["heads"]
        held = dict.fromkeys(heads, 0)
        while behind := sorted(author for author in heads if held[author] < heads[author])[:48]:
            after = ",".join(f"{author[:16]}:{held[author]}" for author in behind)
            rows = self._read(f"/groups/{tour}/events?after={after}", token)["messages"]
            if not rows:
                raise AssertionError(f"the server says {len(behind)} logs are longer, and gives nothing of them")
            for row in rows:
                ids.append(str(row["localId"]))
                held[row["senderId"]] = row["sequence"]
        return ids

    def cpu_seconds(self) -> float:
        assert self.process
        return cpu_seconds(self.process.pid)

    def messages(self, tour: str, token: str) -> tuple[int, str]:
        """What an account is shown of a tour."""
        return self.ask("GET", f"/groups/{tour}/messages", token=token)

    def texts(self, tour: str, token: str) -> set[str]:
        status, answer = self.messages(tour, token)
        return {row["content"] for row in json.loads(answer)} if status == http.client.OK else set()

    def codes(self) -> list[str]:
        """The codes that it sent, by its log."""
        text = (self.home / "server.log").read_text(errors="replace")
        return re.findall(r"code (?:is|for a new password is) ([0-9]{6})", text)

    def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process:
            end(self.process, 10)
